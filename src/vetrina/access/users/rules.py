"""Accounts: reading, making, changing and removing them.

Not here: lists with filters (access/users/listing.py), who may do it (access/users/rights.py), passwords
(access/passwords/hashing.py, access/app_passwords/rules.py), what becomes of the records of an account that goes
(content/records/rules.py). Rules: facts, "Users". Logins and addresses are unique without regard to letter case.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypedDict, Unpack

import msgspec
import orjson
from sqlalchemy import bindparam, delete, exists, insert, or_, select, update

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.roles.roles import capabilities_of
from vetrina.access.users.model import User
from vetrina.access.users.text_rules import LONGEST_LOGIN, LONGEST_SLUG, LONGEST_URL, web_address
from vetrina.backends.database import Row, Statement, Tx
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Shapes
from vetrina.backends.tables.core import account
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.folding import sort_key
from vetrina.kernel.slugs import of_user, slugify

__all__ = [
    "COLUMNS", "AddressTaken", "AddressTooLong", "EmailTaken", "LoginFixed", "LoginTaken", "LoginTooLong", "Members",
    "SlugTaken", "SlugTooLong", "by_id", "by_login_or_email", "by_slug", "change", "create", "from_row", "grant",
    "has_shop", "remove", "rights_of", "stored_password",
]  # fmt: skip


class LoginTaken(ApiError):
    """Another account has this login."""

    code = "existing_user_login"
    message = "The user name {login!r} is taken. Choose another."


class LoginTooLong(ApiError):
    """The login has too many letters."""

    code = "user_login_too_long"
    message = "The user name has {size} letters; it may have {most}."


class LoginFixed(ApiError):
    """A login never changes."""

    code = "rest_user_invalid_argument"
    message = "The user name {login!r} cannot be changed."


class EmailTaken(ApiError):
    """Another account has this e-mail address: found when an account is made."""

    code = "existing_user_email"
    message = "Another account has the e-mail address {email!r}."


class AddressTaken(ApiError):
    """Another account has this e-mail address: found when an account is changed."""

    code = "rest_user_invalid_email"
    message = "Another account has the e-mail address {email!r}."


class SlugTaken(ApiError):
    """Another account has this slug: found when an account is changed."""

    code = "rest_user_invalid_slug"
    message = "Another account has the slug {slug!r}."


class SlugTooLong(ApiError):
    """The slug has too many letters."""

    code = "user_nicename_too_long"
    message = "The slug has {size} letters; it may have {most}."


class AddressTooLong(ApiError):
    """The address of the account's home has too many letters."""

    code = "user_url_too_long"
    message = "The url has {size} letters; it may have {most}."


class Members(TypedDict, total=False):
    """What may be written of an account; what is absent stays as it is. password: as its owner typed it."""

    slug: str
    name: str
    first_name: str
    last_name: str
    nickname: str
    url: str
    description: str
    locale: str
    roles: tuple[str, ...]
    password: str
    meta: dict[str, Any]


# In the order of the members of `User` that are stored.
COLUMNS = (
    account.c.id, account.c.login, account.c.email, account.c.slug, account.c.name, account.c.first_name,
    account.c.last_name, account.c.nickname, account.c.url, account.c.description, account.c.locale,
    account.c.roles, account.c.capabilities, account.c.registered, account.c.meta,
)  # fmt: skip

_BY_ID = Statement(select(*COLUMNS).where(account.c.id == bindparam("id")))
_BY_LOGIN = Statement(select(*COLUMNS).where(account.c.login_key == bindparam("key")))
_BY_EMAIL = Statement(select(*COLUMNS).where(account.c.email_key == bindparam("key")))
_BY_SLUG = Statement(select(*COLUMNS).where(account.c.slug == bindparam("slug")))
_PASSWORD = Statement(select(account.c.password).where(account.c.id == bindparam("id")))
_LOGIN_OR_EMAIL = Statement(
    select(account.c.login_key, account.c.email_key).where(
        or_(account.c.login_key == bindparam("login"), account.c.email_key == bindparam("email"))
    )
)
_SLUG_TAKEN = Statement(select(exists().where(account.c.slug == bindparam("slug"), account.c.id != bindparam("id"))))
_INSERT = Statement(insert(account).values({column.name: bindparam(column.name) for column in account.c}))
_DELETE = Statement(delete(account).where(account.c.id == bindparam("id")))
_GRANT = Statement(update(account).where(account.c.id == bindparam("of")).values(capabilities=bindparam("extra")))
_UPDATES = Shapes(most=128)


