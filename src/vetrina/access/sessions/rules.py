"""Browser sessions on the site's own pages: a signed cookie, and nonces that belong to it.

A session is not stored: the cookie has the account and the expiry, signed together with the stored hash of the
account's password, so that a new password ends every session. Only a signed-out session is stored until it expires, so
that a copy of its cookie is useless. A nonce proves that a request comes from a page of this site: browsers send the
cookie along with forged requests of other sites too. Sign-in: access/sign_in/rules.py. Rules:
docs/rules/authentication.md, 4 (nonces are required of cookie sessions only); RFC 6265 (cookies), its draft for
`__Host-` and Lax.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, exists, select

from vetrina.access.sign_in.guess_limiter import GuessCounter, SecretKind
from vetrina.access.users.rules import USER_COLUMNS, row_to_user
from vetrina.backends.database import Database, Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.core import account, ended_session
from vetrina.core.unit_of_work import SiteContext
from vetrina.core.user import User
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import compute_digest, generate_key, is_equal_secret
from vetrina.kernel.site_paths import get_base_path

INTERFACE_ACTION: Final = "interface"  # action of the nonces in requests to the interface
_LIFETIME_SECONDS: Final = 2 * 24 * 3600  # seconds
_NONCE_TICK_SECONDS: Final = 12 * 3600  # seconds; a nonce is valid in the half day that created it and in the next
_NONCE_LENGTH: Final = 20  # characters
_KEY_BYTES: Final = 12
_MAX_COOKIE_LENGTH: Final = 300  # characters of a cookie's value; ours are shorter
SESSION_COOKIE: Final = "cms_session"

_SELECT_ACCOUNT = Statement(
    select(*USER_COLUMNS, account.c.password, exists().where(ended_session.c.digest == bindparam("digest"))).where(
        account.c.id == bindparam("id")
    )
)
_INSERT_ENDED = Statement(
    build_upsert(
        ended_session,
        keys=("digest",),
        values={"digest": bindparam("digest"), "until": bindparam("until")},
        changes={"until": bindparam("until")},
    )
)
_DELETE_EXPIRED = Statement(delete(ended_session).where(ended_session.c.until <= bindparam("now")))


class BrowserSession(msgspec.Struct, frozen=True):
    """An active session. key: identifies it among those of the same account."""

    user: User
    key: str


def format_cookie_name(origin: str, name: str) -> str:
    """Return the name of a cookie: over HTTPS one that no other host can set, or no page without HTTPS.

    The former is only for cookies of a whole host.
    """
    if not origin.startswith("https:"):
        return name
    return f"__Secure-{name}" if get_base_path(origin) else f"__Host-{name}"


def format_cookie(origin: str, name: str, value: str, seconds: int | None = None) -> str:
    """Return a Set-Cookie header; seconds: its lifetime, None until the browser is closed."""
    age = "" if seconds is None else f"; Max-Age={seconds}"
    path = get_base_path(origin) or "/"
    secure = "; Secure" if origin.startswith("https:") else ""
    return f"{format_cookie_name(origin, name)}={value}; Path={path}; HttpOnly; SameSite=Lax{secure}{age}"


def build_session_cookie(site: SiteContext, origin: str, user: User, stored: str) -> str:
    """Return the Set-Cookie header that starts a session; stored: the hash of the account's password."""
    key = f"{user.id}.{site.clock.now() + _LIFETIME_SECONDS}.{generate_key(_KEY_BYTES)}"
    return format_cookie(origin, SESSION_COOKIE, f"{key}.{_sign_session(site, key, stored)}", _LIFETIME_SECONDS)


def end_session(site: SiteContext, database: Database, origin: str, session: BrowserSession) -> str:
    """End a session wherever its cookie is, and return the Set-Cookie header that removes it from this browser."""
    with database.begin_write() as tx:
        tx.run(_DELETE_EXPIRED, now=site.clock.now())
        tx.run(_INSERT_ENDED, digest=_compute_ended_digest(site, session.key), until=int(session.key.split(".")[1]))
    return format_cookie(origin, SESSION_COOKIE, "", 0)


def find_session(site: SiteContext, database: Database, value: str, guesses: GuessCounter) -> BrowserSession | None:
    """Return the session proved by the value of a cookie, None for none. Raises TooManyGuesses."""
    key, _, signature = value.rpartition(".")
    parts = key.split(".")
    if len(value) > _MAX_COOKIE_LENGTH or len(parts) != 3:
        return None
    id, until = parse_digits(parts[0]), parse_digits(parts[1])
    if id is None or until is None or until <= site.clock.now():
        return None
    keys = guesses.build_keys(SecretKind.SESSION, id)
    with database.begin_read() as tx:
        guesses.require(tx, SecretKind.SESSION, keys)
        row = tx.first(_SELECT_ACCOUNT, id=id, digest=_compute_ended_digest(site, key))
    *columns, stored, is_ended = row or ("", True)
    right = is_equal_secret(signature, _sign_session(site, key, stored))
    if not right:
        guesses.add_wrong_guess(keys, value)
        guesses.store(database)
    return BrowserSession(row_to_user(tuple(columns), site.roles), key) if right and stored and not is_ended else None


def create_nonce(site: SiteContext, key: str, action: str = INTERFACE_ACTION) -> str:
    """Return a nonce; key: of the session, or another secret that only the browser has; action: what it allows."""
    return _compute_nonce(site, key, action, site.clock.now() // _NONCE_TICK_SECONDS)


def is_valid_nonce(site: SiteContext, key: str, given: object, action: str = INTERFACE_ACTION) -> bool:
    """Return whether a nonce is valid for this action and not older than a day."""
    tick = site.clock.now() // _NONCE_TICK_SECONDS
    return isinstance(given, str) and any(
        is_equal_secret(given, _compute_nonce(site, key, action, at)) for at in (tick, tick - 1)
    )


def _compute_nonce(site: SiteContext, key: str, action: str, tick: int) -> str:
    return compute_digest(site.settings.secret, f"nonce\n{action}\n{key}\n{tick}")[:_NONCE_LENGTH]


def _compute_ended_digest(site: SiteContext, key: str) -> str:
    return compute_digest(site.settings.secret, f"ended\n{key}")


def _sign_session(site: SiteContext, key: str, stored: str) -> str:
    return compute_digest(site.settings.secret, f"session\n{key}\n{stored}")
