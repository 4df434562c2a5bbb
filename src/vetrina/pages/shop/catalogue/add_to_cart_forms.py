"""The forms that put a product into the cart: a button in lists, on its page with quantity, variation or members.

What they lead to: pages/shop/cart. They stand on pages that are kept for all visitors. Rules:
docs/rules/catalogue_pages.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any, Final

import orjson

from vetrina.content.blocks.block_context import BlockContext
from vetrina.core.phrases import Phrases
from vetrina.pages.forms import get_sent, render_form, render_hidden, render_refusal
from vetrina.pages.markup import Html, join_markup, render_element, render_link, trust_markup
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.shop.blocks.product_block_views import render_product_link, render_wrapped
from vetrina.shop.blocks.shown_product_views import (
    ShownProduct,
    find_shown_product,
    load_shown_products,
    note_variations,
)
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE

_PHRASES: Final = Phrases("vetrina.pages.shop.catalogue")
FORM: Final = "add-to-cart"
_SCRIPT: Final = "product"
_MAX_VARIATIONS: Final = 100  # whose data a page has; of more, the cart finds the one that is meant


def render_button_in_list(page: PageRequest, place: BlockContext) -> str:
    """Return the button of a product in a list: a form where it needs nothing else, a link to its page otherwise."""
    shown = find_shown_product(place)
    if shown is None:
        return ""
    if shown.has_options or not shown.is_buyable or not shown.is_in_stock:
        return render_wrapped(place, "product-button", render_product_link(place, shown))
    name = render_element("span", f": {shown.product.name}", class_="screen-reader-text")
    button = render_element(
        "button", _PHRASES.translate(page.language, "Add to cart"), name, type="submit", class_="wp-element-button"
    )
    refused = _render_refusal(page, shown.id)
    form = render_form(page, FORM, render_hidden("product", shown.id), render_hidden("quantity", 1), button, kept=True)
    return render_wrapped(place, "product-button", refused + form)


def render_cart_form(page: PageRequest, place: BlockContext) -> str:
    """Return what a page says of buying its product: how much there is, and the form."""
    shown = find_shown_product(place)
    if shown is None:
        return ""
    page.state.scripts[_SCRIPT] = None
    match shown.product.kind:
        case "external":
            html = _render_outward_link(page, shown)
        case "grouped":
            html = _render_members(page, shown)
        case "variable":
            html = _render_variable_form(page, shown)
        case _:
            html = join_markup((_render_stock(page, shown), _render_simple_form(page, shown)))
    return render_wrapped(place, "add-to-cart-form", html) if html else ""


def _render_stock(page: PageRequest, shown: ShownProduct) -> Html:
    text, state = shown.describe_stock(page.language)
    return render_element("p", text, class_=f"shop-stock {state}", data_stock=True) if text else Html()


def _render_refusal(page: PageRequest, id: int) -> str:
    """Return why the form of a product was refused."""
    return render_refusal(page, FORM) if get_sent(page, FORM, "product") == str(id) else ""


def _render_simple_form(page: PageRequest, shown: ShownProduct, *, small: bool = False) -> Html:
    """Return the form of a product that is bought as it is; nothing for one that is not for sale or sold out."""
    if not shown.is_buyable or not shown.is_in_stock:
        return Html()
    refused = trust_markup(_render_refusal(page, shown.id))
    inside = [render_hidden("product", shown.id), _render_quantity(page, shown), _render_submit(page, shown, small)]
    return join_markup((refused, render_form(page, FORM, *inside, kept=True, class_="shop-cart-form")))


def _render_submit(page: PageRequest, shown: ShownProduct, small: bool = False) -> Html:
    name = [render_element("span", f": {shown.product.name}", class_="screen-reader-text")] if small else []
    text = _PHRASES.translate(page.language, "Add to cart")
    return render_element("button", text, *name, type="submit", class_="wp-element-button", data_submit=True)


def _render_quantity(page: PageRequest, shown: ShownProduct, most: int = 0) -> Html:
    """Return the field for a quantity. most: that a cart may hold, 0 for what it may hold of the product."""
    if shown.sellable.is_sold_individually:
        return render_hidden("quantity", 1)
    refused = get_sent(page, FORM, "product") == str(shown.id)
    number = f"quantity-{shown.id}"
    label = _PHRASES.translate(page.language, "Quantity of {name}", name=shown.product.name)
    return join_markup((
        render_element("label", label, for_=number, class_="screen-reader-text"),
        render_element(
            "input", type="number", id=number, name="quantity", min=1, step=1, inputmode="numeric", required=True,
            max=most or shown.view.view.compute_max_quantity(shown.sellable),
            value=get_sent(page, FORM, "quantity", "1") if refused else "1",
        ),
    ))  # fmt: skip


def _render_outward_link(page: PageRequest, shown: ShownProduct) -> Html:
    product = shown.product
    if not product.external_url.startswith(("http://", "https://")):
        return Html()
    text = product.button_text or _PHRASES.translate(page.language, "Buy product")
    link = render_link(product.external_url, text, rel="nofollow noopener", class_="wp-element-button")
    return render_element("p", link)


def _render_members(page: PageRequest, shown: ShownProduct) -> Html:
    """Return the products of a group, each with its price and form."""
    ids = product_model.list_product_links(page.work, [shown.id]).get(shown.id, {}).get(GROUPED, [])
    items = []
    for one in load_shown_products(page.work, ids):
        price = trust_markup(one.render_price(page.language))
        more: Html | str = Html()
        if one.product.kind in (VARIABLE, EXTERNAL, GROUPED):
            more = render_link(one.url, _PHRASES.translate(page.language, "Select options"))
        else:
            more = join_markup((_render_stock(page, one), _render_simple_form(page, one, small=True)))
        items.append(render_element("li", render_link(one.url, one.product.name), " ", price, more))
    return render_element("ul", *items, class_="shop-members") if items else Html()


# -- products with variations


def _render_variable_form(page: PageRequest, shown: ShownProduct) -> Html:
    """Return the form in which a variation is chosen by its attributes."""
    work, product, language = page.work, shown.product, page.language
    variations = shown.view.variations.get(shown.id, [])
    attributes = [one for one in product.attributes if one["variation"]]
    described = {
        one["taxonomy"] or one["name"]: one
        for one in shown.view.serialize_attributes(product, shown.terms)
        if one["has_variations"]
    }
    if not shown.is_buyable or not variations or not attributes:
        text = _PHRASES.translate(language, "This product is not available at the moment.")
        return render_element("p", text, class_="shop-stock out-of-stock")
    selects = []
    for one in attributes:
        known = described.get(one["key"] if one["id"] else one["name"])
        if known is not None:
            used = {part.choices.get(one["key"], "") for part in variations}
            selects.append(_render_choice(page, shown, one["key"], known, used))
    data = _describe_variations(page, note_variations(work, variations)) if len(variations) <= _MAX_VARIATIONS else None
    most = max(shown.view.view.compute_max_quantity(shown.sellable), 1)
    return join_markup((
        trust_markup(_render_refusal(page, shown.id)),
        render_form(
            page, FORM, render_hidden("product", shown.id), render_hidden("variation", ""), *selects,
            render_element("p", class_="shop-variation", data_variation=True, aria_live="polite", hidden=True),
            render_element("div", _render_quantity(page, shown, most), _render_submit(page, shown),
                           class_="shop-cart-row"),
            kept=True, class_="shop-variations-form",
            data_variations=orjson.dumps(data).decode() if data is not None else None,
            data_unavailable=_PHRASES.translate(language, "There is no such combination. Choose another one."),
        ),
    ))  # fmt: skip


def _render_choice(
    page: PageRequest, shown: ShownProduct, key: str, attribute: Mapping[str, Any], used: set[str]
) -> Html:
    """Return the field of an attribute. used: values that variations have, an empty one for any."""
    name, number = f"attribute_{key}", f"choice-{key}"
    preset = next((one["slug"] for one in attribute["terms"] if one["default"]), "")
    asked = get_text(page.request.query, name)
    refused = page.refused is not None and page.refused.form == FORM
    chosen = get_sent(page, FORM, name) if refused else asked or preset
    options = [render_element("option", _PHRASES.translate(page.language, "Choose"), value="")]
    for one in attribute["terms"]:
        if "" in used or one["slug"] in used:
            text = strip_markup(unescape(str(one["name"])))
            options.append(render_element("option", text, value=one["slug"], selected=one["slug"] == chosen))
    return render_element(
        "p", render_element("label", strip_markup(str(attribute["name"])), for_=number),
        render_element("select", *options, id=number, name=name, required=True, data_attribute=key),
        class_="form-field",
    )  # fmt: skip


def _describe_variations(page: PageRequest, found: Sequence[ShownProduct]) -> list[dict[str, Any]]:
    """Return what a script says of each variation once it is chosen."""
    out = []
    for one in found:
        text, state = one.describe_stock(page.language)
        image = one.images[0] if one.product.images and one.images else None
        out.append({
            "id": one.id, "choices": one.product.choices, "price": one.render_price(page.language), "stock": text,
            "state": state, "buyable": one.is_buyable and one.is_in_stock,
            "most": one.view.view.compute_max_quantity(one.sellable), "sku": one.product.sku,
            "image": {name: image[name] for name in ("src", "srcset", "alt")} if image is not None else None,
        })  # fmt: skip
    return out


BLOCKS: Final = {
    "shop/add-to-cart-form": render_cart_form,
    "shop/add-to-cart-with-options": render_cart_form,
    "shop/product-button": render_button_in_list,
}
