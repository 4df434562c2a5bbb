"""A server on this machine that plays one of the public internet, and a client that finds it there."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from vetrina.backends.http_client import OutboundClient
from vetrina.backends.public_addresses import is_public_address

PUBLIC = "93.184.215.14"
Respond = Callable[[BaseHTTPRequestHandler], None]


class Host:
    """A server on this machine, and its requests."""

    def __init__(self, respond: Respond, tls: ssl.SSLContext | None = None) -> None:
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                named = {name.lower(): value for name, value in self.headers.items()}
                host.asked.append((self.command, self.path, named, body))
                self.close_connection = True
                with contextlib.suppress(OSError):  # the client has disconnected, as some tests intend
                    respond(self)

            do_POST = do_HEAD = do_GET  # noqa: N815 - the names of the standard library

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def outbound_to(host: Host | None = None, names: dict[str, list[str]] | None = None, **words: Any) -> OutboundClient:
    """Return a client for which every name has a public address, and every public address is the host's."""
    dialled: list[tuple[str, int]] = []

    def resolve(name: str, port: int) -> list[str]:
        known = (names or {}).get(name)
        return known if known is not None else [name if is_public_address(name) else PUBLIC]

    def dial(address: str, port: int, seconds: float) -> socket.socket:
        dialled.append((address, port))
        if host is None:
            raise ConnectionRefusedError("nobody listens")
        return socket.create_connection(("127.0.0.1", host.port), seconds)

    made = OutboundClient(resolve=resolve, dial=dial, **words)
    made.dialled = dialled  # type: ignore[attr-defined]
    return made


def answer(handler: BaseHTTPRequestHandler, body: bytes = b"", status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)
