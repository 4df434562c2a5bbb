"""A site moved to another database has the same rows there, and continues with the next ids."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select, update

from conftest import ACCOUNTS, Stand, made
from postgres_server import Postgres
from vetrina.analytics.rollups import jobs as rollup_jobs, periods
from vetrina.analytics.rollups.id_sets import pack_ids
from vetrina.backends import change_log, database_schema
from vetrina.backends.database import Database, Statement, open_database
from vetrina.backends.database_move import CannotMoveDatabase, move_database
from vetrina.backends.tables.all_tables import METADATA
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.jobs import job
from vetrina.backends.tables.rollups import rollup_product
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

WAYS = [(a, b) for a in ("sqlite", "postgresql") for b in ("sqlite", "postgresql")]


@pytest.fixture
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Returns the URL of an empty database of a kind."""
    servers: list[tuple[Postgres, str]] = []

    def new(kind: str) -> str:
        if kind == "sqlite":
            return f"sqlite:///{tmp_path / f'new-{len(list(tmp_path.iterdir()))}.sqlite'}"
        server = request.getfixturevalue("postgres")
        servers.append((server, server.new()))
        return servers[-1][1]

    yield new
    for server, url in servers:
        server.drop(url)


@pytest.fixture
def opened() -> Iterator[Callable[[str], Database]]:
    every: list[Database] = []

    def open_(url: str) -> Database:
        every.append(open_database(url, durable=False))
        return every[-1]

    yield open_
    for one in every:
        one.close()


def founded(folder: Path, url: str) -> Site:
    """Return a test site with records, terms, revisions and a job."""
    folder.mkdir(exist_ok=True)
    site = made(folder, load_profile("first"), secret="secret of the tests", database=url)
    admin = Stand(site).client("admin")
    tag = admin.post("/cms/v2/tags", {"name": "Perché"}).json["id"]
    for number in range(7):
        body = {"title": f"È il {number}º 🙂", "content": "<p>It's \\ 100%\t\n</p>", "status": "publish", "tags": [tag]}
        post = admin.post("/cms/v2/posts", {**body, "sticky": number == 2}).json["id"]
        admin.post(f"/cms/v2/posts/{post}", {"content": "<p>Changed.</p>"})
    admin.post("/cms/v2/posts", {"title": "Later", "status": "future", "date": "2099-01-01T00:00:00"})
    admin.delete(f"/cms/v2/posts/{post}?force=true")
    return site


def rows(database: Database) -> dict[str, list[Any]]:
    out = {}
    with database.begin_read() as tx:
        for table in METADATA.sorted_tables:
            if table.name not in ("search_entry", "last_commit"):
                out[table.name] = sorted(tx.all(Statement(select(table))))
    return out


