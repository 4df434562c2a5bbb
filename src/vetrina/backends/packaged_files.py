"""Files that come with the program, served beside those that a site keeps.

Not here: who names them (shop/products/placeholder.py), how they are sent (http/file_responses.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vetrina.backends.file_store import Files, FolderFiles, Stored

__all__ = ["WithPackaged"]


class WithPackaged:
    """The files of a site, and where it has none of a name those of the package.

    packaged: paths of the package's files by the names under which they are served.
    """

    def __init__(self, own: Files, packaged: Mapping[str, Path]) -> None:
        self._own = own
        self._packaged = packaged
        self.near = own.near

    def open(self, name: str) -> Stored | None:
        """Open a file; raises ValueError for what can be no name."""
        found = self._own.open(name)
        if found is None and (path := self._packaged.get(name)) is not None:
            return FolderFiles(path.parent).open(path.name)
        return found
