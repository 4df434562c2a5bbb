"""What a list may contain for its caller, as SQL conditions: a total counts what the list shows.

What access/roles/capabilities.py decides for one record by its status and author is decided here for all statuses at
once; both agree. Not here: the visibility of a file by its parent (content/records/visibility.py), the other filters
(content/records/filters.py). Rules: docs/rules/statuses.md, 4; docs/rules/rights.md, 2; docs/rules/passwords.md, 3, 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import Select, and_, bindparam, literal_column, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.access.roles.capabilities import may_edit_record, may_read_record
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.core import record
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.types.model import ContentType
from vetrina.content.types.statuses import INNER_STATUSES, SHOWN_STATUSES
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

OWN_SHAPE: Final = ("rights",)  # the shape of the condition that records in some statuses are the caller's own
_TRASH: Final = "trash"
_STATUSES: Final = frozenset(SHOWN_STATUSES) | INNER_STATUSES
_NO_STATUSES: Final = ("",)  # no record has this status
_OTHER_AUTHOR_ID: Final = -1
_above = record.alias("above")
_hidden = record.alias("hidden")


class VisibleStatuses(NamedTuple):
    """The statuses of records of one type that a caller may see, or edit.

    seen: of any author. own: of the caller's records only. shelved: statuses before the trash, for those of the
    caller's trashed records that they may see although `trash` is not in `own`.
    """

    seen: frozenset[str]
    own: frozenset[str]
    shelved: frozenset[str] = frozenset()


class QueryCondition(NamedTuple):
    """A SQL condition. shape: identifies it among others. build: returns it. values: its bound values."""

    shape: Any
    build: Callable[[], ColumnElement[bool]]
    values: Mapping[str, Any]


class _HypotheticalRecord(NamedTuple):
    """A record with the fields that the rights look at."""

    author: int
    status: str
    trashed_status: str = ""


def resolve_visible_statuses(user: User, type: ContentType, verb: Literal["read", "edit"]) -> VisibleStatuses:
    """Return the statuses of a type that a user may see outside the editing view, or edit."""
    return _compute_visible_statuses(user.capabilities, bool(user), type, verb)


# Depends only on the capabilities, of which there are few sets; computing it per type costs more than a short list.
@lru_cache(maxsize=2048)
def _compute_visible_statuses(
    capabilities: frozenset[str], known: bool, kind: ContentType, verb: Literal["read", "edit"]
) -> VisibleStatuses:
    user = User(id=1 if known else 0, capabilities=capabilities)
    may = may_read_record if verb == "read" else may_edit_record
    seen = frozenset(one for one in _STATUSES if may(user, kind, _HypotheticalRecord(_OTHER_AUTHOR_ID, one)))
    own = frozenset(one for one in _STATUSES - {_TRASH} if may(user, kind, _HypotheticalRecord(user.id, one)))
    shelved = frozenset(one for one in _STATUSES if may(user, kind, _HypotheticalRecord(user.id, _TRASH, one)))
    if _TRASH in seen or shelved == _STATUSES:
        own, shelved = own | {_TRASH}, frozenset()
    return VisibleStatuses(seen, own - seen, shelved) if user else VisibleStatuses(seen, frozenset())


def _resolve_list_statuses(work: UnitOfWork, query: RecordQuery) -> VisibleStatuses | None:
    """Return the statuses that a list may contain; None for all."""
    type = work.site.types.get(query.type)
    if type is None or not query.verb:
        return None
    if query.verb == "read" and query.statuses == ("publish",) and type.caps["read"] == "read":
        return None  # the common case
    found = resolve_visible_statuses(work.user, type, query.verb)
    return None if found.seen.issuperset(query.statuses) else found


def narrow_query(work: UnitOfWork, query: RecordQuery) -> RecordQuery:
    """Return a list without the statuses of which its caller would see none."""
    found = _resolve_list_statuses(work, query)
    if found is None:
        return query
    among = found.seen | found.own | ({_TRASH} if found.shelved else frozenset())
    if query.verb == "read":
        among |= {INHERIT_STATUS}  # its parent decides
    statuses = tuple(one for one in query.statuses if one in among)
    own_alone = bool(statuses) and not found.seen.intersection(statuses) and INHERIT_STATUS not in statuses
    author = query.author
    if own_alone and not query.author_exclude:
        # Lets the index on authors and the counters serve.
        author = (work.user.id,) if not author or work.user.id in author else ()
        statuses = statuses if author else ()
    return msgspec.structs.replace(query, statuses=statuses or _NO_STATUSES, author=author)


class RecordListRights(NamedTuple):
    """What a narrowed list still needs.

    seen, own: its statuses, of records by any author and by the caller. beneath: the condition that excludes files with
    a hidden parent, where that counts. left_out: its opposite, by which the few excluded files are counted.
    """

    conditions: list[QueryCondition]
    seen: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    beneath: QueryCondition | None = None
    left_out: Callable[[], ColumnElement[bool]] | None = None


def build_list_rights(work: UnitOfWork, query: RecordQuery) -> RecordListRights:
    """Return the conditions that exclude what the caller of a narrowed list may not see."""
    found = _resolve_list_statuses(work, query)
    if found is None:
        return RecordListRights([])
    conditions: list[QueryCondition] = []
    beneath = left_out = None
    seen = tuple(one for one in query.statuses if one in found.seen)
    own = tuple(one for one in query.statuses if one not in found.seen and one in found.own)
    if query.verb == "read" and INHERIT_STATUS in query.statuses and INHERIT_STATUS not in found.seen:
        seen, own = (*seen, INHERIT_STATUS), tuple(one for one in own if one != INHERIT_STATUS)
        beneath, left_out = _build_hidden_parent_condition(work)
        conditions.append(beneath)
    if own or (_TRASH in query.statuses and found.shelved):
        conditions.insert(0, _build_own_condition(work, seen, own, found.shelved))
    return RecordListRights(conditions, seen, own, beneath, left_out)


def _build_own_condition(
    work: UnitOfWork, seen: tuple[str, ...], own: tuple[str, ...], shelved: frozenset[str]
) -> QueryCondition:
    values: dict[str, Any] = {"caller": work.user.id, "own_statuses": encode_list(own)}
    if seen:
        values["seen_statuses"] = encode_list(seen)
    if shelved:
        values["shelved_statuses"] = encode_list(sorted(shelved))

    def build() -> ColumnElement[bool]:
        of_caller: ColumnElement[bool] = InList(record.c.status, "own_statuses")
        if shelved:
            once = and_(record.c.status == _TRASH, InList(record.c.trashed_status, "shelved_statuses"))
            of_caller = or_(of_caller, once)
        of_caller = and_(record.c.author == bindparam("caller"), of_caller)
        return or_(InList(record.c.status, "seen_statuses"), of_caller) if seen else of_caller

    return QueryCondition(OWN_SHAPE if seen and not shelved else (*OWN_SHAPE, bool(seen), bool(shelved)), build, values)


def _build_hidden_parent_condition(work: UnitOfWork) -> tuple[QueryCondition, Callable[[], ColumnElement[bool]]]:
    """Return the condition that excludes others' files on records that the caller may not see, and its opposite."""
    types = work.site.types
    work.uses(*types)
    grouped: dict[VisibleStatuses, list[str]] = {}
    for name, type in types.items():
        # A file is attached to no other file.
        if type.address != "attached":
            grouped.setdefault(resolve_visible_statuses(work.user, type, "read"), []).append(name)
    groups = list(grouped.items())
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (found, names) in enumerate(groups):
        values |= {
            f"above_types_{at}": encode_list(names),
            f"above_hidden_{at}": encode_list(sorted(_STATUSES - found.seen)),
            f"above_own_{at}": encode_list(sorted(found.own)),
        }

    def hidden(at: int) -> ColumnElement[bool]:
        of_others = or_(_above.c.author != bindparam("caller"), ~InList(_above.c.status, f"above_own_{at}"))
        return and_(
            InList(_above.c.type, f"above_types_{at}"), InList(_above.c.status, f"above_hidden_{at}"), of_others
        )

    def above() -> Any:
        return select(_above.c.id).where(or_(*(hidden(at) for at in range(len(groups)))))

    def build() -> ColumnElement[bool]:
        own = and_(record.c.author == bindparam("caller"), bindparam("caller") != 0)
        return or_(record.c.status != INHERIT_STATUS, record.c.parent.not_in(above()), own)

    def left_out() -> ColumnElement[bool]:
        others = or_(record.c.author != bindparam("caller"), bindparam("caller") == 0)
        return and_(record.c.status == INHERIT_STATUS, record.c.parent.in_(above()), others)

    return QueryCondition(("above", len(groups)), build, values), left_out


