"""A site's folder on disk: its settings, its profile, and a database at the version that this program needs.

Apart from site_factory.py, so that the job consumer opens a site without importing the request handling.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from vetrina.backends import database_schema
from vetrina.settings import Profile, Settings, load_profile, load_settings, parse_sets

from .database import Database, open_database

ProfileLoader = Callable[[str, Mapping[str, Any]], Profile]

# Names of what the folder of a site has.
SETTINGS: Final = "vetrina.toml"
MEDIA: Final = "media"

_SQLITE_URL_PREFIX: Final = "sqlite:///"


class CannotOpenSite(Exception):
    """A folder holds no site that can be opened; the message says what to do."""


def get_database_url(folder: Path, settings: Settings) -> str:
    """Return the database URL of a site's folder."""
    return settings.database or f"{_SQLITE_URL_PREFIX}{folder / 'site.sqlite'}"


def open_site_database(folder: Path, settings: Settings, durable: bool = True) -> Database:
    """Open the database of a site's folder. Raises ValueError for a URL that is not understood."""
    return open_database(get_database_url(folder, settings), durable, settings.database_direct)


def load_site_settings(
    folder: Path, sets: Iterable[str] = (), load: ProfileLoader = load_profile
) -> tuple[Settings, Profile]:
    """Return settings and profile of the site in a folder, after checking its database.

    sets: `KEY=VALUE` texts for settings and profile. load: loads the profile, and may check it. Raises CannotOpenSite,
    SettingsError.
    """
    if not (folder / SETTINGS).is_file():
        raise CannotOpenSite(f"there is no site in {folder}; make one with: vetrina init {folder}")
    for_settings, for_profile = parse_sets(sets)
    settings = load_settings(folder, for_settings)
    profile = load(settings.profile, for_profile)
    try:
        _require_current_schema(open_site_database(folder, settings), folder)
    except ValueError as error:
        raise CannotOpenSite(f"the site in {folder}: {error}") from error
    return settings, profile


def require_writable_site(folder: Path, settings: Settings) -> None:
    """Raise CannotOpenSite where a server of this site could not write its database or its files."""
    places = [] if settings.media else [folder / MEDIA]
    database = get_database_url(folder, settings)
    if database.startswith(_SQLITE_URL_PREFIX):
        file = Path(database.removeprefix(_SQLITE_URL_PREFIX))
        places += [file.parent, file, *file.parent.glob(f"{file.name}-*")]
    for place in places:
        if place.exists() and not os.access(place, os.W_OK):
            raise CannotOpenSite(
                f"{place} cannot be written to; a server has to: check its owner, its mode and its disk"
            )


def _require_current_schema(database: Database, folder: Path) -> None:
    """Raise CannotOpenSite unless the database exists at the newest revision; close it."""
    # Checked before it is opened: opening would create it.
    if database.path is not None and not database.path.is_file():
        raise CannotOpenSite(f"the database {database.path} of this site is missing; put it back from a backup")
    try:
        found = database_schema.find_revision(database)
    except sqlite3.DatabaseError as error:
        raise CannotOpenSite(f"the database {database.path} cannot be read: {error}") from None
    finally:
        database.close()
    if found is None:
        raise CannotOpenSite(f"the database of the site in {folder} is empty; put it back from a backup")
    if found < database_schema.HEAD_REVISION:
        command = f"vetrina migrate --site {folder}"
        raise CannotOpenSite(
            f"the database stands at {found}, this version needs {database_schema.HEAD_REVISION}; run: {command}"
        )
    if found > database_schema.HEAD_REVISION:
        raise CannotOpenSite(
            f"the database stands at {found}, a newer version than this one ({database_schema.HEAD_REVISION}) wrote it"
        )
