"""Authentication by credentials; failures are reported, counted and rate-limited.

Programs send an application password with each request; people type their own password once, which starts a session
(access/sessions/rules.py). Permissions: access/roles/capabilities.py, access/users/rights.py. Rules:
docs/rules/authentication.md, 1 and 2. Basic credentials that fail in any way are refused at once; other schemes are
anonymous.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from weakref import WeakKeyDictionary

from sqlalchemy import bindparam, select

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.audit import recording as audit_recording
from vetrina.access.passwords.hashing import is_correct_password
from vetrina.access.sessions import browser_sessions, nonces
from vetrina.access.sessions.model import SessionClient
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import GuessCounter, GuessKeys, SecretKind
from vetrina.access.users.rules import USER_COLUMNS, find_user_by_login, load_password_hash, row_to_user
from vetrina.backends import change_log
from vetrina.backends.database import Database, Row, Statement, Transaction
from vetrina.backends.tables.accounts import account, app_password
from vetrina.core.change_source import ChangeSource, SourceKind
from vetrina.core.site_context import SiteContext
from vetrina.core.user import NOBODY, User
from vetrina.kernel.errors import ApiError, Failure


class UnknownLogin(ApiError):
    """The credentials name no account."""

    failure, code = Failure.UNAUTHENTICATED, "invalid_username"
    message = "There is no account with this user name or e-mail address. Check it, or send no credentials."


class IncorrectPassword(ApiError):
    """The password matches none of the account's application passwords; or either part is wrong, unsaid which."""

    failure, code = Failure.UNAUTHENTICATED, "incorrect_password"
    message = "The user name or the application password is wrong. Make a new application password if this one is lost."


class InvalidSessionNonce(ApiError):
    """The nonce belongs to no session, or has expired."""

    failure, code = Failure.FORBIDDEN, "rest_cookie_invalid_nonce"
    message = "The nonce belongs to no session, or is too old. Get a new one, send credentials, or leave it out."


_USE_INTERVAL_SECONDS = 86_400  # seconds between two updates of a password's last use
_MAX_KNOWN_CREDENTIALS = 4096  # credentials cached per process
_COLUMNS = (*USER_COLUMNS, app_password.c.digest, app_password.c.last_used)

_SELECT_CREDENTIALS = Statement(
    select(*_COLUMNS)
    .join(app_password, app_password.c.account == account.c.id)
    .where(app_password.c.uuid == bindparam("uuid"))
)


class _KnownCredentials:
    """Credentials that were valid when the change log was at `sequence`, and the row that proved it."""

    __slots__ = ("place", "row", "sequence", "user", "uuid")

    def __init__(self, place: GuessKeys, uuid: str, row: Row, user: User, sequence: int) -> None:
        self.place, self.uuid, self.row, self.user, self.sequence = place, uuid, row, user, sequence


# The cache per database, by a digest under a key of the process: no password stays in memory.
_known_credentials: WeakKeyDictionary[Database, dict[bytes, _KnownCredentials]] = WeakKeyDictionary()
_KEY = secrets.token_bytes(32)


def authenticate_by_app_password(
    site: SiteContext, database: Database, guesses: GuessCounter, credentials: str, remote: str,
    turn: Transaction | None = None,
) -> tuple[User, bool]:  # fmt: skip
    """Return the account of a login and one of its application passwords, as Basic credentials encode them.

    remote: the client's address. turn: the open write transaction that the request takes part in, if any; also return
    whether it has vouched for the account. Raises UnknownLogin, IncorrectPassword, TooManyFailedSignIns.
    """
    memory = _known_credentials.setdefault(database, {})
    key = hashlib.blake2b(f"{remote}\n{credentials}".encode(errors="replace"), key=_KEY, digest_size=16).digest()
    known = memory.get(key)
    if known is not None:
        # What was committed when another one of the turn signed in is so still: nobody else can write.
        if turn is not None and turn.recall(app_password, key) is known:
            return known.user, True
        user = _revalidate_credentials(site, database, known)
        if user is not None:
            if turn is not None:
                turn.keep(app_password, key, known)
            return user, False
        # Another thread may have found the same.
        memory.pop(key, None)
    known = _verify_credentials(site, database, guesses, credentials, remote)
    if len(memory) >= _MAX_KNOWN_CREDENTIALS:
        memory.clear()
    memory[key] = known
    return known.user, False


