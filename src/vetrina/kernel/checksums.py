"""Table checksums that two sides compare: the sum of the CRC-32 of each row's fields.

Rules: docs/rules/connector_tables.md, 8.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any


def compute_row_checksum(fields: Iterable[Any], salt: str = "", latin: bool = False) -> int:
    """Return the checksum of one row; null fields are left out.

    latin: encode the text as Latin-1 first, with `?` for characters that it lacks.
    """
    text = "#".join([salt, *(str(field) for field in fields if field is not None), salt])
    content = text.encode("latin-1", "replace") if latin else text.encode(errors="surrogatepass")
    return zlib.crc32(content)


def compute_table_checksum(rows: Iterable[Iterable[Any]], salt: str = "", latin: bool = False) -> int:
    """Return the checksum of rows, whose order does not matter."""
    return sum(compute_row_checksum(row, salt, latin) for row in rows)
