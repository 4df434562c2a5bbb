"""`vetrina migrate --to` killed at any time: the old database stays, and the next try completes the move."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from postgres_server import Postgres
from served import VETRINA, founded
from vetrina.backends.database import open_database
from vetrina.backends.database_move import move_database
from vetrina.settings import load_settings
from vetrina.site_factory import open_site

POSTS = 300


def filled(folder: Path) -> None:
    site = open_site(folder, durable=False)
    with site.work() as work:
        for number in range(POSTS):
            work.note("post", number, "created")
    site.close()


@pytest.mark.parametrize("there", ["postgresql", "sqlite"])
def test_a_migration_killed_at_any_moment_is_done_by_the_next_one(
    there: str, tmp_path: Path, postgres: Postgres
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    here = postgres.new() if there == "sqlite" else ""
    target = postgres.new() if there == "postgresql" else f"sqlite:///{tmp_path / 'there.sqlite'}"
    founded(folder, here)
    filled(folder)
    source = load_settings(folder).database or f"sqlite:///{folder / 'site.sqlite'}"
    command: list[str | Path] = [VETRINA, "migrate", "--site", folder, "--to", target]
    kills = 0
    while True:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # Later each time: before it starts, during the rows, during the indexes, after all of it.
        time.sleep(0.5 * 1.6**kills)
        process.send_signal(signal.SIGKILL)
        said, _ = process.communicate()
        kills += 1
        if process.returncode == 0 or load_settings(folder).database == target:
            break
        assert process.returncode == -signal.SIGKILL, said
        assert load_settings(folder).database == here, "a move that is not whole is named already"
        assert kills < 60
    # The whole database was moved: a move that finds all rows leaves and counts them.
    old, new = open_database(source), open_database(target)
    counts = move_database(old, new)
    assert counts["change"] >= POSTS
    old.close()
    new.close()
    site = open_site(folder, durable=False)
    with site.work(read=True) as work:
        assert work.tx.kind == there
    site.close()
    for url in (here, target):
        if url.startswith("postgresql"):
            postgres.drop(url)
