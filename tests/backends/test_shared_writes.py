"""Requests that wait at the same time write in one transaction of a database server, each as if it were alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, insert, select, text

from lost_commits import Cut
from vetrina.backends import answer_leases, postgres, shared_transaction
from vetrina.backends.change_log import log_change
from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.group_commit import GroupCommit
from vetrina.backends.shared_transaction import CommitUnconfirmed, SharedCommitLost
from vetrina.backends.tables.records import counter
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.http.offload import RequestExecutor, StartAllowance
from vetrina.kernel.errors import InlineBudgetExceeded, OtherWriterActive

ADD = Statement(insert(counter).values(name=bindparam("called"), value=0))
NAMES = Statement(select(counter.c.name).where(counter.c.name.not_like("lease%")).order_by(counter.c.name))
COMMITS = Statement(text("SELECT coalesce(sum(number), 0) FROM last_commit"))
KILL = Statement(text("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = :process"))
PROCESS = Statement(text("SELECT pg_backend_pid()"))
WAITING = Statement(
    text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database ="
         " (SELECT oid FROM pg_database WHERE datname = current_database())")
)  # fmt: skip


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has a transaction stay open for others on a machine that is busy, too."""
    monkeypatch.setattr(shared_transaction, "_MAX_SECONDS", 60.0)


@pytest.fixture
def other(opened: Callable[[], Database]) -> Database:
    """The same database in another process."""
    return opened()


@pytest.fixture
def kill(opened: Callable[[], Database]) -> Callable[[int], None]:
    """Closes a connection."""
    killer = opened()

    def end(process: int) -> None:
        with killer.begin_read() as tx:
            tx.all(KILL, process=process)

    return end


@contextmanager
def share(database: Database) -> Iterator[tuple[GroupCommit, Transaction]]:
    """Open the transaction of a request in the event loop."""
    with database.open_group_commit() as commits, database.begin_shared_write() as tx:
        yield commits, tx


def add(database: Database, name: str) -> GroupCommit:
    with share(database) as (commits, tx):
        tx.run(ADD, called=name)
        assert (name,) in tx.all(NAMES)
    return commits


def names(database: Database) -> list[str]:
    with database.begin_read() as tx:
        return [row[0] for row in tx.all(NAMES)]


def count_commits(database: Database) -> int:
    with database.begin_read() as tx:
        return int(tx.value(COMMITS))


def test_what_is_written_together_is_committed_once_and_seen_only_then(database: Database, other: Database) -> None:
    before = count_commits(other)
    members = [add(database, name) for name in "abc"]
    assert [one.sharers for one in members] == [3, 3, 3]
    assert (names(other), names(database)) == ([], [])
    members[1].end_shared()
    assert (names(other), count_commits(other)) == (["a", "b", "c"], before + 1)
    members[0].end_shared()
    assert [(one.made, one.committed, one.sharers) for one in members] == [(True, True, 0)] * 3


@pytest.mark.parametrize("refused", [0, 1, 2])
def test_a_refusal_undoes_nothing_of_others(database: Database, refused: int) -> None:
    members = []
    for number, name in enumerate("abc"):
        with suppress(ZeroDivisionError), share(database) as (commits, tx):
            tx.run(ADD, called=name)
            tx.send_writes()
            if number == refused:
                raise ZeroDivisionError
        members.append(commits)
    members[2 if refused < 2 else 0].end_shared()
    assert names(database) == [name for number, name in enumerate("abc") if number != refused]
    assert [one.committed for one in members] == [number != refused for number in range(3)]


def test_a_block_sees_what_it_has_written(database: Database) -> None:
    with database.open_group_commit() as commits:
        with database.begin_shared_write() as tx:
            tx.run(ADD, called="a")
        assert names(database) == ["a"]
        with database.begin_shared_write() as tx:
            tx.run(ADD, called="b")
        assert names(database) == ["a", "b"]
    assert (commits.committed, commits.sharers) == (True, 0)


def test_what_fails_after_its_transaction_leaves_it_committed(database: Database, other: Database) -> None:
    with suppress(ZeroDivisionError), database.open_group_commit():
        with database.begin_shared_write() as tx:
            tx.run(ADD, called="a")
        raise ZeroDivisionError
    assert names(other) == ["a"]


