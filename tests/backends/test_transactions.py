"""Guarantees of transactions on every database, whatever else reads and writes at the same time."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from sqlalchemy import bindparam, func, insert, select, update

from vetrina.backends import change_log
from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.records import counter
from vetrina.backends.transaction_retries import DatabaseBusy, RetryableError, run_with_retries
from vetrina.kernel.errors import Failure, InlineBudgetExceeded

pytestmark = pytest.mark.every_database

ADD = Statement(insert(counter).values(name=bindparam("called"), value=bindparam("number")))
SET = Statement(update(counter).where(counter.c.name == bindparam("called")).values(value=bindparam("number")))
VALUE = Statement(select(counter.c.value).where(counter.c.name == bindparam("called")))
NAMES = Statement(select(counter.c.name).order_by(counter.c.name))
SEQUENCES = Statement(select(change.c.sequence).order_by(change.c.sequence))
CHANGES = Statement(select(func.count()).select_from(change))


def add(tx: Transaction, called: str, number: int = 0) -> None:
    tx.run(ADD, called=called, number=number)


def add_all(tx: Transaction, *called: str) -> None:
    for name in called:
        add(tx, name)
    tx.all(NAMES)


def names(database: Database) -> list[str]:
    with database.begin_read() as tx:
        return [row[0] for row in tx.all(NAMES)]


def elsewhere(run: Callable[[], object]) -> None:
    """Run something in another thread and wait for it."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


# -- one transaction


def test_what_is_expected_is_read_as_it_is_when_it_is_asked_for(database: Database) -> None:
    with database.begin_write() as tx:
        add(tx, "a", 1)
        tx.expect(VALUE, called="a")
        tx.expect(NAMES)
        # Written after it was expected, before and after it travelled.
        tx.run(SET, called="a", number=2)
        assert tx.value(VALUE, called="a") == 2
        tx.expect(VALUE, called="a")
        tx.expect(VALUE, called="a")
        assert tx.all(NAMES) == [("a",)]
        assert tx.value(VALUE, called="a") == 2
        tx.run(SET, called="a", number=3)
        assert tx.value(VALUE, called="a") == 3
        tx.expect(VALUE, called="a")
        for number in (4, 5, 6):
            tx.run(SET, called="a", number=number)
            assert tx.all(NAMES) == [("a",)]
        assert tx.value(VALUE, called="a") == 6
        with suppress(ZeroDivisionError), tx.savepoint():
            tx.run(SET, called="a", number=7)
            tx.expect(VALUE, called="a")
            tx.all(NAMES)
            raise ZeroDivisionError
        assert tx.value(VALUE, called="a") == 6
        tx.expect(VALUE, called="a")
    with database.begin_read() as tx:
        tx.expect(NAMES)
        assert tx.value(VALUE, called="a") == 6
        tx.expect(VALUE, called="a")


def test_writes_are_kept_in_their_order_and_fail_before_what_follows(database: Database) -> None:
    with database.begin_write() as tx:
        for number in range(1000):
            add(tx, f"n{number:04}", number)
        tx.run(SET, called="n0000", number=7)
        assert tx.run_and_count(SET, called="n0000", number=8) == 1
        assert tx.value(VALUE, called="n0000") == 8
    assert len(names(database)) == 1000
    with pytest.raises(Exception, match=r"(?i)unique"), database.begin_write() as tx:
        add_all(tx, "new", "n0001")
    with database.begin_write() as tx:
        add(tx, "outer")
        with pytest.raises(Exception, match=r"(?i)unique"), tx.savepoint():
            add_all(tx, "inner", "n0002")
        add(tx, "last")
    assert [name for name in names(database) if not name.startswith("n")] == ["last", "outer"]


def test_a_transaction_of_which_nothing_is_asked_is_none(database: Database) -> None:
    for begin in (database.begin_read, database.begin_write):
        with begin():
            pass
        with suppress(ZeroDivisionError), begin():
            raise ZeroDivisionError
        with begin() as tx:
            assert tx.all(NAMES) == []


def test_a_column_may_be_left_in_the_middle(database: Database) -> None:
    with database.begin_write() as tx:
        for number in range(5000):
            add(tx, f"n{number:04}")
    with database.begin_write() as tx:
        some = tx.column(NAMES)
        assert [next(some), next(some)] == ["n0000", "n0001"]
        assert tx.value(VALUE, called="n0003") == 0
        assert len(list(tx.column(NAMES))) == 5000
        next(tx.column(NAMES))
    with suppress(ZeroDivisionError), database.begin_read() as tx:
        some = tx.column(NAMES)
        next(some)
        raise ZeroDivisionError
    assert len(names(database)) == 5000


