"""A new test site for every test, and an in-process client for each of its accounts."""

from __future__ import annotations

import asyncio
import base64
import gc
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4
from weakref import WeakKeyDictionary

import hypothesis
import orjson
import pytest

import object_store
import postgres_server
from postgres_server import Postgres
from scaled import SCALED, Mother, Served
from vetrina.access.passwords import hashing
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.kernel.garbage_collection import reduce_gc_frequency
from vetrina.kernel.times import SystemClock
from vetrina.settings import Profile, Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

ROLES = ("administrator", "editor", "author", "contributor", "subscriber")
LOGINS = {"administrator": "admin"}
ACCOUNTS = [
    InitialAccount(login := LOGINS.get(role, role), role, f"{login}@example.org", f"{login} pass word")
    for role in ROLES
]
ORIGIN = "http://vetrina.test"

# Sites whose requests are answered by other processes.
SERVED: WeakKeyDictionary[Site, Served] = WeakKeyDictionary()

# The same examples on every run; `make fuzz` looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None)
hypothesis.settings.register_profile("search", database=None, deadline=None, max_examples=200, print_blob=True)
hypothesis.settings.load_profile("same")

# The passwords of tests need no protection; a stored hash says itself what it costs, so that servers check it as fast.
hashing._MEMORY_KIB = 64
hashing._ROUNDS = 1

# Every test builds a site of many small values. Tests look for garbage as seldom as the server does, and not among all
# that was loaded, which cost a seventh of their time.
gc.collect()
gc.freeze()
reduce_gc_frequency()


def pytest_collection_finish() -> None:
    gc.freeze()  # nor among the tests themselves


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many recorded steps agree; the tests note it with the property `contract`."""
    total: dict[str, int] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, count in getattr(report, "user_properties", ()):
                if name == "contract" and report.when == "call":
                    total = {word: total.get(word, 0) + number for word, number in count.items()}
    if total:
        judged = sum(total.values()) - total["prescribed"]
        agree = total["agree"] + total["statuses"]
        terminalreporter.write_line(
            f"contract: {agree} of {judged} steps agree, {100 * agree / judged:.2f} % "
            f"({total['statuses']} of them answer the prescribed 501), "
            f"{total['wait']} wait with a reason, {total['differ']} differ; "
            f"{total['prescribed']} more are prescribed otherwise"
        )


@dataclass
class Answer:
    """A response: status, decoded JSON (None for no body), headers by lower-case name."""

    status: int
    headers: dict[str, str]
    content: bytes
    json: Any = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.json = orjson.loads(self.content) if self.content else None
        except orjson.JSONDecodeError:
            self.json = None

    @property
    def code(self) -> str | None:
        return self.json.get("code") if isinstance(self.json, dict) else None


def exchange(
    site: Site, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None,
    remote: str = "127.0.0.1",
) -> tuple[int, list[tuple[str, str]], bytes]:  # fmt: skip
    """Send one request through the site's ASGI application and return status, headers and body.

    remote: the client's address; a site that is served by other processes sees this machine's.
    """
    if site in SERVED:
        return SERVED[site].exchange(method, target, body, _name_headers(body, headers))
    return asyncio.run(send_request(site, method, target, body, headers, remote))


def _name_headers(body: bytes, headers: dict[str, str] | None) -> dict[str, str]:
    named = {"host": ORIGIN.partition("://")[2], **{k.lower(): v for k, v in (headers or {}).items()}}
    if body:
        named.setdefault("content-length", str(len(body)))
    return named


async def send_request(
    site: Site, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None,
    remote: str = "127.0.0.1",
) -> tuple[int, list[tuple[str, str]], bytes]:  # fmt: skip
    """Do what `exchange` does in an event loop that has other requests, too."""
    path, _, query = target.partition("?")
    named = _name_headers(body, headers)
    scope = {
        "type": "http", "method": method, "scheme": "http", "path": _unquoted(path), "query_string": query.encode(),
        "headers": [(k.encode("latin-1"), v.encode("latin-1")) for k, v in named.items()],
        "client": (remote, 50000), "server": ("vetrina.test", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await site.app(scope, receive, send)
    start = sent[0]
    pairs = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in start["headers"]]
    return start["status"], pairs, b"".join(part["body"] for part in sent[1:])


def _unquoted(path: str) -> str:
    from urllib.parse import unquote

    return unquote(path, errors="replace")


def bracketed(query: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Return the pairs of a query with nested values in bracket form."""
    out: list[tuple[str, str]] = []
    for key, value in query.items():
        name = f"{prefix}[{key}]" if prefix else str(key)
        if isinstance(value, dict):
            out += bracketed(value, name)
        elif isinstance(value, list):
            out += bracketed(dict(enumerate(value)), name)
        elif isinstance(value, bool):
            out.append((name, str(value).lower()))
        else:
            out.append((name, "" if value is None else str(value)))
    return out


