"""Customers of a country are counted without reading their rows."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_index("fact_customer_by_country", "fact_customer", ["country", "orders", "gone"])
