"""Accounts: reading, creating, updating and deleting them.

Lists: access/users/listing.py. Permissions: access/users/rights.py. Passwords: access/passwords/hashing.py. Rules:
docs/rules/users.md, 3, 4 and 5. Logins and e-mail addresses are unique without regard to letter case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypedDict, Unpack

import msgspec
import orjson
from sqlalchemy import bindparam, delete, exists, insert, or_, select, update

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.roles.built_in_roles import ADMINISTRATOR, CAPABILITIES
from vetrina.access.roles.role_rights import NO_ROLES, compute_role_rights
from vetrina.access.roles.store import STORED_ROLES
from vetrina.access.sessions import rules as sessions
from vetrina.access.users.last_administrator import require_other_administrator
from vetrina.access.users.text_rules import MAX_LOGIN_LENGTH, MAX_SLUG_LENGTH, MAX_URL_LENGTH, sanitize_url
from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.statement_cache import StatementCache
from vetrina.backends.tables.accounts import account
from vetrina.core.change_source import Told
from vetrina.core.roles import SiteRoles
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import Grant, User
from vetrina.kernel.errors import ApiError
from vetrina.kernel.folding import build_sort_key
from vetrina.kernel.slugs import find_free_slug, slugify, slugify_login

# Events that hooks are told of (`UnitOfWork.tell`).
PASSWORD_REPLACED: Final = "password replaced"
EMAIL_REPLACED: Final = "email replaced"


class LoginTaken(ApiError):
    """Another account has this login."""

    code = "existing_user_login"
    message = "The user name {login!r} is taken. Choose another."


class LoginTooLong(ApiError):
    """The login is too long."""

    code = "user_login_too_long"
    message = "The user name has {size} letters; it may have {most}."


class InvalidReassignUser(ApiError):
    """Records can only be reassigned to an existing account other than the deleted one."""

    code = "rest_user_invalid_reassign"
    message = "The records cannot be given to the user {id}; name another, or send reassign=false."


class LoginNotChangeable(ApiError):
    """A login never changes."""

    code = "rest_user_invalid_argument"
    message = "The user name {login!r} cannot be changed."


class EmailTaken(ApiError):
    """Another account has this e-mail address: found when creating an account."""

    code = "existing_user_email"
    message = "Another account has the e-mail address {email!r}."


class ChangedEmailTaken(ApiError):
    """Another account has this e-mail address: found when updating an account."""

    code = "rest_user_invalid_email"
    message = "Another account has the e-mail address {email!r}."


class UserSlugTaken(ApiError):
    """Another account has this slug: found when updating an account."""

    code = "rest_user_invalid_slug"
    message = "Another account has the slug {slug!r}."


class UserSlugTooLong(ApiError):
    """The slug is too long."""

    code = "user_nicename_too_long"
    message = "The slug has {size} letters; it may have {most}."


class UserUrlTooLong(ApiError):
    """The URL of the account's website is too long."""

    code = "user_url_too_long"
    message = "The url has {size} letters; it may have {most}."


class UserMembers(TypedDict, total=False):
    """The writable fields of an account; absent ones stay as they are.

    password: in plain text. registered: seconds since 1970, for accounts that were made elsewhere.
    """

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
    registered: int
    meta: dict[str, Any]


# In the order of the stored fields of `User`; then what the roles are that were changed over the interface.
USER_COLUMNS = (
    account.c.id, account.c.login, account.c.email, account.c.slug, account.c.name, account.c.first_name,
    account.c.last_name, account.c.nickname, account.c.url, account.c.description, account.c.locale,
    account.c.roles, account.c.capabilities, account.c.registered, account.c.meta,
    STORED_ROLES,
)  # fmt: skip

# What the audit trail tells of a changed account; its preferences are nobody's business.
_TOLD_MEMBERS = (
    "roles", "email", "password", "slug", "name", "first_name", "last_name", "nickname", "url", "description", "locale",
)  # fmt: skip
_PLAIN_COLUMNS = (
    "id", "login", "email", "slug", "name", "first_name", "last_name", "nickname", "url", "description", "locale",
    "registered",
)  # fmt: skip
_BY_ID = Statement(select(*USER_COLUMNS).where(account.c.id == bindparam("id")))
_BY_LOGIN = Statement(select(*USER_COLUMNS).where(account.c.login_key == bindparam("key")))
_BY_EMAIL = Statement(select(*USER_COLUMNS).where(account.c.email_key == bindparam("key")))
_BY_SLUG = Statement(select(*USER_COLUMNS).where(account.c.slug == bindparam("slug")))
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
_UPDATES = StatementCache(most=128)


class _AccountRights(NamedTuple):
    """What an account may do. listed: its capabilities as responses list them, the names of its roles among them."""

    capabilities: frozenset[str]
    grants: tuple[Grant, ...]
    extra: dict[str, bool]
    listed: dict[str, bool]


