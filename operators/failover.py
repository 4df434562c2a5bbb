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
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

from patroni_cluster import PATIENCE, Cluster, Missing, Node, running_cluster

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

from deed_checks import find_faults
from deeds import Deed, Writer
from deployment import Deployment, Line, deployed
from drill_observers import Counters, Probe, Receiver

_KINDS: Final = ("kill", "crash", "cut", "split", "fill", "switch")
_PAUSE: Final = 0.15  # seconds; the longest pause of a client between two deeds
_GOES_ON: Final = 4.0  # seconds for which a full disk is left to Patroni
_LONGEST: Final = 1.0  # seconds of load before each drill, drawn up to that
_PATIENCE: Final = 60.0  # seconds without an answer, after which a drill is given up
_SHOWN: Final = 40  # findings that are written out


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
        receiver = stack.enter_context(Receiver())
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
        self, cluster: Cluster, deployment: Deployment, receiver: Receiver, seed: int, clients: int, bound: float
    ) -> None:
        self._bound = bound
        self._cluster, self._deployment, self._receiver, self._seed = cluster, deployment, receiver, seed
        self._chance = random.Random(f"{seed} drills")
        self._probe = Probe(cluster)
        self._writers = [Writer(deployment, f"c{number}", f"{seed} c{number}", _PAUSE) for number in range(clients)]
        self._counters = Counters(deployment)
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


def _middle(values: list[float]) -> float:
    return values[len(values) // 2]


if __name__ == "__main__":
    main()
