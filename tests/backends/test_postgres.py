"""Failures that only a database server has: lost connections, deadlocks, restarts."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, insert, select, text

from conftest import Client, Stand
from lost_commits import Cut
from vetrina.backends import change_log
from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.tables.records import counter
from vetrina.backends.transaction_retries import DatabaseBusy, RetryableError, run_with_retries


@pytest.fixture
def kind() -> str:
    return "postgresql"


ADD = Statement(insert(counter).values(name=bindparam("called"), value=0))
NAMES = Statement(select(counter.c.name).order_by(counter.c.name))
COMMITS = Statement(text("SELECT number FROM last_commit ORDER BY number"))
NUMBER_OF_TRANSACTION = Statement(text("SELECT pg_current_xact_id_if_assigned()"))
PROCESS = Statement(text("SELECT pg_backend_pid()"))
KILL = Statement(
    text("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = :process OR :process = 0 AND "
         "datname = current_database() AND pid <> pg_backend_pid()")
)  # fmt: skip
WAITING = Statement(text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))


@pytest.fixture
def kill(opened: Callable[[], Database]) -> Callable[..., None]:
    """Closes one connection to the database, or all others."""
    other = opened()

    def end(process: int = 0) -> None:
        with other.begin_read() as tx:
            tx.all(KILL, process=process)

    return end


def process_of(tx: Transaction) -> int:
    return int(tx.value(PROCESS))


def test_a_connection_that_was_lost_is_replaced(database: Database, kill: Callable[..., None]) -> None:
    for _ in range(3):
        with database.begin_write() as tx:
            tx.all(NAMES)
        kill()
        with database.begin_read() as tx:
            assert tx.all(NAMES) == []
        kill()


def test_several_connections_that_were_lost_are_replaced(database: Database, kill: Callable[..., None]) -> None:
    gate = threading.Barrier(5)

    def read() -> None:
        with database.begin_read() as tx:
            tx.all(NAMES)
            gate.wait(60)

    threads = [threading.Thread(target=read) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kill()
    for _ in range(6):
        with database.begin_read() as tx:
            assert tx.all(NAMES) == []


@pytest.mark.parametrize("way", ["begin_read", "begin_write"])
def test_a_transaction_whose_connection_is_lost_is_given_up_and_done_again(
    database: Database, kill: Callable[..., None], way: str
) -> None:
    tried = []

    def work() -> list[Any]:
        with getattr(database, way)() as tx:
            tried.append(process_of(tx))
            if tx.writes:
                tx.run(ADD, called="a")
            if len(tried) == 1:
                kill(tried[0])
            return tx.all(NAMES)

    assert run_with_retries(work) == ([("a",)] if way == "begin_write" else [])
    assert len(set(tried)) == 2


def test_a_connection_that_is_lost_in_a_part_is_told_as_such(database: Database, kill: Callable[..., None]) -> None:
    def work() -> None:
        with database.begin_write() as tx, tx.savepoint():
            kill(process_of(tx))
            tx.run(ADD, called="a")

    with pytest.raises(RetryableError):
        work()


@pytest.mark.parametrize("after", [False, True])
def test_a_connection_that_is_lost_in_the_commit_neither_loses_nor_doubles_the_write(
    database: Database, kill: Callable[..., None], monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    with database.begin_read() as tx:
        tx.all(NAMES)
    cut, tried = Cut(monkeypatch, kill, after), []

    def work() -> None:
        with database.begin_write() as tx:
            tried.append(1)
            tx.run(ADD, called="a")

    run_with_retries(work)
    with database.begin_read() as tx:
        assert tx.all(NAMES) == [("a",)]
    assert (cut.done, len(tried)) == (True, 1 if after else 2)


def list_commits(database: Database) -> list[int]:
    """Return the number of each writer's last commit, in their order."""
    with database.begin_read() as tx:
        return [row[0] for row in tx.all(COMMITS)]


