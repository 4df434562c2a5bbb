"""Consumer keys: pairs of key and secret by which programs run the shop as an account.

Sent as Basic credentials, as two parameters, or as an OAuth 1.0a signature (RFC 5849, one-legged: no token), whose
moment must be near and whose nonce new. They hold on the shop's routes only. Not here: what is signed of a request
(shop/keys/signatures.py), what the account may do (shop/rights.py), application passwords
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

from vetrina.access.sign_in.guess_limiter import Secret, guesses_of
from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends.database import Database, Row, Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.taxes_shipping import shop_key as table
from vetrina.backends.tables.taxes_shipping import shop_nonce
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.encryption import CannotOpen, opened, sealed
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import whole
from vetrina.kernel.keys import digest, random_letters, same
from vetrina.rest.call import Request
from vetrina.shop.keys.signatures import NotAsSigned, Signed, signature_of

__all__ = ["PERMISSIONS", "Key", "KeyRefused", "create", "listed", "revoke", "sign_in"]

PERMISSIONS: Final = ("read", "write", "read_write")
WINDOW: Final = 15 * 60  # seconds by which the clocks of a client and this one may differ

_PREFIXES: Final = ("/shop/", "/shop-")
_KEY, _SECRET = "ck_", "cs_"
_LETTERS: Final = 40
_TAIL: Final = 7
SEALED: Final = "shop_key"
_DAY: Final = 86_400
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_Read = TypeVar("_Read")
_NONCE = re.compile(r"[!-~]{1,255}")


class KeyRefused(ApiError):
    """The credentials are none of the shop's, or do not allow this."""

    status, code = 401, "shop_rest_authentication_error"
    message = "{why}"


class Key(msgspec.Struct, frozen=True):
    """A key without its secret parts. tail: its last letters. created, last_used: seconds since 1970."""

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
_SEEN = Statement(
    select(shop_nonce.c.at).where(shop_nonce.c.key == bindparam("key"), shop_nonce.c.nonce == bindparam("nonce"))
)
_SEE = Statement(insert(shop_nonce).values(key=bindparam("key"), nonce=bindparam("nonce"), at=bindparam("at")))
_FORGET = Statement(delete(shop_nonce).where(shop_nonce.c.at < bindparam("before")))


def create(
    work: Work, account: int, permissions: str, description: str = "", *, key: str = "", secret: str = ""
) -> tuple[Key, str, str]:
    """Make a key and return it with the consumer key and the consumer secret, which nobody sees again.

    key, secret: the ones to keep, for accounts that are set up by a file; random ones by default.
    """
    key, secret = key or _KEY + random_letters(_LETTERS), secret or _SECRET + random_letters(_LETTERS)
    settings = work.frame.settings
    made = Key(next_number(work.tx, "shop_key"), account, description, permissions, key[-_TAIL:], work.now, None)
    work.tx.run(
        _INSERT, digest=digest(settings.secret, key), secret=sealed(settings.secret, SEALED, secret),
        **msgspec.structs.asdict(made),
    )  # fmt: skip
    work.note("shop_key", made.id, "created")
    return made, key, secret


def listed(work: Work) -> list[Key]:
    """Return all keys."""
    return [Key(*row) for row in work.tx.all(_ALL)]


def revoke(work: Work, id: int) -> bool:
    """Revoke a key and return whether there was such a one."""
    gone = work.tx.first(_REMOVE, id=id)
    if gone is not None:
        work.note("shop_key", id, "removed")
    return gone is not None


def sign_in(frame: Frame, database: Database, request: Request) -> User | None:
    """Return the account whose consumer key signs a request; None when it carries none, or is not for the shop.

    Raises KeyRefused, TooManyFailures.
    """
    if not request.path.startswith(_PREFIXES):
        return None
    signed = _as_signed(lambda: signature_of(request))
    if signed is not None:
        request.agrees = lambda holes: _as_signed(lambda: signed.check_path(holes))
        if request.unread:
            request.proof = lambda: _as_signed(signed.check_body)
        return _by_signature(frame, database, request, signed)
    pair = _pair_of(request)
    if pair is None:
        return None
    found = _found(frame, database, request, pair[0])
    if found is None or not same(_secret(frame, found), pair[1]):
        _count(frame, database, request, *pair)
        raise KeyRefused(why="The consumer key or the consumer secret is wrong.")
    return _account(frame, database, request, found)


