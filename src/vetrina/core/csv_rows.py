"""Rows of a CSV file whose first line names its columns, each with its line.

How rows are stored: core/csv_import.py.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence


class CsvFault(ValueError):
    """A file is no CSV, or not one of these columns. line: where; column: of what, empty for the whole line."""

    def __init__(self, line: int, column: str, message: str) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def read_csv_rows(
    text: str, columns: Sequence[str], required: Sequence[str], most: int
) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a file with their lines, without those that are empty. Raises CsvFault.

    required: columns that must be there. most: rows that a file may have.
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    rows: list[tuple[int, dict[str, str]]] = []
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        if wrong := [name for name in header if name not in columns]:
            raise CsvFault(1, wrong[0], f"There is no column {wrong[0]!r}; known: {', '.join(columns)}.")
        if missing := [name for name in required if name not in header]:
            raise CsvFault(1, missing[0], f"The first line names the columns, each once; `{missing[0]}` must be there.")
        if len(set(header)) != len(header):
            raise CsvFault(1, required[0], "The first line names the columns, each once.")
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) > len(header):
                message = f"The line has {len(row)} cells, and the first names {len(header)} columns."
                raise CsvFault(reader.line_num, "", message)
            rows.append((reader.line_num, dict(zip(header, (cell.strip() for cell in row), strict=False))))
            if len(rows) > most:
                raise CsvFault(reader.line_num, "", f"A file has {most} rows at most; send the rest in another.")
    except csv.Error as error:
        raise CsvFault(reader.line_num, "", f"This is no CSV: {error}.") from None
    return rows
