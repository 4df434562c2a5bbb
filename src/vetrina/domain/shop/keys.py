"""Consumer keys: pairs of key and secret by which programs run the shop as an account.

Sent as Basic credentials, as two parameters, or as an OAuth 1.0a signature (RFC 5849, one-legged: no token), whose
moment must be near and whose nonce new. They hold on the shop's routes only. Not here: what the account may do
(rights.py), application passwords (access/app_passwords.py).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl, quote, unquote

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Database, Row, Statement
from vetrina.backends.numbers import next_number
from vetrina.backends.tables_shop import shop_key as table
from vetrina.backends.tables_shop import shop_nonce
from vetrina.declare.call import Request
from vetrina.domain.access import failures, users
from vetrina.domain.access.user import User
from vetrina.domain.work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.ids import digest, random_letters, same
from vetrina.kernel.sealing import CannotOpen, opened, sealed

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
_METHODS: Final = {"HMAC-SHA1": hashlib.sha1, "HMAC-SHA256": hashlib.sha256}
_PART = re.compile(r'\s*([A-Za-z_]+)="([^"]*)"\s*(?:,|$)')


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
    signed = _signature_of(request)
    if signed:
        return _by_signature(frame, database, request, signed)
    pair = _pair_of(request)
    if pair is None:
        return None
    found = _found(frame, database, request, pair[0])
    if found is None or not same(_secret(frame, found), pair[1]):
        _count(frame, database, request, pair[0])
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
    with database.reading() as tx:
        failures.unhindered(frame, tx, failures.key(frame, request.remote, key), frame.clock.now())
        return tx.first(_BY_DIGEST, digest=digest(frame.settings.secret, key))


def _count(frame: Frame, database: Database, request: Request, key: str) -> None:
    failures.count(frame, database, failures.key(frame, request.remote, key), frame.clock.now())


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


def _signature_of(request: Request) -> dict[str, str]:
    """Return the OAuth parameters of a request, from its header or its query; none when it is not signed."""
    scheme, _, written = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() == "oauth":
        return {unquote(name): unquote(value) for name, value in _PART.findall(written) if name != "realm"}
    return {
        name: value for name, value in request.query.items() if name.startswith("oauth_") and isinstance(value, str)
    }


def _by_signature(frame: Frame, database: Database, request: Request, signed: Mapping[str, str]) -> User:
    missing = [name for name in _NEEDED if not signed.get(name)]
    if missing:
        raise KeyRefused(why=f"The signature lacks {', '.join(missing)}.")
    key, now = signed["oauth_consumer_key"], frame.clock.now()
    made = signed["oauth_timestamp"]
    if signed["oauth_signature_method"] not in _METHODS:
        raise KeyRefused(why=f"Signatures are made with one of {', '.join(_METHODS)}.")
    if not made.isdecimal() or abs(now - int(made)) > WINDOW:
        raise KeyRefused(why="The signature is too old, or the clocks differ by more than a quarter of an hour.")
    row = _found(frame, database, request, key)
    if row is None or not _is_signed(request, signed, _secret(frame, row)):
        _count(frame, database, request, key)
        raise KeyRefused(why="The consumer key or the signature is wrong.")
    with database.writing() as tx:
        tx.run(_FORGET, before=now - 2 * WINDOW)
        if tx.first(_SEEN, key=row[0], nonce=signed["oauth_nonce"]) is not None:
            raise KeyRefused(why="This signature was used before; every request needs a new nonce.")
        tx.run(_SEE, key=row[0], nonce=signed["oauth_nonce"], at=now)
    return _account(frame, database, request, row)


_NEEDED: Final = (
    "oauth_consumer_key", "oauth_signature", "oauth_signature_method", "oauth_timestamp", "oauth_nonce",
)  # fmt: skip


def _is_signed(request: Request, signed: Mapping[str, str], secret: str) -> bool:
    """Say whether a request has the signature that it should have (RFC 5849, 3.4).

    The clients of this interface write a parameter into the address twice and sign it once: both ways count.
    """
    path, _, query = request.target.partition("?")
    sent = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != "oauth_signature"]
    named = {name for name, _ in sent}
    sent += [(name, value) for name, value in signed.items() if name not in named and name != "oauth_signature"]
    method, key = _METHODS[signed["oauth_signature_method"]], f"{_encoded(secret)}&".encode()
    good = False
    for pairs in (sent, list(dict(sent).items())):
        text = "&".join([request.method, _encoded(request.origin + path), _encoded(_joined(pairs))])
        made = base64.b64encode(hmac.new(key, text.encode(), method).digest()).decode()
        good |= same(made, signed["oauth_signature"])
    return good


def _joined(pairs: Sequence[tuple[str, str]]) -> str:
    encoded = sorted((_encoded(name), _encoded(value)) for name, value in pairs)
    return "&".join(f"{name}={value}" for name, value in encoded)


def _encoded(text: str) -> str:
    return quote(text, safe="-._~")
