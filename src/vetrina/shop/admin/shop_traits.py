"""What a shop sells, as the traits by which suggestions are chosen.

Not here: the suggestions (shop/admin/suggestions.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import bindparam, exists, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.orders import coupon
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import term as term_table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products.product_types import BRAND, PRODUCT

_MANY: Final = 20  # products


def _build_product_statement(*conditions: ColumnElement[bool], skip: int = 0) -> Statement:
    found = select(record.c.id).join(product, product.c.record == record.c.id)
    return Statement(
        found.where(record.c.type == PRODUCT.name, record.c.status == "publish", *conditions).limit(1).offset(skip)
    )


_PRODUCTS: Final[Mapping[str, Statement]] = {
    "physical": _build_product_statement(
        ~product.c.virtual, or_(product.c.kind == "simple", product.c.kind == "variable")
    ),
    "downloads": _build_product_statement(product.c.downloadable),
    "services": _build_product_statement(product.c.virtual, ~product.c.downloadable),
    "variable": _build_product_statement(product.c.kind == "variable"),
    "many": _build_product_statement(skip=_MANY - 1),
    "customers": _build_product_statement(product.c.total_sales > 0),
}
_COUPON = Statement(select(coupon.c.id).limit(1))
_BRAND = Statement(select(exists().where(term_table.c.taxonomy == bindparam("taxonomy"))))


def list_shop_traits(work: UnitOfWork) -> frozenset[str]:
    """Return the traits of the shop: the kinds of its published products, and what else it has."""
    work.uses(PRODUCT.name)
    work.uses("coupon")
    work.uses(BRAND.name)
    found = {word for word, statement in _PRODUCTS.items() if work.tx.first(statement) is not None}
    if work.tx.first(_COUPON) is not None:
        found.add("coupons")
    if work.tx.value(_BRAND, taxonomy=BRAND.name):
        found.add("brands")
    return frozenset(found)