@lru_cache(maxsize=256)
def _compute_rights(names: str, own: str, roles: SiteRoles, stored: str) -> _AccountRights:
    held: tuple[str, ...] = tuple(orjson.loads(names))
    extra: dict[str, bool] = orjson.loads(own)
    found = compute_role_rights(held, roles, stored)
    # The name of a role that somebody made up must give no capability of that name.
    named = dict.fromkeys((name for name in held if name in CAPABILITIES), True)
    granted = {**found.everywhere, **named, **extra}
    capabilities = frozenset(name for name, given in granted.items() if given)
    return _AccountRights(capabilities, found.grants, extra, {**found.everywhere, **dict.fromkeys(held, True), **extra})


def compute_user_rights(user: User) -> tuple[dict[str, bool], dict[str, bool]]:
    """Return all capabilities of an account, and those of its own besides its roles'; both name the roles."""
    return user.listed, {**dict.fromkeys(user.roles, True), **user.extra}


def row_to_user(row: Row, roles: SiteRoles = NO_ROLES, app_password: str = "") -> User:
    """Return the account for a row of USER_COLUMNS. roles: those of the site."""
    rights = _compute_rights(row[11], row[12], roles, row[15])
    return User(
        id=row[0], login=row[1], email=row[2], slug=row[3], name=row[4], first_name=row[5], last_name=row[6],
        nickname=row[7], url=row[8], description=row[9], locale=row[10], roles=tuple(orjson.loads(row[11])),
        capabilities=rights.capabilities, grants=rights.grants, extra=rights.extra, listed=rights.listed,
        registered=row[13], meta=orjson.loads(row[14]), app_password=app_password,
    )  # fmt: skip


def find_user(tx: Transaction, id: int, roles: SiteRoles = NO_ROLES) -> User | None:
    """Return the account with an id. roles: those of the site."""
    row = tx.first(_BY_ID, id=id)
    return row_to_user(row, roles) if row else None


def find_user_by_login(tx: Transaction, text: str, roles: SiteRoles = NO_ROLES) -> User | None:
    """Return the account whose login, or else whose e-mail address, is `text`; letter case does not matter."""
    key = text.lower()
    row = tx.first(_BY_LOGIN, key=key)
    if row is None and "@" in key:
        row = tx.first(_BY_EMAIL, key=key)
    return row_to_user(row, roles) if row else None


def find_user_by_email(tx: Transaction, email: str, roles: SiteRoles = NO_ROLES) -> User | None:
    """Return the account that has an e-mail address; another one may have it as its login, and proves nothing by it."""
    row = tx.first(_BY_EMAIL, key=email.lower()) if email else None
    return row_to_user(row, roles) if row else None


def find_user_by_slug(tx: Transaction, slug: str, roles: SiteRoles = NO_ROLES) -> User | None:
    """Return the account with a slug."""
    row = tx.first(_BY_SLUG, slug=slug)
    return row_to_user(row, roles) if row else None


def load_password_hash(tx: Transaction, id: int) -> str:
    """Return the hash of an account's own password, empty when it has none."""
    return str(tx.value(_PASSWORD, id=id) or "")


def create_user(work: UnitOfWork, login: str, email: str, id: int = 0, **members: Unpack[UserMembers]) -> User:
    """Create an account and return it.

    Names that are not given are derived from the login, the roles from the profile; a slug that is taken gets a numeric
    suffix. id: a free one that it takes, 0 for the next one.
    Raises LoginTaken, LoginTooLong, EmailTaken, UserSlugTooLong, UserUrlTooLong.
    """
    if len(login) > MAX_LOGIN_LENGTH:
        raise LoginTooLong(size=len(login), most=MAX_LOGIN_LENGTH)
    keys = {"login": login.lower(), "email": email.lower()}
    taken = work.tx.first(_LOGIN_OR_EMAIL, **keys)
    if taken is not None:
        raise LoginTaken(login=login) if taken[0] == keys["login"] else EmailTaken(email=email)
    first, last = members.get("first_name", ""), members.get("last_name", "")
    id = claim_id(work.tx, id, "account")
    new = User(
        id=id, login=login, email=email, name=members.get("name") or f"{first} {last}".strip() or login,
        slug=_find_free_slug(work.tx, _build_user_slug(members.get("slug", ""), login), id),
        first_name=first, last_name=last, nickname=members.get("nickname") or login,
        url=_sanitize_home_url(members.get("url", "")), description=members.get("description", ""),
        locale=members.get("locale", ""), roles=members.get("roles", (work.site.profile.default_role,)),
        registered=members.get("registered", work.now), meta=members.get("meta", {}),
    )  # fmt: skip
    password = members.get("password", "")
    work.tx.run(_INSERT, password=password_hashing.hash_password(password) if password else "", **_user_to_row(new))
    work.note("user", id, "created")
    work.describe("user", id, login, {"roles": Told(None, new.roles)})
    return _reload_user(work, id)


