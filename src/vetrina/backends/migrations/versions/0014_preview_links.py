"""Links that show one draft to whoever has them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "preview_link",
        sa.Column("uuid", _TEXT, primary_key=True),
        sa.Column("record", _NUMBER, sa.ForeignKey("record.id", ondelete="CASCADE"), nullable=False),
        sa.Column("account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
        sa.Column("digest", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("revision", _NUMBER, nullable=False),
        sa.Column("autosave", sa.Boolean(), nullable=False),
    )
    op.create_index("preview_link_by_record", "preview_link", ["record", "created"])
    op.create_index("preview_link_by_account", "preview_link", ["account"])
    op.create_index("preview_link_by_until", "preview_link", ["until"])
