"""Lists of accounts with their filters, and who has public records.

Not here: who may use which filter (namespaces), single accounts (access/users/rules.py).
Rules: facts, "Users"; names are sorted without regard to letter case and accents.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import ColumnElement, bindparam, exists, func, or_, select

from vetrina.access.roles.roles import capabilities_of
from vetrina.access.users.model import User
from vetrina.access.users.rules import COLUMNS, from_row, has_shop
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables.core import account, tally
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.folding import fold

__all__ = ["SEARCHED", "Filters", "found", "has_public_records", "public_kinds"]

# Names of the columns of a search, as clients write them.
SEARCHED: Final = ("email", "name", "id", "username", "slug")

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
_EVERY_KIND = Statement(select(account.c.roles, account.c.capabilities).distinct())
# The tally knows who has how many; the records themselves would be looked through for every account.
_PUBLISHED = (Among(tally.c.type, "kinds"), tally.c.status == "publish", tally.c.count > 0)
_HAS_PUBLISHED = Statement(
    select(exists().where(*_PUBLISHED, Among(tally.c.language, "languages"), tally.c.author == bindparam("author")))
)
_SHAPES = Shapes()


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """Which accounts a list shows, and in which order; what is empty filters nothing.

    columns: where `search` looks, of SEARCHED. roles, capabilities: one of them is enough. authors: those who may
    write. published: names of content types, of one of which the account has a public record; None for no such filter.
    order_by: id, include, name, registered_date, slug, include_slugs, email or url. size: accounts of the page.
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
    order_by: str = "name"
    descending: bool = False
    size: int = 10
    skipped: int = 0


def public_kinds(frame: Frame) -> tuple[str, ...]:
    """Return the names of the content types whose public records make their author known."""
    return tuple(type.name for type in frame.types.values() if type.public and type.described and type.names_author)


def has_public_records(work: Work, user: User) -> bool:
    """Say whether everybody may read something that this account wrote."""
    values = _published_values(work, public_kinds(work.frame))
    return bool(work.tx.value(_HAS_PUBLISHED, author=user.id, **values))


def found(work: Work, filters: Filters) -> tuple[list[User], int]:
    """Return the accounts of a page, and how many there are on all pages."""
    shape, values = _shape(work, filters)
    if shape is None:
        return [], 0
    counted = _SHAPES.get(
        ("count", shape), lambda: select(func.count()).select_from(account).where(*_conditions(shape))
    )
    total = int(work.tx.value(counted, **values))
    if total <= filters.skipped:
        return [], total
    order = (_order_of(filters), filters.descending)
    rows = _SHAPES.get(
        ("rows", shape, order),
        lambda: (
            select(*COLUMNS)
            .where(*_conditions(shape))
            .order_by(*_ordering(*order))
            .limit(bindparam("size"))
            .offset(bindparam("skipped"))
        ),
    )
    if order[0] == "include":
        values["ranks"] = listed(filters.include)
    elif order[0] == "include_slugs":
        values["ranks"] = listed(filters.slugs)
    shop = has_shop(work.frame)
    page = work.tx.all(rows, size=filters.size, skipped=filters.skipped, **values)
    return [from_row(row, shop) for row in page], total


_Shape = tuple[tuple[str, tuple[str, ...]], ...]


def _shape(work: Work, filters: Filters) -> tuple[_Shape | None, dict[str, Any]]:
    """Return which conditions there are, and their values; no shape when nothing can fulfil them."""
    shape: list[tuple[str, tuple[str, ...]]] = []
    values: dict[str, Any] = {}
    # `exclude` counts only where nothing is included (facts, "Rules that hold for several kinds").
    if filters.include:
        shape.append(("include", ()))
        values["include"] = listed(filters.include)
    elif filters.exclude:
        shape.append(("exclude", ()))
        values["exclude"] = listed(filters.exclude)
    if filters.slugs:
        shape.append(("slugs", ()))
        values["slugs"] = listed(filters.slugs)
    if filters.roles or filters.capabilities or filters.authors:
        kinds = _fitting_kinds(work, filters)
        if not kinds:
            return None, {}
        shape.append(("kind", ()))
        values["account_kinds"] = listed(kinds)
    if filters.published is not None:
        shape.append(("published", ()))
        values.update(_published_values(work, filters.published))
    text = fold(filters.search).strip(" *")
    if text:
        columns = _columns(text, filters.columns)
        shape.append(("search", columns))
        if columns != ("id",):
            values["search"] = text
        if "id" in columns:
            values["number"] = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else -1
    return tuple(shape), values


def _columns(text: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    if columns:
        return tuple(sorted(set(columns)))
    if "@" in text:
        return ("email",)
    if text.isdecimal():
        return ("id", "username")
    return ("email", "name", "slug", "url", "username")


def _fitting_kinds(work: Work, filters: Filters) -> list[str]:
    """Return the stored roles and capabilities of those accounts that the filters want.

    Few different ones are ever stored, so they are judged here and not by the database.
    """
    shop, fitting = has_shop(work.frame), []
    for roles, own in work.tx.all(_EVERY_KIND):
        names = tuple(orjson.loads(roles))
        granted = {**capabilities_of(names, shop), **dict.fromkeys(names, True), **orjson.loads(own)}
        if filters.roles and not set(names).intersection(filters.roles):
            continue
        if filters.capabilities and not any(granted.get(name) for name in filters.capabilities):
            continue
        if filters.authors and not granted.get("edit_posts"):
            continue
        fitting.append(roles + own)
    return fitting


def _published_values(work: Work, kinds: tuple[str, ...]) -> dict[str, str]:
    # The languages are named only so that the key, in which they stand before the author, can be used.
    return {"kinds": listed(kinds), "languages": listed(work.frame.profile.languages)}


def _conditions(shape: _Shape) -> list[ColumnElement[bool]]:
    return [_condition(name, columns) for name, columns in shape]


def _condition(name: str, columns: tuple[str, ...]) -> ColumnElement[bool]:
    match name:
        case "include":
            return Among(account.c.id, "include")
        case "exclude":
            return ~Among(account.c.id, "exclude")
        case "slugs":
            return Among(account.c.slug, "slugs")
        case "kind":
            return Among(_KINDS, "account_kinds")
        case "published":
            return account.c.id.in_(select(tally.c.author).where(*_PUBLISHED, Among(tally.c.language, "languages")))
        case _:
            hits: list[ColumnElement[bool]] = [
                account.c.id == bindparam("number") if column == "id" else Contains(_FOLDED[column], "search")
                for column in columns
            ]
            return or_(*hits)


def _order_of(filters: Filters) -> str:
    if filters.order_by == "include" and not filters.include:
        return "login"
    if filters.order_by == "include_slugs" and not filters.slugs:
        return "login"
    return filters.order_by


def _ordering(order_by: str, descending: bool) -> list[ColumnElement[Any]]:
    if order_by == "include":
        rank = Place(account.c.id, "ranks")
        return [rank.desc() if descending else rank]
    if order_by == "include_slugs":
        return [Place(account.c.slug, "ranks")]
    column = _ORDERS[order_by]
    if order_by == "id":
        return [column.desc() if descending else column]
    return [column.desc(), account.c.id.desc()] if descending else [column, account.c.id]
