"""Writes that wait for the end of their transaction: nobody who looks can tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TypeVar

import pytest
from sqlalchemy import bindparam, insert, select, update

from vetrina.backends.change_log import get_latest_sequence, log_change
from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.id_sequences import allocate_id, allocate_ids, raise_sequence
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.records import counter

pytestmark = pytest.mark.every_database

START = Statement(insert(counter).values(name=bindparam("called"), value=0))
ADD = Statement(
    update(counter).where(counter.c.name == bindparam("called")).values(value=counter.c.value + bindparam("many"))
)
VALUE = Statement(select(counter.c.value).where(counter.c.name == bindparam("called")))
ITEMS = Statement(select(change.c.item).order_by(change.c.sequence))


T = TypeVar("T")


class PartFailed(Exception):
    pass


def add(tx: Transaction, called: str, many: int) -> None:
    tx.add_later(counter, ADD, "many", called=called, many=many)


def log(tx: Transaction, *items: int) -> None:
    for item in items:
        log_change(tx, "post", item, "changed", 1)


@contextmanager
def failing(block: AbstractContextManager[T]) -> Iterator[T]:
    """Have a block fail at its end."""
    with suppress(PartFailed), block as given:
        yield given
        raise PartFailed


def read(database: Database) -> tuple[int, list[str]]:
    with database.begin_read() as tx:
        return tx.value(VALUE, called="a"), [row[0] for row in tx.all(ITEMS)]


@pytest.fixture
def database(database: Database) -> Database:
    with database.begin_write() as tx:
        tx.run(START, called="a")
    return database


def test_what_waits_is_written_by_the_commit(database: Database) -> None:
    with database.begin_write() as tx:
        for number in range(1, 40):
            add(tx, "a", number)
            log(tx, number)
    assert read(database) == (780, [str(number) for number in range(1, 40)])


def test_what_waits_is_seen_by_the_next_reading_of_its_table(database: Database) -> None:
    with database.begin_write() as tx:
        before = get_latest_sequence(tx)
        tx.expect(VALUE, called="a")
        add(tx, "a", 2)
        add(tx, "a", 3)
        log(tx, 1, 2)
        assert tx.value(VALUE, called="a") == 5
        assert get_latest_sequence(tx) == before + 2
        add(tx, "a", 1)
        assert tx.value(VALUE, called="a") == 6
    assert read(database) == (6, ["1", "2"])


def test_a_part_that_fails_takes_with_it_only_what_waits_since_it_began(database: Database) -> None:
    with database.begin_write() as tx:
        add(tx, "a", 1)
        log(tx, 1)
        with failing(tx.savepoint()):
            add(tx, "a", 100)
            log(tx, 100)
        with tx.savepoint():
            add(tx, "a", 2)
            log(tx, 2)
    assert read(database) == (3, ["1", "2"])


def test_a_part_that_fails_after_a_reading_undoes_no_write_from_before_it(database: Database) -> None:
    with database.begin_write() as tx:
        add(tx, "a", 1)
        log(tx, 1)
        with failing(tx.savepoint()):
            assert tx.value(VALUE, called="a") == 1
            assert [row[0] for row in tx.all(ITEMS)] == ["1"]
    assert read(database) == (1, ["1"])


def test_a_transaction_that_is_rolled_back_leaves_nothing_that_waits(database: Database) -> None:
    with failing(database.begin_write()) as tx:
        add(tx, "a", 1)
        log(tx, 1)
    assert read(database) == (0, [])


def test_ids_of_parts_that_fail_are_given_again(database: Database) -> None:
    with database.begin_write() as tx:
        first = allocate_id(tx, "thing")
        assert allocate_id(tx, "thing") == first + 1
        with failing(tx.savepoint()):
            assert list(allocate_ids(tx, 2, "thing")) == [first + 2, first + 3]
        assert allocate_id(tx, "thing") == first + 2
        raise_sequence(tx, first + 10, "thing")
        assert allocate_id(tx, "thing") == first + 11
    with database.begin_write() as tx:
        assert allocate_id(tx, "thing") == first + 12
