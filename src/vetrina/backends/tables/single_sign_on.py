"""The tables of sign-in by a provider and of notices: identities, and devices that an account was used from."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# Accounts of providers (access/single_sign_on/store.py). `subject`: what the provider calls the person; `email`: that
# it gave last; `made_account`: whether the account was made for it.
identity = Table(
    "identity",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("provider", TEXT, nullable=False),
    Column("issuer", TEXT, nullable=False),
    Column("subject", TEXT, nullable=False),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("email", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger, nullable=False),
    Column("made_account", Boolean, nullable=False),
    Index("identity_by_subject", "provider", "issuer", "subject", unique=True),
    Index("identity_by_account", "account", "created"),
)

# Devices (access/notices/devices.py). `digest`: of the program and the network; `seen`: last.
known_device = Table(
    "known_device",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("digest", TEXT, primary_key=True),
    Column("seen", BigInteger, nullable=False),
    Index("known_device_by_seen", "seen"),
)
