"""Take the primary of a PostgreSQL cluster away from a served shop, again and again, and look what became of it.

    python operators/failover.py [--drills 50] [--seed 1] [--only kill,switch …] [--clients 4] [--workers 3]
                                 [--bound 2] [--folder DIR]

Three machines (namespaces of this one: patroni_cluster.py) have etcd, Patroni and PostgreSQL with synchronous commit to
one; the site has all three in its URL and finds the primary by `target_session_attrs=read-write`. Clients write
content, uploads, orders and posts for later, others read what changes all the time, a webhook is told of each order
and a peer pulls every change. Meanwhile, in an order that the seed decides, the primary

    kill    loses PostgreSQL and Patroni by kill -9, and gets them back later
    crash   loses PostgreSQL alone by kill -9
    cut     loses every packet, from everybody
    split   cannot reach the other two machines any more; the site still reaches it
    fill    has no byte left on its disk; switched over by hand where Patroni does not do it
    switch  is told to hand over (what `patronictl switchover` does)
    freeze  stops where it is (SIGSTOP), while its kernel goes on acknowledging; only where --only names it

After each, before the next: nothing acknowledged is missing or there twice, nothing refused with 503 was done, no
answer was another one than good or 503, no reader saw less than what was acknowledged when it asked, each client has an
answer within two seconds after the cluster takes writes again (and what a lone write waits for there), and the workers
are the same processes. At the end all is looked at as benchmarks/kills.py does. The exit status is 1 where anything was
wrong, 2 where it cannot be run here.

    apt-get install -y --no-install-recommends postgresql patroni etcd-server etcd-client
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict, deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import psycopg
from patroni_cluster import PATIENCE, Cluster, Missing, Node, running_cluster

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

from deed_checks import find_faults
from deeds import Deed, Writer
from deployment import Deployment, Line, deployed

_KINDS: Final = ("kill", "crash", "cut", "split", "fill", "switch")
_PAUSE: Final = 0.15  # seconds; the longest pause of a client between two deeds
_GOES_ON: Final = 4.0  # seconds for which a full disk is left to Patroni
_LONGEST: Final = 1.0  # seconds of load before each drill, drawn up to that
_PATIENCE: Final = 60.0  # seconds without an answer, after which a drill is given up
_REMEMBERED: Final = 1000  # writes of the probe
_SHOWN: Final = 40  # findings that are written out
_SECRET: Final = "secret of the receiver"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(_KINDS), metavar="KINDS", help="of these kinds, separated by commas")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--bound", type=float, default=2.0, help="seconds to a client's answer; more on a busy machine")
    parser.add_argument("--folder", type=Path, help="where site and logs are made, and stay; else one that is removed")
    args = parser.parse_args()
    kinds = args.only.split(",")
    if unknown := set(kinds) - {*_KINDS, "freeze"}:
        parser.error(f"--only: {', '.join(sorted(unknown))} is none of {', '.join(_KINDS)}, freeze")
    # Ended like that, it ends what it started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with contextlib.ExitStack() as stack:
        folder = args.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vetrina-failover-")))
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        try:
            cluster = stack.enter_context(running_cluster(folder))
        except Missing as error:
            print(error, file=sys.stderr)
            sys.exit(2)
        cluster.make_database("site")
        receiver = stack.enter_context(_Receiver())
        options = ("--set", f'webhook_servers=["{receiver.address}"]')
        deployment = stack.enter_context(
            deployed("postgresql", folder, args.workers, database=cluster.url("site"), options=options)
        )
        drill = _Drill(cluster, deployment, receiver, args.seed, args.clients, args.bound)
        found = drill.run(args.drills, kinds)
    for line in found[:_SHOWN]:
        print(f"- {line}")
    if found:
        sys.exit(f"{len(found)} faults")
    print("Everything that was acknowledged is there, once, and fits together.")


class _Drill:
    """Drills one after the other under one load."""

    def __init__(
        self, cluster: Cluster, deployment: Deployment, receiver: _Receiver, seed: int, clients: int, bound: float
    ) -> None:
        self._bound = bound
        self._cluster, self._deployment, self._receiver, self._seed = cluster, deployment, receiver, seed
        self._chance = random.Random(f"{seed} drills")
        self._probe = _Probe(cluster)
        self._writers = [Writer(deployment, f"c{number}", f"{seed} c{number}", _PAUSE) for number in range(clients)]
        self._counters = _Counters(deployment)
        self._looked = 0  # the number of the newest post that was looked at
        self._told = Counter[str]()
        self._switched = 0  # how often a full disk did not make Patroni act

    def run(self, drills: int, kinds: list[str]) -> list[str]:
        """Do so many drills, fewer where something is wrong; return what is wrong."""
        self._receiver.register(self._deployment)
        pids = self._deployment.children()
        began, found, times = time.monotonic(), list[str](), defaultdict[str, list[tuple[float, float, float]]](list)
        print(f"{drills} drills of {', '.join(kinds)}, seed {self._seed}", flush=True)
        for thread in (*self._writers, self._counters, *self._probe.threads):
            thread.start()
        # Each kind as often as the others, in an order that is drawn.
        order = (kinds * (drills // len(kinds) + 1))[:drills]
        self._chance.shuffle(order)
        for number, kind in enumerate(order, 1):
            time.sleep(self._chance.uniform(0, _LONGEST))
            found += self._do(number, kind, times[kind])
            if self._deployment.children() != pids:
                found.append(
                    f"drill {number} ({kind}): the workers are {self._deployment.children()}, they were {pids}"
                )
            if found:
                print(*found, sep="\n", flush=True)
                break
        deeds = self._end()
        for kind, triples in filter(lambda one: one[1], times.items()):
            back, later, longest = (sorted(column) for column in zip(*triples, strict=True))
            print(
                f"{kind}: {len(triples)} times; the cluster took writes after {_middle(back):.1f} s ({back[-1]:.1f} at "
                f"most), every client had an answer {_middle(later):.2f} s later ({later[-1]:.2f}), the longest answer "
                f"{longest[-1]:.1f} s"
            )
        if self._switched:
            print(f"fill: {self._switched} of them switched over by hand")
        made = Counter(deed.kind for deed in deeds if deed.id)
        print(
            f"{sum(map(len, times.values()))} drills in {time.monotonic() - began:.0f} s; acknowledged: {dict(made)}, "
            f"unknown: {sum(not deed.id for deed in deeds)}, refused: {sum(deed.is_refused for deed in deeds)}; "
            f"answers: {dict(self._told)}; {self._counters.reads} reads; wrong: {len(found)}",
            flush=True,
        )
        return found or self._look_at_all(deeds)

    # -- one drill

    def _do(self, number: int, kind: str, times: list[tuple[float, float, float]]) -> list[str]:
        primary = self._cluster.find_primary()
        if primary is None:
            return [f"drill {number}: there is no primary"]
        for writer in self._writers:
            self._told.update(str(status) for status, _ in writer.waits)
            writer.waits.clear()
        self._counters.waits.clear()
        begun = time.monotonic()
        self._hurt(kind, primary)
        try:
            # Only one that lost PostgreSQL alone may be the primary again.
            old = "" if kind == "crash" else primary.name
            back = self._wait(lambda: self._probe.find_success(begun, old), "the cluster takes no writes")
            clients = (*self._writers, self._counters)
            self._wait(lambda: all(client.last > back for client in clients), "some clients have no answer")
            answered = max(client.last for client in clients)
            later = max(0.0, min(answered, time.monotonic()) - back)
            longest = max(seconds for client in clients for _, seconds in client.waits)
            stalled = self._probe.find_stall(back, answered)
            primary.heal()
            self._cluster.wait_until_whole()
        except TimeoutError as error:
            return [f"drill {number} ({kind} of {primary.name}): {error}"]
        times.append((back - begun, later, longest))
        found = [line for writer in self._writers for line in writer.refused] + self._counters.stale
        if later > self._bound + stalled:
            found.append(f"some client had its first answer {later:.1f} s after the cluster took writes")
        found += self._look_at_new()
        refused = sum(status == 503 for client in clients for status, _ in client.waits)
        lost = sum(status == 0 for client in clients for status, _ in client.waits)
        print(
            f"{number}: {kind} of {primary.name}: writes after {back - begun:.2f} s, all clients {later:.2f} s later "
            f"(a lone write took {stalled:.2f} s), longest answer {longest:.1f} s, {refused} of 503, {lost} lost; "
            f"whole after {time.monotonic() - begun:.0f} s; wrong: {len(found)}",
            flush=True,
        )
        return [f"drill {number} ({kind} of {primary.name}): {line}" for line in found]

    def _hurt(self, kind: str, primary: Node) -> None:
        match kind:
            case "kill":
                primary.kill()
            case "crash":
                primary.crash()
            case "cut":
                primary.cut_off()
            case "split":
                primary.isolate()
            case "freeze":
                primary.freeze()
            case "fill":
                primary.fill_disk()
                until = time.monotonic() + _GOES_ON
                while self._cluster.find_primary() is primary and time.monotonic() < until:
                    time.sleep(0.2)
                if self._cluster.find_primary() is primary:
                    self._switched += 1
                    self._cluster.switch_over()
            case "switch":
                self._cluster.switch_over()

    def _wait(self, look: Any, trouble: str) -> Any:
        until = time.monotonic() + _PATIENCE
        while not (found := look()):
            if time.monotonic() > until:
                raise TimeoutError(f"{trouble} for {_PATIENCE:.0f} s")
            time.sleep(0.01)
        return found

    # -- what is there afterwards

    def _look_at_new(self) -> list[str]:
        """Return what is wrong with the posts and orders since the last look."""
        line, wrong = Line(self._deployment.port), list[str]()
        over = [deed for writer in self._writers for deed in list(writer.deeds) if deed.is_over]
        newest = self._looked
        for kinds, path, name in (
            (("post", "later"), "/cms/v2/posts?status=any&context=edit&_fields=id,title", "title"),
            (("order",), "/shop/v3/orders?_fields=id,transaction_id", "transaction_id"),
        ):
            # A page may begin with what the one before ended with, as others write meanwhile.
            stored = defaultdict[str, set[int]](set)
            for one in self._list_newest(line, path, self._looked):
                stored[one["title"]["raw"] if name == "title" else one[name]].add(one["id"])
                newest = max(newest, one["id"])
            for deed in over:
                there = sorted(stored.get(deed.key, ()))
                if deed.kind not in kinds or 0 < deed.id <= self._looked:
                    continue
                if len(there) > 1:
                    wrong.append(f"{deed.kind} {deed.key} is there {len(there)} times: {there}")
                elif deed.id and there != [deed.id] and not deed.known.get("removed") and "removed" not in deed.open:
                    # A list skips one where others remove some between two of its pages.
                    status, told = line.ask("GET", f"{path.partition('?')[0]}/{deed.id}?context=edit")
                    seen = status == 200 and (told["title"]["raw"] if name == "title" else told[name])
                    if there or seen != deed.key:
                        wrong.append(
                            f"{deed.kind} {deed.key} was acknowledged as {deed.id}, there is {there}, and {deed.id} is "
                            f"answered {status}"
                        )
                elif deed.is_refused and not deed.id and there:
                    wrong.append(f"{deed.kind} {deed.key} was refused with 503 and is there as {there}")
        line.close()
        # What was under way may have a smaller number than what was looked at.
        self._looked = max(0, newest - 200)
        return wrong

    def _list_newest(self, line: Line, path: str, after: int) -> Any:
        for page in itertools.count(1):
            status, found = line.ask("GET", f"{path}&orderby=id&order=desc&per_page=100&page={page}")
            if status != 200:
                return
            yield from found
            if len(found) < 100 or found[-1]["id"] <= after:
                return

    def _end(self) -> list[Deed]:
        for thread in (*self._writers, self._counters):
            thread.stop()
        for thread in (*self._writers, self._counters):
            thread.join()
        self._probe.stop()
        for writer in self._writers:
            self._told.update(str(status) for status, _ in writer.waits)
        return [deed for writer in self._writers for deed in writer.deeds]

    def _look_at_all(self, deeds: list[Deed]) -> list[str]:
        orders = {deed.id for deed in deeds if deed.kind == "order" and deed.id}
        found = find_faults(self._deployment, deeds)
        until = time.monotonic() + PATIENCE
        while orders - self._receiver.told.keys() and time.monotonic() < until:
            time.sleep(0.2)
        missing = orders - self._receiver.told.keys()
        found += [f"the webhook was never told of order {order}" for order in sorted(missing)]
        found += [
            f"the webhook was told of order {order} by {len(names)} messages"
            for order, names in self._receiver.told.items()
            if len(names) > 1
        ]
        print(
            f"The webhook was told of {len(self._receiver.told)} orders; {self._receiver.repeated} messages came twice."
        )
        return found


class _Probe:
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


class _Counters(threading.Thread):
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


class _Receiver(contextlib.AbstractContextManager["_Receiver"]):
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


def _middle(values: list[float]) -> float:
    return values[len(values) // 2]


if __name__ == "__main__":
    main()
