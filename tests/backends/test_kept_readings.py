"""What a transaction keeps of its readings is true for as long as it keeps it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.options import option
from vetrina.backends.tables.records import counter

pytestmark = pytest.mark.every_database

ROW = {"name": bindparam("called"), "value": bindparam("many")}
INSERT = Statement(insert(counter).values(ROW))
SAVE = Statement(build_upsert(counter, keys=("name",), values=ROW, changes={"value": bindparam("many")}))
ADD = Statement(
    update(counter).where(counter.c.name == bindparam("called")).values(value=counter.c.value + bindparam("many"))
)
TAKE = Statement(
    update(counter)
    .where(counter.c.name == bindparam("called"))
    .values(value=bindparam("many"))
    .returning(counter.c.value)
)
DELETE_OPTION = Statement(delete(option).where(option.c.name == bindparam("called")))
INSERT_OPTION = Statement(insert(option).values(ROW))
VALUE = Statement(select(counter.c.value).where(counter.c.name == bindparam("called")))


class PartFailed(Exception):
    pass


@pytest.fixture
def database(database: Database) -> Database:
    with database.begin_write() as tx:
        tx.run(INSERT, called="a", many=1)
    return database


@pytest.mark.parametrize(
    "write",
    [
        lambda tx: tx.run(SAVE, called="a", many=2),
        lambda tx: tx.run_each(INSERT, [{"called": name, "many": 2} for name in "bc"]),
        lambda tx: tx.run_and_count(ADD, called="a", many=2),
        lambda tx: tx.value(TAKE, called="a", many=2),
        lambda tx: tx.load(counter, [("b", 2)]),
        # Its rows might have taken others along.
        lambda tx: tx.run(DELETE_OPTION, called="title"),
    ],
    ids=["upsert", "inserts", "update", "update that returns", "load", "deletion elsewhere"],
)
def test_a_reading_is_forgotten_when_its_table_is_written(
    database: Database, write: Callable[[Transaction], object]
) -> None:
    with database.begin_write() as tx:
        tx.keep(counter, "a", 1)
        assert tx.recall(counter, "a") == 1
        write(tx)
        assert tx.recall(counter, "a") is None


def test_a_write_to_another_table_leaves_a_reading(database: Database) -> None:
    with database.begin_write() as tx:
        tx.keep(counter, "a", 1)
        tx.run(INSERT_OPTION, called="of the test", many="1")
        assert (tx.recall(counter, "a"), tx.recall(option, "a")) == (1, None)


def test_what_a_part_that_fails_has_kept_is_forgotten(database: Database) -> None:
    with database.begin_write() as tx:
        with suppress(PartFailed), tx.savepoint():
            tx.run(ADD, called="a", many=5)
            tx.keep(counter, "a", tx.value(VALUE, called="a"))
            raise PartFailed
        assert tx.recall(counter, "a") is None
        with tx.savepoint():
            tx.keep(counter, "a", tx.value(VALUE, called="a"))
        assert tx.recall(counter, "a") == 1


def test_who_adds_later_says_what_is_true_then(database: Database) -> None:
    with database.begin_write() as tx:
        tx.add_later(counter, ADD, "many", called="a", many=5)
        tx.keep(counter, "a", 6)
        assert tx.recall(counter, "a") == 6
        assert tx.value(VALUE, called="a") == 6
        # It was written for that.
        assert tx.recall(counter, "a") is None


def test_a_snapshot_keeps_nothing(database: Database) -> None:
    with database.begin_read() as tx:
        tx.keep(counter, "a", 1)
        assert tx.recall(counter, "a") is None


def test_so_much_is_kept_and_no_more(database: Database) -> None:
    with database.begin_write() as tx:
        for number in range(3000):
            tx.keep(counter, number, number)
        assert sum(tx.recall(counter, number) is not None for number in range(3000)) <= 1000
        assert tx.recall(counter, 2999) == 2999


def test_an_insert_of_values_concerns_its_table_alone(database: Database) -> None:
    with database.begin_write() as tx:
        tx.run(INSERT_OPTION, called="of the test", many="1")
        tx.run(SAVE, called="a", many=1)
    # An update reads what it changes, and the names of columns may be those of tables.
    assert [one.compiled[database.kind].words >= {"value"} for one in (INSERT_OPTION, SAVE)] == [False, True]
    assert INSERT_OPTION.compiled[database.kind].words == {"option"}
