"""Registering, a change of the mail address, requests about personal data."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_INDEXES = {
    "registration": {
        "registration_by_email": ["email_key"],
        "registration_by_digest": ["digest"],
        "registration_by_until": ["until"],
    },
    "email_change": {
        "email_change_by_new": ["new_digest"],
        "email_change_by_old": ["old_digest"],
        "email_change_by_until": ["until"],
    },
    "personal_data_request": {
        "personal_data_request_by_created": ["created", "id"],
        "personal_data_request_by_account": ["account", "created"],
        "personal_data_request_by_email": ["email_key", "created"],
        "personal_data_request_by_until": ["until"],
    },
}


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, _TEXT, nullable=False) for name in names]


def _instants(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger(), nullable=nullable) for name in names]


def _account() -> sa.Column[int]:
    return sa.Column(
        "account", _NUMBER, sa.ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )


def upgrade() -> None:
    op.create_table(
        "registration",
        sa.Column("id", _TEXT, primary_key=True),
        *_texts("email", "email_key", "login", "name", "locale", "password", "digest"),
        *_instants("created", "until"),
    )
    op.create_table("confirmed_email", _account(), *_texts("email_key"), *_instants("at"))
    op.create_table(
        "email_change",
        _account(),
        *_texts("id", "email", "old_email", "new_digest", "old_digest"),
        *_instants("new_agreed", "old_agreed", nullable=True),
        *_instants("created", "until"),
    )
    op.create_table(
        "personal_data_request",
        sa.Column("id", _TEXT, primary_key=True),
        *_texts("kind", "state", "email", "email_key"),
        sa.Column("account", _NUMBER, nullable=False),
        *_texts("language", "digest", "file_digest"),
        *_instants("created"),
        *_instants("confirmed", "due", "finished", nullable=True),
        *_instants("until"),
    )
    op.create_table(
        "personal_data_file",
        sa.Column("request", _TEXT, sa.ForeignKey("personal_data_request.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    for table, indexes in _INDEXES.items():
        for name, columns in indexes.items():
            op.create_index(name, table, columns)
