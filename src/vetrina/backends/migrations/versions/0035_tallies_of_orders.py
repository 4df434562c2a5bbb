"""How many orders have each status; on PostgreSQL, indexes of the names of their lines."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "order_tally",
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("count", _NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("status"),
    )
    op.execute("INSERT INTO order_tally (status, count) SELECT status, count(*) FROM shop_order GROUP BY status")
    if op.get_bind().dialect.name == "sqlite":
        return
    op.execute(
        "CREATE INDEX order_item_by_name ON order_item (name, owner) WHERE kind = 'line' AND length(name) <= 500"
    )
    op.execute("CREATE INDEX order_item_long_name ON order_item (owner) WHERE kind = 'line' AND length(name) > 500")
