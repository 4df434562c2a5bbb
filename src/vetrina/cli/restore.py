"""`vetrina restore`: a site from the file of its backup, in a folder of its own, on either kind of database."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

import click

from vetrina.backends import database_schema
from vetrina.backends.database import open_database
from vetrina.backends.file_store import FileNameTaken, FolderFileStore, open_file_store
from vetrina.backends.site_folder import MEDIA, SETTINGS
from vetrina.kernel.keys import generate_key
from vetrina.settings import load_settings
from vetrina.system.backups import archive
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
            made = _unpack_backup(file, part, tell)
            _check_and_upgrade(part / archive.DATABASE, made)
            kept = {"profile": _resolve_profile(part, folder)}
            if not made.secrets:
                kept["secret"] = os.environ.get("VETRINA_SECRET") or generate_key()
            if media is not None:
                _upload_files(part / MEDIA, media, tell)
                kept["media"] = media
            if url is not None:
                _copy_rows(part / archive.DATABASE, url, tell)
                kept["database"] = url
            merge_settings(part / SETTINGS, kept)
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


def _unpack_backup(file: Path, part: Path, tell: ThrottledProgress) -> archive.BackupManifest:
    """Unpack a backup and return its description. Raises CannotRestoreBackup, tarfile.TarError, EOFError."""
    with tarfile.open(file) as tar:
        made = archive.read_manifest(tar)
        if made.revision > database_schema.HEAD_REVISION:
            raise CannotRestoreBackup(
                f"version {made.version} wrote it, which is newer than this one; install that first"
            )
        if made.revision < database_schema.FIRST_REVISION:
            raise CannotRestoreBackup("a program of before the first release wrote it, and no step leads on from there")
        tar.extraction_filter = tarfile.data_filter
        size = 0
        for number, member in enumerate(tar, 1):
            tar.extract(member, part)
            size += member.size
            tell(f"unpacked: {number:,} files ({size:,} bytes)")
    for name in (SETTINGS, archive.DATABASE):
        if not (part / name).is_file():
            raise CannotRestoreBackup(f"it has no {name}; take another backup")
    (part / archive.MANIFEST).unlink()
    (part / MEDIA).mkdir(exist_ok=True)
    return made


def _check_and_upgrade(path: Path, made: archive.BackupManifest) -> None:
    """Check that a database is intact, and upgrade it to this version. Raises CannotRestoreBackup."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise CannotRestoreBackup(f"its database is damaged: {found}; take another backup")
    if made.revision < database_schema.HEAD_REVISION:
        # Imported only where it is used: it is large.
        from vetrina.backends.migrations import upgrade_database

        upgrade_database(f"sqlite:///{path}", lambda step: click.echo(f"  {step}"))


def _resolve_profile(part: Path, folder: Path) -> str:
    """Return the profile for the restored site: the one in the backup, unless the original path still exists."""
    named = load_settings(part).profile
    if not (part / archive.PROFILE).is_file():
        return named
    if Path(named).is_file():
        (part / archive.PROFILE).unlink()
        return named
    return str(folder.absolute() / archive.PROFILE)


def _upload_files(there: Path, url: str, tell: ThrottledProgress) -> None:
    """Upload files to a store and delete them here. Raises CannotRestoreBackup when a name is taken there."""
    try:
        store = open_file_store(url, there)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    for number, kept in enumerate(FolderFileStore(there).list_files(""), 1):
        try:
            store.put(kept.name, there / kept.name)
        except FileNameTaken:
            raise CannotRestoreBackup(
                f"{kept.name} is in {url.partition('?')[0]} already; name another prefix"
            ) from None
        tell(f"files sent: {number:,}")
    shutil.rmtree(there)
    there.mkdir()


def _copy_rows(path: Path, url: str, tell: ThrottledProgress) -> None:
    """Copy the rows of a file into an empty database and delete the file. Raises CannotRestoreBackup."""
    # Imported only where it is used.
    from vetrina.backends.database_move import CannotMoveDatabase, copy_database

    try:
        target = open_database(url)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    source = open_database(f"sqlite:///{path}", durable=False)
    try:
        copy_database(source, target, lambda table, done, rows: tell(f"{table}: {done:,} of {rows:,}"))
    except CannotMoveDatabase as error:
        raise CannotRestoreBackup(str(error)) from None
    finally:
        source.close()
        target.close()
    path.unlink()
