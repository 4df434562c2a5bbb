"""The catalogue as a file: every published product and variation as serialized, for tills that work offline.

A job writes it in batches, each in a transaction of its own, so that writers do not wait long; its progress is in its
row of the exports. Anyone who knows the name of the finished file may fetch it for a day. Not here: the route
(shop/products/catalogue_routes.py), the page that sends the file (pages/report_download.py).
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
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.analytics import report_export as table
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_letters
from vetrina.shop.products.product_types import PRODUCT, VARIATION

CATALOG_FILE_JOB: Final = "shop.catalogue_file"
EXPORTS_FOLDER: Final = "exports"  # in the site's folder, with the reports
_TYPE: Final = "catalogue"  # in the exports table
_COUNTER: Final = "report_export"
_LIFETIME: Final = 20 * 3600  # seconds during which a finished file is returned
_STUCK_TIMEOUT: Final = 3600  # seconds after which a file without progress is given up
_BATCH_SIZE: Final = 50  # products per transaction
_LETTERS: Final = 32
_NAME: Final = re.compile(r"[a-z0-9]{32}", re.ASCII)

CatalogFileState = Literal["scheduled", "in_progress", "completed", "failed"]


class CatalogFile(msgspec.Struct, frozen=True):
    """A file and its progress.

    fields, variation_fields: names of members with commas, empty for all. root: the API root of the request, which
    determines the field names. at: the last record in it; size: bytes known to be written.
    """

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
    state: CatalogFileState = "scheduled"
    at: int = 0
    size: int = 0
    changed_at: int = 0
    completed_at: int = 0

    @property
    def progress(self) -> float:
        """Return the progress in per cent."""
        return round(self.processed * 100 / self.total, 2) if self.total > 0 else 0.0


_ARGUMENT_FIELDS: Final = tuple(name for name in CatalogFile.__struct_fields__
                     if name not in ("id", "account", "processed", "total", "scheduled_at"))  # fmt: skip
_above = record.alias("above")
_shown: ColumnElement[bool] = or_(
    and_(record.c.type == PRODUCT.name, record.c.status == "publish"),
    and_(record.c.type == VARIATION.name, record.c.status == "publish", _above.c.status == "publish"),
)
_of_goods = record.join(product, product.c.record == record.c.id).outerjoin(_above, _above.c.id == record.c.parent)
_SELECT_BATCH = Statement(
    select(record.c.id, record.c.type, record.c.parent, product.c.kind)
    .select_from(_of_goods)
    .where(record.c.id > bindparam("after"), _shown)
    .order_by(record.c.id)
    .limit(_BATCH_SIZE)
)
_COUNT = Statement(select(func.count()).select_from(_of_goods).where(_shown))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_ALL = Statement(select(table).where(table.c.type == bindparam("type")).order_by(table.c.id.desc()))
_ONE = Statement(select(table).where(table.c.id == bindparam("id"), table.c.type == bindparam("type")))
_UPDATE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in ("arguments", "done", "total")})
)
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))


def request_catalog_file(work: UnitOfWork, fields: str, variation_fields: str, *, force: bool = False) -> CatalogFile:
    """Return the current file with these members, and enqueue one where there is none.

    force: create another one though there is a finished one; one in progress is waited for.
    """
    key = (fields, variation_fields, work.public_root)
    for one in _list_catalog_files(work):
        if (one.fields, one.variation_fields, one.root) == key:
            if _is_current(work, one) and not (force and one.state == "completed"):
                return one
            _delete_catalog_file(work, one)
    work.uses(PRODUCT.name)
    created = CatalogFile(
        allocate_id(work.tx, _COUNTER), work.user.id, 0, int(work.tx.value(_COUNT) or 0), work.now,
        generate_letters(_LETTERS).lower(), fields, variation_fields, work.public_root, work.origin,
        changed_at=work.now,
    )  # fmt: skip
    work.tx.run(
        _INSERT, id=created.id, type=_TYPE, arguments=_serialize_arguments(created), account=created.account,
        recipient="", done=0, total=created.total, created=created.scheduled_at,
    )  # fmt: skip
    _enqueue_next_batch(work, created)
    return created


def find_catalog_path(folder: Path, name: str) -> Path | None:
    """Return the path of a finished file by its name, None where there is none."""
    path = folder / EXPORTS_FOLDER / f"catalogue-{name}.json"
    return path if _NAME.fullmatch(name) and path.is_file() else None


def run_catalog_file_job(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Write the next batch of a file (job handler)."""
    row = work.tx.first(_ONE, id=arguments["id"], type=_TYPE)
    one = _row_to_catalog_file(row) if row is not None else None
    if one is None or one.state in ("completed", "failed"):
        return
    account = users.find_user(work.tx, one.account, work.site.roles)
    show = work.site.serialize_record
    if account is None or show is None:
        _update_catalog_file(work, msgspec.structs.replace(one, state="failed"))
        return
    asker = UnitOfWork(work.site, work.tx, account, root=one.root, origin=one.origin)
    rows = work.tx.all(_SELECT_BATCH, after=one.at)
    found: list[bytes] = []
    for id, type, parent, kind in rows:
        varied = type == VARIATION.name
        path = f"/shop/v3/products/{parent}/variations/{id}" if varied else f"/shop/v3/products/{id}"
        record_shown = show(asker, path)
        if record_shown is not None:
            body = _choose_fields(orjson.loads(record_shown.content), one.variation_fields if varied else one.fields)
            found.append(orjson.dumps({"type": "variation" if varied else kind, "data": body}))
    size = _append_batch(work.site.folder, one, found, last=len(rows) < _BATCH_SIZE)
    processed = one.processed + len(rows)
    moved = msgspec.structs.replace(
        one, state="in_progress", at=rows[-1][0] if rows else one.at, size=size, processed=processed,
        total=max(one.total, processed), changed_at=work.now,
    )  # fmt: skip
    if len(rows) == _BATCH_SIZE:
        _update_catalog_file(work, moved)
        _enqueue_next_batch(work, moved)
        return
    _build_part_path(work.site.folder, one).replace(work.site.folder / EXPORTS_FOLDER / f"catalogue-{one.name}.json")
    _update_catalog_file(
        work, msgspec.structs.replace(moved, state="completed", total=processed, completed_at=work.now)
    )


