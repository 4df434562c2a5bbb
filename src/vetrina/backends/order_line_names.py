"""The different names of order lines, in which PostgreSQL looks for a text instead of in millions of lines.

A shop sells the same things again and again, and an index of the names is read from each name to the next one. Where
there are too many of them, or one is too long for it, an index of trigrams serves (backends/order_search_index.py);
so it does on SQLite always.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, func, literal_column, select, text

from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.orders import order_item

from .database import Statement, Transaction

LINE_NAMES: Final = "line_names"  # the bound value of the conditions
MAX_NAMES: Final = 5_000  # each takes 15 µs
# The lines of each index, in the words of its declaration, by which PostgreSQL recognizes it. An entry has 2,704 bytes
# at most.
_SHORT: Final = "order_item.kind = 'line' AND length(order_item.name) <= 500"
_LONG: Final = "order_item.kind = 'line' AND length(order_item.name) > 500"
_LINE: Final = text("order_item.kind = 'line'")
_INDEXED_LINE: Final = text(_SHORT)
_LONG_LINE: Final = text(_LONG)
CREATE_NAME_INDEXES: Final = (
    f"CREATE INDEX order_item_by_name ON order_item (name, owner) WHERE {_SHORT}",
    f"CREATE INDEX order_item_long_name ON order_item (owner) WHERE {_LONG}",
)

_first = (
    select(order_item.c.name.label("name"), literal_column("1").label("number"))
    .where(_INDEXED_LINE)
    .order_by(order_item.c.name)
    .limit(1)
    .cte("seen", recursive=True)
)
_next = (
    select(order_item.c.name)
    .where(_INDEXED_LINE, order_item.c.name > _first.c.name)
    .order_by(order_item.c.name)
    .limit(1)
    .scalar_subquery()
)
_seen = _first.union_all(
    select(_next, _first.c.number + literal_column("1")).where(
        _first.c.name.is_not(None), _first.c.number <= bindparam("most", type_=BigInteger)
    )
)
_NAMES: Final = Statement(select(_seen.c.name).where(_seen.c.name.is_not(None)))
_LONG_NAME: Final = Statement(select(order_item.c.owner).where(_LONG_LINE).limit(1))


def build_name_condition(indexed: bool) -> ColumnElement[bool]:
    """Return the condition that an item is a line with one of the bound names. indexed: found by them."""
    return and_(_INDEXED_LINE if indexed else _LINE, InList(order_item.c.name, LINE_NAMES))


_FIRST_LINES: Final = Statement(
    select(func.count()).select_from(
        select(order_item.c.owner)
        .where(build_name_condition(True))
        .limit(bindparam("most", type_=BigInteger))
        .subquery("lines")
    )
)


def find_line_names(tx: Transaction, texts: Sequence[str]) -> list[str] | None:
    """Return the names of lines that contain one of some texts, None where that has to be found out otherwise.

    texts: in small letters, as far as they are of ASCII, which alone PostgreSQL makes small.
    """
    if tx.value(_LONG_NAME) is not None:
        return None
    names = [str(name) for name in tx.column(_NAMES, most=MAX_NAMES)]
    if len(names) > MAX_NAMES:
        return None
    wanted = [one.encode() for one in texts]
    return [name for name in names if any(one in name.encode().lower() for one in wanted)]


def has_many_lines(tx: Transaction, names: Sequence[str], many: int) -> bool:
    """Return whether at least so many lines have one of the names."""
    return bool(names) and int(tx.value(_FIRST_LINES, line_names=encode_list(names), most=many)) == many
