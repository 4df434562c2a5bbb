"""Peak memory of this process during a call, as Linux reports it."""

from __future__ import annotations

import ctypes
import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

__all__ = ["Peak", "megabytes", "peak"]


class Peak:
    """The memory of a process. before, grown, kept: megabytes; the latter two are known after the block."""

    before = grown = kept = 0


def megabytes(process: int | str, member: str) -> int:
    """Return a value of the system for a process: `VmRSS` now, `VmHWM` the peak since its reset."""
    found = re.search(rf"{member}:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found
    return int(found[1]) >> 10


@contextmanager
def peak(process: int | str = "self") -> Iterator[Peak]:
    """Measure how much a process grows in the block; skipped where the system does not report it."""
    if process == "self":
        gc.collect()
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)
    try:
        Path(f"/proc/{process}/clear_refs").write_text("5")
    except OSError as error:
        pytest.skip(f"the peak of memory cannot be measured here: {error}")
    found = Peak()
    found.before = megabytes(process, "VmRSS")
    yield found
    found.grown = megabytes(process, "VmHWM") - found.before
    found.kept = megabytes(process, "VmRSS") - found.before
