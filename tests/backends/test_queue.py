"""Jobs as rows, and the worker that runs them: once, again after a failure, again after a crash."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers

from conftest import Stand
from vetrina.backends import job_queue
from vetrina.backends.database import Database, Transaction
from vetrina.backends.job_consumer import JobConsumer
from vetrina.backends.job_queue import LEASE_SECONDS, MAX_ATTEMPTS, BackgroundJob

pytestmark = pytest.mark.every_database

NOW = 1_800_000_000


class StoppedClock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> int:
        return self.at


@pytest.fixture
def database(site: Stand) -> Database:
    return site.site.database


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


def put(database: Database, due: int = NOW, key: str = "", **arguments: Any) -> None:
    with database.begin_write() as tx:
        job_queue.enqueue_job(tx, "say", arguments, due=due, now=NOW, key=key)


def take(database: Database, now: int = NOW) -> BackgroundJob | None:
    with database.begin_write() as tx:
        return job_queue.take_job(tx, now)


def jobs(database: Database, state: str = "") -> list[BackgroundJob]:
    with database.begin_read() as tx:
        return job_queue.list_jobs(tx, state)


def only(database: Database) -> BackgroundJob:
    (job,) = jobs(database)
    return job


def consumer(
    database: Database, clock: StoppedClock, carry_out: Callable[[Transaction, BackgroundJob], None]
) -> JobConsumer:
    return JobConsumer(database, clock, carry_out, lambda tx: None)


# -- rows


def test_a_job_is_undone_with_the_transaction_that_noted_it(database: Database) -> None:
    def interrupted() -> None:
        with database.begin_write() as tx:
            job_queue.enqueue_job(tx, "say", {}, due=NOW, now=NOW)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        interrupted()
    assert jobs(database) == []


def test_a_job_is_taken_when_it_is_due_and_by_one_only(database: Database) -> None:
    put(database, due=NOW + 10, word="now")
    assert take(database, NOW + 9) is None
    taken = take(database, NOW + 10)
    assert taken is not None
    assert (taken.state, taken.arguments, taken.attempts, taken.started) == ("running", {"word": "now"}, 1, NOW + 10)
    assert take(database, NOW + 10) is None


def test_the_job_that_is_due_longest_comes_first(database: Database) -> None:
    for due in (NOW - 1, NOW - 3, NOW - 2):
        put(database, due=due)
    taken = [take(database) for _ in range(3)]
    assert [job.due for job in taken if job] == [NOW - 3, NOW - 2, NOW - 1]


def test_a_key_names_one_job_that_moves_to_the_new_date(database: Database) -> None:
    put(database, due=NOW + 10, key="k", word="old")
    put(database, due=NOW + 20, key="k", word="new")
    put(database, due=NOW + 10, key="another")
    moved = next(job for job in jobs(database) if job.key == "k")
    assert (moved.due, moved.arguments, len(jobs(database))) == (NOW + 20, {"word": "new"}, 2)


@pytest.mark.parametrize("end", ["done", "failed"])
def test_a_key_whose_job_has_ended_can_be_put_again(database: Database, end: str) -> None:
    put(database, key="k")
    for _ in range(MAX_ATTEMPTS):
        taken = take(database, NOW + 10**6)
        assert taken is not None
        with database.begin_write() as tx:
            if end == "done":
                job_queue.finish_job(tx, taken, NOW)
                break
            job_queue.fail_job(tx, taken, "no", NOW, 0.5)
    assert only(database).state == end
    put(database, due=NOW + 5, key="k")
    again = only(database)
    assert (again.state, again.due, again.attempts, again.last_error) == ("waiting", NOW + 5, 0, "")


def test_jobs_without_a_key_stand_beside_each_other(database: Database) -> None:
    put(database)
    put(database)
    assert len(jobs(database)) == 2


def test_a_job_put_anew_while_it_runs_is_not_finished_by_the_old_run(database: Database) -> None:
    put(database, key="k", word="old")
    taken = take(database)
    assert taken is not None
    put(database, due=NOW, key="k", word="new")
    with database.begin_write() as tx:
        assert job_queue.finish_job(tx, taken, NOW) is None
    assert (only(database).state, only(database).arguments) == ("waiting", {"word": "new"})


def test_a_job_whose_taker_died_is_taken_again_after_the_lease(database: Database) -> None:
    put(database)
    first = take(database)
    assert take(database, NOW + LEASE_SECONDS - 1) is None
    second = take(database, NOW + LEASE_SECONDS)
    assert second is not None
    assert second.attempts == 2
    assert first is not None
    with database.begin_write() as tx:
        assert job_queue.finish_job(tx, first, NOW + LEASE_SECONDS) is None
        assert job_queue.finish_job(tx, second, NOW + LEASE_SECONDS) is not None


def test_a_job_that_always_kills_its_taker_is_given_up(database: Database) -> None:
    put(database)
    now = NOW
    for _ in range(MAX_ATTEMPTS):
        assert take(database, now) is not None
        now += LEASE_SECONDS
    assert take(database, now) is None
    assert (only(database).state, only(database).last_error) == (
        "failed", "the process that carried it out ended in the middle",
    )  # fmt: skip


def test_a_failed_attempt_waits_longer_each_time_and_then_no_more(database: Database) -> None:
    put(database)
    waits: list[int] = []
    now = NOW
    for _ in range(MAX_ATTEMPTS):
        taken = take(database, now)
        assert taken is not None
        with database.begin_write() as tx:
            due = job_queue.fail_job(tx, taken, "it rains", now, 0.5)
        if due is not None:
            waits.append(due - now)
            now = due
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 1280]
    assert (only(database).state, only(database).last_error, take(database, now + 10**6)) == (
        "failed",
        "it rains",
        None,
    )


@given(attempts=integers(1, 200), chance=floats(0, 1))
def test_a_delay_stays_within_its_bounds(attempts: int, chance: float) -> None:
    assert 1 <= job_queue.compute_retry_delay(attempts, chance) <= 4500


def test_a_retried_job_is_due_at_once_with_all_its_attempts(database: Database) -> None:
    put(database, due=NOW + 500)
    job = only(database)
    with database.begin_write() as tx:
        assert job_queue.retry_job(tx, job.id, NOW)
    assert (only(database).due, only(database).attempts) == (NOW, 0)


def test_a_job_that_runs_or_is_done_cannot_be_retried(database: Database) -> None:
    put(database)
    taken = take(database)
    assert taken is not None
    for _ in range(2):
        with database.begin_write() as tx:
            assert not job_queue.retry_job(tx, taken.id, NOW)
            job_queue.finish_job(tx, taken, NOW)


def test_the_next_date_is_that_of_a_waiting_job_or_the_end_of_a_lease(database: Database) -> None:
    def next_due() -> int | None:
        with database.begin_read() as tx:
            return job_queue.find_next_due(tx)

    assert next_due() is None
    put(database, due=NOW)
    put(database, due=NOW + 10**6)
    assert next_due() == NOW
    take(database)
    assert next_due() == NOW + LEASE_SECONDS


def test_bringing_forward_leaves_a_job_alone_that_is_tried_or_given_up(database: Database) -> None:
    def bring(due: int) -> BackgroundJob:
        with database.begin_write() as tx:
            job_queue.enqueue_missing_job(tx, "say", {}, due=due, now=NOW, key="k")
        return only(database)

    assert bring(NOW + 50).due == NOW + 50
    assert bring(NOW + 20).due == NOW + 20
    assert bring(NOW + 30).due == NOW + 20
    taken = take(database, NOW + 20)
    assert taken is not None
    assert bring(NOW).state == "running"
    with database.begin_write() as tx:
        job_queue.fail_job(tx, taken, "no", NOW + 20, 0.5)
    assert bring(NOW).due == NOW + 25
    taken = take(database, NOW + 25)
    assert taken is not None
    with database.begin_write() as tx:
        job_queue.finish_job(tx, taken, NOW + 25)
    assert (bring(NOW).state, bring(NOW).due) == ("waiting", NOW)


def test_ended_jobs_are_forgotten(database: Database) -> None:
    put(database)
    taken = take(database)
    assert taken is not None
    with database.begin_write() as tx:
        job_queue.finish_job(tx, taken, NOW)
        assert job_queue.delete_ended_jobs(tx, "done", NOW - 1) == 0
        assert job_queue.delete_ended_jobs(tx, "done", NOW) == 1


# -- the consumer


def test_the_consumer_carries_out_what_is_due(database: Database, clock: StoppedClock) -> None:
    said: list[str] = []
    put(database, word="one")
    put(database, word="two")
    put(database, due=NOW + 60, word="later")
    runner = consumer(database, clock, lambda tx, job: said.append(job.arguments["word"]))
    assert (runner.run_due_jobs(), said) == (2, ["one", "two"])
    clock.at += 60
    assert (runner.run_due_jobs(), said) == (1, ["one", "two", "later"])
    assert runner.run_due_jobs() == 0


def test_what_a_job_wrote_is_undone_when_it_fails(database: Database, clock: StoppedClock) -> None:
    def carry_out(tx: Transaction, job: BackgroundJob) -> None:
        job_queue.enqueue_job(tx, "say", {"word": "from the inside"}, due=NOW + 10**6, now=NOW)
        if clock.at == NOW:
            raise ValueError("it rains")

    put(database, word="outer")
    runner = consumer(database, clock, carry_out)
    assert runner.run_due_jobs() == 1
    assert (only(database).state, only(database).last_error) == ("waiting", "ValueError: it rains")
    clock.at = only(database).due
    assert runner.run_due_jobs() == 1
    assert [job.state for job in jobs(database)] == ["done", "waiting"]


def test_what_a_job_leaves_for_afterwards_is_done_when_its_work_is_kept(
    database: Database, clock: StoppedClock
) -> None:
    seen: list[str] = []
    put(database)
    runner = JobConsumer(database, clock, lambda tx, job: lambda: seen.append(only(database).state), lambda tx: None)
    runner.run_due_jobs()
    assert seen == ["done"]


def test_short_jobs_pass_a_long_one(database: Database, clock: StoppedClock) -> None:
    done: list[str] = []
    passed, stop = threading.Event(), threading.Event()

    def prepare(job: BackgroundJob) -> Callable[[Transaction, BackgroundJob], None]:
        if job.kind == "long":
            # Longer than any lease, and until the other job has passed it.
            clock.at += job_queue.LEASE_SECONDS + 1
            assert passed.wait(60)
        return carry_out

    def carry_out(tx: Transaction, job: BackgroundJob) -> None:
        done.append(job.kind)
        (passed if job.kind == "say" else stop).set()

    with database.begin_write() as tx:
        job_queue.enqueue_job(tx, "long", {}, due=NOW - 1, now=NOW, key=f"{job_queue.LASTING_KEYS}long")
    put(database)
    runner = JobConsumer(database, clock, carry_out, lambda tx: None, prepare=prepare, long_kinds=("long",))
    runner.run(stop)
    assert done == ["say", "long"]
    assert [(job.state, job.attempts) for job in jobs(database)] == [("done", 1), ("done", 1)]


def test_a_job_may_put_itself_again(database: Database, clock: StoppedClock) -> None:
    put(database, key="daily")
    runner = consumer(
        database, clock, lambda tx, job: job_queue.enqueue_job(tx, "say", {}, due=job.due + 86400, now=NOW, key="daily")
    )
    assert runner.run_due_jobs() == 1
    assert (only(database).state, only(database).due) == ("waiting", NOW + 86400)


def test_a_starting_consumer_frees_what_a_dead_one_left(database: Database, clock: StoppedClock) -> None:
    put(database)
    take(database)
    said: list[int] = []
    runner = consumer(database, clock, lambda tx, job: said.append(job.attempts))
    assert runner.run_due_jobs() == 0
    runner.reclaim_jobs()
    assert (runner.run_due_jobs(), said) == (1, [2])


def test_the_sweep_comes_at_the_start_and_every_minute(database: Database, clock: StoppedClock) -> None:
    swept: list[int] = []
    runner = JobConsumer(database, clock, lambda tx, job: None, lambda tx: swept.append(clock.at))
    for seconds in (0, 59, 1, 30):
        clock.at += seconds
        runner.run_due_jobs()
    assert swept == [NOW, NOW + 60]


def test_of_two_consumers_one_works_and_the_other_follows_it(database: Database, clock: StoppedClock) -> None:
    by: list[str] = []
    said = threading.Event()

    def running(name: str) -> tuple[threading.Thread, threading.Event]:
        def carry_out(tx: Transaction, job: BackgroundJob) -> None:
            by.append(name)
            said.set()

        stop = threading.Event()
        thread = threading.Thread(target=consumer(database, clock, carry_out).run, args=(stop,), daemon=True)
        thread.start()
        return thread, stop

    def say() -> None:
        said.clear()
        put(database)
        assert said.wait(60)

    first = running("first")
    say()
    second = running("second")
    say()
    first[1].set()
    first[0].join()
    say()
    second[1].set()
    second[0].join()
    assert by == ["first", "first", "second"]


def test_a_consumer_outlives_a_database_that_refuses(database: Database, clock: StoppedClock) -> None:
    def rename(old: str, new: str) -> None:
        with database.begin_write() as tx:
            tx.command(f"ALTER TABLE {old} RENAME TO {new}")

    runner, stop = consumer(database, clock, lambda tx, job: None), threading.Event()
    turn = database.open_lease("jobs")
    rename("job", "job_elsewhere")
    assert [runner._run_cycle(turn, stop) for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]
    rename("job_elsewhere", "job")
    assert runner._run_cycle(turn, stop) < 1
    turn.close()
