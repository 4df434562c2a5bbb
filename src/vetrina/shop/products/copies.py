"""Copies of products: a draft with everything that the product has, its variations and extra fields too.

Rules: facts, "Other".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import (
    costs as product_costs,
)
from vetrina.shop.products import (
    input as product_input,
)
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    prices as product_prices,
)
from vetrina.shop.products import (
    product_types,
)
from vetrina.shop.products import (
    rules as products,
)
from vetrina.shop.products.model import Product

__all__ = ["duplicate"]

_COPIED = ("title", "content", "excerpt", "menu_order", "featured_media", "comment_status", "password")


def duplicate(work: Work, old: Product, changes: Mapping[str, Any]) -> Product:
    """Store a copy of a product as a draft and return it; changes: members that the copy has otherwise."""
    given = {name: value for name, value in changes.items() if value is not None and name not in ("id", "status")}
    name = given.pop("name", None) or old.name
    new = _copied(work, product_types.PRODUCT, old, {"title": f"{name} (Copy)", "status": "draft"})
    for kind, others in product_model.linked(work, (old.id,)).get(old.id, {}).items():
        product_model.put_links(work, new.id, kind, others)
    for part in product_model.variations_of(work, old.id):
        _copied(work, product_types.VARIATION, part, {"status": part.record.status, "parent": new.id})
    if given:
        return products.change(work, new, given)
    return product_prices.sync(work, new)


def _copied(work: Work, type: ContentType, old: Product, members: Mapping[str, Any]) -> Product:
    row: Record = old.record
    given = {name: getattr(row, name) for name in _COPIED} | dict(members)
    held = term_store.of_records(work.tx, (old.id,)).get(old.id, [])
    for taxonomy in work.frame.taxonomies_of(type):
        given[taxonomy.base] = [one.id for one in held if one.taxonomy == taxonomy.name]
    new = records.create(work, type, given, language=row.language)
    for key in {one.taxonomy for one in held if one.taxonomy.startswith(attributes.PREFIX)}:
        own = [one.id for one in held if one.taxonomy == key]
        term_store.assign(work, new.id, attributes.taxonomy_named(key), own)
    sku = product_input.free_sku(work, old.sku) if old.sku else ""
    copy = msgspec.structs.replace(
        old, record=new, sku=sku, sku_key=sku.lower(), global_unique_id="", total_sales=0, rating=0, rating_count=0
    )
    product_model.insert_new(work, copy)
    meta_data.copy(work, "product", old.id, new.id)
    product_costs.copy(work, old, copy)
    return copy
