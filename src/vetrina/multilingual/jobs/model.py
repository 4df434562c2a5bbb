"""Translation jobs, their fields and batches, and the mapping to and from database rows.

A job is one request to translate one item into one language; the status row of that item and language names its newest
job and holds the state. Not here: what may be done to a job (multilingual/jobs/rules.py), filters of lists
(multilingual/jobs/listing.py). Rules: docs/rules/translation_jobs.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import Select, bindparam, delete, func, insert, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import StatementCache, build_upsert
from vetrina.backends.store import Store
from vetrina.backends.tables.multilingual import (
    mlang_batch as batch_table,
    mlang_field as field_table,
    mlang_job as job_table,
    mlang_status as status_table,
)
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import build_sort_key
from vetrina.multilingual.jobs.states import TranslationJobState, TranslationReview, decode_state

KIND: Final = "mlang_job"  # in the change log; its ids are rids
LOCAL: Final = "local"  # the service of jobs that stay on this site


class TranslationJob(msgspec.Struct, frozen=True):
    """The newest job of a status row, or an older one.

    rid: the id of the status row, `id` in lists. number: the job's own id. type: post, tax, package, st-batch_strings,
    string. element_type, element: what is translated, as `post_page` and 120. translation: the id of the translation, 0
    before it exists. service: `local`, or the name or id of another one; service_number, service_revision,
    service_status: as an agency reports them. previous: what cancelling restores. sent, deadline, edited, completed:
    seconds since 1970, 0 for none. revision: None for the newest job of its row. service_data: what an editor stored
    with the job.
    """

    rid: int
    type: str
    element_type: str
    element: int
    source_language: str
    target_language: str
    translation: int
    status: int
    needs_update: bool
    md5: str
    service: str
    service_number: int
    service_revision: int
    service_status: str
    review: str
    retries: int
    batch: int
    previous: dict[str, Any]
    number: int
    revision: int | None
    translated: bool
    manager: int
    translator: int
    title: str
    note: str
    editor: str
    editor_job: int
    automatic: bool
    sent: int
    deadline: int
    edited: int
    completed: int
    words: int
    costs: int
    synchronised: int
    service_data: dict[str, Any]

    @property
    def state(self) -> TranslationJobState:
        """The state; unknown codes read as not translated."""
        return decode_state(self.status)

    @property
    def is_newest(self) -> bool:
        return self.revision is None

    @property
    def in_review(self) -> bool:
        """Whether a machine translation still waits for review."""
        return self.review in (TranslationReview.NEEDED, TranslationReview.EDITING)


class TranslationJobField(msgspec.Struct, frozen=True):
    """One text of a job.

    name: its field type. format: html or text. reused: the origin of a target that was not written for this job:
    `tm-suggestion` (an earlier translation of the same text), `leveraged-tm` (of a text that has changed since).
    wanted: whether it is to be translated; other fields are carried along for whatever applies the job.
    """

    name: str
    source: str
    target: str = ""
    label: str = ""
    wrap_tag: str = ""
    format: str = "html"
    reused: str = ""
    wanted: bool = True
    finished: bool = False


class TranslationBatch(msgspec.Struct, frozen=True):
    """Jobs that were sent together. service_number: the agency's id of the batch, None for none."""

    id: int
    name: str
    name_key: str
    service_number: int | None = None
    service_address: str = ""
    updated: int = 0


ROW_MEMBERS: Final = (
    "rid", "type", "element_type", "element", "source_language", "target_language", "translation", "status",
    "needs_update", "md5", "service", "service_number", "service_revision", "service_status", "review", "retries",
    "batch", "previous",
)  # fmt: skip
_JOB_MEMBERS: Final = (
    "number", "revision", "translated", "manager", "translator", "title", "note", "editor", "editor_job", "automatic",
    "sent", "deadline", "edited", "completed", "words", "costs", "synchronised", "service_data",
)  # fmt: skip
# Copied from the newest job into its status row, so that a list reads one table.
_COPIED_MEMBERS: Final = ("translator", "title", "editor", "automatic", "sent", "deadline")
assert (*ROW_MEMBERS, *_JOB_MEMBERS) == TranslationJob.__struct_fields__, "Job and its tables name the same members"

_COLUMNS = (
    *(status_table.c[name] for name in ROW_MEMBERS),
    *(job_table.c["id" if name == "number" else name] for name in _JOB_MEMBERS),
)
_FIELD_MEMBERS: Final = TranslationJobField.__struct_fields__
_status_and_jobs = status_table.join(job_table, job_table.c.rid == status_table.c.rid)
_status_and_newest_job = status_table.join(job_table, job_table.c.id == status_table.c.job)


def select_newest_jobs() -> Select[Any]:
    """Return the start of a statement that reads the newest jobs; `row_to_job` maps its rows."""
    return select(*_COLUMNS).select_from(_status_and_newest_job)


