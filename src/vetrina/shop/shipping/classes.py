"""Shipping classes: those of the shop, the class of each product, and slugs that are free for a new one.

Not here: creating and changing them (shop/groupings/rules.py), their costs (shop/shipping/costs.py). Rules:
docs/rules/product_groups.md, 3.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.terms import term as table
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products.model import Product
from vetrina.shop.products.product_types import SHIPPING_CLASS

_SHIPPING_CLASSES = Statement(
    select(table.c.id, table.c.name, table.c.slug)
    .where(table.c.taxonomy == bindparam("taxonomy"))
    .order_by(table.c.name_key, table.c.id)
)


def list_shipping_class_names(work: UnitOfWork) -> list[tuple[int, str]]:
    """Return id and name of every shipping class, by name."""
    return [(id, name) for id, name, _ in list_shipping_classes(work)]


def list_shipping_classes(work: UnitOfWork) -> list[tuple[int, str, str]]:
    """Return id, name and slug of every shipping class, by name."""
    work.uses(SHIPPING_CLASS.name)
    return [(id, name, slug) for id, name, slug in work.tx.all(_SHIPPING_CLASSES, taxonomy=SHIPPING_CLASS.name)]


def find_product_shipping_classes(work: UnitOfWork, items: Iterable[tuple[Product, Product]]) -> dict[int, int]:
    """Return the shipping class of each item by its id: its own, or its product's; 0 for none.

    items: each item with the product that it is, or that it is a variation of.
    """
    work.uses(SHIPPING_CLASS.name)
    pairs = [(one.id, root.id) for one, root in items]
    class_by_product = {
        id: next((term.id for term in found if term.taxonomy == SHIPPING_CLASS.name), 0)
        for id, found in term_store.list_terms_by_record(work.tx, sorted({id for pair in pairs for id in pair})).items()
    }
    return {one: class_by_product.get(one) or class_by_product.get(root, 0) for one, root in pairs}


def build_free_class_slug(work: UnitOfWork, name: str) -> str:
    """Return a slug for a name that no shipping class has; empty for an empty name."""
    slug = slugs.slugify(name)
    if not slug:
        return ""
    return slugs.find_free_slug(slug, lambda one: attributes.load_terms_by_slug(work, ((SHIPPING_CLASS.name, one),)))
