"""Checksums of tables that two sides compare: the sum, over rows, of the CRC-32 of their fields. Rules: facts, 13."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

__all__ = ["row_sum", "total"]


def row_sum(fields: Iterable[Any], salt: str = "", latin: bool = False) -> int:
    """Return the checksum of one row; a null field is left out.

    latin: whether the text is brought to Latin-1 first, what that has no sign for becoming a question mark.
    """
    text = "#".join([salt, *(str(field) for field in fields if field is not None), salt])
    content = text.encode("latin-1", "replace") if latin else text.encode(errors="surrogatepass")
    return zlib.crc32(content)


def total(rows: Iterable[Iterable[Any]], salt: str = "", latin: bool = False) -> int:
    """Return the checksum of rows, whose order does not matter."""
    return sum(row_sum(row, salt, latin) for row in rows)
