"""Several large images at once take the memory of one, and other requests do not wait for them."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from PIL import Image

from cli.conftest import Made, Server, basic
from cli.test_serve import eventually
from conftest import Answer, Client, Stand
from memory import peak
from pictures import picture

MEDIA = "/cms/v2/media"
PLACES = 32  # image requests that may wait


def large(kind: str, mode: str, side: int = 4000) -> bytes:
    """Return an image with few bytes and many pixels."""
    out = io.BytesIO()
    image = Image.linear_gradient("L").resize((side, side), Image.Resampling.NEAREST).convert(mode)
    image.save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "RGB"), ("GIF", "P")])
def test_four_images_at_once_take_the_memory_of_one(
    serving: Callable[..., Server], made: Made, kind: str, mode: str
) -> None:
    smaller = "images.sizes={thumbnail={width=150,height=150}}"
    server = serving(
        "--site", made.folder, "--set", "decoding_megapixels=16", "--set", "images.longest=600", "--set", smaller
    )
    assert eventually(lambda: len(server.workers()) == 1)
    content = large(kind, mode)

    def upload(content: bytes) -> int:
        connection = server.connect()
        connection.timeout = 60
        headers = {
            "authorization": basic("admin", made.application_password),
            "content-disposition": f'attachment; filename="a.{kind.lower()}"',
        }
        connection.request("POST", urlsplit(server.root).path + "/cms/v2/media", content, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def grown(count: int, content: bytes) -> int:
        with ThreadPoolExecutor(count) as clients, peak(worker) as taken:
            assert list(clients.map(upload, [content] * count)) == [201] * count
        return taken.grown

    [worker] = server.workers()
    grown(4, large(kind, mode, 400))  # the libraries are imported by now
    one = grown(1, content)
    assert one < 160
    assert grown(4, content) < one + 30


# -- waiting


class Waiting:
    """Requests that wait for image memory, all of which is taken."""

    def __init__(self, site: Stand) -> None:
        self._memory, self._free, self._held = site.site.context.decoding, threading.Event(), threading.Event()
        self._clients = ThreadPoolExecutor(2 * PLACES)
        self._sent: list[Future[Answer]] = []
        self._holder = threading.Thread(target=self._hold)
        self._holder.start()
        self._held.wait(60)

    def _hold(self) -> None:
        with self._memory.hold(1 << 60):
            self._held.set()
            self._free.wait(60)

    def send(self, ask: Callable[[], Answer]) -> Future[Answer]:
        self._sent.append(self._clients.submit(ask))
        return self._sent[-1]

    def let_go(self) -> list[Answer]:
        self._free.set()
        self._holder.join(60)
        answers = [one.result(60) for one in self._sent]
        self._clients.shutdown()
        return answers


@pytest.fixture
def waiting(site: Stand) -> Iterator[Waiting]:
    found = Waiting(site)
    yield found
    found.let_go()


def upload(client: Client, content: bytes = picture(200, 100), name: str = "a.jpg") -> Answer:
    return client.post(MEDIA, body=content, headers={"content-disposition": f'attachment; filename="{name}"'})


@pytest.mark.in_process("its memory is held")
def test_who_waits_for_memory_keeps_nobody_else_waiting(
    site: Stand, author: Client, admin: Client, waiting: Waiting
) -> None:
    """As many uploads as there are threads, and more, wait; other requests that need a thread are answered."""
    uploads = [waiting.send(lambda: upload(author)) for _ in range(6)]
    for number in range(6):
        account = {"username": f"new{number}", "email": f"new{number}@example.org", "password": "long pass word"}
        made = waiting.send(lambda account=account: admin.post("/cms/v2/users", account))  # type: ignore[misc]
        assert made.result(20).status == 201
    plain = waiting.send(lambda: admin.get("/cms/v2/posts"))
    assert plain.result(20).status == 200
    assert not any(one.done() for one in uploads)
    assert all(answer.status in (200, 201) for answer in waiting.let_go())


@pytest.mark.in_process("its memory is held")
def test_more_than_may_wait_are_asked_to_come_again(site: Stand, author: Client, waiting: Waiting) -> None:
    uploads = [waiting.send(lambda: upload(author)) for _ in range(PLACES + 3)]
    eventually(lambda: sum(one.done() for one in uploads) == 3)
    refused = [one.result() for one in uploads if one.done()]
    assert [(one.status, one.code, one.headers["retry-after"]) for one in refused] == [
        (429, "rest_too_many_images", "10")
    ] * 3
    # A caller without the right to upload is refused, and takes no place in the queue.
    assert waiting.send(lambda: upload(site.client())).result(20).status == 401
    assert sorted(one.status for one in waiting.let_go()) == [201] * PLACES + [401] + [429] * 3
    assert upload(author).status == 201


@pytest.mark.in_process("its memory is held")
def test_what_cannot_be_decoded_gives_its_room_back(site: Stand, author: Client) -> None:
    whole = large("PNG", "RGB", 1500)
    for _ in range(5):
        assert upload(author, whole[: len(whole) // 2], "a.png").status == 400
    assert upload(author, whole, "a.png").status == 201
