"""Which user a request's credentials name; failures are told, counted and slowed.

Not here: what the user may then do (capabilities.py, user_rights.py), sessions of the site's own pages.
Rules: facts, "Authentication"; OVERRIDES, "Wrong credentials are told". Basic credentials that fail in any way are
refused at once; other schemes name nobody.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from weakref import WeakKeyDictionary

from sqlalchemy import and_, bindparam, delete, func, select

from vetrina.backends import journal
from vetrina.backends.database import Database, Row, Statement, Tx
from vetrina.backends.shapes import upsert
from vetrina.backends.tables import account, app_password, change, failure
from vetrina.declare.call import Request
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.kernel.ids import digest

from . import app_passwords
from .user import NOBODY, User
from .users import COLUMNS, by_login_or_email, from_row, has_shop

__all__ = ["IncorrectPassword", "InvalidNonce", "TooManyFailures", "UnknownLogin", "sign_in"]


class UnknownLogin(ApiError):
    """The credentials name no account."""

    status, code = 401, "invalid_username"
    message = "There is no account with this user name or e-mail address. Check it, or send no credentials."


class IncorrectPassword(ApiError):
    """The password is none of the account's application passwords; or either part is wrong and nobody is told which."""

    status, code = 401, "incorrect_password"
    message = "The user name or the application password is wrong. Make a new application password if this one is lost."


class TooManyFailures(ApiError):
    """Wrong credentials came too often from this address for this login."""

    status, code = 429, "too_many_failed_sign_ins"
    message = "Too many wrong passwords for this user name from your address. Try again in {wait} seconds."

    def __init__(self, wait: int) -> None:
        super().__init__(wait=wait)
        self.headers["Retry-After"] = str(wait)


class InvalidNonce(ApiError):
    """A nonce without a session to which it belongs."""

    status, code = 403, "rest_cookie_invalid_nonce"
    message = "The nonce belongs to no session. Send credentials instead, or leave the nonce out."


_DAY = 86_400  # seconds between two notes of a password's use
_MOST_KNOWN = 4096  # credentials that a process remembers
_COLUMNS = (*COLUMNS, app_password.c.digest, app_password.c.last_used)

# One statement for what every signed-in request asks: has anything changed, and must this pair wait?
_STATE = Statement(
    select(
        select(func.max(change.c.sequence)).scalar_subquery(),
        select(failure.c.at)
        .where(
            and_(
                failure.c.key == bindparam("key"),
                failure.c.count >= bindparam("most"),
                failure.c.at > bindparam("since"),
            )
        )
        .scalar_subquery(),
    )
)
_ROW = Statement(
    select(*_COLUMNS)
    .join(app_password, app_password.c.account == account.c.id)
    .where(app_password.c.uuid == bindparam("uuid"))
)
_FORGET = Statement(delete(failure).where(failure.c.at <= bindparam("until")))
_COUNT = Statement(
    upsert(
        failure,
        keys=("key",),
        values={"key": bindparam("key"), "count": 1, "at": bindparam("at")},
        changes={"count": failure.c.count + 1, "at": bindparam("at")},
    )
)


class _Known:
    """Credentials that were good when the change log stood at `sequence`, and the row that proved it."""

    __slots__ = ("failure_key", "row", "sequence", "user", "uuid")

    def __init__(self, failure_key: str, uuid: str, row: Row, user: User, sequence: int) -> None:
        self.failure_key, self.uuid, self.row, self.user, self.sequence = failure_key, uuid, row, user, sequence


# What a process remembers of each database, by a digest under a key of its own: no password stays in memory.
_known: WeakKeyDictionary[Database, dict[bytes, _Known]] = WeakKeyDictionary()
_KEY = secrets.token_bytes(32)


def sign_in(frame: Frame, database: Database, request: Request) -> User:
    """Return the account that the request's credentials name, NOBODY without credentials.

    Raises UnknownLogin, IncorrectPassword, TooManyFailures, InvalidNonce.
    """
    header = request.headers.get("authorization", "")
    scheme, _, credentials = header.strip().partition(" ")
    if scheme.lower() != "basic":
        if "x-cms-nonce" in request.headers or "_cmsnonce" in request.query:
            raise InvalidNonce
        return NOBODY
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


def _still(frame: Frame, database: Database, known: _Known) -> User | None:
    """Return the user of known credentials if nothing that they rest on has changed."""
    now = frame.clock.now()
    with database.reading() as tx:
        sequence = _unhindered(frame, tx, known.failure_key, now)
        if sequence != known.sequence:
            if tx.first(_ROW, uuid=known.uuid) != known.row:
                return None
            known.sequence = sequence
    used = known.row[-1]
    return known.user if used is not None and now - used < _DAY else None


def _examined(frame: Frame, database: Database, request: Request, credentials: str) -> _Known:
    """Return the account of credentials that this process does not know yet."""
    now, shop = frame.clock.now(), has_shop(frame)
    login, password = _decoded(credentials)
    # Worked out for an unknown login as well: what is refused must take the same time whatever the reason.
    wanted = app_passwords.digest_of(frame, password)
    with database.reading() as tx:
        user = by_login_or_email(tx, login, shop) or NOBODY
        # An account's login and e-mail address are counted as one.
        failure_key = digest(frame.settings.secret, f"{request.remote}\n{(user.login or login).lower()}")
        sequence = _unhindered(frame, tx, failure_key, now)
        found = app_passwords.matching(tx, user.id, wanted)
        row = tx.first(_ROW, uuid=found.uuid) if found else None
    if found is None or row is None:
        with database.writing() as tx:
            tx.run(_FORGET, until=now - frame.profile.limits.sign_in_wait)
            tx.run(_COUNT, key=failure_key, at=now)
        raise IncorrectPassword if user or frame.profile.one_sign_in_error else UnknownLogin
    if found.last_used is None or now - found.last_used >= _DAY:
        with database.writing() as tx:
            app_passwords.store_use(tx, found.uuid, now, request.remote)
            journal.note(tx, "app_password", found.uuid, "changed", now)
        row = (*row[:-1], now)
    return _Known(failure_key, found.uuid, row, from_row(row, shop, found.uuid), sequence)


def _unhindered(frame: Frame, tx: Tx, failure_key: str, now: int) -> int:
    """Return where the change log stands. Raises TooManyFailures while this address must wait with this login."""
    limits = frame.profile.limits
    state = tx.first(
        _STATE, key=failure_key, most=limits.sign_in_failures, since=now - limits.sign_in_wait
    )  # fmt: skip
    sequence, failed = state or (None, None)
    if failed is not None:
        raise TooManyFailures(failed + limits.sign_in_wait - now)
    return sequence or 0


def _decoded(credentials: str) -> tuple[str, str]:
    """Return login and password; what cannot be read is an empty login, which no account has."""
    text = "".join(credentials.split())
    try:
        octets = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return "", ""
    login, _, password = octets.decode(errors="replace").partition(":")
    return login.strip(), password
