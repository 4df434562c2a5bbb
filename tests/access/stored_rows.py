"""Everything that is stored, as text: what a search for a person looks at."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from sqlalchemy import select

from conftest import Stand
from vetrina.backends.database import Statement
from vetrina.backends.tables.all_tables import METADATA


def find_traces(stand: Stand, *words: str) -> dict[str, list[str]]:
    """Return the rows of every table that have one of these words, by the name of the table."""
    found: dict[str, list[str]] = {}
    with stand.site.database.begin_read() as tx:
        for table in METADATA.sorted_tables:
            for row in tx.all(Statement(select(table))):
                text = "\n".join(_read_values(row)).lower()
                if any(word.lower() in text for word in words):
                    found.setdefault(table.name, []).append(text)
    return found


def _read_values(row: Iterable[object]) -> Iterable[str]:
    for value in row:
        if isinstance(value, bytes | memoryview):
            try:
                yield zlib.decompress(bytes(value)).decode(errors="replace")
            except zlib.error:
                yield bytes(value).decode(errors="replace")
        else:
            yield str(value)
