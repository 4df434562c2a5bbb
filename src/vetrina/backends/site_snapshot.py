"""The state to which a throw-away site is put back: a copy of its folder, database and uploaded files included.

The folder's user lets go of the database first, so that the file is whole and may be replaced. What a file is, is known
by its number, size and time, so that only what changed is copied back. Not here: what a process remembers (site.py).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["StartingState"]

_ASIDE: Final = ".start"
_LOCKS: Final = "site.sqlite-"  # what stands beside a database while it is open, and the locks of those who use it


class _File(NamedTuple):
    number: int
    size: int
    modified: int


class StartingState:
    """The starting state of the site in a folder; nothing is kept before `keep` is called."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._aside = folder, folder / _ASIDE
        self._files: dict[str, _File] = {}
        self._folders: set[str] = set()

    def keep(self) -> None:
        """Make what is there now the state to return to."""
        shutil.rmtree(self._aside, ignore_errors=True)
        self._files.clear()
        self._folders.clear()
        for name, entry in _below(self._folder):
            if entry.is_dir(follow_symlinks=False):
                self._folders.add(name)
                (self._aside / name).mkdir(parents=True)
            else:
                self._aside.mkdir(exist_ok=True)
                shutil.copy2(entry.path, self._aside / name)
                self._files[name] = _known(entry.stat(follow_symlinks=False))

    def put_back(self) -> None:
        """Make the folder what it was when it was kept."""
        unchanged, gone = set(), []
        for name, entry in _below(self._folder):
            if entry.is_dir(follow_symlinks=False):
                if name not in self._folders:
                    gone.append(name)
            elif self._files.get(name) == _known(entry.stat(follow_symlinks=False)):
                unchanged.add(name)
            else:
                Path(entry.path).unlink()
        # The deepest first: by now they are empty.
        for name in sorted(gone, reverse=True):
            (self._folder / name).rmdir()
        for name in sorted(self._folders):
            (self._folder / name).mkdir(exist_ok=True)
        for name in self._files.keys() - unchanged:
            target = self._folder / name
            shutil.copy2(self._aside / name, target)
            self._files[name] = _known(target.stat())


def _known(facts: os.stat_result) -> _File:
    return _File(facts.st_ino, facts.st_size, facts.st_mtime_ns)


def _below(folder: Path, before: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Give every file and folder below a folder, a folder before what is in it."""
    for entry in list(os.scandir(folder)):
        name = before + entry.name
        if name == _ASIDE or name.startswith(_LOCKS):
            continue
        yield name, entry
        if entry.is_dir(follow_symlinks=False):
            yield from _below(folder / entry.name, f"{name}/")
