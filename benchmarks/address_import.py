"""How fast a whole shop comes in from an address, and what that costs the source and the target in processor time.

.venv/bin/python benchmarks/address_import.py --orders 6000
.venv/bin/python benchmarks/address_import.py --orders 2000 --kills 20

The source is the demonstration shop, served in brand names by one worker; most of its orders have no notes, which is
known only when they are asked for. With --kills the import is killed at random moments before it may come to its end;
then both sites are compared, and the one that came is checked.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VETRINA = Path(sys.executable).with_name("vetrina")
TICKS = os.sysconf("SC_CLK_TCK")


def _run(*words: object) -> str:
    done = subprocess.run([VETRINA, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def measure_processor_time(group: int) -> float:
    """Return the seconds that the living processes of a group have used."""
    used = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            used += int(fields[11]) + int(fields[12])
    return used / TICKS


@contextmanager
def serve(site: Path) -> Iterator[tuple[str, int]]:
    """Serve a site in brand names; give the root of its interface and the group of its processes."""
    words = ("serve", "--site", site, "--port", 0, "--workers", 1, "--dialect", "wordpress", "--log", "error")
    server = subprocess.Popen(
        [VETRINA, *map(str, words)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )  # fmt: skip
    try:
        assert server.stdout is not None
        found = re.search(r"http://[^/ ]+", server.stdout.readline())
        assert found is not None
        yield f"{found[0]}/wp-json", server.pid
    finally:
        server.terminate()
        server.wait()


def kill_some(command: list[str], kills: int, seed: int) -> int:
    """Kill an import at random moments, and return how often it was still running."""
    moments, killed = random.Random(seed), 0
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(moments.uniform(1, 8))
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
    return killed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--orders", type=int, default=6000)
    parser.add_argument("--source", type=Path, help="a demonstration shop that is there already")
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vetrina-address-") as folder:
        source, target = given.source or Path(folder, "old"), Path(folder, "new")
        if given.source is None:
            _run("demo", "second", "--orders", given.orders, "--site", source)
        told = _run("app-password", "create", "admin", f"move {time.time()}", "--site", source)
        account = f"admin:{told.strip().rpartition(chr(10))[2]}"
        os.environ |= {"VETRINA_SOURCE_AUTH": account, "VETRINA_A_AUTH": account}
        _run("init", target, "--profile", "second", "--empty", "--url", "https://new.example")
        with serve(source) as (url, group):
            words = ("import", url, "--allow-private", "--parallel", given.parallel, "--site", target)
            command = [str(VETRINA), *map(str, words)]
            if given.kills:
                killed = kill_some(command, given.kills, given.seed)
                print(f"killed {killed} times of {given.kills}; seed {given.seed}")
            before, start = measure_processor_time(group), time.monotonic()
            subprocess.run(command, check=True)
            seconds, there = time.monotonic() - start, measure_processor_time(group) - before
            # The largest is that of the import, and so is nearly all of the sum.
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(
                f"{given.orders / seconds:.0f} orders/s: {seconds:.1f} s; source {there:.1f} s of the processor, "
                f"target {children.ru_utime + children.ru_stime:.1f} s; at most {children.ru_maxrss / 1024:.0f} MB"
            )
            if given.kills:
                _run("export", Path(folder, "export"), "--site", target)
                compared = ("compare", url, Path(folder, "export"), "--allow-private")
                subprocess.run([VETRINA, *map(str, compared)], check=False)
                print(_run("check", "--site", target))


if __name__ == "__main__":
    main()
