"""The consumer of jobs beside a server: a process that is started, started again when it ends, and stopped."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["consumer_beside"]

_LOG = logging.getLogger("vetrina.jobs")

_PATIENCE = 30  # seconds that the job at hand may take after the stop; the process is then killed
_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds before the process is started again
_LONG_ENOUGH = 60.0  # seconds; a process that ran so long is started again as if it were the first


@contextmanager
def consumer_beside(folder: Path, sets: Sequence[str]) -> Iterator[None]:
    """Run the consumer of a site while the context lasts; sets: `KEY=VALUE` texts for settings and profile."""
    words = [sys.executable, "-m", "vetrina.cli", "work", "--site", str(folder), "--parent", str(os.getpid())]
    for text in sets:
        words += ["--set", text]
    stop = threading.Event()
    process = _started(words)

    def watch() -> None:
        nonlocal process
        pause, since = _SHORTEST_PAUSE, time.monotonic()
        while True:
            status = process.wait()
            if stop.is_set():
                return
            if time.monotonic() - since > _LONG_ENOUGH:
                pause = _SHORTEST_PAUSE
            _LOG.error("the consumer of jobs ended with status %s; it is started again in %s s", status, pause)
            if stop.wait(pause):
                return
            pause, since = min(_LONGEST_PAUSE, 2 * pause), time.monotonic()
            process = _started(words)
            # The stop may have come between the last look and the start.
            if stop.is_set():
                process.terminate()

    thread = threading.Thread(target=watch, name="consumer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        process.terminate()
        thread.join(_PATIENCE)
        if thread.is_alive():
            process.kill()
            thread.join()


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    # A session of its own: what a terminal sends to all processes at once is for the server, which stops this one.
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