@pytest.mark.parametrize(("here", "there"), WAYS)
def test_every_row_comes_along_and_numbers_go_on(
    here: str, there: str, tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    site, target = founded(tmp_path / "old", empty(here)), empty(there)
    told: list[tuple[str, int, int]] = []
    counts = move_database(site.database, opened(target), lambda *step: told.append(step))
    before = rows(site.database)
    assert rows(opened(target)) == before
    assert counts == {name: len(found) for name, found in before.items()}
    assert {(name, done, all) for name, done, all in told} >= {(name, n, n) for name, n in counts.items() if n}
    assert before["record"]
    assert before["job"]
    assert before["record_term"]
    old = site.context.settings.database
    site.close()
    assert answers(target, tmp_path) == answers(old, tmp_path)


@pytest.mark.parametrize(("here", "there"), WAYS)
def test_sets_of_ids_arrive_byte_for_byte(
    here: str, there: str, tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    """Kept sums of reports have columns of bytes: with and without zeros, more than text could hold, and none."""
    accounts = [*ACCOUNTS, InitialAccount("shop_manager", "shop_manager", "m@example.org", "shop_manager pass word")]
    settings = Settings(secret="secret of the tests", database=empty(here))
    site = create_stand_in_site(load_profile("second"), accounts, tmp_path, settings)
    manager = Stand(site).client("shop_manager")
    product = manager.post("/shop/v3/products", {"name": "Tent", "regular_price": "20"}).json["id"]
    body = {"status": "completed", "line_items": [{"product_id": product, "quantity": 2}]}
    for number in range(3):
        assert manager.post("/shop/v3/orders", {**body, "billing": {"email": f"{number}@example.org"}}).status == 201
    every_byte = pack_ids([1, 255, 1 << 40]) + bytes(range(256))
    with site.work() as work:
        rollup_jobs.save_missing_rollups(work)
        assert {kind for kind, _, _ in periods.list_periods(work)} >= {periods.DAY, periods.PARTS}
        work.tx.run(Statement(update(rollup_product).values(coupon_ids=every_byte)))
    target = empty(there)
    move_database(site.database, opened(target))
    before = rows(site.database)
    assert rows(opened(target)) == before
    assert move_database(site.database, opened(target)) == {name: len(found) for name, found in before.items()}
    site.close()


def answers(url: str, folder: Path) -> tuple[Any, ...]:
    """Return a site's responses to some searches and a write, and the next entries of its change log."""
    site = Site(load_profile("first"), Settings(secret="secret of the tests", database=url), folder)
    stand = Stand(site)
    with site.work(read=True) as work:
        last = change_log.get_latest_sequence(work.tx)
    found = [stand.client().get(f"/cms/v2/posts?{query}").json for query in ("search=changed", "search=il 3", "tags=1")]
    new = stand.client("admin").post("/cms/v2/posts", {"title": "Next", "status": "publish"}).json["id"]
    found.append([one["id"] for one in stand.client().get("/cms/v2/posts?search=next").json])
    with site.work(read=True) as work:
        changes = work.tx.all(Statement(select(change.c.sequence).where(change.c.sequence > last)))
    site.close()
    return found, new, [row[0] - last for row in changes]


def test_a_number_of_a_job_that_is_gone_is_not_given_again(
    tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    site = founded(tmp_path / "old", empty("postgresql"))
    with site.work() as work:
        last = work.tx.value(Statement(select(job.c.id)))
        work.tx.run(Statement(job.delete()))
    target = opened(empty("postgresql"))
    move_database(site.database, target)
    site.close()
    values = {"kind": "x", "arguments": "{}", "due": 0, "state": "done", "attempts": 0, "last_error": "", "created": 0}
    with target.begin_write() as tx:
        assert tx.value(Statement(job.insert().values(values).returning(job.c.id))) == last + 1


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_a_database_that_is_not_empty_is_refused(
    there: str, tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    site = made(tmp_path, load_profile("first"))
    other, foreign = empty(there), empty(there)
    database_schema.create_schema(opened(other))
    connect = psycopg.connect if there == "postgresql" else sqlite3.connect
    with closing(connect(foreign.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("CREATE TABLE mine (id INTEGER)")
    for url in (other, foreign):
        with pytest.raises(CannotMoveDatabase, match="is not empty"):
            move_database(site.database, opened(url))
    site.close()


def test_a_site_that_has_moved_already_is_left_as_it_is(
    tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    site, url = founded(tmp_path / "old", ""), empty("postgresql")
    counts = move_database(site.database, opened(url))
    assert move_database(site.database, opened(url)) == counts
    with site.work() as work:
        work.set_option("title", "Another")
    with pytest.raises(CannotMoveDatabase, match="is not empty"):
        move_database(site.database, opened(url))
    site.close()


def test_a_site_that_is_served_is_refused(
    tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    site, target = made(tmp_path, load_profile("first")), opened(empty("sqlite"))
    turn = opened(f"sqlite:///{tmp_path / 'site.sqlite'}").open_lease("jobs")
    assert turn.acquire()
    with pytest.raises(CannotMoveDatabase, match="is being served"):
        move_database(site.database, target)
    turn.close()
    move_database(site.database, target)
    site.close()


def test_an_empty_database_cannot_move(empty: Callable[[str], str], opened: Callable[[str], Database]) -> None:
    with pytest.raises(CannotMoveDatabase, match="stands at None"):
        move_database(opened(empty("sqlite")), opened(empty("postgresql")))


_KILLED = """
import os, sys, time
from vetrina.backends.database import open_database
from vetrina.backends.database_move import move_database
def told(table, done, rows):
    if table == sys.argv[3] and done >= rows:
        print(table, flush=True)
        time.sleep(60)
move_database(open_database(sys.argv[1]), open_database(sys.argv[2]), told)
"""


@pytest.mark.parametrize("table", ["record", "change", "job"])
@pytest.mark.parametrize(("here", "there"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_move_that_is_killed_starts_again(
    here: str, there: str, table: str, tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    folder = tmp_path / "old"
    site = founded(folder, empty(here) if here == "postgresql" else "")
    source = site.context.settings.database or f"sqlite:///{folder / 'site.sqlite'}"
    target, before = empty(there), rows(site.database)
    site.close()
    command = [sys.executable, "-c", _KILLED, source, target, table]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == table
        os.kill(process.pid, signal.SIGKILL)
    with opened(target).begin_read() as tx:
        assert database_schema.is_database_empty(tx)
    counts = move_database(opened(source), opened(target))
    assert rows(opened(target)) == before
    assert counts["record"] == len(before["record"])


def test_what_does_not_arrive_as_it_was_is_told_and_nothing_is_kept(
    tmp_path: Path, empty: Callable[[str], str], opened: Callable[[str], Database]
) -> None:
    site, target = founded(tmp_path / "old", ""), opened(empty("sqlite"))

    def spoil(what: str, done: int, total: int) -> None:
        if (what, done) == ("indexes", 1):
            target.connection().execute("UPDATE record SET title = 'Spoilt'")

    with pytest.raises(CannotMoveDatabase, match="record did not arrive"):
        move_database(site.database, target, spoil)
    site.close()
    with target.begin_read() as tx:
        assert database_schema.is_database_empty(tx)
