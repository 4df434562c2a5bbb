"""The application of a site: that of a server's parent, or the one that an ASGI server loads by its name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from vetrina.backends.site_folder import load_site_settings
from vetrina.backends.site_snapshot import StartingState
from vetrina.backends.sqlite import SqliteDatabase
from vetrina.http.test_control import Application, ControlledApplication
from vetrina.kernel.fake_clock import AdjustableClock
from vetrina.settings import Profile, Settings
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
    return build_application(settings, profile, folder, sets, run)


def build_application(
    settings: Settings, profile: Profile, folder: Path, sets: Sequence[str], run: Path | None
) -> Application:
    """Return the application of a site whose settings and profile are known to be sound.

    sets: the `KEY=VALUE` texts that are in them already. run: the folder that the workers share while the server runs.
    From the environment: VETRINA_EPHEMERAL and VETRINA_CONTROL, as for `application`.
    """
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
