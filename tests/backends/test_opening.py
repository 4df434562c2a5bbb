"""Opening a database by its URL, and the tables that it has afterwards."""

from __future__ import annotations

import pytest

from postgres_server import Postgres
from vetrina.backends import database_schema
from vetrina.backends.database import Database, DatabaseUnreachable, open_database


@pytest.mark.every_database
def test_a_database_of_a_site_says_at_which_step_it_stands(database: Database, kind: str) -> None:
    assert (database_schema.find_revision(database), database.kind) == (database_schema.HEAD_REVISION, kind)


def test_an_empty_server_database_stands_nowhere(postgres: Postgres) -> None:
    url = postgres.new()
    database = open_database(url)
    assert database_schema.find_revision(database) is None
    database.close()
    postgres.drop(url)


@pytest.mark.parametrize(
    "url", ["", "site.sqlite", "sqlite://", "sqlite:///", "mysql://x", "postgresql:/x", "oracle:///x"]
)
def test_a_url_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="is not understood"):
        open_database(url)


def test_a_url_that_libpq_does_not_read_is_refused(postgres: Postgres) -> None:
    with pytest.raises(ValueError, match="is not understood"):
        open_database("postgresql://host/name?nonsense=1")


def test_a_server_that_does_not_answer_is_told(tmp_path: object, postgres: Postgres) -> None:
    database = open_database(f"postgresql://vetrina@/none?host={tmp_path}")
    with pytest.raises(DatabaseUnreachable, match="cannot be reached"), database.begin_read():
        pass
    database.close()


def test_a_database_that_is_not_there_is_told(postgres: Postgres) -> None:
    url = postgres.new()
    postgres.drop(url)
    database = open_database(url)
    with pytest.raises(DatabaseUnreachable, match="does not exist"), database.begin_read():
        pass
    database.close()


def test_a_database_of_another_encoding_is_told(postgres: Postgres) -> None:
    url = postgres.new(encoding="LATIN1")
    database = open_database(url)
    with pytest.raises(DatabaseUnreachable, match="LATIN1"), database.begin_read():
        pass
    database.close()
    postgres.drop(url)