def update_user(work: UnitOfWork, user: User, email: str = "", **members: Unpack[UserMembers]) -> User:
    """Update an account and return it; an empty name becomes the login, an empty slug that of the login.

    email: the new address, empty to keep the old one.
    Raises ChangedEmailTaken, UserSlugTaken, UserSlugTooLong, UserUrlTooLong, LastAdministrator.
    """
    new: dict[str, Any] = {**members}
    password = new.pop("password", "")
    if ADMINISTRATOR not in new.get("roles", user.roles):
        require_other_administrator(work.tx, user)
    if email:
        holder = work.tx.first(_BY_EMAIL, key=email.lower())
        if holder is not None and holder[0] != user.id:
            raise ChangedEmailTaken(email=email)
        new["email"] = email
        if email.lower() != user.email.lower() and user.email:
            work.tell("user", user.id, EMAIL_REPLACED)
            work.lookups.setdefault(EMAIL_REPLACED, {})[user.id] = user.email
    if "slug" in new:
        new["slug"] = _build_user_slug(new["slug"], user.login)
        if new["slug"] != user.slug and work.tx.value(_SLUG_TAKEN, slug=new["slug"], id=user.id):
            if slugify(members["slug"]):
                raise UserSlugTaken(slug=new["slug"])
            new["slug"] = _find_free_slug(work.tx, new["slug"], user.id)
    if "url" in new:
        new["url"] = _sanitize_home_url(new["url"])
    for name in ("name", "nickname"):
        if name in new:
            new[name] = new[name] or user.login
    before, after = _user_to_row(user), _user_to_row(msgspec.structs.replace(user, **new))
    changed = {name: value for name, value in after.items() if value != before[name]}
    if password:
        changed["password"] = password_hashing.hash_password(password)
        if load_password_hash(work.tx, user.id):
            work.tell("user", user.id, PASSWORD_REPLACED)
        # Whoever knew the old one is signed out; the caller goes on.
        sessions.end_sessions(work, user.id, keep=work.user.session if work.user.id == user.id else "")
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
        work.describe("user", user.id, user.login, _describe_members(changed, user, new))
    return _reload_user(work, user.id)


def list_former_emails(work: UnitOfWork) -> Mapping[int, str]:
    """Return the mail addresses that accounts had before this unit of work, of those whose address it replaced."""
    found: Mapping[int, str] = work.lookups.get(EMAIL_REPLACED, {})
    return found


def _describe_members(changed: Iterable[str], user: User, new: Mapping[str, Any]) -> dict[str, Told | None]:
    """Return what is told of the changed columns of an account: its roles, and of what is a person's own the names."""
    names = [name for name in _TOLD_MEMBERS if name in changed]
    return {name: Told(user.roles, new["roles"]) if name == "roles" else None for name in names}


def grant_capability(work: UnitOfWork, user: User, capability: str) -> User:
    """Grant an account a capability of its own, beside those of its roles, and return it."""
    if user.can(capability):
        return user
    extra = orjson.dumps({**user.extra, capability: True}).decode()
    work.tx.run(_GRANT, of=user.id, extra=extra)
    work.note("user", user.id, "changed")
    work.describe("user", user.id, user.login, {"capabilities": Told(None, (capability,))})
    return _reload_user(work, user.id)


def require_heir(work: UnitOfWork, user: User, heir: int) -> None:
    """Require that a deleted account's records go to another one that exists. Raises InvalidReassignUser."""
    if heir == user.id or find_user(work.tx, heir) is None:
        raise InvalidReassignUser(id=heir)


def delete_user(work: UnitOfWork, user: User) -> None:
    """Delete an account for good, with its application passwords; its records are left to the caller.

    Raises LastAdministrator.
    """
    require_other_administrator(work.tx, user)
    work.tx.run(_DELETE, id=user.id)
    work.note("user", user.id, "removed")
    work.describe("user", user.id, user.login, {"roles": Told(user.roles, None)})


def _reload_user(work: UnitOfWork, id: int) -> User:
    found = find_user(work.tx, id, work.site.roles)
    assert found is not None, "the row was written in this transaction"
    return found


def _user_to_row(user: User) -> dict[str, Any]:
    row = {name: getattr(user, name) for name in _PLAIN_COLUMNS}
    row |= {"login_key": user.login.lower(), "email_key": user.email.lower(), "name_key": build_sort_key(user.name)}
    stored = {"roles": user.roles, "capabilities": user.extra, "meta": user.meta}
    return row | {name: orjson.dumps(value).decode() for name, value in stored.items()}


def _sanitize_home_url(url: str) -> str:
    address = sanitize_url(url)
    if len(address) > MAX_URL_LENGTH:
        raise UserUrlTooLong(size=len(address), most=MAX_URL_LENGTH)
    return address


def _build_user_slug(wanted: str, login: str) -> str:
    slug = slugify(wanted)
    if len(slug) > MAX_SLUG_LENGTH:
        raise UserSlugTooLong(size=len(slug), most=MAX_SLUG_LENGTH)
    return slug or slugify_login(login)[:MAX_SLUG_LENGTH] or "user"


def _find_free_slug(tx: Transaction, slug: str, id: int) -> str:
    return find_free_slug(slug, lambda one: tx.value(_SLUG_TAKEN, slug=one, id=id), MAX_SLUG_LENGTH)
