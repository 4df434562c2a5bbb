"""The HTTP client against its own servers: allowed hosts, accepted responses, timeouts. No real network."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from foreign_host import PUBLIC, Host, Respond, answer, outbound_to
from vetrina.backends.http_client import NoOutboundResponse, OutboundClient, OutboundResponse, OutboundResponseTooLarge
from vetrina.backends.http_client_urls import OutboundAddressRefused, parse_target
from vetrina.backends.public_addresses import is_public_address


@pytest.fixture
def serve() -> Iterator[Callable[..., Host]]:
    hosts: list[Host] = []

    def start(respond: Respond, tls: ssl.SSLContext | None = None) -> Host:
        hosts.append(Host(respond, tls))
        return hosts[-1]

    yield start
    for host in hosts:
        host.close()


def client(host: Host | None = None, names: dict[str, list[str]] | None = None, **words: Any) -> OutboundClient:
    return outbound_to(host, names, **words)


def hello(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, "Buongiorno è".encode("latin-1"), Content_Type="text/plain; charset=ISO-8859-1")


def test_an_answer_comes_back_with_status_headers_and_text(serve: Callable[..., Host]) -> None:
    host = serve(hello)
    reply = client(host).get("http://esempio.example/a b?q=è", accept="text/plain")
    assert (reply.status, reply.kind, reply.text()) == (200, "text/plain", "Buongiorno è")
    assert reply.url == "http://esempio.example/a%20b?q=%C3%A8"
    method, path, headers, _ = host.asked[0]
    assert (method, path) == ("GET", "/a%20b?q=%C3%A8")
    assert headers["host"] == "esempio.example"
    assert headers["accept"] == "text/plain"


def test_nothing_of_this_server_goes_along(serve: Callable[..., Host], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    host = serve(hello)
    client(host).get("http://esempio.example/")
    assert set(host.asked[0][2]) == {"host", "user-agent", "accept", "accept-encoding", "connection"}


def test_the_connection_goes_to_the_address_that_was_checked(serve: Callable[..., Host]) -> None:
    answers = [[PUBLIC], ["127.0.0.1"]]  # a name that changes between two look-ups
    host = serve(hello)
    made = client(host)
    made._resolve = lambda name, port: answers.pop(0)
    assert made.get("http://esempio.example/").status == 200
    assert made.dialled == [(PUBLIC, 80)]  # type: ignore[attr-defined]
    assert answers == [["127.0.0.1"]]


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.51.100.7",
        "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fc00::1", "fd00:ec2::254",
        "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "5f00::1", "name", "",
    ],
)  # fmt: skip
def test_a_special_address_is_not_public(address: str) -> None:
    assert not is_public_address(address)


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", PUBLIC, "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1",
     "64:ff9b::101:101"],
)  # fmt: skip
def test_an_ordinary_address_is_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["10.0.0.1"], ["fe80::1"], ["::ffff:192.168.1.1"], [PUBLIC, "10.0.0.1"], []]
)
def test_a_name_with_any_inner_address_is_refused(addresses: list[str]) -> None:
    made = client(names={"esempio.example": addresses})
    with pytest.raises(OutboundAddressRefused):
        made.get("http://esempio.example/")
    assert made.dialled == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "[::1]", "127.1"])
def test_every_way_to_write_this_host_is_refused(host: str) -> None:
    with pytest.raises(OutboundAddressRefused):
        OutboundClient(dial=lambda *_: pytest.fail("a connection was made")).get(f"http://{host}/")


@pytest.mark.parametrize(
    "url",
    [
        "", "esempio", "/percorso", "ftp://esempio.example/", "file:///etc/passwd", "gopher://esempio.example/",
        "http://", "http:///percorso", "http://user:word@esempio.example/", "http://user@esempio.example/",
        "http://esempio.example:22/", "http://esempio.example:0/", "http://esempio.example:99999/", "http://[::1",
        "http://esempio .example/", "http://esempio.example\\@inner/", "http://-/", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_what_is_no_address_to_ask_is_refused(url: str) -> None:
    with pytest.raises(OutboundAddressRefused):
        client().get(url)


def test_a_line_end_in_an_address_or_header_cannot_add_a_header(serve: Callable[..., Host]) -> None:
    host = serve(hello)
    client(host).get("http://esempio.example/a%0d%0aX-Evil: 1")
    assert "x-evil" not in host.asked[0][2]
    with pytest.raises(OutboundAddressRefused):
        client(host).ask("GET", "http://esempio.example/", headers={"X-Word": "a\r\nX-Evil: 1"})


def test_a_name_with_letters_of_its_own_is_asked_in_ascii() -> None:
    assert parse_target("https://città.example/").host == "xn--citt-3na.example"


def test_a_redirect_is_followed_to_its_end(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        if handler.path == "/":
            answer(handler, status=302, Location="/qui?x=1")
        else:
            hello(handler)

    host = serve(respond)
    reply = client(host).get("http://esempio.example/")
    assert (reply.status, reply.url) == (200, "http://esempio.example/qui?x=1")


@pytest.mark.parametrize(
    "place",
    ["http://interno.example/", "http://127.0.0.1/", "//interno.example/", "http://[::ffff:127.0.0.1]/",
     "http://169.254.169.254/latest/", "file:///etc/passwd", "http://esempio.example:25/"],
)  # fmt: skip
def test_a_redirect_to_an_inner_address_is_refused(serve: Callable[..., Host], place: str) -> None:
    host = serve(lambda handler: answer(handler, status=301, Location=place))
    inner = {"interno.example": ["10.0.0.8"], "127.0.0.1": ["127.0.0.1"], "::ffff:127.0.0.1": ["::ffff:127.0.0.1"],
             "169.254.169.254": ["169.254.169.254"]}  # fmt: skip
    with pytest.raises(OutboundAddressRefused):
        client(host, inner).get("http://esempio.example/")
    assert len(host.asked) == 1


def test_redirects_end(serve: Callable[..., Host]) -> None:
    host = serve(lambda handler: answer(handler, status=302, Location="/di-nuovo"))
    with pytest.raises(NoOutboundResponse, match="redirects more than 2 times"):
        client(host, redirects=2).get("http://esempio.example/")
    assert len(host.asked) == 3


def test_headers_do_not_follow_to_another_server(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        if handler.headers["Host"] == "esempio.example":
            answer(handler, status=307, Location="http://altrove.example/")
        else:
            hello(handler)

    host = serve(respond)
    client(host).ask("GET", "http://esempio.example/", headers={"X-Sign": "secret", "Accept": "text/html"})
    assert host.asked[0][2]["x-sign"] == "secret"
    assert "x-sign" not in host.asked[1][2]
    assert host.asked[1][2]["accept"] == "text/html"


def test_a_body_is_sent_and_its_redirect_is_the_answer(serve: Callable[..., Host]) -> None:
    host = serve(lambda handler: answer(handler, status=302, Location="/altrove"))
    reply = client(host).ask(
        "POST", "http://esempio.example/", body=b"{}", headers={"Content-Type": "application/json"}
    )
    assert reply.status == 302
    assert host.asked[0][0] == "POST"
    assert host.asked[0][3] == b"{}"
    assert len(host.asked) == 1


def test_a_body_above_the_limit_is_refused_or_cut(serve: Callable[..., Host]) -> None:
    host = serve(lambda handler: answer(handler, b"x" * 3000))
    made = client(host, most_bytes=1000)
    with pytest.raises(OutboundResponseTooLarge):
        made.get("http://esempio.example/")
    reply = made.get("http://esempio.example/", cut=True)
    assert (len(reply.body), reply.cut) == (1000, True)
    assert made.get("http://esempio.example/", most_bytes=3000) == OutboundResponse(
        200, "http://esempio.example/", made.get("http://esempio.example/", most_bytes=3000).headers, b"x" * 3000
    )


def test_a_body_without_a_length_is_bounded_too(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        while True:
            handler.wfile.write(b"3e8\r\n" + b"x" * 1000 + b"\r\n")

    host = serve(respond)
    with pytest.raises(OutboundResponseTooLarge):
        client(host, most_bytes=10_000).get("http://esempio.example/")


def test_a_body_that_breaks_off_is_no_answer(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"half")

    with pytest.raises(NoOutboundResponse):
        client(serve(respond)).get("http://esempio.example/")


def test_an_encoding_that_was_not_asked_for_is_no_answer(serve: Callable[..., Host]) -> None:
    host = serve(lambda handler: answer(handler, b"\x1f\x8b", Content_Encoding="gzip"))
    with pytest.raises(NoOutboundResponse):
        client(host).get("http://esempio.example/")


def test_a_server_that_drips_is_left_at_the_deadline(serve: Callable[..., Host]) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(1200):
            handler.wfile.write(b"X-Drop: 1\r\n")
            time.sleep(0.05)

    start = time.monotonic()
    with pytest.raises(NoOutboundResponse):
        client(serve(respond), seconds=0.3).get("http://esempio.example/")
    assert time.monotonic() - start < 30, "it drips for a minute"


def test_a_server_that_says_nothing_is_left_at_the_deadline(serve: Callable[..., Host]) -> None:
    with pytest.raises(NoOutboundResponse, match="in time"):
        client(serve(lambda handler: time.sleep(1)), seconds=0.2).get("http://esempio.example/")


def test_what_is_not_http_is_no_answer(serve: Callable[..., Host]) -> None:
    host = serve(lambda handler: handler.wfile.write(b"220 mail.example ready\r\n") and None)
    with pytest.raises(NoOutboundResponse):
        client(host).get("http://esempio.example/")


def test_a_host_that_nobody_knows_or_that_refuses_is_no_answer() -> None:
    def unknown(name: str, port: int) -> list[str]:
        raise socket.gaierror("no such name")

    with pytest.raises(NoOutboundResponse):
        OutboundClient(resolve=unknown).get("http://esempio.example/")
    with pytest.raises(NoOutboundResponse):
        client(None).get("http://esempio.example/")


def test_a_resolver_that_hangs_is_left_at_the_deadline() -> None:
    def hang(name: str, port: int) -> list[str]:
        time.sleep(2)
        return [PUBLIC]

    with pytest.raises(NoOutboundResponse, match="in time"):
        OutboundClient(resolve=hang, seconds=0.1).get("http://esempio.example/")


def test_the_next_address_is_tried_when_one_does_not_answer(serve: Callable[..., Host]) -> None:
    host = serve(hello)
    made = client(host, {"esempio.example": ["2606:4700::1111", PUBLIC]})
    plain = made._dial

    def dial(address: str, port: int, seconds: float) -> socket.socket:
        if ":" in address:
            raise OSError("no route")
        return plain(address, port, seconds)

    made._dial = dial
    assert made.get("http://esempio.example/").status == 200


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_certificate_must_name_the_host(serve: Callable[..., Host], tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", certificate, "-subj", "/CN=esempio.example",
         "-addext", "subjectAltName=DNS:esempio.example"],
        check=True, capture_output=True,
    )  # fmt: skip
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    host = serve(hello, server)
    trusting = ssl.create_default_context(cafile=str(certificate))
    assert client(host, tls=trusting).get("https://esempio.example/").status == 200
    with pytest.raises(NoOutboundResponse):
        client(host, tls=trusting).get("https://altro.example/")
    with pytest.raises(NoOutboundResponse):
        client(host).get("https://esempio.example/")


def test_a_named_server_of_the_private_network_is_asked_and_no_other(serve: Callable[..., Host]) -> None:
    host, other = serve(hello), serve(hello)
    plain = OutboundClient()
    allowing = plain.with_allowed_servers(f"http://127.0.0.1:{host.port}/api")
    assert allowing.get(f"http://127.0.0.1:{host.port}/api/x").status == 200
    for url in (f"http://127.0.0.1:{other.port}/", f"http://localhost:{host.port}/", "http://127.0.0.1/"):
        with pytest.raises(OutboundAddressRefused):
            allowing.get(url)
    with pytest.raises(OutboundAddressRefused):
        plain.get(f"http://127.0.0.1:{host.port}/api/x")


def test_a_named_server_cannot_lead_to_another_of_its_network(serve: Callable[..., Host]) -> None:
    other = serve(hello)
    host = serve(lambda handler: answer(handler, status=302, Location=f"http://127.0.0.1:{other.port}/"))
    with pytest.raises(OutboundAddressRefused):
        OutboundClient().with_allowed_servers(f"http://127.0.0.1:{host.port}/").get(f"http://127.0.0.1:{host.port}/")
    assert other.asked == []


def test_an_answer_that_ends_its_connection_is_read_to_its_end(serve: Callable[..., Host]) -> None:
    def slowly(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.send_header("Content-Length", "6")
        handler.end_headers()
        handler.wfile.flush()
        time.sleep(0.2)
        handler.wfile.write(b"at end")

    host = serve(slowly)
    assert client(host).get("http://esempio.example/").body == b"at end"
