"""What a list may contain for its caller, as SQL conditions: a total counts what the list shows.

What access/roles/capabilities.py decides for one record by its status and author is decided here for all statuses at
once; both agree. Not here: the visibility of a file by its parent (content/records/visibility.py), the other filters
(content/records/filters.py). Rules: docs/rules/statuses.md, 4; docs/rules/rights.md, 2; docs/rules/passwords.md, 3, 6;
docs/rules/roles.md, 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import Select, and_, bindparam, literal_column, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.access.roles.capabilities import may_edit_others_records, may_edit_record, may_read_record
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.records import record
from vetrina.content.records import list_languages
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.types.model import ContentType
from vetrina.content.types.statuses import ALL_STATUSES
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import Grant, User

OWN_SHAPE: Final = ("rights",)  # the shape of the condition that records in some statuses are the caller's own
_TRASH: Final = "trash"
_NO_STATUSES: Final = ("",)  # no record has this status
_OTHER_AUTHOR_ID: Final = -1
_OTHER_LANGUAGE: Final = ""  # no record has it, and no role names it
Verb = Literal["read", "edit"]
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
    language: str = ""


class LanguageStatuses(NamedTuple):
    """The visible statuses of records in some languages, or in all but these (`without`)."""

    statuses: VisibleStatuses
    languages: tuple[str, ...]
    without: bool

    def holds(self, language: str) -> bool:
        """Return whether it is about records in a language."""
        return (language in self.languages) != self.without


def resolve_visible_statuses(user: User, type: ContentType, verb: Verb) -> tuple[LanguageStatuses, ...]:
    """Return the statuses of a type that a user may see outside the editing view, or edit.

    One value for all languages, unless the user has a role that is limited to some.
    """
    return _compute_language_statuses(user.capabilities, user.grants, bool(user), type, verb)


def is_all_visible(user: User, type: ContentType, verb: Verb, statuses: Iterable[str]) -> bool:
    """Return whether a user sees, or may edit, all records of a type that have one of these statuses."""
    return all(one.statuses.seen.issuperset(statuses) for one in resolve_visible_statuses(user, type, verb))


# Depends only on the rights, of which there are few sets; computing it per type costs more than a short list.
@lru_cache(maxsize=2048)
def _compute_language_statuses(
    capabilities: frozenset[str], grants: tuple[Grant, ...], known: bool, kind: ContentType, verb: Verb
) -> tuple[LanguageStatuses, ...]:
    user = User(id=1 if known else 0, capabilities=capabilities, grants=grants)
    others = _compute_visible_statuses(user, kind, verb, _OTHER_LANGUAGE)
    differing: dict[VisibleStatuses, list[str]] = {}
    for language in sorted({name for grant in grants for name in grant.languages or ()}):
        found = _compute_visible_statuses(user, kind, verb, language)
        if found != others:
            differing.setdefault(found, []).append(language)
    named = tuple(LanguageStatuses(found, tuple(names), False) for found, names in differing.items())
    return (*named, LanguageStatuses(others, tuple(name for one in named for name in one.languages), True))


def _compute_visible_statuses(user: User, kind: ContentType, verb: Verb, language: str) -> VisibleStatuses:
    may = may_read_record if verb == "read" else may_edit_record

    def may_in(author: int, status: str, trashed_status: str = "") -> bool:
        return may(user, kind, _HypotheticalRecord(author, status, trashed_status, language))

    seen = frozenset(one for one in ALL_STATUSES if may_in(_OTHER_AUTHOR_ID, one))
    own = frozenset(one for one in ALL_STATUSES - {_TRASH} if may_in(user.id, one))
    shelved = frozenset(one for one in ALL_STATUSES if may_in(user.id, _TRASH, one))
    if _TRASH in seen or shelved == ALL_STATUSES:
        own, shelved = own | {_TRASH}, frozenset()
    return VisibleStatuses(seen, own - seen, shelved) if user else VisibleStatuses(seen, frozenset())


def _resolve_list_statuses(work: UnitOfWork, query: RecordQuery) -> tuple[LanguageStatuses, ...] | None:
    """Return the statuses that a list may contain, by the languages that it has; None for all."""
    type = work.site.types.get(query.type)
    if type is None or not query.verb:
        return None
    if query.verb == "read" and query.statuses == ("publish",) and type.caps["read"] == "read":
        return None  # the common case
    found = resolve_visible_statuses(work.user, type, query.verb)
    if found[1:]:
        languages = [share.language for share in list_languages.list_language_shares(work, query.type)]
        found = tuple(one for one in found if any(one.holds(language) for language in languages))
    return None if all(one.statuses.seen.issuperset(query.statuses) for one in found) else found


def narrow_query(work: UnitOfWork, query: RecordQuery) -> RecordQuery:
    """Return a list without the statuses of which its caller would see none."""
    found = _resolve_list_statuses(work, query)
    if found is None:
        return query
    seen = frozenset(one for of in found for one in of.statuses.seen)
    among = seen.union(*(of.statuses.own | ({_TRASH} if of.statuses.shelved else frozenset()) for of in found))
    if query.verb == "read":
        among |= {INHERIT_STATUS}  # its parent decides
    statuses = tuple(one for one in query.statuses if one in among)
    own_alone = bool(statuses) and not seen.intersection(statuses) and INHERIT_STATUS not in statuses
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
    beneath = left_out = None
    by_parent = query.verb == "read" and any(
        INHERIT_STATUS in query.statuses and INHERIT_STATUS not in of.statuses.seen for of in found
    )
    parts = [_divide_statuses(query, of.statuses, by_parent) for of in found]
    conditions: list[QueryCondition] = []
    if found[1:]:
        conditions.append(_build_divided_condition(work, found, parts))
    elif parts[0].own or parts[0].shelved:
        conditions.append(_build_own_condition(work, *parts[0]))
    if by_parent:
        beneath, left_out = _build_hidden_parent_condition(work)
        conditions.append(beneath)
    seen, own = (parts[0].seen, parts[0].own) if not found[1:] else ((), ())
    return RecordListRights(conditions, seen, own, beneath, left_out)


class _DividedStatuses(NamedTuple):
    """The statuses of a list: seen of any author, own of the caller alone, shelved as in VisibleStatuses."""

    seen: tuple[str, ...]
    own: tuple[str, ...]
    shelved: frozenset[str]


def _divide_statuses(query: RecordQuery, found: VisibleStatuses, by_parent: bool) -> _DividedStatuses:
    """Return the statuses of a list by whose records may have them. by_parent: whether a file's parent decides."""
    seen = tuple(one for one in query.statuses if one in found.seen)
    own = tuple(one for one in query.statuses if one not in found.seen and one in found.own)
    if by_parent and INHERIT_STATUS not in found.seen:
        seen, own = (*seen, INHERIT_STATUS), tuple(one for one in own if one != INHERIT_STATUS)
    return _DividedStatuses(seen, own, found.shelved if _TRASH in query.statuses else frozenset())


