"""Put a mixed load on two workers for half an hour, and look whether anything fails, grows or slows down.

    python benchmarks/soak.py [--minutes 30] [--database sqlite|postgresql] [--rate 40] [--posts 100000]
        [--orders 100000] [--seed 1] [--json FILE] [--folder DIR]

The site is an established one, so that time is measured and not how it grows from nothing, and what a process may keep
of answers is full before the counting begins. Visitors read kept and other answers, search, fill carts and check out;
editors write, upload and send batches; a shop takes orders and reads reports; a peer pulls every change. Requests are
sent at a fixed rate, each timed from when it was due, so that one that has to wait counts as slow. After two minutes
of warming up: no answer may be an error, the memory of no process may have grown by more than a tenth from the first
five minutes to the last, and the p99 of the last five minutes may be 1.2 times that of the first at most. The exit
status is 1 otherwise.

With --folder a run goes on where the one before ended, with the same site: a day may be put together of parts. Its p99
is compared with the first five minutes of the first part, its memory with its own, as each part has new processes. A
run that is told to end (SIGTERM) sends no more, and counts as far as it came.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import platform
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deeds import picture
from deployment import COUPON, Deployment, Line, buyer, deployed

CLIENTS = 24
_READS = 30_000  # of single posts, that fill what two processes may keep of answers
_READERS = 8
_WARM = 120.0  # seconds of the load that are not counted
_SPAN = 300.0  # seconds of the first and the last part that are compared, a third of a shorter run
_SLOWER, _LARGER = 1.2, 1.1  # how much slower and larger the last part may be
_SKEW = 4  # half of what is read is of a sixteenth of the posts
_PARTS = "parts.json"  # in the folder: the figures of each
_SAMPLE = 5.0  # seconds between two looks at the memory
_WORDS = ("zucca", "barca", "lampada", "castello", "fiume", "vetrina", "mattone", "limone")


class Client(threading.Thread):
    """One of those who take turns at sending what is due.

    took: when each was due, after how many seconds it was answered, and what it was. wrong: answers that are errors.
    """

    def __init__(self, load: Load, number: int) -> None:
        super().__init__(daemon=True)
        self._load, self._line, self._cart = load, Line(load.deployment.port), ""
        self._random = random.Random(f"{load.seed} {number}")
        self._number, self._made = number, 0
        self.took: list[tuple[float, float, str]] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        kinds: dict[Callable[[], tuple[int, Any]], int] = {
            self.kept_list: 22, self.kept_post: 20, self.goods: 9, self.search: 6, self.signed_list: 9, self.orders: 4,
            self.write: 6, self.change: 6, self.upload: 3, self.order: 4, self.cart: 6, self.batch: 2, self.report: 3,
        }  # fmt: skip
        while (due := self._load.next_due()) is not None:
            do = self._random.choices(list(kinds), list(kinds.values()))[0]
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                status, told = do()
            except (OSError, http.client.HTTPException) as error:
                status, told = 0, repr(error)
            self.took.append((due, time.monotonic() - due, do.__name__))
            if status not in (200, 201, 207):
                self.wrong.append(f"{do.__name__}: {status} {str(told)[:300]}")
        self._line.close()

    def _post(self) -> int:
        return self._load.post(self._random)

    def _buyer(self) -> dict[str, str]:
        return buyer(self._random.randrange(self._load.deployment.buyers))

    def _title(self) -> str:
        self._made += 1
        return f"{self._random.choice(_WORDS)} {self._number}-{self._made}"

    def _text(self) -> str:
        return " ".join(self._random.choices(_WORDS, k=self._random.randint(20, 120)))

    def kept_list(self) -> tuple[int, Any]:
        return self._line.ask("GET", f"/cms/v2/posts?per_page=10&page={self._random.randint(1, 5)}", signed=False)

    def kept_post(self) -> tuple[int, Any]:
        return self._line.ask("GET", f"/cms/v2/posts/{self._post()}", signed=False)

    def goods(self) -> tuple[int, Any]:
        return self._line.ask("GET", "/shop/store/v1/products?per_page=8", signed=False)

    def search(self) -> tuple[int, Any]:
        return self._line.ask("GET", f"/cms/v2/posts?search={self._random.choice(_WORDS)}&per_page=10", signed=False)

    def signed_list(self) -> tuple[int, Any]:
        return self._line.ask("GET", "/cms/v2/posts?context=edit&per_page=20&status=any&orderby=modified")

    def orders(self) -> tuple[int, Any]:
        return self._line.ask("GET", "/shop/v3/orders?per_page=10")

    def write(self) -> tuple[int, Any]:
        status, told = self._line.ask(
            "POST", "/cms/v2/posts", {"title": self._title(), "content": self._text(), "status": "publish"}
        )
        if status == 201:
            self._load.posts.append(told["id"])
        return status, told

    def change(self) -> tuple[int, Any]:
        return self._line.ask("POST", f"/cms/v2/posts/{self._post()}", {"content": self._text()})

    def upload(self) -> tuple[int, Any]:
        name = self._title().replace(" ", "-")
        return self._line.ask(
            "POST", "/cms/v2/media", content=picture(name), Content_Type="image/png",
            Content_Disposition=f'attachment; filename="{name}.png"',
        )  # fmt: skip

    def order(self) -> tuple[int, Any]:
        goods = self._random.sample(self._load.deployment.products, 2)
        return self._line.ask("POST", "/shop/v3/orders", {
            "set_paid": True, "payment_method": "bacs", "billing": self._buyer(),
            "line_items": [{"product_id": one, "quantity": 1} for one in goods],
            "coupon_lines": [{"code": COUPON}] if self._random.random() < 0.3 else [],
        })  # fmt: skip

    def cart(self) -> tuple[int, Any]:
        """Fetch a cart, fill it, and in the end check out; a step each time."""
        if not self._cart:
            found = self._line.ask("GET", "/shop/store/v1/cart", signed=False)
            self._cart = self._line.headers["cart-token"]
            return found
        status, told = self._line.ask("GET", "/shop/store/v1/cart", signed=False, Cart_Token=self._cart)
        if status == 200 and len(told["items"]) < 2:
            one = {"id": self._random.choice(self._load.deployment.products), "quantity": 1}
            return self._line.ask("POST", "/shop/store/v1/cart/add-item", one, signed=False, Cart_Token=self._cart)
        address = self._buyer()
        told = {"billing_address": address, "shipping_address": address, "payment_method": "cheque"}
        found = self._line.ask("POST", "/shop/store/v1/checkout", told, signed=False, Cart_Token=self._cart)
        self._cart = ""
        return found

    def batch(self) -> tuple[int, Any]:
        parts = [
            {"path": "/cms/v2/posts", "body": {"title": self._title(), "content": self._text(), "status": "publish"}}
            for _ in range(5)
        ]
        return self._line.ask("POST", "/batch/v1", {"requests": parts})

    def report(self) -> tuple[int, Any]:
        what = self._random.choice(("orders/stats", "revenue/stats", "products", "customers"))
        return self._line.ask("GET", f"/shop-analytics/reports/{what}?per_page=10")


class Load:
    """What is sent: one request each so many seconds until the end, by whichever client is free."""

    def __init__(self, deployment: Deployment, rate: float, seconds: float, seed: str) -> None:
        self.deployment, self.seed = deployment, seed
        self.posts = list(deployment.posts)
        self._lock, self._sent, self._rate = threading.Lock(), 0, rate
        self.begun = 0.0
        self._all = int(seconds * rate)

    def begin(self) -> None:
        """Let the first request be due in a second."""
        self.begun = time.monotonic() + 1.0

    def post(self, chance: random.Random) -> int:
        """Return the number of a post, of a few far oftener than of most."""
        return self.posts[int(len(self.posts) * chance.random() ** _SKEW)]

    def next_due(self) -> float | None:
        """Return when the next request is due, None after the last."""
        with self._lock:
            self._sent += 1
            return self.begun + self._sent / self._rate if self._sent <= self._all else None

    def end(self) -> None:
        """Let no further request be due."""
        with self._lock:
            self._all = min(self._all, self._sent)

    @property
    def seconds(self) -> float:
        """For how long requests are due."""
        return self._all / self._rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0, help="after the warming up")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--rate", type=float, default=40.0, help="requests a second; far from what the machine can do")
    parser.add_argument("--posts", type=int, default=100_000, help="that are there in the beginning")
    parser.add_argument("--orders", type=int, default=100_000, help="that are there in the beginning, of two years")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where the figures are kept; build/soak-DATABASE.json if left out")
    parser.add_argument("--folder", type=Path, help="where the site stays, for runs that go on with it")
    args = parser.parse_args()
    # Ended like that, it ends what it started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    seconds, warm = args.minutes * 60, min(_WARM, args.minutes * 60 / 4)
    with contextlib.ExitStack() as stack:
        folder = args.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vetrina-soak-")))
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        parts = _read_parts(folder)
        with deployed(args.database, folder, posts=args.posts, orders=args.orders) as deployment:
            load = Load(deployment, args.rate, warm + seconds, f"{args.seed} {len(parts)}" if parts else f"{args.seed}")
            _read(load)
            load.begin()
            signal.signal(signal.SIGTERM, lambda *_: load.end())
            clients = [Client(load, number) for number in range(CLIENTS)]
            for client in clients:
                client.start()
            memory = _watched(deployment, clients, load.begun)
            checked = deployment.checked("check")
        if load.seconds <= warm:
            sys.exit("stopped")
        seconds = load.seconds - warm
        figures = _figures(clients, memory, load.begun + warm, seconds)
        figures["check"] = checked or "nothing"
        (folder / _PARTS).write_text(json.dumps([*parts, figures]))
    if parts:
        for kind, row in figures["milliseconds"].items():
            row["first"] = parts[0]["milliseconds"].get(kind, row)["first"]
        done = sum(part["requests"] for part in parts)
        print(f"part {len(parts) + 1}, after {done} requests; times are compared with the first part")
    figures["told"] = {
        "database": args.database, "minutes": round(seconds / 60, 1), "rate": args.rate, "posts": args.posts,
        "orders": args.orders, "seed": args.seed, "clients": CLIENTS,
        "machine": platform.processor() or platform.machine(), "cores": os.cpu_count(),
        "date": time.strftime("%Y-%m-%d"),
    }  # fmt: skip
    path = args.json or Path("build") / f"soak-{args.database}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=1) + "\n")
    missed = _shown(figures)
    print(f"kept in {path}")
    if missed:
        sys.exit(f"missed: {'; '.join(missed)}")


def _read_parts(folder: Path) -> list[dict[str, Any]]:
    """Return the figures of the parts that were run with the site of a folder."""
    path = folder / _PARTS
    return list(json.loads(path.read_text())) if path.exists() else []


def _read(load: Load) -> None:
    """Read posts as fast as they come, until the processes keep as many answers as they may."""

    def reader(number: int) -> None:
        line, chance = Line(load.deployment.port), random.Random(f"{load.seed} reader {number}")
        for _ in range(_READS // _READERS):
            line.ask("GET", f"/cms/v2/posts/{load.post(chance)}", signed=False)
        line.close()

    readers = [threading.Thread(target=reader, args=(number,)) for number in range(_READERS)]
    for one in readers:
        one.start()
    for one in readers:
        one.join()


# -- what is measured


def _watched(deployment: Deployment, clients: list[Client], begun: float) -> list[tuple[float, str, int]]:
    """Return the memory of every process at each look: seconds of the clock, its name, KiB that it has for itself."""
    assert deployment.process is not None
    found = []
    while any(client.is_alive() for client in clients):
        workers, consumers = deployment.children()
        named = {"first process": deployment.process.pid} | {
            f"{what} {number}": pid
            for what, pids in (("worker", workers), ("consumer", consumers))
            for number, pid in enumerate(sorted(pids), 1)
        }
        at = time.monotonic()
        for name, pid in named.items():
            with contextlib.suppress(OSError, StopIteration):
                found.append((at, name, _own_memory(pid)))
        done = sum(len(client.took) for client in clients)
        wrong = sum(len(client.wrong) for client in clients)
        if sys.stderr.isatty():
            print(f"\r{at - begun:6.0f} s  {done} requests  {wrong} errors ", end="", file=sys.stderr, flush=True)
        for client in clients:
            client.join(_SAMPLE / len(clients))
    return found


def _own_memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1])


def _figures(
    clients: list[Client], memory: list[tuple[float, str, int]], begun: float, seconds: float
) -> dict[str, Any]:
    span = min(_SPAN, seconds / 3)
    parts = {"first": (begun, begun + span), "last": (begun + seconds - span, begun + seconds)}
    took = [one for client in clients for one in client.took]
    rows: dict[str, Any] = {}
    for kind in ("all", *sorted({kind for _, _, kind in took})):
        row: dict[str, Any] = {}
        for name, (start, end) in parts.items():
            times = sorted(
                time for due, time, what in took if start <= due < end and kind in ("all", what)
            )  # fmt: skip
            row[name] = {"requests": len(times), "median": _at(times, 0.5), "p99": _at(times, 0.99)}
        rows[kind] = row
    held: dict[str, dict[str, float]] = {}
    for name in sorted({name for _, name, _ in memory}):
        held[name] = {}
        for part, (start, end) in parts.items():
            sizes = [size for at, what, size in memory if what == name and start <= at < end]
            held[name][part] = round(sum(sizes) / len(sizes) / 1024, 1) if sizes else 0.0
    wrong = Counter(line for client in clients for line in client.wrong)
    return {
        "seconds": span, "requests": len(took), "errors": dict(wrong.most_common(10)), "milliseconds": rows,
        "megabytes": held,
    }  # fmt: skip


def _at(times: list[float], share: float) -> float:
    return round(times[min(len(times) - 1, int(len(times) * share))] * 1000, 2) if times else 0.0


def _shown(figures: dict[str, Any]) -> list[str]:
    """Print the figures and return what was missed."""
    missed = []
    span = figures["seconds"] / 60
    print(f"{figures['requests']} requests; the first and the last {span:.1f} minutes")
    print(f"{'':<16}{'median ms':>20}{'p99 ms':>20}{'p99 ratio':>12}")
    for kind, row in figures["milliseconds"].items():
        first, last = row["first"], row["last"]
        ratio = last["p99"] / first["p99"] if first["p99"] else 0.0
        print(
            f"{kind:<16}{first['median']:>10.1f}{last['median']:>10.1f}{first['p99']:>10.1f}{last['p99']:>10.1f}{ratio:>12.2f}"
        )
        if kind == "all" and ratio > _SLOWER:
            missed.append(f"the p99 grew {ratio:.2f} times")
    print(f"{'':<16}{'MB':>20}")
    for name, held in figures["megabytes"].items():
        print(f"{name:<16}{held['first']:>10.1f}{held['last']:>10.1f}")
        if held["last"] > held["first"] * _LARGER:
            missed.append(f"{name} grew from {held['first']} to {held['last']} MB")
    print(f"errors: {sum(figures['errors'].values())}; vetrina check: {figures['check']}")
    for line, count in figures["errors"].items():
        print(f"- {count} x {line}")
    if figures["errors"]:
        missed.append(f"{sum(figures['errors'].values())} errors")
    if figures["check"] != "nothing":
        missed.append("vetrina check found something")
    return missed


if __name__ == "__main__":
    main()
