"""Report exports: a job writes a CSV file into the site's folder and mails the user who requested it.

A small report is written by the request itself. Rules: docs/rules/analytics_exports.md, 1 and 2: one line of headings,
money with the shop's decimals and a decimal point.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, insert, select, update

from vetrina.analytics.exports import csv_columns
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.analytics import report_export as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.mail import outbox

JOB: Final = "analytics.export"
FOLDER: Final = "exports"  # in the site's folder
TYPES: Final = tuple(csv_columns.SHEETS)
_AT_ONCE: Final = 500  # rows that the request itself writes
_COUNTER: Final = "report_export"


class ReportExportNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_admin_reports_export_invalid_id"
    message = "There is no export of this report with this number."


class ExportTypeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_no_route"
    message = "There is no report {type!r} that is exported; those are {known}."


class ReportExport(msgspec.Struct, frozen=True):
    """One export. id: as in the interface. recipient: the address to notify, empty for none."""

    id: int
    type: str
    arguments: dict[str, Any]
    account: int
    recipient: str
    done: int
    total: int
    created: int

    @property
    def number(self) -> str:
        return f"{self.created}{self.id:04d}"

    @property
    def percent(self) -> int:
        return 100 if self.done >= self.total else self.done * 100 // max(self.total, 1)

    @property
    def file(self) -> str:
        return f"shop-{self.type}-report-export-{self.number}"


_COLUMNS = tuple(table.c)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_ONE = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_DONE = Statement(update(table).where(table.c.id == bindparam("of")).values(done=bindparam("done")))


def create_export(work: UnitOfWork, type: str, arguments: Mapping[str, Any], mail: bool) -> ReportExport | None:
    """Start the export of a report; None where the report is empty. Raises ExportTypeNotFound.

    arguments: those of the report's list, dates as text. mail: whether to notify the caller by mail.
    """
    sheet = csv_columns.SHEETS.get(type)
    if sheet is None:
        raise ExportTypeNotFound(type=type, known=", ".join(TYPES))
    total = sheet.count(work, arguments)
    if not total:
        return None
    one = ReportExport(
        allocate_id(work.tx, _COUNTER), type, dict(arguments), work.user.id, work.user.email if mail else "", 0, total,
        work.now,
    )  # fmt: skip
    work.tx.run(_INSERT, **{**msgspec.structs.asdict(one), "arguments": orjson.dumps(one.arguments).decode()})
    if total <= _AT_ONCE:
        return _write_file(work, one)
    job_queue.enqueue_job(
        work.tx, JOB, {"id": one.id, "origin": work.origin}, due=work.now, now=work.now, key=f"{JOB}.{one.id}"
    )
    return one


def run_export(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Write the file of an export (job handler)."""
    row = work.tx.first(_ONE, id=arguments["id"])
    if row is not None:
        work.origin = arguments.get("origin") or work.origin
        _write_file(work, _row_to_export(row))


def get_export(work: UnitOfWork, type: str, number: str) -> ReportExport:
    """Return an export by its id. Raises ReportExportNotFound."""
    work.uses("order")
    row = work.tx.first(_ONE, id=int(number[10:])) if number.isdecimal() and 10 < len(number) < 20 else None
    if row is None or (found := _row_to_export(row)).type != type or found.number != number:
        raise ReportExportNotFound
    return found


def build_download_address(work: UnitOfWork, one: ReportExport) -> str:
    """Return the download URL of an export."""
    return f"{work.origin}/admin/?action=shop_admin_download_report_csv&filename={one.file}"


def find_export_file(folder: Path, name: str) -> Path | None:
    """Return the path of an export's file by the name in its URL, None where there is none."""
    plain = name.replace("-", "").isalnum() and name.startswith("shop-")
    path = folder / FOLDER / f"{name}.csv"
    return path if plain and path.is_file() else None


def _write_file(work: UnitOfWork, one: ReportExport) -> ReportExport:
    folder = work.site.folder / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{one.file}.part"
    sheet = csv_columns.SHEETS[one.type]
    with part.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(sheet.headings)
        for row in sheet.rows(work, one.arguments):
            out.writerow([_escape_formula(cell) for cell in row])
    part.replace(folder / f"{one.file}.csv")
    work.tx.run(_DONE, of=one.id, done=one.total)
    if one.recipient:
        site = unescape(str(work.option("title")))
        outbox.enqueue_plain_mail(
            work,
            "report_export",
            one.id,
            [one.recipient],
            f"{site}: your {one.type} report is ready",
            f"You asked for the report on {one.type} as a file. Fetch it "
            f"here:\n\n{build_download_address(work, one)}\n",
        )
    return msgspec.structs.replace(one, done=one.total)


def _escape_formula(cell: Any) -> Any:
    """Return a cell that no spreadsheet evaluates as a formula; names and notes are customer input."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdecimal()


def _row_to_export(row: Any) -> ReportExport:
    id, type, arguments, *rest = row
    return ReportExport(id, type, orjson.loads(arguments), *rest)
