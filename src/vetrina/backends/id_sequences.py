"""Ids for new rows, so that an id is never used twice: from one counter row per name, or from a table's own sequence.

A site that moves to another database takes the sequences along.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Table, bindparam, func, insert, select, text, update

from vetrina.backends.tables.records import counter as sequences

from .database import Statement, Transaction

_TAKE_IDS = Statement(
    update(sequences)
    .where(sequences.c.name == bindparam("counter"))
    .values(value=sequences.c.value + bindparam("many"))
    .returning(sequences.c.value)
)
_RAISE_BY = Statement(
    update(sequences)
    .where(sequences.c.name == bindparam("counter"))
    .values(value=sequences.c.value + bindparam("many"))
)
_RAISE_SEQUENCE = Statement(
    update(sequences)
    .where(sequences.c.name == bindparam("counter"), sequences.c.value < bindparam("least"))
    .values(value=bindparam("least"))
    .returning(sequences.c.value)
)
_FIND_SEQUENCE = Statement(select(sequences.c.value).where(sequences.c.name == bindparam("counter")))
_INSERT_SEQUENCE = Statement(insert(sequences).values(name=bindparam("counter"), value=bindparam("many")))

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


def allocate_id(tx: Transaction, counter: str = "record") -> int:
    """Return the next id of a counter; records, revisions and autosaves share `record`."""
    return allocate_ids(tx, 1, counter)[0]


def allocate_ids(tx: Transaction, many: int, counter: str = "record") -> range:
    """Return the next `many` ids of a counter with one statement."""
    if many < 1:
        return range(0)
    known = tx.counters.get(counter)
    if known is not None:
        # Nobody else can have raised it since, so the answer need not be waited for.
        tx.add_later(sequences, _RAISE_BY, "many", counter=counter, many=many)
        last = known + many
    else:
        found = tx.value(_TAKE_IDS, counter=counter, many=many)
        if found is None:
            tx.run(_INSERT_SEQUENCE, counter=counter, many=many)
        last = many if found is None else int(found)
    tx.counters[counter] = last
    return range(last - many + 1, last + 1)


def claim_id(tx: Transaction, wanted: int, counter: str = "record") -> int:
    """Return an id that the caller knows to be free and that is never allocated again; 0 for the next one."""
    if not wanted:
        return allocate_id(tx, counter)
    raise_sequence(tx, wanted, counter)
    return wanted


def raise_sequence(tx: Transaction, least: int, counter: str = "record") -> None:
    """Raise a counter so that its next id is above `least`."""
    tx.counters.pop(counter, None)
    if tx.value(_RAISE_SEQUENCE, counter=counter, least=least) is not None:
        return
    # It stands higher, or it is not there yet.
    if tx.value(_FIND_SEQUENCE, counter=counter) is None:
        tx.run(_INSERT_SEQUENCE, counter=counter, many=least)


def copy_sequences(old: Transaction, new: Transaction, tables: Iterable[Table]) -> None:
    """Set each table's sequence past the highest id that the old database ever assigned, also to a deleted row."""
    for table in tables:
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
