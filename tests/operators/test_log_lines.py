"""One log line per request with its id, and no credentials in it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from cli.conftest import Made, Server
from conftest import Stand, made
from vetrina.http import log_lines
from vetrina.http.request_trace import mask_url

WORDS = log_lines.LogFormatter("json")


class Kept(logging.Handler):
    """Records what would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(WORDS.format(record)))


@pytest.fixture
def log() -> Iterator[Kept]:
    kept, logger = Kept(), logging.getLogger("vetrina.request")
    before = logger.level
    logger.addHandler(kept)
    logger.setLevel(logging.INFO)
    yield kept
    logger.removeHandler(kept)
    logger.setLevel(before)


@pytest.fixture
def told(log: Kept, tmp_path: Path) -> Iterator[Stand]:
    site = made(tmp_path)
    yield Stand(site)
    site.close()


def test_a_line_says_who_asked_what_and_what_came_of_it(told: Stand, log: Kept) -> None:
    admin = told.client("admin")
    answer = admin.get("/cms/v2/users/me", headers={"x-request-id": "abc-1"})
    [line] = log.lines
    assert line.pop("ms") > 0
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info", "logger": "vetrina.request", "event": "request", "id": "abc-1", "method": "GET",
        "route": "/cms/v2/users/me", "path": "/en/cms-json/cms/v2/users/me", "status": 200,
        "bytes": len(answer.content), "user": answer.json["id"], "remote": "127.0.0.1", "kept": False,
    }  # fmt: skip


def test_a_kept_answer_and_a_file_have_their_line(told: Stand, log: Kept) -> None:
    told.client().get("/cms/v2/tags")
    told.client().get("/cms/v2/tags")
    told.client(root="").get("/cms-content/nothing.png")
    assert [(line["route"], line["kept"], line["status"]) for line in log.lines] == [
        ("/cms/v2/tags", False, 200), ("/cms/v2/tags", True, 200), ("(file)", False, 404),
    ]  # fmt: skip


def test_no_secret_of_an_address_is_written(told: Stand, log: Kept) -> None:
    secrets = {
        "consumer_key": "ck_1", "consumer_secret": "cs_1", "oauth_signature": "sig_1", "password": "pw_1",
        "_cmsnonce": "non_1", "token": "tok_1", "order_key": "ok_1", "PASSWORD": "pw_2", "a[secret]": "se_1",
    }  # fmt: skip
    told.client().get("/cms/v2/posts", query="&".join(f"{k}={v}" for k, v in secrets.items()) + "&search=free")
    [line] = log.lines
    assert not [value for value in secrets.values() if value in line["path"]]
    assert line["path"].endswith("&search=free")


@given(st.text(alphabet="abc&;=?%[]_ token", max_size=60), st.sampled_from(["token", "x_secret", "PassWord"]))
def test_whatever_stands_around_it_a_secret_is_hidden(around: str, name: str) -> None:
    assert "hunter2" not in mask_url("/", f"{around}&{name}=hunter2&{around}")


def test_an_answer_says_the_id_that_it_was_asked_with(site: Stand) -> None:
    anyone = site.client()
    for _ in range(2):
        assert anyone.get("/cms/v2/tags", headers={"x-request-id": "f00-ba.r"}).headers["x-request-id"] == "f00-ba.r"
    files = site.client(root="")
    assert files.get("/cms-content/no.png", headers={"x-request-id": "f1"}).headers["x-request-id"] == "f1"


@pytest.mark.parametrize("sent", ["", " ", "a b", "x" * 129, "a\tb", "é", "<script>", '"', "a;b"])
def test_an_id_that_is_no_short_word_is_replaced(site: Stand, sent: str) -> None:
    anyone = site.client()
    ids = [anyone.get("/cms/v2/tags", headers={"x-request-id": sent}).headers["x-request-id"] for _ in range(2)]
    assert sent not in ids
    assert ids[0] != ids[1]
    assert all(id.isalnum() for id in ids)


def test_a_fault_is_named_by_the_id_of_its_request(told: Stand, log: Kept) -> None:
    with told.site.database.begin_write() as tx:
        tx.command("ALTER TABLE term RENAME TO gone")
    answer = told.client().get("/cms/v2/tags", headers={"x-request-id": "trace-7"})
    assert answer.status == 500
    assert "trace-7" in answer.json["message"]
    fault = next(line for line in log.lines if line["level"] == "error")
    assert fault["event"] == "fault trace-7"
    assert "no such table" in fault["exception"]


@pytest.mark.parametrize("kind", ["console", "json"])
def test_an_event_stays_on_its_line_and_commands_no_terminal(kind: log_lines.LogFormat) -> None:
    record = logging.LogRecord("x", logging.WARNING, "x.py", 1, "one\ntwo \x1b[31mred\r", None, None)
    line = log_lines.LogFormatter(kind).format(record)
    assert not any(ord(sign) < 32 for sign in line)


def test_a_server_writes_lines_as_json_where_it_is_told(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder, "--set", "log_format=json", "--set", "log_requests=true")
    server.ask("GET", "/cms/v2/tags?token=hunter2")
    assert server.stop() == 0
    text = server.errors()
    lines = [json.loads(line) for line in text.splitlines()]
    [line] = [line for line in lines if line["event"] == "request"]
    assert (line["route"], line["status"]) == ("/cms/v2/tags", 200)
    assert "hunter2" not in text
