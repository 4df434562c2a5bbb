"""The tables of what reports keep: sums of days, months and years, which can be counted again from the rows.

Amounts and months are as in those (backends/tables/analytics.py).
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BigInteger, Column, LargeBinary, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# Which periods are kept, also those without any row. `kind`: what is kept (analytics/rollups/periods.py); `dates`:
# created, paid or completed; `unit`: the number of the day, the month or the year.
rollup_period = Table(
    "rollup_period",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("dates", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# The orders of a day or a month with one status, refunds with them. `rows`: both; `orders`, `order_items`, `order_net`:
# of orders alone. `line...`: of their lines, `variation_...`: of those that have a variation; the orders among them
# without refunds. `..._ids`: which customers, coupons, products and variations the rows have
# (analytics/rollups/id_sets.py). By another date than `created` there are no lines and no variations: 0, and empty.
rollup_orders = Table(
    "rollup_orders",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("dates", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    Column("status", TEXT, primary_key=True),
    Column("rows", NUMBER, nullable=False),
    Column("orders", NUMBER, nullable=False),
    Column("items", NUMBER, nullable=False),
    Column("order_items", NUMBER, nullable=False),
    Column("order_net", BigInteger, nullable=False),
    Column("coupons", BigInteger, nullable=False),
    Column("refunds", BigInteger, nullable=False),
    Column("taxes", BigInteger, nullable=False),
    Column("shipping", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("lines", NUMBER, nullable=False),
    Column("line_items", NUMBER, nullable=False),
    Column("line_net", BigInteger, nullable=False),
    Column("line_orders", NUMBER, nullable=False),
    Column("variation_lines", NUMBER, nullable=False),
    Column("variation_items", NUMBER, nullable=False),
    Column("variation_net", BigInteger, nullable=False),
    Column("variation_orders", NUMBER, nullable=False),
    Column("customer_ids", LargeBinary, nullable=False),
    Column("coupon_ids", LargeBinary, nullable=False),
    Column("product_ids", LargeBinary, nullable=False),
    Column("variation_ids", LargeBinary, nullable=False),
)

# How many rows of a day have an id, where several have it: only the last of them takes it out of the day's set.
# `member`: customer, coupon, product or variation.
rollup_repeat = Table(
    "rollup_repeat",
    METADATA,
    Column("dates", TEXT, primary_key=True),
    Column("day", NUMBER, primary_key=True, autoincrement=False),
    Column("status", TEXT, primary_key=True),
    Column("member", TEXT, primary_key=True),
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("times", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)

# What was sold of a product in a month, by the creation of its orders. `newest`: the local time of the latest line.
rollup_sold = Table(
    "rollup_sold",
    METADATA,
    Column("month", NUMBER, primary_key=True, autoincrement=False),
    Column("product", NUMBER, primary_key=True, autoincrement=False),
    Column("quantity", NUMBER, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("orders", NUMBER, nullable=False),
    Column("newest", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# What was sold of each variation in a month, by the creation of its orders; `variation` 0: of the product itself.
# `lines`: its rows; `orders`: orders and refunds with any, `order_ids` which; `newest`: the local time of the latest.
rollup_variation = Table(
    "rollup_variation",
    METADATA,
    Column("month", NUMBER, primary_key=True, autoincrement=False),
    Column("product", NUMBER, primary_key=True, autoincrement=False),
    Column("variation", NUMBER, primary_key=True, autoincrement=False),
    Column("lines", NUMBER, nullable=False),
    Column("quantity", NUMBER, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("orders", NUMBER, nullable=False),
    Column("newest", BigInteger, nullable=False),
    Column("order_ids", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# The same of a day that is over: of each product, and of each variation.
rollup_day_product = Table(
    "rollup_day_product",
    METADATA,
    Column("day", NUMBER, primary_key=True, autoincrement=False),
    Column("product", NUMBER, primary_key=True, autoincrement=False),
    Column("quantity", NUMBER, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("orders", NUMBER, nullable=False),
    Column("newest", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
rollup_day_variation = Table(
    "rollup_day_variation",
    METADATA,
    Column("day", NUMBER, primary_key=True, autoincrement=False),
    Column("product", NUMBER, primary_key=True, autoincrement=False),
    Column("variation", NUMBER, primary_key=True, autoincrement=False),
    Column("lines", NUMBER, nullable=False),
    Column("quantity", NUMBER, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("orders", NUMBER, nullable=False),
    Column("newest", BigInteger, nullable=False),
    Column("order_ids", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# The orders, without refunds, of a day or a month that is over, by status and by `repeat` (see fact_order).
rollup_customer_type = Table(
    "rollup_customer_type",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("dates", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    Column("status", TEXT, primary_key=True),
    Column("repeat", NUMBER, primary_key=True, autoincrement=False),
    Column("orders", NUMBER, nullable=False),
    Column("items", NUMBER, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("taxes", BigInteger, nullable=False),
    Column("shipping", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("coupons", BigInteger, nullable=False),
    Column("customer_ids", LargeBinary, nullable=False),
    Column("coupon_ids", LargeBinary, nullable=False),
)

# The orders and spend of each customer in a day or a month that is over, by the creation of orders
# (analytics/rollups/customer_lanes.py). `block`: of customers' ids, -1 for those outside of blocks.
rollup_customer = Table(
    "rollup_customer",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    Column("block", NUMBER, primary_key=True, autoincrement=False),
    Column("sums", LargeBinary, nullable=False),
)


def _build_line_sums(by: str) -> tuple[Column[Any], ...]:
    """Return the columns of the sums of a span by what its lines are of. by: product or category."""
    return (
        Column(by, NUMBER, primary_key=True, autoincrement=False),
        Column("rows", NUMBER, nullable=False),
        Column("items", NUMBER, nullable=False),
        Column("total", BigInteger, nullable=False),
        Column("coupons", BigInteger, nullable=False),
        Column("refunds", BigInteger, nullable=False),
        Column("taxes", BigInteger, nullable=False),
        Column("shipping", BigInteger, nullable=False),
        Column("net", BigInteger, nullable=False),
        Column("orders", NUMBER, nullable=False),
        Column("order_items", NUMBER, nullable=False),
        Column("order_net", BigInteger, nullable=False),
        Column("customer_ids", LargeBinary, nullable=False),
        Column("coupon_ids", LargeBinary, nullable=False),
    )


# The orders of a month that contain a product. `rows` to `net`: of the product's lines; `orders` to `order_net` and the
# sets of ids: of the whole orders.
rollup_product = Table(
    "rollup_product",
    METADATA,
    Column("dates", TEXT, primary_key=True),
    Column("month", NUMBER, primary_key=True, autoincrement=False),
    *_build_line_sums("product"),
    sqlite_with_rowid=False,
)

# The same of a day that is over.
rollup_day_parts = Table(
    "rollup_day_parts",
    METADATA,
    Column("dates", TEXT, primary_key=True),
    Column("day", NUMBER, primary_key=True, autoincrement=False),
    *_build_line_sums("product"),
    sqlite_with_rowid=False,
)

# The orders of a day or a month that is over which contain products of a category; columns as before. A product that
# counts for a category several times does so in `rows` to `net`.
rollup_category = Table(
    "rollup_category",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("dates", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    *_build_line_sums("category"),
)

# Which products were sold in those days and months, and the digest of the categories under which they were counted
# (analytics/rollups/category_members.py).
rollup_category_goods = Table(
    "rollup_category_goods",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("dates", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    Column("product_ids", LargeBinary, nullable=False),
    Column("digest", TEXT, nullable=False),
)

# The segments of a month or a year by product, as responses have them (analytics/rollups/segment_texts.py says why).
rollup_segments = Table(
    "rollup_segments",
    METADATA,
    Column("kind", TEXT, primary_key=True),
    Column("dates", TEXT, primary_key=True),
    Column("unit", NUMBER, primary_key=True, autoincrement=False),
    Column("text", TEXT, nullable=False),
)

# Products whose rows of a month changed after the month was kept; what is kept holds for all others.
rollup_mark = Table(
    "rollup_mark",
    METADATA,
    Column("dates", TEXT, primary_key=True),
    Column("month", NUMBER, primary_key=True, autoincrement=False),
    Column("product", NUMBER, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# All of these together, and the kind of job that keeps months and years by product.
ROLLUPS: Final = (
    rollup_period, rollup_orders, rollup_repeat, rollup_sold, rollup_variation, rollup_day_product,
    rollup_day_variation, rollup_customer_type, rollup_customer, rollup_product, rollup_day_parts, rollup_segments,
    rollup_mark, rollup_category, rollup_category_goods,
)  # fmt: skip
ROLLUP_JOB: Final = "analytics.sum_products"
