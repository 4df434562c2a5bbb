"""A server that is stopped or restarted loses no request, refuses late ones, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Made, Server, basic
from cli.test_serve import eventually, is_refused


def gone(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("workers", [1, 3])
def test_what_has_begun_is_finished_and_what_comes_late_is_refused(
    serving: Callable[..., Server], made: Made, tmp_path: Path, workers: int
) -> None:
    server = serving("--site", made.folder, "--workers", str(workers))
    assert eventually(lambda: len(server.workers()) == workers and len(server.consumers()) == 1)
    processes = list(server.children())
    body = json.dumps({"title": "Late", "status": "publish"}).encode()
    head = (
        f"POST /en/cms-json/cms/v2/posts HTTP/1.1\r\nhost: {server.host}\r\ncontent-type: application/json\r\n"
        f"authorization: {basic('admin', made.application_password)}\r\ncontent-length: {len(body)}\r\n"
        "expect: 100-continue\r\n\r\n"
    )
    begun = [socket.create_connection((server.host, server.port), timeout=60) for _ in range(4)]
    for one in begun:
        one.sendall(head.encode())
        # The server has begun to read the body.
        assert one.recv(65536).startswith(b"HTTP/1.1 100 ")
        one.sendall(body[:5])
    server.process.terminate()
    assert eventually(lambda: is_refused(server))
    for one in begun:
        one.sendall(body[5:])
        answer = one.recv(65536)
        one.close()
        assert answer.startswith(b"HTTP/1.1 201 ")
        assert b"\r\nconnection: close\r\n" in answer.lower()
    assert server.process.wait(40) == 0
    assert all(gone(number) for number in processes)
    assert not list(tmp_path.glob("vetrina-run-*"))


def test_a_renewed_server_is_ready_and_goes_on_counting(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder, "--set", "metrics=local")
    assert eventually(lambda: len(server.workers()) == 1)
    [before] = server.workers()
    for _ in range(5):
        server.ask("GET", "/cms/v2/tags")
    server.process.send_signal(signal.SIGHUP)
    # New workers are started, old ones told to finish and to exit.
    end = time.monotonic() + 60
    while not (gone(before) and len(server.workers()) == 1) and time.monotonic() < end:
        time.sleep(0.05)
    assert gone(before)
    server.ask("GET", "/cms/v2/tags")
    connection = server.connect()
    connection.request("GET", "/health/ready")
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    assert 'vetrina_requests_total{method="GET",route="/cms/v2/tags",status="2xx"} 6.0' in text
    assert server.stop() == 0
