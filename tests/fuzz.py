"""Searches for new counterexamples to every property of the suite, for a given time: `make fuzz SECONDS=600`.

The suite itself uses the same examples on every run; this uses others. Each round has a seed, printed at its start, and
ends at the first failure; what hypothesis reports then belongs in the test as an `@example`.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import click

TESTS = Path(__file__).parent


def property_files(seed: int) -> list[str]:
    """Return the test files that have properties, shuffled by the seed: a short run does not reach the last.

    Collecting the others would cost most of it.
    """
    found = sorted(str(path) for path in TESTS.rglob("test_*.py") if "@given" in path.read_text(encoding="utf-8"))
    random.Random(seed).shuffle(found)
    return found


def run_round(seed: int, seconds: float) -> int | None:
    """Return the exit status of one round, None when time ran out first."""
    command = [
        sys.executable, "-m", "pytest", "-m", "hypothesis", "-n", "auto", "-x", "--hypothesis-profile=search",
        f"--hypothesis-seed={seed}", *property_files(seed),
    ]  # fmt: skip
    with subprocess.Popen(command, start_new_session=True) as running:
        try:
            return running.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            return None


@click.command()
@click.option("--seconds", default=600.0, show_default=True, help="How long to look.")
@click.option("--seed", type=int, help="Repeat the round of this seed instead of looking for new ones.")
def main(seconds: float, seed: int | None) -> None:
    """Look for new counterexamples to the properties of the tests."""
    end, rounds = time.monotonic() + seconds, 0
    while rounds == 0 or (seed is None and time.monotonic() < end):
        chosen = secrets.randbits(32) if seed is None else seed
        rounds += 1
        print(f"round {rounds}, seed {chosen}", flush=True)
        status = run_round(chosen, max(end - time.monotonic(), 1.0))
        if status:
            sys.exit(f"A property failed. To see it again: make fuzz SEED={chosen}")
    print(f"nothing found in {rounds} rounds")


if __name__ == "__main__":
    main()
