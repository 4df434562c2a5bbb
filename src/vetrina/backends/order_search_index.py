"""Substring search among orders: a trigram index over what they are found by, fed from the change log and never stale.

It is fed as that of records is (backends/search_index.py says why), but its rows bear the ids of the orders, and it
holds what it indexed: the two texts of an order lie densely there, so that hits are checked, and words too short for
the index looked for, without reading the orders (docs/decisions/totals.md). Orders above the highest id that was read,
and those that changed past the mark, are looked at themselves. On PostgreSQL the database maintains such indexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    CompoundSelect,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    column,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    table,
    text,
    union,
    union_all,
)
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import change_log
from vetrina.backends.search_index import GRAM_LENGTH, build_match_expression
from vetrina.backends.statement_cache import InList, UnindexedColumn, build_upsert, encode_list
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.backends.tables.records import counter

from .database import Statement, Transaction
from .order_line_names import CREATE_NAME_INDEXES
from .order_search_keys import CREATE_KEY_INDEXES

# With its contents, without positions.
CREATE_ORDER_INDEX = (
    "CREATE VIRTUAL TABLE order_search_index USING fts5("
    "search_key, names, columnsize=0, detail=none, tokenize='trigram case_sensitive 1')"
)
CREATE_ORDER_INDEX_POSTGRESQL = (
    "CREATE INDEX shop_order_trigrams ON shop_order USING gin (search_key gin_trgm_ops)",
    "CREATE INDEX order_item_trigrams ON order_item USING gin (lower(name) gin_trgm_ops) WHERE kind = 'line'",
    *CREATE_NAME_INDEXES,
    *CREATE_KEY_INDEXES,
)
ORDER_SEARCH_COUNTERS = ("order_search", "order_search_id")  # the last change that was read; the highest indexed id

BOUND_NAMES = frozenset({"search_mark", "highest"})  # by an `IndexedSearch`; they do not affect the result

_BATCH = 100  # orders; few, as the index is written under the lock that every writer needs
_MAX_PENDING = 5_000  # orders; more are not counted
_CHANGED, _HIGHEST = ORDER_SEARCH_COUNTERS
_LINE, _ORDER = "line", "order"
_SEPARATOR: Final = "\x1f"  # between names, and for a NUL, after which the index would read nothing
_FIRST_LETTER: Final = " "  # no text with a character before it is looked for in the index
_MAX_LETTERS: Final = 1000  # of a text that is looked for in the index

_index = table("order_search_index", column("rowid", Integer), column("search_key", Text), column("names", Text))
# Where FTS5 keeps the contents, which it returns at a third of the speed.
_held = table("order_search_index_content", column("id", Integer), column("c0", Text), column("c1", Text))
_key, _names = _held.c.c0, _held.c.c1
_matching = text("order_search_index MATCH :grams")
_NAMES_OF_LINES = (
    select(func.group_concat(func.lower(order_item.c.name), _SEPARATOR))
    .where(order_item.c.owner == shop_order.c.id, order_item.c.kind == _LINE)
    .scalar_subquery()
)


def _select_changed_orders(mark: str) -> Select[Any]:
    """Select the orders that changed after a bound mark, on SQLite."""
    return select(cast(change.c.item, Integer)).where(change.c.sequence > bindparam(mark), change.c.kind == _ORDER)


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
    select(shop_order.c.id, shop_order.c.search_key, _NAMES_OF_LINES).where(InList(shop_order.c.id, "ids"))
)
_HELD_TEXTS = Statement(select(_held.c.id, _key, _names).where(InList(_held.c.id, "ids")))
_DELETE = Statement(delete(_index).where(_index.c.rowid == bindparam("rowid")))
_INSERT = Statement(insert(_index).values(**{name: bindparam(name) for name in ("rowid", "search_key", "names")}))
_WAITING = Statement(_select_changed_orders("mark"))
# Texts with a NUL differ here, and are compared again.
_DIFFERING = Statement(
    select(shop_order.c.id)
    .outerjoin(_held, _held.c.id == shop_order.c.id)
    .where(
        shop_order.c.id <= bindparam("highest"),
        or_(_held.c.id.is_(None), _key != shop_order.c.search_key, _names != func.coalesce(_NAMES_OF_LINES, "")),
    )
    .order_by(shop_order.c.id)
)
_SURPLUS = Statement(select(_held.c.id).where(~exists().where(shop_order.c.id == _held.c.id)).order_by(_held.c.id))
_HITS = Statement(
    select(func.count()).select_from(
        select(_index.c.rowid).where(_matching).limit(bindparam("most", type_=Integer)).subquery("hits")
    )
)


class IndexedSearch:
    """What is looked for in the index. words: of which all must occur in an order's key. names: in a line's name, any.

    values: what its conditions bind. many: whether the index has many hits, or cannot be asked for so short texts.
    exact: whether its hits need no check.
    """

    def __init__(
        self, words: int, names: int, values: dict[str, Any], *, many: bool = True, exact: bool = False
    ) -> None:
        self.values, self.many, self._words, self._names, self._exact = values, many, words, names, exact

    @property
    def shape(self) -> tuple[int, int, bool, bool]:
        """What its conditions depend on, apart from the values."""
        return self._words, self._names, "grams" in self.values, self._exact

    def select_found(self) -> Select[Any]:
        """Select the ids of the orders that are found by what the index has read, on SQLite."""
        if self._exact:
            return select(_index.c.rowid).where(_matching, UnindexedColumn(_index.c.rowid).not_in(_select_unread()))
        found = select(_held.c.id).where(self._build_text_condition(), _held.c.id.not_in(_select_unread()))
        if "grams" in self.values:
            found = found.select_from(_index.join(_held, _held.c.id == UnindexedColumn(_index.c.rowid)))
            found = found.where(_matching)
        return found

    def select_all_found(self, said: ColumnElement[bool]) -> CompoundSelect[Any]:
        """Select the ids of all orders that are found. said: the condition for an order itself."""
        return union_all(
            self.select_found(), select(shop_order.c.id).where(shop_order.c.id.in_(_select_unread()), said)
        )

    def build_sieve(self, said: ColumnElement[bool]) -> ColumnElement[bool]:
        """Return the condition for orders that are read for another reason. said: the condition for an order itself."""
        found = exists().where(_held.c.id == shop_order.c.id, self._build_text_condition())
        return case((shop_order.c.id.in_(_select_unread()), said), else_=found)

    def _build_text_condition(self) -> ColumnElement[bool]:
        words = and_(*(_build_glob(_key, f"glob_word_{at}") for at in range(self._words)))
        return or_(words, *(_build_glob(_names, f"glob_name_{at}") for at in range(self._names)))


def build_search(tx: Transaction, words: Sequence[str], names: Sequence[str], many: int) -> IndexedSearch | None:
    """Return the search for words or names in the index, None where there is none, or none that finds such texts.

    many: from how many hits on they are many.
    """
    if tx.kind == "postgresql" or not all(map(_is_indexed, (*words, *names))):
        return None
    names = list(dict.fromkeys(names))
    changed, highest = _get_marks(tx)
    values: dict[str, Any] = {"search_mark": changed, "highest": highest}
    values |= {f"glob_word_{at}": _escape_glob(one) for at, one in enumerate(words)}
    values |= {f"glob_name_{at}": _escape_glob(one) for at, one in enumerate(names)}
    grams = build_match_expression(words, *((one,) for one in names))
    if grams is None:
        return IndexedSearch(len(words), len(names), values)
    exact = len(words) == 1 and len(words[0]) == GRAM_LENGTH and names == list(words)
    hits = int(tx.value(_HITS, grams=grams, most=many))
    return IndexedSearch(len(words), len(names), {**values, "grams": grams}, many=hits == many, exact=exact)


def _is_indexed(text: str) -> bool:
    return len(text) <= _MAX_LETTERS and min(text, default=_FIRST_LETTER) >= _FIRST_LETTER


def _escape_glob(text: str) -> str:
    """Return the pattern that GLOB finds a text by, wherever it occurs."""
    return "*" + "".join(f"[{one}]" if one in "*?[" else one for one in text) + "*"


def _build_glob(column: ColumnElement[str], name: str) -> ColumnElement[bool]:
    # Twice as fast as instr().
    return column.op("GLOB", is_comparison=True)(bindparam(name, type_=Text()))


def _select_unread() -> CompoundSelect[Any]:
    """Select the ids of the orders whose present texts the index has not read."""
    new = select(shop_order.c.id).where(shop_order.c.id > bindparam("highest"))
    return union(new, _select_changed_orders("search_mark"))


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
    texts = _load_texts(tx, wanted)
    held = {id: (key, names) for id, key, names in tx.all(_HELD_TEXTS, ids=encode_list(wanted))} if wanted else {}
    # Most changes of an order leave its texts as they are.
    tx.run_each(_DELETE, [{"rowid": id} for id, one in held.items() if texts.get(id) != one])
    fresh = [(id, one) for id, one in texts.items() if held.get(id) != one]
    tx.run_each(_INSERT, [{"rowid": id, "search_key": key, "names": names} for id, (key, names) in fresh])
    return len(news) + len(new)


def list_misread_orders(tx: Transaction) -> list[int]:
    """Return the orders whose texts the index should have and has not, and those that are gone and whose it has."""
    if tx.kind == "postgresql":
        return []
    changed, highest = _get_marks(tx)
    waiting = {int(id) for (id,) in tx.all(_WAITING, mark=changed)}
    wrong = [int(id) for (id,) in tx.all(_DIFFERING, highest=highest)]
    for start in range(0, len(wrong), _MAX_PENDING):
        part = wrong[start : start + _MAX_PENDING]
        held = {id: (key, names) for id, key, names in tx.all(_HELD_TEXTS, ids=encode_list(part))}
        waiting |= {id for id, one in _load_texts(tx, part).items() if held.get(id) == one}
    surplus = [int(id) for (id,) in tx.all(_SURPLUS)]
    return [id for id in (*wrong, *surplus) if id not in waiting]


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


def _load_texts(tx: Transaction, ids: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Return what the index has to hold of orders: their keys and the names of their lines."""
    found = tx.all(_TEXTS, ids=encode_list(ids)) if ids else []
    return {id: (key.replace("\0", _SEPARATOR), (names or "").replace("\0", _SEPARATOR)) for id, key, names in found}
