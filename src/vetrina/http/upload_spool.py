"""The files of a request while it runs: deleted when it is answered, or a day later where the process was killed."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final

_ABANDONED_SECONDS: Final = 24 * 3600  # seconds; older files belong to no running request
_FILE_PREFIX: Final = "upload-"


class UploadSpool:
    """The files of one request; a context manager that deletes them at its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: list[BinaryIO] = []
        self._paths: list[Path] = []

    def create_file(self) -> tuple[BinaryIO, Path]:
        """Return an empty file and its path."""
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=_FILE_PREFIX, dir=self._folder)
        # Unbuffered: chunks are large already, and must be on disk when the file is read by its path.
        opened = os.fdopen(descriptor, "wb", buffering=0)
        self._open.append(opened)
        self._paths.append(Path(name))
        return opened, Path(name)

    def __enter__(self) -> UploadSpool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for opened in self._open:
            opened.close()
        for path in self._paths:
            path.unlink(missing_ok=True)


def remove_abandoned_files(folder: Path) -> None:
    """Delete files that a killed process left in the upload folder."""
    if not folder.is_dir():
        return
    oldest = time.time() - _ABANDONED_SECONDS
    for path in folder.glob(f"{_FILE_PREFIX}*"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
