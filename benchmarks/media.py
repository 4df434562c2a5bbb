"""Measure uploads: how much memory a large one takes, how long the sizes of a picture, and who waits meanwhile.

    python benchmarks/media.py

A throw-away site is served by one process of `vetrina serve`; its memory is what the system counts at its highest
(VmHWM, all that is resident). On a machine with other work look at the seconds of a processor. Pictures are noise,
which compresses badly, so they are slower than photographs.
"""

from __future__ import annotations

import base64
import http.client
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

ACCOUNT = {"login": "admin", "role": "administrator", "application_password": "open sesame"}
AUTHORIZATION = "Basic " + base64.b64encode(b"admin:open sesame").decode()
MEDIA = "/en/cms-json/cms/v2/media"
LARGE = 200 << 20  # bytes


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="vetrina-bench-") as folder, serving(Path(folder)) as (address, pids):
        first = highest(pids)
        print(f"at the start            {first:6} MB")
        status, seconds = upload(address, "large.zip", filled(LARGE), LARGE)
        print(f"200 MB file      {status}  {highest(pids):6} MB at most, {seconds:.2f} s")
        claim = bomb(30_000, 30_000)
        status, seconds = upload(address, "bomb.png", [claim], len(claim))
        print(f"30,000 x 30,000  {status}  {highest(pids):6} MB at most, {seconds:.3f} s, {len(claim)} bytes")
        photo = noise(4000, 3000)
        times = []
        before = worked(pids)
        for _ in range(5):
            status, seconds = upload(address, "photo.jpg", [photo], len(photo))
            times.append(seconds)
        each = (worked(pids) - before) / 5
        print(f"12 megapixels    {status}  {highest(pids):6} MB at most, {sorted(times)[2]:.2f} s (median of 5), "
              f"{each:.2f} s of a processor")  # fmt: skip
        waits: list[float] = []
        done = threading.Event()
        reader = threading.Thread(target=read, args=(address, done, waits))
        reader.start()
        large = noise(9504, 6336)
        status, seconds = upload(address, "large.jpg", [large], len(large))
        done.set()
        reader.join()
        print(f"61 megapixels    {status}  {highest(pids):6} MB at most, {seconds:.2f} s")
        waits.sort()
        print(f"others meanwhile      {len(waits)} answers, median {waits[len(waits) // 2] * 1000:.1f} ms, "
              f"slowest {waits[-1] * 1000:.0f} ms")  # fmt: skip


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Serve a throw-away site, and give its address and the numbers of its processes."""
    users = folder / "users.json"
    users.write_text(json.dumps([ACCOUNT]))
    command = [Path(sys.executable).with_name("vetrina"), "serve", "--ephemeral", "--port", "0", "--users", users]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert server.stdout is not None
        found = re.search(r"http://([^/]+)/", server.stdout.readline())
        assert found is not None
        get(found[1], "/en/cms-json/cms/v2/posts")
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        yield found[1], [server.pid, *map(int, children)]
    finally:
        server.terminate()
        server.wait()


def highest(pids: list[int]) -> int:
    """Return the megabytes of the process that ever had the most."""
    told = (re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()) for pid in pids)
    return max(int(one[1]) >> 10 for one in told if one)


def worked(pids: list[int]) -> float:
    """Return the seconds that the processes kept a processor busy."""
    fields = (Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split() for pid in pids)
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def upload(address: str, name: str, parts: Iterable[bytes], size: int) -> tuple[int, float]:
    connection = http.client.HTTPConnection(address, timeout=300)
    headers = {"authorization": AUTHORIZATION, "content-disposition": f"attachment; filename={name}",
               "content-length": str(size)}  # fmt: skip
    start = time.perf_counter()
    connection.request("POST", MEDIA, body=parts, headers=headers)
    answer = connection.getresponse()
    answer.read()
    seconds = time.perf_counter() - start
    connection.close()
    return answer.status, seconds


def get(address: str, path: str) -> float:
    connection = http.client.HTTPConnection(address, timeout=60)
    start = time.perf_counter()
    connection.request("GET", path, headers={"authorization": AUTHORIZATION})
    assert connection.getresponse().read()
    connection.close()
    return time.perf_counter() - start


def read(address: str, done: threading.Event, waits: list[float]) -> None:
    while not done.is_set():
        waits.append(get(address, "/en/cms-json/cms/v2/posts?context=edit"))
        time.sleep(0.01)


def filled(size: int) -> Iterator[bytes]:
    yield b"PK\3\4" + bytes((1 << 20) - 4)
    for _ in range((size >> 20) - 1):
        yield bytes(1 << 20)


def noise(width: int, height: int) -> bytes:
    out = io.BytesIO()
    image = Image.effect_noise((width // 4, height // 4), 80).convert("RGB").resize((width, height))
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """Return a PNG of some bytes that says it is of a certain size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(9))) + chunk(b"IEND", b"")


if __name__ == "__main__":
    main()
