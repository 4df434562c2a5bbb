"""Measure what the other dialect costs: the same collections in neutral names and in its names, in turn.

    python benchmarks/dialect.py [--posts 1000] [--rounds 8] [--seconds 1] [--kept build/bench]

One server process with both dialects answers; load.c asks for the same in both, round after round, so that whatever
else the machine does falls on both. The cost is told as processor time of the server for an answer, which other work
disturbs less than answers a second; the middle of all rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cases
import run

ROOTS = {"neutral": ("/en/cms-json", "cms"), "wordpress": ("/en/wp-json", "wp")}
PORT = 8791
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Case:
    """One row. settings: of the server. targets: what is asked in turn, `{cms}` for the first word of the namespace."""

    name: str
    settings: tuple[str, ...]
    targets: tuple[str, ...]


UNCACHED = ("--set", "cache_bytes=0")
CASES = (
    Case("collection of 10, cached", (), ("/{cms}/v2/posts",)),
    Case("collection of 10, uncached, always the same", UNCACHED, ("/{cms}/v2/posts",)),
    Case(
        "collection of 10, uncached, every one another", UNCACHED,
        tuple(f"/{{cms}}/v2/posts?offset={at}" for at in range(980)),
    ),
    Case(
        "collection of 10 with embedded records, uncached, every one another", UNCACHED,
        tuple(f"/{{cms}}/v2/posts?_embed&offset={at}" for at in range(980)),
    ),
    Case(
        "single record, uncached, every one another", UNCACHED,
        tuple(f"/{{cms}}/v2/posts/{at}" for at in range(1, 990)),
    ),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--kept", type=Path, default=Path("build/bench"))
    args = parser.parse_args()
    load, folder = run.compile_load(args.kept), run._site(args.posts, args.kept)
    print("| case | neutral | wordpress | cost |", "|---|---|---|---|", sep="\n")
    for case in CASES:
        with _served(folder, case.settings) as process:
            costs: dict[str, list[float]] = {name: [] for name in ROOTS}
            for at in range(args.rounds + 1):
                for name in sorted(ROOTS, reverse=bool(at % 2)):
                    cost = _cost(load, process.pid, case, name, args)
                    if at:  # the first round warms up
                        costs[name].append(cost)
            neutral, other = (median(costs[name]) for name in ROOTS)
            cells = (f"{one * 1e6:,.0f} µs" for one in (neutral, other))
            print(f"| {case.name} | {' | '.join(cells)} | {other / neutral - 1:+.0%} |", flush=True)


def _cost(load: Path, pid: int, case: Case, name: str, args: argparse.Namespace) -> float:
    """Return the seconds of processor time that an answer takes."""
    root, word = ROOTS[name]
    asked = [cases.get(root + target.replace("{cms}", word), PORT) for target in case.targets]
    file = args.kept / "requests-dialect"
    file.write_bytes(b"".join(b"%d\n%s" % (len(one), one) for one in asked))
    before = _processor(pid)
    words = [str(load), "127.0.0.1", str(PORT), str(run.CONNECTIONS), str(args.seconds), str(file)]
    found = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    if found["wrong"]:
        raise SystemExit(f"{case.name} in {name}: {found['wrong']} answers were not 2xx")
    return (_processor(pid) - before) / (found["rate"] * args.seconds)


def _processor(pid: int) -> float:
    """Return the processor time that a process and its children took so far, in seconds."""
    children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    total = 0
    for one in (pid, *map(int, children)):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


@contextmanager
def _served(folder: Path, settings: tuple[str, ...]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server of one process with both dialects until it answers, and stop it at the end."""
    command = [str(Path(sys.executable).with_name("vetrina")), "serve", "--site", str(folder), "--port", str(PORT)]
    with run.serve_site([*command, "--workers", "1", "--dialect", "wordpress", *settings], PORT) as process:
        urllib.request.urlopen(f"http://127.0.0.1:{PORT}/en/wp-json/").read()
        yield process


if __name__ == "__main__":
    main()
