"""What a start of `vetrina serve` takes until its first answer, and the memory of its processes a while after it.

    python benchmarks/start.py FOLDER      the site in a folder
    python benchmarks/start.py -           a throw-away one

Processor time of all processes counts, since others may use the machine; of memory the sum of what each process alone
has and its share of what they have together (PSS, of which anonymous: their own, without files of programs).
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

STARTS: Final = 5
PATH: Final = "/en/cms-json/cms/v2/posts"
IDLE_SECONDS: Final = 2.0
_POLL_SECONDS: Final = 0.002
_PARTS: Final = ("Pss", "Pss_Anon", "Rss")


class Start(NamedTuple):
    """One start. wall, processor: seconds until the first answer. memory: megabytes, of each process by its parts."""

    wall: float
    processor: float
    memory: list[tuple[str, dict[str, float]]]


def measure_start(folder: str) -> Start:
    """Start a server, ask for one list, wait, and stop it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    site = ["--ephemeral"] if folder == "-" else ["--site", folder]
    words = [sys.executable, "-m", "vetrina.cli", "serve", *site, "--port", str(port)]
    # As on a user's machine, where the interpreter keeps what it compiled.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as place:
        begun = time.monotonic()
        process = subprocess.Popen(
            words, env={**environment, "TMPDIR": place}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while not _has_answered(port):
                if process.poll() is not None:
                    raise SystemExit(f"{' '.join(words)} stopped at once")
                time.sleep(_POLL_SECONDS)
            wall, every = time.monotonic() - begun, _list_processes(process.pid)
            processor = sum(_read_processor_time(one) for one in every)
            time.sleep(IDLE_SECONDS)
            roles = ["parent", *("consumer" if _read_name(one) == "vetrina work" else "worker" for one in every[1:])]
            return Start(wall, processor, list(zip(roles, map(_read_memory, every), strict=True)))
        finally:
            process.terminate()
            process.wait(30)


def _has_answered(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            connection.sendall(f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            return b" 200 " in connection.recv(65536)[:40]
    except OSError:
        return False


def _list_processes(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [pid, *(one for child in children for one in _list_processes(child))]


def _read_name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def _read_processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _read_memory(pid: int) -> dict[str, float]:
    lines = (line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return {name[:-1]: int(value) / 1024 for name, value, *_ in lines if name[:-1] in _PARTS}


def main() -> None:
    """Print the least and the middle of a few starts."""
    starts = [measure_start(sys.argv[1]) for _ in range(STARTS)]
    for what in ("wall", "processor"):
        times = [getattr(one, what) for one in starts]
        print(f"{what} seconds until the first answer: {min(times):.2f} at best, {statistics.median(times):.2f} mostly")
    memory = starts[-1].memory
    for role, parts in memory:
        print(f"{role}: {', '.join(f'{name} {size:.0f} MB' for name, size in parts.items())}")
    print(f"together: {', '.join(f'{name} {sum(parts[name] for _, parts in memory):.0f} MB' for name in _PARTS)}")


if __name__ == "__main__":
    main()
