"""Filters, order and search of products: forms that lead to the address of what was chosen, without any script.

Rules: docs/rules/catalogue_pages.md, 4; WCAG 2.2 (labels, fieldsets).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from typing import Final
from urllib.parse import parse_qsl

from vetrina.content.blocks.block_context import BlockContext
from vetrina.content.terms.store import Term
from vetrina.core.phrases import Phrases
from vetrina.pages.forms import render_hidden
from vetrina.pages.markup import Html, join_markup, render_button, render_element, render_link, trust_markup
from vetrina.pages.page_features import VisitorBlock
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.pages.shop.catalogue.chosen_filters import STOCK_STATUSES, build_attribute_name
from vetrina.pages.shop.catalogue.facets import CatalogueFacets, load_facets
from vetrina.pages.shop.catalogue.listings import CatalogueList, get_catalogue_list
from vetrina.rest.coercion import coerce_integer
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import product_types
from vetrina.shop.reviews import review_settings
from vetrina.shop.settings import currencies, rules as settings

_PHRASES: Final = Phrases("vetrina.pages.shop.catalogue")
_IN_FORM: Final = "shop.inside_filters"  # whether the form around the filters is being rendered

FilterRenderer = Callable[[PageRequest, BlockContext, CatalogueList, CatalogueFacets], Html]


def render_sorting(page: PageRequest, place: BlockContext) -> str:
    """Return the form that changes the order of a list."""
    catalogue = get_catalogue_list(page)
    if catalogue is None:
        return ""
    language = page.language
    names = {
        "menu_order": _PHRASES.translate(language, "Default order"),
        "popularity": _PHRASES.translate(language, "Popularity"),
        "rating": _PHRASES.translate(language, "Average rating"),
        "date": _PHRASES.translate(language, "Newest"),
        "price": _PHRASES.translate(language, "Price, lowest first"),
        "price-desc": _PHRASES.translate(language, "Price, highest first"),
    }
    if not review_settings.is_rating_enabled(page.work):
        del names["rating"]
    options = join_markup(
        render_element("option", text, value=name, selected=name == catalogue.chosen.order)
        for name, text in names.items()
    )
    return render_element(
        "form", _render_kept(catalogue, catalogue.chosen.list_filters()),
        render_element("label", _PHRASES.translate(language, "Order"), for_="catalog-sorting"),
        render_element("select", options, name="orderby", id="catalog-sorting"),
        render_button(_PHRASES.translate(language, "Sort")),
        method="get", action=_get_action(catalogue), class_="wp-block-shop-catalog-sorting",
    )  # fmt: skip


def render_search(page: PageRequest, place: BlockContext) -> str:
    """Return the form that searches products."""
    label = _PHRASES.translate(page.language, "Search products")
    text = str(page.request.query.get("s") or "") if page.request.query.get("post_type") else ""
    return render_element(
        "form", render_element("label", label, for_="product-search", class_="screen-reader-text"),
        render_element("input", type="search", name="s", id="product-search", value=text[:200], placeholder=label),
        render_hidden("post_type", product_types.PRODUCT.name),
        render_button(_PHRASES.translate(page.language, "Search")),
        role="search", method="get", action=page.home, class_="wp-block-shop-product-search",
    )  # fmt: skip


def render_filters(page: PageRequest, place: BlockContext) -> str:
    """Return all filters of a list in one form; which ones, the blocks inside say."""
    catalogue, work = get_catalogue_list(page), page.work
    if catalogue is None:
        return ""
    work.lookups[_IN_FORM] = True
    try:
        inside: Html = trust_markup(place.inner().strip())
    finally:
        work.lookups[_IN_FORM] = False
    if not inside:
        facets = load_facets(work, catalogue)
        inside = join_markup(render(page, place, catalogue, facets) for render in _ALL)
    if not inside:
        return ""
    language, chosen = page.language, bool(catalogue.chosen.list_filters())
    form = _render_form(page, catalogue, inside, catalogue.chosen.pairs, of_all=True)
    title = _PHRASES.translate(language, "Filter")
    return render_element(
        "details", render_element("summary", title), form, open=chosen, class_="wp-block-shop-product-filters"
    )  # fmt: skip


def _filter_block(render: FilterRenderer) -> VisitorBlock:
    """Return the block of one filter: a part of the form around it, or a form of its own that keeps the others."""

    def render_filter(page: PageRequest, place: BlockContext) -> str:
        catalogue = get_catalogue_list(page)
        if catalogue is None:
            return ""
        inside = render(page, place, catalogue, load_facets(page.work, catalogue))
        if not inside or page.work.lookups.get(_IN_FORM):
            return inside
        return _render_form(page, catalogue, inside, catalogue.chosen.pairs, of_all=False)

    return render_filter


def _render_form(
    page: PageRequest, catalogue: CatalogueList, inside: Html, pairs: Iterable[tuple[str, str]], *, of_all: bool
) -> Html:
    # What the fields of the form say is not said twice.
    kept = [
        (name, value) for name, value in pairs if f'name="{name}"' not in inside and (not of_all or name == "orderby")
    ]
    return render_element(
        "form", _render_kept(catalogue, kept), inside,
        render_element(
            "p", render_button(_PHRASES.translate(page.language, "Apply")), _render_clear_link(page, catalogue),
            class_="shop-filter-buttons",
        ),
        method="get", action=_get_action(catalogue), class_="shop-filter-form",
    )  # fmt: skip


def _render_kept(catalogue: CatalogueList, pairs: Iterable[tuple[str, str]]) -> Html:
    """Return hidden fields: those of the address, and what was chosen elsewhere."""
    own = parse_qsl(catalogue.address.partition("?")[2])
    return join_markup(render_hidden(name, value) for name, value in (*own, *pairs))


def _get_action(catalogue: CatalogueList) -> str:
    return catalogue.address.partition("?")[0]


def _build_address(catalogue: CatalogueList, query: str) -> str:
    return f"{catalogue.address}{'&' if '?' in catalogue.address else '?'}{query}" if query else catalogue.address


# -- the filters


def _render_price_filter(
    page: PageRequest, place: BlockContext, catalogue: CatalogueList, facets: CatalogueFacets
) -> Html:
    language = page.language
    low, high = facets.prices or (None, None)
    if facets.counted and (low is None or low == high):
        return Html()
    code = str(settings.get_shop_option(page.work, "shop_currency"))
    legend = _PHRASES.translate(language, "Price ({currency})", currency=unescape(currencies.get_currency_symbol(code)))
    fields = []
    for name, label, bound in (
        ("min_price", _PHRASES.translate(language, "From"), low),
        ("max_price", _PHRASES.translate(language, "To"), high),
    ):
        value = next(iter(catalogue.chosen.get_values(name)), "")
        hint = f"{bound.normalize():f}" if bound is not None else None
        fields.append(
            render_element(
                "label",
                label,
                " ",
                render_element(
                    "input",
                    type="number",
                    name=name,
                    value=value,
                    min=0,
                    step="any",
                    placeholder=hint,
                    inputmode="decimal",
                ),
            )
        )
    return render_element("fieldset", render_element("legend", legend), *fields, class_="shop-filter-price")


def _render_stock_filter(
    page: PageRequest, place: BlockContext, catalogue: CatalogueList, facets: CatalogueFacets
) -> Html:
    language = page.language
    names = {
        "instock": _PHRASES.translate(language, "In stock"),
        "onbackorder": _PHRASES.translate(language, "On backorder"),
        "outofstock": _PHRASES.translate(language, "Out of stock"),
    }
    if settings.is_setting_on(page.work, "shop_hide_out_of_stock_items"):
        del names["outofstock"]
    choices = [
        (status, names[status], facets.stock.get(status, 0) if facets.counted else None)
        for status in STOCK_STATUSES
        if status in names
    ]
    return _render_choices(catalogue, "filter_stock_status", _PHRASES.translate(language, "Availability"), choices)


def _render_rating_filter(
    page: PageRequest, place: BlockContext, catalogue: CatalogueList, facets: CatalogueFacets
) -> Html:
    language = page.language
    if not review_settings.is_rating_enabled(page.work):
        return Html()
    choices = [
        (
            str(stars),
            _PHRASES.translate(language, "1 star")
            if stars == 1
            else _PHRASES.translate(language, "{count} stars", count=stars),
            facets.stars.get(stars, 0) if facets.counted else None,
        )
        for stars in range(5, 0, -1)
    ]
    return _render_choices(catalogue, "rating_filter", _PHRASES.translate(language, "Rating"), choices)


def _render_category_filter(
    page: PageRequest, place: BlockContext, catalogue: CatalogueList, facets: CatalogueFacets
) -> Html:
    shelf = catalogue.shelf
    # A list of a category is narrowed by the links to those beneath it.
    if shelf is not None and shelf.taxonomy == product_types.CATEGORY.name:
        return Html()
    title = _PHRASES.translate(page.language, "Category")
    return _render_choices(catalogue, "filter_category", title, _list_choices(facets, facets.categories))


def _render_attribute_filter(
    page: PageRequest, place: BlockContext, catalogue: CatalogueList, facets: CatalogueFacets
) -> Html:
    """Return the filter by the attribute that a block names, by all of them where it names none."""
    wanted = coerce_integer(place.attributes.get("attributeId"))
    return join_markup(
        _render_choices(catalogue, build_attribute_name(one), strip_markup(one.name), _list_choices(facets, values))
        for one, values in facets.attributes
        if (not wanted or wanted == one.id) and (catalogue.shelf is None or catalogue.shelf.taxonomy != one.taxonomy)
    )


def _list_choices(facets: CatalogueFacets, terms: Sequence[Term]) -> list[tuple[str, str, int | None]]:
    return [
        (one.slug, strip_markup(one.name), facets.terms.get(one.id, 0) if facets.counted else None) for one in terms
    ]


def _render_choices(
    catalogue: CatalogueList, name: str, title: str, choices: Iterable[tuple[str, str, int | None]]
) -> Html:
    """Return a group of boxes to tick; empty where there is nothing to choose.

    choices: values, texts, and numbers of products, None where they are not counted.
    """
    chosen = set(catalogue.chosen.get_values(name))
    shown = [one for one in choices if one[2] is None or one[2] or one[0] in chosen]
    if not chosen and len(shown) < 2:
        return Html()
    items = [
        render_element(
            "li",
            render_element(
                "label",
                render_element("input", type="checkbox", name=f"{name}[]", value=value, checked=value in chosen), " ",
                text, *([" ", render_element("span", f"({count})", class_="shop-count")] if count is not None else ()),
            ),
        )
        for value, text, count in shown
    ]  # fmt: skip
    return render_element("fieldset", render_element("legend", title), render_element("ul", *items))


# -- what was chosen


def render_active_filters(page: PageRequest, place: BlockContext) -> str:
    """Return what was chosen, each as the link that takes it away."""
    catalogue = get_catalogue_list(page)
    chosen = catalogue.chosen.list_filters() if catalogue is not None else []
    if catalogue is None or not chosen:
        return ""
    names = _name_choices(page, chosen)
    items = [
        render_element("li", render_link(
            _build_address(catalogue, catalogue.chosen.build_query([pair])), names[pair], " ",
            render_element("span", "×", aria_hidden="true"),
            aria_label=_PHRASES.translate(page.language, "Remove the filter {name}", name=names[pair]),
        ))
        for pair in chosen
    ]  # fmt: skip
    items.append(render_element("li", _render_clear_link(page, catalogue)))
    label = _PHRASES.translate(page.language, "Chosen filters")
    return render_element("ul", *items, aria_label=label, class_="wp-block-shop-active-filters")


def render_clear_button(page: PageRequest, place: BlockContext) -> str:
    """Return the link that takes all filters away."""
    catalogue = get_catalogue_list(page)
    return _render_clear_link(page, catalogue) if catalogue is not None else ""


def _render_clear_link(page: PageRequest, catalogue: CatalogueList) -> Html:
    chosen = catalogue.chosen
    filters = chosen.list_filters()
    if not filters:
        return Html()
    return render_link(
        _build_address(catalogue, chosen.build_query(filters)), _PHRASES.translate(page.language, "Clear all filters")
    )


def _name_choices(page: PageRequest, chosen: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """Return what each choice is called."""
    language, work = page.language, page.work
    names: dict[tuple[str, str], str] = {}
    taxonomies = {
        f"{build_attribute_name(one)}[]": one.taxonomy for one in attributes.load_attributes(work).values()
    } | {"filter_category[]": product_types.CATEGORY.name}
    wanted = [(taxonomies[name], value) for name, value in chosen if name in taxonomies]
    known = attributes.load_terms_by_slug(work, wanted)
    statuses = {
        "instock": _PHRASES.translate(language, "In stock"),
        "onbackorder": _PHRASES.translate(language, "On backorder"),
        "outofstock": _PHRASES.translate(language, "Out of stock"),
    }
    for pair in chosen:
        name, value = pair
        if name == "min_price":
            names[pair] = _PHRASES.translate(language, "From {price}", price=value)
        elif name == "max_price":
            names[pair] = _PHRASES.translate(language, "Up to {price}", price=value)
        elif name == "rating_filter[]":
            names[pair] = _PHRASES.translate(language, "{count} stars", count=value)
        elif (term := known.get((taxonomies.get(name, ""), value))) is not None:
            names[pair] = strip_markup(term.name)
        else:
            names[pair] = statuses.get(value, value)
    return names


_ALL: Final[tuple[FilterRenderer, ...]] = (
    _render_price_filter, _render_category_filter, _render_attribute_filter, _render_stock_filter,
    _render_rating_filter,
)  # fmt: skip
BLOCKS: Final[Mapping[str, VisitorBlock]] = {
    "shop/active-filters": render_active_filters,
    "shop/attribute-filter": _filter_block(_render_attribute_filter),
    "shop/catalog-sorting": render_sorting,
    "shop/price-filter": _filter_block(_render_price_filter),
    "shop/product-filter-active": render_active_filters,
    "shop/product-filter-attribute": _filter_block(_render_attribute_filter),
    "shop/product-filter-clear-button": render_clear_button,
    "shop/product-filter-price": _filter_block(_render_price_filter),
    "shop/product-filter-rating": _filter_block(_render_rating_filter),
    "shop/product-filter-status": _filter_block(_render_stock_filter),
    "shop/product-filter-taxonomy": _filter_block(_render_category_filter),
    "shop/product-filters": render_filters,
    "shop/product-search": render_search,
    "shop/rating-filter": _filter_block(_render_rating_filter),
    "shop/stock-filter": _filter_block(_render_stock_filter),
}
