"""The audit trail: who did what, from where."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    texts = ("source", "credential", "address", "agent", "action", "kind", "item", "title", "changes")
    op.create_table(
        "audit_entry",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("account", _NUMBER, nullable=False),
        sa.Column("login", _TEXT, nullable=False),
        *(sa.Column(name, _TEXT, nullable=False) for name in texts),
        sqlite_autoincrement=True,
    )
    op.create_index("audit_entry_by_account", "audit_entry", ["account", "id"])
    op.create_index("audit_entry_by_item", "audit_entry", ["kind", "item", "id"])
