"""The members of a serialized product and variation: where each of them comes from.

Not here: what a page of products needs beyond their rows (shop/products/views.py), the schema
(shop/products/schema.py). A variation inherits from its product what it does not have itself, except in context edit.
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
from vetrina.rest.serializer import AttributeGetter, MemberGetter
from vetrina.shop import meta_data
from vetrina.shop.products import (
    attributes as product_attributes,
    images as product_images,
    prices as product_prices,
    product_types,
)
from vetrina.shop.products.model import CROSS_SELL, GROUPED, UPSELL, VARIABLE, Product
from vetrina.shop.products.schema import PRODUCT_FIELDS, VARIATION_FIELDS
from vetrina.shop.products.views import ProductSerializer, ShopProductView
from vetrina.shop.variations import rules as variations

_PUBLIC_STATUSES: Final = frozenset({"publish", "private"})
_SLUG_PLACEHOLDER: Final = "%pagename%"  # for the slug in the URL of a product


def _format_time(seconds: int | None) -> str | None:
    return None if seconds is None else times.format_iso(seconds)


def _format_local_time(seconds: int | None, view: ShopProductView) -> str | None:
    return None if seconds is None else times.format_iso(view.work.zone.to_local(seconds))


def _build_permalink(one: Product, view: ShopProductView) -> str:
    above = view.find_parent(one)
    if above is None:
        if one.record.status in _PUBLIC_STATUSES:
            return view.get_url_template(one).replace(_SLUG_PLACEHOLDER, one.record.slug)
        return permalinks.build_permalink(view.work, product_types.PRODUCT, one.record, ())
    address = view.get_product_url(above)
    chosen = urlencode({f"attribute_{key}": value for key, value in one.choices.items()}, quote_via=quote)
    return f"{address}{'&' if '?' in address else '?'}{chosen}" if chosen else address


def _render_description(one: Product, view: ShopProductView) -> str:
    if view.context == "edit":
        return one.record.content
    return dynamic_rendering.render_static_content(view.work, one.record)


def _render_short_description(one: Product, view: ShopProductView) -> str:
    if one.is_variation:
        return ""  # that of a variation is for searches only
    if view.context == "edit":
        return one.record.excerpt
    return view.work.budget.take_cached_html(one.record.excerpt_html) if one.record.excerpt else ""


def _render_purchase_note(one: Product, view: ShopProductView) -> str:
    if view.context == "edit" or not one.purchase_note:
        return one.purchase_note
    return text_rendering.render_content(one.purchase_note, budget=view.work.budget)


def _is_on_sale(one: Product, view: ShopProductView) -> bool:
    return product_prices.is_on_sale(one, view.work.now)


def _is_purchasable(one: Product, view: ShopProductView) -> bool:
    if not product_prices.is_for_sale(one, view.work.now):
        return False
    # The caller may edit, so an unpublished product can be tried; a variation cannot.
    return not one.is_variation or one.record.status == "publish"


def _render_price(one: Product, view: ShopProductView) -> str:
    # A status with dates may have changed since it was stored.
    dated = one.sale_from is not None or one.sale_to is not None
    return view.prices.markup(
        product_prices.apply_active_price(view.work, one) if dated else one, view.get_inherited(one, "tax_class")
    )


def _serialize_manage_stock(one: Product, view: ShopProductView) -> bool | str:
    return "parent" if view.get_stock_holder(one) is not one else one.manage_stock


def _is_backordered(one: Product, view: ShopProductView) -> bool:
    counted = view.get_stock_holder(one)
    if one.stock_status == "onbackorder":
        return True
    return counted.manage_stock and counted.backorders != "no" and (counted.stock_quantity or 0) < 0


def _build_terms_getter(taxonomy: str) -> MemberGetter:
    def shown(one: Product, view: ShopProductView) -> list[dict[str, Any]]:
        held = view.list_terms(one, taxonomy)
        return [{"id": term.id, "name": term.name, "slug": term.slug} for term in held] if held else []

    return shown


def _find_shipping_class(one: Product, view: ShopProductView, *, inherits: bool) -> Term | None:
    name = product_types.SHIPPING_CLASS.name
    own = view.list_terms(one, name)
    if not own and inherits and one.is_variation:
        own = [term for term in view.terms.get(one.parent, ()) if term.taxonomy == name]
    return own[0] if own else None


def _format_rating(one: Product, view: ShopProductView) -> str:
    if view.context == "edit" and not one.rating_count:
        return "0"
    return f"{one.rating // 100}.{one.rating % 100:02}"


def _serialize_images(one: Product, view: ShopProductView) -> list[dict[str, Any]]:
    found = (product_images.serialize_product_image(view.work, id, view.images) for id in one.images)
    return [image for image in found if image is not None]


def _serialize_main_image(one: Product, view: ShopProductView) -> dict[str, Any] | None:
    own = one.record.featured_media
    if not own and view.context != "edit" and (above := view.find_parent(one)) is not None:
        own = above.record.featured_media
    return product_images.serialize_product_image(view.work, own, view.images) if own else None


def _serialize_meta_data(one: Product, view: ShopProductView) -> list[dict[str, Any]]:
    if not view.include_meta and not view.exclude_meta:
        return meta_data.serialize_meta(view.metas.get(one.record.id, ()))
    return [
        meta
        for meta in meta_data.serialize_meta(view.metas.get(one.id, ()))
        if (not view.include_meta or meta["key"] in view.include_meta) and meta["key"] not in view.exclude_meta
    ]


def _build_linked_getter(kind: str) -> MemberGetter:
    return lambda one, view: view.linked_ids.get(one.id, {}).get(kind, [])


def _build_shipping_getters(inherits: Callable[[ShopProductView], bool]) -> dict[str, MemberGetter]:
    """Return the getters of the shipping members; inherits: whether a variation has its product's in a view."""

    def measure(one: Product, view: ShopProductView, name: str) -> str:
        own: str = getattr(one, name)
        above = view.find_parent(one) if not own and inherits(view) else None
        return own if above is None else str(getattr(above, name))

    def chosen(one: Product, view: ShopProductView) -> Term | None:
        return _find_shipping_class(one, view, inherits=inherits(view))

    return {
        "weight": lambda one, view: measure(one, view, "weight"),
        "dimensions": lambda one, view: {name: measure(one, view, name) for name in ("length", "width", "height")},
        "shipping_class": lambda one, view: found.slug if (found := chosen(one, view)) else "",
        "shipping_class_id": lambda one, view: found.id if (found := chosen(one, view)) else 0,
    }


