"""Roles that were made or changed over the interface."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "role",
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("label", _TEXT, nullable=False),
        sa.Column("capabilities", _TEXT, nullable=False),
        sa.Column("types", _TEXT, nullable=False),
        sa.Column("languages", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
    )
