"""Substring search: a trigram index over folded text, a reader of the change log that is never stale.

Writing the index in a record's own transaction would cost nine tenths of the write speed, so it catches up in batches.
Until then the records that changed past its mark are looked at one by one, with those that it names: what a search
finds is always checked against the text itself, so an entry too many does no harm, and none is missing.
On PostgreSQL an index of pg_trgm on the text does the same inside the database, and there is nothing to catch up.
Not here: how a search text is split (content/search/terms.py), the order of what is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Integer,
    Select,
    bindparam,
    cast,
    column,
    delete,
    func,
    insert,
    select,
    table,
    text,
    union,
    update,
)
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import change_log
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import change, counter, search_entry, searchable

from .database import Statement, Tx

__all__ = [
    "BOUND", "CREATE_INDEX", "CREATE_INDEX_POSTGRESQL", "MARK", "backlog", "catch_up", "changed_since", "narrowed",
    "narrowing", "set_mark",
]  # fmt: skip

# Without contents and positions: the text is in `searchable` already, and what is found is checked there.
CREATE_INDEX = (
    "CREATE VIRTUAL TABLE search_index USING fts5("
    "text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')"
)

# Over all texts, because a search looks into each. A long list of pending entries would be read by every search.
CREATE_INDEX_POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX searchable_trigrams ON searchable USING gin "
    "(title gin_trgm_ops, content gin_trgm_ops, excerpt gin_trgm_ops, names gin_trgm_ops) "
    "WITH (gin_pending_list_limit = 512)",
)

_GRAM = 3  # letters; a shorter word is looked for in every text
_MOST_GRAMS = 12  # of one word; more would not narrow further
BOUND = frozenset({"grams", "search_mark"})  # what `narrowed` binds; it says nothing about what is found
MARK = "search"  # the counter that says how far the index has read

_index = table("search_index", column("rowid", Integer), column("text"))
_LATEST_MARK = Statement(select(counter.c.value).where(counter.c.name == MARK))
_SET_MARK = Statement(update(counter).where(counter.c.name == MARK).values(value=bindparam("mark")))
_FIRST_MARK = Statement(insert(counter).values(name=MARK, value=0))
_NEWS = Statement(
    select(change.c.sequence, change.c.item)
    .where(change.c.sequence > bindparam("mark"), Among(change.c.kind, "kinds"))
    .order_by(change.c.sequence)
    .limit(bindparam("most"))
)
_WAITING = Statement(select(func.count()).select_from(change).where(change.c.sequence > bindparam("mark")))
_TEXTS = Statement(
    select(search_entry.c.entry, searchable.c.title, searchable.c.content, searchable.c.excerpt, searchable.c.names)
    .join(searchable, searchable.c.record == search_entry.c.record)
    .where(Among(search_entry.c.record, "ids"))
)
_FORGET = Statement(delete(search_entry).where(Among(search_entry.c.record, "ids")))
_ENTER = Statement(
    insert(search_entry).from_select(["record"], select(searchable.c.record).where(Among(searchable.c.record, "ids")))
)
_INDEX = Statement(insert(_index).values(rowid=bindparam("rowid"), text=bindparam("text")))


def narrowed(tx: Tx, words: Sequence[str]) -> dict[str, Any] | None:
    """Return what `narrowing` binds for a search of folded words, None when every text must be looked at."""
    if tx.kind == "postgresql":
        return None
    grams: list[str] = []
    for word in words:
        parts = [word[at : at + _GRAM] for at in range(len(word) - _GRAM + 1)]
        grams += parts[:: max(1, len(parts) // _MOST_GRAMS)]
    if not grams:
        return None
    quoted = (gram.replace('"', '""') for gram in dict.fromkeys(grams))
    return {"grams": " AND ".join(f'"{gram}"' for gram in quoted), "search_mark": _mark(tx)}


def narrowing(record_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that leaves the records that may hold all words, and those that changed since."""
    matching = (
        select(search_entry.c.record)
        .select_from(_index.join(search_entry, search_entry.c.entry == _index.c.rowid))
        .where(text("search_index MATCH :grams"))
    )
    return record_id.in_(union(matching, changed_since(bindparam("search_mark"))))


def changed_since(mark: ColumnElement[int]) -> Select[Any]:
    """Return the selection of the records that changed after a mark of the index, on SQLite."""
    # Other things than records have names that are no numbers; what they turn into names no record.
    return select(cast(change.c.item, Integer)).where(change.c.sequence > mark)


def set_mark(tx: Tx, mark: int) -> None:
    """Say how far the index has read."""
    tx.run(_SET_MARK, mark=mark)


def backlog(tx: Tx) -> int:
    """Return how many changes the index has not read yet."""
    if tx.kind == "postgresql":
        return 0
    return int(tx.value(_WAITING, mark=_mark(tx)))


def catch_up(tx: Tx, kinds: Sequence[str], most: int = 500) -> int:
    """Read on in the change log and index the records that changed; return how many changes were read.

    kinds: the kinds of records, as the change log names them.
    """
    if tx.kind == "postgresql":
        return 0
    mark = tx.value(_LATEST_MARK)
    if mark is None:
        tx.run(_FIRST_MARK)
        mark = 0
    news = tx.all(_NEWS, mark=mark, kinds=listed(kinds), most=most)
    # Changes of other kinds are passed over, so that they are not looked at again by every search.
    last = news[-1][0] if len(news) == most else change_log.latest(tx)
    if last > mark:
        tx.run(_SET_MARK, mark=last)
    ids = listed({int(item) for _, item in news})
    tx.run(_FORGET, ids=ids)
    # A number is never used twice: old postings of a record lead to an entry that is gone.
    tx.run(_ENTER, ids=ids)
    # All texts after all entries: a statement that could fail half-way, as that one, makes FTS5 write out what it
    # gathered, and an index of single texts is merged again and again (300 texts a second, not 6,000, at 100,000).
    tx.run_each(_INDEX, [{"rowid": entry, "text": "\x1f".join(texts)} for entry, *texts in tx.all(_TEXTS, ids=ids)])
    return len(news)


def _mark(tx: Tx) -> int:
    return int(tx.value(_LATEST_MARK) or 0)
