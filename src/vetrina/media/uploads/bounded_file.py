"""A file of which only so much is given out: what a header claims, and how often it repeats itself, is not trusted."""

from __future__ import annotations

import io
import math
import time
from typing import BinaryIO

__all__ = ["BoundedFile", "HeaderTooLong"]


class HeaderTooLong(ValueError):
    """What reads the file has had as many bytes as it may have, or has asked as often as it may."""


class BoundedFile(io.RawIOBase):
    """A file for a library that believes headers.

    most_bytes, most_reads: what it may read until `release` is called. at_once: bytes of one read. until: the moment
    at which it gives out nothing more, by the monotonic clock.
    """

    def __init__(
        self, file: BinaryIO, most_bytes: int, most_reads: int, at_once: int, until: float = math.inf
    ) -> None:  # fmt: skip
        self._file, self._left, self._reads, self._at_once = file, most_bytes, most_reads, at_once
        self._until = until
        self._bounded = True

    def release(self) -> None:
        """Give out the rest without a limit."""
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
            self.check()
        return content

    def check(self) -> None:
        """Raise HeaderTooLong when its time is up."""
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