def has_shop(frame: Frame) -> bool:
    """Say whether the site has a shop, whose capabilities its administrators then have."""
    return "shop" in frame.profile.modules


@lru_cache(maxsize=256)
def _rights(roles: tuple[str, ...], own: str, shop: bool) -> tuple[frozenset[str], dict[str, bool]]:
    extra: dict[str, bool] = orjson.loads(own)
    granted = {**capabilities_of(roles, shop), **dict.fromkeys(roles, True), **extra}
    return frozenset(name for name, given in granted.items() if given), extra


def rights_of(user: User, shop: bool = False) -> tuple[dict[str, bool], dict[str, bool]]:
    """Return what an account may do: all of it, and what is its own besides that of its roles."""
    own = {**dict.fromkeys(user.roles, True), **user.extra}
    return {**capabilities_of(user.roles, shop), **own}, own


def from_row(row: Row, shop: bool = False, app_password: str = "") -> User:
    """Return the account of a row of COLUMNS."""
    roles = tuple(orjson.loads(row[11]))
    capabilities, extra = _rights(roles, row[12], shop)
    return User(
        id=row[0], login=row[1], email=row[2], slug=row[3], name=row[4], first_name=row[5], last_name=row[6],
        nickname=row[7], url=row[8], description=row[9], locale=row[10], roles=roles, capabilities=capabilities,
        extra=extra, registered=row[13], meta=orjson.loads(row[14]), app_password=app_password,
    )  # fmt: skip


def by_id(tx: Tx, id: int, shop: bool = False) -> User | None:
    """Return the account with a number; shop: whether administrators may also run a shop."""
    row = tx.first(_BY_ID, id=id)
    return from_row(row, shop) if row else None


def by_login_or_email(tx: Tx, text: str, shop: bool = False) -> User | None:
    """Return the account whose login, or else whose e-mail address, is `text`; letter case does not matter."""
    key = text.lower()
    row = tx.first(_BY_LOGIN, key=key)
    if row is None and "@" in key:
        row = tx.first(_BY_EMAIL, key=key)
    return from_row(row, shop) if row else None


def by_slug(tx: Tx, slug: str, shop: bool = False) -> User | None:
    """Return the account with a slug."""
    row = tx.first(_BY_SLUG, slug=slug)
    return from_row(row, shop) if row else None


def stored_password(tx: Tx, id: int) -> str:
    """Return the hash of an account's own password, empty when it has none."""
    return str(tx.value(_PASSWORD, id=id) or "")


def create(work: Work, login: str, email: str, **members: Unpack[Members]) -> User:
    """Make an account and return it.

    Names that are not given follow from the login, the roles from the profile; a slug that is taken gets a number.
    Raises LoginTaken, LoginTooLong, EmailTaken, SlugTooLong, AddressTooLong.
    """
    if len(login) > LONGEST_LOGIN:
        raise LoginTooLong(size=len(login), most=LONGEST_LOGIN)
    keys = {"login": login.lower(), "email": email.lower()}
    taken = work.tx.first(_LOGIN_OR_EMAIL, **keys)
    if taken is not None:
        raise LoginTaken(login=login) if taken[0] == keys["login"] else EmailTaken(email=email)
    first, last = members.get("first_name", ""), members.get("last_name", "")
    id = next_number(work.tx, "account")
    new = User(
        id=id,
        login=login,
        email=email,
        slug=_free_slug(work.tx, _slug(members.get("slug", ""), login), id),
        name=members.get("name") or f"{first} {last}".strip() or login,
        first_name=first,
        last_name=last,
        nickname=members.get("nickname") or login,
        url=_home(members.get("url", "")),
        description=members.get("description", ""),
        locale=members.get("locale", ""),
        roles=members.get("roles", (work.frame.profile.default_role,)),
        registered=work.now,
        meta=members.get("meta", {}),
    )
    password = members.get("password", "")
    work.tx.run(_INSERT, password=password_hashing.hashed(password) if password else "", **_row(new))
    work.note("user", id, "created")
    return _again(work, id)


