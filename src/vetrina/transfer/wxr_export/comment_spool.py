"""The comments of a site on disk, by the records that they belong to: an export file has them inside those."""

from __future__ import annotations

import struct
import tempfile
from types import TracebackType
from typing import Any, Final

import orjson

_BUFFER: Final = 1 << 20  # bytes
_HEAD: Final = struct.Struct("<qq")  # where the comment before of the same record is, -1 for none; bytes of this one


class CommentSpool:
    """Comments in a file that is deleted at the end of the `with`; in memory is a number for each commented record."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=_BUFFER)  # noqa: SIM115 - closed by __exit__
        self._end = 0
        self._last: dict[int | str, int] = {}

    def add(self, post: int | str, values: dict[str, Any]) -> None:
        """Add a comment. post: the record that it belongs to."""
        content = orjson.dumps(values)
        self._file.seek(self._end)
        self._file.write(_HEAD.pack(self._last.get(post, -1), len(content)))
        self._file.write(content)
        self._last[post] = self._end
        self._end += _HEAD.size + len(content)

    def load(self, post: int | str) -> list[dict[str, Any]]:
        """Return the comments of a record, in the order in which they were added."""
        found = []
        at = self._last.get(post, -1)
        while at >= 0:
            self._file.seek(at)
            at, size = _HEAD.unpack(self._file.read(_HEAD.size))
            found.append(orjson.loads(self._file.read(size)))
        return found[::-1]

    def __enter__(self) -> CommentSpool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
