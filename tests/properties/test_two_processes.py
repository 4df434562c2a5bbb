"""Two server processes on one site: no read of either is older than a write that either has acknowledged."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from served import Line, Server, founded

WORDS = ("mela", "pera", "città", "zucca", "melagrana")
STEPS = 60
ROUNDS = 60  # writes that the reader compares with


@pytest.fixture
def folder(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    database = request.getfixturevalue("postgres").new() if kind == "postgresql" else ""
    yield founded(tmp_path, database)
    if database:
        request.getfixturevalue("postgres").drop(database)


@pytest.fixture
def servers(folder: Path) -> Iterator[list[Server]]:
    with Server(folder) as one, Server(folder) as other:
        yield [one, other]


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(2))
def test_each_process_answers_what_all_of_them_were_told(servers: list[Server], seed: int) -> None:
    random, lines = Random(seed), [server.line() for server in servers]
    texts: dict[int, str] = {}
    hidden: set[int] = set()
    for _ in range(STEPS):
        _write(random, random.choice(lines), texts, hidden)
        for line in random.sample(lines, 2):
            _compare(random, line, texts, hidden)
    assert texts


def _write(random: Random, line: Line, texts: dict[int, str], hidden: set[int]) -> None:
    text = " ".join(random.choices(WORDS, k=2))
    turn = random.random()
    if not texts or turn < 0.4:
        status, post = line.ask("POST", "/cms/v2/posts", {"title": text, "status": "publish"})
        assert status == 201
        texts[post["id"]] = text
        return
    id = random.choice(list(texts))
    if turn < 0.6:
        assert line.ask("POST", f"/cms/v2/posts/{id}", {"title": text})[0] == 200
        texts[id] = text
    elif turn < 0.75:
        wanted = "publish" if id in hidden else "draft"
        assert line.ask("POST", f"/cms/v2/posts/{id}", {"status": wanted})[0] == 200
        hidden ^= {id}
    else:
        assert line.ask("DELETE", f"/cms/v2/posts/{id}?force=true")[0] == 200
        del texts[id]
        hidden.discard(id)


def _compare(random: Random, line: Line, texts: dict[int, str], hidden: set[int]) -> None:
    shown = {id: text for id, text in texts.items() if id not in hidden}
    signed = random.random() < 0.3
    wanted = sorted(shown)
    assert _numbers(line, "", signed) == (wanted, len(wanted))
    word = random.choice(WORDS)
    matching = [id for id in wanted if word in shown[id]]
    assert _numbers(line, f"&search={_plain(word)}", signed) == (matching, len(matching))
    if texts:
        id = random.choice(list(texts))
        status, post = line.ask("GET", f"/cms/v2/posts/{id}", signed=False)
        assert status == (401 if id in hidden else 200)
        assert id in hidden or post["title"]["rendered"] == texts[id]


def _plain(word: str) -> str:
    return word.replace("à", "a")


def _numbers(line: Line, query: str, signed: bool) -> tuple[list[int], int]:
    status, posts = line.ask("GET", f"/cms/v2/posts?per_page=100&orderby=id&order=asc{query}", signed=signed)
    assert status == 200
    return [post["id"] for post in posts], line.total


@pytest.mark.every_database
def test_no_read_is_older_than_a_write_that_was_acknowledged_before_it(servers: list[Server]) -> None:
    """While one process gets writes without a pause, the other is read: it may be ahead, never behind."""
    line = servers[0].line()
    _, post = line.ask("POST", "/cms/v2/posts", {"title": "numero 0", "content": "conta", "status": "publish"})
    id, acknowledged, stop = post["id"], [0], threading.Event()
    faults: list[str] = []

    def changed(line: Line) -> int:
        return int(line.ask("GET", f"/cms/v2/posts/{id}", signed=False)[1]["title"]["rendered"].split()[1])

    def listed(line: Line) -> int:
        posts = line.ask("GET", "/cms/v2/posts?orderby=id&order=asc&per_page=1", signed=False)[1]
        return int(posts[0]["title"]["rendered"].split()[1])

    def counted(line: Line) -> int:
        line.ask("GET", "/cms/v2/posts?per_page=1", signed=False)
        return line.total - 1

    def searched(line: Line) -> int:
        line.ask("GET", "/cms/v2/posts?per_page=1&search=conta", signed=False)
        return line.total - 1

    def found(line: Line) -> int:
        posts: list[Any] = line.ask("GET", "/cms/v2/posts?per_page=1&search=numero", signed=False)[1]
        return int(posts[0]["title"]["rendered"].split()[1])

    def read(what: Callable[[Line], int], server: Server) -> None:
        line = server.line()
        while not stop.is_set():
            before = acknowledged[0]
            seen = what(line)
            if seen < before:
                faults.append(f"{what.__name__}: {seen} after {before} was acknowledged")

    readers = [
        threading.Thread(target=read, args=(what, server))
        for what in (changed, listed, counted, searched, found)
        for server in servers
    ]
    for reader in readers:
        reader.start()
    for number in range(1, ROUNDS + 1):
        # The new one first: totals may be ahead of the title, never behind.
        line.ask("POST", "/cms/v2/posts", {"title": f"altro {number}", "content": "conta", "status": "publish"})
        line.ask("POST", f"/cms/v2/posts/{id}", {"title": f"numero {number}"})
        acknowledged[0] = number
    stop.set()
    for reader in readers:
        reader.join()
    assert not faults