class Client:
    """A client of a site, as one account or anonymous."""

    def __init__(self, site: Site, login: str = "", password: str = "", root: str = "/en/cms-json") -> None:
        self.site, self.login, self.root = site, login, root
        self.remote = "127.0.0.1"
        self.headers: dict[str, str] = {}
        if login:
            pair = base64.b64encode(f"{login}:{password}".encode()).decode()
            self.headers["authorization"] = f"Basic {pair}"

    def ask(
        self, method: str, path: str, *, json: Any = None, query: dict[str, Any] | str | None = None,
        body: bytes = b"", headers: dict[str, str] | None = None,
    ) -> Answer:  # fmt: skip
        text = query if isinstance(query, str) else urlencode(bracketed(query or {}))
        named = {**self.headers, **(headers or {})}
        if json is not None:
            body = orjson.dumps(json)
            named.setdefault("content-type", "application/json")
        target = self.root + path + (("&" if "?" in path else "?") + text if text else "")
        status, pairs, content = exchange(self.site, method, target, body, named, self.remote)
        return Answer(status, {name.lower(): value for name, value in pairs}, content)

    def get(self, path: str, **words: Any) -> Answer:
        return self.ask("GET", path, **words)

    def post(self, path: str, json: Any = None, **words: Any) -> Answer:
        return self.ask("POST", path, json=json, **words)

    def put(self, path: str, json: Any = None, **words: Any) -> Answer:
        return self.ask("PUT", path, json=json, **words)

    def patch(self, path: str, json: Any = None, **words: Any) -> Answer:
        return self.ask("PATCH", path, json=json, **words)

    def delete(self, path: str, **words: Any) -> Answer:
        return self.ask("DELETE", path, **words)

    def head(self, path: str, **words: Any) -> Answer:
        return self.ask("HEAD", path, **words)

    def options(self, path: str, **words: Any) -> Answer:
        return self.ask("OPTIONS", path, **words)


class Stand:
    """A test site with the accounts of all roles, and helpers for tests."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def client(self, login: str = "", root: str = "/en/cms-json") -> Client:
        return Client(self.site, login, f"{login} pass word", root)

    def stored(self, id: int) -> Record | None:
        """Return the record as it is stored, None when there is none."""
        with self.site.work(read=True) as work:
            return record_model.find_record(work.tx, id)


def made(folder: Path, profile: Profile | None = None, **settings: Any) -> Site:
    """Return a new test site with the accounts of all roles."""
    return create_stand_in_site(profile or load_profile("first"), ACCOUNTS, folder, Settings(**settings))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a test site that is copied for others; copying is faster than creating one."""
    folder = tmp_path_factory.mktemp("prepared")
    site = made(folder, secret="secret of the tests")
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder


