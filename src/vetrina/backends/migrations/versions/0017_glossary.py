"""The glossary: what terms are called in the other languages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "mlang_glossary",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("term", _TEXT, nullable=False),
        sa.Column("source_language", _TEXT, nullable=False),
        sa.Column("language", _TEXT, nullable=False),
        sa.Column("translation", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("case_sensitive", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
    )
    op.create_index("mlang_glossary_by_term", "mlang_glossary", ["source_language", "language", "term"], unique=True)