def test_a_writer_that_must_not_wait_is_told_so_before_anything_is_done(opened: Callable[[], Database]) -> None:
    first, second = opened(), opened()
    with first.begin_write() as tx:
        add(tx, "a")

        def attempt() -> None:
            with second.open_group_commit(), pytest.raises(InlineBudgetExceeded), second.begin_write() as other:
                add_all(other, "b")

        elsewhere(attempt)
        tx.all(NAMES)
    assert names(second) == ["a"]


def test_what_was_written_is_there_for_everybody(opened: Callable[[], Database]) -> None:
    first, second = opened(), opened()
    with first.begin_write() as tx:
        add(tx, "a")
        assert tx.value(VALUE, called="a") == 0
    assert names(first) == ["a"]
    assert names(second) == ["a"]


def test_an_error_undoes_the_whole_transaction(database: Database) -> None:
    def fail() -> None:
        with database.begin_write() as tx:
            add(tx, "a")
            raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        fail()
    assert names(database) == []


def test_a_statement_that_fails_undoes_the_whole_transaction(database: Database) -> None:
    def fail() -> None:
        with database.begin_write() as tx:
            add(tx, "a")
            add(tx, "a")

    with pytest.raises(Exception, match=r"(?i)unique"):
        fail()
    assert names(database) == []


def test_a_part_that_fails_is_undone_by_itself(database: Database) -> None:
    with database.begin_write() as tx:
        add(tx, "before")
        with suppress(LookupError), tx.savepoint():
            add(tx, "within")
            with tx.savepoint():
                add(tx, "deep within")
            raise LookupError
        add(tx, "after")
    assert names(database) == ["after", "before"]


def test_a_part_within_a_part_is_undone_by_itself(database: Database) -> None:
    with database.begin_write() as tx, tx.savepoint():
        add(tx, "outer")
        with suppress(LookupError), tx.savepoint():
            add(tx, "inner")
            raise LookupError
    assert names(database) == ["outer"]


def test_a_statement_that_fails_in_a_part_is_undone_with_it(database: Database) -> None:
    with database.begin_write() as tx:
        add(tx, "a")

        def fail() -> None:
            with tx.savepoint():
                add(tx, "b")
                add(tx, "a")

        with pytest.raises(Exception, match=r"(?i)unique"):
            fail()
        add(tx, "c")
    assert names(database) == ["a", "c"]


def test_writes_that_were_sent_are_undone_with_their_part_whether_or_not_they_failed(database: Database) -> None:
    with database.begin_write() as tx:
        add_all(tx, "a")
        for repeated in ("b", "a"):
            # SQLite says at once that the second one is there already.
            with suppress(ZeroDivisionError, sqlite3.IntegrityError), tx.savepoint(waits=False):
                add(tx, repeated)
                tx.send_writes()
                raise ZeroDivisionError
        with tx.savepoint(waits=False):
            add(tx, "c")
            tx.send_writes()
            with suppress(ZeroDivisionError), tx.savepoint():
                add(tx, "d")
                tx.send_writes()
                raise ZeroDivisionError
    assert names(database) == ["a", "c"]


def test_a_part_that_is_undone_before_it_was_sent_leaves_writes_from_before_it_waiting(database: Database) -> None:
    with database.begin_write() as tx:
        add_all(tx, "a")
        add(tx, "b")
        with suppress(ZeroDivisionError), tx.savepoint(waits=False):
            add(tx, "c")
            raise ZeroDivisionError
        with suppress(ZeroDivisionError), tx.savepoint():
            tx.all(NAMES)
            raise ZeroDivisionError
        assert tx.all(NAMES) == [("a",), ("b",)]
    assert names(database) == ["a", "b"]


def test_what_is_expected_when_writes_are_sent_is_read_as_it_is_when_it_is_asked_for(database: Database) -> None:
    with database.begin_write() as tx:
        add_all(tx, "a")
        tx.run(SET, called="a", number=1)
        tx.expect(VALUE, called="a")
        tx.send_writes()
        assert tx.value(VALUE, called="a") == 1
        tx.run(SET, called="a", number=2)
        tx.expect(VALUE, called="a")
        tx.expect(NAMES)
        tx.send_writes()
        tx.run(SET, called="a", number=3)
        add(tx, "b")
        tx.send_writes()
        tx.expect(VALUE, called="a")
        assert tx.value(VALUE, called="a") == 3
        assert tx.all(NAMES) == [("a",), ("b",)]


