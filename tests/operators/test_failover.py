"""A primary that is lost under load: a run of `operators/failover.py`, where VETRINA_FAILOVERS says how many drills.

Each takes about half a minute, on a machine that does nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "operators" / "failover.py"
DRILLS = os.environ.get("VETRINA_FAILOVERS", "")


@pytest.mark.skipif(not DRILLS, reason="it takes minutes: VETRINA_FAILOVERS says how many drills are run")
def test_what_was_acknowledged_is_there_once_after_the_primary_was_lost() -> None:
    words = [sys.executable, PROGRAM, "--drills", DRILLS, "--seed", "5", "--clients", "3", "--workers", "2"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300 + 60 * int(DRILLS))
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is there, once, and fits together" in done.stdout


def test_the_program_says_what_it_does() -> None:
    done = subprocess.run([sys.executable, PROGRAM, "--help"], capture_output=True, text=True, check=True)
    for kind in ("kill", "crash", "cut", "split", "freeze", "fill", "switch"):
        assert f"\n    {kind} " in done.stdout
