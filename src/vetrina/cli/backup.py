"""`vetrina backup`: settings, database and media of a site in one file, taken while it is served."""

from __future__ import annotations

import io
import os
import re
import sqlite3
import tarfile
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import click

from vetrina.site import Site

from .site_folder import MEDIA, SETTINGS, opened, site_option, terminable

__all__ = ["command"]

_DATABASE = "site.sqlite"
_ELSEWHERE = re.compile(r"^[ \t]*database[ \t]*=.*\n?", re.MULTILINE)


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@site_option
def command(file: Path, folder: Path) -> None:
    """Write a whole site into FILE, a .tar.gz that only you can read; FILE must not exist yet.

    To put it back, unpack it into a new folder and serve that.
    """
    with terminable(), opened(folder) as site:
        if site.database.path is None:
            raise click.UsageError("the database is a server's: back it up with pg_dump, and the folder with tar")
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise click.UsageError(f"{file} exists; name a new file") from None
        try:
            with os.fdopen(made, "wb") as out:
                _write(out, site, site.database.path, file.absolute().parent)
        except BaseException:
            file.unlink(missing_ok=True)
            raise
    if media := site.frame.settings.media:
        click.echo(f"The files in {media} are not in it: look after them there.")
    size = file.stat().st_size
    click.echo(f"{file} holds the site as it was at {time.strftime('%Y-%m-%d %H:%M:%S')} ({size:,} bytes).")


def _write(out: BinaryIO, site: Site, database: Path, near: Path) -> None:
    """Write a site as a compressed tar; near: a folder with room for a copy of its database file."""
    with (
        tempfile.TemporaryDirectory(prefix=".vetrina-", dir=near) as place,
        tarfile.open(fileobj=out, mode="w:gz") as tar,
    ):
        text = (site.folder / SETTINGS).read_text(encoding="utf-8")
        if site.frame.settings.database:
            # In the backup the database lies beside its settings, wherever it lies now.
            text = _ELSEWHERE.sub("", text)
        settings = tarfile.TarInfo(SETTINGS)
        settings.size, settings.mode, settings.mtime = len(text.encode()), 0o600, int(time.time())
        tar.addfile(settings, io.BytesIO(text.encode()))
        with closing(sqlite3.connect(database)) as live, closing(sqlite3.connect(Path(place, _DATABASE))) as copy:
            live.backup(copy)
        tar.add(Path(place, _DATABASE), _DATABASE)
        # After the database: a file that it names must be there, one that it does not name yet does no harm.
        if (site.folder / MEDIA).is_dir():
            tar.add(site.folder / MEDIA, MEDIA)
