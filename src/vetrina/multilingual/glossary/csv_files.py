"""The glossary as CSV: an entry a line, with a header that names the columns. Rules: docs/rules/glossary.md, 5."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

from vetrina.core.csv_import import CsvColumns, CsvImport, CsvRow, InvalidCsvFile, import_rows
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.glossary import rules, store

COLUMNS: Final = CsvColumns(
    ("term", "source_language", "language", "translation", "note", "case_sensitive"),
    ("term", "language", "translation"), rules.MAX_ENTRIES,
)  # fmt: skip


class InvalidGlossaryFile(InvalidCsvFile):
    code = "mlang_invalid_glossary"


def format_glossary(work: UnitOfWork) -> str:
    """Return all entries as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS.names)
    for one in store.list_all_entries(work):
        case = "true" if one.case_sensitive else "false"
        writer.writerow((one.term, one.source_language, one.language, one.translation, one.note, case))
    return out.getvalue()


def import_glossary(work: UnitOfWork, text: str) -> CsvImport:
    """Store the entries of a CSV; one for the same term and languages replaces it. Raises InvalidGlossaryFile."""
    known = store.count_entries(work)

    def store_row(row: CsvRow) -> str:
        # An empty cell is the language of the site, as a missing column is.
        given: dict[str, Any] = {name: cell for name, cell in row.cells.items() if name != "source_language" or cell}
        given["case_sensitive"] = row.read_flag("case_sensitive", default=False)
        try:
            rules.create_entry(work, given, count=known + row.created)
        except rules.GlossaryEntryExists as error:
            old = rules.get_entry(work, error.data["entry_id"])
            return "unchanged" if rules.update_entry(work, old, given) == old else "updated"
        return "created"

    return import_rows(work, text, COLUMNS, store_row, InvalidGlossaryFile)
