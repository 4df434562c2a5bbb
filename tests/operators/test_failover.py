"""A primary that crashes and one that hands over, under load: a short run of `operators/failover.py`.

VETRINA_FAILOVERS: the number of drills, of all kinds where it is given; 50 take about 25 minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "operators" / "failover.py"
DRILLS = os.environ.get("VETRINA_FAILOVERS", "")
KINDS = [] if DRILLS else ["--only", "crash,switch"]


def test_what_was_acknowledged_is_there_once_after_the_primary_was_lost() -> None:
    pytest.importorskip("psycopg")
    words = [sys.executable, PROGRAM, "--drills", DRILLS or "2", "--seed", "5", "--clients", "3", "--workers", "2"]
    done = subprocess.run([*words, *KINDS], capture_output=True, text=True, timeout=300 + 60 * int(DRILLS or "2"))
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 drills in" in done.stdout or DRILLS
    assert "is there, once, and fits together" in done.stdout


def test_the_program_says_what_it_does() -> None:
    done = subprocess.run([sys.executable, PROGRAM, "--help"], capture_output=True, text=True, check=True)
    for kind in ("kill", "crash", "cut", "split", "freeze", "fill", "switch"):
        assert f"\n    {kind} " in done.stdout
