"""The records of a collection on disk, with what finds them again in memory: ids, checksums, positions."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from types import TracebackType
from typing import Any, Final, NamedTuple

import orjson

_BUFFER: Final = 1 << 20  # bytes
_AMBIGUOUS: Final = -1


class SpooledRecord(NamedTuple):
    """One record: its id, its natural key as `naming`, the checksum of its text, and where that is."""

    id: int | str
    naming: int
    checksum: bytes
    start: int
    length: int


class RecordSpool:
    """Records of one side, in a file that is deleted at the end of the `with`."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=_BUFFER)  # noqa: SIM115 - closed by __exit__
        self._end = 0
        self._records: list[SpooledRecord] = []
        self._by_id: dict[int | str, int] = {}
        self._by_key: dict[int, int] = {}

    def add(self, id: int | str, key: int, content: bytes) -> None:
        """Add a record; content: its JSON."""
        number = len(self._records)
        self._file.seek(self._end)
        self._file.write(content)
        self._records.append(SpooledRecord(id, key, compute_checksum(content), self._end, len(content)))
        self._end += len(content)
        self._by_id[id] = number
        if key:
            self._by_key[key] = _AMBIGUOUS if key in self._by_key else number

    def find_by_id(self, id: int | str) -> SpooledRecord | None:
        """Return the record with an id."""
        number = self._by_id.get(id)
        return None if number is None else self._records[number]

    def find_by_key(self, key: int) -> SpooledRecord | None:
        """Return the only record with a natural key."""
        number = self._by_key.get(key, _AMBIGUOUS)
        return None if number == _AMBIGUOUS else self._records[number]

    def load(self, record: SpooledRecord) -> dict[str, Any]:
        """Return the values of a record."""
        self._file.seek(record.start)
        value: dict[str, Any] = orjson.loads(self._file.read(record.length))
        return value

    def __iter__(self) -> Iterator[SpooledRecord]:
        return iter(self._records)

    def __enter__(self) -> RecordSpool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def compute_checksum(content: bytes) -> bytes:
    """Return the checksum of a record's JSON."""
    return blake2b(content, digest_size=16).digest()