_SHARED_GETTERS: Final[dict[str, MemberGetter]] = {
    "id": AttributeGetter("record.id"),
    "permalink": _build_permalink,
    "date_created": lambda one, view: _format_time(one.record.date),
    "date_created_gmt": lambda one, view: _format_time(one.record.date_gmt),
    "date_modified": lambda one, view: _format_time(one.record.modified),
    "date_modified_gmt": lambda one, view: _format_time(one.record.modified_gmt),
    "status": AttributeGetter("record.status"),
    "description": _render_description,
    "sku": lambda one, view: view.get_inherited(one, "sku"),
    "global_unique_id": AttributeGetter("global_unique_id"),
    "price": lambda one, view: product_prices.compute_active_price(one, view.work.now),
    "regular_price": AttributeGetter("regular_price"),
    "sale_price": AttributeGetter("sale_price"),
    "date_on_sale_from": lambda one, view: _format_local_time(one.sale_from, view),
    "date_on_sale_from_gmt": lambda one, view: _format_time(one.sale_from),
    "date_on_sale_to": lambda one, view: _format_local_time(one.sale_to, view),
    "date_on_sale_to_gmt": lambda one, view: _format_time(one.sale_to),
    "on_sale": _is_on_sale,
    "purchasable": _is_purchasable,
    "virtual": AttributeGetter("virtual"),
    "downloadable": AttributeGetter("downloadable"),
    "downloads": AttributeGetter("downloads"),
    "download_limit": AttributeGetter("download_limit"),
    "download_expiry": AttributeGetter("download_expiry"),
    "tax_status": lambda one, view: (view.find_parent(one) or one).tax_status,
    "tax_class": lambda one, view: view.get_inherited(one, "tax_class"),
    "manage_stock": _serialize_manage_stock,
    "stock_quantity": lambda one, view: view.get_stock_holder(one).stock_quantity,
    "stock_status": AttributeGetter("stock_status"),
    "backorders": lambda one, view: view.get_stock_holder(one).backorders,
    "backorders_allowed": lambda one, view: view.get_stock_holder(one).backorders != "no",
    "backordered": _is_backordered,
    "low_stock_amount": AttributeGetter("low_stock_amount"),
    **_build_shipping_getters(lambda view: view.context != EDIT),
    "menu_order": AttributeGetter("record.menu_order"),
    "meta_data": _serialize_meta_data,
    "parent_id": AttributeGetter("record.parent"),
}

