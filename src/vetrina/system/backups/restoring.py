"""Restoring a backup, step by step: its files, its database in this version's form, its rows and files elsewhere.

The file itself: system/backups/archive.py. The command that runs the steps in a new folder: cli/restore.py.
"""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from vetrina.backends import database_schema
from vetrina.backends.database import open_database
from vetrina.backends.file_store import FileNameTaken, FolderFileStore, open_file_store
from vetrina.backends.site_folder import MEDIA, SETTINGS
from vetrina.system.backups.archive import DATABASE, MANIFEST, BackupManifest, CannotRestoreBackup, read_manifest


def unpack_backup(file: Path, part: Path, tell: Callable[[str], None]) -> BackupManifest:
    """Unpack a backup and return its description. Raises CannotRestoreBackup, tarfile.TarError, EOFError."""
    with tarfile.open(file) as tar:
        made = read_manifest(tar)
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
    for name in (SETTINGS, DATABASE):
        if not (part / name).is_file():
            raise CannotRestoreBackup(f"it has no {name}; take another backup")
    (part / MANIFEST).unlink()
    (part / MEDIA).mkdir(exist_ok=True)
    return made


def check_and_upgrade_database(path: Path, made: BackupManifest, tell: Callable[[str], None]) -> None:
    """Check that a database is intact, and upgrade it to this version; `tell` hears of each step.

    Raises CannotRestoreBackup.
    """
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

        upgrade_database(f"sqlite:///{path}", tell)


def upload_files(there: Path, url: str, tell: Callable[[str], None]) -> None:
    """Upload files to a store and delete them here.

    Raises CannotRestoreBackup when a name is taken there, ValueError for a URL that is none of a store.
    """
    store = open_file_store(url, there)
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


def copy_rows(path: Path, url: str, tell: Callable[[str], None]) -> None:
    """Copy the rows of a file into an empty database and delete the file.

    Raises CannotRestoreBackup, ValueError for a URL that is none of a database.
    """
    # Imported only where it is used.
    from vetrina.backends.database_move import CannotMoveDatabase, copy_database

    target = open_database(url)
    source = open_database(f"sqlite:///{path}", durable=False)
    try:
        copy_database(source, target, lambda table, done, rows: tell(f"{table}: {done:,} of {rows:,}"))
    except CannotMoveDatabase as error:
        raise CannotRestoreBackup(str(error)) from None
    finally:
        source.close()
        target.close()
    path.unlink()
