"""A site whose connections come from PgBouncer in transaction mode: all works, with fewer than there are clients.

docs/running.md, "A pool of connections", says the same to operators.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from conftest import Stand, made
from pgbouncer import MAX_PREPARED, Bouncer, running_bouncer
from postgres_server import Missing, Postgres
from served import PATIENCE, Server, founded
from vetrina.backends.database import DatabaseUnreachable, Statement, open_database
from vetrina.backends.transaction_pool import may_prepare

_SETTINGS = Statement(text("SELECT current_setting('lock_timeout') || ' ' || current_setting('jit')"))
_SIZE = 3  # connections to the server, fewer than a site with three workers and a consumer of jobs opens


@pytest.fixture
def url(postgres: Postgres) -> Iterator[str]:
    """The URL of an empty database, past the pool."""
    made = postgres.new()
    yield made
    postgres.drop(made)


@pytest.fixture
def pool(url: str) -> Iterator[Bouncer]:
    with contextlib.ExitStack() as stack:
        try:
            bouncer = stack.enter_context(running_bouncer(url.partition("?host=")[2], _SIZE))
        except Missing as error:
            pytest.skip(str(error))
        yield bouncer


@pytest.fixture
def pooled(url: str, pool: Bouncer) -> str:
    """The URL of the same database through the pool."""
    return pool.url(_name(url))


def _name(url: str) -> str:
    return url.partition("@/")[2].partition("?")[0]


def _wait_for(condition: object, what: str) -> None:
    assert callable(condition)
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def test_several_workers_share_fewer_connections_than_they_ask_for(
    url: str, pool: Bouncer, pooled: str, tmp_path: Path
) -> None:
    founded(tmp_path, pooled, profile="second")
    faults: list[object] = []
    ids: list[int] = []

    def use(server: Server, number: int) -> None:
        line = server.line()
        try:
            for turn in range(6):
                title = f"client {number} turn {turn}"
                status, post = line.ask("POST", "/cms/v2/posts", {"title": title, "status": "publish"})
                assert status == 201, post
                ids.append(post["id"])
                # What was acknowledged is read at once, by visitors too, whichever worker answers.
                status, found = server.line().ask("GET", f"/cms/v2/posts/{post['id']}", signed=False)
                assert (status, found["title"]["rendered"]) == (200, title)
                parts = [
                    {"method": "POST", "path": "/cms/v2/posts", "body": {"title": f"{title} {part}"}}
                    for part in range(5)
                ]
                status, batch = line.ask("POST", "/batch/v1", {"requests": parts})
                assert status == 207, batch
                assert [one["status"] for one in batch["responses"]] == [201] * 5
                status, _ = line.ask("GET", "/cms/v2/posts?per_page=20", signed=False)
                assert status == 200
        except BaseException as error:
            faults.append(error)

    with Server(tmp_path, "--set", "workers=3") as server:
        threads = [threading.Thread(target=use, args=(server, number)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        line = server.line()
        # The consumer of jobs, which keeps its turn through the pool, looks the stored data through.
        status, job = line.ask("POST", "/cms/v2/site-check", {})
        assert status == 202, job
        _wait_for(lambda: not line.ask("GET", "/cms/v2/site-check")[1]["running"], "the job was not carried out")
        status, found = line.ask("GET", "/cms/v2/site-check")
        assert (found["job"], found["faults"]) == (job["id"], 0)
        clients = {one["database"]: one for one in pool.show("pools")}[_name(url)]
        assert clients["sv_active"] + clients["sv_idle"] + clients["sv_used"] <= _SIZE
        assert clients["cl_active"] + clients["cl_waiting"] > _SIZE
        assert server.stop() == 0
    assert len(set(ids)) == 36


def test_what_a_transaction_sets_is_not_left_to_the_next_client(url: str, pooled: str) -> None:
    database = open_database(pooled)
    for _ in range(2 * _SIZE):
        with database.begin_read() as tx:
            assert tx.value(_SETTINGS) == "30s off"
    database.close()
    with psycopg.connect(pooled, autocommit=True, prepare_threshold=None) as other:
        for _ in range(2 * _SIZE):
            left = other.execute("SELECT current_setting('lock_timeout'), current_setting('jit')", prepare=False)
            assert left.fetchone() == ("0", "on")


def test_a_site_without_a_direct_address_holds_its_turn_in_a_transaction(url: str, pooled: str) -> None:
    first, second = open_database(pooled), open_database(pooled)
    one, other = first.open_lease("jobs"), second.open_lease("jobs")
    assert one.acquire()
    assert not other.acquire()
    assert one.acquire()
    with psycopg.connect(url, autocommit=True) as direct:
        held = direct.execute(
            "SELECT state, backend_xmin, backend_xid FROM pg_stat_activity"
            " WHERE state LIKE 'idle in%%' AND datname = current_database()"
        ).fetchall()
    # It keeps nothing from being vacuumed.
    assert held == [("idle in transaction", None, None)]
    one.close()
    assert other.acquire()
    other.close()


def test_with_a_direct_address_the_turn_takes_no_connection_of_the_pool(url: str, pool: Bouncer, pooled: str) -> None:
    database = open_database(pooled, direct=url)
    lease = database.open_lease("jobs")
    assert lease.acquire()
    other = open_database(pooled).open_lease("jobs")
    assert not other.acquire()
    assert [one["sv_active"] for one in pool.show("pools") if one["database"] == _name(url)] == [0]
    lease.close()
    other.close()


def test_options_of_a_session_are_refused_with_what_to_do(pooled: str, url: str) -> None:
    database = open_database(f"{pooled}&options=-csearch_path%3Dother")
    with pytest.raises(DatabaseUnreachable, match=r"ALTER ROLE|unsupported startup parameter"), database.begin_read():
        pass


def test_whether_a_pool_prepares_statements_is_found_out(url: str, pool: Bouncer, pooled: str) -> None:
    with psycopg.connect(pooled, autocommit=True, prepare_threshold=None) as connection:
        assert may_prepare(connection) is pool.prepares
    if not pool.prepares:
        with psycopg.connect(url, autocommit=True) as direct:
            assert direct.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)


def test_a_pool_prepares_more_statements_than_it_keeps_for_more_clients_than_it_has_connections(
    pool: Bouncer, pooled: str
) -> None:
    if not pool.prepares:
        pytest.skip("this PgBouncer prepares no statements: VETRINA_PGBOUNCER names one that does")
    forms = [Statement(text(f"SELECT {number} + CAST(:given AS integer)")) for number in range(3 * MAX_PREPARED)]
    faults: list[object] = []

    def use() -> None:
        database = open_database(pooled)
        try:
            for given in range(4):
                for number, form in enumerate(forms):
                    with database.begin_read() as tx:
                        found = tx.value(form, given=given)
                    if found != number + given:
                        faults.append((number, given, found))
        except BaseException as error:
            faults.append(error)
        database.close()

    threads = [threading.Thread(target=use) for _ in range(3 * _SIZE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with psycopg.connect(pooled, autocommit=True, prepare_threshold=None) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM pg_prepared_statements", prepare=False)]
    assert names
    assert all(name.startswith("PGBOUNCER_") for name in names)
    assert len(names) <= MAX_PREPARED


def test_a_pool_that_starts_again_is_not_noticed(postgres: Postgres, url: str, tmp_path: Path) -> None:
    folder = url.partition("?host=")[2]
    with contextlib.ExitStack() as stack:
        try:
            pool = stack.enter_context(running_bouncer(folder, _SIZE))
        except Missing as error:
            pytest.skip(str(error))
        site = made(tmp_path, database=pool.url(_name(url)), cache_bytes=0)
        admin = Stand(site).client("admin")
        written = admin.post("/cms/v2/posts", {"title": "Before", "status": "publish"})
        assert written.status == 201
        # The server ends all connections of the pool.
        with psycopg.connect(f"host={folder} user=vetrina dbname=postgres", autocommit=True) as server:
            server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [_name(url)])
        assert admin.get(f"/cms/v2/posts/{written.json['id']}").json["title"]["rendered"] == "Before"
        assert admin.post("/cms/v2/posts", {"title": "After"}).status == 201
        # The pool ends those of its clients.
        pool.restart()
        assert admin.post("/cms/v2/posts", {"title": "Later"}).status == 201
        assert admin.get("/cms/v2/posts?context=edit&status=any").headers["x-cms-total"] == "3"
        site.close()