def build_visibility_condition(
    work: UnitOfWork, types: Iterable[str], verb: Literal["read", "edit"], table: Any, prefix: str
) -> QueryCondition:
    """Return the condition that a record of any of some types is one that the caller may see, or edit.

    table: the records, or an alias of them. prefix: of the bound names.
    """
    grouped: dict[VisibleStatuses, list[str]] = {}
    for name in types:
        grouped.setdefault(resolve_visible_statuses(work.user, work.site.types[name], verb), []).append(name)
    groups = [(found, names) for found, names in grouped.items() if any(found)]
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (found, names) in enumerate(groups):
        values |= {
            f"{prefix}_types_{at}": encode_list(names),
            f"{prefix}_seen_{at}": encode_list(sorted(found.seen)),
            f"{prefix}_own_{at}": encode_list(sorted(found.own)),
            f"{prefix}_shelved_{at}": encode_list(sorted(found.shelved)),
        }

    def build_group(at: int) -> ColumnElement[bool]:
        own = or_(
            InList(table.c.status, f"{prefix}_own_{at}"),
            and_(table.c.status == _TRASH, InList(table.c.trashed_status, f"{prefix}_shelved_{at}")),
        )
        return and_(
            InList(table.c.type, f"{prefix}_types_{at}"),
            or_(InList(table.c.status, f"{prefix}_seen_{at}"), and_(table.c.author == bindparam("caller"), own)),
        )

    def build() -> ColumnElement[bool]:
        return or_(*(build_group(at) for at in range(len(groups)))) if groups else table.c.id.is_(None)

    return QueryCondition((prefix, verb, len(groups)), build, values)


class HiddenRecords(NamedTuple):
    """The records whose own fields a password hides from a caller. As QueryCondition, but it selects their ids."""

    shape: Any
    build_select: Callable[[], Select[tuple[int]]]
    values: Mapping[str, Any]


def find_hidden_records(work: UnitOfWork, query: RecordQuery) -> HiddenRecords | None:
    """Return the records of a list whose fields its caller does not see; None where the caller may edit them all."""
    type = work.site.types[query.type]
    if work.user and resolve_visible_statuses(work.user, type, "edit").seen.issuperset(query.statuses):
        return None
    editable = build_visibility_condition(work, [query.type], "edit", _hidden, "unhidden") if work.user else None

    def build_select() -> Select[tuple[int]]:
        out = select(_hidden.c.id).where(
            _hidden.c.type == bindparam("type"),
            # Worded like the condition of the index `record_protected`.
            _hidden.c.password + literal_column("''") != literal_column("''"),
            _hidden.c.password != literal_column("'0'"),
        )
        return out if editable is None else out.where(~editable.build())

    return HiddenRecords(("hidden", editable and editable.shape), build_select, editable.values if editable else {})
