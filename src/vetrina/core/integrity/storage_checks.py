"""Integrity rules of any table: the database file, keys between tables, id sequences, and columns with JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Table, func, literal, select, text, union_all

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import raise_sequence
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.catalogue import product, shop_meta
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.connector import connector_state
from vetrina.backends.tables.jobs import job
from vetrina.backends.tables.options import option, widget
from vetrina.backends.tables.orders import (
    coupon,
    coupon_use,
    order_item,
    order_note,
    outbox_mail,
    shop_order,
    shop_refund,
)
from vetrina.backends.tables.records import counter, media, menu_item, record, revision
from vetrina.backends.tables.taxes_shipping import shipping_method, shop_key, tax_rate
from vetrina.backends.tables.terms import term
from vetrina.core.integrity.rule import IntegrityRule, build_row_iterator, build_select_rule
from vetrina.core.unit_of_work import UnitOfWork

# A database server checks its own files and keys.
_INTACT = Statement(lambda kind: text("PRAGMA integrity_check" if kind == "sqlite" else "SELECT 'ok'"))
_DANGLING = Statement(
    lambda kind: text("PRAGMA foreign_key_check") if kind == "sqlite" else select(literal(0)).where(literal(1) == 0)
)


def _iterate_damage(work: UnitOfWork) -> Iterator[str]:
    return (str(row[0]) for row in work.tx.all(_INTACT) if row[0] != "ok")


def _iterate_dangling_rows(work: UnitOfWork) -> Iterator[str]:
    return (f"{row[0]}: row {row[1]} points to no {row[2]}" for row in work.tx.all(_DANGLING))


# Which ids come from which counter.
_NUMBERED: dict[str, tuple[ColumnElement[Any], ...]] = {
    "record": (record.c.id, revision.c.id, shop_order.c.id, shop_refund.c.id, coupon.c.id),
    **{
        table.name: (table.c.id,)
        for table in (
            term, account, comment, order_item, order_note, coupon_use, outbox_mail, shop_meta, shop_key, tax_rate,
            shipping_method,
        )
    },
}  # fmt: skip


def _select_lagging_counter(name: str, *columns: ColumnElement[Any]) -> Any:
    """Select a counter that is below an id in use."""
    highest = select(func.max(union_all(*(select(column.label("id")) for column in columns)).subquery().c.id))
    value = func.coalesce(select(counter.c.value).where(counter.c.name == name).scalar_subquery(), 0)
    return select(literal(name), value, highest.scalar_subquery()).where(value < highest.scalar_subquery())


_BEHIND = union_all(*(_select_lagging_counter(name, *columns) for name, columns in _NUMBERED.items()))
_BEHIND_ROWS = Statement(_BEHIND)
_every_number = union_all(*(select(column.label("id")) for column in _NUMBERED["record"])).subquery()


def _raise_counters(work: UnitOfWork) -> None:
    for name, _, highest in work.tx.all(_BEHIND_ROWS):
        raise_sequence(work.tx, highest, name)


_JsonColumn = tuple[str, type, Callable[[UnitOfWork], Iterable[Row]]]


def _build_json_column(table: Table, column: str, kind: type, what: str = "") -> _JsonColumn:
    """Return a column's description, its JSON type, and a function that yields the keys and values of its rows."""
    [key, *_] = table.primary_key
    # Most are empty and are not read.
    statement = select(key, table.c[column]).where(table.c[column] != "{}")
    what = f"the {what or column} of {table.name.replace('_', ' ')}"
    if key.type.python_type is int:
        return what, kind, build_row_iterator(statement, key)
    prepared = Statement(statement)
    return what, kind, lambda work: work.tx.all(prepared)


def _build_json_columns(table: Table, kind: type, *columns: str) -> list[_JsonColumn]:
    return [_build_json_column(table, one, kind) for one in columns]


# Columns with JSON, and the type of it.
_JSON: tuple[_JsonColumn, ...] = (
    *_build_json_columns(record, dict, "meta"),
    *_build_json_columns(revision, dict, "meta"),
    *_build_json_columns(term, dict, "meta"),
    *_build_json_columns(comment, dict, "meta"),
    *_build_json_columns(menu_item, list, "classes"),
    _build_json_column(menu_item, "xfn", list, "relations"),
    *_build_json_columns(account, dict, "meta", "capabilities"),
    *_build_json_columns(account, list, "roles"),
    *_build_json_columns(media, dict, "sizes", "details"),
    *_build_json_columns(job, object, "arguments"),
    *_build_json_columns(option, object, "value"),
    *_build_json_columns(widget, dict, "settings"),
    *_build_json_columns(product, list, "downloads", "gallery", "attributes"),
    *_build_json_columns(shop_order, dict, "billing", "shipping_address"),
    *_build_json_columns(order_item, dict, "taxes", "details"),
    *_build_json_columns(shop_cart, object, "lines", "coupons", "billing", "shipping"),
    *_build_json_columns(connector_state, object, "value"),
)


def _iterate_invalid_json(work: UnitOfWork) -> Iterator[str]:
    for what, kind, rows in _JSON:
        for key, value in rows(work):
            try:
                parsed = orjson.loads(value)
            except orjson.JSONDecodeError:
                yield f"{what} {key} is no JSON"
            else:
                if not isinstance(parsed, kind):
                    yield f"{what} {key} is {value[:40]}"


RULES: tuple[IntegrityRule, ...] = (
    IntegrityRule("database-file", "The database file is whole.", _iterate_damage, "Put a backup back.", quick=False),
    IntegrityRule(
        "references",
        "Rows point to rows that are there.",
        _iterate_dangling_rows,
        "Put a backup back, or remove the rows.",
    ),
    build_select_rule(
        "counters",
        "No number is given out twice.",
        _BEHIND,
        "the counter {0} stands at {1}, the highest number is {2}",
        "`--repair` sets the counter to the highest number.",
        _raise_counters,
    ),
    build_select_rule(
        "numbers",
        "A number names one thing only.",
        select(_every_number.c.id, func.count()).group_by(_every_number.c.id).having(func.count() > 1),
        "the number {0} names {1} things",
        "Put a backup back, or remove all but one of them.",
    ),
    IntegrityRule(
        "json", "What is stored as JSON is JSON.", _iterate_invalid_json, "Put a backup back, or mend the value."
    ),
)
