"""Lists of accounts with their filters, and which accounts have public records.

Who is refused a filter: access/users/permissions.py. Rules: docs/rules/users.md, 6 and 7; names are sorted without
regard to letter case and accents.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import ColumnElement, bindparam, exists, func, or_, select

from vetrina.access.roles.role_rights import compute_role_rights
from vetrina.access.roles.store import STORED_ROLES
from vetrina.access.users.rules import USER_COLUMNS, row_to_user
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.records import tally
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.folding import fold_text

# Names of the search columns, as clients write them.
USER_SEARCH_COLUMNS: Final = ("email", "name", "id", "username", "slug")

_ORDERS: Final[dict[str, ColumnElement[Any]]] = {
    "id": account.c.id,
    "name": account.c.name_key,
    "slug": account.c.slug,
    "registered_date": account.c.registered,
    "email": account.c.email_key,
    "url": func.lower(account.c.url),
    "login": account.c.login_key,
}
_FOLDED: Final[dict[str, ColumnElement[Any]]] = {
    "email": account.c.email_key,
    "name": account.c.name_key,
    "username": account.c.login_key,
    "slug": account.c.slug,
    "url": func.lower(account.c.url),
}

_KINDS = account.c.roles.concat(account.c.capabilities)
_EVERY_KIND = Statement(select(account.c.roles, account.c.capabilities, STORED_ROLES).distinct())
# From the stored counts; otherwise the records would be scanned for every account.
_PUBLISHED = (InList(tally.c.type, "kinds"), tally.c.status == "publish", tally.c.count > 0)
_HAS_PUBLISHED = Statement(
    select(exists().where(*_PUBLISHED, InList(tally.c.language, "languages"), tally.c.author == bindparam("author")))
)
_OF_IDS = Statement(select(*USER_COLUMNS).where(InList(account.c.id, "ids")))
_STATEMENTS = StatementCache()


class UserFilters(msgspec.Struct, frozen=True, kw_only=True):
    """The filters and order of an account list; empty ones filter nothing.

    columns: where `search` looks, of USER_SEARCH_COLUMNS. roles, capabilities: one of them is enough. authors: only
    accounts that may write. published: names of content types, of one of which the account has a public record; None
    for no such filter. orderby: id, include, name, registered_date, slug, include_slugs, email or url.
    """

    search: str = ""
    columns: tuple[str, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    slugs: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    authors: bool = False
    published: tuple[str, ...] | None = None
    orderby: str = "name"
    descending: bool = False
    limit: int = 10
    offset: int = 0


def list_public_types(site: SiteContext) -> tuple[str, ...]:
    """Return the names of the content types whose public records make their author visible."""
    return tuple(type.name for type in site.types.values() if type.public and type.described and type.names_author)


def list_publishing_types(work: UnitOfWork, types: Any, who: str | None) -> tuple[str, ...] | None:
    """Return the types of which an account must have a public record to be listed, None for no such condition.

    types: those that the caller filters by, true for all; None for no filter. who: whom else the list is limited to.
    """
    may_list = work.user.can("list_users")
    public = list_public_types(work.site)
    if types is True:
        return public
    if types:
        # Other callers must not learn by this filter who wrote unpublished records.
        return tuple(types) if may_list else tuple(name for name in types if name in public)
    return None if may_list or who == "authors" else public


def has_public_records(work: UnitOfWork, user: User) -> bool:
    """Return whether anything that this account wrote is public."""
    types = list_public_types(work.site)
    public = bool(work.tx.value(_HAS_PUBLISHED, author=user.id, **_build_published_values(work, types)))
    witness = work.witnesses.get(("author", user.id))
    if public and witness is not None and witness[0] in types:
        # As long as that record stays as it is, so does this.
        work.uses_items(witness[0], witness[1:])
    else:
        work.uses(*types)
    return public


def list_users(work: UnitOfWork, filters: UserFilters) -> tuple[list[User], int]:
    """Return the accounts of a page, and the total."""
    shape, values = _build_shape(work, filters)
    if shape is None:
        return [], 0
    if "search" in dict(shape):
        return _search_users(work, filters, shape, values)
    counted = _STATEMENTS.get(
        ("count", shape), lambda: select(func.count()).select_from(account).where(*_build_conditions(shape))
    )
    total = int(work.tx.value(counted, **values))
    if total <= filters.offset:
        return [], total
    order = (_resolve_order(filters), filters.descending)
    rows = _STATEMENTS.get(
        ("rows", shape, order),
        lambda: (
            select(*USER_COLUMNS)
            .where(*_build_conditions(shape))
            .order_by(*_build_ordering(*order))
            .limit(bindparam("limit"))
            .offset(bindparam("offset"))
        ),
    )
    values |= _build_order_values(filters)
    known = work.site.roles
    page = work.tx.all(rows, limit=filters.limit, offset=filters.offset, **values)
    return [row_to_user(row, known) for row in page], total


def _search_users(
    work: UnitOfWork, filters: UserFilters, shape: _UserQueryShape, values: dict[str, Any]
) -> tuple[list[User], int]:
    """Return a page of a search, and the total, looking once through the index that has all that is searched."""
    order = (_resolve_order(filters), filters.descending)
    every = _STATEMENTS.get(
        ("ids", shape, order),
        lambda: select(account.c.id).where(*_build_conditions(shape)).order_by(*_build_ordering(*order)),
    )
    found = work.tx.all(every, **values, **_build_order_values(filters))
    ids = [row[0] for row in found[filters.offset : filters.offset + filters.limit]]
    known = work.site.roles
    users = {row[0]: row_to_user(row, known) for row in work.tx.all(_OF_IDS, ids=encode_list(ids))}
    return [users[id] for id in ids], len(found)


def _build_order_values(filters: UserFilters) -> dict[str, Any]:
    match _resolve_order(filters):
        case "include":
            return {"ranks": encode_list(filters.include)}
        case "include_slugs":
            return {"ranks": encode_list(filters.slugs)}
        case _:
            return {}


_UserQueryShape = tuple[tuple[str, tuple[str, ...]], ...]


def _build_shape(work: UnitOfWork, filters: UserFilters) -> tuple[_UserQueryShape | None, dict[str, Any]]:
    """Return which conditions there are, and their values; no shape if nothing can match."""
    shape: list[tuple[str, tuple[str, ...]]] = []
    values: dict[str, Any] = {}
    # `exclude` applies only without `include` (docs/rules/kinds.md, 7).
    if filters.include:
        shape.append(("include", ()))
        values["include"] = encode_list(filters.include)
    elif filters.exclude:
        shape.append(("exclude", ()))
        values["exclude"] = encode_list(filters.exclude)
    if filters.slugs:
        shape.append(("slugs", ()))
        values["slugs"] = encode_list(filters.slugs)
    if filters.roles or filters.capabilities or filters.authors:
        kinds = _list_matching_kinds(work, filters)
        if not kinds:
            return None, {}
        shape.append(("kind", ()))
        values["account_kinds"] = encode_list(kinds)
    if filters.published is not None:
        shape.append(("published", ()))
        values.update(_build_published_values(work, filters.published))
    text = fold_text(filters.search).strip(" *")
    if text:
        columns = _choose_search_columns(text, filters.columns)
        shape.append(("search", columns))
        if columns != ("id",):
            values["search"] = text
        if "id" in columns:
            values["number"] = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else -1
    return tuple(shape), values


def _choose_search_columns(text: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    if columns:
        return tuple(sorted(set(columns)))
    if "@" in text:
        return ("email",)
    if text.isdecimal():
        return ("id", "username")
    return ("email", "name", "slug", "url", "username")


def _list_matching_kinds(work: UnitOfWork, filters: UserFilters) -> list[str]:
    """Return the stored pairs of roles and capabilities that match the filters.

    Only a few distinct pairs are ever stored, so they are evaluated here and not by the database.
    """
    fitting = []
    for roles, own, stored in work.tx.all(_EVERY_KIND):
        names = tuple(orjson.loads(roles))
        found = compute_role_rights(names, work.site.roles, stored)
        limited = dict.fromkeys((name for grant in found.grants for name in grant.capabilities), True)
        granted = {**limited, **found.everywhere, **dict.fromkeys(names, True), **orjson.loads(own)}
        if filters.roles and not set(names).intersection(filters.roles):
            continue
        if filters.capabilities and not any(granted.get(name) for name in filters.capabilities):
            continue
        if filters.authors and not granted.get("edit_posts"):
            continue
        fitting.append(roles + own)
    return fitting


def _build_published_values(work: UnitOfWork, kinds: tuple[str, ...]) -> dict[str, str]:
    # The languages are bound only to make the index usable, in which they precede the author.
    return {"kinds": encode_list(kinds), "languages": encode_list(work.site.profile.languages)}


def _build_conditions(shape: _UserQueryShape) -> list[ColumnElement[bool]]:
    return [_build_condition(name, columns) for name, columns in shape]


def _build_condition(name: str, columns: tuple[str, ...]) -> ColumnElement[bool]:
    match name:
        case "include":
            return InList(account.c.id, "include")
        case "exclude":
            return ~InList(account.c.id, "exclude")
        case "slugs":
            return InList(account.c.slug, "slugs")
        case "kind":
            return InList(_KINDS, "account_kinds")
        case "published":
            return account.c.id.in_(select(tally.c.author).where(*_PUBLISHED, InList(tally.c.language, "languages")))
        case _:
            hits: list[ColumnElement[bool]] = [
                account.c.id == bindparam("number") if column == "id" else ContainsText(_FOLDED[column], "search")
                for column in columns
            ]
            return or_(*hits)


def _resolve_order(filters: UserFilters) -> str:
    if filters.orderby == "include" and not filters.include:
        return "login"
    if filters.orderby == "include_slugs" and not filters.slugs:
        return "login"
    return filters.orderby


def _build_ordering(order_by: str, descending: bool) -> list[ColumnElement[Any]]:
    if order_by == "include":
        rank = ListPosition(account.c.id, "ranks")
        return [rank.desc() if descending else rank]
    if order_by == "include_slugs":
        return [ListPosition(account.c.slug, "ranks")]
    column = _ORDERS[order_by]
    if order_by == "id":
        return [column.desc() if descending else column]
    return [column.desc(), account.c.id.desc()] if descending else [column, account.c.id]
