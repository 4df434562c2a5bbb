"""Statements on signing keys and refresh tokens."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.tokens.model import RefreshToken, SigningKey
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.tables.tokens import refresh_token, signing_key

_KEY_COLUMNS: Final = tuple(signing_key.c[name] for name in SigningKey.__struct_fields__)
_TOKEN_COLUMNS: Final = tuple(refresh_token.c[name] for name in RefreshToken.__struct_fields__)
_NEWEST_FIRST: Final = (signing_key.c.created.desc(), signing_key.c.kid)

_SELECT_KEYS = Statement(select(*_KEY_COLUMNS).order_by(*_NEWEST_FIRST))
_SELECT_CURRENT_KEY = Statement(
    select(*_KEY_COLUMNS).where(signing_key.c.retired.is_(None)).order_by(*_NEWEST_FIRST).limit(1)
)
_INSERT_KEY = Statement(insert(signing_key).values({column.name: bindparam(column.name) for column in signing_key.c}))
_RETIRE_KEYS = Statement(
    update(signing_key).where(signing_key.c.retired.is_(None)).values(retired=bindparam("at"))
)  # fmt: skip
_SELECT_OLD_KEYS = Statement(select(signing_key.c.kid).where(signing_key.c.retired <= bindparam("until")))
_DELETE_KEY = Statement(delete(signing_key).where(signing_key.c.kid == bindparam("kid")))

_SELECT_TOKEN = Statement(select(*_TOKEN_COLUMNS).where(refresh_token.c.digest == bindparam("digest")))
_INSERT_TOKEN = Statement(
    insert(refresh_token).values({column.name: bindparam(column.name) for column in refresh_token.c})
)
_UPDATE_USED = Statement(
    update(refresh_token).where(refresh_token.c.digest == bindparam("of")).values(used=bindparam("used"))
)
_DELETE_USED = Statement(delete(refresh_token).where(refresh_token.c.used <= bindparam("until")))


def list_keys(tx: Transaction) -> list[SigningKey]:
    """Return the signing keys: that which signs, then the newest first."""
    found = [SigningKey(*row) for row in tx.all(_SELECT_KEYS)]
    return sorted(found, key=lambda one: one.retired is not None)


def find_current_key(tx: Transaction) -> SigningKey | None:
    """Return the key that signs."""
    row = tx.first(_SELECT_CURRENT_KEY)
    return SigningKey(*row) if row else None


def insert_key(tx: Transaction, key: SigningKey) -> None:
    """Store a new key."""
    tx.run(_INSERT_KEY, **msgspec.structs.asdict(key))


def retire_keys(tx: Transaction, at: int) -> None:
    """Let no key sign any longer that does."""
    tx.run(_RETIRE_KEYS, at=at)


def list_keys_retired_before(tx: Transaction, until: int) -> list[str]:
    """Return the names of the keys that have not signed since then."""
    return [row[0] for row in tx.all(_SELECT_OLD_KEYS, until=until)]


def delete_key(tx: Transaction, kid: str) -> None:
    """Delete a key; what it signed proves nothing any longer."""
    tx.run(_DELETE_KEY, kid=kid)


def find_refresh_token(tx: Transaction, digest: str) -> RefreshToken | None:
    """Return the refresh token with a digest."""
    row = tx.first(_SELECT_TOKEN, digest=digest)
    return RefreshToken(*row) if row else None


def insert_refresh_token(tx: Transaction, token: RefreshToken) -> None:
    """Store a new refresh token."""
    tx.run(_INSERT_TOKEN, **msgspec.structs.asdict(token))


def update_used(tx: Transaction, digest: str, at: int) -> None:
    """Store that a refresh token was used."""
    tx.run(_UPDATE_USED, of=digest, used=at)


def delete_used_before(tx: Transaction, until: int) -> None:
    """Delete the refresh tokens that were used before then."""
    tx.run(_DELETE_USED, until=until)
