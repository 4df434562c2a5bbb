"""The catalogue as a file: every published product and variation as the interface shows it, for tills that work alone.

A job writes it in pieces, each in a transaction of its own, so that nobody waits long; how far it came stands in its
row of the exports. Whoever knows the name of the finished file may fetch it for a day. Not here: the route
(shop/products/catalogue_routes.py), the page that sends the file (pages/report_download.py). Rules: the shapes that
apps know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import orjson
from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from vetrina.access.users import rules as users
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.analytics import report_export as table
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import random_letters
from vetrina.shop.products.product_types import PRODUCT, VARIATION

__all__ = ["FOLDER", "JOB", "CatalogueFile", "begin", "carry_out", "file_of", "sweep"]

JOB: Final = "shop.catalogue_file"
FOLDER: Final = "exports"  # in the site's folder, with the reports
_TYPE: Final = "catalogue"  # in the table of exports
_COUNTER: Final = "report_export"
_LIFE: Final = 20 * 3600  # seconds that a finished file is told of
_STUCK: Final = 3600  # seconds after which a file that nobody goes on with is given up
_PIECE: Final = 50  # products of one transaction
_LETTERS: Final = 32
_NAME: Final = re.compile(r"[a-z0-9]{32}", re.ASCII)

State = Literal["scheduled", "in_progress", "completed", "failed"]


class CatalogueFile(msgspec.Struct, frozen=True):
    """A file and how far it is. fields, variation_fields: names of members with commas, empty for all. root: the API
    root of who asked, whose words it speaks. at: the last record in it; size: bytes that are written for sure."""

    id: int
    account: int
    processed: int
    total: int
    scheduled_at: int
    name: str
    fields: str = ""
    variation_fields: str = ""
    root: str = ""
    origin: str = ""
    state: State = "scheduled"
    at: int = 0
    size: int = 0
    changed_at: int = 0
    completed_at: int = 0

    @property
    def progress(self) -> float:
        """Return how much of it is done, in per cent."""
        return round(self.processed * 100 / self.total, 2) if self.total > 0 else 0.0


_TOLD: Final = tuple(name for name in CatalogueFile.__struct_fields__
                     if name not in ("id", "account", "processed", "total", "scheduled_at"))  # fmt: skip
_above = record.alias("above")
_shown: ColumnElement[bool] = or_(
    and_(record.c.type == PRODUCT.name, record.c.status == "publish"),
    and_(record.c.type == VARIATION.name, record.c.status == "publish", _above.c.status == "publish"),
)
_of_goods = record.join(product, product.c.record == record.c.id).outerjoin(_above, _above.c.id == record.c.parent)
_PIECE_OF = Statement(
    select(record.c.id, record.c.type, record.c.parent, product.c.kind)
    .select_from(_of_goods)
    .where(record.c.id > bindparam("after"), _shown)
    .order_by(record.c.id)
    .limit(_PIECE)
)
_COUNT = Statement(select(func.count()).select_from(_of_goods).where(_shown))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_ALL = Statement(select(table).where(table.c.type == bindparam("type")).order_by(table.c.id.desc()))
_ONE = Statement(select(table).where(table.c.id == bindparam("id"), table.c.type == bindparam("type")))
_MOVE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in ("arguments", "done", "total")})
)
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))


def begin(work: Work, fields: str, variation_fields: str, *, force: bool = False) -> CatalogueFile:
    """Return the file with these members as it stands, and ask for one where there is none.

    force: make another one though there is a finished one; one that is being made is waited for.
    """
    asked = (fields, variation_fields, work.root)
    for one in _every(work):
        if (one.fields, one.variation_fields, one.root) == asked:
            if _holds(work, one) and not (force and one.state == "completed"):
                return one
            _forget(work, one)
    work.uses(PRODUCT.name)
    made = CatalogueFile(
        next_number(work.tx, _COUNTER), work.user.id, 0, int(work.tx.value(_COUNT) or 0), work.now,
        random_letters(_LETTERS).lower(), fields, variation_fields, work.root, work.origin, changed_at=work.now,
    )  # fmt: skip
    work.tx.run(
        _INSERT, id=made.id, type=_TYPE, arguments=_arguments(made), account=made.account, recipient="", done=0,
        total=made.total, created=made.scheduled_at,
    )  # fmt: skip
    _go_on(work, made)
    return made


def file_of(folder: Path, name: str) -> Path | None:
    """Return a finished file by its name, None where there is none."""
    path = folder / FOLDER / f"catalogue-{name}.json"
    return path if _NAME.fullmatch(name) and path.is_file() else None


def carry_out(work: Work, arguments: Mapping[str, Any]) -> None:
    """Write the next piece of a file; the job."""
    row = work.tx.first(_ONE, id=arguments["id"], type=_TYPE)
    one = _of_row(row) if row is not None else None
    if one is None or one.state in ("completed", "failed"):
        return
    account = users.by_id(work.tx, one.account, users.has_shop(work.frame))
    show = work.frame.showing.show
    if account is None or show is None:
        _keep(work, msgspec.structs.replace(one, state="failed"))
        return
    asker = Work(work.frame, work.tx, account, root=one.root, origin=one.origin)
    rows = work.tx.all(_PIECE_OF, after=one.at)
    found: list[bytes] = []
    for id, type, parent, kind in rows:
        varied = type == VARIATION.name
        path = f"/shop/v3/products/{parent}/variations/{id}" if varied else f"/shop/v3/products/{id}"
        record_shown = show(asker, path)
        if record_shown is not None:
            body = _choose_fields(orjson.loads(record_shown.content), one.variation_fields if varied else one.fields)
            found.append(orjson.dumps({"type": "variation" if varied else kind, "data": body}))
    size = _append(work.frame.folder, one, found, last=len(rows) < _PIECE)
    processed = one.processed + len(rows)
    moved = msgspec.structs.replace(
        one, state="in_progress", at=rows[-1][0] if rows else one.at, size=size, processed=processed,
        total=max(one.total, processed), changed_at=work.now,
    )  # fmt: skip
    if len(rows) == _PIECE:
        _keep(work, moved)
        _go_on(work, moved)
        return
    _part(work.frame.folder, one).replace(work.frame.folder / FOLDER / f"catalogue-{one.name}.json")
    _keep(work, msgspec.structs.replace(moved, state="completed", total=processed, completed_at=work.now))


def sweep(work: Work) -> None:
    """Remove files that are past their time."""
    for one in _every(work):
        if not _holds(work, one):
            _forget(work, one)


def _holds(work: Work, one: CatalogueFile) -> bool:
    """Say whether a file is worth waiting for, or is there and new enough."""
    if one.state == "completed":
        return one.completed_at + _LIFE > work.now and file_of(work.frame.folder, one.name) is not None
    return one.state != "failed" and one.changed_at + _STUCK > work.now


def _forget(work: Work, one: CatalogueFile) -> None:
    work.tx.run(_REMOVE, id=one.id)
    for path in (_part(work.frame.folder, one), work.frame.folder / FOLDER / f"catalogue-{one.name}.json"):
        path.unlink(missing_ok=True)


def _go_on(work: Work, one: CatalogueFile) -> None:
    job_queue.put(work.tx, JOB, {"id": one.id}, due=work.now, now=work.now)


def _part(folder: Path, one: CatalogueFile) -> Path:
    return folder / FOLDER / f"catalogue-{one.name}.part"


def _append(folder: Path, one: CatalogueFile, found: list[bytes], *, last: bool) -> int:
    """Write a piece where the last one that counts ended, and return where this one ends."""
    path = _part(folder, one)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if one.size and path.is_file() else "wb") as file:
        # What a transaction that was undone had written counts for nothing.
        file.truncate(one.size)
        file.seek(one.size)
        begun = one.size > 1
        text = b",\n".join(found)
        file.write((b"" if one.size else b"[") + (b",\n" if begun and text else b"") + text + (b"]\n" if last else b""))
        return file.tell()


def _choose_fields(body: dict[str, Any], fields: str) -> dict[str, Any]:
    wanted = {name.strip().partition(".")[0] for name in fields.split(",")} - {""}
    return {name: value for name, value in body.items() if name in wanted} if wanted else body


def _every(work: Work) -> list[CatalogueFile]:
    return [_of_row(row) for row in work.tx.all(_ALL, type=_TYPE)]


def _of_row(row: Any) -> CatalogueFile:
    id, _, arguments, account, _, done, total, created = row
    return CatalogueFile(id, account, done, total, created, **orjson.loads(arguments))


def _keep(work: Work, one: CatalogueFile) -> None:
    work.tx.run(_MOVE, of=one.id, arguments=_arguments(one), done=one.processed, total=one.total)


def _arguments(one: CatalogueFile) -> str:
    return orjson.dumps({name: getattr(one, name) for name in _TOLD}).decode()
