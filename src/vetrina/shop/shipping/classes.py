"""Shipping classes: which ones the shop has, and which one each of some goods is sent in.

Not here: how they are made and changed (shop/groupings/rules.py), what they cost (shop/shipping/methods.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import term as table
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.shop.products.model import Product
from vetrina.shop.products.product_types import SHIPPING_CLASS

__all__ = ["by_goods", "names", "slugs"]

_NAMES = Statement(
    select(table.c.id, table.c.name, table.c.slug)
    .where(table.c.taxonomy == bindparam("taxonomy"))
    .order_by(table.c.name_key, table.c.id)
)


def names(work: Work) -> list[tuple[int, str]]:
    """Return number and name of every shipping class, by name."""
    return [(id, name) for id, name, _ in slugs(work)]


def slugs(work: Work) -> list[tuple[int, str, str]]:
    """Return number, name and slug of every shipping class, by name."""
    work.uses(SHIPPING_CLASS.name)
    return [(id, name, slug) for id, name, slug in work.tx.all(_NAMES, taxonomy=SHIPPING_CLASS.name)]


def by_goods(work: Work, sent: Iterable[tuple[Product, Product]]) -> dict[int, int]:
    """Return the shipping class of each thing by its number: its own, or its product's; 0 for none.

    sent: each thing with the product that it is, or that it is a variation of.
    """
    work.uses(SHIPPING_CLASS.name)
    pairs = [(one.id, root.id) for one, root in sent]
    held = {
        id: next((term.id for term in found if term.taxonomy == SHIPPING_CLASS.name), 0)
        for id, found in term_store.of_records(work.tx, sorted({id for pair in pairs for id in pair})).items()
    }
    return {one: held.get(one) or held.get(root, 0) for one, root in pairs}
