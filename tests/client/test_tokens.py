"""Signing in with tokens: they renew themselves once when they have run out, and end when the client signs out."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from vetrina.client import Client, NotSignedIn, Tokens
from vetrina.testing import LocalTestServer

PASSWORD = "a long own password"


@pytest.fixture
def signed_in(site: LocalTestServer, client: Client) -> tuple[Client, Tokens]:
    """A client in one of the dialects that is signed in as the administrator."""
    client.ask("POST", "/cms/v2/users/me", {"password": PASSWORD})
    login = str(client.me()["slug"])
    return client, client.sign_in(login, PASSWORD, name="script")


def test_a_client_renews_its_tokens_and_signs_out(site: LocalTestServer, signed_in: tuple[Client, Tokens]) -> None:
    client, tokens = signed_in
    kept: list[str] = []
    tokens.on_change = lambda one: kept.append(one.refresh)
    before = (tokens.access, tokens.refresh)
    assert client.me()["id"] == 1
    assert kept == []
    for _ in range(2):
        site.clock.travel(601)
        assert client.posts.create(title="Later")["id"]
    assert kept == [kept[0], tokens.refresh]
    assert len({*kept, before[1]}) == 3
    assert tokens.access != before[0]
    assert before[0] not in repr(tokens)
    client.sign_out()
    with pytest.raises(NotSignedIn):
        client.me()


def test_a_session_that_ended_is_told(site: LocalTestServer, signed_in: tuple[Client, Tokens]) -> None:
    client, _ = signed_in
    client.ask("DELETE", "/access/v1/sessions", query={"own": True})
    with pytest.raises(NotSignedIn) as caught:
        client.me()
    assert caught.value.code == "rest_token_session_ended"


def test_threads_renew_once(site: LocalTestServer, signed_in: tuple[Client, Tokens]) -> None:
    client, tokens = signed_in
    renewed: list[str] = []
    tokens.on_change = lambda one: renewed.append(one.access)
    site.clock.travel(601)
    with ThreadPoolExecutor(4) as pool:
        assert {one["id"] for one in pool.map(lambda _: client.me(), range(8))} == {1}
    assert len(renewed) == 1


def test_a_client_that_is_awaited_does_the_same(site: LocalTestServer, signed_in: tuple[Client, Tokens]) -> None:
    login = str(signed_in[0].me()["slug"])

    async def use() -> list[int]:
        async with site.async_client(None) as client:
            tokens = await client.sign_in(login, PASSWORD, scopes=["read"])
            renewed: list[str] = []
            tokens.on_change = lambda one: renewed.append(one.access)
            site.clock.travel(601)
            found = await asyncio.gather(*(client.me() for _ in range(4)))
            await client.sign_out()
            with pytest.raises(NotSignedIn):
                await client.me()
            assert len(renewed) == 1
            return [one["id"] for one in found]

    assert asyncio.run(use()) == [1] * 4
