"""The table of visitors' carts. A cart becomes an order: backends/tables/orders.py."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `key`: from the visitor's signed token, or the account's. `lines`, `coupons`, `billing`, `shipping`: JSON. `rate`: the
# chosen shipping rate and, separated by spaces, those it was chosen from; `draft`: the order that the checkout began, 0
# for none; `modified`: seconds since 1970 of the last write, by which old carts are removed.
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