def test_what_writers_of_long_ago_committed_is_forgotten(opened: Callable[[], Database]) -> None:
    first, second = opened(), opened()
    with first.begin_write() as tx:
        tx.command("DELETE FROM last_commit")
    assert list_commits(first) == [1]
    with first.begin_write() as tx:
        tx.command("INSERT INTO last_commit VALUES (1, 1000, 0), (2, 2000, extract(epoch FROM now()) - 6 * 86400)")
    assert list_commits(first) == [2, 1000, 2000]
    with second.begin_write() as tx:
        tx.run(ADD, called="a")
    assert list_commits(first) == [1, 2, 2000]


def test_a_transaction_that_wrote_nothing_leaves_nothing(database: Database) -> None:
    before = list_commits(database)
    with database.begin_write() as tx:
        assert tx.all(NAMES) == []
        assert tx.value(NUMBER_OF_TRANSACTION) is None
    assert list_commits(database) == before


def test_a_deadlock_is_done_again(database: Database, url: str) -> None:
    """Writers of a site cannot deadlock each other; other clients of the same database can."""
    tried = []
    with database.begin_write() as tx:
        tx.run(ADD, called="a")
        tx.run(ADD, called="b")
    lock = "SELECT * FROM counter WHERE name = %s FOR UPDATE"
    blocked = threading.Event()
    held = Statement(text("SELECT value FROM counter WHERE name = :called FOR UPDATE"))

    def stranger() -> None:
        with psycopg.connect(url) as connection:
            connection.execute("SET deadlock_timeout = '10s'")
            connection.execute(lock, ["b"])
            blocked.set()
            connection.execute(lock, ["a"])

    other = threading.Thread(target=stranger)

    def work() -> str:
        tried.append(1)
        with database.begin_write() as tx:
            if len(tried) == 1:
                tx.command("SET LOCAL deadlock_timeout = '50ms'")
                tx.value(held, called="a")
                other.start()
                blocked.wait(60)
            tx.value(held, called="b")
        return "done"

    assert run_with_retries(work) == "done"
    other.join()
    assert len(tried) == 2


def test_a_failed_statement_that_was_passed_over_is_no_success(database: Database) -> None:
    def work() -> None:
        with database.begin_write() as tx:
            tx.run(ADD, called="a")
            try:
                tx.run_and_count(ADD, called="a")
            except psycopg.Error:
                return

    with pytest.raises(RuntimeError, match="passed over"):
        work()


def test_a_reading_cannot_write(database: Database) -> None:
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), database.begin_read() as tx:
        tx.run(ADD, called="a")


def test_a_follower_outlives_its_connection(
    opened: Callable[[], Database], database: Database, kill: Callable[..., None]
) -> None:
    follower = ChangeLogFollower(opened())
    before = follower.read_position()
    kill()
    with database.begin_write() as tx:
        change_log.log_change(tx, "post", 1, "created", 0)
    assert not follower.is_unchanged({"post"}, before, follower.read_position())


def test_a_turn_that_was_lost_with_its_connection_is_anybodys(
    opened: Callable[[], Database], kill: Callable[..., None]
) -> None:
    first, second = opened().open_lease("jobs"), opened().open_lease("jobs")
    assert (first.acquire(), second.acquire()) == (True, False)
    kill()
    deadline = time.monotonic() + 60
    while not second.acquire() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert second.acquire()
    assert not first.acquire()
    first.close()
    second.close()


def test_every_integer_makes_the_same_prepared_statement(database: Database) -> None:
    prepared = Statement(
        text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT counter.name%'")
    )
    over = Statement(select(counter.c.name).where(counter.c.value > bindparam("over")))
    with database.begin_read() as tx:
        for number in (1, 70_000, 2**40, -5):
            tx.all(over, over=number)
        assert tx.value(prepared) == 1


