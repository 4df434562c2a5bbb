"""Failures are exceptions with the site's message, and only requests that are safe to repeat are retried."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable

import httpx2
import pytest

from vetrina.client import (
    ApiError,
    AsyncClient,
    Client,
    Conflict,
    Forbidden,
    InvalidParameters,
    NoAnswer,
    NotSignedIn,
    NotUnderstood,
    ServerError,
    TooManyRequests,
)
from vetrina.testing import LocalTestServer

Answers = Callable[[httpx2.Request], httpx2.Response]


def test_a_refusal_names_its_code_and_every_parameter(client: Client) -> None:
    with pytest.raises(InvalidParameters) as caught:
        client.posts.create(status="nonsense", author="nobody")
    error = caught.value
    assert (error.status, error.code, set(error.params)) == (400, "rest_invalid_param", {"status", "author"})
    assert error.data["details"]["status"]["code"] == "rest_not_in_enum"
    assert "rest_invalid_param" in str(error)


def test_refusals_are_told_apart_by_their_status(site: LocalTestServer) -> None:
    with pytest.raises(NotSignedIn):
        site.client(None).posts.create(title="x")
    with pytest.raises(Forbidden):
        site.client("subscriber").posts.create(title="x")
    with Client(site.url, ("admin", "wrong"), environment=False) as stranger, pytest.raises(NotSignedIn) as caught:
        stranger.me()
    assert caught.value.code == "incorrect_password"


def test_who_fails_too_often_is_told_how_long_to_wait(site: LocalTestServer) -> None:
    with Client(site.url, ("admin", "wrong"), environment=False, retries=0) as stranger:
        error: ApiError | None = None
        while not isinstance(error, TooManyRequests):
            error = _refused(stranger)
    assert error.retry_after is not None
    assert error.retry_after > 0


def test_nobody_at_the_address_is_no_answer() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with Client(address, retries=0, environment=False) as client, pytest.raises(NoAnswer):
        client.index()


def test_a_site_that_takes_too_long_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = Client(address, timeout=0.05, retries=0, environment=False)
        with client, pytest.raises(NoAnswer, match="in time"):
            client.index()


def test_what_is_no_interface_is_not_understood() -> None:
    for answer in (httpx2.Response(200, text="<html>"), httpx2.Response(301, headers={"Location": "https://other/"})):
        with _client(lambda request, told=answer: told) as client, pytest.raises(NotUnderstood):
            client.index()
    with _client(lambda request: httpx2.Response(502, text="<html>")) as client, pytest.raises(ServerError) as caught:
        client.posts.create(title="x")
    assert (caught.value.status, caught.value.code) == (502, "")
    with _client(lambda request: httpx2.Response(409, json={"code": "taken"})) as client, pytest.raises(Conflict):
        client.posts.create(title="x")


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_read_is_sent_again_when_the_site_asks_to_wait(status: int) -> None:
    seen = _Seen([httpx2.Response(status, headers={"Retry-After": "0"}), httpx2.Response(200, json={"name": "Quay"})])
    with _client(seen) as client:
        assert client.index()["name"] == "Quay"
    assert len(seen.requests) == 2


def test_a_write_is_never_sent_again() -> None:
    seen = _Seen([httpx2.Response(503, headers={"Retry-After": "0"}), httpx2.Response(201, json={})])
    with _client(seen) as client, pytest.raises(ServerError):
        client.posts.create(title="x")
    assert len(seen.requests) == 1


def test_attempts_end_and_a_long_wait_is_an_error_at_once() -> None:
    seen = _Seen([httpx2.Response(429, headers={"Retry-After": "0"}) for _ in range(9)])
    with _client(seen) as client, pytest.raises(TooManyRequests):
        client.index()
    assert len(seen.requests) == 3
    seen = _Seen([httpx2.Response(429, headers={"Retry-After": "31"})])
    with _client(seen) as client, pytest.raises(TooManyRequests) as caught:
        client.index()
    assert caught.value.retry_after == 31
    dated = httpx2.Response(429, headers={"Retry-After": "Fri, 31 Dec 2999 23:59:59 GMT"})
    with _client(_Seen([dated])) as client, pytest.raises(TooManyRequests) as caught:
        client.index()
    assert caught.value.retry_after is not None
    assert caught.value.retry_after > 1e9


def test_a_broken_line_is_tried_again_by_both_ways() -> None:
    def broken_once() -> Answers:
        seen: list[httpx2.Request] = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            seen.append(request)
            if len(seen) == 1:
                raise httpx2.ConnectError("broken")
            return httpx2.Response(200, json={"name": "Quay"})

        return answer

    with _client(broken_once()) as client:
        assert client.index()["name"] == "Quay"

    async def awaited() -> None:
        async with AsyncClient("http://site.example", transport=httpx2.MockTransport(broken_once())) as client:
            assert (await client.index())["name"] == "Quay"

    asyncio.run(awaited())


def test_no_secret_is_shown(site: LocalTestServer) -> None:
    from vetrina.client import ApplicationPassword, ConsumerKey, Session

    for credentials in (ApplicationPassword("a", "hush"), ConsumerKey("ck", "hush"), Session({"c": "hush"}, "hush")):
        assert "hush" not in repr(credentials)


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "https://", "https://a.example/?b=c"])
def test_an_address_that_cannot_be_is_refused_at_once(address: str) -> None:
    with pytest.raises(ValueError, match="no address of a site"):
        Client(address)
    with pytest.raises(ValueError, match="credentials"):
        Client("https://a:b@example.org")
    with pytest.raises(ValueError, match="known: neutral, wordpress"):
        Client("https://example.org", dialect="latin")


def test_the_address_of_the_interface_is_as_good_as_that_of_the_site() -> None:
    seen = _Seen([httpx2.Response(200, json=[]) for _ in range(3)])
    for address in ("http://site.example/sub", "http://site.example/sub/", "http://site.example/sub/wp-json/"):
        with Client(address, dialect="wordpress", transport=httpx2.MockTransport(seen)) as client:
            client.posts.list(categories=[1, 2], sticky=True).all()
    told = {str(request.url) for request in seen.requests}
    assert told == {"http://site.example/sub/wp-json/wp/v2/posts?categories%5B0%5D=1&categories%5B1%5D=2&sticky=true"}


def test_errors_can_be_caught_as_one(site: LocalTestServer) -> None:
    with pytest.raises(ApiError) as caught:
        site.client(None).users.get(999_999)
    assert json.dumps(dict(caught.value.data))


def _refused(client: Client) -> ApiError:
    with pytest.raises(ApiError) as caught:
        client.me()
    return caught.value


class _Seen:
    """Responds in turn, and records the requests."""

    def __init__(self, answers: list[httpx2.Response]) -> None:
        self.requests: list[httpx2.Request] = []
        self._answers = iter(answers)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return next(self._answers)


def _client(answers: Answers) -> Client:
    return Client("http://site.example", transport=httpx2.MockTransport(answers))
