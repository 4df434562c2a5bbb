"""One suite for both databases: guarantees of transactions to concurrent readers and writers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, func, insert, literal, select, update

from vetrina.backends import database_schema
from vetrina.backends.database import Database, Statement, Transaction, open_database
from vetrina.backends.statement_cache import StatementCache
from vetrina.backends.tables.options import option
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.kernel.errors import InlineBudgetExceeded
from vetrina.kernel.render_budget import InlineAllowance

PUT = Statement(insert(option).values(name=bindparam("name"), value=bindparam("value")))
SET = Statement(update(option).where(option.c.name == bindparam("of")).values(value=bindparam("value")))
GET = Statement(select(option.c.value).where(option.c.name == bindparam("name")))
COUNT = Statement(select(func.count()).select_from(option))
NAMES = Statement(select(option.c.name).order_by(option.c.name))

pytestmark = pytest.mark.every_database


@pytest.fixture
def url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'site.sqlite'}"
        return
    server = request.getfixturevalue("postgres")
    address = server.new()
    yield address
    server.drop(address)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = open_database(url, durable=False)
    database_schema.create_schema(database)
    yield database
    database.close()


class Crash(Exception):
    """The work ends here."""


def crashing() -> pytest.RaisesExc[Crash]:
    return pytest.raises(Crash)


def put(tx: Transaction, name: str, value: str = "0") -> None:
    tx.run(PUT, name=name, value=value)


def names(database: Database) -> list[str]:
    with database.begin_read() as tx:
        return [row[0] for row in tx.all(NAMES)]


def counted_up(database: Database, times: int) -> None:
    """Increment a number, each time in a transaction that first reads it."""
    for _ in range(times):

        def one() -> None:
            with database.begin_write() as tx:
                tx.run(SET, of="number", value=str(int(tx.value(GET, name="number")) + 1))

        run_with_retries(one)


# -- one transaction


def test_what_a_transaction_wrote_is_there_when_it_ends(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "a")
        put(tx, "b")
        assert tx.value(COUNT) == 2
    assert names(database) == ["a", "b"]


def test_an_error_undoes_all_of_a_transaction(database: Database) -> None:
    with crashing(), database.begin_write() as tx:
        put(tx, "a")
        raise Crash
    assert names(database) == []
    with database.begin_write() as tx:
        put(tx, "b")
    assert names(database) == ["b"]


def test_a_part_undoes_itself_alone(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "before")
        with crashing(), tx.savepoint():
            put(tx, "inside")
            raise Crash
        put(tx, "after")
    assert names(database) == ["after", "before"]


def test_parts_inside_parts_undo_what_is_inside_them(database: Database) -> None:
    with database.begin_write() as tx:
        with tx.savepoint():
            put(tx, "outer")
            with crashing(), tx.savepoint():
                put(tx, "inner")
                raise Crash
            with tx.savepoint():
                put(tx, "kept")
        with crashing(), tx.savepoint():
            with tx.savepoint():
                put(tx, "gone with the outer one")
            raise Crash
    assert names(database) == ["kept", "outer"]


def test_a_statement_that_fails_in_a_part_leaves_the_rest_of_the_transaction(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "a")
        with pytest.raises(Exception, match=r"(?i)unique"), tx.savepoint():
            put(tx, "a")
        put(tx, "b")
    assert names(database) == ["a", "b"]


def test_many_rows_are_written_with_one_call(database: Database) -> None:
    with database.begin_write() as tx:
        tx.run_each(PUT, [{"name": f"{at:03}", "value": ""} for at in range(500)])
    assert len(names(database)) == 500


@pytest.mark.parametrize("value", ["", "%s %(x)s :a ? $1 '\"\\ --", "\U0001f600 e\u0301", "a" * 200_000])
def test_values_are_bound_and_come_back_as_they_are(database: Database, value: str) -> None:
    with database.begin_write() as tx:
        put(tx, "a", value)
        assert tx.value(GET, name="a") == value


# -- readers and writers at once


def test_a_reader_sees_one_state_while_others_write(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "a")
    with database.begin_read() as seen:
        assert seen.value(COUNT) == 1
        apart(lambda: write_one(database, "b"))
        assert seen.value(COUNT) == 1
    assert names(database) == ["a", "b"]


def test_what_is_not_yet_kept_is_seen_by_nobody_else(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "a")
        assert apart(lambda: names(database)) == []
    assert apart(lambda: names(database)) == ["a"]


def test_a_reader_does_not_wait_for_a_writer(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "a")
        assert apart(lambda: names(database), within=5) == []


def test_threads_that_write_at_once_lose_nothing(database: Database) -> None:
    with database.begin_write() as tx:
        put(tx, "number")
    threads = [threading.Thread(target=counted_up, args=(database, 25)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with database.begin_read() as tx:
        assert tx.value(GET, name="number") == "100"


def test_processes_that_write_at_once_lose_nothing(database: Database, url: str) -> None:
    with database.begin_write() as tx:
        put(tx, "number")
    started = [multiprocessing.get_context("spawn").Process(target=counting, args=(url, 25)) for _ in range(2)]
    for process in started:
        process.start()
    for process in started:
        process.join(60)
    assert [process.exitcode for process in started] == [0, 0]
    with database.begin_read() as tx:
        assert tx.value(GET, name="number") == "50"


def counting(url: str, times: int) -> None:
    database = open_database(url, durable=False)
    counted_up(database, times)
    database.close()


def test_a_process_that_is_killed_in_a_transaction_leaves_nothing_and_holds_nobody_up(
    database: Database, url: str
) -> None:
    script = (
        "import sys; from test_database import *\n"
        "with open_database(sys.argv[1], durable=False).begin_write() as tx:\n"
        "    put(tx, 'half'); print('written', flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    apart(lambda: write_one(database, "whole"), within=20)
    assert names(database) == ["whole"]


def write_one(database: Database, name: str) -> None:
    with database.begin_write() as tx:
        put(tx, name)


def apart(work: Callable[[], Any], within: float = 30) -> Any:
    """Run a function in another thread, with its own connection, and return its result."""
    out: list[Any] = []
    thread = threading.Thread(target=lambda: out.append(work()), daemon=True)
    thread.start()
    thread.join(within)
    assert out, "the work did not end"
    return out[0]


# -- the embedded one


def only_for(wanted: str, kind: str) -> None:
    if kind != wanted:
        pytest.skip(f"about {wanted} alone")


def test_a_full_disk_loses_nothing_and_the_next_write_is_taken(database: Database) -> None:
    only_for("sqlite", database.kind)
    connection = database.connection()  # type: ignore[attr-defined]
    with database.begin_write() as tx:
        put(tx, "a")
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(sqlite3.OperationalError, match="full"), database.begin_write() as tx:
        put(tx, "too large", "x" * 1_000_000)
    connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    with database.begin_write() as tx:
        put(tx, "b", "x" * 100_000)
    assert names(database) == ["a", "b"]


def test_a_durable_site_keeps_its_file_whole(url: str, kind: str) -> None:
    """Durability of acknowledged commits is tested in test_commits.py; SQLite's part is the order of log and file."""
    only_for("sqlite", kind)
    database = open_database(url)
    connection = database.connection()  # type: ignore[attr-defined]
    settings = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")}
    database.close()
    assert settings == {"synchronous": 1, "journal_mode": "wal"}


