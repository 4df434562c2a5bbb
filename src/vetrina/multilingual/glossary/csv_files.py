"""The glossary as CSV: an entry a line, with a header that names the columns. Rules: docs/rules/glossary.md, 5."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from vetrina.core.csv_rows import CsvFault, read_csv_rows
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, InvalidParam
from vetrina.multilingual.glossary import rules, store

COLUMNS: Final = ("term", "source_language", "language", "translation", "note", "case_sensitive")
_REQUIRED: Final = ("term", "language", "translation")
_MAX_FAULTS: Final = 100  # that one answer names
_FLAGS: Final = {"1": True, "true": True, "yes": True, "": False, "0": False, "false": False, "no": False}


class InvalidGlossaryFile(ApiError):
    """Lines of a file are no entries; `data.faults` has each with its line. Nothing was stored."""

    code = "mlang_invalid_glossary"
    message = "{count} line(s) of the file cannot be taken, and nothing was stored; `faults` says what is wrong where."

    def __init__(self, faults: list[dict[str, Any]]) -> None:
        super().__init__(count=len(faults), data={"faults": faults[:_MAX_FAULTS]})


class GlossaryImport(NamedTuple):
    """What an import did: how many entries are new, changed, and were there as they are."""

    created: int
    updated: int
    unchanged: int


def format_glossary(work: UnitOfWork) -> str:
    """Return all entries as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in store.list_all_entries(work):
        case = "true" if one.case_sensitive else "false"
        writer.writerow((one.term, one.source_language, one.language, one.translation, one.note, case))
    return out.getvalue()


def import_glossary(work: UnitOfWork, text: str) -> GlossaryImport:
    """Store the entries of a CSV; one for the same term and languages replaces it. Raises InvalidGlossaryFile."""
    faults: list[dict[str, Any]] = []
    counts = {"created": 0, "updated": 0, "unchanged": 0}
    known = store.count_entries(work)
    try:
        rows = read_csv_rows(text, COLUMNS, _REQUIRED, rules.MAX_ENTRIES)
    except CsvFault as fault:
        raise InvalidGlossaryFile([_build_fault(fault.line, fault.column, str(fault))]) from None
    for number, row in rows:
        case = row.get("case_sensitive", "").lower()
        if case not in _FLAGS:
            faults.append(_build_fault(number, "case_sensitive", "case_sensitive is true or false."))
        try:
            counts[_store_row(work, {**row, "case_sensitive": _FLAGS.get(case, False)}, known + counts["created"])] += 1
        except InvalidParam as error:
            faults += [_build_fault(number, name, told) for name, told in error.data["params"].items()]
        except ApiError as error:
            faults.append(_build_fault(number, "", error.text, error.code))
        if len(faults) > _MAX_FAULTS:
            break
    if faults:
        raise InvalidGlossaryFile(faults)
    return GlossaryImport(**counts)


def _store_row(work: UnitOfWork, row: Mapping[str, Any], count: int) -> str:
    # An empty cell is the language of the site, as a missing column is.
    given = {name: value for name, value in row.items() if name != "source_language" or value}
    try:
        rules.create_entry(work, given, count=count)
    except rules.GlossaryEntryExists as error:
        old = rules.get_entry(work, error.data["entry_id"])
        return "unchanged" if rules.update_entry(work, old, given) == old else "updated"
    return "created"


def _build_fault(line: int, column: str, message: str, code: str = "rest_invalid_param") -> dict[str, Any]:
    return {"line": line, "column": column, "code": code, "message": message}
