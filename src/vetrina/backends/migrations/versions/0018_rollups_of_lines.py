"""Kept sums of orders contain those of their lines; they are counted again from the orders, in the background."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _columns(kind: sa.types.TypeEngine[int] | sa.types.TypeEngine[bytes], *names: str) -> list[sa.Column[int | bytes]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def upgrade() -> None:
    op.execute("DELETE FROM rollup_period WHERE kind IN ('day', 'month')")
    op.execute("DELETE FROM rollup_repeat")
    op.drop_table("rollup_orders")
    op.create_table(
        "rollup_orders",
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("dates", _TEXT, nullable=False),
        sa.Column("unit", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        *_columns(_NUMBER, "rows", "orders", "items", "order_items"),
        *_columns(sa.BigInteger(), "order_net", "coupons", "refunds", "taxes", "shipping", "net", "total"),
        *_columns(_NUMBER, "lines", "line_items"),
        *_columns(sa.BigInteger(), "line_net"),
        *_columns(_NUMBER, "line_orders", "variation_lines", "variation_items"),
        *_columns(sa.BigInteger(), "variation_net"),
        *_columns(_NUMBER, "variation_orders"),
        *_columns(sa.LargeBinary(), "customer_ids", "coupon_ids", "product_ids", "variation_ids"),
        sa.PrimaryKeyConstraint("kind", "dates", "unit", "status"),
    )
