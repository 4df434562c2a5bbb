"""What gateways are asked for and what they report is kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "payment_attempt",
        sa.Column("id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("order", _NUMBER, nullable=False),
        sa.Column("parent", _NUMBER, nullable=False),
        sa.Column("gateway", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", _TEXT, nullable=False),
        sa.Column("reference", _TEXT, nullable=False),
        sa.Column("message", _TEXT, nullable=False),
        sa.Column("redirect_url", _TEXT, nullable=False),
        sa.Column("details", _TEXT, nullable=False),
        sa.Column("cart", _TEXT, nullable=False),
        sa.Column("refund", _NUMBER, nullable=False),
        sa.Column("tries", _NUMBER, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("payment_attempt_by_order", "payment_attempt", ["order", "id"])
    op.create_index("payment_attempt_by_reference", "payment_attempt", ["gateway", "reference"])
    op.create_table(
        "payment_event",
        sa.Column("gateway", _TEXT, nullable=False),
        sa.Column("event", _TEXT, nullable=False),
        sa.Column("attempt", _NUMBER, nullable=False),
        sa.Column("payment", _TEXT, nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=True),
        sa.Column("currency", _TEXT, nullable=False),
        sa.Column("message", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("gateway", "event"),
    )
    op.create_index("payment_event_by_payment", "payment_event", ["gateway", "payment", "attempt"])
