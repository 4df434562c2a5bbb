"""The file of a backup: what is in it, and how a site is written into it.

A compressed tar with `backup.json` (by which version and when it was made), `vetrina.toml`, `profile.toml` where the
site has a profile of its own, `site.sqlite` whatever kind of database the site uses, and `media/`. The way
back: system/backups/restoring.py. The command: cli/backup.py; over the interface: system/backups/making.py.
"""

from __future__ import annotations

import io
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import msgspec

from vetrina import __version__
from vetrina.backends import database_schema
from vetrina.backends.database import Database, open_database
from vetrina.backends.file_store import FileStore, FileStoreUnreachable, OpenedFile, is_file_name
from vetrina.backends.site_folder import MEDIA, SETTINGS

if TYPE_CHECKING:
    import tarfile

MANIFEST: Final = "backup.json"
PROFILE: Final = "profile.toml"
DATABASE: Final = "site.sqlite"

# Settings that belong to the machine, not to the site.
_LOCATION_SETTINGS: Final = re.compile(r"""^[ \t]*(?:database|media)[ \t]*=[ \t]*["'][^"'].*\n?""", re.MULTILINE)
_SECRET_SETTINGS: Final = re.compile(
    r"""^[ \t]*(?:secret|smtp_url|metrics|provider_secrets[\w."'-]*|\w*_key)[ \t]*=.*\n?"""
    # A whole table, up to the next one.
    r"|^[ \t]*\[provider_secrets\].*\n?(?:(?![ \t]*\[).+\n?|\n)*",
    re.MULTILINE,
)
_PART: Final = 1 << 20  # bytes


class ArchiveStep(NamedTuple):
    """How far the writing of a backup is.

    of: how much there is of it, 0 where that is unknown; size: bytes so far. unit: of both numbers, for people.
    """

    name: str
    done: int
    of: int = 0
    size: int = 0
    unit: str = ""

    def __str__(self) -> str:
        if not self.of:
            return f"{self.name}: {self.done:,} ({self.size:,} bytes)"
        return f"{self.name}: {self.done:,} of {self.of:,}{self.unit and ' '}{self.unit}"


ArchiveProgress = Callable[[ArchiveStep], None]


class CannotRestoreBackup(Exception):
    """A file is no backup that this version can restore; the message says why."""


class BackupManifest(msgspec.Struct, frozen=True):
    """The description inside a backup. made: seconds since 1970. revision: of its database."""

    version: str
    revision: str
    made: int
    secrets: bool = True
    media: bool = True


class ArchivedSite(NamedTuple):
    """What a backup is made of. profile: as the settings name it."""

    folder: Path
    profile: str
    database: Database
    files: FileStore


def write_backup(
    out: BinaryIO, site: ArchivedSite, near: Path, tell: ArchiveProgress, *, secrets: bool = True, media: bool = True
) -> None:
    """Write the backup of a site that may be served meanwhile.

    near: a folder with room for a copy of its database. secrets, media: whether they are included.
    """
    import tarfile  # which no server needs that makes no backup

    with (
        tempfile.TemporaryDirectory(prefix=".vetrina-", dir=near) as place,
        tarfile.open(fileobj=out, mode="w:gz") as tar,
    ):
        made = BackupManifest(__version__, database_schema.HEAD_REVISION, int(time.time()), secrets, media)
        _add_member(tar, MANIFEST, msgspec.json.encode(made))
        settings = site.folder / SETTINGS
        # A site that a program made for a while has no such file.
        text = _LOCATION_SETTINGS.sub("", settings.read_text(encoding="utf-8")) if settings.is_file() else ""
        _add_member(tar, SETTINGS, (text if secrets else _SECRET_SETTINGS.sub("", text)).encode())
        profile = Path(site.profile)
        if profile.suffix == ".toml":
            text = profile.read_text(encoding="utf-8")
            _add_member(tar, PROFILE, (text if secrets else _SECRET_SETTINGS.sub("", text)).encode())
        files = _MediaArchiver(tar, site.files, tell) if media else None
        # Before the database and after it: every file that its records name must be included, even if files are
        # removed or added meanwhile; a file that no record names does no harm.
        if files is not None:
            files.add_new_files()
        copy = Path(place, DATABASE)
        _copy_database(site, copy, tell)
        tar.add(copy, DATABASE)
        if files is not None:
            files.add_new_files()


