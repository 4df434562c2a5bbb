"""The keys that sign access tokens, and refresh tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "signing_key",
        sa.Column("kid", _TEXT, primary_key=True),
        sa.Column("sealed", _TEXT, nullable=False),
        sa.Column("public", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("retired", sa.BigInteger()),
    )
    op.create_table(
        "refresh_token",
        sa.Column("digest", _TEXT, primary_key=True),
        sa.Column("session", _TEXT, sa.ForeignKey("session.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger()),
    )
    op.create_index("refresh_token_by_session", "refresh_token", ["session"])
    op.create_index("refresh_token_by_used", "refresh_token", ["used"])
