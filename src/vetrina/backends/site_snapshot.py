"""The state to which a throw-away site is reset: a copy of its folder, with database and uploaded files.

The caller closes the database first, so that the file is whole and may be replaced. A file is identified by inode, size
and time, so that only what changed is copied back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_SNAPSHOT_FOLDER: Final = ".start"
_LOCK_PREFIX: Final = "site.sqlite-"  # files beside an open database, and the lock files of its users


class _FileFingerprint(NamedTuple):
    number: int
    size: int
    modified: int


class StartingState:
    """The starting state of the site in a folder; empty until `save` is called."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._aside = folder, folder / _SNAPSHOT_FOLDER
        self._files: dict[str, _FileFingerprint] = {}
        self._folders: set[str] = set()

    def save(self) -> None:
        """Make the current content the state to return to."""
        shutil.rmtree(self._aside, ignore_errors=True)
        self._files.clear()
        self._folders.clear()
        for name, entry in _iterate_entries(self._folder):
            if entry.is_dir(follow_symlinks=False):
                self._folders.add(name)
                (self._aside / name).mkdir(parents=True)
            else:
                self._aside.mkdir(exist_ok=True)
                shutil.copy2(entry.path, self._aside / name)
                self._files[name] = _fingerprint_file(entry.stat(follow_symlinks=False))

    def restore(self) -> None:
        """Reset the folder to the saved state."""
        unchanged, gone = set(), []
        for name, entry in _iterate_entries(self._folder):
            if entry.is_dir(follow_symlinks=False):
                if name not in self._folders:
                    gone.append(name)
            elif self._files.get(name) == _fingerprint_file(entry.stat(follow_symlinks=False)):
                unchanged.add(name)
            else:
                Path(entry.path).unlink()
        # Deepest first: by now they are empty.
        for name in sorted(gone, reverse=True):
            (self._folder / name).rmdir()
        for name in sorted(self._folders):
            (self._folder / name).mkdir(exist_ok=True)
        for name in self._files.keys() - unchanged:
            target = self._folder / name
            shutil.copy2(self._aside / name, target)
            self._files[name] = _fingerprint_file(target.stat())


def _fingerprint_file(facts: os.stat_result) -> _FileFingerprint:
    return _FileFingerprint(facts.st_ino, facts.st_size, facts.st_mtime_ns)


def _iterate_entries(folder: Path, before: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield every file and folder below a folder, a folder before its contents."""
    for entry in list(os.scandir(folder)):
        name = before + entry.name
        if name == _SNAPSHOT_FOLDER or name.startswith(_LOCK_PREFIX):
            continue
        yield name, entry
        if entry.is_dir(follow_symlinks=False):
            yield from _iterate_entries(folder / entry.name, f"{name}/")
