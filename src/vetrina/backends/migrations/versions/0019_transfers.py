"""The journal of imports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "transfer_source",
        sa.Column("source", _TEXT, primary_key=True),
        sa.Column("keep_ids", sa.Boolean(), nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("finished", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "transferred",
        sa.Column("source", _TEXT, primary_key=True),
        sa.Column("resource", _TEXT, primary_key=True),
        sa.Column("item", _TEXT, primary_key=True),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("target", _NUMBER, nullable=False),
        sa.Column("adopted", sa.Boolean(), nullable=False),
        sa.Column("address", _TEXT, nullable=False),
        sa.Column("modified", _TEXT, nullable=False),
        sa.Column("fingerprint", _TEXT, nullable=False),
        sa.Column("pending", _TEXT, nullable=False),
    )
    op.create_index("transferred_by_kind", "transferred", ["source", "kind", "item"])
    op.create_index("transferred_by_address", "transferred", ["source", "address"])
    waiting = sa.text("pending != ''")
    op.create_index(
        "transferred_pending", "transferred", ["source", "resource", "item"],
        sqlite_where=waiting, postgresql_where=waiting,
    )  # fmt: skip
