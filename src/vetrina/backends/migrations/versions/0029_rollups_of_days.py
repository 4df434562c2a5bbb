"""Sales by product of days, and orders by new and returning customers; they are counted in the background."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _columns(kind: sa.types.TypeEngine[int] | sa.types.TypeEngine[bytes], *names: str) -> list[sa.Column[int | bytes]]:
    return [sa.Column(name, kind, autoincrement=False, nullable=False) for name in names]


def upgrade() -> None:
    op.create_table(
        "rollup_day_product",
        *_columns(_NUMBER, "day", "product", "quantity"),
        *_columns(sa.BigInteger(), "net"),
        *_columns(_NUMBER, "orders"),
        *_columns(sa.BigInteger(), "newest"),
        sa.PrimaryKeyConstraint("day", "product"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rollup_day_variation",
        *_columns(_NUMBER, "day", "product", "variation", "lines", "quantity"),
        *_columns(sa.BigInteger(), "net"),
        *_columns(_NUMBER, "orders"),
        *_columns(sa.BigInteger(), "newest"),
        *_columns(sa.LargeBinary(), "order_ids"),
        sa.PrimaryKeyConstraint("day", "product", "variation"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rollup_customer_type",
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("dates", _TEXT, nullable=False),
        *_columns(_NUMBER, "unit"),
        sa.Column("status", _TEXT, nullable=False),
        *_columns(_NUMBER, "repeat", "orders", "items"),
        *_columns(sa.BigInteger(), "total", "taxes", "shipping", "net", "coupons"),
        *_columns(sa.LargeBinary(), "customer_ids", "coupon_ids"),
        sa.PrimaryKeyConstraint("kind", "dates", "unit", "status", "repeat"),
    )
