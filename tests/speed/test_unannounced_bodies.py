"""Nobody waits for a body that no header announces: to ask the server for one is a turn of the event loop."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from conftest import Stand

pytestmark = pytest.mark.in_process("it hands the application the messages of a request itself")


@pytest.mark.parametrize(
    ("version", "headers", "asked"),
    [
        ("1.1", [], 0),
        ("1.0", [], 0),
        ("1.1", [(b"content-length", b"2")], 1),
        ("1.1", [(b"transfer-encoding", b"chunked")], 1),
        ("2", [], 1),  # whose bodies need no header
    ],
)
def test_a_body_is_asked_for_where_there_may_be_one(
    site: Stand, version: str, headers: list[tuple[bytes, bytes]], asked: int
) -> None:
    received, sent = list[None](), list[dict[str, Any]]()

    async def receive() -> dict[str, Any]:
        received.append(None)
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "http_version": version, "method": "GET", "scheme": "http", "query_string": b"per_page=3",
        "path": "/en/cms-json/cms/v2/posts", "headers": [(b"host", b"vetrina.test"), *headers],
        "client": ("127.0.0.1", 50000), "server": ("vetrina.test", 80),
    }  # fmt: skip
    asyncio.run(site.site.app(scope, receive, send))
    assert (sent[0]["status"], len(received)) == (200, asked)
