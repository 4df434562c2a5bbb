"""`vetrina init`: a complete site or none."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.users import rules as users
from vetrina.content.records import model as record_model
from vetrina.site_factory import open_site
from vetrina.system import sample_content

from .conftest import Made

Vetrina = Callable[..., Result]


def test_a_new_site_has_its_settings_its_database_and_a_place_for_media(made: Made) -> None:
    assert {path.name for path in made.folder.iterdir()} == {"media", "site.sqlite", "vetrina.toml"}
    values = tomllib.loads((made.folder / "vetrina.toml").read_text())
    assert (values["profile"], values["database"]) == ("first", "")
    assert len(values["secret"]) > 40
    assert (made.folder / "vetrina.toml").stat().st_mode & 0o777 == 0o600


def test_what_is_shown_of_the_administrator_is_true(made: Made) -> None:
    password = re.search(r"\n  password +(.+)", made.said)
    assert password
    site = open_site(made.folder)
    with site.work(read=True) as work:
        admin = users.find_user_by_login(work.tx, "admin")
        assert admin is not None
        assert admin.roles == ("administrator",)
        assert password_hashing.is_correct_password(users.load_password_hash(work.tx, admin.id), password[1])
    site.close()


def test_samples_are_there_in_both_languages_with_a_page_as_the_front(made: Made) -> None:
    with closing(sqlite3.connect(made.folder / "site.sqlite")) as connection:
        counted = connection.execute("SELECT type, language, count(*) FROM record GROUP BY type, language").fetchall()
    assert counted == [("page", "en", 3), ("page", "it", 3), ("post", "en", 3), ("post", "it", 3)]
    site = open_site(made.folder)
    with site.work(read=True) as work:
        assert work.option("show_on_front") == "page"
        front = record_model.find_record(work.tx, work.option("page_on_front"))
        assert front is not None
        assert (front.type, front.language, front.title) == ("page", "en", "Welcome")
    site.close()


def test_a_site_can_be_made_empty_and_of_another_profile(vetrina: Vetrina, tmp_path: Path) -> None:
    folder = tmp_path / "above" / "shop"
    result = vetrina("init", folder, "--profile", "second", "--login", "boss", "--email", "boss@example.org", "--empty")
    assert result.exit_code == 0
    assert f"vetrina serve --site {folder}" in result.output
    site = open_site(folder)
    assert site.context.profile.name == "second"
    with site.work(read=True) as work:
        boss = users.find_user_by_login(work.tx, "boss")
        assert boss is not None
        assert boss.email == "boss@example.org"
        founded = record_model.find_record(work.tx, 1)
        assert founded is not None
        assert founded.slug == "shop"  # a page that the shop needs, no sample content
        assert work.option("show_on_front") == "posts"
    site.close()


def test_a_profile_of_one_s_own_is_found_from_anywhere(
    vetrina: Vetrina, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text('title = "Own"\nlanguages = ["de"]\ndefault_language = "de"\n')
    assert vetrina("init", "site", "--profile", "own.toml").exit_code == 0
    monkeypatch.chdir("/")
    site = open_site(tmp_path / "site")
    assert site.context.profile.title == "Own"
    site.close()


def test_a_folder_with_something_in_it_is_refused(vetrina: Vetrina, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    result = vetrina("init", tmp_path)
    assert result.exit_code == 2
    assert f"{tmp_path} exists and is not an empty folder" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_nothing_half_made_stays_behind(vetrina: Vetrina, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(work: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sample_content, "create_samples", broken)
    result = vetrina("init", tmp_path / "above" / "site")
    assert (result.exit_code, result.stderr) == (1, "Error: No space left on device\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--profile", "third"), 2, "there is no profile 'third'"),
        (("--login", "x" * 61), 1, "has 61 letters; it may have 60"),
    ],
)
def test_what_cannot_be_made_is_told(
    vetrina: Vetrina, tmp_path: Path, words: tuple[str, ...], status: int, told: str
) -> None:
    result = vetrina("init", tmp_path / "site", *words)
    assert result.exit_code == status
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []
