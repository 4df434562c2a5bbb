"""`vetrina work`: the job consumer, a process that runs the background jobs of a site.

`vetrina serve` starts one beside its workers (cli/consumer_process.py); run it by itself where another server serves
the site. It imports neither a web server nor routes.
"""

from __future__ import annotations

import logging.config
import os
import pickle
import signal
import sys
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from vetrina.backends.database import Database
from vetrina.backends.file_store import open_file_store
from vetrina.backends.site_folder import load_site_settings, open_site_database
from vetrina.core.site_context import SerializedRecord, SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.http import log_lines
from vetrina.modules import load_modules
from vetrina.rest.call import Request, Response
from vetrina.settings import Profile, Settings
from vetrina.system import job_runner
from vetrina.system.context_factory import build_site_context

from .site_folder import settings_option, site_option

_POLL_INTERVAL = 1.0  # seconds between two checks whether the parent is alive


@click.command("work")
@site_option
@click.option(
    "--parent", type=int, hidden=True,
    help="Stop when this process is no longer the parent; it sends settings and profile to the standard input.",
)  # fmt: skip
@settings_option
def command(folder: Path, parent: int | None, sets: tuple[str, ...]) -> None:
    """Run a site's background jobs until Ctrl-C (or SIGTERM); a running job is finished.

    One consumer works at a time: a second one waits until the first has exited.
    """
    settings, profile = load_site_settings(folder, sets) if parent is None else pickle.load(sys.stdin.buffer)
    run_jobs(folder, settings, profile, parent)


def run_jobs(folder: Path, settings: Settings, profile: Profile, parent: int | None) -> None:
    """Run a site's background jobs until this process is told to stop, or is no longer a child of its parent."""
    with suppress(OSError):
        # What `ps` and `top` show, also of a process that was forked.
        Path("/proc/self/comm").write_text("vetrina work", encoding="ascii")
    logging.config.dictConfig(log_lines.build_logging_config(settings.log, settings.log_format))
    database = open_site_database(folder, settings)
    files = open_file_store(settings.media, folder / "media", True, settings.media_url)
    site = build_site_context(
        profile,
        settings,
        load_modules(profile.modules),
        files=files,
        folder=folder,
        serialize_record=_serialize_record,
        read_route=partial(_read_route, database),
    )
    consumer = job_runner.build_consumer(site, database)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    # Signals reach the main thread; if that were the one waiting for the event, setting it there could deadlock.
    thread = threading.Thread(target=consumer.run, args=(stop,), name="jobs")
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_INTERVAL)
        if parent is not None and os.getppid() != parent:
            stop.set()
    database.close()


def _serialize_record(work: UnitOfWork, path: str) -> SerializedRecord | None:
    from vetrina.internal_requests import serialize_record  # with the routes, which few jobs need

    return serialize_record(work, path)


def _read_route(database: Database, site: SiteContext, request: Request, caller: User) -> Response:
    from vetrina.internal_requests import read_route  # likewise

    return read_route(database, site, request, caller)
