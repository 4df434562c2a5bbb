"""Copies of products: a draft with everything that the product has, its variations and extra fields too.

Rules: facts, "Other".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.domain.content import records
from vetrina.domain.content.record import Record
from vetrina.domain.content.taxonomy import terms
from vetrina.domain.content.types import ContentType
from vetrina.domain.shop import attributes
from vetrina.domain.work import Work

from . import costs, kinds, meta_data, prices, product, product_row, product_writing
from .product import Product

__all__ = ["duplicate"]

_COPIED = ("title", "content", "excerpt", "menu_order", "featured_media", "comment_status", "password")


def duplicate(work: Work, old: Product, changes: Mapping[str, Any]) -> Product:
    """Store a copy of a product as a draft and return it; changes: members that the copy has otherwise."""
    given = {name: value for name, value in changes.items() if value is not None and name not in ("id", "status")}
    name = given.pop("name", None) or old.name
    new = _copied(work, kinds.PRODUCT, old, {"title": f"{name} (Copy)", "status": "draft"})
    for kind, others in product.linked(work, (old.id,)).get(old.id, {}).items():
        product.put_links(work, new.id, kind, others)
    for part in product.variations_of(work, old.id):
        _copied(work, kinds.VARIATION, part, {"status": part.record.status, "parent": new.id})
    if given:
        return product_writing.change(work, new, given)
    return prices.sync(work, new)


def _copied(work: Work, type: ContentType, old: Product, members: Mapping[str, Any]) -> Product:
    row: Record = old.record
    given = {name: getattr(row, name) for name in _COPIED} | dict(members)
    held = terms.of_records(work.tx, (old.id,)).get(old.id, [])
    for taxonomy in work.frame.taxonomies_of(type):
        given[taxonomy.base] = [one.id for one in held if one.taxonomy == taxonomy.name]
    new = records.create(work, type, given, language=row.language)
    for key in {one.taxonomy for one in held if one.taxonomy.startswith(attributes.PREFIX)}:
        own = [one.id for one in held if one.taxonomy == key]
        terms.assign(work, new.id, attributes.taxonomy_named(key), own)
    sku = product_row.free_sku(work, old.sku) if old.sku else ""
    copy = msgspec.structs.replace(
        old, record=new, sku=sku, sku_key=sku.lower(), global_unique_id="", total_sales=0, rating=0, rating_count=0
    )
    product.insert_new(work, copy)
    meta_data.copy(work, "product", old.id, new.id)
    costs.copy(work, old, copy)
    return copy
