"""`vetrina backup` and `vetrina restore`: complete, on either database and store, during writes."""

from __future__ import annotations

import json
import sqlite3
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import select

import object_store
from cli.conftest import Made, Server
from pictures import picture
from postgres_server import Postgres
from vetrina.backends import database_schema
from vetrina.backends.database import Statement
from vetrina.backends.file_store import open_file_store
from vetrina.backends.tables.records import record
from vetrina.settings import load_settings
from vetrina.site_factory import open_site

TITLES = Statement(select(record.c.title))
Vetrina = Callable[..., Result]


def titles(folder: Path) -> set[str]:
    site = open_site(folder)
    with site.work(read=True) as work:
        kind = work.tx.kind
        found = {str(row[0]) for row in work.tx.all(TITLES)}
    site.close()
    assert kind in ("sqlite", "postgresql")
    return found


def write(server: Server, made: Made, stop: threading.Event, said: list[tuple[float, str]]) -> None:
    """Write posts until stopped, and record each when it was acknowledged."""
    number = 0
    while not stop.is_set():
        number += 1
        title = f"Written {number}"
        words = {"title": title, "status": "publish"}
        status, _ = server.ask("POST", "/cms/v2/posts", words, "admin", made.application_password)
        if status == 201:
            said.append((time.monotonic(), title))


@pytest.fixture
def server_url(postgres: Postgres) -> Iterator[str]:
    url = postgres.new()
    yield url
    postgres.drop(url)


@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_what_was_acknowledged_before_the_backup_is_in_it(
    vetrina: Vetrina, made: Made, serving: Callable[..., Server], tmp_path: Path, there: str,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    if there == "postgresql":
        url = request.getfixturevalue("server_url")
        assert vetrina("migrate", "--site", made.folder, "--to", url).exit_code == 0
    server = serving("--site", made.folder)
    stop, said = threading.Event(), []
    writer = threading.Thread(target=write, args=(server, made, stop, said))
    writer.start()
    try:
        while len(said) < 20:
            time.sleep(0.01)
        # A backup of so small a site may be quicker than a write, on a busy machine above all.
        for _ in range(50):
            begun, before = time.monotonic(), len(said)
            (tmp_path / "b.tar.gz").unlink(missing_ok=True)
            result = vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder)
            assert result.exit_code == 0, result.output
            if len(said) > before:
                break
        ended = len(said)
    finally:
        stop.set()
        writer.join()
    assert server.stop() == 0
    assert ended > before, "nothing was written meanwhile"
    assert vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "again").exit_code == 0
    there_now = titles(tmp_path / "again")
    assert {title for at, title in said if at < begun} <= there_now
    result = vetrina("check", "--site", tmp_path / "again")
    assert result.exit_code == 0, result.output


def test_a_site_goes_to_a_server_with_its_backup(vetrina: Vetrina, made: Made, server_url: str, tmp_path: Path) -> None:
    before = titles(made.folder)
    assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder).exit_code == 0
    result = vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "again", "--to", server_url)
    assert result.exit_code == 0, result.output
    assert load_settings(tmp_path / "again").database == server_url
    assert load_settings(tmp_path / "again").secret == load_settings(made.folder).secret
    assert not (tmp_path / "again" / "site.sqlite").exists()
    assert titles(tmp_path / "again") == before
    assert vetrina("check", "--site", tmp_path / "again").exit_code == 0
    refused = vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "third", "--to", server_url)
    assert (refused.exit_code, "is not empty" in refused.stderr) == (1, True)
    assert not (tmp_path / "third").exists()


def test_files_of_a_store_come_along_and_go_to_another(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    with object_store.bucket() as address:
        here, there = object_store.store(address, "here"), object_store.store(address, "there")
        settings = made.folder / "vetrina.toml"
        settings.write_text(f"media = {json.dumps(here)}\n" + settings.read_text())
        drawn = picture(40, 30, "PNG")
        open_file_store(here, tmp_path).put("uploads/2026/11/a.png", drawn)
        assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder).exit_code == 0

        assert vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "folder").exit_code == 0
        assert (tmp_path / "folder" / "media" / "uploads/2026/11/a.png").read_bytes() == drawn
        assert load_settings(tmp_path / "folder").media == ""

        assert vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "store", "--media", there).exit_code == 0
        assert open_file_store(there, tmp_path).size("uploads/2026/11/a.png") == len(drawn)
        assert load_settings(tmp_path / "store").media == there

        again = vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "more", "--media", there)
        assert (again.exit_code, "uploads/2026/11/a.png is in s3://site/there already" in again.stderr) == (1, True)
        assert not (tmp_path / "more").exists()