# -- key and secret


def _pair_of(request: Request) -> tuple[str, str] | None:
    scheme, _, credentials = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() == "basic":
        try:
            key, _, secret = base64.b64decode(credentials.strip(), validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        return (key, secret) if key.startswith(_KEY) else None
    told, own = request.query.get("consumer_key"), request.query.get("consumer_secret")
    return (told, own) if isinstance(told, str) and isinstance(own, str) and told else None


def _found(frame: Frame, database: Database, request: Request, key: str) -> Row | None:
    guesses = guesses_of(frame, request)
    with database.reading() as tx:
        guesses.require(tx, Secret.CONSUMER_KEY, guesses.place(Secret.CONSUMER_KEY, key))
        return tx.first(_BY_DIGEST, digest=digest(frame.settings.secret, key))


def _count(frame: Frame, database: Database, request: Request, key: str, given: str) -> None:
    guesses = guesses_of(frame, request)
    guesses.wrong(guesses.place(Secret.CONSUMER_KEY, key), given)
    guesses.store(database)


def _secret(frame: Frame, row: Row) -> str:
    try:
        return opened(frame.settings.secret, SEALED, row[-1])
    except CannotOpen:
        raise KeyRefused(why="This key was made with another secret of the site; make a new one.") from None


def _account(frame: Frame, database: Database, request: Request, row: Row) -> User:
    """Return the account of a key that allows what the request does."""
    key = Key(*row[:-1])
    reading = request.method in _READING
    if (reading and key.permissions == "write") or (not reading and key.permissions == "read"):
        right = "read" if reading else "write"
        raise KeyRefused(why=f"This key may not {right}; make one that may.")
    now = frame.clock.now()
    if key.last_used is None or now - key.last_used >= _DAY:
        with database.writing() as tx:
            tx.run(_USED, of=key.id, now=now)
    with database.reading() as tx:
        user = users.by_id(tx, key.account, users.has_shop(frame))
    if user is None:
        raise KeyRefused(why="The account of this key is gone.")
    request.key = f"shop {key.id}"
    return user


# -- signatures


def _by_signature(frame: Frame, database: Database, request: Request, signed: Signed) -> User:
    """Return the account whose key signs a request that is made now, and for the first time."""
    told, now = signed.parameters, frame.clock.now()
    key, nonce, made = told["oauth_consumer_key"], told["oauth_nonce"], whole(told["oauth_timestamp"])
    if made is None or abs(now - made) > WINDOW:
        raise KeyRefused(why="The signature is too old, or the clocks differ by more than a quarter of an hour.")
    if _NONCE.fullmatch(nonce) is None:
        raise KeyRefused(why="A nonce is made of at most 255 visible signs of ASCII.")
    row = _found(frame, database, request, key)
    if row is None or not _as_signed(partial(signed.proves, _secret(frame, row))):
        _count(frame, database, request, key, told["oauth_signature"])
        raise KeyRefused(why="The consumer key or the signature is wrong.")
    with database.writing() as tx:
        tx.run(_FORGET, before=now - 2 * WINDOW)
        if tx.first(_SEEN, key=row[0], nonce=nonce) is not None:
            raise KeyRefused(why="This signature was used before; every request needs a new nonce.")
        tx.run(_SEE, key=row[0], nonce=nonce, at=now)
    return _account(frame, database, request, row)


def _as_signed(ask: Callable[[], _Read]) -> _Read:
    """Return what is read of a signature. Raises KeyRefused."""
    try:
        return ask()
    except NotAsSigned as error:
        raise KeyRefused(why=str(error)) from None
