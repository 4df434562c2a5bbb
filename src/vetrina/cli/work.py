"""`vetrina work`: the consumer, a process that carries out the jobs of a site.

`vetrina serve` starts one beside its workers (cli/consumer_process.py); run it by itself where another server serves
the site. It loads no web server and none of the rooms that answer requests.
"""

from __future__ import annotations

import logging.config
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import click

from vetrina.backends.database import open_database
from vetrina.backends.file_store import open_files
from vetrina.backends.site_folder import database_of, settings_of
from vetrina.core.unit_of_work import Frame, Shown, Work
from vetrina.http import log_lines
from vetrina.system import job_runner
from vetrina.system.context_factory import frame_of

from .site_folder import set_option, site_option

__all__ = ["command"]

_LOOK = 1.0  # seconds between two looks whether the parent is alive


@click.command("work")
@site_option
@click.option("--parent", type=int, hidden=True, help="Stop when this process is no longer the parent.")
@set_option
def command(folder: Path, parent: int | None, sets: tuple[str, ...]) -> None:
    """Carry out a site's background jobs until Ctrl-C (or SIGTERM); the job at hand is finished.

    One consumer works at a time: a second one waits until the first has gone.
    """
    settings, profile = settings_of(folder, sets)
    logging.config.dictConfig(log_lines.configuration(settings.log, settings.log_format))
    database = open_database(database_of(folder, settings))
    files = open_files(settings.media, folder / "media", True, settings.media_url)
    frame = frame_of(profile, settings, files=files, folder=folder)
    frame.showing.show = _show_later(frame)
    consumer = job_runner.consumer(frame, database)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    # Signals reach the main thread; were it the one that waits for the event, setting it there could lock it out.
    thread = threading.Thread(target=consumer.run, args=(stop,), name="jobs")
    thread.start()
    while thread.is_alive():
        thread.join(_LOOK)
        if parent is not None and os.getppid() != parent:
            stop.set()
    database.close()


def _show_later(frame: Frame) -> Callable[[Work, str], Shown | None]:
    """Return what shows a record as the interface does; the rooms are loaded when somebody has to be told of one."""

    def show(work: Work, path: str) -> Shown | None:
        from vetrina.internal_requests import show_by_rooms

        show_by_rooms(frame)
        assert frame.showing.show is not None
        return frame.showing.show(work, path)

    return show
