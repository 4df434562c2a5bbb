"""Rules of any table: the file of the database, keys between tables, numbers, and what is stored as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Table, func, literal, select, text, union_all

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import raise_to
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.catalogue import product, shop_meta
from vetrina.backends.tables.connector import connector_state
from vetrina.backends.tables.core import (
    account,
    comment,
    counter,
    job,
    media,
    menu_item,
    option,
    record,
    revision,
    term,
    widget,
)
from vetrina.backends.tables.orders import (
    coupon,
    coupon_use,
    order_item,
    order_note,
    outbox_mail,
    shop_order,
    shop_refund,
)
from vetrina.backends.tables.taxes_shipping import shipping_method, shop_key, tax_rate
from vetrina.core.integrity.rule import Rule, by_parts, selecting
from vetrina.core.unit_of_work import Work

__all__ = ["RULES"]

# A server looks after its own file and keys.
_INTACT = Statement(lambda kind: text("PRAGMA integrity_check" if kind == "sqlite" else "SELECT 'ok'"))
_DANGLING = Statement(
    lambda kind: text("PRAGMA foreign_key_check") if kind == "sqlite" else select(literal(0)).where(literal(1) == 0)
)


def _damaged(work: Work) -> Iterator[str]:
    return (str(row[0]) for row in work.tx.all(_INTACT) if row[0] != "ok")


def _dangling(work: Work) -> Iterator[str]:
    return (f"{row[0]}: row {row[1]} points to no {row[2]}" for row in work.tx.all(_DANGLING))


# Which numbers come from which counter.
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


def _highest(name: str, *columns: ColumnElement[Any]) -> Any:
    """Select a counter that stands below a number in use."""
    highest = select(func.max(union_all(*(select(column.label("id")) for column in columns)).subquery().c.id))
    value = func.coalesce(select(counter.c.value).where(counter.c.name == name).scalar_subquery(), 0)
    return select(literal(name), value, highest.scalar_subquery()).where(value < highest.scalar_subquery())


_BEHIND = union_all(*(_highest(name, *columns) for name, columns in _NUMBERED.items()))
_BEHIND_ROWS = Statement(_BEHIND)
_every_number = union_all(*(select(column.label("id")) for column in _NUMBERED["record"])).subquery()


def _raise(work: Work) -> None:
    for name, _, highest in work.tx.all(_BEHIND_ROWS):
        raise_to(work.tx, highest, name)


_Stored = tuple[str, type, Callable[[Work], Iterable[Row]]]


def _stored(table: Table, column: str, kind: type, what: str = "") -> _Stored:
    """Return what a column is called, what JSON it holds, and what gives the keys and values of its rows."""
    [key, *_] = table.primary_key
    # Most are empty, and not read.
    statement = select(key, table.c[column]).where(table.c[column] != "{}")
    what = f"the {what or column} of {table.name.replace('_', ' ')}"
    if key.type.python_type is int:
        return what, kind, by_parts(statement, key)
    prepared = Statement(statement)
    return what, kind, lambda work: work.tx.all(prepared)


def _of(table: Table, kind: type, *columns: str) -> list[_Stored]:
    return [_stored(table, one, kind) for one in columns]


# What is stored as JSON, and as what of it.
_JSON: tuple[_Stored, ...] = (
    *_of(record, dict, "meta"), *_of(revision, dict, "meta"), *_of(term, dict, "meta"), *_of(comment, dict, "meta"),
    *_of(menu_item, list, "classes"), _stored(menu_item, "xfn", list, "relations"),
    *_of(account, dict, "meta", "capabilities"), *_of(account, list, "roles"),
    *_of(media, dict, "sizes", "details"), *_of(job, object, "arguments"), *_of(option, object, "value"),
    *_of(widget, dict, "settings"), *_of(product, list, "downloads", "gallery", "attributes"),
    *_of(shop_order, dict, "billing", "shipping_address"), *_of(order_item, dict, "taxes", "details"),
    *_of(shop_cart, object, "lines", "coupons", "billing", "shipping"), *_of(connector_state, object, "value"),
)  # fmt: skip


def _not_json(work: Work) -> Iterator[str]:
    for what, kind, rows in _JSON:
        for key, value in rows(work):
            try:
                found = orjson.loads(value)
            except orjson.JSONDecodeError:
                yield f"{what} {key} is no JSON"
            else:
                if not isinstance(found, kind):
                    yield f"{what} {key} is {value[:40]}"


RULES: tuple[Rule, ...] = (
    Rule("database-file", "The database file is whole.", _damaged, "Put a backup back.", quick=False),
    Rule("references", "Rows point to rows that are there.", _dangling, "Put a backup back, or remove the rows."),
    selecting(
        "counters",
        "No number is given out twice.",
        _BEHIND,
        "the counter {0} stands at {1}, the highest number is {2}",
        "`--repair` sets the counter to the highest number.",
        _raise,
    ),
    selecting(
        "numbers",
        "A number names one thing only.",
        select(_every_number.c.id, func.count()).group_by(_every_number.c.id).having(func.count() > 1),
        "the number {0} names {1} things",
        "Put a backup back, or remove all but one of them.",
    ),
    Rule("json", "What is stored as JSON is JSON.", _not_json, "Put a backup back, or mend the value."),
)
