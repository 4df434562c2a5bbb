"""Moves a site to another database: its rows, then the URL in its settings.

How rows are moved: backends/database_move.py.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import click

from vetrina.backends.database import open_database
from vetrina.backends.site_folder import SETTINGS

from .site_folder import unwind_on_sigterm

_DATABASE_SETTING = re.compile(r"^[ \t]*database[ \t]*=.*$", re.MULTILINE)
_PAUSE = 1.0  # seconds between two lines about the same table


def move_site(folder: Path, url: str, to: str) -> None:
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
