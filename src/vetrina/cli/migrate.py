"""`vetrina migrate`: a site's database, brought up to what this version needs, or moved to another one.

Not here: how a database changes (backends/migrations), how its rows move (backends/database_move.py).
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
from vetrina.settings import read_settings
from vetrina.site import CannotOpen, database_of

from .site_folder import SETTINGS, site_option, terminable

__all__ = ["command"]

_DATABASE = re.compile(r"^[ \t]*database[ \t]*=.*$", re.MULTILINE)
_PAUSE = 1.0  # seconds between two lines about the same table


@click.command("migrate")
@site_option
@click.option(
    "--to", "target", metavar="URL",
    help="Move the site to an empty database instead: postgresql://USER@HOST/NAME or sqlite:///PATH.",
)  # fmt: skip
def command(folder: Path, target: str | None) -> None:
    """Bring a site's database up to this version; stop the site first and make a backup.

    With --to, every row moves to another database, which the site uses from then on; the old one is left as it was.
    """
    if not (folder / SETTINGS).is_file():
        raise CannotOpen(f"there is no site in {folder}; make one with: vetrina init {folder}")
    url = database_of(folder, read_settings(folder))
    database = open_database(url)
    try:
        found = database_schema.revision(database) if database.path is None or database.path.is_file() else None
    finally:
        database.close()
    if found is None:
        raise CannotOpen(f"the database of the site in {folder} is empty; put it back from a backup")
    if found > database_schema.HEAD:
        raise CannotOpen(
            f"the database stands at {found}, a newer version than this one ({database_schema.HEAD}) wrote it"
        )
    if target is not None:
        _move(folder, url, target)
        return
    if found == database_schema.HEAD:
        click.echo(f"The database stands at {found} already; there is nothing to do.")
        return
    # Loaded only where it is used: it is large.
    from vetrina.backends.migrations import upgrade

    upgrade(url, lambda step: click.echo(f"  {step}"))
    click.echo(f"The database stands at {database_schema.HEAD} now.")


def _move(folder: Path, url: str, to: str) -> None:
    """Move a site's rows to an empty database and let its settings name that."""
    # Loaded only where it is used.
    from vetrina.backends.database_move import CannotMove, move

    if "VETRINA_DATABASE" in os.environ:
        raise click.UsageError("VETRINA_DATABASE names the database of this site; unset it, and let the settings do so")
    try:
        source, target = open_database(url), open_database(to)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    try:
        with terminable():
            counts = move(source, target, _Told())
    except CannotMove as error:
        raise click.ClickException(str(error)) from None
    finally:
        source.close()
        target.close()
    _use(folder / SETTINGS, to)
    click.echo(f"{sum(counts.values()):,} rows of {len(counts)} tables are there, each as it was.")
    click.echo(f"{folder / SETTINGS} names the new database now; the old one can be removed once the site runs.")


class _Told:
    """Says how far a move is: a line when a table is done, and one a second meanwhile."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, table: str, done: int, rows: int) -> None:
        now = time.monotonic()
        if rows and (done >= rows or now - self._last > _PAUSE):
            self._last = now
            click.echo(f"  {table}: {done:,} of {rows:,}")


def _use(path: Path, url: str) -> None:
    """Let a settings file name a database."""
    line = f"database = {json.dumps(url, ensure_ascii=False)}"
    text, found = _DATABASE.subn(lambda _: line, path.read_text(encoding="utf-8"), count=1)
    if not found:
        text = f"{line}\n{text}"
    # Beside it and then in its place: a settings file that is cut short would lose the site's secret.
    new = path.with_name(f".{path.name}.new")
    new.touch(mode=0o600)
    new.write_text(text, encoding="utf-8")
    new.replace(path)
