"""The tables of what people do with their own accounts: registering, a new mail address, their personal data.

A `digest` is that of a key in a mail; empty until the mail was sent. Instants are whole seconds since 1970 in GMT.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, LargeBinary, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# Accounts that wait for their address to be confirmed. `password`: its hash, empty where it is chosen later.
registration = Table(
    "registration",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("email", TEXT, nullable=False),
    Column("email_key", TEXT, nullable=False),
    Column("login", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("locale", TEXT, nullable=False),
    Column("password", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("registration_by_email", "email_key"),
    Index("registration_by_digest", "digest"),
    Index("registration_by_until", "until"),
)

# The address that an account has proved to read, and when.
confirmed_email = Table(
    "confirmed_email",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("email_key", TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# A change of an account's address, until both addresses have agreed.
email_change = Table(
    "email_change",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("id", TEXT, nullable=False),
    Column("email", TEXT, nullable=False),
    Column("old_email", TEXT, nullable=False),
    Column("new_digest", TEXT, nullable=False),
    Column("old_digest", TEXT, nullable=False),
    Column("new_agreed", BigInteger),
    Column("old_agreed", BigInteger),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("email_change_by_new", "new_digest"),
    Index("email_change_by_old", "old_digest"),
    Index("email_change_by_until", "until"),
)

# Requests for a copy of personal data, or for its erasure. `account`: 0 for a person without one; `email`: empty once
# the person is erased. `digest`: of the key that confirms it; `file_digest`: of the one that opens the file.
personal_data_request = Table(
    "personal_data_request",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("email", TEXT, nullable=False),
    Column("email_key", TEXT, nullable=False),
    Column("account", NUMBER, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("file_digest", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("confirmed", BigInteger),
    Column("due", BigInteger),
    Column("finished", BigInteger),
    Column("until", BigInteger, nullable=False),
    Index("personal_data_request_by_created", "created", "id"),
    Index("personal_data_request_by_account", "account", "created"),
    Index("personal_data_request_by_email", "email_key", "created"),
    Index("personal_data_request_by_until", "until"),
)

# The file that an export wrote.
personal_data_file = Table(
    "personal_data_file",
    METADATA,
    Column("request", TEXT, ForeignKey("personal_data_request.id", ondelete="CASCADE"), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
