"""The command as a whole: help, route lists, migrations."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from vetrina import __version__
from vetrina.backends.database_schema import HEAD_REVISION
from vetrina.cli import COMMANDS

from .conftest import Made

Vetrina = Callable[..., Result]
RELEASED = Path(__file__).parents[1] / "backends" / "released"


def test_help_lists_every_command_and_loads_none(vetrina: Vetrina) -> None:
    result = vetrina("--help")
    for name, (_, purpose) in COMMANDS.items():
        assert f"{name} " in result.output
        assert purpose in result.output
    code = "import sys; from vetrina.cli import main; main(['--help'], standalone_mode=False); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "vetrina.site" not in loaded
    assert "sqlalchemy" not in loaded


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(vetrina: Vetrina, name: str) -> None:
    result = vetrina(name, "--help")
    assert result.exit_code == 0
    assert len(result.output.splitlines()[2].strip()) > 20


def test_version(vetrina: Vetrina) -> None:
    assert vetrina("--version").output == f"vetrina {__version__}\n"


def test_a_server_loads_what_it_needs_and_no_more() -> None:
    code = "import sys, vetrina.site, vetrina.cli.serve; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert loaded.isdisjoint({"alembic", "argon2", "python_multipart", "psycopg", "starlette", "structlog", "mako"})


def test_routes_are_listed_for_people_and_for_programs(vetrina: Vetrina, tmp_path: Path) -> None:
    lines = vetrina("routes").output.splitlines()
    assert lines[0].split() == ["methods", "path", "batch", "namespace"]
    assert any(line.split() == ["GET", "/cms/v2/posts", "yes", "cms/v2"] for line in lines)
    routes = json.loads(vetrina("routes", "--json").output)
    assert len(routes) == len(lines) - 1
    posts = next(one for one in routes if one["path"] == "/cms/v2/posts" and one["methods"] == ["GET"])
    assert posts["namespace"] == "cms/v2"
    assert "per_page" in posts["arguments"]


def test_routes_follow_the_profile(vetrina: Vetrina, tmp_path: Path) -> None:
    (tmp_path / "books.toml").write_text('[types.book]\nlabel = "Books"\nbase = "books"\n')
    assert "/cms/v2/books/{id}" in vetrina("routes", "--profile", tmp_path / "books.toml").output
    assert "/cms/v2/books" not in vetrina("routes").output


def test_migrating_a_site_of_today_does_nothing(vetrina: Vetrina, made: Made) -> None:
    result = vetrina("migrate", "--site", made.folder)
    assert (result.exit_code, result.output) == (
        0,
        f"The database stands at {HEAD_REVISION} already; there is nothing to do.\n",
    )


def test_migrating_tells_each_step(vetrina: Vetrina, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "site.sqlite")) as connection:
        connection.executescript((RELEASED / "0.1.0.sql").read_text(encoding="utf-8"))
        [(stamp,)] = connection.execute("SELECT version_num FROM alembic_version")
    (tmp_path / "vetrina.toml").write_text('profile = "second"\nsecret = "secret of the dumps"\n')
    *steps, end = vetrina("migrate", "--site", tmp_path).output.splitlines()
    assert [line[:8] for line in steps] == [f"  {at:04}  " for at in range(int(stamp) + 1, int(HEAD_REVISION) + 1)]
    assert steps[-1].startswith(f"  {HEAD_REVISION}  ")
    assert end == f"The database stands at {HEAD_REVISION} now."
    assert vetrina("migrate", "--site", tmp_path).output.endswith("already; there is nothing to do.\n")


@pytest.mark.parametrize("command", ["check", "migrate", "user list", "serve"])
def test_a_folder_without_a_site_is_told(vetrina: Vetrina, tmp_path: Path, command: str) -> None:
    result = vetrina(*command.split(), "--site", tmp_path / "none")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: there is no site in {tmp_path / 'none'}; make one with: vetrina init")
