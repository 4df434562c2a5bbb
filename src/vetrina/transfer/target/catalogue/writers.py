"""Which rules write the collections of a shop's catalogue."""

from __future__ import annotations

from functools import partial
from typing import Final

from vetrina.core.site_context import SiteContext
from vetrina.shop.products import product_types
from vetrina.transfer.target.journal import ATTRIBUTE, COMMENT, RECORD, TAX_CLASS, TAX_RATE, TERM
from vetrina.transfer.target.record_writer import RecordWriter

from .attributes import write_attribute
from .coupons import write_coupon
from .groupings import write_attribute_term, write_product_term
from .products import write_product
from .reviews import write_review
from .taxes import write_tax_class, write_tax_rate
from .variations import write_variation

_PRODUCTS: Final = "/shop/v3/products"
_GROUPINGS: Final = {
    "shipping_classes": product_types.SHIPPING_CLASS, "categories": product_types.CATEGORY,
    "tags": product_types.TAG, "brands": product_types.BRAND,
}  # fmt: skip


def build_catalogue_writers(site: SiteContext) -> dict[str, RecordWriter]:
    """Return the writers of the catalogue by the paths of its collections, none for a site without a shop."""
    if product_types.PRODUCT.name not in site.types:
        return {}
    out = {
        "/shop/v3/taxes/classes": RecordWriter(TAX_CLASS, lambda one, _: write_tax_class(one)),
        "/shop/v3/taxes": RecordWriter(TAX_RATE, lambda one, _: write_tax_rate(one)),
        f"{_PRODUCTS}/attributes": RecordWriter(ATTRIBUTE, lambda one, _: write_attribute(one)),
        f"{_PRODUCTS}/attributes/{{attribute_id}}/terms": RecordWriter(TERM, lambda one, _: write_attribute_term(one)),
        _PRODUCTS: RecordWriter(RECORD, lambda one, _: write_product(one)),
        f"{_PRODUCTS}/{{product_id}}/variations": RecordWriter(RECORD, lambda one, _: write_variation(one)),
        f"{_PRODUCTS}/reviews": RecordWriter(COMMENT, lambda one, _: write_review(one)),
        "/shop/v3/coupons": RecordWriter(RECORD, lambda one, _: write_coupon(one)),
    }
    for base, taxonomy in _GROUPINGS.items():
        out[f"{_PRODUCTS}/{base}"] = RecordWriter(
            TERM, partial(lambda of, one, _: write_product_term(one, site.taxonomies[of]), taxonomy.name)
        )
    return out
