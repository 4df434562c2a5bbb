"""The folder of the backups that were made over the interface: which there are, and what each holds.

`backups/` in the site's folder, which only the server's own account may read. One process at a time writes there.
"""

from __future__ import annotations

import fcntl
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from vetrina.kernel.times import format_iso
from vetrina.system.backups.archive import BackupManifest, CannotRestoreBackup, read_manifest

FOLDER: Final = "backups"
BACKUP_KIND: Final = "backup"  # in the audit trail
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}\.tar\.gz", re.ASCII)
_PART: Final = ".part"
_LOCK: Final = ".lock"
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600
_NOT_IN_NAMES: Final = re.compile(r"[^0-9]")


class StoredBackup(NamedTuple):
    """A backup in the folder. made: seconds since 1970; size: bytes; manifest: None for a file that has none."""

    name: str
    made: int
    size: int
    manifest: BackupManifest | None


class BackupFolderBusy(Exception):
    """Another process is writing a backup of this site."""


def get_backup_folder(site_folder: Path) -> Path:
    """Return the folder of a site's backups, which need not exist yet."""
    return site_folder / FOLDER


def list_backups(folder: Path) -> list[StoredBackup]:
    """Return the backups of a folder, the newest first."""
    if not folder.is_dir():
        return []
    found = (find_backup(folder, path.name) for path in folder.iterdir())
    return sorted((one for one in found if one is not None), key=lambda one: (one.made, one.name), reverse=True)


def find_backup(folder: Path, name: str) -> StoredBackup | None:
    """Return a backup by its name, None where there is none."""
    if not _NAME.fullmatch(name):
        return None
    path = folder / name
    try:
        facts = path.lstat()
    except OSError:
        return None
    if not path.is_file() or path.is_symlink():
        return None
    manifest = _read_manifest(path)
    return StoredBackup(name, int(facts.st_mtime) if manifest is None else manifest.made, facts.st_size, manifest)


def delete_backup(folder: Path, name: str) -> None:
    """Delete a backup; one that is being sent is sent to its end."""
    if _NAME.fullmatch(name):
        (folder / name).unlink(missing_ok=True)


@contextmanager
def write_into_folder(folder: Path, now: int) -> Iterator[tuple[Path, Path]]:
    """Give the path to write a backup to and the one that it has when it is whole; on an error nothing is left.

    now: seconds since 1970. Raises BackupFolderBusy.
    """
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupFolderBusy("another process is writing a backup of this site") from None
        for left in folder.glob(f"*{_PART}"):
            left.unlink(missing_ok=True)
        whole = _choose_name(folder, now)
        part = whole.with_name(f"{whole.name}{_PART}")
        part.touch(mode=_FILE_MODE)
        try:
            yield part, whole
            part.rename(whole)
        finally:
            part.unlink(missing_ok=True)
    finally:
        os.close(lock)


def _choose_name(folder: Path, now: int) -> Path:
    moment = _NOT_IN_NAMES.sub("", format_iso(now))
    stem = f"backup-{moment[:8]}-{moment[8:14]}"
    for ending in ("", *(f"-{number}" for number in range(2, 100))):
        path = folder / f"{stem}{ending}.tar.gz"
        if not path.exists():
            return path
    raise BackupFolderBusy("a hundred backups were made within a second")


def _read_manifest(path: Path) -> BackupManifest | None:
    """Return what a backup says of itself in its first member; the rest is not read."""
    import tarfile  # which no server needs that shows no backups

    try:
        with tarfile.open(path, mode="r|gz") as tar:
            first = tar.next()
            return None if first is None else read_manifest(tar, first)
    except (OSError, EOFError, tarfile.TarError, zlib.error, CannotRestoreBackup):
        return None