def test_a_write_alone_commits_what_others_of_its_thread_share(database: Database, other: Database) -> None:
    member = add(database, "a")
    with database.begin_write() as tx:
        tx.run(ADD, called="b")
    assert names(other) == ["a", "b"]
    member.end_shared()


def test_a_transaction_within_a_part_commits_nothing_of_it(database: Database, other: Database) -> None:
    first = add(database, "a")
    with share(database) as (_, tx):
        tx.run(ADD, called="b")
        for begin in (database.begin_write, database.begin_shared_write):
            with pytest.raises(OtherWriterActive), begin():
                pass
        assert names(database) == []
    first.end_shared()
    assert names(other) == ["a", "b"]


def test_nobody_is_interrupted_by_the_clock_of_another_one(database: Database) -> None:
    def stop() -> None:
        raise InlineBudgetExceeded

    with share(database) as (first, tx):
        tx.all(NAMES)
        tx.run(ADD, called="a")
        tx.watch_time(stop)
    assert add(database, "b").sharers == 2
    with share(database) as (_, tx):
        tx.watch_time(stop)
        with pytest.raises(InlineBudgetExceeded):
            tx.all(NAMES)
    assert add(database, "c").sharers == first.sharers == 4
    first.end_shared()
    assert names(database) == ["a", "b", "c"]


def test_a_transaction_takes_no_more_than_some(database: Database, other: Database) -> None:
    members = [add(database, str(number)) for number in range(20)]
    assert len(names(other)) == 16
    members[-1].end_shared()
    assert len(names(other)) == 20


def test_writers_of_other_processes_have_their_turn(
    database: Database, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_transaction, "_MAX_SECONDS", 0.05)
    first = add(database, "a")

    def write() -> None:
        with other.begin_write() as tx:
            tx.run(ADD, called="other")

    thread = threading.Thread(target=write)
    thread.start()
    with database.begin_autocommit() as tx:
        while not tx.value(WAITING):
            time.sleep(0.01)
    time.sleep(0.06)
    # It has been open for long enough, and the one who waits comes first.
    with suppress(OtherWriterActive):
        add(database, "b")
    thread.join()
    assert first.committed
    assert "other" in names(database)


