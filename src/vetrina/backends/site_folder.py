"""A site's folder as it is found: its settings, its profile, and a database at the version that this program needs.

Apart from site.py, so that the consumer of jobs opens a site without loading what answers requests.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from vetrina.backends import database_schema
from vetrina.settings import Profile, Settings, load_profile, parse_sets, read_settings

from .database import Database, open_database

__all__ = ["CannotOpen", "database_of", "settings_of"]


class CannotOpen(Exception):
    """A folder holds no site that could be opened; the message says what to do."""


def database_of(folder: Path, settings: Settings) -> str:
    """Return the URL of the database of a site's folder."""
    return settings.database or f"sqlite:///{folder / 'site.sqlite'}"


def settings_of(folder: Path, sets: Iterable[str] = ()) -> tuple[Settings, Profile]:
    """Return settings and profile of the site in a folder, after a look at its database.

    sets: `KEY=VALUE` texts for settings and profile. Raises CannotOpen, SettingsError.
    """
    if not (folder / "vetrina.toml").is_file():
        raise CannotOpen(f"there is no site in {folder}; make one with: vetrina init {folder}")
    for_settings, for_profile = parse_sets(sets)
    settings = read_settings(folder, for_settings)
    profile = load_profile(settings.profile, for_profile)
    try:
        _require_current(open_database(database_of(folder, settings)), folder)
    except ValueError as error:
        raise CannotOpen(f"the site in {folder}: {error}") from error
    return settings, profile


def _require_current(database: Database, folder: Path) -> None:
    """Close a database. Raises CannotOpen unless it is there and stands at the newest migration."""
    # Looked at before it is opened: opening would make it.
    if database.path is not None and not database.path.is_file():
        raise CannotOpen(f"the database {database.path} of this site is missing; put it back from a backup")
    try:
        found = database_schema.revision(database)
    except sqlite3.DatabaseError as error:
        raise CannotOpen(f"the database {database.path} cannot be read: {error}") from None
    finally:
        database.close()
    if found is None:
        raise CannotOpen(f"the database of the site in {folder} is empty; put it back from a backup")
    if found < database_schema.HEAD:
        command = f"vetrina migrate --site {folder}"
        raise CannotOpen(f"the database stands at {found}, this version needs {database_schema.HEAD}; run: {command}")
    if found > database_schema.HEAD:
        raise CannotOpen(
            f"the database stands at {found}, a newer version than this one ({database_schema.HEAD}) wrote it"
        )
