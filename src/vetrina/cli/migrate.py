"""`vetrina migrate`: a site's database, brought up to what this version needs."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.backends import schema
from vetrina.backends.database import open_database
from vetrina.settings import read_settings
from vetrina.site import CannotOpen, database_of

from .site_folder import SETTINGS, site_option

__all__ = ["command"]


@click.command("migrate")
@site_option
def command(folder: Path) -> None:
    """Bring a site's database up to this version; stop the site first and make a backup."""
    if not (folder / SETTINGS).is_file():
        raise CannotOpen(f"there is no site in {folder}; make one with: vetrina init {folder}")
    url = database_of(folder, read_settings(folder))
    database = open_database(url)
    try:
        found = schema.revision(database) if database.path is None or database.path.is_file() else None
    finally:
        database.close()
    if found is None:
        raise CannotOpen(f"the database of the site in {folder} is empty; put it back from a backup")
    if found > schema.HEAD:
        raise CannotOpen(f"the database stands at {found}, a newer version than this one ({schema.HEAD}) wrote it")
    if found == schema.HEAD:
        click.echo(f"The database stands at {found} already; there is nothing to do.")
        return
    # Loaded only where it is used: it is large.
    from vetrina.backends.migrations import upgrade

    upgrade(url, lambda step: click.echo(f"  {step}"))
    click.echo(f"The database stands at {schema.HEAD} now.")
