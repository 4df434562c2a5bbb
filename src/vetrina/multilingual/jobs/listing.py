"""Lists of jobs: the newest of each thing and language, by many filters, in any order.

Cancelled jobs are in no list. Not here: what a list shows of a job (multilingual/jobs/summary.py).
Rules: facts of the multilingual layer, "Routes of `mlang/tm/v1`: jobs".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, false, func, literal_column, or_, select, true

from vetrina.backends.statement_cache import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables.multilingual import status
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import sort_key
from vetrina.multilingual.jobs.model import KIND, LOCAL, Job, of_row, selected
from vetrina.multilingual.jobs.states import HIDDEN, Review, State
from vetrina.multilingual.languages.names import by_name

__all__ = ["COLUMNS", "NEEDS_REVIEW", "NEEDS_UPDATE", "Filters", "found"]

NEEDS_UPDATE, NEEDS_REVIEW = 3, 30  # states of filters only
COLUMNS: Final = ("id", "title", "batch_name", "language", "sent_date", "deadline_date", "status")
_HIDDEN: Final = sorted(state.value for state in HIDDEN)
_VISIBLE: Final = sorted(state.value for state in State if state not in HIDDEN)
_SHAPES = Shapes(most=256)
_MANY: Final = 2000  # rows


class Filters(msgspec.Struct, frozen=True):
    """What a list is asked for; None and empty ask for nothing.

    scope: all, local, remote or ate. rids: the rows' numbers. titles, batches: parts, any of them.
    statuses: numbers, 3 and 30 among them. needs_update: only flagged ones, or only the others.
    translated_by: an account's number in scope local, a service's in scope remote.
    sent, deadline: first and last second. sorting: columns with whether they ascend. limit: None for all.
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

    @property
    def by_number(self) -> bool:
        """Say whether the list is in the order of the rows' numbers."""
        return not self.sorting or self.sorting[0][0] == "id"


def found(work: Work, filters: Filters) -> tuple[list[Job], int]:
    """Return the jobs of a list's page, and how many the whole list has."""
    work.uses(KIND, "mlang_batch")
    names = by_name(work)
    # Where names and codes come in the same order, an index has them in it.
    coded = names == sorted(names)
    conditions, values, shape = _conditions(filters)

    def counted() -> int:
        return int(work.tx.value(_SHAPES.get(("count", shape), lambda: _counted(conditions)), **values) or 0)

    paged = filters.limit is not None
    known: int | None = None
    of_rows, rows_shape = conditions, shape
    if paged and filters.by_number and (filters.sent is not None or filters.deadline is not None):
        known = counted()
        if known > _MANY:
            # So many that the first ones are met soon on the way through the numbers; else all would be sorted.
            of_rows, _, rows_shape = _conditions(filters, walked=True)
    statement = _SHAPES.get(
        ("rows", rows_shape, filters.sorting, paged, coded), lambda: _selected(of_rows, filters, paged, coded)
    )
    bound = dict(values)
    if paged:
        bound |= {"limit": filters.limit, "offset": filters.offset}
    if not coded and any(column == "language" for column, _ in filters.sorting):
        bound["languages"] = listed(names)
    page = [of_row(row) for row in work.tx.all(statement, **bound)]
    if known is not None:
        return page, known
    if filters.limit is None or 0 < len(page) < filters.limit or (not page and not filters.offset):
        # A page that is not full is the last one: nothing is left to be counted.
        return page, filters.offset + len(page)
    return page, counted()


def _counted(conditions: Sequence[ColumnElement[bool]]) -> Any:
    return select(func.count()).select_from(status).where(*conditions)


def _selected(conditions: Sequence[ColumnElement[bool]], filters: Filters, paged: bool, coded: bool) -> Any:
    # The page is found among the rows alone; only what it shows is joined.
    order = _order(filters.sorting, coded)
    if not paged:
        return selected().where(*conditions).order_by(*order)
    page = select(status.c.rid).where(*conditions).order_by(*order)
    chosen = page.limit(bindparam("limit")).offset(bindparam("offset")).subquery()
    return selected().where(status.c.rid.in_(select(chosen.c.rid))).order_by(*order)