class SetClock(SystemClock):
    """The system clock, which a test may move forward."""

    ahead = 0

    def now(self) -> int:
        return super().now() + self.ahead

    def forward(self, seconds: int) -> None:
        self.ahead += seconds


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """The server of the test run; skips where there can be none."""
    among_others = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    try:
        address = postgres_server.address(
            base.parent if among_others else base, os.getppid() if among_others else os.getpid()
        )
    except postgres_server.Missing as error:
        pytest.skip(f"no PostgreSQL: {error}")
    import psycopg_pool.base

    # The pool draws the ages of its connections from the shared generator, in its own threads; hypothesis would blame
    # the running strategy for it.
    psycopg_pool.base.random = random.Random().random  # type: ignore[attr-defined]
    server = Postgres(address)
    yield server
    server.close()


@pytest.fixture(scope="session")
def prepared_postgres(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with a test site, used as a template."""
    site = made(tmp_path_factory.mktemp("prepared"), secret="secret of the tests", database=postgres.new())
    site.close()
    return postgres.newest


@pytest.fixture
def kind() -> str:
    """The kind of database of a test: sqlite, or both for tests marked `every_database`."""
    return "postgresql" if SCALED else os.environ.get("VETRINA_TEST_DATABASE", "sqlite")


@pytest.fixture(scope="session")
def objects() -> Iterator[str]:
    """The URL of an S3-compatible store."""
    with object_store.bucket() as address:
        yield address


@pytest.fixture(scope="session")
def mother() -> Iterator[Mother]:
    """The process that starts the workers of served sites."""
    started = Mother()
    yield started
    started.close()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "every_database: run on SQLite and on PostgreSQL (fixture `kind`)")
    config.addinivalue_line("markers", "in_process(why): not under VETRINA_SCALED, where other processes answer")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kind" in metafunc.fixturenames and metafunc.definition.get_closest_marker("every_database"):
        metafunc.parametrize("kind", ["postgresql"] if SCALED else ["sqlite", "postgresql"])


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not SCALED:
        return
    for marker in item.iter_markers("in_process"):
        pytest.skip(f"needs the process that answers: {marker.args[0]}")
    if "monkeypatch" in item._fixtureinfo.argnames:
        pytest.skip("needs the process that answers: it is patched")


@contextmanager
def standing(
    request: pytest.FixtureRequest, profile: Profile, prepared: str = "", url: str = "",
    provider_secrets: dict[str, str] | None = None, **words: Any,
) -> Iterator[Stand]:  # fmt: skip
    """Yield a site for one test, a copy of a prepared one, and delete it.

    prepared: the suffix of the names of the fixtures that have it, one for each database. url: its address.
    words: arguments of the site.
    """
    if SCALED and "outbound" in words:
        pytest.skip("needs the process that answers: what is outside is played in it")
    folder, clock, database, media = request.getfixturevalue("tmp_path"), request.getfixturevalue("clock"), "", ""
    if request.getfixturevalue("kind") == "postgresql":
        postgres = request.getfixturevalue("postgres")
        database = postgres.new(request.getfixturevalue(f"prepared_postgres{prepared}"))
    else:
        shutil.copy(request.getfixturevalue(f"prepared{prepared}") / "site.sqlite", folder / "site.sqlite")
    if SCALED:
        media = object_store.store(request.getfixturevalue("objects"), uuid4().hex)
    settings = Settings(
        secret="secret of the tests", database=database, media=media, url=url, provider_secrets=provider_secrets or {}
    )
    site = Site(profile, settings, folder, clock=clock, durable=False, **words)
    if SCALED:
        SERVED[site] = Served(request.getfixturevalue("mother"), site, lambda: clock.ahead)
    yield Stand(site)
    if SCALED:
        SERVED.pop(site).close()
    site.close()
    if database:
        postgres.drop(database)


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, load_profile("first")) as stand:
        yield stand


@pytest.fixture
def anyone(site: Stand) -> Client:
    return site.client()


@pytest.fixture
def admin(site: Stand) -> Client:
    return site.client("admin")


@pytest.fixture
def editor(site: Stand) -> Client:
    return site.client("editor")


@pytest.fixture
def author(site: Stand) -> Client:
    return site.client("author")


@pytest.fixture
def contributor(site: Stand) -> Client:
    return site.client("contributor")


@pytest.fixture
def subscriber(site: Stand) -> Client:
    return site.client("subscriber")
