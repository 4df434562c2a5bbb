"""A shop that is served by the real command, durable, for programs that put load on it or kill its processes.

It is of the second profile, on SQLite or PostgreSQL, with a few products of much stock, a coupon, and a peer that its
changes are synced to; established where that is asked, with posts, and two years of orders. Not here: what is asked of
it (deeds.py, soak.py).
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import build
import postgres

from vetrina.backends import database_schema
from vetrina.demo import many_orders
from vetrina.settings import load_profile, load_settings
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

__all__ = ["COUPON", "GOODS", "PATIENCE", "ROOT", "STOCK", "Deployment", "Line", "buyer", "deployed"]

ROOT = "/en/cms-json"
GOODS = 8  # products
STOCK = 10_000_000  # pieces of each
COUPON = "tenth"
PATIENCE = 60.0  # seconds that a process may take to begin, and a request to be answered
_PASSWORD = "pass word of the load"
_ORDERS_OF_A_BUYER = 4
_TWO_YEARS = 2 * 365 * 86_400  # seconds
_MILLION = 1_000_000
_VETRINA = Path(sys.executable).with_name("vetrina")
_SIGNED = {"Authorization": "Basic " + base64.b64encode(f"admin:{_PASSWORD}".encode()).decode()}


class Line:
    """One client: a connection that is opened when it is needed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: http.client.HTTPConnection | None = None
        self.headers: dict[str, str] = {}

    def ask(
        self, method: str, path: str, members: Any = None, *, content: bytes = b"", signed: bool = True, **named: str
    ) -> tuple[int, Any]:
        """Send a request and return status and decoded body, bytes where it is no JSON.

        path: beneath the API's root, or from // for the host's. named: headers, with _ for -.
        Raises OSError, http.client.HTTPException, after which the next request opens a connection anew.
        """
        headers = {name.replace("_", "-"): value for name, value in named.items()}
        if signed:
            headers |= _SIGNED
        if members is not None:
            content, headers["Content-Type"] = json.dumps(members).encode(), "application/json"
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            self._connection.request(
                method, path[1:] if path.startswith("//") else ROOT + path, content or None, headers
            )
            answer = self._connection.getresponse()
            body = answer.read()
        except BaseException:
            self.close()
            raise
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        try:
            return answer.status, json.loads(body)
        except ValueError:
            return answer.status, body

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Deployment:
    """A site in a folder, its server and its peer.

    products, posts: the numbers of what it sells and of what was written before it was served. buyers: how many bought.
    """

    def __init__(self, folder: Path, database: str, workers: int, errors: Path, options: Sequence[str] = ()) -> None:
        self.folder, self.database, self.workers, self._errors = folder, database, workers, errors
        self._options = options
        self.port, self._peer_port = _free_port(), _free_port()
        self.products: list[int] = []
        self.posts = range(0)
        self.buyers = 1
        self.process: subprocess.Popen[str] | None = None
        self._peer: subprocess.Popen[str] | None = None

    def keep(self, path: Path) -> None:
        """Write down what another run has to know to go on with the site."""
        kept = {"ports": [self.port, self._peer_port], "products": self.products, "buyers": self.buyers}
        path.write_text(json.dumps({**kept, "posts": [self.posts.start, self.posts.stop]}))

    def go_on(self, path: Path) -> None:
        """Serve the site that an earlier run kept, with its peer."""
        kept = json.loads(path.read_text())
        # The peer knows the site by its address, and the other way round.
        (self.port, self._peer_port), self.products, self.buyers = kept["ports"], kept["products"], kept["buyers"]
        self.posts = range(*kept["posts"])
        self.start()
        self._start_peer()

    # -- processes

    def start(self) -> None:
        """Serve the site at its port, as soon as whoever had it is gone."""
        until = time.monotonic() + PATIENCE
        while not _is_free(self.port):
            if time.monotonic() > until:
                raise SystemExit(f"port {self.port} is still taken by workers whose parent is gone")
            time.sleep(0.02)
        service = f'connector.service_url="http://127.0.0.1:{self._peer_port}"'
        self.process = self._started(
            "serve", "--site", self.folder, "--port", self.port, "--workers", self.workers, "--log", "error",
            "--set", service, *self._options,
        )  # fmt: skip

    def _start_peer(self) -> None:
        data = self.folder / "peer.sqlite"
        self._peer = self._started("connector-peer", "--data", data, "--port", self._peer_port, "--pull", "0.5")

    def _started(self, *words: object) -> subprocess.Popen[str]:
        with self._errors.open("a") as errors:
            process = subprocess.Popen(
                [_VETRINA, *map(str, words)], stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
            )
        assert process.stdout is not None
        if not re.search(r"http://[^ ]+", process.stdout.readline()):
            raise SystemExit(f"{words[0]} does not start: see {self._errors}")
        return process

    def children(self) -> tuple[list[int], list[int]]:
        """Return the processes of the workers and of the consumer of jobs."""
        assert self.process is not None
        workers, consumers = [], []
        with contextlib.suppress(OSError):
            for listed in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
                for number in map(int, listed.read_text().split()):
                    with contextlib.suppress(OSError):
                        name = Path(f"/proc/{number}/comm").read_text()
                        (consumers if name == "vetrina work\n" else workers).append(number)
        return workers, consumers

    def stop(self) -> None:
        """Stop the server in order."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
        if self.process is not None:
            self.process.communicate(timeout=PATIENCE)

    def close(self) -> None:
        """End everything at once."""
        for process in (self.process, self._peer):
            if process is not None and process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            if process is not None:
                process.communicate()

    # -- the site

    def fill(self) -> None:
        """Put goods into the shop and connect the site with its peer."""
        self._start_peer()
        line = Line(self.port)
        for number in range(GOODS):
            goods = {"name": f"Goods {number}", "type": "simple", "regular_price": f"{number + 1}.50"}
            self.products.append(_made(line, "/shop/v3/products", {
                **goods, "status": "publish", "manage_stock": True, "stock_quantity": STOCK,
            }))  # fmt: skip
        assert line.ask("PUT", "/shop/v3/payment_gateways/cheque", {"enabled": True})[0] == 200
        _made(line, "/shop/v3/coupons", {"code": COUPON, "discount_type": "percent", "amount": "10"})
        status, told = line.ask("POST", "/connector/v4/connection/register", {})
        assert status == 200, told
        parts = urlsplit(told["authorizeUrl"])
        assert Line(parts.port or 80).ask("GET", f"/{parts.path}?{parts.query}", signed=False)[0] == 200
        # Every change goes through the peer's buffers.
        line.ask("POST", "/connector/v4/sync/settings", {"sync_via_cron": 0})
        status, told = line.ask("POST", "/connector/v4/sync/full-sync", {})
        assert told == {"scheduled": True}, told
        line.close()

    def put_orders(self, orders: int) -> None:
        """Put orders of two years into the shop, while it is not served."""
        self.stop()
        self.buyers = max(1, orders // _ORDERS_OF_A_BUYER)
        site = Site(load_profile("second"), load_settings(self.folder), self.folder)
        many_orders.load_orders(site, self._drawn(orders), lambda _: None)
        many_orders.rebuild_reports(site, lambda _: None)
        site.close()
        self.start()

    def _drawn(self, orders: int) -> Iterator[many_orders.BulkOrder]:
        chance, now = random.Random(1), int(time.time())
        for number in range(orders):
            created = now - _TWO_YEARS + number * _TWO_YEARS // orders
            lines = [
                many_orders.BulkOrderLine(product, 0, f"Goods {product}", 1, chance.randint(1, GOODS) * _MILLION)
                for product in chance.sample(self.products, 2)
            ]
            billing = buyer(chance.randrange(self.buyers))
            yield many_orders.BulkOrder(created, "completed", "USD", billing, lines, further={
                "paid": created, "completed": created,
            })  # fmt: skip

    def peer(self, what: str) -> Any:
        """Ask the peer: pull, compare or state."""
        status, told = Line(self._peer_port).ask("POST", f"//{what}/1", signed=False)
        if status != 200:
            raise SystemExit(f"the peer answers {status} to {what}: {told}")
        return told

    def checked(self, *words: str) -> str:
        """Run a command on the site and return what it says, empty when all is well."""
        done = subprocess.run([_VETRINA, *words, "--site", self.folder], capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def buyer(number: int) -> dict[str, str]:
    """Return the address of one of those who buy."""
    return {
        "first_name": "Mara", "last_name": f"Neri {number}", "address_1": "1 Main St", "city": "Fresno", "state": "CA",
        "postcode": "93650", "country": "US", "phone": "555", "email": f"mara{number}@example.org",
    }  # fmt: skip


@contextmanager
def deployed(
    kind: str,
    folder: Path,
    workers: int = 2,
    *,
    posts: int = 0,
    orders: int = 0,
    database: str = "",
    options: Sequence[str] = (),
) -> Iterator[Deployment]:
    """Make a site, serve it and end it; one that was kept in the folder is gone on with. kind: sqlite or postgresql.

    posts, orders: that it has in the beginning. database: the URL of an empty one; else one is made. options: of
    `vetrina serve`.
    """
    site, kept = folder / "site", folder / "deployment.json"
    with contextlib.ExitStack() as stack:
        if kind == "postgresql" and not database:
            server = stack.enter_context(postgres.running(folder / "postgresql"))
            if not kept.exists():
                server.make("site")
            database = server.url("site")
        site.mkdir(exist_ok=kept.exists())
        (site / "vetrina.toml").write_text(
            f'profile = "second"\nsecret = "secret of the load"\ndatabase = {json.dumps(database)}\n'
        )
        if kept.exists():
            deployment = Deployment(site, database, workers, folder / "errors.txt", options)
            stack.callback(deployment.close)
            deployment.go_on(kept)
            yield deployment
            return
        made = Site(load_profile("second"), load_settings(site), site)
        database_schema.create_schema(made.database)
        with made.work() as work:
            bootstrap_site(work, [InitialAccount("admin", "administrator", application_password=_PASSWORD)])
        deployment = Deployment(site, database, workers, folder / "errors.txt", options)
        if posts:
            deployment.posts = build.put(made, posts)
        made.close()
        stack.callback(deployment.close)
        deployment.start()
        deployment.fill()
        if orders:
            deployment.put_orders(orders)
        deployment.keep(kept)
        yield deployment


def _made(line: Line, path: str, members: dict[str, Any]) -> int:
    status, told = line.ask("POST", path, members)
    if status != 201:
        raise SystemExit(f"{path} answers {status}: {told}")
    number: int = told["id"]
    return number


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
