"""One-time codes, recovery codes and passkeys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "one_time_code",
        sa.Column(
            "account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("secret", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("confirmed", sa.BigInteger()),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "recovery_code",
        sa.Column("digest", _TEXT, primary_key=True),
        sa.Column("account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("recovery_code_by_account", "recovery_code", ["account"])
    op.create_table(
        "passkey",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
        sa.Column("credential", _TEXT, nullable=False, unique=True),
        sa.Column("public_key", _TEXT, nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("transports", _TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger()),
    )
    op.create_index("passkey_by_account", "passkey", ["account", "created"])
    op.create_table(
        "spent_challenge",
        sa.Column("digest", _TEXT, primary_key=True),
        sa.Column("until", sa.BigInteger(), nullable=False),
    )
    op.create_index("spent_challenge_by_until", "spent_challenge", ["until"])