def delete_expired_catalog_files(work: UnitOfWork) -> None:
    """Delete expired files."""
    for one in _list_catalog_files(work):
        if not _is_current(work, one):
            _delete_catalog_file(work, one)


def _is_current(work: UnitOfWork, one: CatalogFile) -> bool:
    """Return whether a file is worth waiting for, or is finished and recent enough."""
    if one.state == "completed":
        return one.completed_at + _LIFETIME > work.now and find_catalog_path(work.site.folder, one.name) is not None
    return one.state != "failed" and one.changed_at + _STUCK_TIMEOUT > work.now


def _delete_catalog_file(work: UnitOfWork, one: CatalogFile) -> None:
    work.tx.run(_DELETE, id=one.id)
    for path in (
        _build_part_path(work.site.folder, one),
        work.site.folder / EXPORTS_FOLDER / f"catalogue-{one.name}.json",
    ):
        path.unlink(missing_ok=True)


def _enqueue_next_batch(work: UnitOfWork, one: CatalogFile) -> None:
    job_queue.enqueue_job(work.tx, CATALOG_FILE_JOB, {"id": one.id}, due=work.now, now=work.now)


def _build_part_path(folder: Path, one: CatalogFile) -> Path:
    return folder / EXPORTS_FOLDER / f"catalogue-{one.name}.part"


def _append_batch(folder: Path, one: CatalogFile, lines: list[bytes], *, last: bool) -> int:
    """Write a batch after the last committed one, and return the offset of its end."""
    path = _build_part_path(folder, one)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if one.size and path.is_file() else "wb") as file:
        # What a rolled back transaction wrote does not count.
        file.truncate(one.size)
        file.seek(one.size)
        started = one.size > 1
        text = b",\n".join(lines)
        file.write(
            (b"" if one.size else b"[") + (b",\n" if started and text else b"") + text + (b"]\n" if last else b"")
        )
        return file.tell()


def _choose_fields(body: dict[str, Any], fields: str) -> dict[str, Any]:
    wanted = {name.strip().partition(".")[0] for name in fields.split(",")} - {""}
    return {name: value for name, value in body.items() if name in wanted} if wanted else body


def _list_catalog_files(work: UnitOfWork) -> list[CatalogFile]:
    return [_row_to_catalog_file(row) for row in work.tx.all(_ALL, type=_TYPE)]


def _row_to_catalog_file(row: Any) -> CatalogFile:
    id, _, arguments, account, _, done, total, created = row
    return CatalogFile(id, account, done, total, created, **orjson.loads(arguments))


def _update_catalog_file(work: UnitOfWork, one: CatalogFile) -> None:
    work.tx.run(_UPDATE, of=one.id, arguments=_serialize_arguments(one), done=one.processed, total=one.total)


def _serialize_arguments(one: CatalogFile) -> str:
    return orjson.dumps({name: getattr(one, name) for name in _ARGUMENT_FIELDS}).decode()
