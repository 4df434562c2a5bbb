"""Connections that stay open: reused by the next request, reopened if the other side has closed them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from foreign_host import Host, answer, outbound_to
from vetrina.backends.http_client import NoOutboundResponse, OutboundAddressRefused, OutboundResponseTooLarge
from vetrina.backends.http_client_urls import parse_target
from vetrina.backends.kept_connections import KeptConnections
from vetrina.backends.socket_deadlines import TimedSocket


@pytest.fixture
def serve() -> Iterator[Callable[..., Host]]:
    hosts: list[Host] = []

    def start(respond: Callable[[BaseHTTPRequestHandler], None]) -> Host:
        hosts.append(Host(respond))
        return hosts[-1]

    yield start
    for host in hosts:
        host.close()


def stay(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = False
    answer(handler, handler.path.encode())


def count_dialled(client: Any) -> int:
    return len(client.dialled)


def test_the_next_request_uses_the_connection_of_the_one_before(serve: Callable[..., Host]) -> None:
    client = outbound_to(serve(stay), keep_open=True)
    bodies = [client.get(f"http://shop.example/{at}").body for at in range(3)]
    assert bodies == [b"/0", b"/1", b"/2"]
    assert count_dialled(client) == 1


def test_another_server_and_a_post_get_connections_of_their_own(serve: Callable[..., Host]) -> None:
    client = outbound_to(serve(stay), keep_open=True)
    client.get("http://shop.example/")
    client.get("http://other.example/")
    client.ask("POST", "http://shop.example/", body=b"{}")
    assert count_dialled(client) == 3


def test_without_being_asked_a_client_closes_its_connections(serve: Callable[..., Host]) -> None:
    host = serve(stay)
    client = outbound_to(host)
    for _ in range(2):
        client.get("http://shop.example/")
    assert count_dialled(client) == 2
    assert [headers["connection"] for _, _, headers, _ in host.asked] == ["close", "close"]


def test_a_connection_that_the_other_side_closed_is_opened_again(serve: Callable[..., Host]) -> None:
    client = outbound_to(serve(lambda handler: answer(handler, b"whole")), keep_open=True)
    assert [client.get("http://shop.example/").body for _ in range(3)] == [b"whole"] * 3
    assert count_dialled(client) == 3


def test_one_that_ends_with_its_response_is_not_kept(serve: Callable[..., Host]) -> None:
    def close(handler: BaseHTTPRequestHandler) -> None:
        answer(handler, b"last", Connection="close")

    host = serve(close)
    client = outbound_to(host, keep_open=True)
    for _ in range(2):
        assert client.get("http://shop.example/").body == b"last"
    assert (count_dialled(client), len(host.asked)) == (2, 2)


def test_what_was_not_read_to_its_end_is_not_kept(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = False
        answer(handler, b"x" * (300_000 if handler.path == "/long" else 2))

    client = outbound_to(serve(respond), keep_open=True, most_bytes=1000)
    assert client.get("http://shop.example/long", cut=True).body == b"x" * 1000
    with pytest.raises(OutboundResponseTooLarge):
        client.get("http://shop.example/long")
    assert client.get("http://shop.example/short").body == b"xx"
    assert count_dialled(client) == 3


def test_a_body_in_chunks_leaves_its_connection_open(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = False
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"3\r\none\r\n0\r\n\r\n")

    client = outbound_to(serve(respond), keep_open=True)
    assert [client.get("http://shop.example/").body for _ in range(2)] == [b"one", b"one"]
    assert count_dialled(client) == 1


def test_a_kept_connection_has_a_deadline_of_its_own(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        if handler.path != "/never":
            stay(handler)
        else:
            handler.rfile.read(1)

    client = outbound_to(serve(respond), keep_open=True, seconds=30)
    client.get("http://shop.example/")
    with pytest.raises(NoOutboundResponse, match="in time"):
        client.get("http://shop.example/never", seconds=0.2)
    assert count_dialled(client) == 1


def test_what_an_allowed_server_opened_is_nothing_for_others(serve: Callable[..., Host]) -> None:
    client = outbound_to(serve(stay), {"inner.example": ["10.0.0.1"]}, keep_open=True)
    allowed = client.with_allowed_servers("http://inner.example")
    assert allowed.get("http://inner.example/a").body == b"/a"
    with pytest.raises(OutboundAddressRefused):
        client.get("http://inner.example/a")


def test_a_connection_that_nobody_used_for_long_is_closed() -> None:
    now = [100.0]
    kept, target = KeptConnections(lambda: now[0]), parse_target("http://shop.example/", None)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection = TimedSocket(ours, 0)
        kept.give(target, connection)
        assert kept.take(target) is connection
        kept.give(target, connection)
        now[0] += 20
        assert kept.take(target) is None
        assert ours.fileno() == -1
