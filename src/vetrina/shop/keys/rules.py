"""Consumer keys: pairs of key and secret by which programs use the shop as an account.

Sent as Basic credentials, as two parameters, or as an OAuth 1.0a signature (RFC 5849, one-legged: no token) with a
recent timestamp and an unused nonce. They are valid on the shop's routes only. Not here: what a signature covers
(shop/keys/signatures.py), rights of the account (shop/rights.py), application passwords
(access/app_passwords/rules.py).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.sign_in.guess_limiter import SecretKind, get_request_guesses
from vetrina.access.users import rules as users
from vetrina.backends.database import Database, Row, Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.taxes_shipping import shop_key as table, shop_nonce
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import compute_digest, generate_letters, is_equal_secret
from vetrina.rest.call import Request
from vetrina.shop.keys.signatures import OAuthSignature, SignatureMismatch, find_signature

__all__ = [
    "PERMISSIONS",
    "ConsumerKeyRefused",
    "ShopKey",
    "authenticate_consumer_key",
    "create_consumer_key",
    "list_consumer_keys",
    "revoke_consumer_key",
]

PERMISSIONS: Final = ("read", "write", "read_write")
CLOCK_TOLERANCE: Final = 15 * 60  # seconds by which the clocks of a client and the server may differ

_PREFIXES: Final = ("/shop/", "/shop-")
_KEY, _SECRET = "ck_", "cs_"
_LETTERS: Final = 40
_TAIL: Final = 7
SECRET_PURPOSE: Final = "shop_key"
_DAY: Final = 86_400
_READ_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_Read = TypeVar("_Read")
_NONCE = re.compile(r"[!-~]{1,255}")


class ConsumerKeyRefused(ApiError):
    """The credentials are unknown, or do not allow this request."""

    failure, code = Failure.UNAUTHENTICATED, "shop_rest_authentication_error"
    message = "{why}"


class ShopKey(msgspec.Struct, frozen=True):
    """A key without its secret parts. tail: its last characters. created, last_used: seconds since 1970."""

    id: int
    account: int
    description: str
    permissions: str
    tail: str
    created: int
    last_used: int | None


_COLUMNS = (
    table.c.id, table.c.account, table.c.description, table.c.permissions, table.c.tail, table.c.created,
    table.c.last_used,
)  # fmt: skip
_ALL = Statement(select(*_COLUMNS).order_by(table.c.id))
_BY_DIGEST = Statement(select(*_COLUMNS, table.c.secret).where(table.c.digest == bindparam("digest")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")).returning(table.c.id))
_USED = Statement(update(table).where(table.c.id == bindparam("of")).values(last_used=bindparam("now")))
_FIND_NONCE = Statement(
    select(shop_nonce.c.at).where(shop_nonce.c.key == bindparam("key"), shop_nonce.c.nonce == bindparam("nonce"))
)
_INSERT_NONCE = Statement(insert(shop_nonce).values(key=bindparam("key"), nonce=bindparam("nonce"), at=bindparam("at")))
_DELETE_OLD_NONCES = Statement(delete(shop_nonce).where(shop_nonce.c.at < bindparam("before")))


def create_consumer_key(
    work: UnitOfWork, account: int, permissions: str, description: str = "", *, key: str = "", secret: str = ""
) -> tuple[ShopKey, str, str]:
    """Create a key and return it with its consumer key and consumer secret, which cannot be read again.

    key, secret: given values, for accounts that are set up from a file; random by default.
    """
    key, secret = key or _KEY + generate_letters(_LETTERS), secret or _SECRET + generate_letters(_LETTERS)
    settings = work.frame.settings
    made = ShopKey(allocate_id(work.tx, "shop_key"), account, description, permissions, key[-_TAIL:], work.now, None)
    work.tx.run(
        _INSERT,
        digest=compute_digest(settings.secret, key),
        secret=encrypt_text(settings.secret, SECRET_PURPOSE, secret),
        **msgspec.structs.asdict(made),
    )
    work.note("shop_key", made.id, "created")
    return made, key, secret


def list_consumer_keys(work: UnitOfWork) -> list[ShopKey]:
    """Return all keys."""
    return [ShopKey(*row) for row in work.tx.all(_ALL)]


def revoke_consumer_key(work: UnitOfWork, id: int) -> bool:
    """Revoke a key and return whether it existed."""
    gone = work.tx.first(_REMOVE, id=id)
    if gone is not None:
        work.note("shop_key", id, "removed")
    return gone is not None


def authenticate_consumer_key(frame: SiteContext, database: Database, request: Request) -> User | None:
    """Return the account whose consumer key authenticates a request; None without one, or outside the shop.

    Raises ConsumerKeyRefused, TooManyFailedSignIns.
    """
    if not request.path.startswith(_PREFIXES):
        return None
    signed = _check_signature(lambda: find_signature(request))
    if signed is not None:
        request.check_body_path = lambda path_params: _check_signature(lambda: signed.check_path(path_params))
        if request.unread:
            request.verify_body = lambda: _check_signature(signed.check_body)
        return _authenticate_signature(frame, database, request, signed)
    pair = _find_credentials(request)
    if pair is None:
        return None
    row = _find_key_row(frame, database, request, pair[0])
    if row is None or not is_equal_secret(_decrypt_secret(frame, row), pair[1]):
        _count_wrong_guess(frame, database, request, *pair)
        raise ConsumerKeyRefused(why="The consumer key or the consumer secret is wrong.")
    return _get_account(frame, database, request, row)


# -- key and secret


def _find_credentials(request: Request) -> tuple[str, str] | None:
    scheme, _, credentials = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() == "basic":
        try:
            key, _, secret = base64.b64decode(credentials.strip(), validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        return (key, secret) if key.startswith(_KEY) else None
    key_sent, secret_sent = request.query.get("consumer_key"), request.query.get("consumer_secret")
    return (key_sent, secret_sent) if isinstance(key_sent, str) and isinstance(secret_sent, str) and key_sent else None


def _find_key_row(frame: SiteContext, database: Database, request: Request, key: str) -> Row | None:
    guesses = get_request_guesses(frame, request)
    with database.begin_read() as tx:
        guesses.require(tx, SecretKind.CONSUMER_KEY, guesses.build_keys(SecretKind.CONSUMER_KEY, key))
        return tx.first(_BY_DIGEST, digest=compute_digest(frame.settings.secret, key))


def _count_wrong_guess(frame: SiteContext, database: Database, request: Request, key: str, given: str) -> None:
    guesses = get_request_guesses(frame, request)
    guesses.add_wrong_guess(guesses.build_keys(SecretKind.CONSUMER_KEY, key), given)
    guesses.store(database)


def _decrypt_secret(frame: SiteContext, row: Row) -> str:
    try:
        return decrypt_text(frame.settings.secret, SECRET_PURPOSE, row[-1])
    except CannotDecrypt:
        raise ConsumerKeyRefused(why="This key was made with another secret of the site; make a new one.") from None


def _get_account(frame: SiteContext, database: Database, request: Request, row: Row) -> User:
    """Return the account of a key that allows the request."""
    key = ShopKey(*row[:-1])
    reading = request.method in _READ_METHODS
    if (reading and key.permissions == "write") or (not reading and key.permissions == "read"):
        right = "read" if reading else "write"
        raise ConsumerKeyRefused(why=f"This key may not {right}; make one that may.")
    now = frame.clock.now()
    if key.last_used is None or now - key.last_used >= _DAY:
        with database.begin_write() as tx:
            tx.run(_USED, of=key.id, now=now)
    with database.begin_read() as tx:
        user = users.find_user(tx, key.account, frame.administrator_capabilities)
    if user is None:
        raise ConsumerKeyRefused(why="The account of this key is gone.")
    request.key = f"shop {key.id}"
    return user


# -- signatures


def _authenticate_signature(frame: SiteContext, database: Database, request: Request, signed: OAuthSignature) -> User:
    """Return the account whose key signs a request, if its timestamp is recent and its nonce unused."""
    parameters, now = signed.parameters, frame.clock.now()
    key, nonce, timestamp = (
        parameters["oauth_consumer_key"],
        parameters["oauth_nonce"],
        parse_digits(parameters["oauth_timestamp"]),
    )
    if timestamp is None or abs(now - timestamp) > CLOCK_TOLERANCE:
        raise ConsumerKeyRefused(
            why="The signature is too old, or the clocks differ by more than a quarter of an hour."
        )
    if _NONCE.fullmatch(nonce) is None:
        raise ConsumerKeyRefused(why="A nonce is made of at most 255 visible signs of ASCII.")
    row = _find_key_row(frame, database, request, key)
    if row is None or not _check_signature(partial(signed.verify, _decrypt_secret(frame, row))):
        _count_wrong_guess(frame, database, request, key, parameters["oauth_signature"])
        raise ConsumerKeyRefused(why="The consumer key or the signature is wrong.")
    with database.begin_write() as tx:
        tx.run(_DELETE_OLD_NONCES, before=now - 2 * CLOCK_TOLERANCE)
        if tx.first(_FIND_NONCE, key=row[0], nonce=nonce) is not None:
            raise ConsumerKeyRefused(why="This signature was used before; every request needs a new nonce.")
        tx.run(_INSERT_NONCE, key=row[0], nonce=nonce, at=now)
    return _get_account(frame, database, request, row)


def _check_signature(ask: Callable[[], _Read]) -> _Read:
    """Return the result of reading a signature. Raises ConsumerKeyRefused."""
    try:
        return ask()
    except SignatureMismatch as error:
        raise ConsumerKeyRefused(why=str(error)) from None
