"""What goods cost the shop itself is kept: of products, and of lines of orders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "product_cost",
        sa.Column("record", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=True),
        sa.Column("is_additive", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_table(
        "order_item_cost",
        sa.Column("item", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["item"], ["order_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item"),
    )
