"""What a pool of connections and a replica cost and bring: PYTHONPATH=src python benchmarks/pools.py

One process, requests one after the other, nothing kept, 40 posts. The ways take turns; of each the best turn counts.
It starts servers of its own, as the tests do (tests/streaming_replica.py, tests/pgbouncer.py).
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from conftest import Stand, made
from pgbouncer import running_bouncer
from streaming_replica import running_pair
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

_TURNS = 5
_REQUESTS = 60


def _measure(ways: dict[str, Callable[[int], Any]]) -> dict[str, tuple[float, float]]:
    """Return milliseconds of wall and of processor for a call of each way."""
    best = dict.fromkeys(ways, (9e9, 9e9))
    number = 0
    for _ in range(_TURNS):
        for name, way in ways.items():
            wall, spent = time.perf_counter(), time.process_time()
            for _ in range(_REQUESTS):
                number += 1
                way(number)
            took = time.perf_counter() - wall, time.process_time() - spent
            best[name] = min(best[name][0], took[0]), min(best[name][1], took[1])
    return {name: (1000 * wall / _REQUESTS, 1000 * spent / _REQUESTS) for name, (wall, spent) in best.items()}


def main() -> None:
    with ExitStack() as stack:
        pair = stack.enter_context(running_pair())
        pool = stack.enter_context(running_bouncer(str(pair.primary.folder), 4))
        folder, name = Path(stack.enter_context(tempfile.TemporaryDirectory())), pair.new()
        first = made(folder, database=pair.primary.url(name), secret="secret of the tests")
        for number in range(40):
            Stand(first).client("admin").post("/cms/v2/posts", {"title": f"Post {number}", "status": "publish"})
        first.close()
        pair.catch_up()

        def open_site(url: str, *replicas: str) -> Stand:
            settings = Settings(
                secret="secret of the tests", database=url, database_replicas=replicas, cache_bytes=0,
                fragment_bytes=0, database_replica_lag=60.0,
            )  # fmt: skip
            site = Site(load_profile("first"), settings, folder, durable=True)
            stack.callback(site.close)
            return Stand(site)

        direct, pooled = open_site(pair.primary.url(name)), open_site(pool.url(name))
        copied = open_site(pair.primary.url(name), pair.replica.url(name))
        copied.client().get("/cms/v2/posts")
        while not copied.site.replicas.list_states()[0].is_used:
            time.sleep(0.05)

        def read(stand: Stand, **headers: str) -> Callable[[int], Any]:
            client = stand.client()
            return lambda number: client.get(f"/cms/v2/posts?n={number}", headers=headers)

        def write(stand: Stand) -> Callable[[int], Any]:
            client = stand.client("admin")
            return lambda number: client.post("/cms/v2/posts", {"title": f"New {number}"})

        token = {"consistency-token": "0/1"}
        found = _measure(
            {
                "list, direct": read(direct),
                "list, through the pool": read(pooled),
                "list, of a replica": read(copied),
                "list, of a replica, with a token": read(copied, **token),
                "create, direct": write(direct),
                "create, through the pool": write(pooled),
                "create, with its position": write(copied),
            }
        )
        for name, (wall, spent) in found.items():
            print(f"| {name} | {wall:.2f} | {spent:.2f} |")
        _print_share(copied)


def _print_share(stand: Stand) -> None:
    """Say which share of reads a replica takes while a tenth of the requests write."""
    states = stand.site.replicas.list_states
    client, token, before, reads = stand.client(), "", states()[0].reads, 0
    for number in range(1000):
        if number % 10 == 0:
            token = (
                stand.client("admin").post("/cms/v2/posts", {"title": f"Mixed {number}"}).headers["consistency-token"]
            )
            continue
        # Every third reader has just written.
        client.get(f"/cms/v2/posts?m={number}", headers={"consistency-token": token} if number % 3 == 0 else {})
        reads += 1
    print(f"a replica took {states()[0].reads - before} of {reads} reads")


if __name__ == "__main__":
    main()