def test_without_secrets_none_is_in_it(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    settings = made.folder / "vetrina.toml"
    secret = load_settings(made.folder).secret
    settings.write_text(
        'smtp_url = "smtp://me:hunter2@mail.example:25"\nmetrics = "hunter2 hunter2 hunter2"\n'
        + settings.read_text()
        + '\n[provider_secrets]\n# of the directory\nhouse = "hunter2"\n\n"a b" = "hunter2"'
    )
    assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder, "--without-secrets").exit_code == 0
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        told = tar.extractfile("vetrina.toml")
        assert told is not None
        text = told.read().decode()
    assert "hunter2" not in text
    assert secret not in text
    result = vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "again")
    assert "application passwords have to be made again" in result.output
    assert load_settings(tmp_path / "again").secret not in ("", secret)


def test_a_profile_of_its_own_comes_along(vetrina: Vetrina, tmp_path: Path) -> None:
    profile = tmp_path / "own.toml"
    profile.write_text('title = "The library"\nlanguages = ["en"]\n')
    assert vetrina("init", tmp_path / "site", "--profile", profile).exit_code == 0
    assert vetrina("backup", tmp_path / "b.tar.gz", "--site", tmp_path / "site").exit_code == 0
    profile.unlink()
    assert vetrina("restore", tmp_path / "b.tar.gz", tmp_path / "again").exit_code == 0
    assert load_settings(tmp_path / "again").profile == str(tmp_path / "again" / "profile.toml")
    assert vetrina("check", "--site", tmp_path / "again").exit_code == 0


def test_a_folder_that_is_used_is_never_written(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder).exit_code == 0
    before = {path.name: path.stat().st_mtime_ns for path in made.folder.iterdir()}
    result = vetrina("restore", tmp_path / "b.tar.gz", made.folder)
    assert (result.exit_code, "is not an empty folder" in result.stderr) == (2, True)
    assert {path.name: path.stat().st_mtime_ns for path in made.folder.iterdir()} == before


@pytest.mark.parametrize(("harm", "told"), [
    ("cut", "is cut short"), ("other", "cannot be read"), ("newer", "newer than this one"),
    ("foreign", "it has no backup.json"), ("damaged", "its database is damaged"),
])  # fmt: skip
def test_a_file_that_is_no_good_backup_is_told_and_leaves_nothing(
    vetrina: Vetrina, made: Made, tmp_path: Path, harm: str, told: str
) -> None:
    file = tmp_path / "b.tar.gz"
    assert vetrina("backup", file, "--site", made.folder).exit_code == 0
    if harm == "cut":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif harm == "other":
        file.write_bytes(b"no archive at all")
    else:
        changed(file, tmp_path / "parts", harm)
    result = vetrina("restore", file, tmp_path / "again")
    assert result.exit_code == 1, result.output
    assert told in result.stderr
    assert [path.name for path in tmp_path.iterdir() if "again" in path.name] == []


def changed(file: Path, parts: Path, harm: str) -> None:
    """Rewrite a backup with other contents."""
    with tarfile.open(file) as tar:
        tar.extractall(parts, filter="data")
    manifest = parts / "backup.json"
    if harm == "newer":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": "9.9", "revision": "9999"}))
    elif harm == "foreign":
        manifest.unlink()
    else:
        database = parts / "site.sqlite"
        content = database.read_bytes()
        database.write_bytes(content[:20_000] + b"\xff" * 20_000 + content[40_000:])
    file.unlink()
    with tarfile.open(file, "w:gz") as tar:
        for path in sorted(parts.iterdir()):
            tar.add(path, path.name)


def test_a_link_out_of_the_folder_is_refused(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    assert vetrina("backup", file, "--site", made.folder).exit_code == 0
    with tarfile.open(file) as tar:
        tar.extractall(tmp_path / "parts", filter="data")
    file.unlink()
    with tarfile.open(file, "w:gz") as tar:
        for path in sorted((tmp_path / "parts").iterdir()):
            tar.add(path, path.name)
        out = tarfile.TarInfo("../evil.txt")
        tar.addfile(out)
    result = vetrina("restore", file, tmp_path / "again")
    assert result.exit_code == 1
    assert not (tmp_path / "evil.txt").exists()
    assert not (tmp_path / "again").exists()


def test_the_database_of_a_backup_is_plain_sqlite_at_this_version(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    assert vetrina("backup", tmp_path / "b.tar.gz", "--site", made.folder).exit_code == 0
    with tarfile.open(tmp_path / "b.tar.gz") as tar:
        tar.extract("site.sqlite", tmp_path, filter="data")
    with closing(sqlite3.connect(tmp_path / "site.sqlite")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(database_schema.HEAD_REVISION,)]