_BY_NUMBER = Statement(select(*_COLUMNS).select_from(_status_and_jobs).where(job_table.c.id == bindparam("number")))
_BY_RID = Statement(select_newest_jobs().where(status_table.c.rid == bindparam("rid")))
_BY_EDITOR = Statement(
    select(*_COLUMNS)
    .select_from(_status_and_jobs)
    .where(job_table.c.editor_job == bindparam("number"))
    .order_by(job_table.c.id.desc())
    .limit(1)
)
_OF_THING = Statement(
    select_newest_jobs()
    .where(status_table.c.element_type == bindparam("element_type"), status_table.c.element == bindparam("element"))
    .order_by(status_table.c.rid)
)
_FIELDS = Statement(
    select(*(field_table.c[name] for name in _FIELD_MEMBERS))
    .where(field_table.c.job == bindparam("of"))
    .order_by(field_table.c.position)
)
_COUNT_OLDER = Statement(
    select(func.count())
    .select_from(job_table)
    .where(job_table.c.rid == bindparam("rid"), job_table.c.revision.is_not(None))
)
_INSERT_ROW = Statement(insert(status_table).values({c.name: bindparam(c.name) for c in status_table.c}))
_INSERT_JOB = Statement(insert(job_table).values({c.name: bindparam(c.name) for c in job_table.c}))
_INSERT_FIELD = Statement(insert(field_table).values({c.name: bindparam(c.name) for c in field_table.c}))
_UPDATE_TARGET = Statement(
    update(field_table)
    .where(field_table.c.job == bindparam("of"), field_table.c.name == bindparam("called"))
    .values(target=bindparam("target"), finished=bindparam("finished"))
)
_DROP_FIELDS = Statement(delete(field_table).where(field_table.c.job == bindparam("of")))
_DROP_ROWS = Statement(
    delete(status_table).where(
        status_table.c.element_type == bindparam("element_type"), status_table.c.element == bindparam("element")
    )
)
_BATCHES: Final = Store(batch_table, TranslationBatch)
_PUT_BATCH = Statement(
    build_upsert(
        batch_table,
        keys=("id",),
        values={c.name: bindparam(c.name) for c in batch_table.c},
        changes={c.name: bindparam(c.name) for c in batch_table.c if c.name != "id"},
    )
)
_UPDATES = StatementCache(most=256)


def row_to_job(row: Row) -> TranslationJob:
    """Return the job of a row that `select_newest_jobs` reads."""
    values = dict(zip(TranslationJob.__struct_fields__, row, strict=True))
    for name in ("needs_update", "translated", "automatic"):
        values[name] = bool(values[name])
    for name in ("previous", "service_data"):
        values[name] = orjson.loads(values[name]) if values[name] else {}
    return TranslationJob(**values)


def find_job(work: UnitOfWork, number: int) -> TranslationJob | None:
    """Return a job by its own id, the newest of its row or an older one."""
    return _find_first_job(work, _BY_NUMBER, number=number)


def find_job_by_rid(work: UnitOfWork, rid: int) -> TranslationJob | None:
    """Return the newest job of a status row, by the id that lists show."""
    return _find_first_job(work, _BY_RID, rid=rid)


def find_job_by_editor_number(work: UnitOfWork, number: int) -> TranslationJob | None:
    """Return the newest job with this id in the remote editor."""
    return _find_first_job(work, _BY_EDITOR, number=number) if number else None


def list_jobs_of_translatable(work: UnitOfWork, element_type: str, element: int) -> list[TranslationJob]:
    """Return the newest job of each target language of an item."""
    work.uses(KIND)
    return [row_to_job(row) for row in work.tx.all(_OF_THING, element_type=element_type, element=element)]


def list_job_fields(work: UnitOfWork, job: TranslationJob) -> list[TranslationJobField]:
    """Return the fields of a job in their order."""
    work.uses(KIND)
    return [_row_to_field(row) for row in work.tx.all(_FIELDS, of=job.number)]


def insert_status_row(work: UnitOfWork, new: TranslationJob) -> None:
    """Insert the status row of an item and language, with its first job."""
    values = _encode_columns({name: getattr(new, name) for name in (*ROW_MEMBERS, *_COPIED_MEMBERS)})
    title_key, batch_key = build_sort_key(new.title), _find_batch_key(work, new.batch)
    work.tx.run(_INSERT_ROW, **values, job=new.number, title_key=title_key, batch_key=batch_key)
    insert_job(work, new)
    work.note(KIND, new.rid, "created")


def insert_job(work: UnitOfWork, new: TranslationJob) -> None:
    """Insert a job of a status row that exists already."""
    values = _encode_columns({name: getattr(new, name) for name in _JOB_MEMBERS if name != "number"})
    work.tx.run(_INSERT_JOB, **values, id=new.number, rid=new.rid)


