"""Authentication by access tokens, which hold as long as their session does.

What a token proved is cached in a process, with the position of the change log: while nothing was written since, a
request costs one small read; after a write one more, which sees at once that a session has ended, or what its account
may do now. Rules: docs/rules/tokens.md, 3 and 4.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.sessions import store as sessions
from vetrina.access.tokens.access_tokens import (
    MAX_TOKEN_LENGTH,
    UnverifiedToken,
    get_issuer,
    read_unverified,
    verify_access_token,
)
from vetrina.access.tokens.model import AccessClaims, AccessTokenExpired, InvalidAccessToken, TokenSessionEnded
from vetrina.access.tokens.scopes import parse_scopes
from vetrina.access.tokens.signing_keys import load_private_key
from vetrina.access.users.rules import USER_COLUMNS, row_to_user
from vetrina.backends import change_log
from vetrina.backends.database import Database, Row, Statement, Transaction
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.sessions import session as session_table
from vetrina.backends.tables.tokens import signing_key
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.encryption import CannotDecrypt

_USE_INTERVAL: Final = 300  # seconds between two updates of a session's latest use
_MAX_KNOWN_TOKENS: Final = 4096  # tokens cached per process

_SELECT_SESSION = Statement(
    select(*USER_COLUMNS, session_table.c.until, session_table.c.last_used)
    .join(session_table, session_table.c.account == account.c.id)
    .join(signing_key, signing_key.c.kid == bindparam("kid"))
    .where(session_table.c.id == bindparam("id"))
)
_SELECT_KEY = Statement(select(signing_key.c.sealed).where(signing_key.c.kid == bindparam("kid")))


class _KnownToken:
    """A token whose signature was right, and what its session was when the change log was at `sequence`."""

    __slots__ = ("claims", "kid", "last_used", "row", "sequence", "until", "user")

    def __init__(self, claims: AccessClaims, kid: str) -> None:
        self.claims, self.kid, self.sequence = claims, kid, -1
        self.row: Row = ()

    def take_row(self, site: SiteContext, row: Row) -> None:
        if row != self.row:
            *columns, self.until, self.last_used = row
            self.user = msgspec.structs.replace(
                row_to_user(tuple(columns), site.roles), session=self.claims.sid,
                scopes=parse_scopes(self.claims.scope),
            )  # fmt: skip
            self.row = row


# The cache per database, by a digest under a key of the process: no token stays in memory.
_known_tokens: WeakKeyDictionary[Database, dict[bytes, _KnownToken]] = WeakKeyDictionary()
_KEY = secrets.token_bytes(32)


def authenticate_by_token(site: SiteContext, database: Database, token: str, address: str) -> User | None:
    """Return the account of an access token; None for a text that this site never gave anybody.

    address: the client's. Raises InvalidAccessToken, AccessTokenExpired, TokenSessionEnded.
    """
    memory = _known_tokens.setdefault(database, {})
    digest = hashlib.blake2b(token.encode(errors="replace"), key=_KEY, digest_size=16).digest()
    known = memory.get(digest)
    if known is None:
        unverified = read_unverified(token)
        if unverified is None:
            return None
        known = _verify_token(site, database, token, unverified)
        if known is None:
            return None
    try:
        user = _require_session(site, database, known, address)
    except InvalidAccessToken:
        memory.pop(digest, None)
        raise
    if digest not in memory:
        if len(memory) >= _MAX_KNOWN_TOKENS:
            memory.clear()
        memory[digest] = known
    return user


def forget_known_tokens(database: Database) -> None:
    """Drop the cached tokens of a database that was replaced."""
    _known_tokens.pop(database, None)


def _verify_token(site: SiteContext, database: Database, token: str, unverified: UnverifiedToken) -> _KnownToken | None:
    """Return a token that a key of the site signed; None where neither its key nor its issuer is the site's."""
    with database.begin_read() as tx:
        row = tx.first(_SELECT_KEY, kid=unverified.kid) if unverified.kid else None
    if row is None:
        if unverified.claims.get("iss") == get_issuer(site):
            raise InvalidAccessToken
        return None
    if len(token) > MAX_TOKEN_LENGTH:
        raise InvalidAccessToken
    try:
        key = load_private_key(site.settings.secret, unverified.kid, str(row[0]))
    except CannotDecrypt:
        # It was sealed before the site's secret was changed, perhaps because that had leaked.
        raise InvalidAccessToken from None
    return _KnownToken(verify_access_token(site, token, unverified, key), unverified.kid)


def _require_session(site: SiteContext, database: Database, known: _KnownToken, address: str) -> User:
    """Return the account of a token whose session goes on. Raises AccessTokenExpired, TokenSessionEnded."""
    now = site.clock.now()
    if known.claims.exp <= now:
        raise AccessTokenExpired
    with database.begin_read() as tx:
        _revalidate(site, tx, known)
    if known.until <= now:
        raise TokenSessionEnded
    if now - known.last_used >= _USE_INTERVAL:
        with database.begin_write() as tx:
            sessions.update_last_use(tx, known.claims.sid, now, address)
        known.last_used = now
    return known.user


def _revalidate(site: SiteContext, tx: Transaction, known: _KnownToken) -> None:
    """Read the session of a token again if anything was written since. Raises TokenSessionEnded."""
    sequence = change_log.get_latest_sequence(tx)
    if sequence == known.sequence:
        return
    row = tx.first(_SELECT_SESSION, kid=known.kid, id=known.claims.sid)
    if row is None:
        raise TokenSessionEnded
    known.take_row(site, row)
    if str(known.user.id) != known.claims.sub or not known.user.scopes:
        raise InvalidAccessToken
    known.sequence = sequence
