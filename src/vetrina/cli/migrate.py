"""`vetrina migrate`: a site's database, upgraded to this version, or moved to another database.

Migrations: backends/migrations; the move: cli/database_move.py.
"""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.backends import database_schema
from vetrina.backends.database import open_database
from vetrina.backends.site_folder import SETTINGS, CannotOpenSite, get_database_url
from vetrina.cli.database_move import move_site
from vetrina.settings import load_settings

from .site_folder import site_option


@click.command("migrate")
@site_option
@click.option(
    "--to", "target", metavar="URL",
    help="Move the site to an empty database instead: postgresql://USER@HOST/NAME or sqlite:///PATH.",
)  # fmt: skip
def command(folder: Path, target: str | None) -> None:
    """Upgrade a site's database to this version; stop the site first and make a backup.

    With --to, every row moves to another database, which the site uses from then on; the old one is left unchanged.
    """
    if not (folder / SETTINGS).is_file():
        raise CannotOpenSite(f"there is no site in {folder}; make one with: vetrina init {folder}")
    settings = load_settings(folder)
    url = get_database_url(folder, settings)
    database = open_database(url)
    try:
        found = database_schema.find_revision(database) if database.path is None or database.path.is_file() else None
    finally:
        database.close()
    if found is None:
        raise CannotOpenSite(f"the database of the site in {folder} is empty; put it back from a backup")
    if found > database_schema.HEAD_REVISION:
        raise CannotOpenSite(
            f"the database stands at {found}, a newer version than this one ({database_schema.HEAD_REVISION}) wrote it"
        )
    if target is not None:
        move_site(folder, url, target)
        return
    if found == database_schema.HEAD_REVISION:
        click.echo(f"The database stands at {found} already; there is nothing to do.")
        return
    if found < database_schema.FIRST_REVISION:
        raise CannotOpenSite(
            f"the database stands at {found}, as a program of before the first release made it; bring it to "
            f"{database_schema.FIRST_REVISION} with the last such program, then run this again"
        )
    # Imported only where it is used: it is large.
    from vetrina.backends.migrations import upgrade_database

    upgrade_database(settings.database_direct or url, lambda step: click.echo(f"  {step}"))
    click.echo(f"The database stands at {database_schema.HEAD_REVISION} now.")
