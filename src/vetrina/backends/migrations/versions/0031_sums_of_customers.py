"""What customers bought, and the orders of days by product; an index with all that averages over customers need.

What is kept is counted in the background.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _columns(kind: sa.types.TypeEngine[int] | sa.types.TypeEngine[bytes], *names: str) -> list[sa.Column[int | bytes]]:
    return [sa.Column(name, kind, autoincrement=False, nullable=False) for name in names]


def upgrade() -> None:
    op.create_table(
        "rollup_customer",
        sa.Column("kind", _TEXT, nullable=False),
        *_columns(_NUMBER, "unit", "block"),
        *_columns(sa.LargeBinary(), "sums"),
        sa.PrimaryKeyConstraint("kind", "unit", "block"),
    )
    op.create_table(
        "rollup_day_parts",
        sa.Column("dates", _TEXT, nullable=False),
        *_columns(_NUMBER, "day", "product", "rows", "items"),
        *_columns(sa.BigInteger(), "total", "coupons", "refunds", "taxes", "shipping", "net"),
        *_columns(_NUMBER, "orders", "order_items"),
        *_columns(sa.BigInteger(), "order_net"),
        *_columns(sa.LargeBinary(), "customer_ids", "coupon_ids"),
        sa.PrimaryKeyConstraint("dates", "day", "product"),
        sqlite_with_rowid=False,
    )
    op.drop_index("fact_customer_by_spend", "fact_customer")
    op.create_index("fact_customer_by_spend", "fact_customer", ["spend", "id", "orders", "gone"])
