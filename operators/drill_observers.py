"""Who watches a cluster and its site while primaries are taken away: writers to each machine, readers, a webhook's end.

Not here: who writes to the site (benchmarks/deeds.py), what is compared afterwards (failover.py).
"""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import time
from collections import defaultdict, deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import psycopg
from deployment import Deployment, Line
from patroni_cluster import Cluster, Node

_REMEMBERED: Final = 1000  # writes of the probe
_SECRET: Final = "secret of the receiver"


class Probe:
    """When each machine took a write: asked by a client of its own that does nothing else."""

    def __init__(self, cluster: Cluster) -> None:
        self._found: dict[str, tuple[float, float]] = {}
        self._writes: deque[tuple[float, float]] = deque(maxlen=_REMEMBERED)
        self._ended = threading.Event()
        self.threads = [threading.Thread(target=self._ask, args=(node,), daemon=True) for node in cluster.nodes]

    def find_success(self, since: float, old: str) -> float | None:
        """Return when the first write had been made that was begun after a time; old: a machine that does not count."""
        ends = [end for name, (begun, end) in list(self._found.items()) if begun > since and name != old]
        return min(ends, default=None)

    def find_stall(self, since: float, until: float) -> float:
        """Return how long a write took that was begun between two times: one may pass before a follower is there."""
        return max((end - begun for begun, end in list(self._writes) if since <= begun <= until), default=0.0)

    def stop(self) -> None:
        self._ended.set()

    def _ask(self, node: Node) -> None:
        address = (
            f"host={node.address} user=postgres dbname=postgres connect_timeout=2 tcp_user_timeout=2000 "
            "keepalives_idle=1 keepalives_interval=1 keepalives_count=2 target_session_attrs=read-write"
        )
        while not self._ended.wait(0.1):
            begun = time.monotonic()
            with contextlib.suppress(psycopg.Error), psycopg.connect(address) as connection:
                connection.execute("SELECT pg_logical_emit_message(true, 'drill', '')")
                connection.commit()
                self._found[node.name] = begun, time.monotonic()
                self._writes.append(self._found[node.name])


class Counters(threading.Thread):
    """Somebody who counts in a post, and several who read it without signing in.

    last, waits: as those of a Writer. stale: reads of less than what had been acknowledged when they were sent.
    """

    _READERS: Final = 3

    def __init__(self, deployment: Deployment) -> None:
        super().__init__(daemon=True)
        self._deployment, self._ended = deployment, threading.Event()
        self._acknowledged = self.reads = 0
        self.last, self.waits, self.stale = 0.0, list[tuple[int, float]](), list[str]()
        line = Line(deployment.port)
        status, told = line.ask("POST", "/cms/v2/posts", {"title": "Counted", "content": "0", "status": "publish"})
        line.close()
        if status != 201:
            raise SystemExit(f"the first post is refused: {told}")
        self._post = told["id"]
        self._reads = [threading.Thread(target=self._read, daemon=True) for _ in range(self._READERS)]

    def stop(self) -> None:
        self._ended.set()

    def run(self) -> None:
        line = Line(self._deployment.port)
        for thread in self._reads:
            thread.start()
        for number in itertools.count(1):
            if self._ended.wait(0.05):
                break
            with contextlib.suppress(OSError, ConnectionError):
                status, _ = self._ask(line, "POST", f"/cms/v2/posts/{self._post}", {"content": str(number)})
                if status == 200:
                    self._acknowledged, self.last = number, time.monotonic()
        for thread in self._reads:
            thread.join()
        line.close()

    def _read(self) -> None:
        line = Line(self._deployment.port)
        while not self._ended.wait(0.03):
            acknowledged = self._acknowledged
            with contextlib.suppress(OSError, ConnectionError):
                status, told = self._ask(line, "GET", f"/cms/v2/posts/{self._post}", signed=False)
                if status == 200:
                    self.reads += 1
                    text = told["content"]["rendered"]
                    number = int("".join(filter(str.isdigit, text)))
                    if number < acknowledged:
                        self.stale.append(f"a reader saw {number} when {acknowledged} had been acknowledged")
                elif status != 503:
                    self.stale.append(f"a reader was answered {status}: {str(told)[:200]}")
        line.close()

    def _ask(self, line: Line, *words: Any, **named: Any) -> tuple[int, Any]:
        begun, status = time.monotonic(), 0
        try:
            status, told = line.ask(*words, **named)
        finally:
            self.waits.append((status, time.monotonic() - begun))
        return status, told


class Receiver(contextlib.AbstractContextManager["Receiver"]):
    """Takes what a webhook tells. told: the names of the messages by the order that they are about."""

    def __init__(self) -> None:
        self.told = defaultdict[int, set[str]](set)
        self.repeated = 0
        receiver = self

        class _Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                name = next((value for key, value in self.headers.items() if key.lower().endswith("delivery-id")), "")
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    order = json.loads(body)["id"]
                    receiver.repeated += name in receiver.told[order]
                    receiver.told[order].add(name)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def register(self, deployment: Deployment) -> None:
        """Have the shop tell of each new order."""
        line = Line(deployment.port)
        hook = {"name": "Drill", "topic": "order.created", "delivery_url": self.address, "secret": _SECRET}
        status, told = line.ask("POST", "/shop/v3/webhooks", hook)
        if status != 201:
            raise SystemExit(f"the webhook is refused: {told}")
        line.close()

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
