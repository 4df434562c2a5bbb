"""Which user a request's credentials name; failures are told, counted and slowed.

Programs send an application password with each request; people type their own password once, which begins a session
(access/sessions/rules.py). Not here: what the user may then do (access/roles/capabilities.py, access/users/rights.py).
Rules: facts, "Authentication"; OVERRIDES, "Wrong credentials are told". Basic credentials that fail in any way are
refused at once; other schemes name nobody.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from weakref import WeakKeyDictionary

from sqlalchemy import bindparam, select

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Place, Secret, TooManyFailures, guesses_of
from vetrina.access.users.model import NOBODY, User
from vetrina.access.users.rules import COLUMNS, by_login_or_email, from_row, has_shop, stored_password
from vetrina.backends import change_log
from vetrina.backends.database import Database, Row, Statement
from vetrina.backends.tables.core import account, app_password
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Request

__all__ = ["IncorrectPassword", "InvalidNonce", "TooManyFailures", "UnknownLogin", "by_password", "forget", "sign_in"]


class UnknownLogin(ApiError):
    """The credentials name no account."""

    status, code = 401, "invalid_username"
    message = "There is no account with this user name or e-mail address. Check it, or send no credentials."


class IncorrectPassword(ApiError):
    """The password is none of the account's application passwords; or either part is wrong and nobody is told which."""

    status, code = 401, "incorrect_password"
    message = "The user name or the application password is wrong. Make a new application password if this one is lost."


class InvalidNonce(ApiError):
    """A nonce without a session to which it belongs, or one that is too old."""

    status, code = 403, "rest_cookie_invalid_nonce"
    message = "The nonce belongs to no session, or is too old. Get a new one, send credentials, or leave it out."


_DAY = 86_400  # seconds between two notes of a password's use
_MOST_KNOWN = 4096  # credentials that a process remembers
_COLUMNS = (*COLUMNS, app_password.c.digest, app_password.c.last_used)

_ROW = Statement(
    select(*_COLUMNS)
    .join(app_password, app_password.c.account == account.c.id)
    .where(app_password.c.uuid == bindparam("uuid"))
)


class _Known:
    """Credentials that were good when the change log stood at `sequence`, and the row that proved it."""

    __slots__ = ("place", "row", "sequence", "user", "uuid")

    def __init__(self, place: Place, uuid: str, row: Row, user: User, sequence: int) -> None:
        self.place, self.uuid, self.row, self.user, self.sequence = place, uuid, row, user, sequence


# What a process remembers of each database, by a digest under a key of its own: no password stays in memory.
_known: WeakKeyDictionary[Database, dict[bytes, _Known]] = WeakKeyDictionary()
_KEY = secrets.token_bytes(32)


def sign_in(frame: Frame, database: Database, request: Request) -> User:
    """Return the account that the request's credentials name, NOBODY without credentials.

    A session counts only together with its nonce.

    Raises UnknownLogin, IncorrectPassword, TooManyFailures, InvalidNonce.
    """
    header = request.headers.get("authorization", "")
    scheme, _, credentials = header.strip().partition(" ")
    if scheme.lower() != "basic":
        return _by_session(frame, database, request)
    memory = _known.setdefault(database, {})
    key = hashlib.blake2b(f"{request.remote}\n{header}".encode(errors="replace"), key=_KEY, digest_size=16).digest()
    known = memory.get(key)
    if known is not None:
        user = _still(frame, database, known)
        if user is not None:
            return user
        del memory[key]
    known = _examined(frame, database, request, credentials)
    if len(memory) >= _MOST_KNOWN:
        memory.clear()
    memory[key] = known
    return known.user


def forget(database: Database) -> None:
    """Forget which credentials of a database were good: it holds others now."""
    _known.pop(database, None)


def by_password(frame: Frame, database: Database, request: Request, login: str, password: str) -> tuple[User, str]:
    """Return the account whose own password somebody typed, with the stored hash; slow on purpose.

    login: or the e-mail address. Raises IncorrectPassword, TooManyFailures.
    """
    guesses, login = guesses_of(frame, request), login.strip()
    with database.reading() as tx:
        user = by_login_or_email(tx, login, has_shop(frame)) or NOBODY
        place = guesses.place(Secret.ACCOUNT, (user.login or login).lower())
        guesses.require(tx, Secret.ACCOUNT, place)
        stored = stored_password(tx, user.id) if user else ""
    # Compared where there is nothing to compare with, too: the time must not tell which accounts exist.
    matches = password_hashing.matches(stored or password_hashing.nobodys(), password)
    if not (matches and stored):
        guesses.wrong(place, password)
        guesses.store(database)
        raise IncorrectPassword
    return user, stored


def _by_session(frame: Frame, database: Database, request: Request) -> User:
    """Return the account of the request's session, NOBODY when no nonce is given.

    Raises InvalidNonce, TooManyFailures.
    """
    nonce = request.headers.get("x-cms-nonce", request.query.get("_cmsnonce"))
    if nonce is None:
        return NOBODY
    session = sessions.of_request(frame, database, request)
    if session is None or not sessions.is_nonce(frame, session.key, nonce):
        raise InvalidNonce
    return session.user


def _still(frame: Frame, database: Database, known: _Known) -> User | None:
    """Return the user of known credentials if nothing that they rest on has changed."""
    now = frame.clock.now()
    with database.reading() as tx:
        sequence = guess_limiter.standing(frame, tx, Secret.ACCOUNT, known.place)
        if sequence != known.sequence:
            if tx.first(_ROW, uuid=known.uuid) != known.row:
                return None
            known.sequence = sequence
    used = known.row[-1]
    return known.user if used is not None and now - used < _DAY else None


def _examined(frame: Frame, database: Database, request: Request, credentials: str) -> _Known:
    """Return the account of credentials that this process does not know yet."""
    now, shop, guesses = frame.clock.now(), has_shop(frame), guesses_of(frame, request)
    login, password = _decoded(credentials)
    # Worked out for an unknown login as well: what is refused must take the same time whatever the reason.
    wanted = app_passwords.digest_of(frame, password)
    with database.reading() as tx:
        user = by_login_or_email(tx, login, shop) or NOBODY
        # An account's login and e-mail address are counted as one.
        place = guesses.place(Secret.ACCOUNT, (user.login or login).lower())
        sequence = guess_limiter.standing(frame, tx, Secret.ACCOUNT, place)
        found = app_passwords.matching(tx, user.id, wanted)
        row = tx.first(_ROW, uuid=found.uuid) if found else None
    if found is None or row is None:
        guesses.wrong(place, password)
        guesses.store(database)
        raise IncorrectPassword if user or frame.profile.one_sign_in_error else UnknownLogin
    if found.last_used is None or now - found.last_used >= _DAY:
        with database.writing() as tx:
            app_passwords.store_use(tx, found.uuid, now, request.remote)
            change_log.note(tx, "app_password", found.uuid, "changed", now)
        row = (*row[:-1], now)
    return _Known(place, found.uuid, row, from_row(row, shop, found.uuid), sequence)


def _decoded(credentials: str) -> tuple[str, str]:
    """Return login and password; what cannot be read is an empty login, which no account has."""
    text = "".join(credentials.split())
    try:
        octets = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return "", ""
    login, _, password = octets.decode(errors="replace").partition(":")
    return login.strip(), password