def test_statements_of_a_shape_are_built_once_and_their_number_is_bounded() -> None:
    shapes, built = StatementCache(most=4), []

    def build(value: int) -> Any:
        built.append(value)
        return select(option.c.name).where(option.c.value == str(value))

    first = shapes.get(1, lambda: build(1))
    assert shapes.get(1, lambda: build(1)) is first
    for value in range(10):
        shapes.get(value, lambda: build(value))  # noqa: B023
    assert shapes.get(9, lambda: build(9)) is shapes.get(9, lambda: build(9))
    assert len(built) == 10


def test_a_statement_that_takes_longer_than_others_may_wait_is_broken_off(database: Database) -> None:
    only_for("sqlite", database.kind)
    number = select(literal(1).label("number")).cte("number", recursive=True)
    number = number.union_all(select(number.c.number + 1).where(number.c.number < 20_000_000))
    long = Statement(select(func.count()).select_from(number))

    def ask() -> None:
        with database.begin_read() as tx:
            tx.watch_time(InlineAllowance(1000, 0.03).check_time)
            tx.value(long)

    begun = time.thread_time()
    with pytest.raises(InlineBudgetExceeded):
        ask()
    assert time.thread_time() - begun < 0.5
    # The connection works as before, without the time check.
    with database.begin_write() as tx:
        put(tx, "a")
    assert names(database) == ["a"]
