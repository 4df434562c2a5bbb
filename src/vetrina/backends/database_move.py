"""Move a site from one database to another: every table in batches, ids preserved, verified at the end.

The target is written in one transaction, so a move that is killed leaves it empty and can be started again. Writers of
the source wait meanwhile, so that no acknowledged write is lost. The search index of SQLite is not copied but rebuilt
from the change log; which commits were the last is nothing to another server. Files of the site's folder, and the
setting that names the database: cli/migrate.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final

import orjson
from sqlalchemy import Boolean, ColumnElement, Table, and_, bindparam, func, select, text, true, tuple_

from vetrina.backends import database_schema, order_search_index, search_index
from vetrina.backends.tables.all_tables import METADATA
from vetrina.backends.tables.last_commit import last_commit
from vetrina.backends.tables.records import counter, search_entry

from .database import Database, Row, Statement, Transaction

_BATCH_ROWS: Final = 500  # rows
_SKIPPED_TABLES: Final = frozenset({search_entry.name, last_commit.name})
_SKIPPED_COUNTERS: Final = (search_index.SEARCH_COUNTER, *order_search_index.ORDER_SEARCH_COUNTERS)
_TABLES: Final = [table for table in METADATA.sorted_tables if table.name not in _SKIPPED_TABLES]

TABLE_COUNT: Final = len(_TABLES)
CHECK_STEP: Final = "tables checked"  # of the progress, after all were copied

# The highest id that a table ever assigned, which may belong to a deleted row.
_LAST_GIVEN_ID = Statement(
    lambda kind: text(
        "SELECT seq FROM sqlite_sequence WHERE name = :of"
        if kind == "sqlite"
        else "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:of, :by) AS regclass))"
    )
)
_SET_LAST_GIVEN_ID = Statement(
    lambda kind: text(
        "UPDATE sqlite_sequence SET seq = :number WHERE name = :of"
        if kind == "sqlite"
        else "SELECT setval(CAST(pg_get_serial_sequence(:of, :by) AS regclass), :number)"
    )
)

_INSERT_LAST_GIVEN_ID = Statement(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:of, :number)"))

MoveProgress = Callable[[str, int, int], None]


class CannotMoveDatabase(Exception):
    """A site cannot be moved between these two databases now; the message says why, and nothing was changed."""


def move_database(
    source: Database, target: Database, progress: MoveProgress = lambda table, done, rows: None
) -> dict[str, int]:
    """Copy all rows of a site's database into an empty one and return the row count of each table.

    progress: called with what is under way (a table's rows, then indexes and checks), how much is done and the total.
    A target that already has the same rows is left as it is. Raises CannotMoveDatabase.
    """
    found = database_schema.find_revision(source)
    if found != database_schema.HEAD_REVISION:
        raise CannotMoveDatabase(
            f"the database stands at {found}, not at {database_schema.HEAD_REVISION}: run vetrina "
            "migrate without --to first"
        )
    with source.begin_read() as old, target.begin_read() as new:
        if not database_schema.is_database_empty(new):
            return _verify_already_moved(old, new)
    turn = source.open_lease("jobs")
    try:
        if not turn.acquire():
            raise CannotMoveDatabase(
                "the site is being served; stop it first, or what is written meanwhile would stay behind"
            )
        with source.begin_write() as old, target.begin_write() as new:
            return _copy_all_tables(old, new, progress)
    finally:
        turn.close()


def copy_database(
    source: Database, target: Database, progress: MoveProgress = lambda table, done, rows: None
) -> dict[str, int]:
    """Copy all rows, as of one snapshot, into an empty database while the source stays in use.

    progress: as for `move_database`. Returns the row count of each table. Raises CannotMoveDatabase.
    """
    with source.begin_read() as old, target.begin_write() as new:
        if not database_schema.is_database_empty(new):
            raise CannotMoveDatabase("the database to copy to is not empty; name a new one, or empty it")
        return _copy_all_tables(old, new, progress)


def _copy_all_tables(old: Transaction, new: Transaction, progress: MoveProgress) -> dict[str, int]:
    database_schema.create_tables(new)
    moved = {table.name: _copy_table(old, new, table, progress) for table in _TABLES}
    _set_sequences(old, new)
    _create_indexes(new, progress)
    _verify_tables(new, moved, progress)
    return {name: rows for name, (rows, _) in moved.items()}


def _copy_table(old: Transaction, new: Transaction, table: Table, progress: MoveProgress) -> tuple[int, bytes]:
    """Copy one table and return the number and the digest of its rows."""
    rows = int(old.value(Statement(select(func.count()).select_from(table).where(_build_row_filter(table)))))
    progress(table.name, 0, rows)
    done = 0

    def passing() -> Iterator[list[Row]]:
        nonlocal done
        for batch in _iterate_batches(old, table):
            new.load(table, batch)
            yield batch
            done += len(batch)
            progress(table.name, done, rows)

    return _compute_digest(passing())


def _iterate_batches(tx: Transaction, table: Table) -> Iterator[list[Row]]:
    """Yield the rows of a table in batches, in primary key order, with the values that both databases share."""
    key = list(table.primary_key)
    names = [f"after_{column.name}" for column in key]
    after = tuple_(*key) > tuple_(
        *(bindparam(name, type_=column.type) for name, column in zip(names, key, strict=True))
    )
    page = select(table).where(_build_row_filter(table)).order_by(*key).limit(_BATCH_ROWS)
    first, further = Statement(page), Statement(page.where(after))
    places = [list(table.c).index(column) for column in key]
    truths = [at for at, column in enumerate(table.c) if isinstance(column.type, Boolean)]
    found = tx.all(first)
    while found:
        yield [_normalize_row(row, truths) for row in found]
        last = found[-1]
        found = tx.all(further, **{name: last[at] for name, at in zip(names, places, strict=True)})


def _normalize_row(row: Row, truths: list[int]) -> Row:
    values = [value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value for value in row]
    for at in truths:
        values[at] = bool(values[at])
    return tuple(values)


def _build_row_filter(table: Table) -> ColumnElement[bool]:
    return and_(*(counter.c.name != name for name in _SKIPPED_COUNTERS)) if table is counter else true()


def _compute_digest(batches: Iterator[list[Row]]) -> tuple[int, bytes]:
    """Return the count and the digest of rows."""
    rows, digest = 0, hashlib.blake2b(digest_size=16)
    for batch in batches:
        rows += len(batch)
        digest.update(orjson.dumps(batch, default=bytes.hex))
    return rows, digest.digest()


def _create_indexes(new: Transaction, progress: MoveProgress) -> None:
    """Create the indexes, after loading: this is faster than maintaining them with each row."""
    statements = database_schema.build_index_statements(new.kind)
    for done, statement in enumerate(statements, 1):
        new.command(statement)
        progress("indexes", done, len(statements))
    if new.kind == "postgresql":
        new.command("ANALYZE")


def _verify_tables(new: Transaction, moved: dict[str, tuple[int, bytes]], progress: MoveProgress) -> None:
    """Raise CannotMoveDatabase unless the target holds the rows that were copied."""
    for done, table in enumerate(_TABLES, 1):
        if _compute_digest(_iterate_batches(new, table)) != moved[table.name]:
            raise CannotMoveDatabase(f"the table {table.name} did not arrive as it was sent")
        progress(CHECK_STEP, done, len(_TABLES))


def _verify_already_moved(old: Transaction, new: Transaction) -> dict[str, int]:
    """Return the row counts if an earlier move has completed without reporting it."""
    refusal = CannotMoveDatabase("the database to move to is not empty; name a new one, or empty it")
    if not new.value(database_schema.IS_STAMPED):
        raise refusal
    counts = {}
    for table in _TABLES:
        there = _compute_digest(_iterate_batches(new, table))
        if there != _compute_digest(_iterate_batches(old, table)):
            raise refusal
        counts[table.name] = there[0]
    return counts


def _set_sequences(old: Transaction, new: Transaction) -> None:
    """Set each table's sequence past the highest id it ever assigned."""
    for table in _TABLES:
        column = table.autoincrement_column
        if column is None:
            continue
        names = {"of": table.name, "by": column.name}
        highest = max(
            int(old.value(Statement(select(func.max(column)))) or 0), int(old.value(_LAST_GIVEN_ID, **names) or 0)
        )
        counted = new.kind == "postgresql" or table.dialect_options["sqlite"]["autoincrement"]
        # SQLite records no sequence for a table that never had a row.
        if counted and highest and not new.run_and_count(_SET_LAST_GIVEN_ID, **names, number=highest):
            new.run(_INSERT_LAST_GIVEN_ID, **names, number=highest)