def _build_divided_condition(
    work: UnitOfWork, found: Sequence[LanguageStatuses], parts: Sequence[_DividedStatuses]
) -> QueryCondition:
    """Return the condition of a list whose caller may see different statuses in its languages."""
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (of, part) in enumerate(zip(found, parts, strict=True)):
        values |= {
            f"divided_languages_{at}": encode_list(of.languages),
            f"divided_seen_{at}": encode_list(part.seen),
            f"divided_own_{at}": encode_list(part.own),
            f"divided_shelved_{at}": encode_list(sorted(part.shelved)),
        }

    def build() -> ColumnElement[bool]:
        return or_(
            *(
                and_(
                    _match_languages(record, of, f"divided_languages_{at}"),
                    _match_statuses(record, f"divided_{{}}_{at}"),
                )
                for at, of in enumerate(found)
            )
        )

    return QueryCondition((*OWN_SHAPE, "by language", tuple(of.without for of in found)), build, values)


def _match_languages(table: Any, of: LanguageStatuses, name: str) -> ColumnElement[bool]:
    condition = InList(table.c.language, name)
    return ~condition if of.without else condition


def _match_statuses(table: Any, names: str) -> ColumnElement[bool]:
    """Return the condition on status and author. names: of the bound lists, with a place for seen, own and shelved."""
    own = or_(
        InList(table.c.status, names.format("own")),
        and_(table.c.status == _TRASH, InList(table.c.trashed_status, names.format("shelved"))),
    )
    return or_(InList(table.c.status, names.format("seen")), and_(table.c.author == bindparam("caller"), own))


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
    # A file is attached to no other file.
    groups = _group_types(work, (name for name, type in types.items() if type.address != "attached"), "read")
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (of, names) in enumerate(groups):
        values |= {
            f"above_types_{at}": encode_list(names),
            f"above_hidden_{at}": encode_list(sorted(ALL_STATUSES - of.statuses.seen)),
            f"above_own_{at}": encode_list(sorted(of.statuses.own)),
            **({f"above_languages_{at}": encode_list(of.languages)} if of.languages else {}),
        }

    def hidden(at: int) -> ColumnElement[bool]:
        of_others = or_(_above.c.author != bindparam("caller"), ~InList(_above.c.status, f"above_own_{at}"))
        of = groups[at][0]
        spoken = [_match_languages(_above, of, f"above_languages_{at}")] if of.languages else []
        return and_(
            InList(_above.c.type, f"above_types_{at}"),
            InList(_above.c.status, f"above_hidden_{at}"),
            of_others,
            *spoken,
        )

    def above() -> Any:
        return select(_above.c.id).where(or_(*(hidden(at) for at in range(len(groups)))))

    def build() -> ColumnElement[bool]:
        own = and_(record.c.author == bindparam("caller"), bindparam("caller") != 0)
        return or_(record.c.status != INHERIT_STATUS, record.c.parent.not_in(above()), own)

    def left_out() -> ColumnElement[bool]:
        others = or_(record.c.author != bindparam("caller"), bindparam("caller") == 0)
        return and_(record.c.status == INHERIT_STATUS, record.c.parent.in_(above()), others)

    return QueryCondition(("above", _describe_groups(groups)), build, values), left_out


