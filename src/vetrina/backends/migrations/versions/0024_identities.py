"""People sign in by accounts that they have elsewhere, and are told of devices that are new."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "identity",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("provider", _TEXT, nullable=False),
        sa.Column("issuer", _TEXT, nullable=False),
        sa.Column("subject", _TEXT, nullable=False),
        sa.Column("account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
        sa.Column("email", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger(), nullable=False),
        sa.Column("made_account", sa.Boolean(), nullable=False),
    )
    op.create_index("identity_by_subject", "identity", ["provider", "issuer", "subject"], unique=True)
    op.create_index("identity_by_account", "identity", ["account", "created"])
    op.create_table(
        "known_device",
        sa.Column(
            "account",
            _NUMBER,
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("digest", _TEXT, primary_key=True),
        sa.Column("seen", sa.BigInteger(), nullable=False),
    )
    op.create_index("known_device_by_seen", "known_device", ["seen"])
