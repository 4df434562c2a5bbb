"""Imports of a CSV file: all of its rows, or none and what is wrong in which line.

The first line names the columns. Routes: core/csv_routes.py. What a row means is its subject's affair
(content/redirects/csv_files.py, multilingual/glossary/csv_files.py).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, InvalidParam

_MAX_FAULTS: Final = 100  # that one answer names
_FLAGS: Final = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


class InvalidCsvFile(ApiError):
    """Lines of a file cannot be taken; `data.faults` has each with its line. Nothing was stored."""

    message = "{count} line(s) of the file cannot be taken, and nothing was stored; `faults` says what is wrong where."

    def __init__(self, faults: list[dict[str, Any]]) -> None:
        super().__init__(count=len(faults), data={"faults": faults[:_MAX_FAULTS]})


class CsvImport(NamedTuple):
    """What an import did: how many rows are new, changed, and were there as they are."""

    created: int
    updated: int
    unchanged: int


class CsvColumns(NamedTuple):
    """What a file may have. required: columns that must be there. most: rows."""

    names: Sequence[str]
    required: Sequence[str]
    most: int


class CsvRow:
    """A row with its line. created: how many rows before it are new. faults: what is wrong in it so far."""

    __slots__ = ("cells", "created", "faults", "line")

    def __init__(self, line: int, cells: Mapping[str, str], created: int) -> None:
        self.line, self.cells, self.created = line, cells, created
        self.faults: list[dict[str, Any]] = []

    def add_fault(self, column: str, message: str, code: str = "rest_invalid_param") -> None:
        """Note that the row cannot be taken. column: in which it is wrong, empty for the whole row."""
        self.faults.append({"line": self.line, "column": column, "code": code, "message": message})

    def read_flag(self, column: str, *, default: bool) -> bool:
        """Return a cell that says yes or no; the default where it is empty, or says neither, which is noted."""
        text = self.cells.get(column, "").lower()
        if text and text not in _FLAGS:
            self.add_fault(column, f"{column} is true or false.")
        return _FLAGS.get(text, default)


def import_rows(
    work: UnitOfWork, text: str, columns: CsvColumns, store_row: Callable[[CsvRow], str], invalid: type[InvalidCsvFile]
) -> CsvImport:
    """Store each row of a file. Raises `invalid`, and nothing is stored, when a row cannot be taken.

    store_row: stores a row and returns a member of `CsvImport`; it may raise what the rules of its subject raise.
    """
    try:
        rows = _read_csv_rows(text, *columns)
    except CsvFault as fault:
        nothing = CsvRow(fault.line, {}, 0)
        nothing.add_fault(fault.column, str(fault))
        raise invalid(nothing.faults) from None
    faults: list[dict[str, Any]] = []
    counts = dict.fromkeys(CsvImport._fields, 0)
    for line, cells in rows:
        row = CsvRow(line, cells, counts["created"])
        try:
            with work.tx.savepoint():
                counts[store_row(row)] += 1
        except InvalidParam as error:
            for name, told in error.data["params"].items():
                row.add_fault(name, told)
        except ApiError as error:
            row.add_fault("", error.text, error.code)
        faults += row.faults
        if len(faults) > _MAX_FAULTS:
            break
    if faults:
        raise invalid(faults)
    return CsvImport(**counts)


class CsvFault(ValueError):
    """A file is no CSV, or not one of these columns. line: where; column: of what, empty for the whole line."""

    def __init__(self, line: int, column: str, message: str) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def _read_csv_rows(
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
