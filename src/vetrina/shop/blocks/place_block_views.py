"""Blocks that say where in a shop a reader is, and where they may go: breadcrumbs, categories, one of them featured.

Rules: docs/rules/catalogue_pages.md, 1 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import unescape
from typing import Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.listing import TermListFilters
from vetrina.content.terms.store import Term
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.core.phrases import Phrases
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.tags import strip_tags
from vetrina.rest.coercion import coerce_integer
from vetrina.shop.blocks.product_block_views import render_image, render_image_element, render_wrapped
from vetrina.shop.blocks.shown_product_views import (
    ShownProduct,
    find_shown_product,
    get_block_language,
    load_shown_products,
)
from vetrina.shop.products import images as product_images, product_types
from vetrina.shop.settings.shop_pages import SHOP_PAGE, build_shop_page_url, find_shop_page
from vetrina.shop.storefront import image_views

_PHRASES: Final = Phrases("vetrina.shop.blocks")
_MAX_CATEGORIES: Final = 200
_MAX_DEPTH: Final = 8
_WIDE: Final = "(min-width: 900px) 600px, 92vw"


def _to_text(html: str) -> str:
    return unescape(strip_tags(html)).strip()


# -- breadcrumbs


def _render_breadcrumbs(place: BlockContext) -> str:
    trail = build_trail(place)
    if len(trail) < 2:
        return ""
    label = _PHRASES.translate(get_block_language(place), "Breadcrumbs")
    items = "".join(
        f'<li><a href="{escape_url(address)}">{escape_attribute(name)}</a></li>'
        if address
        else f'<li><span aria-current="page">{escape_attribute(name)}</span></li>'
        for name, address in trail
    )
    return render_wrapped(place, "breadcrumbs", f"<ol>{items}</ol>", tag="nav", own=f'aria-label="{label}"')


def build_trail(place: BlockContext) -> list[tuple[str, str]]:
    """Return what is above the page, the topmost first, and itself: names as text with their URLs, its own empty."""
    work, page = place.work, place.scene.page
    out = [(_PHRASES.translate(get_block_language(place), "Home"), f"{work.home()}/"), *_list_shop_page(work)]
    term, shown = place.scene.term, find_shown_product(place)
    if shown is not None:
        out += [*_list_categories(work, shown), (_to_text(shown.product.record.title_html), "")]
    elif term is not None:
        found = _list_terms_down_to(work, term)
        out += [*found[:-1], (_to_text(term.name), "")]
    elif page is not None and page.title and _to_text(page.title) != out[-1][0]:
        out.append((_to_text(page.title), ""))
    else:
        out[-1] = (out[-1][0], "")
    return out


def list_places_above(work: UnitOfWork, shown: ShownProduct) -> list[tuple[str, str]]:
    """Return the shop's page and the categories above a product, the topmost first: names as text with their URLs."""
    return _list_shop_page(work) + _list_categories(work, shown)


def _list_shop_page(work: UnitOfWork) -> list[tuple[str, str]]:
    shop, address = find_shop_page(work, SHOP_PAGE), build_shop_page_url(work, SHOP_PAGE)
    return [(_to_text(shop.title_html), address)] if shop is not None and address != f"{work.home()}/" else []


def _list_categories(work: UnitOfWork, shown: ShownProduct) -> list[tuple[str, str]]:
    category = _pick_category(shown)
    return _list_terms_down_to(work, category) if category is not None else []


def _pick_category(shown: ShownProduct) -> Term | None:
    """Return the category that a product's breadcrumbs go through: a nested one before one at the top."""
    held = [one for one in shown.terms if one.taxonomy == product_types.CATEGORY.name]
    return next((one for one in held if one.parent), held[0] if held else None)


def _list_terms_down_to(work: UnitOfWork, term: Term) -> list[tuple[str, str]]:
    """Return the terms above one, the topmost first, and itself: names with URLs."""
    if term.taxonomy not in work.site.taxonomies:
        return [(_to_text(term.name), "")]
    trail = [term]
    if term.parent:
        parents = term_store.load_term_parents(work.tx, [term.parent])
        known = term_store.find_terms(work.tx, sorted(parents))
        id = term.parent
        while id in known and len(trail) < _MAX_DEPTH:
            trail.append(known[id])
            id = parents.get(id, 0)
    work.uses(term.taxonomy)
    addresses = term_store.build_term_urls(work, trail)
    return [(_to_text(one.name), addresses[one.id]) for one in reversed(trail)]


