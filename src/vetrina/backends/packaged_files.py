"""Files that ship with the program, served beside those of a site (such as shop/products/placeholder.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vetrina.backends.file_store import FileStore, FolderFileStore, OpenedFile


class PackagedFileStore:
    """A site's file store that falls back to files of the package.

    packaged: paths of the package's files by the names under which they are served.
    """

    def __init__(self, files: FileStore, packaged: Mapping[str, Path]) -> None:
        self._own = files
        self._packaged = packaged
        self.near = files.near

    def open(self, name: str) -> OpenedFile | None:
        """Open a file; raises ValueError for an invalid name."""
        found = self._own.open(name)
        if found is None and (path := self._packaged.get(name)) is not None:
            return FolderFileStore(path.parent).open(path.name)
        return found
