"""Sessions of people who signed in on the site's own pages: a signed cookie, and nonces that belong to it.

A session is kept nowhere: the cookie says whose it is and until when, signed together with the stored hash of the
account's password, so that a new password ends every session. Only one that somebody signed out of is noted, until its
time is over: a copy of its cookie opens nothing. A nonce proves that a request comes from a page of this site:
browsers send the cookie along with what other sites made up too.
Not here: the password that begins one (access/sign_in/rules.py), the pages (vetrina/pages).
Rules: OVERRIDES, 7 (a nonce is asked only of cookie sessions); RFC 6265 (cookies), its draft for `__Host-` and Lax.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, exists, select

from vetrina.access.sign_in.guess_limiter import Secret, guesses_of
from vetrina.access.users.model import User
from vetrina.access.users.rules import COLUMNS, from_row, has_shop
from vetrina.backends.database import Database, Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.core import account, ended_session
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.integers import whole
from vetrina.kernel.keys import digest, random_key, same
from vetrina.rest.call import Request

__all__ = ["INTERFACE", "Session", "begun", "cookie", "ended", "is_nonce", "named", "nonce", "of_request"]

INTERFACE: Final = "interface"  # what the nonces are for that calls of the interface carry
_LIFE: Final = 2 * 24 * 3600  # seconds
_TICK: Final = 12 * 3600  # seconds; a nonce is good in the half day that made it and in the next
_NONCE: Final = 20  # signs
_OCTETS: Final = 12
_LONGEST: Final = 300  # signs of a cookie's value; ours are shorter
_NAME: Final = "cms_session"

_ACCOUNT = Statement(
    select(*COLUMNS, account.c.password, exists().where(ended_session.c.digest == bindparam("digest"))).where(
        account.c.id == bindparam("id")
    )
)
_END = Statement(
    upsert(
        ended_session,
        keys=("digest",),
        values={"digest": bindparam("digest"), "until": bindparam("until")},
        changes={"until": bindparam("until")},
    )
)
_FORGET = Statement(delete(ended_session).where(ended_session.c.until <= bindparam("now")))


class Session(msgspec.Struct, frozen=True):
    """A session at hand. key: what tells it from others of the same account."""

    user: User
    key: str


def named(request: Request, name: str) -> str:
    """Return the name under which a cookie is kept: over HTTPS one that no other host can set."""
    return f"__Host-{name}" if request.origin.startswith("https:") else name


def cookie(request: Request, name: str, value: str, seconds: int | None = None) -> str:
    """Return a Set-Cookie header; seconds: how long it is kept, None until the browser is closed."""
    age = "" if seconds is None else f"; Max-Age={seconds}"
    secure = "; Secure" if request.origin.startswith("https:") else ""
    return f"{named(request, name)}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}"


def begun(frame: Frame, request: Request, user: User, stored: str) -> str:
    """Return the Set-Cookie header that begins a session; stored: the hash of the account's password."""
    key = f"{user.id}.{frame.clock.now() + _LIFE}.{random_key(_OCTETS)}"
    return cookie(request, _NAME, f"{key}.{_signature(frame, key, stored)}", _LIFE)


def ended(frame: Frame, database: Database, request: Request, session: Session) -> str:
    """End a session wherever its cookie is, and return the Set-Cookie header that takes it from this browser."""
    with database.writing() as tx:
        tx.run(_FORGET, now=frame.clock.now())
        tx.run(_END, digest=_noted(frame, session.key), until=int(session.key.split(".")[1]))
    return cookie(request, _NAME, "", 0)


def of_request(frame: Frame, database: Database, request: Request) -> Session | None:
    """Return the session that a request's cookie proves, None for none. Raises TooManyFailures."""
    value = request.cookie(named(request, _NAME))
    key, _, signature = value.rpartition(".")
    parts = key.split(".")
    if len(value) > _LONGEST or len(parts) != 3:
        return None
    id, until = whole(parts[0]), whole(parts[1])
    if id is None or until is None or until <= frame.clock.now():
        return None
    guesses = guesses_of(frame, request)
    place = guesses.place(Secret.SESSION, id)
    with database.reading() as tx:
        guesses.require(tx, Secret.SESSION, place)
        row = tx.first(_ACCOUNT, id=id, digest=_noted(frame, key))
    *columns, stored, is_ended = row or ("", True)
    right = same(signature, _signature(frame, key, stored))
    if not right:
        guesses.wrong(place, value)
        guesses.store(database)
    return Session(from_row(tuple(columns), has_shop(frame)), key) if right and stored and not is_ended else None


def nonce(frame: Frame, key: str, action: str = INTERFACE) -> str:
    """Return a nonce; key: of the session, or another word that the browser alone keeps; action: what it is for."""
    return _nonce(frame, key, action, frame.clock.now() // _TICK)


def is_nonce(frame: Frame, key: str, given: object, action: str = INTERFACE) -> bool:
    """Say whether a nonce is one for this action, not older than a day."""
    tick = frame.clock.now() // _TICK
    return isinstance(given, str) and any(same(given, _nonce(frame, key, action, at)) for at in (tick, tick - 1))


def _nonce(frame: Frame, key: str, action: str, tick: int) -> str:
    return digest(frame.settings.secret, f"nonce\n{action}\n{key}\n{tick}")[:_NONCE]


def _noted(frame: Frame, key: str) -> str:
    return digest(frame.settings.secret, f"ended\n{key}")


def _signature(frame: Frame, key: str, stored: str) -> str:
    return digest(frame.settings.secret, f"session\n{key}\n{stored}")
