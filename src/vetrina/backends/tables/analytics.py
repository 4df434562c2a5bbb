"""The tables of reports: the totals of orders, refunds, lines, coupons, taxes and customers, in rows that add up.

They are derived from the orders and written in the orders' own transactions; `vetrina analytics check` compares the
two. Local times are the site's own, in seconds like instants; months are numbered (twelve times the year plus the
month), so that the database groups by either. Amounts are millionths of the currency's unit.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BigInteger, Column, Index, LargeBinary, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT, build_partial_index

# One row for an order, `parent` 0, and one for a refund, `parent` its order. `created`, `paid`, `completed`: local
# times; for a refund all three are the refund's. `coupons`: the discount by coupons. `repeat`: 0 for the first order of
# a customer that counts, 1 for any other, NULL for refunds.
fact_order = Table(
    "fact_order",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("parent", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("customer", NUMBER, nullable=False),
    Column("created_gmt", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("created_month", NUMBER, nullable=False),
    Column("paid", BigInteger),
    Column("paid_month", NUMBER),
    Column("completed", BigInteger),
    Column("completed_month", NUMBER),
    Column("items", NUMBER, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("tax", BigInteger, nullable=False),
    Column("shipping", BigInteger, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("coupons", BigInteger, nullable=False),
    Column("repeat", NUMBER),
    Index("fact_order_by_created", "created", "id"),
    Index("fact_order_by_paid", "paid", "id"),
    Index("fact_order_by_completed", "completed", "id"),
    # With all that is added up of a customer's orders.
    Index("fact_order_by_customer", "customer", "created", "id", "parent", "status", "total"),
    build_partial_index("fact_order_by_parent", "parent", where="parent > 0"),
)

# One row for each product line of an order or a refund (`order`). `net`: without tax and shipping; `gross`: with both;
# `tax`: of the line's goods alone. `status`, `created`, `created_month`: copies of the order's.
fact_line = Table(
    "fact_line",
    METADATA,
    Column("order", NUMBER, primary_key=True, autoincrement=False),
    Column("position", NUMBER, primary_key=True, autoincrement=False),
    Column("product", NUMBER, nullable=False),
    Column("variation", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("created_month", NUMBER, nullable=False),
    Column("quantity", NUMBER, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("tax", BigInteger, nullable=False),
    Column("shipping", BigInteger, nullable=False),
    Column("shipping_tax", BigInteger, nullable=False),
    Column("gross", BigInteger, nullable=False),
    Index("fact_line_by_product", "product", "created"),
    Index("fact_line_by_variation", "variation", "created"),
    Index("fact_line_by_created", "created", "order", "position"),
    build_partial_index("fact_line_returned", "created", "order", where="gross < 0"),
)

# One row for each coupon of an order; refunds have none. `coupon`: negative if no coupon had the code.
fact_coupon = Table(
    "fact_coupon",
    METADATA,
    Column("order", NUMBER, primary_key=True, autoincrement=False),
    Column("position", NUMBER, primary_key=True, autoincrement=False),
    Column("coupon", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("created_month", NUMBER, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Index("fact_coupon_by_coupon", "coupon", "created"),
    Index("fact_coupon_by_created", "created"),
)

# One row for each tax rate of an order or of a refund by lines. `code`: of the rate, country-[state-]NAME-priority;
# `percent`: millionths.
fact_tax = Table(
    "fact_tax",
    METADATA,
    Column("order", NUMBER, primary_key=True, autoincrement=False),
    Column("position", NUMBER, primary_key=True, autoincrement=False),
    Column("rate", NUMBER, nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("created_month", NUMBER, nullable=False),
    Column("order_tax", BigInteger, nullable=False),
    Column("shipping_tax", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("code", TEXT, nullable=False),
    Column("percent", BigInteger, nullable=False),
    Index("fact_tax_by_rate", "rate", "created"),
    Index("fact_tax_by_created", "created"),
)

# Customers: an account, or a guest by email (`email_key`). `orders`, `spend`, `last_order` (local time): over the
# orders that count. `last_active`: when the newest order was made. `gone`: when the account was deleted; the row then
# only identifies whose the orders were.
fact_customer = Table(
    "fact_customer",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("account", NUMBER, nullable=False),
    Column("email_key", TEXT, nullable=False),
    Column("username", TEXT, nullable=False),
    Column("first_name", TEXT, nullable=False),
    Column("last_name", TEXT, nullable=False),
    Column("name_key", TEXT, nullable=False),
    Column("email", TEXT, nullable=False),
    Column("country", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("city", TEXT, nullable=False),
    Column("postcode", TEXT, nullable=False),
    Column("registered", BigInteger),
    Column("last_active", BigInteger),
    Column("orders", NUMBER, nullable=False),
    Column("spend", BigInteger, nullable=False),
    Column("last_order", BigInteger),
    Column("gone", BigInteger),
    Index("fact_customer_by_account", "account"),
    Index("fact_customer_by_email", "email_key"),
    # With all that averages over customers are made of.
    Index("fact_customer_by_spend", "spend", "id", "orders", "gone"),
    Index("fact_customer_by_registered", "registered", "id"),
    Index("fact_customer_by_orders", "orders", "id"),
    Index("fact_customer_by_name", "name_key", "id"),
    Index("fact_customer_by_country", "country", "orders", "gone"),
    build_partial_index("fact_customer_gone", "gone", where="gone IS NOT NULL"),
)

# Sums that are kept of whole days and months; whatever is missing is counted from the rows above. Every column that is
# no key can be derived, and `vetrina analytics check` does so. Without row ids SQLite keeps rows in the order of their
# key, along which they are read.

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

# Each download of a file by a customer. `download`: the file's key; `at`: an instant, `created`: the local time.
order_file_fetch = Table(
    "order_file_fetch",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("order", NUMBER, nullable=False),
    Column("product", NUMBER, nullable=False),
    Column("download", TEXT, nullable=False),
    Column("customer", NUMBER, nullable=False),
    Column("ip", TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("created_month", NUMBER, nullable=False),
    Index("order_file_fetch_by_created", "created", "id"),
)

# Reports requested as files. `arguments`: JSON; `done`, `total`: rows; `recipient`: whom to notify, or empty.
report_export = Table(
    "report_export",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("type", TEXT, nullable=False),
    Column("arguments", TEXT, nullable=False),
    Column("account", NUMBER, nullable=False),
    Column("recipient", TEXT, nullable=False),
    Column("done", NUMBER, nullable=False),
    Column("total", NUMBER, nullable=False),
    Column("created", BigInteger, nullable=False),
)

# Notes of the shop to its manager. `name`: of the event; `subject`: the id of what it concerns, or 0; the two together
# occur once. `actions`: JSON. `read`, `deleted`, `snoozable`: 0 or 1.
admin_note = Table(
    "admin_note",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("name", TEXT, nullable=False),
    Column("subject", NUMBER, nullable=False),
    Column("type", TEXT, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("source", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("reminder", BigInteger),
    Column("snoozable", NUMBER, nullable=False),
    Column("actions", TEXT, nullable=False),
    Column("deleted", NUMBER, nullable=False),
    Column("read", NUMBER, nullable=False),
    Index("admin_note_by_name", "name", "subject", unique=True),
    Index("admin_note_by_created", "created", "id"),
)
