"""The segments of months and years by product, kept as the text of responses.

A page of a year has 60,000 segments. Encoding them again from their rows takes several times as long as the whole
response does from its text, so the text itself is kept, beside the rows that it is made from
(analytics/rollups/product_store.py). Its form is known here alone: a line for each product, its id and its measures as
JSON. Only a product's measures come in and go out. Not here: when a text holds (analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import bindparam, delete, select

from vetrina.analytics.rollups import periods
from vetrina.analytics.rollups.periods import SEGMENTS, YEAR
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.rollups import rollup_segments as table
from vetrina.core.unit_of_work import UnitOfWork

MeasureTexts = Mapping[int, str]  # the measures of products as JSON, by product

_KEY: Final[dict[str, Any]] = {name: bindparam(name) for name in ("kind", "dates", "unit")}
_of_kind = (table.c.kind == bindparam("kind"), table.c.dates == bindparam("dates"))
_BETWEEN = Statement(
    select(table.c.unit, table.c.text).where(
        *_of_kind, table.c.unit >= bindparam("first"), table.c.unit <= bindparam("last")
    )
)
_SAVE = Statement(build_upsert(table, tuple(_KEY), {**_KEY, "text": bindparam("text")}, {"text": bindparam("text")}))
_DELETE = Statement(delete(table).where(*_of_kind, table.c.unit == bindparam("unit")))
_DELETE_ALL = Statement(delete(table))


def iterate_month_texts(work: UnitOfWork, dates: str, first: int, last: int) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield the kept months of a span, each with its measures."""
    for month, text in work.tx.all(_BETWEEN, kind=SEGMENTS, dates=dates, first=first, last=last):
        yield month, _parse(text)


def find_year_texts(work: UnitOfWork, dates: str, year: int) -> dict[int, str] | None:
    """Return the measures of a kept year; None where it is not kept."""
    row = work.tx.first(_BETWEEN, kind=YEAR, dates=dates, first=year, last=year)
    return None if row is None else _parse(row[1])


def save_texts(work: UnitOfWork, kind: str, dates: str, unit: int, measures: MeasureTexts) -> None:
    """Keep the measures of a month (SEGMENTS) or a year (YEAR)."""
    text = "\n".join([f"{id} {measures[id]}" for id in sorted(measures)])
    work.tx.run(_SAVE, kind=kind, dates=dates, unit=unit, text=text)
    periods.add_period(work, kind, dates, unit)


def delete_texts(work: UnitOfWork, kind: str, dates: str, unit: int) -> None:
    """Forget a month (SEGMENTS) or a year (YEAR)."""
    periods.forget_period(work, kind, dates, unit)
    work.tx.run(_DELETE, kind=kind, dates=dates, unit=unit)


def delete_all_texts(work: UnitOfWork) -> None:
    """Forget all months and years."""
    periods.forget_kinds(work, (SEGMENTS, YEAR))
    work.tx.run(_DELETE_ALL)


def _parse(text: str) -> dict[int, str]:
    out = {}
    for line in text.split("\n") if text else ():
        id, _, measures = line.partition(" ")
        out[int(id)] = measures
    return out
