"""`vetrina restore`: a site from the file of its backup, in a folder of its own, on either kind of database."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from pathlib import Path

import click

from vetrina.backends.site_folder import MEDIA, SETTINGS
from vetrina.kernel.keys import generate_key
from vetrina.settings import load_settings
from vetrina.system.backups import archive, restoring
from vetrina.system.backups.archive import CannotRestoreBackup

from .backup import ThrottledProgress, progress_option
from .site_folder import merge_settings, unwind_on_sigterm


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--to", "url", metavar="URL", help="Put its rows into an empty database: postgresql://USER@HOST/NAME.")
@click.option("--media", metavar="URL", help="Put its files into a store: s3://BUCKET/PREFIX, where none has its name.")
@progress_option
def command(file: Path, folder: Path, url: str | None, media: str | None, progress: bool | None) -> None:
    """Restore the site of a backup into DIR, which must not exist yet or be empty.

    Nothing that exists is overwritten; when something fails, DIR is unchanged. A backup of an older version is
    upgraded to this one.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{folder} exists and is not an empty folder; name a new one")
    above = next(parent for parent in folder.absolute().parents if parent.is_dir())
    tell = ThrottledProgress(progress)
    with unwind_on_sigterm():
        part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=above))
        try:
            made = restoring.unpack_backup(file, part, tell)
            restoring.check_and_upgrade_database(part / archive.DATABASE, made, _echo_step)
            kept = {"profile": _resolve_profile(part, folder)}
            if not made.secrets:
                kept["secret"] = os.environ.get("VETRINA_SECRET") or generate_key()
            merge_settings(part / SETTINGS, kept | _move_elsewhere(part, url, media, tell))
            folder.parent.mkdir(parents=True, exist_ok=True)
            part.rename(folder)
            tell.finish()
        except CannotRestoreBackup as error:
            raise click.ClickException(f"{file}: {error}") from None
        except tarfile.TarError as error:
            raise click.ClickException(f"{file} cannot be read: {error}") from None
        except EOFError:
            raise click.ClickException(f"{file} is cut short; take another backup") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
    if not made.secrets and "VETRINA_SECRET" not in os.environ:
        click.echo("It was written without secrets and has a new one: application passwords have to be made again.")
    if not made.media:
        click.echo(f"Its uploaded files were not in it: put them into {folder / MEDIA}.")
    click.echo(f"The site is in {folder}. Look at it with: vetrina check --site {folder}")


def _resolve_profile(part: Path, folder: Path) -> str:
    """Return the profile for the restored site: the one in the backup, unless the original path still exists."""
    named = load_settings(part).profile
    if not (part / archive.PROFILE).is_file():
        return named
    if Path(named).is_file():
        (part / archive.PROFILE).unlink()
        return named
    return str(folder.absolute() / archive.PROFILE)


def _echo_step(step: str) -> None:
    click.echo(f"  {step}")


def _move_elsewhere(part: Path, url: str | None, media: str | None, tell: ThrottledProgress) -> dict[str, str]:
    """Put the rows and files of an unpacked backup where they are wanted, and return the settings that say so.

    Raises CannotRestoreBackup.
    """
    kept = {}
    try:
        if media is not None:
            restoring.upload_files(part / MEDIA, media, tell)
            kept["media"] = media
        if url is not None:
            restoring.copy_rows(part / archive.DATABASE, url, tell)
            kept["database"] = url
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return kept