_TypeGroups = list[tuple[LanguageStatuses, list[str]]]


def _group_types(work: UnitOfWork, types: Iterable[str], verb: Verb) -> _TypeGroups:
    """Return the types by what the caller may see, or edit, of them, and in which languages."""
    grouped: dict[LanguageStatuses, list[str]] = {}
    for name in types:
        for one in resolve_visible_statuses(work.user, work.site.types[name], verb):
            grouped.setdefault(one, []).append(name)
    return list(grouped.items())


def _describe_groups(groups: _TypeGroups) -> tuple[bool | None, ...]:
    """Return what identifies the conditions that are built from some groups."""
    return tuple(of.without if of.languages else None for of, _ in groups)


def build_visibility_condition(
    work: UnitOfWork, types: Iterable[str], verb: Verb, table: Any, prefix: str
) -> QueryCondition:
    """Return the condition that a record of any of some types is one that the caller may see, or edit.

    table: the records, or an alias of them. prefix: of the bound names.
    """
    groups = [(of, names) for of, names in _group_types(work, types, verb) if any(of.statuses)]
    values: dict[str, Any] = {"caller": work.user.id}
    for at, (of, names) in enumerate(groups):
        found = of.statuses
        values |= {
            f"{prefix}_types_{at}": encode_list(names),
            f"{prefix}_seen_{at}": encode_list(sorted(found.seen)),
            f"{prefix}_own_{at}": encode_list(sorted(found.own)),
            f"{prefix}_shelved_{at}": encode_list(sorted(found.shelved)),
            **({f"{prefix}_languages_{at}": encode_list(of.languages)} if of.languages else {}),
        }

    def build_group(at: int) -> ColumnElement[bool]:
        of = groups[at][0]
        spoken = [_match_languages(table, of, f"{prefix}_languages_{at}")] if of.languages else []
        return and_(
            InList(table.c.type, f"{prefix}_types_{at}"), _match_statuses(table, f"{prefix}_{{}}_{at}"), *spoken
        )

    def build() -> ColumnElement[bool]:
        return or_(*(build_group(at) for at in range(len(groups)))) if groups else table.c.id.is_(None)

    return QueryCondition((prefix, verb, _describe_groups(groups)), build, values)


def hides_records(work: UnitOfWork, query: RecordQuery, type: ContentType, languages: Iterable[str | None]) -> bool:
    """Return whether a list lacks what its type hides from readers; those who edit such records see them all."""
    return not query.verb or not all(may_edit_others_records(work.user, type, language) for language in languages)


class HiddenRecords(NamedTuple):
    """The records whose own fields a password hides from a caller. As QueryCondition, but it selects their ids."""

    shape: Any
    build_select: Callable[[], Select[tuple[int]]]
    values: Mapping[str, Any]


def find_hidden_records(work: UnitOfWork, query: RecordQuery) -> HiddenRecords | None:
    """Return the records of a list whose fields its caller does not see; None where the caller may edit them all."""
    type = work.site.types[query.type]
    if work.user and is_all_visible(work.user, type, "edit", query.statuses):
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
