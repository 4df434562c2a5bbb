"""Sums of orders by category, and the categories under which they were counted; customers by name, returned lines.

What is kept is counted in the background.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _columns(kind: sa.types.TypeEngine[int] | sa.types.TypeEngine[bytes], *names: str) -> list[sa.Column[int | bytes]]:
    return [sa.Column(name, kind, autoincrement=False, nullable=False) for name in names]


def _keys() -> list[sa.Column[str]]:
    return [sa.Column(name, _TEXT, nullable=False) for name in ("kind", "dates")]


def upgrade() -> None:
    op.create_table(
        "rollup_category",
        *_keys(),
        *_columns(_NUMBER, "unit", "category", "rows", "items"),
        *_columns(sa.BigInteger(), "total", "coupons", "refunds", "taxes", "shipping", "net"),
        *_columns(_NUMBER, "orders", "order_items"),
        *_columns(sa.BigInteger(), "order_net"),
        *_columns(sa.LargeBinary(), "customer_ids", "coupon_ids"),
        sa.PrimaryKeyConstraint("kind", "dates", "unit", "category"),
    )
    op.create_table(
        "rollup_category_goods",
        *_keys(),
        *_columns(_NUMBER, "unit"),
        *_columns(sa.LargeBinary(), "product_ids"),
        sa.Column("digest", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("kind", "dates", "unit"),
    )
    op.create_index("fact_customer_by_name", "fact_customer", ["name_key", "id"])
    where = sa.text("gross < 0")
    op.create_index("fact_line_returned", "fact_line", ["created", "order"], sqlite_where=where, postgresql_where=where)