def forget_known_credentials(database: Database) -> None:
    """Drop the cached credentials of a database that was replaced."""
    _known_credentials.pop(database, None)


def authenticate_by_password(
    site: SiteContext, database: Database, guesses: GuessCounter, login: str, password: str
) -> User:
    """Return the account for a login and its own password; slow on purpose.

    login: or the e-mail address. Raises IncorrectPassword, TooManyFailedSignIns.
    """
    login = login.strip()
    with database.begin_read() as tx:
        user = find_user_by_login(tx, login, site.roles) or NOBODY
        keys = guesses.build_keys(SecretKind.ACCOUNT, (user.login or login).lower())
        guesses.require(tx, SecretKind.ACCOUNT, keys)
        stored = load_password_hash(tx, user.id) if user else ""
    # Compared without an account too: the time must not reveal which accounts exist.
    if not is_correct_password(stored, password):
        guesses.add_wrong_guess(keys, password, user)
        guesses.store(database)
        raise IncorrectPassword
    return user


def authenticate_by_session(
    site: SiteContext, database: Database, guesses: GuessCounter, cookie: str, nonce: object, client: SessionClient
) -> User:
    """Return the account of a session; cookie: its value. Raises InvalidSessionNonce, TooManyGuesses."""
    session = browser_sessions.find_browser_session(site, database, cookie, guesses, client)
    if session is None or not nonces.is_valid_nonce(site, session.key, nonce):
        raise InvalidSessionNonce
    return session.user


def _revalidate_credentials(site: SiteContext, database: Database, credentials: _KnownCredentials) -> User | None:
    """Return the user of cached credentials if nothing that they depend on has changed."""
    now = site.clock.now()
    with database.begin_read() as tx:
        tx.expect(_SELECT_CREDENTIALS, uuid=credentials.uuid)
        sequence = guess_limiter.require_guess_allowed(site, tx, SecretKind.ACCOUNT, credentials.place)
        if sequence != credentials.sequence:
            if tx.first(_SELECT_CREDENTIALS, uuid=credentials.uuid) != credentials.row:
                return None
            credentials.sequence = sequence
    used = credentials.row[-1]
    return credentials.user if used is not None and now - used < _USE_INTERVAL_SECONDS else None


def _verify_credentials(
    site: SiteContext, database: Database, guesses: GuessCounter, credentials: str, remote: str
) -> _KnownCredentials:
    """Verify credentials that this process has not cached."""
    now, roles = site.clock.now(), site.roles
    login, password = _decode_credentials(credentials)
    # Computed for an unknown login as well: a refusal must take the same time whatever the reason.
    wanted = app_passwords.compute_app_password_digest(site, password)
    with database.begin_read() as tx:
        user = find_user_by_login(tx, login, roles) or NOBODY
        # An account's login and e-mail address are counted as one.
        keys = guesses.build_keys(SecretKind.ACCOUNT, (user.login or login).lower())
        sequence = guess_limiter.require_guess_allowed(site, tx, SecretKind.ACCOUNT, keys)
        found = app_passwords.find_matching_app_password(tx, user.id, wanted)
        row = tx.first(_SELECT_CREDENTIALS, uuid=found.uuid) if found else None
    if found is None or row is None:
        guesses.add_wrong_guess(keys, password, user)
        guesses.store(database)
        raise IncorrectPassword if user or site.profile.one_sign_in_error else UnknownLogin
    if found.last_used is None or now - found.last_used >= _USE_INTERVAL_SECONDS:
        with database.begin_write() as tx:
            app_passwords.update_last_use(tx, found.uuid, now, remote)
            change_log.log_change(tx, "app_password", found.uuid, "changed", now)
            if audit_recording.is_kept(site):
                source = ChangeSource(SourceKind.APP_PASSWORD, found.uuid, remote)
                audit_recording.record_event(tx, now, user, source, "app_password", found.uuid, "used", found.name)
        row = (*row[:-1], now)
    return _KnownCredentials(keys, found.uuid, row, row_to_user(row, roles, found.uuid), sequence)


def _decode_credentials(credentials: str) -> tuple[str, str]:
    """Return login and password; undecodable credentials give an empty login, which no account has."""
    text = "".join(credentials.split())
    try:
        octets = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return "", ""
    login, _, password = octets.decode(errors="replace").partition(":")
    return login.strip(), password
