"""Redirects are kept in a table of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "redirect",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("language", _TEXT, nullable=False),
        sa.Column("source", _TEXT, nullable=False),
        sa.Column("prefix", sa.Boolean(), nullable=False),
        sa.Column("target", _TEXT, nullable=False),
        sa.Column("record", _NUMBER, nullable=False),
        sa.Column("status", _NUMBER, nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("origin", _TEXT, nullable=False),
        sa.Column("hits", sa.BigInteger(), nullable=False),
        sa.Column("last_hit", sa.BigInteger()),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
    )
    op.create_index("redirect_by_source", "redirect", ["source", "prefix", "language"], unique=True)
    op.create_index("redirect_by_record", "redirect", ["record"])
