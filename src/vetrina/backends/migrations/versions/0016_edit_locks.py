"""Who is editing a record."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "edit_lock",
        sa.Column(
            "record", _NUMBER, sa.ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
    )
    op.create_index("edit_lock_by_account", "edit_lock", ["account"])
    op.create_index("edit_lock_by_until", "edit_lock", ["until"])
