"""The search index of a server killed while it catches up: it resumes, finds all, and indexes nothing twice."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from served import PATIENCE, Line, Server, founded

POSTS = 600
KILLS = 4


def entries(folder: Path) -> tuple[int, int, int]:
    """Return the number of indexed records, the number of index entries, and the position in the log."""
    connection = sqlite3.connect(folder / "site.sqlite", timeout=PATIENCE)
    try:
        return tuple(
            connection.execute(words).fetchone()[0]
            for words in (
                "SELECT count(DISTINCT record) FROM search_entry",
                "SELECT count(*) FROM search_entry",
                "SELECT coalesce(max(value), 0) FROM counter WHERE name = 'search'",
            )
        )
    finally:
        connection.close()


def latest(folder: Path) -> int:
    connection = sqlite3.connect(folder / "site.sqlite", timeout=PATIENCE)
    try:
        return int(connection.execute("SELECT max(sequence) FROM change").fetchone()[0])
    finally:
        connection.close()


def test_an_index_that_is_killed_while_it_catches_up_goes_on(tmp_path: Path) -> None:
    folder, made = founded(tmp_path), 0
    for kill in range(KILLS):
        with Server(folder) as server:
            line = server.line()
            assert _found(line) == made
            while made < POSTS * (kill + 1) // KILLS:
                parts = [
                    {"path": "/cms/v2/posts", "body": {"title": f"Zucca {made + at}", "status": "publish"}}
                    for at in range(25)
                ]
                status, answer = line.ask("POST", "/batch/v1", {"requests": parts})
                assert status == 207
                assert {part["status"] for part in answer["responses"]} == {201}
                made += 25
                # Exact at any time, whatever has been indexed.
                assert _found(line) == made
            # Later each time, so that the kills are spread over its work.
            time.sleep(0.1 * kill)
            server.kill()
    with Server(folder) as server:
        end = time.monotonic() + PATIENCE
        while entries(folder)[2] < latest(folder):
            assert time.monotonic() < end, "the index does not catch up"
            time.sleep(0.05)
        assert _found(server.line()) == made
    indexed, held, _ = entries(folder)
    assert held == indexed >= made


def _found(line: Line) -> int:
    line.ask("GET", "/cms/v2/posts?search=zucca&per_page=1", signed=False)
    return int(line.total)
