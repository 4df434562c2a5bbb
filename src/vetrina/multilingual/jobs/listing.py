"""Lists of translation jobs: the newest job of each item and language, filtered, sorted and paged.

Cancelled jobs are in no list. Not here: what a list shows of a job (multilingual/jobs/summary.py).
Rules: docs/rules/translation_routes.md, 5, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, false, func, literal_column, or_, select, true

from vetrina.backends.statement_cache import ContainsText, InList, ListPosition, StatementCache, encode_list
from vetrina.backends.tables.multilingual import mlang_status
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import build_sort_key
from vetrina.multilingual.jobs.model import KIND, LOCAL, TranslationJob, row_to_job, select_newest_jobs
from vetrina.multilingual.jobs.states import HIDDEN, TranslationJobState, TranslationReview
from vetrina.multilingual.languages.names import list_languages_by_name

NEEDS_UPDATE, NEEDS_REVIEW = 3, 30  # states that exist in filters only
COLUMNS: Final = ("id", "title", "batch_name", "language", "sent_date", "deadline_date", "status")
_HIDDEN: Final = sorted(state.value for state in HIDDEN)
_VISIBLE: Final = sorted(state.value for state in TranslationJobState if state not in HIDDEN)
_SHAPES = StatementCache(most=256)
_MANY: Final = 2000  # rows


class TranslationJobFilters(msgspec.Struct, frozen=True):
    """The filters of a list; None and empty values do not filter.

    scope: all, local, remote or ate. rids: ids of status rows. titles, batches: substrings, any of which may match.
    statuses: codes, 3 and 30 among them. needs_update: True for flagged jobs only, False for the others only.
    translated_by: an account id in scope local, a service id in scope remote.
    sent, deadline: first and last second, since 1970. sorting: columns, each with whether it ascends.
    limit: None for all. workable: target languages with the types of elements in each, None for all of them.
    """

    scope: str = "all"
    rids: tuple[int, ...] | None = None
    titles: tuple[str, ...] = ()
    batches: tuple[str, ...] = ()
    source_language: str = ""
    target_languages: tuple[str, ...] = ()
    statuses: tuple[int, ...] | None = None
    needs_update: bool | None = None
    translated_by: str = ""
    element_type: str = ""
    automatic: bool = False
    sent: tuple[int, int] | None = None
    deadline: tuple[int, int] | None = None
    sorting: tuple[tuple[str, bool], ...] = ()
    limit: int | None = None
    offset: int = 0
    workable: tuple[tuple[str, tuple[str, ...] | None], ...] | None = None

    @property
    def is_ordered_by_number(self) -> bool:
        """Say whether the list is ordered by the ids of the status rows."""
        return not self.sorting or self.sorting[0][0] == "id"


def list_jobs(work: UnitOfWork, filters: TranslationJobFilters) -> tuple[list[TranslationJob], int]:
    """Return a page of a list, and the total number of jobs in it."""
    work.uses(KIND, "mlang_batch")
    names = list_languages_by_name(work)
    # Where names and codes sort alike, an index has the languages in the order of their names.
    coded = names == sorted(names)
    conditions, values, shape = _build_conditions(filters)

    def counted() -> int:
        return int(work.tx.value(_SHAPES.get(("count", shape), lambda: _build_count_query(conditions)), **values) or 0)

    paged = filters.limit is not None
    known: int | None = None
    of_rows, rows_shape = conditions, shape
    if paged and filters.is_ordered_by_number and (filters.sent is not None or filters.deadline is not None):
        known = counted()
        if known > _MANY:
            # Many matches: the first ones turn up soon in id order; otherwise all would have to be sorted.
            of_rows, _, rows_shape = _build_conditions(filters, walked=True)
    statement = _SHAPES.get(
        ("rows", rows_shape, filters.sorting, paged, coded), lambda: _build_page_query(of_rows, filters, paged, coded)
    )
    bound = dict(values)
    if paged:
        bound |= {"limit": filters.limit, "offset": filters.offset}
    if not coded and any(column == "language" for column, _ in filters.sorting):
        bound["languages"] = encode_list(names)
    page = [row_to_job(row) for row in work.tx.all(statement, **bound)]
    if known is not None:
        return page, known
    if filters.limit is None or 0 < len(page) < filters.limit or (not page and not filters.offset):
        # A page that is not full is the last one, so no count is needed.
        return page, filters.offset + len(page)
    return page, counted()


def _build_count_query(conditions: Sequence[ColumnElement[bool]]) -> Any:
    return select(func.count()).select_from(mlang_status).where(*conditions)


def _build_page_query(
    conditions: Sequence[ColumnElement[bool]], filters: TranslationJobFilters, paged: bool, coded: bool
) -> Any:
    # The page is selected from the rows alone; the columns displayed are joined to that.
    order = _build_order(filters.sorting, coded)
    if not paged:
        return select_newest_jobs().where(*conditions).order_by(*order)
    page = select(mlang_status.c.rid).where(*conditions).order_by(*order)
    chosen = page.limit(bindparam("limit")).offset(bindparam("offset")).subquery()
    return select_newest_jobs().where(mlang_status.c.rid.in_(select(chosen.c.rid))).order_by(*order)


def _build_order(sorting: Sequence[tuple[str, bool]], coded: bool) -> list[Any]:
    languages: tuple[ColumnElement[Any], ...] = (mlang_status.c.source_language, mlang_status.c.target_language)
    if not coded:
        languages = tuple(ListPosition(column, "languages") for column in languages)
    columns: dict[str, tuple[ColumnElement[Any], ...]] = {
        "id": (mlang_status.c.rid,),
        "title": (mlang_status.c.title_key,),
        "batch_name": (mlang_status.c.batch_key,),
        "language": languages,
        "sent_date": (mlang_status.c.sent,),
        "deadline_date": (mlang_status.c.deadline,),
        "status": (mlang_status.c.status,),
    }
    out: list[Any] = []
    for name, ascends in sorting:
        out += [column.asc() if ascends else column.desc() for column in columns[name]]
    # Ties follow the direction of the first column, so that one index serves both orders.
    ascends = sorting[0][1] if sorting else False
    return [*out, mlang_status.c.rid.asc() if ascends else mlang_status.c.rid.desc()]


def _build_conditions(
    filters: TranslationJobFilters, walked: bool = False
) -> tuple[list[ColumnElement[bool]], dict[str, Any], tuple[Any, ...]]:
    """Return the WHERE conditions of a list, the values that they bind, and the statement's cache key.

    walked: whether the index on a time range must not be used, because the rows are read in another order.
    """
    out: list[ColumnElement[bool]] = []
    values: dict[str, Any] = {}
    shape: list[Any] = []

    def add(name: Any, condition: ColumnElement[bool], **bound: Any) -> None:
        out.append(condition)
        values.update(bound)
        shape.append(name)

    if filters.scope == "local":
        add("local", mlang_status.c.service == LOCAL)
    elif filters.scope == "remote":
        add("remote", or_(mlang_status.c.service < LOCAL, mlang_status.c.service > LOCAL))
    elif filters.scope == "ate":
        add("ate", and_(mlang_status.c.service == LOCAL, mlang_status.c.editor == "ate"))
    if filters.rids is not None:
        add("rids", InList(mlang_status.c.rid, "rids"), rids=encode_list(filters.rids))
    for name, column, parts in (
        ("title", mlang_status.c.title_key, filters.titles),
        ("batch", mlang_status.c.batch_key, filters.batches),
    ):
        if parts:
            some: ColumnElement[bool] = or_(*(ContainsText(column, f"{name}_{at}") for at in range(len(parts))))
            add(f"{name} {len(parts)}", some, **{f"{name}_{at}": build_sort_key(part) for at, part in enumerate(parts)})
    if filters.source_language:
        add("source", mlang_status.c.source_language == bindparam("source"), source=filters.source_language)
    if len(filters.target_languages) == 1:
        add("one target", mlang_status.c.target_language == bindparam("target"), target=filters.target_languages[0])
    elif filters.target_languages:
        add("target", InList(mlang_status.c.target_language, "targets"), targets=encode_list(filters.target_languages))
    if filters.needs_update is not None:
        add(
            f"needs_update {filters.needs_update}",
            mlang_status.c.needs_update == (true() if filters.needs_update else false()),
        )
    if filters.translated_by and filters.scope == "local":
        add("translator", mlang_status.c.translator == bindparam("by"), by=_parse_number(filters.translated_by))
    elif filters.translated_by and filters.scope == "remote":
        add("service", mlang_status.c.service == bindparam("by"), by=filters.translated_by)
    if filters.element_type:
        add("type", mlang_status.c.element_type == bindparam("element_type"), element_type=filters.element_type)
    if filters.automatic:
        add("automatic", mlang_status.c.automatic.is_(true()))
    if filters.workable is not None:
        _add_workable_condition(filters.workable, add)
    for name, column, span in (
        ("sent", mlang_status.c.sent, filters.sent),
        ("due", mlang_status.c.deadline, filters.deadline),
    ):
        if span is not None:
            # A unary plus keeps the planner from using an index.
            of = literal_column(f"+{column.table.name}.{column.name}", BigInteger) if walked else column
            within = and_(of >= bindparam(f"{name}_from"), of <= bindparam(f"{name}_to"))
            add(f"{name} walked" if walked else name, within, **{f"{name}_from": span[0], f"{name}_to": span[1]})
    _add_status_condition(filters, add)
    return out, values, tuple(shape)


def _add_status_condition(filters: TranslationJobFilters, add: Any) -> None:
    statuses = filters.statuses
    if statuses is None:
        add("visible", _build_visible_condition())
        return
    if NEEDS_REVIEW in statuses:
        reviewed = or_(
            mlang_status.c.review == TranslationReview.NEEDED.value,
            mlang_status.c.review == TranslationReview.EDITING.value,
        )
        add("review", reviewed)
        statuses = tuple(number for number in statuses if number != NEEDS_REVIEW)
        if not statuses:
            add("visible", _build_visible_condition())
            return
    wanted = [number for number in statuses if number in _VISIBLE]
    some: ColumnElement[bool] = InList(mlang_status.c.status, "statuses")
    if NEEDS_UPDATE in statuses:
        flagged = and_(
            mlang_status.c.status == TranslationJobState.COMPLETE.value, mlang_status.c.needs_update == true()
        )
        add("statuses or flagged", or_(some, flagged), statuses=encode_list(wanted))
    else:
        add("statuses", some, statuses=encode_list(wanted))


def _add_workable_condition(workable: tuple[tuple[str, tuple[str, ...] | None], ...], add: Any) -> None:
    parts: list[ColumnElement[bool]] = []
    values: dict[str, str] = {}
    for at, (language, types) in enumerate(workable):
        values[f"workable_language_{at}"] = language
        part = mlang_status.c.target_language == bindparam(f"workable_language_{at}")
        if types is not None:
            values[f"workable_types_{at}"] = encode_list(types)
            part = and_(part, InList(mlang_status.c.element_type, f"workable_types_{at}"))
        parts.append(part)
    shape = ("workable", tuple(types is None for _, types in workable))
    add(shape, or_(*parts) if parts else false(), **values)


def _build_visible_condition() -> ColumnElement[bool]:
    return and_(*(mlang_status.c.status != number for number in _HIDDEN))


def _parse_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else -1
