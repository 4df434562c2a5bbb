"""Measure public pages: requests a second from the cache, against a bare server, and CPU time of an uncached page.

    python benchmarks/pages.py [--products 20000] [--seconds 2] [--kept build/bench] [--profile]

The site is the demonstration shop with so many products more, built once and reused. Cached pages are requested from
one server process over 8 connections, as in run.py; uncached ones from its application in process, each under a URL of
its own, so that the cache cannot answer. Aims: 70 % of the bare server; 5 ms for a post, 15 ms for 24 products.
Beside requests a second, which others on the machine take away, stands the CPU time of the server for an answer.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from run import HERE, PORT, compile_load, serve_site

from vetrina.access.users import rules as users
from vetrina.content.records import listing as record_listing, model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.types.registry import POST
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import rules as products
from vetrina.shop.products.product_types import PRODUCT
from vetrina.shop.settings.rules import get_shop_option
from vetrina.site import Site
from vetrina.site_factory import open_site

CONNECTIONS = 8
_BATCH = 500  # products of one transaction
_TURNS = 5  # of which the best counts
_PAGES = 40  # uncached pages in one turn
_WARM = 0.3  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--products", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row of cached pages")
    parser.add_argument("--kept", type=Path, default=Path("build/bench"), help="folder of the site")
    parser.add_argument("--profile", action="store_true", help="profile uncached pages instead")
    args = parser.parse_args()
    load, folder = compile_load(args.kept), args.kept / f"pages-{args.products}"
    if not folder.exists():
        _build(folder, args.products)
    site = open_site(folder)
    with site.work(read=True) as work:
        addresses = dict(_iterate_addresses(work))
    for name, address in addresses.items():
        asyncio.run(_measure_uncached(site, name, address, args.profile))
    site.close()
    if not args.profile:
        _measure_cached(load, folder, addresses, args.seconds)


def _build(folder: Path, count: int) -> None:
    """Make the demonstration shop, and so many products more."""
    command = [str(Path(sys.executable).with_name("vetrina")), "demo", "second", "--site", str(folder), "--orders", "0"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    site = open_site(folder)
    with site.work(read=True) as work:
        query = RecordQuery(type=PRODUCT.name, statuses=("publish",), per_page=100)
        owner = users.find_user_by_login(work.tx, "admin", site.context.roles)
        assert owner is not None
        pictures = [one.featured_media for one in record_listing.list_records(work, query)[0] if one.featured_media]
    for start in range(0, count, _BATCH):
        with site.work(owner) as work:
            for at in range(start, min(count, start + _BATCH)):
                price = Decimal(500 + at % 9000) / 100
                members = {
                    "name": f"Thing {at}",
                    "regular_price": str(price),
                    "images": [{"id": pictures[at % len(pictures)]}],
                }
                products.create_product(work, members)
    site.close()


def _iterate_addresses(work: UnitOfWork) -> Iterator[tuple[str, str]]:
    """Yield each page that is measured with its path."""

    def path(record: Record) -> str:
        return permalinks.build_permalink(work, work.site.types[record.type], record).removeprefix(work.origin)

    for name, type in (("a post", POST), ("a product", PRODUCT)):
        query = RecordQuery(type=type.name, statuses=("publish",), per_page=1)
        [found], _ = record_listing.list_records(work, query)
        yield name, path(found)
    shop = record_model.find_record(work.tx, int(get_shop_option(work, "shop_shop_page_id")))
    assert shop is not None
    yield "the catalogue", path(shop)
    yield "the front page", f"/{work.language}/"


async def _measure_uncached(site: Site, name: str, address: str, profile: bool) -> None:
    await _ask(site, address, "warm")
    profiler = cProfile.Profile() if profile else None
    best = float("inf")
    for turn in range(_TURNS):
        begun = time.process_time()
        if profiler is not None:
            profiler.enable()
        for at in range(_PAGES):
            await _ask(site, address, f"{turn}-{at}")
        if profiler is not None:
            profiler.disable()
        best = min(best, (time.process_time() - begun) / _PAGES)
    print(f"{f'{name}, uncached':<46} {best * 1000:>9.2f} ms of CPU   load {os.getloadavg()[0]:.1f}")
    if profiler is not None:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)


async def _ask(site: Site, address: str, again: str) -> None:
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": address, "query_string": f"again={again}".encode(),
        "headers": [(b"host", b"shop.example")], "client": ("127.0.0.1", 50000), "server": ("shop.example", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await site.app(scope, receive, send)
    if sent[0]["status"] != 200:
        raise SystemExit(f"{address} answered {sent[0]['status']}")


def _measure_cached(load: Path, folder: Path, addresses: dict[str, str], seconds: float) -> None:
    serve = [str(Path(sys.executable).with_name("vetrina")), "serve", "--site", str(folder), "--port", str(PORT)]
    granian = [str(Path(sys.executable).with_name("granian")), "--interface", "asgi", "--port", str(PORT), "--no-log"]
    pages, cached = {}, {}
    with serve_site(serve, PORT) as server:
        for name, address in addresses.items():
            pages[name] = subprocess.run(
                ["curl", "-s", f"http://127.0.0.1:{PORT}{address}"], check=True, capture_output=True
            ).stdout
            cached[name] = _measure_load(load, folder, address, seconds, server.pid)
    for name, page in pages.items():
        body = folder / "page.html"
        body.write_bytes(page)
        environment = {"BARE_BODY": str(body.resolve()), "PYTHONPATH": str(HERE.resolve())}
        with serve_site([*granian, "bare:app"], PORT, environment) as server:
            bare_rate, bare_time = _measure_load(load, folder, addresses[name], seconds, server.pid)
        rate, cpu = cached[name]
        print(
            f"{f'{name}, cached ({len(page):,} bytes)':<46} {rate:>9,.0f} /s  bare {bare_rate:>9,.0f} /s "
            f"{100 * rate / bare_rate:>5.0f} %   CPU {cpu * 1e6:,.0f} µs  bare {bare_time * 1e6:,.0f} µs "
            f"{100 * bare_time / cpu:>5.0f} %   load {os.getloadavg()[0]:.1f}"
        )


def _measure_load(load: Path, folder: Path, address: str, seconds: float, server: int) -> tuple[float, float]:
    """Return the answers a second of the server that runs, and its CPU time for one in seconds."""
    request = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n\r\n".encode()
    file = folder / "requests"
    file.write_bytes(b"%d\n%s" % (len(request), request))
    words = [str(load), "127.0.0.1", str(PORT), str(CONNECTIONS)]
    subprocess.run([*words, str(_WARM), str(file)], check=True, stdout=subprocess.DEVNULL)
    before = _read_cpu_time(server)
    answer = subprocess.run([*words, str(seconds), str(file)], check=True, capture_output=True)
    used = _read_cpu_time(server) - before
    found: dict[str, float] = json.loads(answer.stdout)
    if found["wrong"]:
        raise SystemExit(f"{address}: {found['wrong']} answers were not 2xx")
    return found["rate"], used / (found["rate"] * seconds)


def _read_cpu_time(process: int) -> float:
    """Return the CPU time of a process and of those below it, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    below = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_read_cpu_time(int(child)) for child in below)


if __name__ == "__main__":
    main()
