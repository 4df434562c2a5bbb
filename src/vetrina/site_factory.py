"""Opening the site of a folder, and making a throw-away one.

What a site is: site.py. The application that a server loads by its name: asgi.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from vetrina.backends import database_schema
from vetrina.backends.site_folder import CannotOpenSite, load_site_settings
from vetrina.kernel.keys import generate_key
from vetrina.kernel.times import Clock
from vetrina.profile_checks import load_sound_profile, require_sound_settings
from vetrina.settings import Profile, Settings, SettingsError, parse_sets
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site


def create_stand_in_site(
    profile: Profile,
    accounts: Iterable[InitialAccount],
    folder: Path,
    settings: Settings | None = None,
    clock: Clock | None = None,
) -> Site:
    """Return a throw-away site in a folder, empty but for its accounts."""
    settings = settings or Settings()
    if not settings.secret:
        settings = msgspec.structs.replace(settings, secret=generate_key())
    site = Site(profile, settings, folder, clock=clock, durable=False)
    database_schema.create_schema(site.database)
    with site.work() as work:
        bootstrap_site(work, accounts)
    return site


def open_site(
    folder: Path, sets: Iterable[str] = (), *, durable: bool = True, clock: Clock | None = None, run: Path | None = None
) -> Site:
    """Return the site of a folder.

    sets: `KEY=VALUE` texts for settings and profile. durable: off for throw-away sites. clock: None for the machine's.
    run: the folder that the workers of a server share while it runs. Raises CannotOpenSite, SettingsError.
    """
    settings, profile = load_site_settings(folder, sets, load_sound_profile)
    require_sound_settings(settings, folder / "vetrina.toml", profile.languages)
    return open_checked_site(settings, profile, folder, sets, clock=clock, durable=durable, run=run)


def open_checked_site(
    settings: Settings,
    profile: Profile,
    folder: Path,
    sets: Iterable[str] = (),
    *,
    durable: bool,
    clock: Clock | None,
    run: Path | None,
) -> Site:
    """Return the site of a folder whose settings and profile are known to be sound. Raises CannotOpenSite.

    sets: the `KEY=VALUE` texts that are in them already.
    """
    try:
        return Site(profile, settings, folder, parse_sets(sets)[1], clock=clock, durable=durable, run=run)
    except SettingsError:
        raise
    except ValueError as error:
        raise CannotOpenSite(f"the site in {folder}: {error}") from error
