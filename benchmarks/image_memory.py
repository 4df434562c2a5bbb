"""Upload several images of the largest size at once, in each format, and say how much memory the server takes.

    python benchmarks/image_memory.py [--megapixels 100] [--at-once 4] [--formats png,gif] [--images FOLDER]
        [--json FILE]

The server has one worker and its usual settings. Told for each format: megabytes of the worker before, at most and
afterwards, seconds until all are answered, and the slowest anonymous read meanwhile.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "jpeg": ("JPEG", {"quality": 85}),
    "progressive": ("JPEG", {"quality": 85, "progressive": True}),
    "png": ("PNG", {"compress_level": 1}),
    "gif": ("GIF", {}),
    "webp": ("WEBP", {"quality": 60, "method": 0}),
    "lossless": ("WEBP", {"lossless": True, "quality": 0, "method": 0}),
    "avif": ("AVIF", {"quality": 40, "speed": 10}),
}
_ENDINGS = {"JPEG": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
_PATIENCE = 600  # seconds


def made(folder: Path, name: str, megapixels: float) -> Path:
    """Return the path of an image of so many megapixels, which is made when it is not there."""
    kind, options = FORMATS[name]
    path = folder / f"{name}-{megapixels:g}.{_ENDINGS[kind]}"
    if not path.exists():
        Image.MAX_IMAGE_PIXELS = None
        side = int((megapixels * 1e6) ** 0.5)
        noise = Image.effect_noise((side // 8, side // 8), 60).resize((side, side))
        image = Image.merge("RGB", (noise, Image.linear_gradient("L").resize((side, side)), noise))
        if kind == "GIF":
            image = image.quantize(64, Image.Quantize.FASTOCTREE)
        image.save(path, kind, **options)
    return path


def megabytes(process: int, member: str) -> int:
    found = re.search(rf"{member}:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) >> 10 if found else 0


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, int, str, int]]:
    """Serve a fresh site and give host, port, the header that signs in, and the number of the worker's process."""
    command = str(Path(sys.executable).with_name("vetrina"))
    told = subprocess.run([command, "init", str(folder)], capture_output=True, text=True, check=True).stdout
    password = re.search(r"application password +(.+)", told)
    assert password
    server = subprocess.Popen(
        [command, "serve", "--site", str(folder), "--port", "0"], stdout=subprocess.PIPE, text=True
    )  # fmt: skip
    try:
        assert server.stdout is not None
        address = re.search(r"http://([^:/]+):(\d+)", server.stdout.readline())
        assert address
        time.sleep(2)
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        [worker] = [int(one) for one in children if Path(f"/proc/{one}/comm").read_text() != "vetrina work\n"]
        pair = base64.b64encode(f"admin:{password[1]}".encode()).decode()
        yield address[1], int(address[2]), f"Basic {pair}", worker
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


def uploaded(host: str, port: int, key: str, path: Path) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
    disposition = f'attachment; filename="{path.name}"'
    with path.open("rb") as content:
        connection.request(
            "POST", "/en/cms-json/cms/v2/media", content,
            {"authorization": key, "content-disposition": disposition, "content-length": str(path.stat().st_size)},
        )  # fmt: skip
        answer = connection.getresponse()
        answer.read()
    connection.close()
    return answer.status


def measured(host: str, port: int, key: str, worker: int, path: Path, at_once: int) -> dict[str, Any]:
    """Upload an image several times at once and return what it took."""
    Path(f"/proc/{worker}/clear_refs").write_text("5")  # the peak begins again
    before = megabytes(worker, "VmRSS")
    statuses: list[int] = []
    slowest = 0.0
    threads = [
        threading.Thread(target=lambda: statuses.append(uploaded(host, port, key, path))) for _ in range(at_once)
    ]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        asked = time.monotonic()
        connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
        connection.request("GET", f"/en/cms-json/cms/v2/posts?per_page=1&search={asked}")
        connection.getresponse().read()
        connection.close()
        slowest = max(slowest, time.monotonic() - asked)
        time.sleep(0.1)
    seconds = time.monotonic() - start
    return {
        "before": before, "peak": megabytes(worker, "VmHWM"), "after": megabytes(worker, "VmRSS"),
        "seconds": round(seconds, 1), "read_ms": round(slowest * 1000), "statuses": statuses,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megapixels", type=float, default=100)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--images", type=Path)
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        images = told.images or Path(folder)
        for name in told.formats.split(","):
            path = made(images, name, told.megapixels)
            with served(Path(folder) / f"site-{name}") as (host, port, key, worker):
                results[name] = found = measured(host, port, key, worker, path, told.at_once)
            print(f"{name:<12} {found}", flush=True)
    if told.json:
        told.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
