"""Sessions are stored, each with its device and its latest use; those of before end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.drop_table("ended_session")
    op.create_table(
        "session",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("account", _NUMBER, nullable=False),
        *(sa.Column(name, _TEXT, nullable=False) for name in ("kind", "name", "digest")),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("created", "last_used", "until")),
        *(sa.Column(name, _TEXT, nullable=False) for name in ("address", "agent", "scopes")),
        sa.ForeignKeyConstraint(["account"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("session_by_account", "session", ["account", "last_used"])
    op.create_index("session_by_until", "session", ["until"])