def test_threads_and_a_loop_that_all_write_do_not_wait_for_ever(database: Database) -> None:
    def write(name: str) -> None:
        for number in range(40):
            with database.begin_write() as tx:
                tx.run(ADD, called=f"{name}{number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    shared, number = 0, 0
    while any(thread.is_alive() for thread in threads):
        number += 1
        with suppress(OtherWriterActive):
            member = add(database, f"s{number}")
            shared += 1
            if number % 3 == 0:
                member.end_shared()
    with database.begin_write() as tx:
        assert len(tx.all(NAMES)) == 80 + shared


# -- what happens where a transaction is lost for several


def run_requests(database: Database, works: list[Callable[[Transaction], Any]]) -> list[Any]:
    """Run writes as requests of one event loop; return what each came to: its error, or "loop" or "thread"."""
    executor = RequestExecutor(4, 1_000_000, database.open_group_commit)

    def build(work: Callable[[Transaction], Any]) -> Callable[[StartAllowance], None]:
        def run(begin: StartAllowance) -> None:
            allowance = begin()

            def once() -> None:
                with database.begin_shared_write() as tx:
                    if allowance is not None:
                        tx.watch_time(allowance.check_time)
                    work(tx)

            run_with_retries(once)

        return run

    async def tell(work: Callable[[Transaction], Any]) -> Any:
        try:
            return "thread" if (await executor.run_inline(build(work), writes=True))[1] else "loop"
        except (Exception, asyncio.CancelledError) as error:
            return type(error)

    async def gather() -> list[Any]:
        return await asyncio.gather(*map(tell, works))

    try:
        return asyncio.run(gather())
    finally:
        executor.close()


def build_write(name: str, fails_late: bool = False) -> Callable[[Transaction], Any]:
    def write(tx: Transaction) -> None:
        assert (name,) not in tx.all(NAMES)
        tx.run(ADD, called=name)
        if fails_late:
            tx.run(ADD, called=name)
            tx.send_writes()

    return write


def test_requests_that_wait_share_a_commit(database: Database) -> None:
    before = count_commits(database)
    assert run_requests(database, [build_write(name) for name in "abcdef"]) == ["loop"] * 6
    assert (names(database), count_commits(database)) == (list("abcdef"), before + 1)


def test_a_loop_that_is_busy_with_something_else_keeps_no_writer_waiting(database: Database, other: Database) -> None:
    executor, turns = RequestExecutor(1, 1_000_000, database.open_group_commit), list[bool]()

    def write(begin: StartAllowance) -> None:
        begin()
        with database.begin_shared_write() as tx:
            build_write("a")(tx)

    async def read() -> None:
        for _ in range(3):
            turns.append("a" in names(other))
            time.sleep(0.01)
            await asyncio.sleep(0)

    async def gather() -> None:
        await asyncio.gather(executor.run_inline(write, writes=True), read())

    asyncio.run(gather())
    executor.close()
    # What takes so long in the first turn after the write is followed by the commit.
    assert turns == [False, True, True]


def test_a_client_that_goes_away_takes_no_write_of_another_one_with_it(database: Database) -> None:
    def leave(tx: Transaction) -> None:
        build_write("gone")(tx)
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    told = run_requests(database, [build_write("a"), leave, build_write("b")])
    assert told == ["loop", asyncio.CancelledError, "loop"]
    assert names(database) == ["a", "b", "gone"]


@pytest.mark.parametrize("after", [False, True])
def test_a_commit_that_is_lost_for_several_neither_loses_nor_doubles_a_write(
    database: Database, kill: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    assert names(database) == []
    cut = Cut(monkeypatch, kill, after)
    assert run_requests(database, [build_write(name) for name in "abcdef"]) == ["loop" if after else "thread"] * 6
    assert (cut.done, names(database)) == (True, list("abcdef"))


def test_a_commit_of_which_nothing_is_known_is_not_done_again(
    database: Database, kill: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert names(database) == []
    monkeypatch.setattr(postgres, "_CONFIRM_SECONDS", 0.0)
    cut = Cut(monkeypatch, kill, True)
    assert run_requests(database, [build_write(name) for name in "abc"]) == [CommitUnconfirmed] * 3
    assert (cut.done, names(database)) == (True, list("abc"))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_statement_that_fails_for_one_is_a_failure_of_no_other(database: Database, at: int, late: bool) -> None:
    def fail(tx: Transaction) -> None:
        tx.run(ADD, called="x")
        tx.run_and_count(ADD, called="x")

    works = [build_write(name) for name in "abc"]
    works[at] = build_write("x", fails_late=True) if late else fail
    told = run_requests(database, works)
    assert told.pop(at) is psycopg.errors.UniqueViolation
    assert set(told) <= {"loop", "thread"}
    assert names(database) == [name for number, name in enumerate("abc") if number != at]


def test_a_connection_that_is_lost_within_a_part_is_the_end_of_no_request(
    database: Database, kill: Callable[[int], None]
) -> None:
    killed = []

    def lose(tx: Transaction) -> None:
        tx.run(ADD, called="lost")
        if not killed:
            killed.append(int(tx.value(PROCESS)))
            kill(killed[0])
        tx.all(NAMES)

    assert run_requests(database, [build_write("a"), lose, build_write("b")]).count("thread") >= 2
    assert names(database) == ["a", "b", "lost"]


def test_the_block_that_began_tells_of_a_loss(database: Database, kill: Callable[[int], None]) -> None:
    with share(database) as (first, tx):
        tx.run(ADD, called="a")
        process = int(tx.value(PROCESS))
    kill(process)
    with pytest.raises(SharedCommitLost):
        add(database, "b")
    with pytest.raises(SharedCommitLost):
        first.end_shared()
    assert names(database) == []
    add(database, "c").end_shared()
    assert names(database) == ["c"]


def test_all_who_share_a_commit_wait_for_the_leases_of_other_machines(database: Database) -> None:
    with database.begin_write() as tx:
        tx.run(answer_leases._REGISTER, name="lease elsewhere 0000000000000001")
    members = []
    for name in "abc":
        with share(database) as (commits, tx):
            assert (name,) not in tx.all(NAMES)
            log_change(tx, "post", name, "changed", 0)
        members.append(commits)
    members[0].end_shared()
    assert [one.quick for one in members] == [False] * 3
    begun = time.monotonic()
    members[2].keep()
    assert time.monotonic() - begun > 0.03
