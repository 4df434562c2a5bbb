"""Substring search among orders: a trigram index over what they are found by, fed from the change log and never stale.

It works as that of records does (backends/search_index.py says why), but keeps no entries: its rows bear the ids of the
orders, which are never used twice. An order that changes is added once more, and hits are checked against the order
itself, so what is left of its earlier text does no harm. Orders above the highest id that was read, and those that
changed past the mark, are looked at too. On PostgreSQL the database maintains such indexes itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Integer, Select, bindparam, cast, column, func, select, table, text, union

from vetrina.backends import change_log
from vetrina.backends.search_index import build_match_expression, join_indexed_texts
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.backends.tables.records import counter

from .database import Statement, Transaction

# Without contents and positions, as the index of records.
CREATE_ORDER_INDEX = (
    "CREATE VIRTUAL TABLE order_search_index USING fts5("
    "text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')"
)
CREATE_ORDER_INDEX_POSTGRESQL = (
    "CREATE INDEX shop_order_trigrams ON shop_order USING gin (search_key gin_trgm_ops)",
    "CREATE INDEX order_item_trigrams ON order_item USING gin (lower(name) gin_trgm_ops) WHERE kind = 'line'",
)
ORDER_SEARCH_COUNTERS = ("order_search", "order_search_id")  # the last change that was read; the highest indexed id
BOUND_NAMES = frozenset({"grams", "search_mark", "highest"})  # of `build_search_values`; they do not affect the result

_BATCH = 100  # orders; few, as the index is written under the lock that every writer needs
_MAX_PENDING = 5_000  # orders; more are not counted
_CHANGED, _HIGHEST = ORDER_SEARCH_COUNTERS
_LINE, _ORDER = "line", "order"
_EVERY = "\x1e" * 3  # begins every text, so that a search for it tells what the index has


def _select_changed_orders(mark: str) -> Select[Any]:
    """Select the orders that changed after a bound mark, on SQLite."""
    return select(cast(change.c.item, Integer)).where(change.c.sequence > bindparam(mark), change.c.kind == _ORDER)


_index = table("order_search_index", column("rowid", Integer), column("text"))
_MARKS = Statement(select(counter.c.name, counter.c.value).where(InList(counter.c.name, "names")))
_SET_MARK = Statement(
    build_upsert(
        counter, ("name",), {"name": bindparam("of"), "value": bindparam("mark")}, {"value": bindparam("mark")}
    )
)
_CHANGES_SINCE = Statement(
    select(change.c.sequence, change.c.item)
    .where(change.c.sequence > bindparam("mark"), change.c.kind == _ORDER)
    .order_by(change.c.sequence)
    .limit(bindparam("most"))
)
_NEW_IDS = Statement(
    select(shop_order.c.id)
    .where(shop_order.c.id > bindparam("highest"))
    .order_by(shop_order.c.id)
    .limit(bindparam("most"))
)
_TEXTS = Statement(
    select(shop_order.c.id, shop_order.c.search_key, func.group_concat(func.lower(order_item.c.name), "\x1f"))
    .outerjoin(order_item, (order_item.c.owner == shop_order.c.id) & (order_item.c.kind == _LINE))
    .where(InList(shop_order.c.id, "ids"))
    .group_by(shop_order.c.id)
)
_INSERT_POSTING = Statement(_index.insert().values(rowid=bindparam("rowid"), text=bindparam("text")))
_INDEXED = Statement(select(_index.c.rowid).where(text("order_search_index MATCH :grams")))
_WAITING = Statement(_select_changed_orders("mark"))
_READ = Statement(select(shop_order.c.id).where(shop_order.c.id <= bindparam("highest")).order_by(shop_order.c.id))


def build_search_values(tx: Transaction, alternatives: Sequence[Sequence[str]]) -> dict[str, Any] | None:
    """Return what `select_candidates` binds, None if every order must be looked at.

    alternatives: texts, all of which must occur; one of the alternatives suffices.
    """
    found = [build_match_expression(texts) for texts in alternatives]
    if tx.kind == "postgresql" or None in found:
        return None
    changed, highest = _get_marks(tx)
    grams = " OR ".join(f"({one})" for one in dict.fromkeys(found))
    return {"grams": grams, "search_mark": changed, "highest": highest}


def select_candidates() -> Any:
    """Select the ids of the orders that may be found, on SQLite: those in the index, and what it has not read yet."""
    return union(
        select(_index.c.rowid).where(text("order_search_index MATCH :grams")),
        select(shop_order.c.id).where(shop_order.c.id > bindparam("highest")),
        _select_changed_orders("search_mark"),
    )


def count_pending_orders(tx: Transaction) -> int:
    """Return how many changes of orders and new orders the index has not read yet, at most some thousands."""
    if tx.kind == "postgresql":
        return 0
    changed, highest = _get_marks(tx)
    changes = tx.all(_CHANGES_SINCE, mark=changed, most=_MAX_PENDING)
    return len(changes) + len(tx.all(_NEW_IDS, highest=highest, most=_MAX_PENDING))


def index_orders(tx: Transaction, most: int = _BATCH) -> int:
    """Index orders that changed, then new ones, up to `most` in all; return how many were read."""
    if tx.kind == "postgresql":
        return 0
    changed, highest = _get_marks(tx)
    news = tx.all(_CHANGES_SINCE, mark=changed, most=most)
    last = news[-1][0] if len(news) == most else change_log.get_latest_sequence(tx)
    if last > changed:
        tx.run(_SET_MARK, of=_CHANGED, mark=last)
    ids = {int(item) for _, item in news}
    new = [int(id) for (id,) in tx.all(_NEW_IDS, highest=highest, most=most - len(news))]
    if new:
        tx.run(_SET_MARK, of=_HIGHEST, mark=new[-1])
    # Orders above the highest one are read in their turn.
    wanted = sorted({id for id in ids if id <= highest}.union(new))
    found = tx.all(_TEXTS, ids=encode_list(wanted)) if wanted else []
    texts = [(id, join_indexed_texts((_EVERY, key, names or ""))) for id, key, names in found]
    tx.run_each(_INSERT_POSTING, [{"rowid": id, "text": one} for id, one in texts])
    return len(news) + len(new)


def list_unindexed_orders(tx: Transaction) -> list[int]:
    """Return the orders that the index should have and has not."""
    if tx.kind == "postgresql":
        return []
    changed, highest = _get_marks(tx)
    held = {int(id) for (id,) in tx.all(_INDEXED, grams=build_match_expression((_EVERY,)))}
    held |= {int(id) for (id,) in tx.all(_WAITING, mark=changed)}
    return [id for (id,) in tx.all(_READ, highest=highest) if id not in held]


def find_mark_fault(tx: Transaction) -> str | None:
    """Return what is wrong with how far the index has read, None for nothing."""
    if tx.kind == "postgresql":
        return None
    changed, latest = _get_marks(tx)[0], change_log.get_latest_sequence(tx)
    return f"the index has read up to change {changed}, the last one is {latest}" if changed > latest else None


def repair_mark(tx: Transaction) -> None:
    """Set how far the index has read to the last change, where it is past it."""
    if find_mark_fault(tx):
        tx.run(_SET_MARK, of=_CHANGED, mark=change_log.get_latest_sequence(tx))


def _get_marks(tx: Transaction) -> tuple[int, int]:
    """Return the last change that was read, and the highest id that was indexed."""
    marks = {name: int(value) for name, value in tx.all(_MARKS, names=encode_list(ORDER_SEARCH_COUNTERS))}
    return marks.get(_CHANGED, 0), marks.get(_HIGHEST, 0)
