"""Redirects as CSV: one a line, with a header that names the columns. Rules: docs/rules/redirects.md, 7."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.redirects import paths, rules, store
from vetrina.content.redirects.store import Redirect
from vetrina.core.csv_import import CsvColumns, CsvImport, CsvRow, InvalidCsvFile, import_rows
from vetrina.core.unit_of_work import UnitOfWork

COLUMNS: Final = CsvColumns(("source", "target", "status", "language", "active"), ("source",), most=10_000)


class InvalidRedirectFile(InvalidCsvFile):
    code = "rest_invalid_redirects"


def format_redirects(work: UnitOfWork) -> str:
    """Return all redirects as CSV; a former address without the target that follows from its record is left out."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS.names)
    for one in store.list_all_redirects(work):
        if one.origin == store.MANUAL:
            active = "true" if one.active else "false"
            writer.writerow((paths.format_source(one.place), one.target, one.status, one.language, active))
    return out.getvalue()


def import_redirects(work: UnitOfWork, text: str) -> CsvImport:
    """Store the redirects of a CSV; one from a source that is there replaces it. Raises InvalidRedirectFile."""
    known = store.count_redirects(work, store.MANUAL)
    lines: dict[tuple[str, str, bool], int] = {}

    def store_row(row: CsvRow) -> str:
        done, stored = _store_redirect(work, _read_members(row), known + row.created)
        first = lines.setdefault((stored.language, stored.source, stored.prefix), row.line)
        if first != row.line:
            row.add_fault("source", f"Line {first} leads from the same source.")
        return done

    return import_rows(work, text, COLUMNS, store_row, InvalidRedirectFile)


def _store_redirect(work: UnitOfWork, given: Mapping[str, Any], count: int) -> tuple[str, Redirect]:
    try:
        return "created", rules.create_redirect(work, given, count=count)
    except rules.RedirectExists as error:
        old = rules.get_redirect(work, error.data["redirect_id"])
        new = rules.update_redirect(work, old, given)
        return ("unchanged" if rules.is_same_redirect(old, new) else "updated"), new


def _read_members(row: CsvRow) -> dict[str, Any]:
    """Return the members of a row, typed; those that cannot be are noted and have a default."""
    cells = row.cells
    status = cells.get("status") or "301"
    if status not in map(str, store.STATUSES):
        row.add_fault("status", f"status is not one of {', '.join(map(str, store.STATUSES))}.")
        status = "301"
    return {
        "source": cells.get("source", ""), "target": cells.get("target", ""), "language": cells.get("language", ""),
        "status": int(status), "active": row.read_flag("active", default=True),
    }  # fmt: skip
