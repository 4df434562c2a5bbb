"""Which requests run in threads: those that would wait for other writers, and none once the server stops."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.backends.database import Database
from vetrina.backends.group_commit import GroupCommit
from vetrina.http.offload import RequestExecutor, StartAllowance
from vetrina.kernel.errors import OtherWriterActive

pytestmark = pytest.mark.in_process("it looks at the threads of that process")

POSTS = "/cms/v2/posts"


class Writer:
    """A write that finds another writer in the loop while there is one; counts how often it was begun there."""

    def __init__(self) -> None:
        self.tries, self.contended = 0, True

    def run(self, begin: StartAllowance) -> str:
        if begin() is None:
            return "thread"
        self.tries += 1
        if self.contended:
            raise OtherWriterActive
        return "loop"


def build_executor() -> RequestExecutor:
    return RequestExecutor(1, 1000, lambda: nullcontext(GroupCommit()))


async def write(executor: RequestExecutor, writer: Writer, times: int) -> list[str]:
    return [(await executor.run_inline(writer.run, writes=True))[0] for _ in range(times)]


def test_writes_that_find_other_writers_are_soon_begun_in_a_thread_at_once() -> None:
    writer, executor = Writer(), build_executor()

    async def run() -> None:
        assert await write(executor, writer, 200) == ["thread"] * 200
        assert writer.tries < 15
        writer.contended = False
        assert set((await write(executor, writer, 40))[-8:]) == {"loop"}
        assert await write(executor, writer, 10) == ["loop"] * 10

    asyncio.run(run())
    executor.close()


def test_what_only_reads_begins_in_the_loop_whatever_writers_find() -> None:
    writer, executor = Writer(), build_executor()

    async def run() -> None:
        await write(executor, writer, 20)
        writer.contended = False
        assert (await executor.run_inline(writer.run))[0] == "loop"

    asyncio.run(run())
    executor.close()


@pytest.mark.every_database
def test_a_write_waits_for_another_one_and_is_done_once(site: Stand, admin: Client) -> None:
    database: Database = site.site.database
    locked, done = Event(), Event()

    def hold() -> None:
        with database.begin_write() as tx:
            tx.command("SELECT 1")
            locked.set()
            done.wait(10)

    with ThreadPoolExecutor(2) as pool:
        pool.submit(hold)
        assert locked.wait(10)
        answer = pool.submit(admin.post, POSTS, {"title": "Once", "status": "publish"})
        with pytest.raises(TimeoutError):
            answer.result(0.2)
        done.set()
        assert answer.result(20).status == 201
    assert [one["title"]["rendered"] for one in admin.get(POSTS, query={"search": "Once"}).json] == ["Once"]


def test_a_request_that_is_left_when_the_server_stops_is_told_so_without_an_error_in_the_log(
    site: Stand, admin: Client, caplog: pytest.LogCaptureFixture
) -> None:
    members: list[dict[str, Any]] = [{"path": POSTS, "body": {"title": f"Post {at}"}} for at in range(25)]
    assert {one["status"] for one in admin.post("/batch/v1", {"requests": members}).json["responses"]} == {201}
    site.site.app.close()
    with caplog.at_level(logging.WARNING):
        answer = admin.post("/batch/v1", {"requests": members})
    assert (answer.status, answer.code) == (503, "server_stopping")
    assert not caplog.records


def test_batches_run_one_after_the_other_for_as_long_as_that_takes_no_time() -> None:
    executor = RequestExecutor(3, 1000, lambda: nullcontext(GroupCommit()))
    running, goes_on, seen = [], Event(), list[int]()

    def work(waits: bool = False) -> None:
        running.append(1)
        seen.append(len(running))
        if waits:
            assert goes_on.wait(60)
        running.pop()

    async def run() -> None:
        await asyncio.gather(*(executor.run_batch(work) for _ in range(20)))
        assert seen == [1] * 20
        stuck = asyncio.create_task(executor.run_batch(lambda: work(waits=True)))
        while not running:
            await asyncio.sleep(0.01)
        # One that takes long holds up no other one for ever.
        await executor.run_batch(work)
        goes_on.set()
        await stuck

    asyncio.run(run())
    executor.close()