def update_job(work: UnitOfWork, old: TranslationJob, new: TranslationJob) -> TranslationJob:
    """Write the members that differ between two states of a job, log the change, and return the new state."""
    changed = {name for name in TranslationJob.__struct_fields__ if getattr(old, name) != getattr(new, name)}
    if not changed:
        return new
    own = sorted(changed & set(_JOB_MEMBERS) - {"number"})
    row = sorted(changed & set(ROW_MEMBERS)) + (
        [name for name in _COPIED_MEMBERS if name in changed] if new.is_newest else []
    )
    if own:
        _update_row(work, job_table, job_table.c.id, new.number, {name: getattr(new, name) for name in own})
    if row:
        values = {name: getattr(new, name) for name in row}
        if "title" in values:
            values["title_key"] = build_sort_key(new.title)
        if "batch" in values:
            values["batch_key"] = _find_batch_key(work, new.batch)
        _update_row(work, status_table, status_table.c.rid, new.rid, values)
    work.note(KIND, new.rid, "changed")
    if new.state is TranslationJobState.COMPLETE and old.state is not TranslationJobState.COMPLETE:
        work.tell(KIND, new.rid, "completed")
    return new


def set_newest_job(work: UnitOfWork, job: TranslationJob) -> None:
    """Make a job the newest of its status row, with the members that are copied there."""
    values = {name: getattr(job, name) for name in _COPIED_MEMBERS}
    values |= {"job": job.number, "title_key": build_sort_key(job.title)}
    _update_row(work, status_table, status_table.c.rid, job.rid, values)
    work.note(KIND, job.rid, "changed")


def retire_job(work: UnitOfWork, job: TranslationJob) -> None:
    """Make the newest job of a status row an older one, with the next revision number."""
    older = work.tx.value(_COUNT_OLDER, rid=job.rid)
    _update_row(work, job_table, job_table.c.id, job.number, {"revision": older + 1})


def revive_job(work: UnitOfWork, job: TranslationJob) -> None:
    """Make an older job the newest again; the caller points the status row to it."""
    _update_row(work, job_table, job_table.c.id, job.number, {"revision": None})


def replace_job_fields(work: UnitOfWork, number: int, texts: Iterable[TranslationJobField]) -> None:
    """Replace the fields of a job."""
    work.tx.run(_DROP_FIELDS, of=number)
    rows = [{**msgspec.structs.asdict(one), "job": number, "position": at} for at, one in enumerate(texts)]
    if rows:
        work.tx.run_each(_INSERT_FIELD, rows)


def update_job_fields(work: UnitOfWork, job: TranslationJob, texts: Iterable[TranslationJobField]) -> None:
    """Store the translations of some fields of a job."""
    rows = [{"of": job.number, "called": one.name, "target": one.target, "finished": one.finished} for one in texts]
    if rows:
        work.tx.run_each(_UPDATE_TARGET, rows)


def delete_job_rows(work: UnitOfWork, element_type: str, element: int) -> None:
    """Delete every job of an item that was deleted."""
    if work.tx.run_and_count(_DROP_ROWS, element_type=element_type, element=element):
        work.note(KIND, f"{element_type}/{element}", "removed")


def find_batch(work: UnitOfWork, id: int) -> TranslationBatch | None:
    """Return a batch by its id."""
    return _BATCHES.find(work.tx, id)


def save_batch(work: UnitOfWork, new: TranslationBatch) -> None:
    """Insert or update a batch."""
    work.tx.run(_PUT_BATCH, **msgspec.structs.asdict(new))
    work.note("mlang_batch", new.id, "changed")


def _find_batch_key(work: UnitOfWork, id: int) -> str:
    known = find_batch(work, id)
    return known.name_key if known is not None else ""


def _find_first_job(work: UnitOfWork, statement: Statement, **values: Any) -> TranslationJob | None:
    work.uses(KIND)
    row = work.tx.first(statement, **values)
    return row_to_job(row) if row else None


def _row_to_field(row: Row) -> TranslationJobField:
    members = [*row[:-2], bool(row[-2]), bool(row[-1])]
    return TranslationJobField(*members)


def _update_row(work: UnitOfWork, table: Any, key: Any, rid: int, values: dict[str, Any]) -> None:
    names = tuple(values)
    statement = _UPDATES.get(
        (table.name, names),
        lambda: update(table).where(key == bindparam("of_key")).values({name: bindparam(name) for name in names}),
    )
    work.tx.run(statement, of_key=rid, **_encode_columns(values))


def _encode_columns(values: dict[str, Any]) -> dict[str, Any]:
    out = dict(values)
    for name in ("previous", "service_data"):
        if name in out:
            out[name] = orjson.dumps(out[name]).decode() if out[name] else ""
    return out
