"""A server between a front end and the site, which counts what the front end asks."""

from __future__ import annotations

import http.server
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["CountingProxy", "counting_proxy"]

_PASSED_ON = ("content-type", "cache-tag", "etag")


class CountingProxy:
    """address: of the proxy. asked: the targets of all requests so far."""

    def __init__(self, target: str) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                asked.append(self.path)
                try:
                    answer = urllib.request.urlopen(target + self.path, timeout=60)
                except urllib.error.HTTPError as error:
                    answer = error
                with answer:
                    body = answer.read()
                    self.send_response(answer.status)
                    for name in _PASSED_ON:
                        if value := answer.headers.get(name):
                            self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words: object) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def counting_proxy(target: str) -> Iterator[CountingProxy]:
    """Stand in front of a server for the block."""
    proxy = CountingProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
