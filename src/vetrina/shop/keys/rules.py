"""Consumer keys: pairs of key and secret by which programs use the shop as an account.

Sent as Basic credentials, as two parameters, or as an OAuth 1.0a signature (RFC 5849, one-legged: no token) with a
recent timestamp and an unused nonce. Not here: what of a request they are read from (shop/keys/sign_in.py), what a
signature covers (shop/keys/signatures.py), rights of the account (shop/rights.py), application passwords
(access/app_passwords/rules.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.sign_in.guess_limiter import GuessCounter, SecretKind
from vetrina.access.users import rules as users
from vetrina.backends.database import Database, Row, Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.taxes_shipping import shop_key as table, shop_nonce
from vetrina.core.change_source import Told
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import compute_digest, generate_letters, is_equal_secret
from vetrina.shop.keys.signatures import OAuthSignature, SignatureMismatch

PERMISSIONS: Final = ("read", "write", "read_write")
CLOCK_TOLERANCE: Final = 15 * 60  # seconds by which the clocks of a client and the server may differ

KEY_PREFIX, _SECRET = "ck_", "cs_"
_LETTERS: Final = 40
_TAIL: Final = 7
SECRET_PURPOSE: Final = "shop_key"
_DAY: Final = 86_400
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
    key, secret = key or KEY_PREFIX + generate_letters(_LETTERS), secret or _SECRET + generate_letters(_LETTERS)
    settings = work.site.settings
    made = ShopKey(allocate_id(work.tx, "shop_key"), account, description, permissions, key[-_TAIL:], work.now, None)
    work.tx.run(
        _INSERT,
        digest=compute_digest(settings.secret, key),
        secret=encrypt_text(settings.secret, SECRET_PURPOSE, secret),
        **msgspec.structs.asdict(made),
    )
    work.note("shop_key", made.id, "created")
    members = {"account": Told(None, account), "permissions": Told(None, permissions)}
    work.describe("shop_key", made.id, description, members)
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


def authenticate_by_key(
    site: SiteContext, database: Database, guesses: GuessCounter, key: str, secret: str, *, reading: bool
) -> tuple[User, ShopKey]:
    """Return the account of a key and its secret, and the key. Raises ConsumerKeyRefused, TooManyFailedSignIns."""
    row = _find_key_row(site, database, guesses, key)
    if row is None or not is_equal_secret(_decrypt_secret(site, row), secret):
        _count_wrong_guess(database, guesses, key, secret)
        raise ConsumerKeyRefused(why="The consumer key or the consumer secret is wrong.")
    return _use_key(site, database, row, reading=reading)


def _find_key_row(site: SiteContext, database: Database, guesses: GuessCounter, key: str) -> Row | None:
    with database.begin_read() as tx:
        guesses.require(tx, SecretKind.CONSUMER_KEY, guesses.build_keys(SecretKind.CONSUMER_KEY, key))
        return tx.first(_BY_DIGEST, digest=compute_digest(site.settings.secret, key))


def _count_wrong_guess(database: Database, guesses: GuessCounter, key: str, given: str) -> None:
    guesses.add_wrong_guess(guesses.build_keys(SecretKind.CONSUMER_KEY, key), given)
    guesses.store(database)


def _decrypt_secret(site: SiteContext, row: Row) -> str:
    try:
        return decrypt_text(site.settings.secret, SECRET_PURPOSE, row[-1])
    except CannotDecrypt:
        raise ConsumerKeyRefused(why="This key was made with another secret of the site; make a new one.") from None


def _use_key(site: SiteContext, database: Database, row: Row, *, reading: bool) -> tuple[User, ShopKey]:
    """Return the account of a key that allows to read or to write, and the key."""
    key = ShopKey(*row[:-1])
    if (reading and key.permissions == "write") or (not reading and key.permissions == "read"):
        right = "read" if reading else "write"
        raise ConsumerKeyRefused(why=f"This key may not {right}; make one that may.")
    now = site.clock.now()
    if key.last_used is None or now - key.last_used >= _DAY:
        with database.begin_write() as tx:
            tx.run(_USED, of=key.id, now=now)
    with database.begin_read() as tx:
        user = users.find_user(tx, key.account, site.roles)
    if user is None:
        raise ConsumerKeyRefused(why="The account of this key is gone.")
    return user, key


def authenticate_by_signature(
    site: SiteContext, database: Database, guesses: GuessCounter, signed: OAuthSignature, *, reading: bool
) -> tuple[User, ShopKey]:
    """Return the account whose key signs a request, and the key, if its timestamp is recent and its nonce unused.

    Raises ConsumerKeyRefused, TooManyFailedSignIns.
    """
    parameters, now = signed.parameters, site.clock.now()
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
    row = _find_key_row(site, database, guesses, key)
    if row is None or not read_signature(partial(signed.verify, _decrypt_secret(site, row))):
        _count_wrong_guess(database, guesses, key, parameters["oauth_signature"])
        raise ConsumerKeyRefused(why="The consumer key or the signature is wrong.")
    with database.begin_write() as tx:
        tx.run(_DELETE_OLD_NONCES, before=now - 2 * CLOCK_TOLERANCE)
        if tx.first(_FIND_NONCE, key=row[0], nonce=nonce) is not None:
            raise ConsumerKeyRefused(why="This signature was used before; every request needs a new nonce.")
        tx.run(_INSERT_NONCE, key=row[0], nonce=nonce, at=now)
    return _use_key(site, database, row, reading=reading)


def read_signature(ask: Callable[[], _Read]) -> _Read:
    """Return the result of reading a signature. Raises ConsumerKeyRefused."""
    try:
        return ask()
    except SignatureMismatch as error:
        raise ConsumerKeyRefused(why=str(error)) from None
