"""The table of visitors' carts. Not here: orders, which carts become (backends/tables/orders.py)."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table

from vetrina.backends.tables.core import METADATA, NUMBER, TEXT

__all__ = ["METADATA", "shop_cart"]

# `key`: what the visitor's signed token names, or that of an account. `lines`, `coupons`, `billing`, `shipping`: JSON.
# `rate`: the chosen way of shipping and, with blanks between, those that it was chosen from; `draft`: the order that
# the checkout began, 0 for none; `modified`: seconds since 1970 of the last write, by which carts are swept up.
shop_cart = Table(
    "shop_cart",
    METADATA,
    Column("key", TEXT, primary_key=True),
    Column("lines", TEXT, nullable=False),
    Column("coupons", TEXT, nullable=False),
    Column("billing", TEXT, nullable=False),
    Column("shipping", TEXT, nullable=False),
    Column("rate", TEXT, nullable=False),
    Column("draft", NUMBER, nullable=False),
    Column("modified", NUMBER, nullable=False),
    Index("shop_cart_by_modified", "modified"),
)
