"""Event streams of a server with several workers: each tells what any of them wrote, and all end when it stops."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable

from cli.conftest import Made, Server, basic
from cli.test_serve import eventually

_STREAMS = 6


class Listener:
    """A connection that a stream is read from as it comes."""

    def __init__(self, server: Server) -> None:
        self.text = b""
        self._socket = socket.create_connection((server.host, server.port), timeout=30)
        self._socket.sendall(
            b"GET /en/cms-json/cms/v2/changes?kinds=post HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n"
        )
        self._socket.settimeout(0.05)
        self.ended = False

    def heard(self, word: bytes) -> bool:
        try:
            part = self._socket.recv(65536)
        except TimeoutError:
            return word in self.text
        self.ended = not part or part.endswith(b"0\r\n\r\n")
        self.text += part
        return word in self.text

    def close(self) -> None:
        self._socket.close()


def test_every_worker_tells_what_any_wrote_and_a_stop_ends_the_streams(
    serving: Callable[..., Server], made: Made
) -> None:
    server = serving("--site", made.folder, "--workers", "2")
    assert eventually(lambda: len(server.workers()) == 2)
    listeners = [Listener(server) for _ in range(_STREAMS)]
    assert eventually(lambda: all(one.heard(b"retry: ") for one in listeners))
    body = json.dumps({"title": "Live", "status": "publish"}).encode()
    with socket.create_connection((server.host, server.port), timeout=30) as writer:
        writer.sendall(
            f"POST /en/cms-json/cms/v2/posts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
            f"authorization: {basic('admin', made.application_password)}\r\ncontent-length: {len(body)}\r\n\r\n"
            "".encode()
            + body
        )
        assert writer.recv(65536).startswith(b"HTTP/1.1 201 ")
    assert eventually(lambda: all(one.heard(b"event: change") for one in listeners))
    stopped = time.monotonic()
    server.process.terminate()
    assert eventually(lambda: all(one.heard(b"") and one.ended for one in listeners))
    server.process.wait(60)
    assert time.monotonic() - stopped < 25, "streams do not hold a server that stops"
    for one in listeners:
        one.close()
