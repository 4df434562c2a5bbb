"""Memory that the workers of one server share: a mapped file in the server's run folder.

It outlives the worker that wrote it, and is deleted with the server.
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

RUN_VARIABLE: Final = "VETRINA_RUN"  # environment variable with the run folder of a server's processes
_PREFIX: Final = "vetrina-run-"
_STALE_SECONDS: Final = 60.0  # seconds after which an unlocked folder belongs to a server that was killed


@contextmanager
def open_run_folder(inherited: bool) -> Iterator[Path]:
    """Yield the folder that the processes of this server share, and delete it at the end.

    inherited: whether this process continues a server whose folder is in the environment.
    """
    if inherited and RUN_VARIABLE in os.environ:
        folder = Path(os.environ[RUN_VARIABLE])
    else:
        _remove_stale_folders()
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # Held until the last process of the server exits, also through the execution of a successor.
        held = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        os.set_inheritable(held, True)
        os.environ[RUN_VARIABLE] = str(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_stale_folders() -> None:
    """Delete the folders of servers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            with (folder / "lock").open("rb+") as lock:
                if time.time() - os.fstat(lock.fileno()).st_mtime > _STALE_SECONDS:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def map_shared_memory(path: Path | None, size: int) -> tuple[memoryview, int]:
    """Return memory of this size and the descriptor of its file; -1 for memory of this process alone.

    path: of the file, which is created with zeros; None for none. size: bytes.
    """
    if path is None:
        return memoryview(mmap.mmap(-1, size)), -1
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    # Two processes may create it at once; what one of them has written stays.
    if os.fstat(descriptor).st_size < size:
        os.ftruncate(descriptor, size)
    return memoryview(mmap.mmap(descriptor, size)), descriptor