def _order(sorting: Sequence[tuple[str, bool]], coded: bool) -> list[Any]:
    languages: tuple[ColumnElement[Any], ...] = (status.c.source_language, status.c.target_language)
    if not coded:
        languages = tuple(Place(column, "languages") for column in languages)
    columns: dict[str, tuple[ColumnElement[Any], ...]] = {
        "id": (status.c.rid,),
        "title": (status.c.title_key,),
        "batch_name": (status.c.batch_key,),
        "language": languages,
        "sent_date": (status.c.sent,),
        "deadline_date": (status.c.deadline,),
        "status": (status.c.status,),
    }
    out: list[Any] = []
    for name, ascends in sorting:
        out += [column.asc() if ascends else column.desc() for column in columns[name]]
    # Whatever the order, equal rows come as the first column goes, so that an index serves both.
    ascends = sorting[0][1] if sorting else False
    return [*out, status.c.rid.asc() if ascends else status.c.rid.desc()]


def _conditions(
    filters: Filters, walked: bool = False
) -> tuple[list[ColumnElement[bool]], dict[str, Any], tuple[Any, ...]]:
    """Return the conditions of a list, the values that they bind, and what tells them from others.

    walked: whether the index of a span of time is to be left alone, because the rows are met in another order.
    """
    out: list[ColumnElement[bool]] = []
    values: dict[str, Any] = {}
    shape: list[Any] = []

    def add(name: str, condition: ColumnElement[bool], **bound: Any) -> None:
        out.append(condition)
        values.update(bound)
        shape.append(name)

    if filters.scope == "local":
        add("local", status.c.service == LOCAL)
    elif filters.scope == "remote":
        add("remote", or_(status.c.service < LOCAL, status.c.service > LOCAL))
    elif filters.scope == "ate":
        add("ate", and_(status.c.service == LOCAL, status.c.editor == "ate"))
    if filters.rids is not None:
        add("rids", Among(status.c.rid, "rids"), rids=listed(filters.rids))
    for name, column, parts in (
        ("title", status.c.title_key, filters.titles),
        ("batch", status.c.batch_key, filters.batches),
    ):
        if parts:
            some: ColumnElement[bool] = or_(*(Contains(column, f"{name}_{at}") for at in range(len(parts))))
            add(f"{name} {len(parts)}", some, **{f"{name}_{at}": sort_key(part) for at, part in enumerate(parts)})
    if filters.source_language:
        add("source", status.c.source_language == bindparam("source"), source=filters.source_language)
    if len(filters.target_languages) == 1:
        add("one target", status.c.target_language == bindparam("target"), target=filters.target_languages[0])
    elif filters.target_languages:
        add("target", Among(status.c.target_language, "targets"), targets=listed(filters.target_languages))
    if filters.needs_update is not None:
        add(
            f"needs_update {filters.needs_update}",
            status.c.needs_update == (true() if filters.needs_update else false()),
        )
    if filters.translated_by and filters.scope == "local":
        add("translator", status.c.translator == bindparam("by"), by=_number(filters.translated_by))
    elif filters.translated_by and filters.scope == "remote":
        add("service", status.c.service == bindparam("by"), by=filters.translated_by)
    if filters.element_type:
        add("type", status.c.element_type == bindparam("element_type"), element_type=filters.element_type)
    if filters.automatic:
        add("automatic", status.c.automatic.is_(true()))
    for name, column, span in (("sent", status.c.sent, filters.sent), ("due", status.c.deadline, filters.deadline)):
        if span is not None:
            # A sign in front keeps a planner from using an index.
            of = literal_column(f"+{column.table.name}.{column.name}", BigInteger) if walked else column
            within = and_(of >= bindparam(f"{name}_from"), of <= bindparam(f"{name}_to"))
            add(f"{name} walked" if walked else name, within, **{f"{name}_from": span[0], f"{name}_to": span[1]})
    _add_statuses(filters, add)
    return out, values, tuple(shape)


def _add_statuses(filters: Filters, add: Any) -> None:
    asked = filters.statuses
    if asked is None:
        add("visible", _visible())
        return
    if NEEDS_REVIEW in asked:
        reviewed = or_(status.c.review == Review.NEEDED.value, status.c.review == Review.EDITING.value)
        add("review", reviewed)
        asked = tuple(number for number in asked if number != NEEDS_REVIEW)
        if not asked:
            add("visible", _visible())
            return
    wanted = [number for number in asked if number in _VISIBLE]
    some: ColumnElement[bool] = Among(status.c.status, "statuses")
    if NEEDS_UPDATE in asked:
        flagged = and_(status.c.status == State.COMPLETE.value, status.c.needs_update == true())
        add("statuses or flagged", or_(some, flagged), statuses=listed(wanted))
    else:
        add("statuses", some, statuses=listed(wanted))


def _visible() -> ColumnElement[bool]:
    return and_(*(status.c.status != number for number in _HIDDEN))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else -1