def test_a_connection_that_has_prepared_many_statements_begins_every_kind_of_transaction(database: Database) -> None:
    prepared = Statement(text("SELECT count(*) FROM pg_prepared_statements"))

    def prepare_many(tx: Transaction, word: str) -> None:
        for number in range(600):
            tx.all(Statement(text(f"SELECT {number} AS {word}")))

    with database.begin_read() as tx:
        prepare_many(tx, "first")
    with database.begin_write() as tx:
        assert tx.value(prepared) <= 515
        prepare_many(tx, "second")
        with suppress(psycopg.Error), tx.savepoint():
            # Its place is taken from another one, which is not given up with it.
            tx.all(Statement(text("SELECT 1 / CAST(pg_backend_pid() - pg_backend_pid() AS integer)")))
    with database.open_group_commit(), database.begin_write() as tx:
        tx.run(ADD, called="a")
    with database.begin_read() as tx:
        assert tx.all(NAMES) == [("a",)]
        assert tx.value(prepared) <= 515


def test_what_is_prepared_outlives_a_part_that_failed_and_a_change_of_tables(database: Database) -> None:
    rows = [{"called": name} for name in "abcdefgh"]
    for _ in range(3):
        with database.begin_write() as tx:
            tx.run_each(ADD, rows)
            with pytest.raises(psycopg.errors.UniqueViolation), tx.savepoint():
                tx.run(ADD, called="a")
            assert len(tx.all(NAMES)) == len(rows)
            tx.command("ALTER TABLE counter ADD COLUMN more integer")
            tx.command("ALTER TABLE counter DROP COLUMN more")
            tx.command("DELETE FROM counter")


# -- over HTTP


@pytest.fixture
def busy(site: Stand) -> Callable[[], None]:
    """Closes every connection of the site."""

    def end() -> None:
        with psycopg.connect(site.site.context.settings.database) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    return end


def test_no_client_sees_that_connections_were_lost(site: Stand, admin: Client, busy: Callable[[], None]) -> None:
    for number in range(3):
        busy()
        assert admin.post("/cms/v2/posts", {"title": f"Post {number}", "status": "publish"}).status == 201
        busy()
        assert len(site.client().get("/cms/v2/posts").json) == number + 1
        busy()
        assert len(site.client().get("/cms/v2/posts").json) == number + 1


def test_what_cannot_be_carried_out_now_is_a_503(site: Stand, admin: Client) -> None:
    assert admin.get("/cms/v2/posts").status == 200
    with site.site.database.begin_write() as tx:
        # As the server does with one of two transactions that wait for each other; here with every new record.
        tx.command(
            "CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$"
        )
        tx.command("CREATE TRIGGER give_up BEFORE INSERT ON record EXECUTE FUNCTION give_up()")
    answer = admin.post("/cms/v2/posts", {"title": "x"})
    assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "database_busy", "2")
    assert admin.get("/cms/v2/posts").status == 200


def test_a_text_of_any_length_is_kept_and_sorted(admin: Client) -> None:
    chance = random.Random(1)
    long = "".join(chance.choice("abcdefghijklmnopqrstuvwxyz日本語") for _ in range(20_000))
    for path, body in (
        ("/cms/v2/posts", {"title": long, "content": long, "excerpt": long, "slug": long, "status": "publish"}),
        ("/cms/v2/pages", {"title": long, "menu_order": 2**40, "status": "publish"}),
        ("/cms/v2/tags", {"name": long, "description": long}),
        ("/cms/v2/users/me", {"name": long, "description": long}),
    ):
        assert admin.post(path, body).status in (200, 201)
    found = admin.get("/cms/v2/posts", query={"orderby": "title", "search": long[5000:5100]}).json
    assert [one["title"]["rendered"] for one in found] == [long]


def test_a_full_disk_is_said_at_once_and_not_tried_again(database: Database) -> None:
    tried = []

    def fill() -> None:
        with database.begin_write() as tx:
            tx.run(ADD, called="too much")
            tried.append(1)
            tx.command("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$")

    with pytest.raises(DatabaseBusy):
        run_with_retries(fill)
    assert tried == [1]
    with database.begin_read() as tx:
        assert ("too much",) not in tx.all(NAMES)