PRODUCT_SERIALIZER: Final = ProductSerializer(
    PRODUCT_FIELDS,
    {
        **_SHARED_GETTERS,
        "name": AttributeGetter("record.title"),
        "slug": AttributeGetter("record.slug"),
        "type": AttributeGetter("kind"),
        "featured": AttributeGetter("featured"),
        "catalog_visibility": AttributeGetter("visibility"),
        "short_description": _render_short_description,
        # Lines that grew after they were counted may be refunded in full: a response never has negative sales.
        # A variation is sold as its product; the interface writes its own zero as text.
        "total_sales": lambda one, view: "0" if one.is_variation else abs(one.total_sales),
        "external_url": AttributeGetter("external_url"),
        "button_text": AttributeGetter("button_text"),
        "sold_individually": AttributeGetter("sold_individually"),
        "shipping_required": lambda one, view: not one.virtual,
        "shipping_taxable": lambda one, view: (
            not one.virtual and (view.find_parent(one) or one).tax_status in ("taxable", "shipping")
        ),
        "reviews_allowed": lambda one, view: one.record.comment_status == "open",
        "average_rating": _format_rating,
        "rating_count": AttributeGetter("rating_count"),
        "upsell_ids": _build_linked_getter(UPSELL),
        "cross_sell_ids": _build_linked_getter(CROSS_SELL),
        "purchase_note": _render_purchase_note,
        "categories": _build_terms_getter(product_types.CATEGORY.name),
        "brands": _build_terms_getter(product_types.BRAND.name),
        "tags": _build_terms_getter(product_types.TAG.name),
        "images": _serialize_images,
        "attributes": lambda one, view: (
            product_attributes.serialize_variation_choices(
                one, view.find_parent(one), view.attributes, view.named_terms
            )
            if one.is_variation
            else product_attributes.serialize_product_attributes(one, view.terms.get(one.id, ()), view.attributes)
        ),
        "default_attributes": lambda one, view: product_attributes.serialize_default_choices(
            one, view.attributes, view.named_terms
        ),
        "variations": lambda one, view: view.children.get(one.id, []),
        "grouped_products": _build_linked_getter(GROUPED),
        "price_html": _render_price,
        "related_ids": lambda one, view: view.related_ids.get(one.id, []),
        "has_options": lambda one, view: one.kind == VARIABLE,
        "post_password": AttributeGetter("record.password"),
        "permalink_template": lambda one, view: view.get_url_template(one),
        "generated_slug": lambda one, view: view.generated_slugs.get(one.record.id) or one.record.slug,
    },
    nested=False,
)

VARIATION_SERIALIZER: Final = ProductSerializer(
    VARIATION_FIELDS,
    {
        **_SHARED_GETTERS,
        # Read as a variation it has them in context edit too.
        **_build_shipping_getters(lambda view: True),
        "type": lambda one, view: "variation",
        "image": _serialize_main_image,
        "attributes": lambda one, view: product_attributes.serialize_variation_choices(
            one, view.find_parent(one), view.attributes, view.named_terms
        ),
        "name": lambda one, view: variations.format_variation_name(one, view.named_terms),
    },
    nested=False,
)