# -- categories


def _render_categories(place: BlockContext) -> str:
    """Return the product categories as a list, those beneath others inside them."""
    attributes, work = place.attributes, place.work
    work.uses(product_types.CATEGORY.name, product_types.PRODUCT.name)
    filters = TermListFilters(hide_empty=attributes.get("hasEmpty") is not True, limit=_MAX_CATEGORIES)
    found, _ = term_listing.list_terms(work, product_types.CATEGORY, filters)
    addresses = term_store.build_term_urls(work, found)
    inside: dict[int, list[Term]] = {}
    known = {one.id for one in found}
    nested = attributes.get("isHierarchical") is not False
    for one in found:
        inside.setdefault(one.parent if nested and one.parent in known else 0, []).append(one)
    counts = attributes.get("hasCount") is not False
    html = _render_branch(place, inside, addresses, 0, counts=counts, depth=0)
    label = _PHRASES.translate(get_block_language(place), "Product categories")
    return render_wrapped(place, "product-categories", html, tag="nav", own=f'aria-label="{label}"') if html else ""


def _render_branch(
    place: BlockContext, inside: Mapping[int, Sequence[Term]], addresses: Mapping[int, str], above: int, *,
    counts: bool, depth: int,
) -> str:  # fmt: skip
    items = ""
    for one in inside.get(above, ()) if depth < _MAX_DEPTH else ():
        current = place.scene.term is not None and place.scene.term.id == one.id
        mark = ' aria-current="page"' if current else ""
        count = f' <span class="shop-count">{one.count}</span>' if counts else ""
        link = f'<a href="{escape_url(addresses[one.id])}"{mark}>{escape_attribute(_to_text(one.name))}</a>{count}'
        items += f"<li>{link}{_render_branch(place, inside, addresses, one.id, counts=counts, depth=depth + 1)}</li>"
    return f"<ul>{items}</ul>" if items else ""


# -- featured


def _render_featured_product(place: BlockContext) -> str:
    id = coerce_integer(place.attributes.get("productId"))
    shown = next(iter(load_shown_products(place.work, [id])), None) if id else None
    if shown is None:
        return ""
    text = (
        "" if place.attributes.get("showDesc") is False or shown.is_hidden(place) else shown.product.record.excerpt_html
    )
    price = "" if place.attributes.get("showPrice") is False else shown.render_price(get_block_language(place))
    html = (
        render_image(place, shown, sizes=_WIDE)
        + f'<div><h2><a href="{escape_url(shown.url)}">{escape_attribute(shown.product.name)}</a></h2>'
        + (place.live.hold(text, shown.product.record.excerpt) if shown.product.record.excerpt else "")
        + (f'<p class="shop-price">{price}</p>' if price else "")
        + place.inner(record=shown.product.record)
        + "</div>"
    )
    return render_wrapped(place, "featured-product", html, "shop-featured")


def _render_featured_category(place: BlockContext) -> str:
    work, id = place.work, coerce_integer(place.attributes.get("categoryId"))
    term = term_store.find_term(work.tx, id) if id and id > 0 else None
    if term is None or term.taxonomy != product_types.CATEGORY.name:
        return ""
    work.uses(product_types.CATEGORY.name)
    number = coerce_integer(term.meta.get("image")) or 0
    known = product_images.load_product_images_by_id(work, [number] if number else [])
    image = image_views.serialize_image(work, number, known)
    picture = ""
    if image is not None:
        sized = {**image, "width": known[number][1].width, "height": known[number][1].height}
        picture = render_image_element(sized, image["alt"], _WIDE)
    name = escape_attribute(_to_text(term.name))
    text = f"<p>{escape_attribute(_to_text(term.description))}</p>" if term.description else ""
    link = f'<h2><a href="{escape_url(term_store.build_term_url(work, term))}">{name}</a></h2>'
    html = f"{picture}<div>{link}{text}{place.inner()}</div>"
    return render_wrapped(place, "featured-category", html, "shop-featured")


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "shop/breadcrumbs": _render_breadcrumbs,
    "shop/featured-category": _render_featured_category,
    "shop/featured-product": _render_featured_product,
    "shop/product-categories": _render_categories,
}
