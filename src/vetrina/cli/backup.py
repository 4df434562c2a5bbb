"""`vetrina backup`: settings, database and media of a site in one file, written while it is served."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from .site_folder import open_site_folder, site_option, unwind_on_sigterm

F = TypeVar("F", bound=Callable[..., Any])

_PAUSE = 1.0  # seconds between two lines of progress


class ThrottledProgress:
    """Prints how far a long command is, at most a line a second, and the end of each step.

    shown: whether it does; by default only where a person looks at the standard error.
    """

    def __init__(self, shown: bool | None = None) -> None:
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._last, self._text = time.monotonic(), ""

    def __call__(self, text: str) -> None:
        # A new step begins: how the one before it ended is worth a line however short it was.
        if self._text and _get_step(text) != _get_step(self._text):
            self.finish()
        self._text = text
        now = time.monotonic()
        if now - self._last > _PAUSE:
            self.finish()

    def finish(self) -> None:
        """Print where the command stands, unless that was printed."""
        if self._text and self._shown:
            click.echo(f"  {self._text}", err=True)
        self._last, self._text = time.monotonic(), ""


def progress_option(command: F) -> F:
    """Add the option that shows progress, or hides it, to a command, as `progress`."""
    return click.option(
        "--progress/--no-progress", default=None,
        help="Say how far it is, on the standard error; by default where that is a terminal.",
    )(command)  # fmt: skip


def _get_step(text: str) -> str:
    return text.partition(":")[0]


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@site_option
@click.option("--without-secrets", is_flag=True, help="Leave the keys and passwords of settings and profile out.")
@click.option("--without-media", is_flag=True, help="Leave the uploaded files out, where their store keeps copies.")
@progress_option
def command(file: Path, folder: Path, without_secrets: bool, without_media: bool, progress: bool | None) -> None:
    """Write a whole site into FILE, a .tar.gz that only you can read; FILE must not exist yet.

    The site may be served meanwhile, on SQLite or PostgreSQL, with its files in a folder or a store: everything that
    was acknowledged before the backup began is in it. `vetrina restore` restores it.
    """
    # Imported here, with the modules of a site, so that the help of the command is quick.
    from vetrina.system.backups import archive

    tell = ThrottledProgress(progress)
    with unwind_on_sigterm(), open_site_folder(folder) as site:
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise click.UsageError(f"{file} exists; name a new file") from None
        try:
            with os.fdopen(made, "wb") as out:
                source = archive.ArchivedSite(folder, site.context.settings.profile, site.database, site.files)
                archive.write_backup(
                    out, source, file.absolute().parent, lambda step: tell(str(step)),
                    secrets=not without_secrets, media=not without_media,
                )  # fmt: skip
                tell.finish()
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
