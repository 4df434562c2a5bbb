"""`vetrina backup`: settings, database and media of a site in one file, written while it is served."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from .site_folder import open_site_folder, site_option, unwind_on_sigterm

_PAUSE = 1.0  # seconds between two lines of progress


class ThrottledProgress:
    """Prints how far a long command is, at most a line a second."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if now - self._last > _PAUSE:
            self._last = now
            click.echo(f"  {text}", err=True)


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@site_option
@click.option("--without-secrets", is_flag=True, help="Leave the keys and passwords of settings and profile out.")
@click.option("--without-media", is_flag=True, help="Leave the uploaded files out, where their store keeps copies.")
def command(file: Path, folder: Path, without_secrets: bool, without_media: bool) -> None:
    """Write a whole site into FILE, a .tar.gz that only you can read; FILE must not exist yet.

    The site may be served meanwhile, on SQLite or PostgreSQL, with its files in a folder or a store: everything that
    was acknowledged before the backup began is in it. `vetrina restore` restores it.
    """
    # Imported here, with the modules of a site, so that the help of the command is quick.
    from . import archive

    with unwind_on_sigterm(), open_site_folder(folder) as site:
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise click.UsageError(f"{file} exists; name a new file") from None
        try:
            with os.fdopen(made, "wb") as out:
                archive.write_backup(
                    out, site, file.absolute().parent, ThrottledProgress(),
                    secrets=not without_secrets, media=not without_media,
                )  # fmt: skip
                out.flush()
                os.fsync(out.fileno())
        except BaseException:
            file.unlink(missing_ok=True)
            raise
    if without_media:
        click.echo("The uploaded files are not in it: look after them where they are.")
    if without_secrets:
        click.echo("Its secrets are not in it: keep `secret` of the settings, application passwords need it.")
    size = file.stat().st_size
    click.echo(f"{file} holds the site as it was at {time.strftime('%Y-%m-%d %H:%M:%S')} ({size:,} bytes).")
