"""`vetrina backup`: complete, consistent, and restorable."""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from click.testing import Result

from .conftest import Made

Vetrina = Callable[..., Result]


def test_a_backup_is_a_site_that_can_be_used(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    (made.folder / "media" / "a.txt").write_text("a picture")
    file = tmp_path / "backup.tar.gz"
    assert vetrina("backup", file, "--site", made.folder).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    again = tmp_path / "again"
    with tarfile.open(file) as tar:
        tar.extractall(again, filter="data")
    assert (again / "media" / "a.txt").read_text() == "a picture"
    assert (again / "vetrina.toml").read_text() == (made.folder / "vetrina.toml").read_text()
    assert vetrina("check", "--site", again).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"site", "again", "backup.tar.gz"}


def test_a_backup_has_what_is_committed_and_nothing_else(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    with closing(sqlite3.connect(made.folder / "site.sqlite", isolation_level=None)) as writer:
        writer.execute("INSERT INTO option VALUES ('kept', '1')")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO option VALUES ('undone', '1')")
        assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder).exit_code == 0
        writer.execute("ROLLBACK")
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        tar.extract("site.sqlite", tmp_path, filter="data")
    with closing(sqlite3.connect(tmp_path / "site.sqlite")) as copy:
        names = {row[0] for row in copy.execute("SELECT name FROM option")}
    assert "kept" in names
    assert "undone" not in names


def test_a_database_elsewhere_is_brought_home(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    (made.folder / "site.sqlite").rename(tmp_path / "elsewhere.sqlite")
    settings = made.folder / "vetrina.toml"
    text = settings.read_text().replace('database = ""', f'database = "sqlite:///{tmp_path / "elsewhere.sqlite"}"')
    settings.write_text(text)
    assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder).exit_code == 0
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        tar.extractall(tmp_path / "again", filter="data")
    assert "elsewhere" not in (tmp_path / "again" / "vetrina.toml").read_text()
    assert vetrina("check", "--site", tmp_path / "again").exit_code == 0


def test_a_file_that_is_there_is_never_written(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    file.write_text("yesterday's")
    result = vetrina("backup", file, "--site", made.folder)
    assert result.exit_code == 2
    assert f"{file} exists; name a new file" in result.stderr
    assert file.read_text() == "yesterday's"


def test_a_backup_that_fails_leaves_no_file(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    (made.folder / "media" / "gone").symlink_to(tmp_path / "nowhere")
    (made.folder / "vetrina.toml").chmod(0o600)
    result = vetrina("backup", tmp_path / "missing" / "b.tar.gz", "--site", made.folder)
    assert (result.exit_code, result.stderr) == (1, f"Error: {tmp_path}/missing/b.tar.gz: No such file or directory\n")
    assert not (tmp_path / "missing").exists()


def test_progress_is_shown_where_it_is_asked_for(vetrina: Callable[..., Result], made: Made, tmp_path: Path) -> None:
    (made.folder / "media" / "a.txt").write_text("a picture")
    assert vetrina("backup", tmp_path / "a.tar.gz", "--site", made.folder).stderr == ""
    told = vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder, "--progress").stderr
    assert "  files: 1 (9 bytes)\n" in told
    assert "  database: " in told
    assert vetrina("restore", tmp_path / "a.tar.gz", tmp_path / "again").stderr == ""
    told = vetrina("restore", tmp_path / "a.tar.gz", tmp_path / "other", "--progress").stderr
    assert "  unpacked: " in told
