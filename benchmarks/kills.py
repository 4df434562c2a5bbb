"""Kill a served shop with -9 at random moments of mixed writes, and look whether it kept what it acknowledged.

    python benchmarks/kills.py [--kills 1000] [--database sqlite|postgresql] [--seed 1] [--clients 6] [--folder DIR]

Clients write content, uploads, orders, refunds and posts for later, and a peer pulls every change; meanwhile a worker,
the consumer of jobs, the first process or all of them are killed, as soon as a drawn number of answers has come since
the last time. The seed decides what each client does and what is killed, in their order. Afterwards, and every 100
kills, nothing acknowledged is missing or there twice, stock, uses of coupons and reports fit the orders, the peer has
what the site has, and `vetrina check` and `vetrina analytics check` find nothing. The exit status is 1 otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from deed_checks import find_faults
from deeds import Deed, Writer
from deployment import PATIENCE, Deployment, deployed

_WHOM = {"a worker": 6, "the consumer of jobs": 2, "the first process": 1, "every process": 1}  # and how often
_MOST_ANSWERS = 12  # between two kills
_LONGEST = 0.05  # seconds from the last of those answers to the kill
_PAUSE = 0.02  # seconds; the longest pause of a client between two deeds
_EACH = 100  # kills between two looks
_SHOWN = 40  # findings that are written out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--folder", type=Path, help="where the site is made, and stays; else a folder that is removed")
    args = parser.parse_args()
    # Ended like that, it ends what it started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    print(f"{args.kills} kills on {args.database}, seed {args.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = args.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vetrina-kills-")))
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        deployment = stack.enter_context(deployed(args.database, folder))
        found = _killed_often(deployment, args.kills, args.seed, args.clients)
    for line in found[:_SHOWN]:
        print(f"- {line}")
    if found:
        sys.exit(f"{len(found)} faults")
    print("Everything that was acknowledged is there, once, and fits together.")


def _killed_often(deployment: Deployment, kills: int, seed: int, clients: int) -> list[str]:
    """Kill until it was often enough or something is wrong, and return what is wrong."""
    chance, whom, done, deeds = random.Random(f"{seed} kills"), Counter[str](), 0, list[Deed]()
    begun, part = time.monotonic(), 0
    while done < kills:
        part += 1
        names = [f"c{part}-{number}" for number in range(clients)]
        writers = [Writer(deployment, name, f"{seed} {name}", _PAUSE) for name in names]
        for writer in writers:
            writer.start()
        for _ in range(min(_EACH, kills - done)):
            _until_answered(deployment, writers, chance.randint(1, _MOST_ANSWERS))
            time.sleep(chance.uniform(0, _LONGEST))
            victim = chance.choices(list(_WHOM), list(_WHOM.values()))[0]
            if _kill(deployment, victim, chance):
                whom[victim] += 1
                done += 1
        for writer in writers:
            writer.stop()
        for writer in writers:
            writer.join()
        deeds += [deed for writer in writers for deed in writer.deeds]
        found = [line for writer in writers for line in writer.refused]
        # It may be about to end because of the last kills.
        deployment.stop()
        deployment.start()
        found += find_faults(deployment, deeds)
        kinds = Counter(deed.kind for deed in deeds if deed.id)
        print(
            f"{done} kills ({', '.join(f'{count} of {who}' for who, count in whom.items())}) in "
            f"{time.monotonic() - begun:.0f} s; acknowledged: {dict(kinds)}, "
            f"unknown: {sum(not deed.id for deed in deeds)}; wrong: {len(found)}",
            flush=True,
        )
        if found:
            return found
    return []


def _until_answered(deployment: Deployment, writers: list[Writer], answers: int) -> None:
    """Wait until so many more answers have come; start the server where it is gone."""
    before = sum(writer.acknowledged for writer in writers)
    until = time.monotonic() + PATIENCE
    while sum(writer.acknowledged for writer in writers) < before + answers:
        assert deployment.process is not None
        if deployment.process.poll() is not None:
            deployment.process.communicate()
            deployment.start()
        if time.monotonic() > until:
            raise SystemExit(f"the server answers nobody for {PATIENCE:.0f} s")
        time.sleep(0.002)


def _kill(deployment: Deployment, victim: str, chance: random.Random) -> bool:
    """Kill a process, or several, and tell whether there was one."""
    process = deployment.process
    assert process is not None
    workers, consumers = deployment.children()
    victims = {
        "a worker": [chance.choice(workers)] if workers else [],
        "the consumer of jobs": consumers,
        "the first process": [process.pid],
        "every process": [process.pid, *workers, *consumers],
    }[victim]
    for number in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return bool(victims)


if __name__ == "__main__":
    main()
