"""An empty site database of each kind; tests run with both in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from postgres_server import Postgres
from vetrina.backends import database_schema
from vetrina.backends.database import Database, open_database


@pytest.fixture(scope="session")
def empty_postgres(postgres: Postgres) -> str:
    """The name of a database with the tables of a site, used as a template."""
    database = open_database(postgres.new(), durable=False)
    database_schema.create_schema(database)
    database.close()
    return postgres.newest


@pytest.fixture
def url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with the tables of a site and no rows."""
    if kind == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        made = server.new(request.getfixturevalue("empty_postgres"))
        yield made
        server.drop(made)
        return
    made = f"sqlite:///{tmp_path / 'site.sqlite'}"
    database = open_database(made, durable=False)
    database_schema.create_schema(database)
    database.close()
    yield made


@pytest.fixture
def opened(url: str) -> Iterator[Callable[[], Database]]:
    """Opens the test's database, each time as another process would."""
    every: list[Database] = []

    def open_again() -> Database:
        every.append(open_database(url, durable=False))
        return every[-1]

    yield open_again
    for one in every:
        one.close()


@pytest.fixture
def database(opened: Callable[[], Database]) -> Database:
    return opened()
