"""A response body whose records are JSON text already, so that they are joined and not serialized again.

The digest of a list is known where the very same texts were joined before: a text that is kept has a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

_MAX_DIGESTS: Final = 512
_digests: Final[dict[tuple[int, ...], str]] = {}


class EncodedBody:
    """One record, or a list of them. records: their JSON texts, as orjson writes them, with neutral names.

    numbers: of the texts, each of which no other text of this process has; empty where they have none.
    """

    __slots__ = ("is_list", "numbers", "records")

    def __init__(self, records: Sequence[bytes], is_list: bool, numbers: tuple[int, ...] = ()) -> None:
        self.records, self.is_list, self.numbers = records, is_list, numbers

    def join(self) -> bytes:
        """Return the JSON text of the body."""
        return b"".join((b"[", b",".join(self.records), b"]")) if self.is_list else self.records[0]

    def compute_digest(self, content: bytes, compute: Callable[[bytes], str]) -> str:
        """Return the digest of `content`, the joined text, which is computed where it is not known."""
        if not (self.is_list and self.numbers):
            return compute(content)
        found = _digests.get(self.numbers)
        if found is None:
            if len(_digests) >= _MAX_DIGESTS:
                _digests.clear()
            found = _digests[self.numbers] = compute(content)
        return found

    def parse(self) -> Any:
        """Return the body as a value."""
        return orjson.loads(self.join())
