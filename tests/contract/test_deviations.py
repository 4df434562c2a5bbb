"""Every class of recorded steps that differ stands in docs/deviations.md, with its number and what prescribes it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from . import test_random_lives, test_recordings

DEVIATIONS = Path(__file__).resolve().parents[2] / "docs" / "deviations.md"
HEADING = "## Differences that a checker reports"


def test_the_table_of_differences_is_that_of_the_tests() -> None:
    waiting = Counter(
        (one.reason, "prescribed" if one.law else "decided here")
        for table in (test_recordings.WAITING, test_random_lives.WAITING)
        for steps in table.values()
        for one in steps.values()
    )
    reasons, _, table = DEVIATIONS.read_text(encoding="utf-8").partition(HEADING)
    rows = {
        line for line in table.splitlines() if line.startswith("| ") and line.endswith((" prescribed |", " here |"))
    }
    assert rows == {f"| {reason} | {count} | {by} |" for (reason, by), count in waiting.items()}
    assert [reason for reason, _ in waiting if reason.lower() not in reasons.lower()] == []
