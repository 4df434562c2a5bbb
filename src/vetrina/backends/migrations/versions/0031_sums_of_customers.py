"""What customers bought in days and months, counted in the background, and an index with all that averages need."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "rollup_customer",
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("unit", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("block", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "unit", "block"),
    )
    op.drop_index("fact_customer_by_spend", "fact_customer")
    op.create_index("fact_customer_by_spend", "fact_customer", ["spend", "id", "orders", "gone"])
