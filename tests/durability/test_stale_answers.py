"""No kept answer is older than an acknowledged write, whatever happens to the processes: `benchmarks/staleness.py`.

VETRINA_STEPS: the number of reads and writes of each run (4,000).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from postgres_server import Postgres

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "staleness.py"
STEPS = os.environ.get("VETRINA_STEPS", "4000")
SECONDS = 300 + int(STEPS) // 50


def run(*words: str) -> str:
    command = [sys.executable, str(PROGRAM), "--steps", STEPS, "--seed", "5", "--processes", "3", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def test_an_embedded_database_answers_nothing_stale() -> None:
    assert "stale: 0" in run()


@pytest.mark.parametrize("machines", ["1", "2"])
def test_a_server_answers_nothing_stale(postgres: Postgres, machines: str) -> None:
    url = postgres.new()
    told = run("--url", url, "--machines", machines)
    postgres.drop(url)
    assert "stale: 0" in told
    assert " 0 looks without asking" not in told
