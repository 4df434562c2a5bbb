"""Redirects as CSV: one a line, with a header that names the columns. Rules: docs/rules/redirects.md, 7."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from vetrina.content.redirects import paths, rules, store
from vetrina.content.redirects.store import Redirect
from vetrina.core.csv_rows import CsvFault, read_csv_rows
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, InvalidParam

COLUMNS: Final = ("source", "target", "status", "language", "active")
MAX_ROWS: Final = 10_000  # of a file
_MAX_FAULTS: Final = 100  # that one answer names
_FLAGS: Final = {"1": True, "true": True, "yes": True, "": True, "0": False, "false": False, "no": False}


class InvalidRedirectFile(ApiError):
    """Lines of a file are no redirects; `data.faults` has each with its line. Nothing was stored."""

    code = "rest_invalid_redirects"
    message = "{count} line(s) of the file cannot be taken, and nothing was stored; `faults` says what is wrong where."

    def __init__(self, faults: list[dict[str, Any]]) -> None:
        super().__init__(count=len(faults), data={"faults": faults[:_MAX_FAULTS]})


class RedirectImport(NamedTuple):
    """What an import did: how many redirects are new, changed, and were there as they are."""

    created: int
    updated: int
    unchanged: int


def format_redirects(work: UnitOfWork) -> str:
    """Return all redirects as CSV; a former address without the target that follows from its record is left out."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in store.list_all_redirects(work):
        if one.origin == store.MANUAL:
            active = "true" if one.active else "false"
            writer.writerow((paths.format_source(one.place), one.target, one.status, one.language, active))
    return out.getvalue()


def import_redirects(work: UnitOfWork, text: str) -> RedirectImport:
    """Store the redirects of a CSV; one from a source that is there replaces it. Raises InvalidRedirectFile."""
    faults: list[dict[str, Any]] = []
    counts = {"created": 0, "updated": 0, "unchanged": 0}
    known = store.count_redirects(work, store.MANUAL)
    lines: dict[tuple[str, str, bool], int] = {}
    for number, row in _read_rows(text):
        given, wrong = _read_members(row)
        faults += [_build_fault(number, name, told) for name, told in wrong.items()]
        try:
            with work.tx.savepoint():
                done, stored = _store_row(work, given, known + counts["created"])
            first = lines.setdefault((stored.language, stored.source, stored.prefix), number)
            if first != number:
                faults.append(_build_fault(number, "source", f"Line {first} leads from the same source."))
            counts[done] += 1
        except InvalidParam as error:
            faults += [_build_fault(number, name, told) for name, told in error.data["params"].items()]
        except ApiError as error:
            faults.append(_build_fault(number, "", error.text, error.code))
        if len(faults) > _MAX_FAULTS:
            break
    if faults:
        raise InvalidRedirectFile(faults)
    return RedirectImport(**counts)


def _store_row(work: UnitOfWork, given: Mapping[str, Any], count: int) -> tuple[str, Redirect]:
    try:
        return "created", rules.create_redirect(work, given, count=count)
    except rules.RedirectExists as error:
        old = rules.get_redirect(work, error.data["redirect_id"])
        new = rules.update_redirect(work, old, given)
        return ("unchanged" if rules.is_same_redirect(old, new) else "updated"), new


def _read_rows(text: str) -> list[tuple[int, dict[str, str]]]:
    """Return the rows with their lines. Raises InvalidRedirectFile for a file that is none."""
    try:
        return read_csv_rows(text, COLUMNS, ("source",), MAX_ROWS)
    except CsvFault as fault:
        raise InvalidRedirectFile([_build_fault(fault.line, fault.column, str(fault))]) from None


def _read_members(row: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the members of a row, typed, and what is wrong in those that cannot be; these have a default."""
    status, active = row.get("status") or "301", (row.get("active") or "").lower()
    wrong: dict[str, str] = {}
    if status not in map(str, store.STATUSES):
        wrong["status"] = f"status is not one of {', '.join(map(str, store.STATUSES))}."
    if active not in _FLAGS:
        wrong["active"] = "active is true or false."
    members = {
        "source": row.get("source", ""), "target": row.get("target", ""), "language": row.get("language", ""),
        "status": 301 if "status" in wrong else int(status), "active": _FLAGS.get(active, True),
    }  # fmt: skip
    return members, wrong


def _build_fault(line: int, column: str, message: str, code: str = "rest_invalid_param") -> dict[str, Any]:
    return {"line": line, "column": column, "code": code, "message": message}
