"""How fast a whole shop comes in from an address, and what that costs the source and the target in processor time.

.venv/bin/python benchmarks/address_import.py --orders 6000

The source is the demonstration shop, served in brand names by one worker; most of its orders have no notes, which is
known only when they are asked for.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--orders", type=int, default=6000)
    parser.add_argument("--source", type=Path, help="a demonstration shop that is there already")
    parser.add_argument("--parallel", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vetrina-address-") as folder:
        source, target = given.source or Path(folder, "old"), Path(folder, "new")
        if given.source is None:
            _run("demo", "second", "--orders", given.orders, "--site", source)
        password = (
            _run("app-password", "create", "admin", f"move {time.time()}", "--site", source).strip().rpartition("\n")[2]
        )
        _run("init", target, "--profile", "second", "--empty", "--url", "https://new.example")
        server = subprocess.Popen(
            [VETRINA, "serve", "--site", source, "--port", "0", "--workers", "1", "--dialect", "wordpress", "--log",
             "error"],
            stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            found = re.search(r"http://[^/ ]+", server.stdout.readline())
            assert found is not None
            url = f"{found[0]}/wp-json"
            before, start = measure_processor_time(server.pid), time.monotonic()
            subprocess.run(
                [VETRINA, "import", url, "--allow-private", "--parallel", str(given.parallel),
                 "--site", target],
                check=True, env={**os.environ, "VETRINA_SOURCE_AUTH": f"admin:{password}"},
            )  # fmt: skip
            seconds, there = time.monotonic() - start, measure_processor_time(server.pid) - before
        finally:
            server.terminate()
            server.wait()
        # The largest and the sum are those of the import: what was run before is small beside it.
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(
            f"{given.orders / seconds:.0f} orders/s: {seconds:.1f} s; source {there:.1f} s of the processor; all "
            f"processes {children.ru_utime + children.ru_stime:.1f} s; at most {children.ru_maxrss / 1024:.0f} MB"
        )


if __name__ == "__main__":
    main()
