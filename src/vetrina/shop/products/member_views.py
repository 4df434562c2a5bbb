"""The members of a product's and of a variation's answer: where each of them comes from.

Not here: what a page of products needs beside their rows (shop/products/views.py), the members' schema
(shop/products/schema.py). Rules: the recordings of the second deployment; a variation has of its product what it does
not have itself, but in context edit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote, urlencode

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import permalinks
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.kernel import times
from vetrina.rest.fields import EDIT
from vetrina.rest.serializer import Getter, Member, Shape
from vetrina.shop import meta_data
from vetrina.shop.products import (
    attributes as product_attributes,
)
from vetrina.shop.products import (
    images as product_images,
)
from vetrina.shop.products import (
    prices as product_prices,
)
from vetrina.shop.products import (
    product_types,
)
from vetrina.shop.products.model import CROSS_SELL, GROUPED, UPSELL, VARIABLE, Product
from vetrina.shop.products.schema import PRODUCT, VARIATION
from vetrina.shop.products.views import View
from vetrina.shop.variations import rules as variations

__all__ = ["PRODUCT_SHAPE", "VARIATION_SHAPE"]

_ADDRESSED: Final = frozenset({"publish", "private"})
_PLACE: Final = "%pagename%"  # of the slug in the address of a product


def _iso(seconds: int | None) -> str | None:
    return None if seconds is None else times.iso(seconds)


def _local(seconds: int | None, view: View) -> str | None:
    return None if seconds is None else times.iso(view.work.zone.to_local(seconds))


def _permalink(one: Product, view: View) -> str:
    above = view.above(one)
    if above is None:
        if one.record.status in _ADDRESSED:
            return view.template(one).replace(_PLACE, one.record.slug)
        return permalinks.link(view.work, product_types.PRODUCT, one.record, ())
    address = view.address(above)
    chosen = urlencode({f"attribute_{key}": value for key, value in one.choices.items()}, quote_via=quote)
    return f"{address}{'&' if '?' in address else '?'}{chosen}" if chosen else address


def _description(one: Product, view: View) -> str:
    if view.context == "edit":
        return one.record.content
    return dynamic_rendering.content_alone(view.work, one.record)


def _short(one: Product, view: View) -> str:
    if one.is_variation:
        return ""  # what a variation has there is for searches alone
    if view.context == "edit":
        return one.record.excerpt
    return view.work.budget.answer(one.record.excerpt_html) if one.record.excerpt else ""


def _note(one: Product, view: View) -> str:
    if view.context == "edit" or not one.purchase_note:
        return one.purchase_note
    return text_rendering.content(one.purchase_note, budget=view.work.budget)


def _on_sale(one: Product, view: View) -> bool:
    return product_prices.is_on_sale(one, view.work.now)


def _purchasable(one: Product, view: View) -> bool:
    if not product_prices.is_for_sale(one, view.work.now):
        return False
    # Whoever asks here may edit, so a product that is not published yet can be tried; a variation cannot.
    return not one.is_variation or one.record.status == "publish"


def _markup(one: Product, view: View) -> str:
    # What has dates may have become something else since it was stored.
    dated = one.sale_from is not None or one.sale_to is not None
    return view.prices.markup(
        product_prices.settled(view.work, one) if dated else one, view.inherited(one, "tax_class")
    )


def _manages(one: Product, view: View) -> bool | str:
    return "parent" if view.counted(one) is not one else one.manage_stock


def _backordered(one: Product, view: View) -> bool:
    counted = view.counted(one)
    if one.stock_status == "onbackorder":
        return True
    return counted.manage_stock and counted.backorders != "no" and (counted.stock_quantity or 0) < 0


def _grouped(taxonomy: str) -> Getter:
    def shown(one: Product, view: View) -> list[dict[str, Any]]:
        held = view.groups(one, taxonomy)
        return [{"id": term.id, "name": term.name, "slug": term.slug} for term in held] if held else []

    return shown


def _shipping_class(one: Product, view: View, *, inherits: bool) -> Term | None:
    name = product_types.SHIPPING_CLASS.name
    own = view.groups(one, name)
    if not own and inherits and one.is_variation:
        own = [term for term in view.terms.get(one.parent, ()) if term.taxonomy == name]
    return own[0] if own else None


def _rating(one: Product, view: View) -> str:
    if view.context == "edit" and not one.rating_count:
        return "0"
    return f"{one.rating // 100}.{one.rating % 100:02}"


def _images(one: Product, view: View) -> list[dict[str, Any]]:
    found = (product_images.shown(view.work, id, view.images) for id in one.images)
    return [image for image in found if image is not None]


def _image(one: Product, view: View) -> dict[str, Any] | None:
    own = one.record.featured_media
    if not own and view.context != "edit" and (above := view.above(one)) is not None:
        own = above.record.featured_media
    return product_images.shown(view.work, own, view.images) if own else None


def _metas(one: Product, view: View) -> list[dict[str, Any]]:
    if not view.include_meta and not view.exclude_meta:
        return meta_data.shown(view.metas.get(one.record.id, ()))
    return [
        meta
        for meta in meta_data.shown(view.metas.get(one.id, ()))
        if (not view.include_meta or meta["key"] in view.include_meta) and meta["key"] not in view.exclude_meta
    ]


def _linked(kind: str) -> Getter:
    return lambda one, view: view.linked.get(one.id, {}).get(kind, [])


def _to_be_sent(inherits: Callable[[View], bool]) -> dict[str, Getter]:
    """Return the members about sending a product; inherits: whether a variation has its product's at a view."""

    def measure(one: Product, view: View, name: str) -> str:
        own: str = getattr(one, name)
        above = view.above(one) if not own and inherits(view) else None
        return own if above is None else str(getattr(above, name))

    def chosen(one: Product, view: View) -> Term | None:
        return _shipping_class(one, view, inherits=inherits(view))

    return {
        "weight": lambda one, view: measure(one, view, "weight"),
        "dimensions": lambda one, view: {name: measure(one, view, name) for name in ("length", "width", "height")},
        "shipping_class": lambda one, view: found.slug if (found := chosen(one, view)) else "",
        "shipping_class_id": lambda one, view: found.id if (found := chosen(one, view)) else 0,
    }


