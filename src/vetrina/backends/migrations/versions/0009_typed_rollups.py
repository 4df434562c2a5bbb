"""The kept sums of reports have columns; they are counted again from the orders, in the background."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _key(name: str, kind: sa.types.TypeEngine[int] | sa.types.TypeEngine[str] = _NUMBER) -> sa.Column[int | str]:
    return sa.Column(name, kind, autoincrement=False, nullable=False)


def _columns(kind: sa.types.TypeEngine[int] | sa.types.TypeEngine[bytes], *names: str) -> list[sa.Column[int | bytes]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def upgrade() -> None:
    op.drop_table("fact_rollup")
    op.drop_table("fact_rollup_stale")
    op.execute("DELETE FROM job WHERE kind = 'analytics.keep'")
    op.create_table(
        "rollup_period",
        _key("kind", _TEXT),
        _key("dates", _TEXT),
        _key("unit"),
        sa.PrimaryKeyConstraint("kind", "dates", "unit"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rollup_orders",
        _key("kind", _TEXT),
        _key("dates", _TEXT),
        _key("unit"),
        _key("status", _TEXT),
        *_columns(_NUMBER, "rows", "orders", "items", "order_items"),
        *_columns(sa.BigInteger(), "order_net", "coupons", "refunds", "taxes", "shipping", "net", "total"),
        *_columns(sa.LargeBinary(), "customer_ids", "coupon_ids", "product_ids"),
        sa.PrimaryKeyConstraint("kind", "dates", "unit", "status"),
    )
    op.create_table(
        "rollup_repeat",
        _key("dates", _TEXT),
        _key("day"),
        _key("status", _TEXT),
        _key("member", _TEXT),
        _key("id"),
        *_columns(_NUMBER, "times"),
        sa.PrimaryKeyConstraint("dates", "day", "status", "member", "id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rollup_sold",
        _key("month"),
        _key("product"),
        *_columns(_NUMBER, "quantity"),
        *_columns(sa.BigInteger(), "net"),
        *_columns(_NUMBER, "orders"),
        *_columns(sa.BigInteger(), "newest"),
        sa.PrimaryKeyConstraint("month", "product"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rollup_product",
        _key("dates", _TEXT),
        _key("month"),
        _key("product"),
        *_columns(_NUMBER, "rows", "items"),
        *_columns(sa.BigInteger(), "total", "coupons", "refunds", "taxes", "shipping", "net"),
        *_columns(_NUMBER, "orders", "order_items"),
        *_columns(sa.BigInteger(), "order_net"),
        *_columns(sa.LargeBinary(), "customer_ids", "coupon_ids"),
        sa.PrimaryKeyConstraint("dates", "month", "product"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rollup_segments",
        _key("kind", _TEXT),
        _key("dates", _TEXT),
        _key("unit"),
        sa.Column("text", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("kind", "dates", "unit"),
    )
    op.create_table(
        "rollup_mark",
        _key("dates", _TEXT),
        _key("month"),
        _key("product"),
        sa.PrimaryKeyConstraint("dates", "month", "product"),
        sqlite_with_rowid=False,
    )
