"""The tables of orders: orders, their items, refunds, notes, downloads, coupons and their uses.

Amounts are millionths of the currency's unit (kernel/money.py), instants whole seconds since 1970 in GMT. Ids of
orders, refunds and coupons come from the counter of records, so that an id is never used twice.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `billing`, `shipping_address`: JSON; `search_key`: names, addresses and order number, folded. `stock_taken`,
# `coupons_counted`, `sales_counted`: effects of its status so far, so that nothing is done twice. `number`: what people
# call it where that is not its id.
shop_order = Table(
    "shop_order",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("parent", NUMBER, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("trashed_status", TEXT, nullable=False),
    Column("currency", TEXT, nullable=False),
    Column("prices_include_tax", Boolean, nullable=False),
    Column("customer", NUMBER, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Column("paid", BigInteger),
    Column("completed", BigInteger),
    Column("discount", BigInteger, nullable=False),
    Column("discount_tax", BigInteger, nullable=False),
    Column("shipping", BigInteger, nullable=False),
    Column("shipping_tax", BigInteger, nullable=False),
    Column("cart_tax", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("total_tax", BigInteger, nullable=False),
    Column("order_key", TEXT, nullable=False),
    Column("payment_method", TEXT, nullable=False),
    Column("payment_method_title", TEXT, nullable=False),
    Column("transaction_id", TEXT, nullable=False),
    Column("customer_ip", TEXT, nullable=False),
    Column("customer_agent", TEXT, nullable=False),
    Column("created_via", TEXT, nullable=False),
    Column("customer_note", TEXT, nullable=False),
    Column("cart_hash", TEXT, nullable=False),
    Column("billing", TEXT, nullable=False),
    Column("shipping_address", TEXT, nullable=False),
    Column("email_key", TEXT, nullable=False),
    Column("search_key", TEXT, nullable=False),
    Column("stock_taken", Boolean, nullable=False),
    Column("coupons_counted", Boolean, nullable=False),
    Column("sales_counted", Boolean, nullable=False),
    Column("language", TEXT, nullable=False, server_default=""),
    Column("number", TEXT, nullable=False, server_default=""),
    # With the status, so that rows before a page are counted off without being read.
    Index("shop_order_by_created", "created", "id", "status"),
    Index("shop_order_by_status", "status", "created", "id"),
    Index("shop_order_by_modified", "modified", "id"),
    Index("shop_order_by_customer", "customer", "created", "id"),
    Index("shop_order_by_email", "email_key", "created"),
    Index("shop_order_by_parent", "parent"),
    Index("shop_order_by_key", "order_key"),
)

# How many orders have a status, updated with every order: totals of plain lists are read, not counted.
order_tally = Table(
    "order_tally",
    METADATA,
    Column("status", TEXT, primary_key=True),
    Column("count", NUMBER, nullable=False),
)

# An item of an order or a refund (`owner`). `kind`: line, shipping, fee, tax, coupon; `code`: the method, the rate's
# code or the coupon's; `reference`: the id of the instance, the rate or the coupon. `taxes`, `subtotal_taxes`: JSON,
# amounts by rate as text; `details`: JSON, what only this kind has.
order_item = Table(
    "order_item",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("owner", NUMBER, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("product", NUMBER, nullable=False),
    Column("variation", NUMBER, nullable=False),
    Column("quantity", NUMBER, nullable=False),
    Column("tax_class", TEXT, nullable=False),
    Column("tax_status", TEXT, nullable=False),
    Column("subtotal", BigInteger, nullable=False),
    Column("subtotal_tax", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("total_tax", BigInteger, nullable=False),
    Column("subtotal_taxes", TEXT, nullable=False),
    Column("taxes", TEXT, nullable=False),
    Column("code", TEXT, nullable=False),
    Column("reference", NUMBER, nullable=False),
    Column("details", TEXT, nullable=False),
    Index("order_item_by_owner", "owner", "id"),
    Index("order_item_by_product", "product", "owner"),
    Index("order_item_by_variation", "variation", "owner"),
    Index("order_item_by_code", "kind", "code"),
)

# The shop's own cost of a line's pieces when it was made; negative for pieces that a refund returns.
order_item_cost = Table(
    "order_item_cost",
    METADATA,
    Column("item", NUMBER, ForeignKey("order_item.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("value", BigInteger, nullable=False),
)

# Refunds. `refunded_payment`: the gateway paid it; `whole`: nothing of the order was left after it.
shop_refund = Table(
    "shop_refund",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("order", NUMBER, ForeignKey("shop_order.id", ondelete="CASCADE"), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("reason", TEXT, nullable=False),
    Column("refunded_by", NUMBER, nullable=False),
    Column("refunded_payment", Boolean, nullable=False),
    Column("whole", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("shop_refund_by_order", "order", "id"),
    Index("shop_refund_by_created", "created", "id"),
)

order_note = Table(
    "order_note",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("order", NUMBER, ForeignKey("shop_order.id", ondelete="CASCADE"), nullable=False),
    Column("author", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("note", TEXT, nullable=False),
    Column("for_customer", Boolean, nullable=False),
    Index("order_note_by_order", "order", "id"),
)

# What a customer may download because of an order. `left`: -1 for unlimited; `expires`: NULL for never.
order_download = Table(
    "order_download",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("order", NUMBER, ForeignKey("shop_order.id", ondelete="CASCADE"), nullable=False),
    Column("product", NUMBER, nullable=False),
    Column("download", TEXT, nullable=False),
    Column("customer", NUMBER, nullable=False),
    Column("email_key", TEXT, nullable=False),
    Column("left", NUMBER, nullable=False),
    Column("expires", BigInteger),
    Column("granted", BigInteger, nullable=False),
    Index("order_download_by_order", "order"),
    Index("order_download_by_customer", "customer"),
)

# `minimum`, `maximum`: amounts, NULL for none; the lists of ids and emails are JSON.
coupon = Table(
    "coupon",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("code", TEXT, nullable=False),
    Column("code_key", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("description", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Column("expires", BigInteger),
    Column("individual_use", Boolean, nullable=False),
    Column("exclude_sale_items", Boolean, nullable=False),
    Column("free_shipping", Boolean, nullable=False),
    Column("products", TEXT, nullable=False),
    Column("excluded_products", TEXT, nullable=False),
    Column("categories", TEXT, nullable=False),
    Column("excluded_categories", TEXT, nullable=False),
    Column("emails", TEXT, nullable=False),
    Column("usage_limit", NUMBER),
    Column("usage_limit_per_user", NUMBER),
    Column("most_pieces", NUMBER),
    Column("minimum", BigInteger),
    Column("maximum", BigInteger),
    Column("usage_count", NUMBER, nullable=False),
    Index("coupon_by_code", "code_key"),
    Index("coupon_by_created", "status", "created", "id"),
)

# One use of a coupon by an order. `by`: the customer's id, or the email of a guest.
coupon_use = Table(
    "coupon_use",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("coupon", NUMBER, ForeignKey("coupon.id", ondelete="CASCADE"), nullable=False),
    Column("order", NUMBER, nullable=False),
    Column("by", TEXT, nullable=False),
    Index("coupon_use_by_coupon", "coupon", "id"),
    Index("coupon_use_by_order", "order"),
)

# Mails that wait to be sent, and sent ones. `state`: waiting, sent, failed; `recipients`: JSON; `data`: JSON, the
# template's variables, empty if subject and text are written already.
outbox_mail = Table(
    "outbox_mail",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("kind", TEXT, nullable=False),
    Column("about", NUMBER, nullable=False),
    Column("recipients", TEXT, nullable=False),
    Column("subject", TEXT, nullable=False),
    Column("text", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("sent", BigInteger),
    Column("error", TEXT, nullable=False),
    Column("language", TEXT, nullable=False, server_default=""),
    Column("data", TEXT, nullable=False, server_default=""),
    Index("outbox_mail_by_state", "state", "id"),
    Index("outbox_mail_by_about", "kind", "about"),
)

# Customer data beside the account. `billing`, `shipping`: addresses as JSON.
shop_customer = Table(
    "shop_customer",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("billing", TEXT, nullable=False),
    Column("shipping", TEXT, nullable=False),
    Column("paying", Boolean, nullable=False),
    Column("modified", BigInteger, nullable=False),
)

# A page about an order, readable with its key until it expires.
order_receipt = Table(
    "order_receipt",
    METADATA,
    Column("order", NUMBER, ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("key", TEXT, nullable=False, unique=True),
    Column("expires", BigInteger, nullable=False),
    Column("page", TEXT, nullable=False),
)
