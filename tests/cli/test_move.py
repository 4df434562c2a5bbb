"""`vetrina migrate --to`: a site moves to a database server and back, and is the same site."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest
from click.testing import Result

from postgres_server import Postgres
from vetrina.backends.database import Database, open_database
from vetrina.settings import load_settings
from vetrina.site_factory import open_site

from .conftest import PATIENCE, Made, Server

Vetrina = Callable[..., Result]


@pytest.fixture
def server_url(postgres: Postgres) -> Iterator[str]:
    url = postgres.new()
    yield url
    postgres.drop(url)


def titles(made: Made) -> dict[str, object]:
    site = open_site(made.folder)
    with site.work(read=True) as work:
        out = {"title": work.option("title"), "kind": work.tx.kind}
    site.close()
    return out


def test_a_site_goes_to_a_server_and_back(vetrina: Vetrina, made: Made, server_url: str) -> None:
    site = open_site(made.folder)
    with site.work() as work:
        work.set_option("title", "Caffè")
    site.close()
    settings = made.folder / "vetrina.toml"
    secret = load_settings(made.folder).secret

    there = vetrina("migrate", "--site", made.folder, "--to", server_url)
    assert (there.exit_code, there.stderr) == (0, "")
    assert "account: 1 of 1" in there.output
    assert "names the new database now" in there.output
    assert titles(made) == {"title": "Caffè", "kind": "postgresql"}
    assert (load_settings(made.folder).database, load_settings(made.folder).secret) == (server_url, secret)
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert vetrina("check", "--site", made.folder).exit_code == 0
    assert vetrina("migrate", "--site", made.folder).output.endswith("there is nothing to do.\n")

    back = f"sqlite:///{made.folder / 'back.sqlite'}"
    assert vetrina("migrate", "--site", made.folder, "--to", back).exit_code == 0
    assert titles(made) == {"title": "Caffè", "kind": "sqlite"}
    assert settings.read_text().count("database") == 1
    assert vetrina("check", "--site", made.folder).exit_code == 0


def test_a_site_on_a_server_is_served(
    vetrina: Vetrina, made: Made, server_url: str, serving: Callable[..., Server]
) -> None:
    assert vetrina("migrate", "--site", made.folder, "--to", server_url).exit_code == 0
    server = serving("--site", made.folder)
    login = {"login": "admin", "password": made.application_password}
    status, post = server.ask("POST", "/cms/v2/posts", {"title": "There", "status": "publish"}, **login)
    assert status == 201
    status, shown = server.ask("GET", f"/cms/v2/posts/{post['id']}")
    assert (status, shown["title"]) == (200, {"rendered": "There"})
    assert server.stop() == 0


def test_a_database_that_is_not_empty_is_refused(vetrina: Vetrina, made: Made, server_url: str) -> None:
    with psycopg.connect(server_url) as connection:
        connection.execute("CREATE TABLE mine (id INTEGER)")
    before = (made.folder / "vetrina.toml").read_text()
    result = vetrina("migrate", "--site", made.folder, "--to", server_url)
    assert (result.exit_code, "is not empty" in result.stderr) == (1, True)
    assert (made.folder / "vetrina.toml").read_text() == before


@pytest.mark.parametrize(("url", "status", "told"), [
    ("nonsense", 2, "is not understood"),
    ("postgresql://vetrina@/none?host=/nowhere", 1, "cannot be reached"),
])  # fmt: skip
def test_a_place_that_is_none_is_told(vetrina: Vetrina, made: Made, url: str, status: int, told: str) -> None:
    result = vetrina("migrate", "--site", made.folder, "--to", url)
    assert (result.exit_code, told in result.stderr) == (status, True)


def is_free(database: Database) -> bool:
    """Say whether no worker runs the jobs of a site; a server takes some time to start one."""
    turn = database.open_lease("jobs")
    free = turn.acquire()
    turn.close()
    return free


def test_a_site_that_is_served_stays_where_it_is(vetrina: Vetrina, made: Made, serving: Callable[..., Server]) -> None:
    server = serving("--site", made.folder)
    database = open_database(f"sqlite:///{made.folder / 'site.sqlite'}")
    deadline = time.monotonic() + PATIENCE
    while is_free(database) and time.monotonic() < deadline:
        time.sleep(0.05)
    database.close()
    target = f"sqlite:///{made.folder / 'other.sqlite'}"
    result = vetrina("migrate", "--site", made.folder, "--to", target)
    assert (result.exit_code, "is being served" in result.stderr) == (1, True)
    server.stop()
    assert vetrina("migrate", "--site", made.folder, "--to", target).exit_code == 0
