"""A response body whose records are JSON text already, so that they are joined and not serialized again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson


class EncodedBody:
    """One record, or a list of them. records: their JSON texts, as orjson writes them, with neutral names."""

    __slots__ = ("is_list", "records")

    def __init__(self, records: Sequence[bytes], is_list: bool) -> None:
        self.records, self.is_list = records, is_list

    def join(self) -> bytes:
        """Return the JSON text of the body."""
        return b"[" + b",".join(self.records) + b"]" if self.is_list else self.records[0]

    def parse(self) -> Any:
        """Return the body as a value."""
        return orjson.loads(self.join())
