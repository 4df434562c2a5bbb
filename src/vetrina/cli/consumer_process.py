"""The job consumer beside a server: a process that is started, restarted when it exits, and stopped.

The first one is forked from the server's parent, before that has threads: so it need not load again what the parent
has, settings and profile among it, and their pages of memory are one. A later one is a program of its own, `vetrina
work`, and is sent settings and profile: the files may have been changed since, and not be sound.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from vetrina.settings import Profile, Settings

from .work import run_jobs

_LOG = logging.getLogger("vetrina.jobs")

_STOP_SECONDS = 30  # seconds that a running job may take after the stop; the process is then killed
_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds before the process is restarted
_STABLE_SECONDS = 60.0  # seconds; a process that ran that long is restarted with the shortest pause


@contextmanager
def run_consumer_process(folder: Path, settings: Settings, profile: Profile) -> Iterator[None]:
    """Run the job consumer of a site for the context."""
    words = [sys.executable, "-m", "vetrina.cli", "work", "--site", str(folder), "--parent", str(os.getpid())]
    start = partial(_start_process, words, settings, profile)
    stop = threading.Event()
    process = _fork_process(folder, settings, profile) if sys.platform == "linux" else start()

    def watch() -> None:
        nonlocal process
        pause, since = _SHORTEST_PAUSE, time.monotonic()
        while True:
            status = process.wait()
            if stop.is_set():
                return
            if time.monotonic() - since > _STABLE_SECONDS:
                pause = _SHORTEST_PAUSE
            _LOG.error("the consumer of jobs ended with status %s; it is started again in %s s", status, pause)
            if stop.wait(pause):
                return
            pause, since = min(_LONGEST_PAUSE, 2 * pause), time.monotonic()
            process = start()
            # The stop may have come between the check and the start.
            if stop.is_set():
                process.terminate()

    thread = threading.Thread(target=watch, name="consumer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        process.terminate()
        thread.join(_STOP_SECONDS)
        if thread.is_alive():
            process.kill()
            thread.join()


class _Process(Protocol):
    def wait(self) -> int: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


class _ForkedProcess:
    def __init__(self, folder: Path, settings: Settings, profile: Profile) -> None:
        # A collector that traverses what is shared would copy it.
        gc.collect()
        gc.freeze()
        self._process = multiprocessing.get_context("fork").Process(
            target=_run_forked, args=(folder, settings, profile, os.getpid())
        )
        self._process.start()
        self.terminate, self.kill = self._process.terminate, self._process.kill

    def wait(self) -> int:
        self._process.join()
        return self._process.exitcode or 0


def _run_forked(folder: Path, settings: Settings, profile: Profile, parent: int) -> None:
    os.setsid()
    run_jobs(folder, settings, profile, parent)


def _fork_process(folder: Path, settings: Settings, profile: Profile) -> _Process:
    return _ForkedProcess(folder, settings, profile)


def _start_process(words: Sequence[str], settings: Settings, profile: Profile) -> _Process:
    # A session of its own: signals of a terminal to all processes are for the server, which stops this one.
    process = subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True)
    assert process.stdin is not None
    # It may have ended already.
    with suppress(BrokenPipeError), process.stdin as pipe:
        pickle.dump((settings, profile), pipe)
    return process
