"""The tables of reports: the totals of orders, refunds, lines, coupons, taxes and customers, in rows that add up.

They are derived from the orders and written in the orders' own transactions; `vetrina analytics check` compares the
two. Local times are the site's own, in seconds like instants; months are numbered (twelve times the year plus the
month), so that the database groups by either. Amounts are millionths of the currency's unit. Not here: what is kept of
days and months (backends/tables/rollups.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

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
    # With the id, so that those of a country are told by it alone.
    Index("fact_customer_by_country", "country", "orders", "gone", "id"),
    build_partial_index("fact_customer_gone", "gone", where="gone IS NOT NULL"),
)

# Sums that are kept of whole days and months; whatever is missing is counted from the rows above. Every column that is
# no key can be derived, and `vetrina analytics check` does so. Without row ids SQLite keeps rows in the order of their
# key, along which they are read.

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
