"""`vetrina migrate`: a site's database, upgraded to this version, or moved to another database.

Migrations: backends/migrations; how rows are moved: backends/database_move.py.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import click

from vetrina.backends import database_schema
from vetrina.backends.database import open_database
from vetrina.backends.site_folder import SETTINGS, CannotOpenSite, get_database_url
from vetrina.settings import load_settings

from .site_folder import site_option, unwind_on_sigterm

_DATABASE_SETTING = re.compile(r"^[ \t]*database[ \t]*=.*$", re.MULTILINE)
_PAUSE = 1.0  # seconds between two lines about the same table


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
    url = get_database_url(folder, load_settings(folder))
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
        _move_site(folder, url, target)
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

    upgrade_database(url, lambda step: click.echo(f"  {step}"))
    click.echo(f"The database stands at {database_schema.HEAD_REVISION} now.")


def _move_site(folder: Path, url: str, to: str) -> None:
    """Move a site's rows to an empty database and write its URL into the settings."""
    # Imported only where it is used.
    from vetrina.backends.database_move import CannotMoveDatabase, move_database

    if "VETRINA_DATABASE" in os.environ:
        raise click.UsageError("VETRINA_DATABASE names the database of this site; unset it, and let the settings do so")
    try:
        source, target = open_database(url), open_database(to)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    try:
        with unwind_on_sigterm():
            counts = move_database(source, target, _MoveProgressPrinter())
    except CannotMoveDatabase as error:
        raise click.ClickException(str(error)) from None
    finally:
        source.close()
        target.close()
    _write_database_setting(folder / SETTINGS, to)
    click.echo(f"{sum(counts.values()):,} rows of {len(counts)} tables are there, each as it was.")
    click.echo(f"{folder / SETTINGS} names the new database now; the old one can be removed once the site runs.")


class _MoveProgressPrinter:
    """Prints how far a move is: a line when a table is done, and one a second meanwhile."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, table: str, done: int, rows: int) -> None:
        now = time.monotonic()
        if rows and (done >= rows or now - self._last > _PAUSE):
            self._last = now
            click.echo(f"  {table}: {done:,} of {rows:,}")


def _write_database_setting(path: Path, url: str) -> None:
    """Write the URL of a database into a settings file."""
    line = f"database = {json.dumps(url, ensure_ascii=False)}"
    text, found = _DATABASE_SETTING.subn(lambda _: line, path.read_text(encoding="utf-8"), count=1)
    if not found:
        text = f"{line}\n{text}"
    # Written beside it and then renamed: a truncated settings file would lose the site's secret.
    new = path.with_name(f".{path.name}.new")
    new.touch(mode=0o600)
    new.write_text(text, encoding="utf-8")
    new.replace(path)
