"""The change feed as server-sent events: what is sent when, to whom, and when a stream ends."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson
import pytest

from conftest import Client, Stand, made
from vetrina.http import event_streams
from vetrina.http.event_streams import EventAnswer, EventStreamLimits
from vetrina.rest.call import EventPage

FEED, POSTS = "/cms/v2/changes", "/cms/v2/posts"
PATIENCE = 60.0  # seconds, on a busy machine
pytestmark = pytest.mark.in_process("streams are read from the application itself")


class Stream:
    """A stream as a client reads it. reads: whether the client takes what is sent."""

    def __init__(self, client: Client, query: dict[str, Any], headers: dict[str, str], reads: bool) -> None:
        named = {"host": "vetrina.test", "accept": "text/event-stream", **client.headers, **headers}
        self.scope = {
            "type": "http", "method": "GET", "scheme": "http", "path": client.root + FEED,
            "query_string": urlencode(query, doseq=True).encode(),
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
            "client": (client.remote, 50000), "server": ("vetrina.test", 80),
        }  # fmt: skip
        self.site, self.reads = client.site, reads
        self.status, self.headers, self.text, self.ended = 0, {}, "", False
        self.news, self.leaving = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        first = True

        async def receive() -> dict[str, Any]:
            nonlocal first
            if first:
                first = False
                return {"type": "http.request", "body": b"", "more_body": False}
            await self.leaving.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                if not self.reads:
                    await asyncio.Event().wait()
                self.text += message["body"].decode()
            self.news.set()

        await self.site.app(self.scope, receive, send)
        self.ended = True
        self.news.set()

    async def wait(self, until: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not until():
                self.news.clear()
                await self.news.wait()

    async def wait_end(self) -> None:
        await self.wait(lambda: self.ended)

    @property
    def events(self) -> list[dict[str, Any]]:
        """What a browser would be told: each event with its id as `cursor`."""
        out = []
        for block in self.text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "data" in fields:
                out.append({**orjson.loads(fields["data"]), "name": fields["event"], "last": int(fields["id"])})
        return out


@asynccontextmanager
async def streaming(
    client: Client, *, headers: dict[str, str] | None = None, reads: bool = True, **query: Any
) -> AsyncIterator[Stream]:
    """Open a stream, and leave it at the end of the block."""
    stream = Stream(client, query, headers or {}, reads)
    task = asyncio.ensure_future(stream.run())
    await stream.wait(lambda: bool(stream.status) and (not reads or bool(stream.text)))
    try:
        yield stream
    finally:
        stream.leaving.set()
        async with asyncio.timeout(PATIENCE):
            await task


async def write(client: Client, method: str, path: str, **members: Any) -> dict[str, Any]:
    """Send a request from another thread, as another worker would answer it."""
    answer = await asyncio.to_thread(client.ask, method, path, json=members)
    assert answer.status < 400, answer.json
    found: dict[str, Any] = answer.json
    return found


def add(client: Client, **members: Any) -> Any:
    return write(client, "POST", POSTS, title="A", **{"status": "publish", **members})


@pytest.mark.every_database
def test_a_change_is_told_within_a_second_of_its_commit(anyone: Client, editor: Client) -> None:
    async def follow() -> None:
        async with streaming(anyone) as stream:
            assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream; charset=UTF-8")
            assert stream.headers["cache-control"] == "no-store"
            assert stream.text.startswith("retry: ")
            # On a busy machine more is added to it than what is promised: one of several is told in time.
            for number in range(1, 21):
                post = await add(editor)
                started = time.perf_counter()
                await stream.wait(lambda number=number: len(stream.events) == number)
                took = time.perf_counter() - started
                if took < 1:
                    break
            event = stream.events[-1]
            assert (event["name"], event["id"], event["kind"]) == ("change", post["id"], "post")
            assert event["last"] == event["cursor"]
            assert event["tags"] == ["post", f"post-{post['id']}"]
            assert took < 1

    asyncio.run(follow())


def test_the_last_event_id_is_where_a_stream_goes_on(anyone: Client, editor: Client) -> None:
    async def follow() -> None:
        first, second = await add(editor), await add(editor)
        page = await asyncio.to_thread(anyone.get, FEED, query={"since": 0, "kinds": "post"})
        last = {"last-event-id": str(page.json["changes"][0]["cursor"])}
        async with streaming(anyone, headers=last, since=0, kinds="post") as stream:
            await stream.wait(lambda: bool(stream.events))
            assert [event["id"] for event in stream.events] == [second["id"]]
        async with streaming(anyone, since=0, kinds="post", per_page=1) as stream:
            await stream.wait(lambda: len(stream.events) == 2)
            assert [event["id"] for event in stream.events] == [first["id"], second["id"]]

    asyncio.run(follow())


def test_filters_choose_kinds_and_languages(anyone: Client, editor: Client, site: Stand) -> None:
    async def follow() -> None:
        async with streaming(anyone, kinds="post", lang="it") as stream:
            await write(editor, "POST", "/cms/v2/categories", name="Bread")
            await add(editor)
            post = await add(site.client("editor", "/it/cms-json"))
            await stream.wait(lambda: bool(stream.events))
            assert [event["id"] for event in stream.events] == [post["id"]]

    asyncio.run(follow())


def test_a_stream_is_asked_for_by_argument_too(anyone: Client, editor: Client) -> None:
    async def follow() -> None:
        async with streaming(anyone, headers={"accept": "*/*"}, stream="true") as stream:
            assert stream.headers["content-type"] == "text/event-stream; charset=UTF-8"

    asyncio.run(follow())


def test_a_cursor_that_the_log_never_reached_is_refused_as_ever(anyone: Client) -> None:
    async def follow() -> None:
        async with streaming(anyone, since=10**6) as stream:
            await stream.wait_end()
            assert (stream.status, orjson.loads(stream.text)["code"]) == (410, "rest_changes_gone")

    asyncio.run(follow())


def test_a_stream_ends_when_its_password_is_withdrawn(site: Stand, admin: Client, editor: Client) -> None:
    async def follow() -> None:
        made = await write(editor, "POST", "/cms/v2/users/me/application-passwords", name="Stream")
        other = Client(site.site, "editor", made["password"])
        async with streaming(other) as stream:
            await add(editor, status="draft")
            await stream.wait(lambda: bool(stream.events))
            await write(editor, "DELETE", f"/cms/v2/users/me/application-passwords/{made['uuid']}")
            draft = await add(editor, status="draft")
            await stream.wait_end()
            assert draft["id"] not in [event["id"] for event in stream.events]

    asyncio.run(follow())


def test_who_loses_a_role_hears_no_more_of_drafts(admin: Client, editor: Client) -> None:
    async def follow() -> None:
        me = await asyncio.to_thread(editor.get, "/cms/v2/users/me")
        async with streaming(editor, kinds="post") as stream:
            await add(admin, status="draft")
            await stream.wait(lambda: len(stream.events) == 1)
            await write(admin, "POST", f"/cms/v2/users/{me.json['id']}", roles=["subscriber"])
            await add(admin, status="draft")
            shown = await add(admin)
            await stream.wait(lambda: len(stream.events) == 2)
            assert stream.events[1]["id"] == shown["id"]

    asyncio.run(follow())


def test_a_stream_ends_when_its_account_is_gone(admin: Client, author: Client) -> None:
    async def follow() -> None:
        me = await asyncio.to_thread(author.get, "/cms/v2/users/me")
        async with streaming(author) as stream:
            await asyncio.to_thread(
                admin.delete, f"/cms/v2/users/{me.json['id']}", query={"force": True, "reassign": 1}
            )
            await stream.wait_end()

    asyncio.run(follow())


def test_streams_are_counted(tmp_path: Path) -> None:
    site = made(tmp_path, event_streams=3, event_streams_per_caller=2)
    here, there = Client(site), Client(site)
    there.remote = "192.0.2.7"

    async def follow() -> None:
        async with AsyncExitStack() as opened:
            streams = [await opened.enter_async_context(streaming(one)) for one in (here, here, here, there, there)]
            for refused, status in ((streams[2], 429), (streams[4], 503)):
                await refused.wait_end()
                assert (refused.status, orjson.loads(refused.text)["code"]) == (status, "rest_too_many_streams")
                assert refused.headers["retry-after"] == "10"
            assert site.app.event_streams.count() == 3
        assert site.app.event_streams.count() == 0, "those who left are not counted"
        async with streaming(here) as again:
            assert again.status == 200

    asyncio.run(follow())
    site.close()


def test_a_stream_ends_at_its_age_and_when_the_server_stops(tmp_path: Path) -> None:
    for folder in ("short", "site"):
        (tmp_path / folder).mkdir()
    short, site = made(tmp_path / "short", event_stream_seconds=1), made(tmp_path / "site")

    async def follow() -> None:
        async with streaming(Client(short)) as old, streaming(Client(site)) as stopped:
            await old.wait_end()
            assert not stopped.ended
            site.app._observability.shutdown_flag.begin_here()
            await stopped.wait_end()

    asyncio.run(follow())
    short.close()
    site.close()


def test_a_client_that_does_not_read_is_dropped(
    anyone: Client, editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "_SEND_TIMEOUT", 0.2)

    async def follow() -> None:
        async with streaming(anyone, reads=False) as stream:
            await stream.wait_end()
        assert anyone.site.app.event_streams.count() == 0

    asyncio.run(follow())


def test_a_quiet_stream_is_kept_alive_by_comments(anyone: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "_HEARTBEAT", 0.1)

    async def follow() -> None:
        async with streaming(anyone) as stream:
            await stream.wait(lambda: "\n\n:\n\n" in stream.text)

    asyncio.run(follow())


def test_what_is_not_told_moves_the_cursor_all_the_same(anyone: Client, editor: Client) -> None:
    async def follow() -> None:
        async with streaming(anyone) as stream:
            start = stream.text
            await add(editor, status="draft")
            await stream.wait(lambda: stream.text != start)
            assert stream.events == []
            assert int(stream.text.rsplit("id: ", 1)[1]) > int(start.rsplit("id: ", 1)[1])

    asyncio.run(follow())


def test_pages_of_other_origins_may_follow(anyone: Client) -> None:
    async def follow() -> None:
        async with streaming(anyone, headers={"origin": "https://front.test"}) as stream:
            assert stream.headers["access-control-allow-origin"] == "https://front.test"

    asyncio.run(follow())
    asked = {"origin": "https://front.test", "access-control-request-headers": "last-event-id"}
    assert "last-event-id" in anyone.options(FEED, headers=asked).headers["access-control-allow-headers"].lower()


def test_closing_waits_for_the_look_at_the_log() -> None:
    """What the thread reads from is closed next: reading on would bring the process down."""
    reading, looks = threading.Event(), list[str]()

    def read_slowly() -> int:
        reading.set()
        time.sleep(0.2)
        looks.append("ended")
        return 1

    async def follow() -> None:
        limits = EventStreamLimits(total=1, per_caller=1, seconds=60)
        streams = event_streams.EventStreams(limits, read_slowly, lambda: False)
        first = EventAnswer(EventPage("change", "changes", (), 0, 0, False, "since"), [], 0)

        async def receive() -> dict[str, Any]:
            await asyncio.to_thread(reading.wait)
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            pass

        async def ask_again(position: int) -> None:
            return None

        running = asyncio.ensure_future(streams.open("somebody", first, ask_again).run([], receive, send))
        await asyncio.to_thread(reading.wait)
        running.cancel()
        streams.close()
        assert looks == ["ended"]

    asyncio.run(follow())


def test_a_stream_that_is_open_at_the_end_looks_no_more(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "_LOOK_INTERVAL", 0.01)
    monkeypatch.setattr(event_streams, "_WAKE_INTERVAL", 0.01)
    looks, stopping = list[int](), threading.Event()

    def read() -> int:
        looks.append(1)
        return 0

    async def follow() -> None:
        limits = EventStreamLimits(total=1, per_caller=1, seconds=60)
        streams = event_streams.EventStreams(limits, read, stopping.is_set)
        first = EventAnswer(EventPage("change", "changes", (), 0, 0, False, "since"), [], 0)

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            pass

        async def ask_again(position: int) -> None:
            return None

        running = asyncio.ensure_future(streams.open("somebody", first, ask_again).run([], receive, send))
        while not looks:
            await asyncio.sleep(0)
        streams.close()
        seen = len(looks)
        for _ in range(5):
            await asyncio.sleep(0.01)
        assert len(looks) == seen
        stopping.set()
        await running

    asyncio.run(follow())
    assert [one.message for one in caplog.records] == []
