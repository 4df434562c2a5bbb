"""When a process may serve kept answers without asking a database server, and what a writer elsewhere waits for."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from vetrina.backends import answer_leases, commit_marks
from vetrina.backends.change_log import log_change
from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.database import Database
from vetrina.backends.postgres import PostgresDatabase


@pytest.fixture
def kind() -> str:
    return "postgresql"


class Clock:
    """A clock that stands still. slept: the seconds that writers were made to wait."""

    def __init__(self) -> None:
        self.now, self.slept = 1000.0, list[float]()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(answer_leases, "read_clock", lambda: clock.now)
    monkeypatch.setattr(time, "sleep", clock.sleep)
    return clock


@pytest.fixture
def machine(
    opened: Callable[[], Database], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[str], PostgresDatabase]:
    """Opens the database in another process of a machine with a name."""

    def open_on(name: str) -> PostgresDatabase:
        memory = tmp_path / name
        memory.mkdir(exist_ok=True)
        monkeypatch.setattr(commit_marks, "_SHARED_MEMORY", memory)
        database = opened()
        assert isinstance(database, PostgresDatabase)
        database.leases_answers = True
        assert database.lease.marks.machine
        return database

    return open_on


def follow(database: PostgresDatabase) -> ChangeLogFollower:
    """Return a follower with a lease."""
    follower = ChangeLogFollower(database)
    for _ in range(70):
        follower.read_position()
    database.lease.wait()
    follower.read_position()
    assert is_newest(follower)
    return follower


def is_newest(follower: ChangeLogFollower) -> bool:
    return not follower._watch.has_changed()


def hears_of_a_post(follower: ChangeLogFollower) -> bool:
    before = follower.seen
    return not follower.is_unchanged({"post"}, before, follower.read_position())


def write(database: PostgresDatabase) -> None:
    with database.begin_write() as tx:
        log_change(tx, "post", 1, "changed", 0)


def list_leases(database: PostgresDatabase) -> list[int]:
    with database.begin_read() as tx:
        return [value for _, value in tx.all(answer_leases.LIST_LEASES)]


def test_a_process_asks_again_when_its_lease_has_run_out(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    follower = follow(machine("one"))
    clock.now += 0.049
    assert is_newest(follower)
    clock.now += 0.002
    assert not is_newest(follower)
    assert not hears_of_a_post(follower)
    assert is_newest(follower)


def test_few_readings_are_worth_no_lease(clock: Clock, machine: Callable[[str], PostgresDatabase]) -> None:
    database = machine("one")
    follower = ChangeLogFollower(database)
    for _ in range(20):
        assert not is_newest(follower)
        follower.read_position()
    assert list_leases(database) == []


def test_a_commit_of_the_same_machine_is_known_at_once(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    follower, other = follow(machine("one")), machine("one")
    write(other)
    assert clock.slept == []
    assert not is_newest(follower)
    assert hears_of_a_post(follower)
    assert is_newest(follower)


def test_a_transaction_that_changes_nothing_leaves_answers_true(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    follower, other = follow(machine("one")), machine("one")
    with other.begin_write() as tx:
        tx.command("SELECT 1")
    assert is_newest(follower)


def test_a_writer_that_dies_before_it_knows_of_its_commit_leaves_no_stale_answer(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    first, other = machine("one"), machine("one")
    follower = follow(first)
    other.lease.marks.begin()
    for _ in range(3):
        assert not is_newest(follower)
        follower.read_position()
    write(first)
    follower.read_position()
    assert is_newest(follower)


def test_the_mark_of_a_dead_writer_is_settled_without_a_write(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    database = machine("one")
    follower = follow(database)
    database.lease.marks.begin()
    for _ in range(70):
        follower.read_position()
        clock.now += 0.02
    database.lease.wait()
    follower.read_position()
    assert is_newest(follower)


def test_a_writer_of_another_machine_waits_until_the_lease_has_run_out(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    follower, foreign = follow(machine("one")), machine("two")
    write(foreign)
    [waited] = clock.slept
    assert waited > answer_leases._LEASE_SECONDS
    # Of its commit it has not heard, and within its lease it may answer as before.
    assert is_newest(follower)
    clock.now += waited
    assert not is_newest(follower)
    assert hears_of_a_post(follower)
    # Its lease is revoked: it asks for each answer, and the next writer has nobody to wait for.
    assert not is_newest(follower)
    write(foreign)
    assert len(clock.slept) == 1
    assert list_leases(foreign) == []


def test_writers_wait_for_a_lease_that_another_one_has_just_revoked(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    follow(machine("one"))
    write(machine("two"))
    write(machine("three"))
    assert len(clock.slept) == 2


def test_a_machine_has_a_lease_again_when_nobody_else_has_written_for_a_while(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    database, foreign = machine("one"), machine("two")
    follower = follow(database)
    write(foreign)
    clock.now += 1
    for _ in range(70):
        follower.read_position()
    database.lease.wait()
    assert not is_newest(follower)
    clock.now += answer_leases._REST_SECONDS
    for _ in range(70):
        follower.read_position()
    database.lease.wait()
    follower.read_position()
    assert is_newest(follower)


def test_a_request_in_the_loop_is_answered_later_instead_of_waiting(
    clock: Clock, machine: Callable[[str], PostgresDatabase]
) -> None:
    follow(machine("one"))
    foreign, told = machine("two"), list[OSError | None]()
    with foreign.open_group_commit() as commits:
        write(foreign)
    assert (commits.made, commits.quick, clock.slept) == (True, False, [])
    commits.keep()
    assert clock.slept[0] > answer_leases._LEASE_SECONDS * 0.9
    with foreign.open_group_commit() as commits:
        clock.now += 1
        write(foreign)
    assert not commits.made
    commits.keep_soon(told.append)


def test_a_rolled_back_transaction_tells_nobody(clock: Clock, machine: Callable[[str], PostgresDatabase]) -> None:
    follower, other = follow(machine("one")), machine("two")

    def write_in_vain() -> None:
        with other.begin_write() as tx:
            log_change(tx, "post", 1, "changed", 0)
            raise RuntimeError("given up")

    with pytest.raises(RuntimeError, match="given up"):
        write_in_vain()
    assert clock.slept == []
    assert is_newest(follower)
    assert not hears_of_a_post(follower)


def test_memory_that_another_account_prepared_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_marks, "_SHARED_MEMORY", tmp_path)
    one, two = commit_marks.CommitMarks("database"), commit_marks.CommitMarks("database")
    assert one.machine == two.machine != commit_marks.CommitMarks("another").machine
    [folder] = tmp_path.iterdir()
    folder.chmod(0o777)
    assert commit_marks.CommitMarks("database").machine != one.machine
    assert commit_marks.CommitMarks(None).machine != commit_marks.CommitMarks(None).machine
