"""The control interface of a test server is available only with its key."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from vetrina.testing import LocalTestServer

SERVE = (sys.executable, "-m", "vetrina.cli", "serve")


def asked(url: str, method: str, key: str | None, body: bytes | None = None) -> tuple[int, dict[str, Any]]:
    headers = {"Authorization": f"Bearer {key}"} if key is not None else {}
    request = urllib.request.Request(url, body, headers, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            content = error.read()
        return error.code, json.loads(content) if content.startswith(b"{") else {}


@contextmanager
def served(*words: str) -> Iterator[tuple[str, IO[str]]]:
    """Serve a test server for the time of the context: its URL, and its output after that."""
    run = subprocess.Popen([*SERVE, "--ephemeral", "--port", "0", *words], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    try:
        yield run.stdout.readline().split("answers at ")[1].partition("/en/")[0], run.stdout
    finally:
        run.terminate()
        run.communicate()


@pytest.mark.parametrize("key", [None, "", "wrong", "ключ"])
def test_without_the_key_nothing_is_done(site: LocalTestServer, key: str | None) -> None:
    made = site.client().posts.create(title="x")
    status, told = asked(f"{site.url}/_stand-in/reset", "POST", key.encode().decode("latin-1") if key else key)
    assert (status, told["code"]) == (401, "stand_in_wrong_key")
    assert site.client().posts.get(made["id"])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "no JSON"), (b"[]", "other members"), (b"{}", "other members"), (b'{"then": 1}', "other members"),
        (b'{"now": "soon"}', "no date"), (b'{"now": "2030-01-01T00:00:00"}', "no offset"),
        (b'{"forward": "1"}', "whole number"), (b'{"forward": true}', "whole number"), (b'{"frozen": 1}', "neither"),
        (b'{"now": "2030-01-01T00:00:00Z"' + b" " * 5000 + b"}", "too long"),
    ],
)  # fmt: skip
def test_a_clock_that_cannot_be_read_is_refused_with_the_way_out(site: LocalTestServer, body: bytes, why: str) -> None:
    key = site._control._headers["Authorization"].removeprefix("Bearer ")
    status, told = asked(f"{site.url}/_stand-in/clock", "PUT", key, body)
    assert (status, told["code"]) == (400, "stand_in_wrong_clock")
    assert why in told["message"]
    assert "2030-01-31T09:00:00Z" in told["message"]


def test_what_is_no_part_of_the_control_is_no_route(site: LocalTestServer) -> None:
    key = site._control._headers["Authorization"].removeprefix("Bearer ")
    for method, name in (("GET", "reset"), ("POST", "clock"), ("POST", ""), ("POST", "nothing")):
        assert asked(f"{site.url}/_stand-in/{name}", method, key)[1]["code"] == "rest_no_route"


def test_the_key_is_made_and_told_where_none_is_given() -> None:
    with served("--control") as (url, said):
        [key] = [
            line.rpartition(" ")[2].strip() for line in (said.readline(), said.readline()) if "/_stand-in/" in line
        ]
        assert asked(f"{url}/_stand-in/reset", "POST", key)[0] == 200


def test_a_site_without_control_has_no_such_address() -> None:
    with served() as (url, _):
        assert asked(f"{url}/_stand-in/clock", "GET", "")[0] == 404
        assert asked(f"{url}/_stand-in/reset", "POST", "")[0] == 405


def test_a_stand_in_ends_with_who_started_it() -> None:
    program = "from vetrina.testing import LocalTestServer; print(LocalTestServer('first').url, flush=True); input()"
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        url = starter.stdout.readline().strip()
        assert asked(f"{url}/en/cms-json/", "GET", None)[0] == 200
        starter.kill()
    until = time.monotonic() + 30
    while is_answered(url) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_answered(url)


def is_answered(url: str) -> bool:
    try:
        asked(f"{url}/en/cms-json/", "GET", None)
    except (urllib.error.URLError, ConnectionError):
        return False
    return True


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "--control is for the throw-away site"),
        (("--ephemeral", "--workers", "2"), "leave --workers out"),
        (("--ephemeral", "--parent", "1"), "this process was started by"),
    ],
)
def test_control_is_for_one_worker_of_a_throw_away_site(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    done = subprocess.run([*SERVE, *words, "--control"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert why in done.stderr