def read_manifest(tar: tarfile.TarFile, member: tarfile.TarInfo | None = None) -> BackupManifest:
    """Return the description inside a backup. member: that has it, where it was found. Raises CannotRestoreBackup."""
    try:
        if member is not None and member.name != MANIFEST:
            raise KeyError(member.name)
        found = tar.extractfile(MANIFEST if member is None else member)
        assert found is not None
        return msgspec.json.decode(found.read(), type=BackupManifest)
    except (KeyError, AssertionError, msgspec.MsgspecError):
        raise CannotRestoreBackup(f"it has no {MANIFEST}; it is no backup, or one of another program") from None


def _copy_database(site: ArchivedSite, copy: Path, tell: ArchiveProgress) -> None:
    """Write a consistent snapshot of a site's rows into a SQLite file."""
    if site.database.path is not None:
        with closing(sqlite3.connect(site.database.path)) as live, closing(sqlite3.connect(copy)) as to:
            # One snapshot for the whole copy: without it each write of others meanwhile would begin the copy again.
            live.execute("BEGIN")
            live.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            live.backup(
                to,
                pages=4096,
                progress=lambda _, left, of: tell(ArchiveStep("database", of - left, max(1, of), unit="pages")),
            )
            live.rollback()
        return
    # Imported only where it is used.
    from vetrina.backends import database_move

    target = open_database(f"sqlite:///{copy}", durable=False)
    begun: set[str] = set()

    def tell_table(step: str, done: int, of: int) -> None:
        # Each table is copied, and at the end all are read again: two steps of one kind, whatever their rows.
        begun.add(step)
        checked = done if step == database_move.CHECK_STEP else 0
        tell(ArchiveStep("database", len(begun) + checked, 2 * database_move.TABLE_COUNT + 2, unit="tables"))

    try:
        database_move.copy_database(site.database, target, tell_table)
    finally:
        target.close()


class _MediaArchiver:
    """Adds the files of a site to a tar, each once."""

    def __init__(self, tar: tarfile.TarFile, files: FileStore, tell: ArchiveProgress) -> None:
        self._tar, self._files, self._tell = tar, files, tell
        self._there: set[str] = set()
        self._bytes = 0

    def add_new_files(self) -> None:
        import tarfile

        for kept in self._files.list_files(""):
            if kept.name in self._there or not is_file_name(kept.name):
                continue
            stored = self._files.open(kept.name)
            if stored is None:  # removed since it was listed
                continue
            with closing(stored):
                entry = tarfile.TarInfo(f"{MEDIA}/{kept.name}")
                entry.size, entry.mtime, entry.mode = stored.size, stored.modified, 0o644
                self._tar.addfile(entry, io.BufferedReader(_StoredFileReader(stored), _PART))
            self._there.add(kept.name)
            self._bytes += stored.size
            self._tell(ArchiveStep("files", len(self._there), 0, self._bytes))


class _StoredFileReader(io.RawIOBase):
    """A stored file as a stream for tarfile."""

    def __init__(self, stored: OpenedFile) -> None:
        self._stored, self._at = stored, 0

    def readable(self) -> bool:
        return True

    # The library calls it with these two buffer types only.
    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        found = self._stored.read(self._at, min(len(buffer), self._stored.size - self._at))
        if not found and self._at < self._stored.size:
            raise FileStoreUnreachable
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)


def _add_member(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    import tarfile

    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(content), 0o600, int(time.time())
    tar.addfile(entry, io.BytesIO(content))
