"""`vetrina keys`: which keys sign and verify access tokens, and a new one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import made
from vetrina.access.sessions.model import SessionClient
from vetrina.access.tokens import rules as tokens
from vetrina.access.users import rules as users
from vetrina.cli.keys import command
from vetrina.core.unit_of_work import UnitOfWork


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "vetrina.toml").write_text('profile = "first"\nsecret = "secret of the tests"\n', encoding="utf-8")
    site = made(tmp_path, secret="secret of the tests")
    with site.work() as work:
        give(work)
    site.close()
    return tmp_path


def give(work: UnitOfWork) -> None:
    user = users.find_user_by_login(work.tx, "author")
    assert user is not None
    tokens.start_tokens(work, user, SessionClient("203.0.113.9", "app"), name="", scopes=("read",))


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(command, [*words, "--site", str(folder)])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_new_key_signs_and_the_earlier_one_verifies(folder: Path) -> None:
    assert run(folder, "list").count("signs\n") == 2
    name = run(folder, "rotate").split()[2]
    listed = run(folder, "list").splitlines()
    assert listed[1].startswith(name)
    assert "until" in listed[2]


def test_earlier_keys_are_dropped_where_that_is_asked_for(folder: Path) -> None:
    said = run(folder, "rotate", "--drop")
    assert "1 earlier keys are gone" in said
    assert len(run(folder, "list").splitlines()) == 2
    assert "PRIVATE" not in said