_SHARED: Final[dict[str, Getter]] = {
    "id": Member("record.id"),
    "permalink": _permalink,
    "date_created": lambda one, view: _iso(one.record.date),
    "date_created_gmt": lambda one, view: _iso(one.record.date_gmt),
    "date_modified": lambda one, view: _iso(one.record.modified),
    "date_modified_gmt": lambda one, view: _iso(one.record.modified_gmt),
    "status": Member("record.status"),
    "description": _description,
    "sku": lambda one, view: view.inherited(one, "sku"),
    "global_unique_id": Member("global_unique_id"),
    "price": lambda one, view: product_prices.active(one, view.work.now),
    "regular_price": Member("regular_price"),
    "sale_price": Member("sale_price"),
    "date_on_sale_from": lambda one, view: _local(one.sale_from, view),
    "date_on_sale_from_gmt": lambda one, view: _iso(one.sale_from),
    "date_on_sale_to": lambda one, view: _local(one.sale_to, view),
    "date_on_sale_to_gmt": lambda one, view: _iso(one.sale_to),
    "on_sale": _on_sale,
    "purchasable": _purchasable,
    "virtual": Member("virtual"),
    "downloadable": Member("downloadable"),
    "downloads": Member("downloads"),
    "download_limit": Member("download_limit"),
    "download_expiry": Member("download_expiry"),
    "tax_status": lambda one, view: (view.above(one) or one).tax_status,
    "tax_class": lambda one, view: view.inherited(one, "tax_class"),
    "manage_stock": _manages,
    "stock_quantity": lambda one, view: view.counted(one).stock_quantity,
    "stock_status": Member("stock_status"),
    "backorders": lambda one, view: view.counted(one).backorders,
    "backorders_allowed": lambda one, view: view.counted(one).backorders != "no",
    "backordered": _backordered,
    "low_stock_amount": Member("low_stock_amount"),
    **_to_be_sent(lambda view: view.context != EDIT),
    "menu_order": Member("record.menu_order"),
    "meta_data": _metas,
    "parent_id": Member("record.parent"),
}

PRODUCT_SHAPE: Final = Shape(
    PRODUCT,
    {
        **_SHARED,
        "name": Member("record.title"),
        "slug": Member("record.slug"),
        "type": Member("kind"),
        "featured": Member("featured"),
        "catalog_visibility": Member("visibility"),
        "short_description": _short,
        # Lines that grew after they were counted may be given back in whole: nothing reads as sold less than never.
        # A variation is sold as its product; the interface writes its own nothing as text.
        "total_sales": lambda one, view: "0" if one.is_variation else abs(one.total_sales),
        "external_url": Member("external_url"),
        "button_text": Member("button_text"),
        "sold_individually": Member("sold_individually"),
        "shipping_required": lambda one, view: not one.virtual,
        "shipping_taxable": lambda one, view: (
            not one.virtual and (view.above(one) or one).tax_status in ("taxable", "shipping")
        ),
        "reviews_allowed": lambda one, view: one.record.comment_status == "open",
        "average_rating": _rating,
        "rating_count": Member("rating_count"),
        "upsell_ids": _linked(UPSELL),
        "cross_sell_ids": _linked(CROSS_SELL),
        "purchase_note": _note,
        "categories": _grouped(product_types.CATEGORY.name),
        "brands": _grouped(product_types.BRAND.name),
        "tags": _grouped(product_types.TAG.name),
        "images": _images,
        "attributes": lambda one, view: (
            product_attributes.of_variation(one, view.above(one), view.attributes, view.named)
            if one.is_variation
            else product_attributes.shown(one, view.terms.get(one.id, ()), view.attributes)
        ),
        "default_attributes": lambda one, view: product_attributes.shown_defaults(one, view.attributes, view.named),
        "variations": lambda one, view: view.children.get(one.id, []),
        "grouped_products": _linked(GROUPED),
        "price_html": _markup,
        "related_ids": lambda one, view: view.related.get(one.id, []),
        "has_options": lambda one, view: one.kind == VARIABLE,
        "post_password": Member("record.password"),
        "permalink_template": lambda one, view: view.template(one),
        "generated_slug": lambda one, view: view.generated.get(one.record.id) or one.record.slug,
    },
    nested=False,
)

VARIATION_SHAPE: Final = Shape(
    VARIATION,
    {
        **_SHARED,
        # Read as a variation it has them in context edit too.
        **_to_be_sent(lambda view: True),
        "type": lambda one, view: "variation",
        "image": _image,
        "attributes": lambda one, view: product_attributes.of_variation(
            one, view.above(one), view.attributes, view.named
        ),
        "name": lambda one, view: variations.shown_name(one, view.named),
    },
    nested=False,
)
