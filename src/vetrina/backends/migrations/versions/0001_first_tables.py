"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# PostgreSQL compares text byte for byte and has numbers of the same size, as SQLite does by itself.
TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("login", TEXT, nullable=False),
        sa.Column("login_key", TEXT, nullable=False),
        sa.Column("email", TEXT, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("name_key", TEXT, nullable=False),
        sa.Column("first_name", TEXT, nullable=False),
        sa.Column("last_name", TEXT, nullable=False),
        sa.Column("nickname", TEXT, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("locale", TEXT, nullable=False),
        sa.Column("roles", TEXT, nullable=False),
        sa.Column("capabilities", TEXT, nullable=False),
        sa.Column("password", TEXT, nullable=False),
        sa.Column("registered", sa.BigInteger(), nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("email_key"),
        sa.UniqueConstraint("login_key"),
        sa.UniqueConstraint("slug"),
    )
    op.create_index("account_by_name", "account", ["name_key", "id"])
    op.create_index("account_by_registered", "account", ["registered", "id"])
    op.create_table(
        "admin_note",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("subject", NUMBER, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("reminder", sa.BigInteger(), nullable=True),
        sa.Column("snoozable", NUMBER, nullable=False),
        sa.Column("actions", TEXT, nullable=False),
        sa.Column("deleted", NUMBER, nullable=False),
        sa.Column("read", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("admin_note_by_created", "admin_note", ["created", "id"])
    op.create_index("admin_note_by_name", "admin_note", ["name", "subject"], unique=True)
    op.create_table(
        "change",
        sa.Column("sequence", NUMBER, autoincrement=True, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("item", TEXT, nullable=False),
        sa.Column("action", TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", NUMBER, server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("sequence"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "connector_done",
        sa.Column("sequence", NUMBER, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("sequence"),
    )
    op.create_table(
        "connector_nonce",
        sa.Column("timestamp", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("nonce", TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("timestamp", "nonce"),
    )
    op.create_index("connector_nonce_by_at", "connector_nonce", ["at"])
    op.create_table(
        "connector_state",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "counter",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "coupon",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("code", TEXT, nullable=False),
        sa.Column("code_key", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("individual_use", sa.Boolean(), nullable=False),
        sa.Column("exclude_sale_items", sa.Boolean(), nullable=False),
        sa.Column("free_shipping", sa.Boolean(), nullable=False),
        sa.Column("products", TEXT, nullable=False),
        sa.Column("excluded_products", TEXT, nullable=False),
        sa.Column("categories", TEXT, nullable=False),
        sa.Column("excluded_categories", TEXT, nullable=False),
        sa.Column("emails", TEXT, nullable=False),
        sa.Column("usage_limit", NUMBER, nullable=True),
        sa.Column("usage_limit_per_user", NUMBER, nullable=True),
        sa.Column("most_pieces", NUMBER, nullable=True),
        sa.Column("minimum", sa.BigInteger(), nullable=True),
        sa.Column("maximum", sa.BigInteger(), nullable=True),
        sa.Column("usage_count", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("coupon_by_code", "coupon", ["code_key"])
    op.create_index("coupon_by_created", "coupon", ["status", "created", "id"])
    op.create_table(
        "ended_session",
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "fact_coupon",
        sa.Column("order", NUMBER, autoincrement=False, nullable=False),
        sa.Column("position", NUMBER, autoincrement=False, nullable=False),
        sa.Column("coupon", NUMBER, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_month", NUMBER, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("order", "position"),
    )
    op.create_index("fact_coupon_by_coupon", "fact_coupon", ["coupon", "created"])
    op.create_index("fact_coupon_by_created", "fact_coupon", ["created"])
    op.create_table(
        "fact_customer",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("account", NUMBER, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("username", TEXT, nullable=False),
        sa.Column("first_name", TEXT, nullable=False),
        sa.Column("last_name", TEXT, nullable=False),
        sa.Column("name_key", TEXT, nullable=False),
        sa.Column("email", TEXT, nullable=False),
        sa.Column("country", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("city", TEXT, nullable=False),
        sa.Column("postcode", TEXT, nullable=False),
        sa.Column("registered", sa.BigInteger(), nullable=True),
        sa.Column("last_active", sa.BigInteger(), nullable=True),
        sa.Column("orders", NUMBER, nullable=False),
        sa.Column("spend", sa.BigInteger(), nullable=False),
        sa.Column("last_order", sa.BigInteger(), nullable=True),
        sa.Column("gone", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("fact_customer_by_account", "fact_customer", ["account"])
    op.create_index("fact_customer_by_email", "fact_customer", ["email_key"])
    op.create_index("fact_customer_by_orders", "fact_customer", ["orders", "id"])
    op.create_index("fact_customer_by_registered", "fact_customer", ["registered", "id"])
    op.create_index("fact_customer_by_spend", "fact_customer", ["spend", "id"])
    op.create_table(
        "fact_line",
        sa.Column("order", NUMBER, autoincrement=False, nullable=False),
        sa.Column("position", NUMBER, autoincrement=False, nullable=False),
        sa.Column("product", NUMBER, nullable=False),
        sa.Column("variation", NUMBER, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_month", NUMBER, nullable=False),
        sa.Column("quantity", NUMBER, nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("tax", sa.BigInteger(), nullable=False),
        sa.Column("shipping", sa.BigInteger(), nullable=False),
        sa.Column("shipping_tax", sa.BigInteger(), nullable=False),
        sa.Column("gross", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("order", "position"),
    )
    op.create_index("fact_line_by_created", "fact_line", ["created", "order", "position"])
    op.create_index("fact_line_by_product", "fact_line", ["product", "created"])
    op.create_index("fact_line_by_variation", "fact_line", ["variation", "created"])
    op.create_table(
        "fact_order",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("customer", NUMBER, nullable=False),
        sa.Column("created_gmt", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_month", NUMBER, nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=True),
        sa.Column("paid_month", NUMBER, nullable=True),
        sa.Column("completed", sa.BigInteger(), nullable=True),
        sa.Column("completed_month", NUMBER, nullable=True),
        sa.Column("items", NUMBER, nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("tax", sa.BigInteger(), nullable=False),
        sa.Column("shipping", sa.BigInteger(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("coupons", sa.BigInteger(), nullable=False),
        sa.Column("repeat", NUMBER, nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("fact_order_by_completed", "fact_order", ["completed", "id"])
    op.create_index("fact_order_by_created", "fact_order", ["created", "id"])
    op.create_index("fact_order_by_customer", "fact_order", ["customer", "created", "id"])
    op.create_index("fact_order_by_paid", "fact_order", ["paid", "id"])
    op.create_index(
        "fact_order_by_parent",
        "fact_order",
        ["parent"],
        sqlite_where=sa.text("parent > 0"),
        postgresql_where=sa.text("parent > 0"),
    )
    op.create_table(
        "fact_rollup",
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("dates", TEXT, nullable=False),
        sa.Column("unit", NUMBER, autoincrement=False, nullable=False),
        sa.Column("sums", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("kind", "dates", "unit"),
    )
    op.create_table(
        "fact_rollup_stale",
        sa.Column("dates", TEXT, nullable=False),
        sa.Column("unit", NUMBER, autoincrement=False, nullable=False),
        sa.Column("product", NUMBER, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("dates", "unit", "product"),
    )
    op.create_table(
        "fact_tax",
        sa.Column("order", NUMBER, autoincrement=False, nullable=False),
        sa.Column("position", NUMBER, autoincrement=False, nullable=False),
        sa.Column("rate", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_month", NUMBER, nullable=False),
        sa.Column("order_tax", sa.BigInteger(), nullable=False),
        sa.Column("shipping_tax", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("code", TEXT, nullable=False),
        sa.Column("percent", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("order", "position"),
    )
    op.create_index("fact_tax_by_created", "fact_tax", ["created"])
    op.create_index("fact_tax_by_rate", "fact_tax", ["rate", "created"])
    op.create_table(
        "failure",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("count", NUMBER, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "feed",
        sa.Column("address", TEXT, nullable=False),
        sa.Column("entries", TEXT, nullable=False),
        sa.Column("read", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("failures", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("address"),
    )
    op.create_index("feed_by_due", "feed", ["due"])
    op.create_table(
        "job",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("arguments", TEXT, nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("attempts", NUMBER, nullable=False),
        sa.Column("last_error", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.Column("key", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("job_by_due", "job", ["state", "due", "id"])
    op.create_index("job_by_finished", "job", ["state", "finished"])
    op.create_table(
        "mlang_batch",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("name_key", TEXT, nullable=False),
        sa.Column("service_number", NUMBER, nullable=True),
        sa.Column("service_address", TEXT, nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("mlang_batch_by_name", "mlang_batch", ["name_key", "id"])
    op.create_index("mlang_batch_by_service_number", "mlang_batch", ["service_number"])
    op.create_table(
        "mlang_catalog_file",
        sa.Column("path", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("component", TEXT, nullable=False),
        sa.Column("domain", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("mark", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("entries", NUMBER, nullable=False),
        sa.Column("fault", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("path"),
    )
    op.create_index("mlang_catalog_file_by_state", "mlang_catalog_file", ["state", "path"])
    op.create_table(
        "mlang_lock",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "mlang_service_job",
        sa.Column("job", NUMBER, autoincrement=False, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("sent", TEXT, nullable=False),
        sa.Column("filled", TEXT, nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("job"),
    )
    op.create_index("mlang_service_job_by_state", "mlang_service_job", ["state", "job"])
    op.create_table(
        "mlang_setting",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "mlang_status",
        sa.Column("rid", NUMBER, autoincrement=False, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("element_type", TEXT, nullable=False),
        sa.Column("element", NUMBER, nullable=False),
        sa.Column("source_language", TEXT, nullable=False),
        sa.Column("target_language", TEXT, nullable=False),
        sa.Column("translation", NUMBER, nullable=False),
        sa.Column("job", NUMBER, nullable=False),
        sa.Column("status", NUMBER, nullable=False),
        sa.Column("needs_update", sa.Boolean(), nullable=False),
        sa.Column("md5", TEXT, nullable=False),
        sa.Column("service", TEXT, nullable=False),
        sa.Column("service_number", NUMBER, nullable=False),
        sa.Column("service_revision", NUMBER, nullable=False),
        sa.Column("service_status", TEXT, nullable=False),
        sa.Column("review", TEXT, nullable=False),
        sa.Column("retries", NUMBER, nullable=False),
        sa.Column("batch", NUMBER, nullable=False),
        sa.Column("previous", TEXT, nullable=False),
        sa.Column("translator", NUMBER, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("title_key", TEXT, nullable=False),
        sa.Column("editor", TEXT, nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=False),
        sa.Column("batch_key", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("rid"),
        sa.UniqueConstraint("element_type", "element", "target_language", name="mlang_status_of_element"),
    )
    op.create_index("mlang_status_by_batch", "mlang_status", ["batch_key", "rid"])
    op.create_index(
        "mlang_status_by_deadline", "mlang_status", ["deadline", "rid", "status", "target_language", "source_language"]
    )
    op.create_index("mlang_status_by_editor", "mlang_status", ["editor", "status", "rid", "service"])
    op.create_index(
        "mlang_status_by_language", "mlang_status", ["source_language", "target_language", "rid", "status", "sent"]
    )
    op.create_index(
        "mlang_status_by_sent", "mlang_status", ["sent", "rid", "status", "target_language", "source_language"]
    )
    op.create_index("mlang_status_by_service", "mlang_status", ["service", "status", "rid"])
    op.create_index("mlang_status_by_status", "mlang_status", ["status", "sent", "rid"])
    op.create_index("mlang_status_by_title", "mlang_status", ["title_key", "rid", "status"])
    op.create_index("mlang_status_by_translation", "mlang_status", ["element_type", "translation"])
    op.create_index("mlang_status_by_translator", "mlang_status", ["translator", "rid", "status", "service"])
    op.create_index(
        "mlang_status_outdated",
        "mlang_status",
        ["status", "rid"],
        sqlite_where=sa.text("needs_update = 1"),
        postgresql_where=sa.text("needs_update"),
    )
    op.create_table(
        "mlang_string",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("domain", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("context", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.Column("plural", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("words", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("mlang_string_by_domain", "mlang_string", ["domain", "id"])
    op.create_table(
        "option",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "order_file_fetch",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("order", NUMBER, nullable=False),
        sa.Column("product", NUMBER, nullable=False),
        sa.Column("download", TEXT, nullable=False),
        sa.Column("customer", NUMBER, nullable=False),
        sa.Column("ip", TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("created_month", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("order_file_fetch_by_created", "order_file_fetch", ["created", "id"])
    op.create_table(
        "order_item",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("owner", NUMBER, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("product", NUMBER, nullable=False),
        sa.Column("variation", NUMBER, nullable=False),
        sa.Column("quantity", NUMBER, nullable=False),
        sa.Column("tax_class", TEXT, nullable=False),
        sa.Column("tax_status", TEXT, nullable=False),
        sa.Column("subtotal", sa.BigInteger(), nullable=False),
        sa.Column("subtotal_tax", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("total_tax", sa.BigInteger(), nullable=False),
        sa.Column("subtotal_taxes", TEXT, nullable=False),
        sa.Column("taxes", TEXT, nullable=False),
        sa.Column("code", TEXT, nullable=False),
        sa.Column("reference", NUMBER, nullable=False),
        sa.Column("details", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("order_item_by_code", "order_item", ["kind", "code"])
    op.create_index("order_item_by_owner", "order_item", ["owner", "id"])
    op.create_index("order_item_by_product", "order_item", ["product", "owner"])
    op.create_index("order_item_by_variation", "order_item", ["variation", "owner"])
    op.create_table(
        "outbox_mail",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("about", NUMBER, nullable=False),
        sa.Column("recipients", TEXT, nullable=False),
        sa.Column("subject", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=True),
        sa.Column("error", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("outbox_mail_by_about", "outbox_mail", ["kind", "about"])
    op.create_index("outbox_mail_by_state", "outbox_mail", ["state", "id"])
    op.create_table(
        "product_attribute",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("order_by", TEXT, nullable=False),
        sa.Column("has_archives", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slug", name="product_attribute_slug"),
    )
    op.create_table(
        "record",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("translations", NUMBER, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("menu_order", NUMBER, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_gmt", sa.BigInteger(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("title_key", TEXT, nullable=False),
        sa.Column("title_html", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("content_html", TEXT, nullable=False),
        sa.Column("block_version", NUMBER, nullable=False),
        sa.Column("excerpt", TEXT, nullable=False),
        sa.Column("excerpt_html", TEXT, nullable=False),
        sa.Column("renderer", NUMBER, nullable=False),
        sa.Column("password", TEXT, nullable=False),
        sa.Column("comment_status", TEXT, nullable=False),
        sa.Column("ping_status", TEXT, nullable=False),
        sa.Column("format", TEXT, nullable=False),
        sa.Column("template", TEXT, nullable=False),
        sa.Column("featured_media", NUMBER, nullable=False),
        sa.Column("guid", TEXT, nullable=False),
        sa.Column("trashed_status", TEXT, nullable=False),
        sa.Column("trashed_slug", TEXT, nullable=False),
        sa.Column("revisions", NUMBER, nullable=False),
        sa.Column("last_revision", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("floating", sa.Boolean(), nullable=False),
        sa.Column("sticky", sa.Boolean(), nullable=False),
        sa.Column("dynamic", sa.Boolean(), nullable=False),
        sa.Column("source_language", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("translations", "language", name="record_translation"),
    )
    op.create_index("record_by_author", "record", ["type", "status", "language", "author", "date", "id"])
    op.create_index("record_by_date", "record", ["type", "status", "language", "date", "id", "modified"])
    op.create_index(
        "record_by_featured",
        "record",
        ["featured_media"],
        sqlite_where=sa.text("featured_media != 0"),
        postgresql_where=sa.text("featured_media != 0"),
    )
    op.create_index(
        "record_by_format",
        "record",
        ["type", "status", "language", "format", "id"],
        sqlite_where=sa.text("format != 'standard'"),
        postgresql_where=sa.text("format != 'standard'"),
    )
    op.create_index("record_by_group", "record", ["type", "language", "status", "translations", "id"])
    op.create_index("record_by_id", "record", ["type", "status", "language", "id", "password"])
    op.create_index("record_by_modified", "record", ["type", "status", "language", "modified", "id"])
    op.create_index("record_by_order", "record", ["type", "status", "language", "menu_order", "id"])
    op.create_index("record_by_parent", "record", ["type", "parent", "menu_order"])
    op.create_index("record_by_slug", "record", ["type", "slug", "status", "language", "id"])
    op.create_index("record_by_title", "record", ["type", "status", "language", "title_key", "id"])
    op.create_index(
        "record_due",
        "record",
        ["date_gmt"],
        sqlite_where=sa.text("status || '' = 'future'"),
        postgresql_where=sa.text("status || '' = 'future'"),
    )
    op.create_index("record_in_parent", "record", ["type", "status", "language", "parent", "id"])
    op.create_index(
        "record_sticky",
        "record",
        ["type", "status", "language", "date", "id"],
        sqlite_where=sa.text("sticky = 1"),
        postgresql_where=sa.text("sticky"),
    )
    op.create_table(
        "report_export",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("arguments", TEXT, nullable=False),
        sa.Column("account", NUMBER, nullable=False),
        sa.Column("recipient", TEXT, nullable=False),
        sa.Column("done", NUMBER, nullable=False),
        sa.Column("total", NUMBER, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "search_entry",
        sa.Column("entry", NUMBER, autoincrement=True, nullable=False),
        sa.Column("record", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("entry"),
        sa.UniqueConstraint("record"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "shipping_method",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("zone", NUMBER, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("settings", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shipping_method_by_zone", "shipping_method", ["zone", "position", "id"])
    op.create_table(
        "shipping_zone",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "shop_cart",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("lines", TEXT, nullable=False),
        sa.Column("coupons", TEXT, nullable=False),
        sa.Column("billing", TEXT, nullable=False),
        sa.Column("shipping", TEXT, nullable=False),
        sa.Column("rate", TEXT, nullable=False),
        sa.Column("draft", NUMBER, nullable=False),
        sa.Column("modified", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("shop_cart_by_modified", "shop_cart", ["modified"])
    op.create_table(
        "shop_meta",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("owner", NUMBER, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shop_meta_by_name", "shop_meta", ["kind", "name"])
    op.create_index("shop_meta_by_owner", "shop_meta", ["kind", "owner", "id"])
    op.create_table(
        "shop_order",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("trashed_status", TEXT, nullable=False),
        sa.Column("currency", TEXT, nullable=False),
        sa.Column("prices_include_tax", sa.Boolean(), nullable=False),
        sa.Column("customer", NUMBER, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=True),
        sa.Column("completed", sa.BigInteger(), nullable=True),
        sa.Column("discount", sa.BigInteger(), nullable=False),
        sa.Column("discount_tax", sa.BigInteger(), nullable=False),
        sa.Column("shipping", sa.BigInteger(), nullable=False),
        sa.Column("shipping_tax", sa.BigInteger(), nullable=False),
        sa.Column("cart_tax", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("total_tax", sa.BigInteger(), nullable=False),
        sa.Column("order_key", TEXT, nullable=False),
        sa.Column("payment_method", TEXT, nullable=False),
        sa.Column("payment_method_title", TEXT, nullable=False),
        sa.Column("transaction_id", TEXT, nullable=False),
        sa.Column("customer_ip", TEXT, nullable=False),
        sa.Column("customer_agent", TEXT, nullable=False),
        sa.Column("created_via", TEXT, nullable=False),
        sa.Column("customer_note", TEXT, nullable=False),
        sa.Column("cart_hash", TEXT, nullable=False),
        sa.Column("billing", TEXT, nullable=False),
        sa.Column("shipping_address", TEXT, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("search_key", TEXT, nullable=False),
        sa.Column("stock_taken", sa.Boolean(), nullable=False),
        sa.Column("coupons_counted", sa.Boolean(), nullable=False),
        sa.Column("sales_counted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shop_order_by_created", "shop_order", ["created", "id"])
    op.create_index("shop_order_by_customer", "shop_order", ["customer", "created", "id"])
    op.create_index("shop_order_by_email", "shop_order", ["email_key", "created"])
    op.create_index("shop_order_by_key", "shop_order", ["order_key"])
    op.create_index("shop_order_by_modified", "shop_order", ["modified", "id"])
    op.create_index("shop_order_by_parent", "shop_order", ["parent"])
    op.create_index("shop_order_by_status", "shop_order", ["status", "created", "id"])
    op.create_table(
        "tally",
        sa.Column("type", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("author", NUMBER, autoincrement=False, nullable=False),
        sa.Column("count", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("type", "status", "language", "author"),
    )
    op.create_table(
        "tax_class",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slug"),
    )
    op.create_table(
        "tax_rate",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("country", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("postcodes", TEXT, nullable=False),
        sa.Column("cities", TEXT, nullable=False),
        sa.Column("rate", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("priority", NUMBER, nullable=False),
        sa.Column("compound", sa.Boolean(), nullable=False),
        sa.Column("shipping", sa.Boolean(), nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("tax_class", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tax_rate_by_country", "tax_rate", ["country", "tax_class"])
    op.create_index("tax_rate_by_position", "tax_rate", ["position", "id"])
    op.create_table(
        "term",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("taxonomy", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("translations", NUMBER, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("name_key", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("count", NUMBER, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("source_language", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("taxonomy", "language", "slug", name="term_slug"),
        sa.UniqueConstraint("translations", "language", name="term_translation"),
    )
    op.create_index("term_by_name", "term", ["taxonomy", "language", "name_key", "id"])
    op.create_index("term_by_parent", "term", ["taxonomy", "parent"])
    op.create_table(
        "webhook",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("account", NUMBER, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("topic", TEXT, nullable=False),
        sa.Column("delivery_url", TEXT, nullable=False),
        sa.Column("secret", TEXT, nullable=False),
        sa.Column("root", TEXT, nullable=False),
        sa.Column("failures", NUMBER, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("webhook_by_topic", "webhook", ["status", "topic"])
    op.create_table(
        "widget",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("id_base", TEXT, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("sidebar", TEXT, nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("settings", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("widget_by_sidebar", "widget", ["sidebar", "position"])
    op.create_table(
        "app_password",
        sa.Column("uuid", TEXT, nullable=False),
        sa.Column("account", NUMBER, nullable=False),
        sa.Column("app_id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.Column("last_ip", TEXT, nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("uuid"),
    )
    op.create_index("app_password_by_account", "app_password", ["account", "created"])
    op.create_table(
        "comment",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("post", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("author_name", TEXT, nullable=False),
        sa.Column("author_email", TEXT, nullable=False),
        sa.Column("author_url", TEXT, nullable=False),
        sa.Column("author_ip", TEXT, nullable=False),
        sa.Column("author_user_agent", TEXT, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("content_html", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("kept_status", TEXT, nullable=False),
        sa.Column("shelved_status", TEXT, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("search_key", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["post"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("comment_by_author", "comment", ["author", "date_gmt"])
    op.create_index("comment_by_date", "comment", ["status", "type", "date_gmt", "id"])
    op.create_index("comment_by_email", "comment", ["email_key", "date_gmt"])
    op.create_index("comment_by_parent", "comment", ["parent", "status"])
    op.create_index("comment_by_post", "comment", ["post", "status", "type", "date_gmt"])
    op.create_table(
        "coupon_use",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("coupon", NUMBER, nullable=False),
        sa.Column("order", NUMBER, nullable=False),
        sa.Column("by", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["coupon"], ["coupon.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("coupon_use_by_coupon", "coupon_use", ["coupon", "id"])
    op.create_index("coupon_use_by_order", "coupon_use", ["order"])
    op.create_table(
        "media",
        sa.Column("record", NUMBER, autoincrement=False, nullable=False),
        sa.Column("file", TEXT, nullable=False),
        sa.Column("original", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("mime_type", TEXT, nullable=False),
        sa.Column("width", NUMBER, nullable=False),
        sa.Column("height", NUMBER, nullable=False),
        sa.Column("filesize", sa.BigInteger(), nullable=False),
        sa.Column("alt_text", TEXT, nullable=False),
        sa.Column("sizes", TEXT, nullable=False),
        sa.Column("details", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("media_by_type", "media", ["kind", "mime_type", "record"])
    op.create_table(
        "menu_item",
        sa.Column("record", NUMBER, autoincrement=False, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("object", TEXT, nullable=False),
        sa.Column("object_id", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("classes", TEXT, nullable=False),
        sa.Column("xfn", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("menu_item_by_object", "menu_item", ["kind", "object_id"])
    op.create_table(
        "mlang_job",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("rid", NUMBER, nullable=False),
        sa.Column("revision", NUMBER, nullable=True),
        sa.Column("translated", sa.Boolean(), nullable=False),
        sa.Column("manager", NUMBER, nullable=False),
        sa.Column("translator", NUMBER, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("note", TEXT, nullable=False),
        sa.Column("editor", TEXT, nullable=False),
        sa.Column("editor_job", NUMBER, nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=False),
        sa.Column("edited", sa.BigInteger(), nullable=False),
        sa.Column("completed", sa.BigInteger(), nullable=False),
        sa.Column("words", NUMBER, nullable=False),
        sa.Column("costs", NUMBER, nullable=False),
        sa.Column("synchronised", NUMBER, nullable=False),
        sa.Column("service_data", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["rid"], ["mlang_status.rid"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("mlang_job_by_editor_job", "mlang_job", ["editor_job"])
    op.create_index("mlang_job_by_row", "mlang_job", ["rid", "id"])
    op.create_table(
        "mlang_string_translation",
        sa.Column("string", NUMBER, autoincrement=False, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("status", NUMBER, nullable=False),
        sa.Column("value", TEXT, nullable=True),
        sa.Column("shipped", TEXT, nullable=True),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("fresh", sa.Boolean(), nullable=False),
        sa.Column("before", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["string"], ["mlang_string.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("string", "language"),
    )
    op.create_index("mlang_string_translation_fresh", "mlang_string_translation", ["fresh", "language", "string"])
    op.create_table(
        "order_download",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("order", NUMBER, nullable=False),
        sa.Column("product", NUMBER, nullable=False),
        sa.Column("download", TEXT, nullable=False),
        sa.Column("customer", NUMBER, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("left", NUMBER, nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("granted", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["order"], ["shop_order.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("order_download_by_customer", "order_download", ["customer"])
    op.create_index("order_download_by_order", "order_download", ["order"])
    op.create_table(
        "order_note",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("order", NUMBER, nullable=False),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("note", TEXT, nullable=False),
        sa.Column("for_customer", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["order"], ["shop_order.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("order_note_by_order", "order_note", ["order", "id"])
    op.create_table(
        "order_receipt",
        sa.Column("order", NUMBER, autoincrement=False, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("page", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["order"], ["shop_order.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("order"),
        sa.UniqueConstraint("key"),
    )
    op.create_table(
        "product",
        sa.Column("record", NUMBER, autoincrement=False, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("sku", TEXT, nullable=False),
        sa.Column("sku_key", TEXT, nullable=False),
        sa.Column("global_unique_id", TEXT, nullable=False),
        sa.Column("visibility", TEXT, nullable=False),
        sa.Column("featured", sa.Boolean(), nullable=False),
        sa.Column("regular_price", TEXT, nullable=False),
        sa.Column("sale_price", TEXT, nullable=False),
        sa.Column("sale_from", sa.BigInteger(), nullable=True),
        sa.Column("sale_to", sa.BigInteger(), nullable=True),
        sa.Column("price", TEXT, nullable=False),
        sa.Column("price_from", sa.BigInteger(), nullable=True),
        sa.Column("price_to", sa.BigInteger(), nullable=True),
        sa.Column("regular_from", sa.BigInteger(), nullable=True),
        sa.Column("regular_to", sa.BigInteger(), nullable=True),
        sa.Column("on_sale", sa.Boolean(), nullable=False),
        sa.Column("total_sales", NUMBER, nullable=False),
        sa.Column("tax_status", TEXT, nullable=False),
        sa.Column("tax_class", TEXT, nullable=False),
        sa.Column("manage_stock", sa.Boolean(), nullable=False),
        sa.Column("stock_quantity", NUMBER, nullable=True),
        sa.Column("stock_status", TEXT, nullable=False),
        sa.Column("backorders", TEXT, nullable=False),
        sa.Column("low_stock_amount", NUMBER, nullable=True),
        sa.Column("sold_individually", sa.Boolean(), nullable=False),
        sa.Column("weight", TEXT, nullable=False),
        sa.Column("length", TEXT, nullable=False),
        sa.Column("width", TEXT, nullable=False),
        sa.Column("height", TEXT, nullable=False),
        sa.Column("virtual", sa.Boolean(), nullable=False),
        sa.Column("downloadable", sa.Boolean(), nullable=False),
        sa.Column("downloads", TEXT, nullable=False),
        sa.Column("download_limit", NUMBER, nullable=False),
        sa.Column("download_expiry", NUMBER, nullable=False),
        sa.Column("external_url", TEXT, nullable=False),
        sa.Column("button_text", TEXT, nullable=False),
        sa.Column("purchase_note", TEXT, nullable=False),
        sa.Column("rating", NUMBER, nullable=False),
        sa.Column("rating_count", NUMBER, nullable=False),
        sa.Column("gallery", TEXT, nullable=False),
        sa.Column("attributes", TEXT, nullable=False),
        sa.Column("default_attributes", TEXT, nullable=False),
        sa.Column("choices", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index(
        "product_by_global_id",
        "product",
        ["global_unique_id"],
        sqlite_where=sa.text("global_unique_id != ''"),
        postgresql_where=sa.text("global_unique_id != ''"),
    )
    op.create_index("product_by_highest_price", "product", ["price_to", "record"])
    op.create_index("product_by_price", "product", ["price_from", "record"])
    op.create_index("product_by_rating", "product", ["rating", "rating_count", "record"])
    op.create_index("product_by_sales", "product", ["total_sales", "record"])
    op.create_index("product_by_sku", "product", ["sku_key"])
    op.create_index("product_by_stock", "product", ["stock_status", "record"])
    op.create_index(
        "product_featured",
        "product",
        ["record"],
        sqlite_where=sa.text("featured = 1"),
        postgresql_where=sa.text("featured"),
    )
    op.create_index(
        "product_on_sale",
        "product",
        ["record"],
        sqlite_where=sa.text("on_sale = 1"),
        postgresql_where=sa.text("on_sale"),
    )
    op.create_table(
        "product_link",
        sa.Column("record", NUMBER, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("other", NUMBER, autoincrement=False, nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record", "kind", "other"),
    )
    op.create_index("product_link_by_other", "product_link", ["kind", "other"])
    op.create_table(
        "record_term",
        sa.Column("record", NUMBER, nullable=False),
        sa.Column("term", NUMBER, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["term"], ["term.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record", "term"),
    )
    op.create_index("record_term_by_term", "record_term", ["term", "type", "status", "language", "date", "record"])
    op.create_table(
        "revision",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_gmt", sa.BigInteger(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("title_key", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("excerpt", TEXT, nullable=False),
        sa.Column("search_key", TEXT, nullable=False),
        sa.Column("guid", TEXT, nullable=False),
        sa.Column("autosave", sa.Boolean(), nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["parent"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("revision_by_parent", "revision", ["parent", "date", "id"])
    op.create_table(
        "searchable",
        sa.Column("record", NUMBER, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("excerpt", TEXT, nullable=False),
        sa.Column("names", TEXT, server_default="", nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_table(
        "shipping_place",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("zone", NUMBER, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("code", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["zone"], ["shipping_zone.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shipping_place_by_zone", "shipping_place", ["zone", "id"])
    op.create_table(
        "shop_customer",
        sa.Column("account", NUMBER, autoincrement=False, nullable=False),
        sa.Column("billing", TEXT, nullable=False),
        sa.Column("shipping", TEXT, nullable=False),
        sa.Column("paying", sa.Boolean(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account"),
    )
    op.create_table(
        "shop_key",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("account", NUMBER, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("permissions", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("tail", TEXT, nullable=False),
        sa.Column("secret", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("shop_key_by_account", "shop_key", ["account"])
    op.create_table(
        "shop_refund",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("order", NUMBER, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("refunded_by", NUMBER, nullable=False),
        sa.Column("refunded_payment", sa.Boolean(), nullable=False),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["order"], ["shop_order.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shop_refund_by_created", "shop_refund", ["created", "id"])
    op.create_index("shop_refund_by_order", "shop_refund", ["order", "id"])
    op.create_table(
        "webhook_delivery",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("webhook", NUMBER, nullable=False),
        sa.Column("uid", TEXT, nullable=False),
        sa.Column("topic", TEXT, nullable=False),
        sa.Column("space", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("attempts", NUMBER, nullable=False),
        sa.Column("answer", NUMBER, nullable=False),
        sa.Column("error", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["webhook"], ["webhook.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("webhook_delivery_by_end", "webhook_delivery", ["finished"])
    op.create_index("webhook_delivery_by_webhook", "webhook_delivery", ["webhook", "id"])
    op.create_table(
        "mlang_field",
        sa.Column("job", NUMBER, autoincrement=False, nullable=False),
        sa.Column("position", NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("label", TEXT, nullable=False),
        sa.Column("wrap_tag", TEXT, nullable=False),
        sa.Column("format", TEXT, nullable=False),
        sa.Column("reused", TEXT, nullable=False),
        sa.Column("wanted", sa.Boolean(), nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["mlang_job.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job", "position"),
    )
    op.create_table(
        "shop_nonce",
        sa.Column("key", NUMBER, autoincrement=False, nullable=False),
        sa.Column("nonce", TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["key"], ["shop_key.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key", "nonce"),
    )
    op.create_index("shop_nonce_by_time", "shop_nonce", ["at"])
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE search_index USING fts5(text, content='', columnsize=0, detail=none, "
            "tokenize='trigram case_sensitive 1')"
        )
    else:
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        op.execute(
            "CREATE INDEX searchable_trigrams ON searchable USING gin (title gin_trgm_ops, content "
            "gin_trgm_ops, excerpt gin_trgm_ops, names gin_trgm_ops) WITH (gin_pending_list_limit = 512)"
        )
