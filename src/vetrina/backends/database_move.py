"""A site's move from one database to another: every table in batches, its numbers kept, and checked at the end.

The target is written in one transaction: a move that is killed leaves it as empty as it was, and starts again. The
source's writers wait meanwhile, so that nothing is acknowledged that does not come along. Not here: files of the site's
folder, and the setting that names the database (cli/migrate.py). The search index of SQLite does not come along: it is
made anew from the change log, as it is for a new record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final

import orjson
from sqlalchemy import Boolean, ColumnElement, Table, bindparam, func, select, text, true, tuple_

from vetrina.backends import database_schema, search_index
from vetrina.backends.tables.core import METADATA, counter, search_entry

from .database import Database, Row, Statement, Tx

__all__ = ["CannotMove", "copy", "move"]

_BATCH: Final = 500  # rows
_LEFT: Final = frozenset({search_entry.name})
_TABLES: Final = [table for table in METADATA.sorted_tables if table.name not in _LEFT]

# The highest number that a table ever gave, which may be that of a row that is gone.
_GIVEN = Statement(
    lambda kind: text(
        "SELECT seq FROM sqlite_sequence WHERE name = :of"
        if kind == "sqlite"
        else "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:of, :by) AS regclass))"
    )
)
_GIVE = Statement(
    lambda kind: text(
        "UPDATE sqlite_sequence SET seq = :number WHERE name = :of"
        if kind == "sqlite"
        else "SELECT setval(CAST(pg_get_serial_sequence(:of, :by) AS regclass), :number)"
    )
)

_GIVE_FIRST = Statement(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:of, :number)"))

Progress = Callable[[str, int, int], None]


class CannotMove(Exception):
    """A site cannot move between these two databases now; the message says why, and nothing was changed."""


def move(source: Database, target: Database, progress: Progress = lambda table, done, rows: None) -> dict[str, int]:
    """Copy all rows of a site's database into an empty one and return how many each table has.

    progress: told what is under way (a table's rows, then indexes and checks), how much is done and how much in all.
    A target that has the same rows already is left as it is. Raises CannotMove.
    """
    found = database_schema.revision(source)
    if found != database_schema.HEAD:
        raise CannotMove(
            f"the database stands at {found}, not at {database_schema.HEAD}: run vetrina migrate without --to first"
        )
    with source.reading() as old, target.reading() as new:
        if not database_schema.is_empty(new):
            return _already_there(old, new)
    turn = source.turn("jobs")
    try:
        if not turn.taken():
            raise CannotMove("the site is being served; stop it first, or what is written meanwhile would stay behind")
        with source.writing() as old, target.writing() as new:
            return _copied(old, new, progress)
    finally:
        turn.close()


def copy(source: Database, target: Database, progress: Progress = lambda table, done, rows: None) -> dict[str, int]:
    """Copy all rows, as they are at one moment, into an empty database while the source goes on being used.

    progress: as for `move`. Returns how many rows each table has. Raises CannotMove.
    """
    with source.reading() as old, target.writing() as new:
        if not database_schema.is_empty(new):
            raise CannotMove("the database to copy to is not empty; name a new one, or empty it")
        return _copied(old, new, progress)


def _copied(old: Tx, new: Tx, progress: Progress) -> dict[str, int]:
    database_schema.make_tables(new)
    moved = {table.name: _moved(old, new, table, progress) for table in _TABLES}
    _set_sequences(old, new)
    _index(new, progress)
    _check(new, moved, progress)
    return {name: rows for name, (rows, _) in moved.items()}


def _moved(old: Tx, new: Tx, table: Table, progress: Progress) -> tuple[int, bytes]:
    """Copy one table and return the number and the digest of its rows."""
    rows = int(old.value(Statement(select(func.count()).select_from(table).where(_moving(table)))))
    progress(table.name, 0, rows)
    done = 0

    def passing() -> Iterator[list[Row]]:
        nonlocal done
        for batch in _rows(old, table):
            new.load(table, batch)
            yield batch
            done += len(batch)
            progress(table.name, done, rows)

    return _digest(passing())


def _rows(tx: Tx, table: Table) -> Iterator[list[Row]]:
    """Yield the rows of a table in batches, in the order of its key, as both kinds of database would have them."""
    key = list(table.primary_key)
    names = [f"after_{column.name}" for column in key]
    after = tuple_(*key) > tuple_(
        *(bindparam(name, type_=column.type) for name, column in zip(names, key, strict=True))
    )
    page = select(table).where(_moving(table)).order_by(*key).limit(_BATCH)
    first, further = Statement(page), Statement(page.where(after))
    places = [list(table.c).index(column) for column in key]
    truths = [at for at, column in enumerate(table.c) if isinstance(column.type, Boolean)]
    found = tx.all(first)
    while found:
        yield [_plain(row, truths) for row in found]
        last = found[-1]
        found = tx.all(further, **{name: last[at] for name, at in zip(names, places, strict=True)})


def _plain(row: Row, truths: list[int]) -> Row:
    values = [value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value for value in row]
    for at in truths:
        values[at] = bool(values[at])
    return tuple(values)


def _moving(table: Table) -> ColumnElement[bool]:
    return counter.c.name != search_index.MARK if table is counter else true()


def _digest(batches: Iterator[list[Row]]) -> tuple[int, bytes]:
    """Return number and digest of rows."""
    rows, digest = 0, hashlib.blake2b(digest_size=16)
    for batch in batches:
        rows += len(batch)
        digest.update(orjson.dumps(batch))
    return rows, digest.digest()


def _index(new: Tx, progress: Progress) -> None:
    """Make the indexes; of rows that are there they are made faster than with each row."""
    statements = database_schema.indexes(new.kind)
    for done, statement in enumerate(statements, 1):
        new.command(statement)
        progress("indexes", done, len(statements))
    if new.kind == "postgresql":
        new.command("ANALYZE")


def _check(new: Tx, moved: dict[str, tuple[int, bytes]], progress: Progress) -> None:
    """Raise CannotMove unless the rows are there that were sent."""
    for done, table in enumerate(_TABLES, 1):
        if _digest(_rows(new, table)) != moved[table.name]:
            raise CannotMove(f"the table {table.name} did not arrive as it was sent")
        progress("tables checked", done, len(_TABLES))


def _already_there(old: Tx, new: Tx) -> dict[str, int]:
    """Return the rows of each table where an earlier move has ended, only that nobody was told."""
    refusal = CannotMove("the database to move to is not empty; name a new one, or empty it")
    if not new.value(database_schema.STAMPED):
        raise refusal
    counts = {}
    for table in _TABLES:
        there = _digest(_rows(new, table))
        if there != _digest(_rows(old, table)):
            raise refusal
        counts[table.name] = there[0]
    return counts


def _set_sequences(old: Tx, new: Tx) -> None:
    """Let each table that numbers its rows go on behind the highest number it ever gave."""
    for table in _TABLES:
        column = table.autoincrement_column
        if column is None:
            continue
        names = {"of": table.name, "by": column.name}
        highest = max(int(old.value(Statement(select(func.max(column)))) or 0), int(old.value(_GIVEN, **names) or 0))
        counted = new.kind == "postgresql" or table.dialect_options["sqlite"]["autoincrement"]
        # Without a row so far SQLite has noted no number.
        if counted and highest and not new.run(_GIVE, **names, number=highest):
            new.run(_GIVE_FIRST, **names, number=highest)
