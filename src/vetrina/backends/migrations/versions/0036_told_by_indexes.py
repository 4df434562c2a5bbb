"""Customers of a country by an index alone; on PostgreSQL, an index with what orders are found by, for short words."""

from __future__ import annotations

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.drop_index("fact_customer_by_country", "fact_customer")
    op.create_index("fact_customer_by_country", "fact_customer", ["country", "orders", "gone", "id"])
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute(
        "CREATE INDEX shop_order_keys ON shop_order (id) INCLUDE (search_key, status) "
        "WHERE octet_length(search_key) <= 2000"
    )
    op.execute("CREATE INDEX shop_order_long_key ON shop_order (id) WHERE octet_length(search_key) > 2000")
