"""The tables of accounts, their application passwords, links to choose a new password, and failed guesses.

Sessions: backends/tables/sessions.py.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Table,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

account = Table(
    "account",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("login", TEXT, nullable=False),
    Column("login_key", TEXT, nullable=False, unique=True),
    Column("email", TEXT, nullable=False),
    Column("email_key", TEXT, nullable=False, unique=True),
    Column("slug", TEXT, nullable=False, unique=True),
    Column("name", TEXT, nullable=False),
    Column("name_key", TEXT, nullable=False),
    Column("first_name", TEXT, nullable=False),
    Column("last_name", TEXT, nullable=False),
    Column("nickname", TEXT, nullable=False),
    Column("url", TEXT, nullable=False),
    Column("description", TEXT, nullable=False),
    Column("locale", TEXT, nullable=False),
    Column("roles", TEXT, nullable=False),
    Column("capabilities", TEXT, nullable=False),
    Column("password", TEXT, nullable=False),
    Column("registered", BigInteger, nullable=False),
    Column("meta", TEXT, nullable=False),
    # With all that a search looks at, so that it reads no accounts but those that it finds.
    Index("account_by_name", "name_key", "id", "email_key", "login_key", "slug", "url"),
    Index("account_by_registered", "registered", "id"),
)

app_password = Table(
    "app_password",
    METADATA,
    Column("uuid", TEXT, primary_key=True),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("app_id", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    Column("last_ip", TEXT),
    Index("app_password_by_account", "account", "created"),
)

# Failed guesses at secrets (access/sign_in/guess_limiter.py). `key`: digest of the client and of what it guessed at.
failure = Table(
    "failure",
    METADATA,
    Column("key", TEXT, primary_key=True),
    Column("count", NUMBER, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("failure_by_at", "at"),
)

# Links to choose a new password (access/passwords/reset.py). `digest`: of the key.
password_reset = Table(
    "password_reset",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("digest", TEXT, nullable=False),
    Column("until", BigInteger, nullable=False),
)