def test_a_part_that_does_not_wait_for_its_writes_fails_the_transaction_when_they_do(database: Database) -> None:
    passed = []

    def write_twice() -> None:
        with database.begin_write() as tx:
            add_all(tx, "a")
            with tx.savepoint(waits=False):
                add(tx, "a")
                tx.send_writes()
                passed.append("first")
            with tx.savepoint(waits=False):
                add(tx, "b")

    with pytest.raises(Exception, match=r"(?i)unique"):
        write_twice()
    assert names(database) == []
    assert passed == ["first"] or database.kind == "sqlite"


def test_what_is_expected_may_be_asked_before_it_is_needed(database: Database) -> None:
    with database.begin_write() as tx:
        tx.expect(VALUE, called="a")
        tx.send_expected()
        add_all(tx, "a")
        for number in range(1, 4):
            tx.run(SET, called="a", number=number)
            tx.send_writes()
            with suppress(ZeroDivisionError), tx.savepoint(waits=False):
                tx.expect(VALUE, called="a")
                tx.send_expected()
                if number == 2:
                    raise ZeroDivisionError
                assert tx.value(VALUE, called="a") == number
                tx.expect(VALUE, called="a")
                tx.send_expected()
                tx.run(SET, called="a", number=number * 10)
                assert tx.value(VALUE, called="a") == number * 10
    assert names(database) == ["a"]
    with database.begin_read() as tx:
        assert tx.value(VALUE, called="a") == 30


def test_a_part_that_is_undone_does_not_hide_that_an_earlier_write_failed(database: Database) -> None:
    def write_twice() -> None:
        with database.begin_write() as tx:
            add_all(tx, "a")
            with tx.savepoint(waits=False):
                add(tx, "a")
                tx.send_writes()
            with suppress(ZeroDivisionError), tx.savepoint(waits=False):
                tx.expect(NAMES)
                tx.send_expected()
                raise ZeroDivisionError
            pytest.fail("the part before it had failed")

    with pytest.raises(Exception, match=r"(?i)unique"):
        write_twice()
    assert names(database) == []


def test_a_part_of_a_reading_is_nothing_of_its_own(database: Database) -> None:
    with database.begin_read() as tx, tx.savepoint():
        assert tx.all(NAMES) == []


# -- several at a time


def test_a_reading_sees_one_moment(opened: Callable[[], Database]) -> None:
    reader, writer = opened(), opened()

    def write() -> None:
        with writer.begin_write() as tx:
            add(tx, "b")

    with writer.begin_write() as tx:
        add(tx, "a")
    with reader.begin_read() as tx:
        before = tx.all(NAMES)
        elsewhere(write)
        assert tx.all(NAMES) == before == [("a",)]
        assert tx.value(VALUE, called="b") is None
    assert names(reader) == ["a", "b"]


def test_readers_do_not_wait_for_a_writer(opened: Callable[[], Database]) -> None:
    reader, writer = opened(), opened()
    with writer.begin_write() as tx:
        add(tx, "a")
        elsewhere(lambda: names(reader))
        assert names(reader) == []


def test_a_writer_sees_what_was_acknowledged_before(opened: Callable[[], Database]) -> None:
    first, second = opened(), opened()
    with first.begin_write() as tx:
        add(tx, "a", 1)
    with second.begin_write() as tx:
        tx.run(SET, called="a", number=tx.value(VALUE, called="a") + 1)
    with first.begin_write() as tx:
        assert tx.value(VALUE, called="a") == 2


def test_no_update_is_lost_among_writers(opened: Callable[[], Database]) -> None:
    databases = [opened(), opened()]
    with databases[0].begin_write() as tx:
        add(tx, "sum")

    def count_up(number: int) -> None:
        for _ in range(10):
            with databases[number % 2].begin_write() as tx:
                seen = tx.value(VALUE, called="sum")
                time.sleep(0.0005)
                tx.run(SET, called="sum", number=seen + 1)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(count_up, range(6)))
    with databases[0].begin_read() as tx:
        assert tx.value(VALUE, called="sum") == 60


def test_numbers_are_given_once_and_without_gaps(opened: Callable[[], Database]) -> None:
    databases = [opened(), opened()]

    def draw(number: int) -> list[int]:
        out = []
        for turn in range(10):
            with databases[number % 2].begin_write() as tx:
                out.append(allocate_id(tx))
            if turn % 3 == 0:
                with suppress(LookupError), databases[number % 2].begin_write() as tx:
                    allocate_id(tx)
                    raise LookupError
        return out

    with ThreadPoolExecutor(4) as pool:
        drawn = [number for some in pool.map(draw, range(4)) for number in some]
    assert sorted(drawn) == list(range(1, 41))


def test_counters_have_numbers_of_their_own(database: Database) -> None:
    with database.begin_write() as tx:
        assert [allocate_id(tx), allocate_id(tx, "term"), allocate_id(tx), allocate_id(tx, "term")] == [1, 1, 2, 2]


