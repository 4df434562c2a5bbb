"""Sessions of browsers: a cookie with the session's id and a random key.

Of the key a digest is stored, so that a copy of the database signs nobody in. A cookie alone proves no write
(access/sessions/nonces.py). Rules: docs/rules/sessions.md, 2.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.sessions import cookies, store
from vetrina.access.sessions.model import BrowserSession, SessionClient, SessionKind
from vetrina.access.sessions.rules import compute_key_digest, start_session
from vetrina.access.sign_in.guess_limiter import GuessCounter, SecretKind
from vetrina.access.users.rules import USER_COLUMNS, row_to_user
from vetrina.backends.database import Database, Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.sessions import session as table
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import is_equal_secret

_DAY: Final = 86_400  # seconds
_USE_INTERVAL: Final = 300  # seconds between two updates of a session's latest use
_MAX_COOKIE_LENGTH: Final = 100  # characters of a cookie's value; ours are shorter

_SELECT_BY_COOKIE = Statement(
    select(*USER_COLUMNS, table.c.digest, table.c.until, table.c.last_used)
    .join(table, table.c.account == account.c.id)
    .where(table.c.id == bindparam("id"), table.c.kind == SessionKind.BROWSER.value)
)


def start_browser_session(work: UnitOfWork, user: User, client: SessionClient) -> str:
    """Start the session of a browser and return the Set-Cookie header that does it."""
    seconds = work.site.profile.accounts.session_days * _DAY
    session, key = start_session(work, user, SessionKind.BROWSER, client, seconds=seconds)
    return cookies.format_cookie(work.origin, cookies.SESSION_COOKIE, f"{session.id}.{key}", seconds)


def find_browser_session(
    site: SiteContext, database: Database, value: str, guesses: GuessCounter, client: SessionClient
) -> BrowserSession | None:
    """Return the session that a cookie's value proves, None for none. Raises TooManyGuesses."""
    id, _, key = value.partition(".")
    if not key or len(value) > _MAX_COOKIE_LENGTH or not value.isascii():
        return None
    keys, now = guesses.build_keys(SecretKind.SESSION, id), site.clock.now()
    with database.begin_read() as tx:
        row = tx.first(_SELECT_BY_COOKIE, id=id)
        # Whoever does not know the id guesses at nothing: browsers go on sending what has ended.
        if row is None:
            return None
        guesses.require(tx, SecretKind.SESSION, keys)
    *columns, digest, until, last_used = row
    if not is_equal_secret(digest, compute_key_digest(site, id, key)):
        guesses.add_wrong_guess(keys, value)
        guesses.store(database)
        return None
    if until <= now:
        return None
    if now - last_used >= _USE_INTERVAL:
        with database.begin_write() as tx:
            store.update_last_use(tx, id, now, client.address)
    user = row_to_user(tuple(columns), site.roles)
    return BrowserSession(msgspec.structs.replace(user, session=id), key, id)
