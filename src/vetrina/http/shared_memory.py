"""Memory that the workers of one server share: a mapped file in the folder of its run.

What stands there outlives the worker that wrote it, and is gone with the server. Not here: what the numbers mean
(http/metrics.py, http/rate_limiter.py, http/shutdown.py).
"""

from __future__ import annotations

import fcntl
import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["RUN", "mapped", "run_folder"]

RUN: Final = "VETRINA_RUN"  # variable of the environment that tells the processes of a server their folder
_PREFIX: Final = "vetrina-run-"
_SETTLED: Final = 60.0  # seconds after which a folder that nobody holds is somebody's who was killed


@contextmanager
def run_folder(inherited: bool) -> Iterator[Path]:
    """Give the folder that the processes of this server share, and remove it at the end.

    inherited: whether this process goes on for a server that is in the environment.
    """
    if inherited and RUN in os.environ:
        folder = Path(os.environ[RUN])
    else:
        _sweep()
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # Held until the last process of the server is gone, also through the execution of a successor.
        held = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        os.set_inheritable(held, True)
        os.environ[RUN] = str(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep() -> None:
    """Remove the folders of servers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            with (folder / "lock").open("rb+") as lock:
                if time.time() - os.fstat(lock.fileno()).st_mtime > _SETTLED:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def mapped(path: Path | None, size: int) -> tuple[memoryview, int]:
    """Return memory of this size and the open file behind it; None, -1: memory of this process alone.

    path: of the file, which is made of zeros where there is none. size: bytes.
    """
    if path is None:
        return memoryview(mmap.mmap(-1, size)), -1
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    # Two that make it at once make the same; what one of them wrote already stays.
    if os.fstat(descriptor).st_size < size:
        os.ftruncate(descriptor, size)
    return memoryview(mmap.mmap(descriptor, size)), descriptor
