"""The application that an ASGI server loads by its name: `vetrina.asgi:application`."""

from __future__ import annotations

import os
from pathlib import Path

from vetrina.backends.site_folder import load_site_settings
from vetrina.backends.site_snapshot import StartingState
from vetrina.backends.sqlite import SqliteDatabase
from vetrina.http.test_control import Application, ControlledApplication
from vetrina.kernel.fake_clock import AdjustableClock
from vetrina.site import Site
from vetrina.site_factory import open_checked_site


def application() -> Application:
    """Return the application of the site that the environment names, for servers that load it by this name.

    VETRINA_SITE: the site's folder. VETRINA_SET: lines of `KEY=VALUE`. VETRINA_EPHEMERAL: not empty for a throw-away
    site, whose writes need not survive a power cut and whose jobs run here; for any other site run `vetrina work`
    beside the server, as `vetrina serve` does. VETRINA_CONTROL: the key of a throw-away site's control, empty for
    none. VETRINA_RUN: the folder that the workers share while the server runs.
    """
    folder, sets = Path(os.environ.get("VETRINA_SITE", "site")), os.environ.get("VETRINA_SET", "").splitlines()
    run = Path(os.environ["VETRINA_RUN"]) if os.environ.get("VETRINA_RUN") else None
    settings, profile = load_site_settings(folder, sets)
    # The parent has checked what they say.
    if not os.environ.get("VETRINA_EPHEMERAL"):
        return open_checked_site(settings, profile, folder, sets, durable=True, clock=None, run=run).app
    key, clock = os.environ.get("VETRINA_CONTROL"), AdjustableClock()
    site = open_checked_site(settings, profile, folder, sets, durable=False, clock=clock, run=run)
    application: Application = ControlledApplication(site.app, _ResettableSite(site), clock, key) if key else site.app
    site.start_jobs()
    return application


class _ResettableSite:
    """A throw-away site that can be reset to its start state, at first the current one (http/test_control.py)."""

    def __init__(self, site: Site) -> None:
        assert isinstance(site.database, SqliteDatabase), "a throw-away site has a file of its own"
        self._site, self._database, self._start = site, site.database, StartingState(site.folder)
        self.resume_background, self.run_due_jobs = site.start_jobs, site.run_due_jobs
        self.save_start()

    def pause_background(self) -> None:
        # Streams would never end by themselves; their clients connect again.
        self._site.app.event_streams.end_all()
        self._site.stop_jobs()

    def save_start(self) -> None:
        self._database.close_connections()
        self._start.save()
        self._site.clear_caches()

    def restore_start(self) -> None:
        self._database.close_connections()
        self._start.restore()
        self._site.clear_caches()
