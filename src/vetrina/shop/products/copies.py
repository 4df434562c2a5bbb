"""Copies of products: a draft with everything that the product has, including variations and meta data.

Rules: docs/rules/products.md, 10.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import (
    costs as product_costs,
    model as product_model,
    prices as product_prices,
    product_codes,
    product_types,
    rules as products,
)
from vetrina.shop.products.model import Product

_COPIED_MEMBERS = ("title", "content", "excerpt", "menu_order", "featured_media", "comment_status", "password")


def duplicate_product(work: UnitOfWork, old: Product, changes: Mapping[str, Any]) -> Product:
    """Store a copy of a product as a draft and return it; changes: members that differ in the copy."""
    given = {name: value for name, value in changes.items() if value is not None and name not in ("id", "status")}
    name = given.pop("name", None) or old.name
    new = _copy_product(work, product_types.PRODUCT, old, {"title": f"{name} (Copy)", "status": "draft"})
    for kind, others in product_model.list_product_links(work, (old.id,)).get(old.id, {}).items():
        product_model.save_product_links(work, new.id, kind, others)
    for part in product_model.list_product_variations(work, old.id):
        _copy_product(work, product_types.VARIATION, part, {"status": part.record.status, "parent": new.id})
    if given:
        return products.update_product(work, new, given)
    return product_prices.update_price_range(work, new)


def _copy_product(work: UnitOfWork, type: ContentType, old: Product, members: Mapping[str, Any]) -> Product:
    row: Record = old.record
    given = {name: getattr(row, name) for name in _COPIED_MEMBERS} | dict(members)
    terms = term_store.list_terms_by_record(work.tx, (old.id,)).get(old.id, [])
    for taxonomy in work.site.taxonomies_of(type):
        given[taxonomy.base] = [one.id for one in terms if one.taxonomy == taxonomy.name]
    new = records.create_record(work, type, given, language=row.language)
    for key in {one.taxonomy for one in terms if one.taxonomy.startswith(attributes.TAXONOMY_PREFIX)}:
        own = [one.id for one in terms if one.taxonomy == key]
        term_store.assign_terms(work, new.id, attributes.build_named_taxonomy(key), own)
    sku = product_codes.find_free_sku(work, old.sku) if old.sku else ""
    copy = msgspec.structs.replace(
        old, record=new, sku=sku, sku_key=sku.lower(), global_unique_id="", total_sales=0, rating=0, rating_count=0
    )
    product_model.insert_product(work, copy)
    meta_data.copy_meta(work, "product", old.id, new.id)
    product_costs.copy_product_cost(work, old, copy)
    return copy
