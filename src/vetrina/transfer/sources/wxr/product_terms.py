"""Terms of products as records of a shop: categories, tags, brands, shipping classes, and the values of attributes.

A file has no element for an attribute: that there is one follows from the taxonomy of its values, whose name begins
with `pa_`. How it is called and sorted is said only by a file of our own, beside its first value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.transfer.records import Record

PRODUCTS: Final = "/shop/v3/products"
VARIATIONS: Final = f"{PRODUCTS}/{{product_id}}/variations"
REVIEWS: Final = f"{PRODUCTS}/reviews"
ATTRIBUTES: Final = f"{PRODUCTS}/attributes"
ATTRIBUTE_TERMS: Final = f"{ATTRIBUTES}/{{attribute_id}}/terms"
PRODUCT: Final = "product"
VARIATION: Final = "product_variation"
COUPON: Final = "shop_coupon"
COUPONS: Final = "/shop/v3/coupons"
TYPE_PATHS: Final = {PRODUCT: PRODUCTS, VARIATION: VARIATIONS, COUPON: COUPONS}
SHIPPING_CLASS: Final = "product_shipping_class"
GROUPING_PATHS: Final = {
    SHIPPING_CLASS: f"{PRODUCTS}/shipping_classes", "product_cat": f"{PRODUCTS}/categories",
    "product_tag": f"{PRODUCTS}/tags", "product_brand": f"{PRODUCTS}/brands",
}  # fmt: skip
KIND: Final = "product_type"
VISIBILITY: Final = "product_visibility"
MEMBER_TAXONOMIES: Final = (KIND, VISIBILITY)  # whose terms are members of products
ATTRIBUTE_PREFIX: Final = "pa_"
ATTRIBUTE_MEMBER: Final = "attribute"  # of the members that a file of ours has beside a term's elements
ATTRIBUTE_MEMBERS: Final = ("name", "type", "order_by", "has_archives")


def is_attribute(taxonomy: str) -> bool:
    """Return whether the terms of a taxonomy are values of an attribute of products."""
    return taxonomy.startswith(ATTRIBUTE_PREFIX) and len(taxonomy) > len(ATTRIBUTE_PREFIX)


def is_product_taxonomy(taxonomy: str) -> bool:
    """Return whether a taxonomy is one of a shop."""
    return taxonomy in GROUPING_PATHS or taxonomy in MEMBER_TAXONOMIES or is_attribute(taxonomy)


def build_product_term(record: Record) -> Record:
    """Return a term of a file as the shop has it: with its order, display and image, below its attribute."""
    values = dict(record.values)
    taxonomy, meta = str(values.pop("taxonomy")), dict(values.get("meta") or {})
    values.pop(ATTRIBUTE_MEMBER, None)
    for name in ("order", f"order_{taxonomy}"):
        if name in meta:
            values["menu_order"] = meta.pop(name)
    if "display_type" in meta:
        values["display"] = meta.pop("display_type") or "default"
    if "thumbnail_id" in meta:
        values["image"] = {"id": parse_reference(meta.pop("thumbnail_id"))}
    values["meta"] = meta
    if is_attribute(taxonomy):
        return replace(record, resource=ATTRIBUTE_TERMS, values=values, parent=taxonomy)
    return replace(record, resource=GROUPING_PATHS[taxonomy], values=values)


def build_attribute(taxonomy: str, told: Mapping[str, Any]) -> Record:
    """Return the record of an attribute. told: its members as far as the file says them."""
    slug = taxonomy.removeprefix(ATTRIBUTE_PREFIX)
    values = {
        "name": slug.replace("-", " ").replace("_", " ").capitalize(), "slug": taxonomy, "type": "select",
        "order_by": "menu_order", "has_archives": False,
        **{name: told[name] for name in ATTRIBUTE_MEMBERS if name in told},
    }  # fmt: skip
    return Record(ATTRIBUTES, taxonomy, values)


def parse_reference(value: Any) -> int:
    """Return the id that an extra field has, 0 for none."""
    text = str(value).strip().partition(".")[0]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0