def change(work: Work, user: User, email: str = "", **members: Unpack[Members]) -> User:
    """Change an account and return it; an empty name becomes the login, an empty slug that of the login.

    email: the new address, empty to keep the old one.
    Raises AddressTaken, SlugTaken, SlugTooLong, AddressTooLong.
    """
    new: dict[str, Any] = {**members}
    password = new.pop("password", "")
    if email:
        holder = work.tx.first(_BY_EMAIL, key=email.lower())
        if holder is not None and holder[0] != user.id:
            raise AddressTaken(email=email)
        new["email"] = email
    if "slug" in new:
        new["slug"] = _slug(new["slug"], user.login)
        if new["slug"] != user.slug and work.tx.value(_SLUG_TAKEN, slug=new["slug"], id=user.id):
            if slugify(members["slug"]):
                raise SlugTaken(slug=new["slug"])
            new["slug"] = _free_slug(work.tx, new["slug"], user.id)
    if "url" in new:
        new["url"] = _home(new["url"])
    for name in ("name", "nickname"):
        if name in new:
            new[name] = new[name] or user.login
    before, after = _row(user), _row(msgspec.structs.replace(user, **new))
    changed = {name: value for name, value in after.items() if value != before[name]}
    if password:
        changed["password"] = password_hashing.hashed(password)
    if changed:
        names = tuple(changed)
        statement = _UPDATES.get(
            names,
            lambda: (
                update(account).where(account.c.id == bindparam("of")).values({name: bindparam(name) for name in names})
            ),
        )
        work.tx.run(statement, of=user.id, **changed)
        work.note("user", user.id, "changed")
    return _again(work, user.id)


def grant(work: Work, user: User, capability: str) -> User:
    """Give an account a capability of its own, beside those of its roles, and return it."""
    if user.can(capability):
        return user
    extra = orjson.dumps({**user.extra, capability: True}).decode()
    work.tx.run(_GRANT, of=user.id, extra=extra)
    work.note("user", user.id, "changed")
    return _again(work, user.id)


def remove(work: Work, user: User) -> None:
    """Remove an account for good; its application passwords go with it, its records are the caller's business."""
    work.tx.run(_DELETE, id=user.id)
    work.note("user", user.id, "removed")


def _again(work: Work, id: int) -> User:
    found = by_id(work.tx, id, has_shop(work.frame))
    assert found is not None, "the row was written in this transaction"
    return found


def _row(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "login": user.login,
        "login_key": user.login.lower(),
        "email": user.email,
        "email_key": user.email.lower(),
        "slug": user.slug,
        "name": user.name,
        "name_key": sort_key(user.name),
        "first_name": user.first_name,
        "last_name": user.last_name,
        "nickname": user.nickname,
        "url": user.url,
        "description": user.description,
        "locale": user.locale,
        "roles": orjson.dumps(user.roles).decode(),
        "capabilities": orjson.dumps(user.extra).decode(),
        "registered": user.registered,
        "meta": orjson.dumps(user.meta).decode(),
    }


def _home(url: str) -> str:
    address = web_address(url)
    if len(address) > LONGEST_URL:
        raise AddressTooLong(size=len(address), most=LONGEST_URL)
    return address


def _slug(wanted: str, login: str) -> str:
    slug = slugify(wanted)
    if len(slug) > LONGEST_SLUG:
        raise SlugTooLong(size=len(slug), most=LONGEST_SLUG)
    return slug or of_user(login)[:LONGEST_SLUG] or "user"


def _free_slug(tx: Tx, slug: str, id: int) -> str:
    number, free = 1, slug
    while tx.value(_SLUG_TAKEN, slug=free, id=id):
        number += 1
        free = f"{slug[: LONGEST_SLUG - len(str(number)) - 1]}-{number}"
    return free
