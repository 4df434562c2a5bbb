"""A file with a read limit: what a header claims, and how often it repeats itself, is not trusted."""

from __future__ import annotations

import io
import math
import time
from typing import BinaryIO


class HeaderTooLong(ValueError):
    """The reader has read as many bytes, or as often, as it may."""


class BoundedFile(io.RawIOBase):
    """A read-limited file for a library that trusts headers.

    most_bytes, most_reads: what may be read until `remove_limit` is called. at_once: bytes of one read. until: the
    deadline after which nothing more is read, by the monotonic clock.
    """

    def __init__(
        self, file: BinaryIO, most_bytes: int, most_reads: int, at_once: int, until: float = math.inf
    ) -> None:  # fmt: skip
        self._file, self._left, self._reads, self._at_once = file, most_bytes, most_reads, at_once
        self._until = until
        self._bounded = True

    def remove_limit(self) -> None:
        """Allow unlimited reads from now on."""
        self._bounded = False

    def read(self, size: int | None = -1) -> bytes:
        if not self._bounded:
            return self._file.read(-1 if size is None else size)
        content = self._file.read(self._at_once if size is None or size < 0 else min(size, self._at_once))
        self._left -= len(content)
        self._reads -= 1
        if self._left < 0 or self._reads < 0:
            raise HeaderTooLong("the header of the file is too long")
        if not self._reads & 0xFF:
            self.check_deadline()
        return content

    def check_deadline(self) -> None:
        """Raise HeaderTooLong after the deadline."""
        if time.monotonic() > self._until:
            raise HeaderTooLong("the header of the file takes too long")

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True
