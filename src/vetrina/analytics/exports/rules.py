"""Reports as files: CSV written by a job into the site's folder, with a mail to whoever asked for one.

A small report is written by the request itself. Rules: facts, "Export and rebuilding": one line of headings, money with
the shop's decimals and a point.
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
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.analytics import report_export as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.mail import outbox

__all__ = [
    "FOLDER",
    "JOB",
    "TYPES",
    "Export",
    "ExportUnknown",
    "UnknownType",
    "address",
    "begin",
    "carry_out",
    "existing",
    "file_of",
]  # fmt: skip

JOB: Final = "analytics.export"
FOLDER: Final = "exports"  # in the site's folder
TYPES: Final = tuple(csv_columns.SHEETS)
_AT_ONCE: Final = 500  # rows that the request itself writes
_COUNTER: Final = "report_export"


class ExportUnknown(ApiError):
    status, code = 404, "shop_admin_reports_export_invalid_id"
    message = "There is no export of this report with this number."


class UnknownType(ApiError):
    status, code = 404, "rest_no_route"
    message = "There is no report {type!r} that is exported; those are {known}."


class Export(msgspec.Struct, frozen=True):
    """One export. number: what the interface calls it. recipient: whom to tell, empty for nobody."""

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


def begin(work: Work, type: str, arguments: Mapping[str, Any], mail: bool) -> Export | None:
    """Ask for a report as a file; None where there is nothing in it. Raises UnknownType.

    arguments: of the report, as its list takes them, dates as text. mail: whether to tell the asker by mail.
    """
    sheet = csv_columns.SHEETS.get(type)
    if sheet is None:
        raise UnknownType(type=type, known=", ".join(TYPES))
    total = sheet.count(work, arguments)
    if not total:
        return None
    one = Export(
        next_number(work.tx, _COUNTER), type, dict(arguments), work.user.id, work.user.email if mail else "", 0, total,
        work.now,
    )  # fmt: skip
    work.tx.run(_INSERT, **{**msgspec.structs.asdict(one), "arguments": orjson.dumps(one.arguments).decode()})
    if total <= _AT_ONCE:
        return _written(work, one)
    job_queue.put(
        work.tx, JOB, {"id": one.id, "origin": work.origin}, due=work.now, now=work.now, key=f"{JOB}.{one.id}"
    )
    return one


def carry_out(work: Work, arguments: Mapping[str, Any]) -> None:
    """Write the file of an export; the job."""
    row = work.tx.first(_ONE, id=arguments["id"])
    if row is not None:
        work.origin = arguments.get("origin") or work.origin
        _written(work, _of_row(row))


def existing(work: Work, type: str, number: str) -> Export:
    """Return an export. Raises ExportUnknown."""
    work.uses("order")
    row = work.tx.first(_ONE, id=int(number[10:])) if number.isdecimal() and 10 < len(number) < 20 else None
    if row is None or (found := _of_row(row)).type != type or found.number != number:
        raise ExportUnknown
    return found


def address(work: Work, one: Export) -> str:
    """Return where the file of an export is fetched."""
    return f"{work.origin}/admin/?action=shop_admin_download_report_csv&filename={one.file}"


def file_of(folder: Path, name: str) -> Path | None:
    """Return the file of an export by the name in its address, None where there is none."""
    plain = name.replace("-", "").isalnum() and name.startswith("shop-")
    path = folder / FOLDER / f"{name}.csv"
    return path if plain and path.is_file() else None


def _written(work: Work, one: Export) -> Export:
    folder = work.frame.folder / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{one.file}.part"
    sheet = csv_columns.SHEETS[one.type]
    with part.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(sheet.headings)
        for row in sheet.rows(work, one.arguments):
            out.writerow([_harmless(cell) for cell in row])
    part.replace(folder / f"{one.file}.csv")
    work.tx.run(_DONE, of=one.id, done=one.total)
    if one.recipient:
        site = unescape(str(work.option("title")))
        outbox.tell(
            work, "report_export", one.id, [one.recipient], f"{site}: your {one.type} report is ready",
            f"You asked for the report on {one.type} as a file. Fetch it here:\n\n{address(work, one)}\n",
        )  # fmt: skip
    return msgspec.structs.replace(one, done=one.total)


def _harmless(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; names and notes come from customers."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") and not _is_number(cell):
        return f"'{cell}"
    return cell


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdecimal()


def _of_row(row: Any) -> Export:
    id, type, arguments, *rest = row
    return Export(id, type, orjson.loads(arguments), *rest)
