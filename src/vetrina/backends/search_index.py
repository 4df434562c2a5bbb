"""Substring search: a trigram index over folded text, fed from the change log and never stale.

Updating the index in a record's own transaction would cost nine tenths of the write speed, so it catches up in batches.
Until then records changed past its mark are scanned too. Every hit is checked against the text itself, so a surplus
entry does no harm, and none is missing. On PostgreSQL a pg_trgm index does the same inside the database, and there is
nothing to catch up. How a search text is split: content/search/terms.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.records import counter, search_entry, searchable

from .database import Statement, Transaction

# Without contents and positions: the text is in `searchable` already, and hits are checked there.
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

GRAM_LENGTH = 3  # letters; a shorter word is searched for in every text
_MAX_GRAMS = 12  # per word; more would not narrow further
BOUND_NAMES = frozenset({"grams", "search_mark"})  # bound by `build_search_values`; they do not affect the result
SEARCH_COUNTER = "search"  # the counter that says how far the index has read

_index = table("search_index", column("rowid", Integer), column("text"))
_LATEST_MARK = Statement(select(counter.c.value).where(counter.c.name == SEARCH_COUNTER))
_SET_MARK = Statement(update(counter).where(counter.c.name == SEARCH_COUNTER).values(value=bindparam("mark")))
_FIRST_MARK = Statement(insert(counter).values(name=SEARCH_COUNTER, value=0))
_CHANGES_SINCE = Statement(
    select(change.c.sequence, change.c.item)
    .where(change.c.sequence > bindparam("mark"), InList(change.c.kind, "kinds"))
    .order_by(change.c.sequence)
    .limit(bindparam("most"))
)
_COUNT_WAITING = Statement(select(func.count()).select_from(change).where(change.c.sequence > bindparam("mark")))
_TEXTS = Statement(
    select(search_entry.c.entry, searchable.c.title, searchable.c.content, searchable.c.excerpt, searchable.c.names)
    .join(searchable, searchable.c.record == search_entry.c.record)
    .where(InList(search_entry.c.record, "ids"))
)
_DELETE_ENTRIES = Statement(delete(search_entry).where(InList(search_entry.c.record, "ids")))
_INSERT_ENTRIES = Statement(
    insert(search_entry).from_select(["record"], select(searchable.c.record).where(InList(searchable.c.record, "ids")))
)
_INSERT_POSTING = Statement(insert(_index).values(rowid=bindparam("rowid"), text=bindparam("text")))


def build_search_values(tx: Transaction, words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values that `build_search_condition` binds for folded words, None if every text must be scanned."""
    if tx.kind == "postgresql":
        return None
    grams = build_match_expression(words)
    return None if grams is None else {"grams": grams, "search_mark": _get_search_mark(tx)}


def build_match_expression(*alternatives: Sequence[str]) -> str | None:
    """Return what an index of trigrams is asked for folded texts, None where none of an alternative is long enough.

    All texts of an alternative must occur; one of the alternatives suffices.
    """
    found = [_list_grams(texts) for texts in alternatives]
    if not all(found):
        return None
    # One that asks for all that another one asks for finds nothing more.
    least = [one for one in found if not any(set(other) < set(one) for other in found)]
    return " OR ".join(dict.fromkeys(f"({' AND '.join(one)})" for one in least))


def _list_grams(texts: Sequence[str]) -> list[str]:
    """Return the trigrams of texts, quoted."""
    grams: list[str] = []
    for one in texts:
        parts = [one[at : at + GRAM_LENGTH] for at in range(len(one) - GRAM_LENGTH + 1)]
        parts = [part for part in parts if "\0" not in part]
        grams += parts[:: max(1, len(parts) // _MAX_GRAMS)]
    quoted = (gram.replace('"', '""') for gram in dict.fromkeys(grams))
    return [f'"{gram}"' for gram in quoted]


def join_indexed_texts(texts: Iterable[str]) -> str:
    """Return texts as an index of trigrams takes them: with a NUL, it would leave out what follows it."""
    return "\x1f".join(texts).replace("\0", "\x1f")


def build_search_condition(record_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that selects the records that may hold all words, and those changed since."""
    matching = (
        select(search_entry.c.record)
        .select_from(_index.join(search_entry, search_entry.c.entry == _index.c.rowid))
        .where(text("search_index MATCH :grams"))
    )
    return record_id.in_(union(matching, select_changed_since(bindparam("search_mark"))))


def select_changed_since(mark: ColumnElement[int]) -> Select[Any]:
    """Select the records that changed after a mark of the index, on SQLite."""
    # Items other than records have names that are not ids; what they cast to matches no record.
    return select(cast(change.c.item, Integer)).where(change.c.sequence > mark)


def update_search_mark(tx: Transaction, mark: int) -> None:
    """Set how far the index has read."""
    tx.run(_SET_MARK, mark=mark)


def count_unindexed_changes(tx: Transaction) -> int:
    """Return how many changes the index has not read yet."""
    if tx.kind == "postgresql":
        return 0
    return int(tx.value(_COUNT_WAITING, mark=_get_search_mark(tx)))


def index_changes(tx: Transaction, kinds: Sequence[str], most: int = 500) -> int:
    """Index the records changed since the mark, up to `most` changes; return how many changes were read.

    kinds: the kinds of records, as the change log names them.
    """
    if tx.kind == "postgresql":
        return 0
    mark = tx.value(_LATEST_MARK)
    if mark is None:
        tx.run(_FIRST_MARK)
        mark = 0
    news = tx.all(_CHANGES_SINCE, mark=mark, kinds=encode_list(kinds), most=most)
    # Changes of other kinds are skipped, so that not every search scans them again.
    last = news[-1][0] if len(news) == most else change_log.get_latest_sequence(tx)
    if last > mark:
        tx.run(_SET_MARK, mark=last)
    ids = encode_list({int(item) for _, item in news})
    tx.run(_DELETE_ENTRIES, ids=ids)
    # An id is never used twice: old postings of a record lead to an entry that is gone.
    tx.run(_INSERT_ENTRIES, ids=ids)
    # All texts after all entries: a statement that could fail half-way, as that one can, makes FTS5 flush what it
    # buffers, and an index of single texts is merged again and again (300 texts a second, not 6,000, at 100,000).
    tx.run_each(
        _INSERT_POSTING,
        [{"rowid": entry, "text": join_indexed_texts(texts)} for entry, *texts in tx.all(_TEXTS, ids=ids)],
    )
    return len(news)


def _get_search_mark(tx: Transaction) -> int:
    return int(tx.value(_LATEST_MARK) or 0)
