"""Which records a list may have for its caller, as conditions of its statement: a total counts what the list shows.

What is asked of one record by its status and author (access/roles/capabilities.py) is asked here of every status at
once, so that both agree. Not here: what a record's parent says of it alone (content/records/visibility.py), the other
filters of a list (content/records/filters.py). Rules: facts, "Who may do what"; overrides, 12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.access.roles.capabilities import may_edit, may_read
from vetrina.access.users.model import User
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility import INHERITED
from vetrina.content.types.model import ContentType
from vetrina.content.types.statuses import INNER, SHOWN
from vetrina.core.unit_of_work import Work

__all__ = ["OWN", "Condition", "Reach", "Rights", "narrowed", "reach", "reachable", "within"]

OWN: Final = ("rights",)  # the shape of the condition that records in some statuses are the caller's own
_TRASH: Final = "trash"
_STATUSES: Final = frozenset(SHOWN) | INNER
_NONE: Final = ("",)  # no record has this status
_SOMEBODY_ELSE: Final = -1
_above = record.alias("above")


class Reach(NamedTuple):
    """The statuses of records of one type that a caller may see, or edit.

    seen: whoever wrote them. own: of records that the caller wrote. shelved: what of his own was in one of these before
    it went to the trash, where `trash` is not in `own`.
    """

    seen: frozenset[str]
    own: frozenset[str]
    shelved: frozenset[str] = frozenset()


class Condition(NamedTuple):
    """A condition of a statement. shape: what tells it from others. build: gives it. values: what it binds."""

    shape: Any
    build: Callable[[], ColumnElement[bool]]
    values: Mapping[str, Any]


class _Imagined(NamedTuple):
    """A record as the rights know it."""

    author: int
    status: str
    trashed_status: str = ""


def reach(user: User, type: ContentType, verb: Literal["read", "edit"]) -> Reach:
    """Return what of a type somebody may see outside the editing view, or edit."""
    return _reach(user.capabilities, bool(user), type, verb)


# It follows from the roles, of which there are few; asked again for every type it costs more than a short list.
@lru_cache(maxsize=2048)
def _reach(capabilities: frozenset[str], known: bool, kind: ContentType, verb: Literal["read", "edit"]) -> Reach:
    user = User(id=1 if known else 0, capabilities=capabilities)
    may = may_read if verb == "read" else may_edit
    seen = frozenset(one for one in _STATUSES if may(user, kind, _Imagined(_SOMEBODY_ELSE, one)))
    own = frozenset(one for one in _STATUSES - {_TRASH} if may(user, kind, _Imagined(user.id, one)))
    shelved = frozenset(one for one in _STATUSES if may(user, kind, _Imagined(user.id, _TRASH, one)))
    if _TRASH in seen or shelved == _STATUSES:
        own, shelved = own | {_TRASH}, frozenset()
    return Reach(seen, own - seen, shelved) if user else Reach(seen, frozenset())


def _of_list(work: Work, query: RecordQuery) -> Reach | None:
    """Return what a list may have; None where that is all of it."""
    type = work.frame.types.get(query.type)
    if type is None or not query.verb:
        return None
    if query.verb == "read" and query.statuses == ("publish",) and type.caps["read"] == "read":
        return None  # as nearly every list is
    found = reach(work.user, type, query.verb)
    return None if found.seen.issuperset(query.statuses) else found


def narrowed(work: Work, query: RecordQuery) -> RecordQuery:
    """Return a list without the statuses of which its caller would see none."""
    found = _of_list(work, query)
    if found is None:
        return query
    among = found.seen | found.own | ({_TRASH} if found.shelved else frozenset())
    if query.verb == "read":
        among |= {INHERITED}  # what is above it decides
    statuses = tuple(one for one in query.statuses if one in among)
    own_alone = bool(statuses) and not found.seen.intersection(statuses) and INHERITED not in statuses
    author = query.author
    if own_alone and not query.author_exclude:
        # So that the index of authors serves, and the tally.
        author = (work.user.id,) if not author or work.user.id in author else ()
        statuses = statuses if author else ()
    return msgspec.structs.replace(query, statuses=statuses or _NONE, author=author)


class Rights(NamedTuple):
    """What a narrowed list still needs.

    seen, own: its statuses, of records that all have written and of the caller's own. beneath: what keeps files out
    that hang on something hidden, where that counts. left_out: the opposite of it, by which few are counted.
    """

    conditions: list[Condition]
    seen: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    beneath: Condition | None = None
    left_out: Callable[[], ColumnElement[bool]] | None = None


def reachable(work: Work, query: RecordQuery) -> Rights:
    """Return the conditions that keep out what the caller of a narrowed list may not see."""
    found = _of_list(work, query)
    if found is None:
        return Rights([])
    conditions: list[Condition] = []
    beneath = left_out = None
    seen = tuple(one for one in query.statuses if one in found.seen)
    own = tuple(one for one in query.statuses if one not in found.seen and one in found.own)
    if query.verb == "read" and INHERITED in query.statuses and INHERITED not in found.seen:
        seen, own = (*seen, INHERITED), tuple(one for one in own if one != INHERITED)
        beneath, left_out = _beneath_hidden(work)
        conditions.append(beneath)
    if own or (_TRASH in query.statuses and found.shelved):
        conditions.insert(0, _own(work, seen, own, found.shelved))
    return Rights(conditions, seen, own, beneath, left_out)


def _own(work: Work, seen: tuple[str, ...], own: tuple[str, ...], shelved: frozenset[str]) -> Condition:
    values: dict[str, Any] = {"caller": work.user.id, "own_statuses": listed(own)}
    if seen:
        values["seen_statuses"] = listed(seen)
    if shelved:
        values["shelved_statuses"] = listed(sorted(shelved))

    def build() -> ColumnElement[bool]:
        of_caller: ColumnElement[bool] = Among(record.c.status, "own_statuses")
        if shelved:
            once = and_(record.c.status == _TRASH, Among(record.c.trashed_status, "shelved_statuses"))
            of_caller = or_(of_caller, once)
        of_caller = and_(record.c.author == bindparam("caller"), of_caller)
        return or_(Among(record.c.status, "seen_statuses"), of_caller) if seen else of_caller

    return Condition(OWN if seen and not shelved else (*OWN, bool(seen), bool(shelved)), build, values)


def _beneath_hidden(work: Work) -> tuple[Condition, Callable[[], ColumnElement[bool]]]:
    """Return the condition that keeps out others' files on records that the caller may not see, and its opposite."""
    types = work.frame.types
    work.uses(*types)
    grouped: dict[Reach, list[str]] = {}
    for name, type in types.items():
        # A file hangs on no other file.
        if type.address != "attached":
            grouped.setdefault(reach(work.user, type, "read"), []).append(name)
    groups = list(grouped.items())
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (found, names) in enumerate(groups):
        values |= {
            f"above_types_{at}": listed(names),
            f"above_hidden_{at}": listed(sorted(_STATUSES - found.seen)),
            f"above_own_{at}": listed(sorted(found.own)),
        }

    def hidden(at: int) -> ColumnElement[bool]:
        of_others = or_(_above.c.author != bindparam("caller"), ~Among(_above.c.status, f"above_own_{at}"))
        return and_(Among(_above.c.type, f"above_types_{at}"), Among(_above.c.status, f"above_hidden_{at}"), of_others)

    def above() -> Any:
        return select(_above.c.id).where(or_(*(hidden(at) for at in range(len(groups)))))

    def build() -> ColumnElement[bool]:
        own = and_(record.c.author == bindparam("caller"), bindparam("caller") != 0)
        return or_(record.c.status != INHERITED, record.c.parent.not_in(above()), own)

    def left_out() -> ColumnElement[bool]:
        others = or_(record.c.author != bindparam("caller"), bindparam("caller") == 0)
        return and_(record.c.status == INHERITED, record.c.parent.in_(above()), others)

    return Condition(("above", len(groups)), build, values), left_out