# -- the change log


def test_who_has_seen_a_number_has_seen_all_below_it(opened: Callable[[], Database]) -> None:
    writers, stop, seen = [opened(), opened()], threading.Event(), list[int]()
    watch = opened().watch_changes()

    def look() -> None:
        seen.extend(sequence for sequence, _ in change_log.read_news_outside(watch, seen[-1] if seen else 0)[1])

    def write(number: int) -> None:
        chance = random.Random(number)
        for turn in range(15):
            with writers[number % 2].begin_write() as tx:
                for _ in range(chance.randint(1, 3)):
                    change_log.log_change(tx, "post", turn, "changed", 0)
                time.sleep(chance.random() * 0.003)

    def follow() -> None:
        while not stop.is_set():
            look()

    with ThreadPoolExecutor(5) as pool:
        following = pool.submit(follow)
        list(pool.map(write, range(4)))
        stop.set()
        following.result()
    look()
    with writers[0].begin_read() as tx:
        assert seen == [row[0] for row in tx.all(SEQUENCES)]


def test_a_follower_hears_of_what_comes_and_of_nothing_older(opened: Callable[[], Database]) -> None:
    database = opened()
    with database.begin_write() as tx:
        change_log.log_change(tx, "post", 1, "created", 0)
    follower = ChangeLogFollower(opened())
    begun = follower.read_position()
    with database.begin_write() as tx:
        change_log.log_change(tx, "page", 2, "created", 0)
        change_log.log_change(tx, "post", 1, "changed", 0)
    position = follower.read_position()
    assert not follower.is_unchanged({"page"}, begun, position)
    assert not follower.is_unchanged({"post"}, begun, position)
    assert follower.is_unchanged({"user"}, begun, position)
    assert not follower.is_unchanged({"user"}, begun - 1, position)
    assert follower.is_unchanged({"page"}, position, follower.read_position())
    with database.begin_read() as tx:
        assert position == follower.catch_up(tx) == change_log.get_latest_sequence(tx)


def test_what_a_snapshot_told_need_not_be_asked_for_again(opened: Callable[[], Database]) -> None:
    database, follower = opened(), ChangeLogFollower(opened())
    begun = follower.read_position()
    with database.begin_write() as tx:
        change_log.log_change(tx, "post", 1, "changed", 0)
    with database.begin_read() as tx:
        told = follower.catch_up(tx)
    assert not follower.is_unchanged({"post"}, begun, told)
    assert follower.read_position() == told
    with database.begin_write() as tx:
        change_log.log_change(tx, "page", 1, "changed", 0)
    assert follower.is_unchanged({"post"}, told, follower.read_position())
    assert not follower.is_unchanged({"page"}, told, follower.read_position())


def test_what_was_undone_is_in_nobodys_log(opened: Callable[[], Database]) -> None:
    database, follower = opened(), ChangeLogFollower(opened())
    begun = follower.read_position()
    with suppress(LookupError), database.begin_write() as tx:
        change_log.log_change(tx, "post", 1, "created", 0)
        raise LookupError
    assert follower.read_position() == begun
    with database.begin_read() as tx:
        assert tx.value(CHANGES) == 0


# -- transactions that the database gives up


def test_what_the_database_gave_up_is_done_again(database: Database) -> None:
    tried = []

    def work() -> str:
        tried.append(1)
        with database.begin_write() as tx:
            add(tx, "a")
            if len(tried) < 3:
                raise RetryableError("deadlock")
        return "done"

    assert run_with_retries(work) == "done"
    assert (len(tried), names(database)) == (3, ["a"])


def test_what_is_given_up_each_time_is_told_in_the_end(database: Database) -> None:
    tried = []

    def work() -> None:
        tried.append(1)
        raise RetryableError("deadlock")

    with pytest.raises(DatabaseBusy) as caught:
        run_with_retries(work)
    assert (len(tried), caught.value.failure, caught.value.headers["Retry-After"]) == (5, Failure.UNAVAILABLE, "2")


def test_another_error_is_not_tried_again(database: Database) -> None:
    tried = []

    def work() -> None:
        tried.append(1)
        raise LookupError

    with pytest.raises(LookupError):
        run_with_retries(work)
    assert len(tried) == 1


# -- turns


def test_a_turn_is_one_process_at_a_time(opened: Callable[[], Database]) -> None:
    first, second = opened().open_lease("jobs"), opened().open_lease("jobs")
    other = opened().open_lease("index")
    assert (first.acquire(), first.acquire(), second.acquire(), other.acquire()) == (True, True, False, True)
    first.close()
    assert second.acquire()
    second.close()
    other.close()