def within(work: Work, types: Iterable[str], verb: Literal["read", "edit"], table: Any, prefix: str) -> Condition:
    """Return the condition that a record of any of some types is one that the caller may see, or edit.

    table: the records, or an alias of them. prefix: of what is bound.
    """
    grouped: dict[Reach, list[str]] = {}
    for name in types:
        grouped.setdefault(reach(work.user, work.frame.types[name], verb), []).append(name)
    groups = [(found, names) for found, names in grouped.items() if any(found)]
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (found, names) in enumerate(groups):
        values |= {
            f"{prefix}_types_{at}": listed(names),
            f"{prefix}_seen_{at}": listed(sorted(found.seen)),
            f"{prefix}_own_{at}": listed(sorted(found.own)),
            f"{prefix}_shelved_{at}": listed(sorted(found.shelved)),
        }

    def build_group(at: int) -> ColumnElement[bool]:
        own = or_(
            Among(table.c.status, f"{prefix}_own_{at}"),
            and_(table.c.status == _TRASH, Among(table.c.trashed_status, f"{prefix}_shelved_{at}")),
        )
        return and_(
            Among(table.c.type, f"{prefix}_types_{at}"),
            or_(Among(table.c.status, f"{prefix}_seen_{at}"), and_(table.c.author == bindparam("caller"), own)),
        )

    def build() -> ColumnElement[bool]:
        return or_(*(build_group(at) for at in range(len(groups)))) if groups else table.c.id.is_(None)

    return Condition((prefix, verb, len(groups)), build, values)
