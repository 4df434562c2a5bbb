"""A translation job as the domain knows it, and its way to and from its rows.

A job is one request to translate one thing into one language; the row of that thing and language says which job is the
newest and where it stands. Not here: what may be done to a job (multilingual/jobs/rules.py), which ones a list shows
(multilingual/jobs/listing.py). Rules: facts of the multilingual layer, "Tables".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import Select, bindparam, delete, func, insert, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import Shapes, upsert
from vetrina.backends.tables.multilingual import batch as batch_table
from vetrina.backends.tables.multilingual import field as field_table
from vetrina.backends.tables.multilingual import job as job_table
from vetrina.backends.tables.multilingual import status as status_table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import sort_key
from vetrina.multilingual.jobs.states import Review, State, read

__all__ = [
    "KIND", "LOCAL", "ROW_MEMBERS", "Batch", "Job", "JobField", "batch", "by_editor_number", "by_number", "by_rid",
    "fields", "insert_job", "insert_row", "of_row", "of_thing", "point_to", "remove_rows", "replace_fields", "retire",
    "revive", "selected", "store", "store_batch", "store_fields",
]  # fmt: skip

KIND: Final = "mlang_job"  # of the change log; its numbers are rids
LOCAL: Final = "local"  # the service of jobs that stay in the house


class Job(msgspec.Struct, frozen=True):
    """The newest job of a row, or an older one.

    rid: the row's number, which lists call `id`. number: the job's own. type: post, tax, package, st-batch_strings,
    string. element_type, element: what is translated, as `post_page` and 120. translation: what was made, 0 before.
    service: `local` or the name or number of another one; service_number, service_revision, service_status: what an
    agency says of it. previous: what cancelling gives back. sent, deadline, edited, completed: seconds since 1970, 0
    for none. revision: None for the newest of its row. service_data: what an editor stored beside it.
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
    def state(self) -> State:
        """Where it stands; unknown numbers read as not translated."""
        return read(self.status)

    @property
    def is_newest(self) -> bool:
        return self.revision is None

    @property
    def in_review(self) -> bool:
        """Whether somebody still has to look at what a machine wrote."""
        return self.review in (Review.NEEDED, Review.EDITING)


class JobField(msgspec.Struct, frozen=True):
    """One text of a job.

    name: its field type. format: html or text. reused: whence a target comes that nobody wrote for this job:
    `tm-suggestion` (an earlier translation of the same text), `leveraged-tm` (of one that has changed since).
    wanted: whether it is to be translated; the others go along for whoever applies the job.
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


class Batch(msgspec.Struct, frozen=True):
    """Jobs that were sent together. service_number: what an agency calls it, None for none."""

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
# What the row repeats of its newest job, so that a list asks one table.
_REPEATED: Final = ("translator", "title", "editor", "automatic", "sent", "deadline")
assert (*ROW_MEMBERS, *_JOB_MEMBERS) == Job.__struct_fields__, "Job and its tables name the same members"

_COLUMNS = (
    *(status_table.c[name] for name in ROW_MEMBERS),
    *(job_table.c["id" if name == "number" else name] for name in _JOB_MEMBERS),
)
_FIELD_MEMBERS: Final = JobField.__struct_fields__
_joined = status_table.join(job_table, job_table.c.rid == status_table.c.rid)
_newest = status_table.join(job_table, job_table.c.id == status_table.c.job)


def selected() -> Select[Any]:
    """Return the beginning of a statement that reads the newest jobs; `of_row` makes jobs of its rows."""
    return select(*_COLUMNS).select_from(_newest)


_BY_NUMBER = Statement(select(*_COLUMNS).select_from(_joined).where(job_table.c.id == bindparam("number")))
_BY_RID = Statement(selected().where(status_table.c.rid == bindparam("rid")))
_BY_EDITOR = Statement(
    select(*_COLUMNS)
    .select_from(_joined)
    .where(job_table.c.editor_job == bindparam("number"))
    .order_by(job_table.c.id.desc())
    .limit(1)
)
_OF_THING = Statement(
    selected()
    .where(status_table.c.element_type == bindparam("element_type"), status_table.c.element == bindparam("element"))
    .order_by(status_table.c.rid)
)
_FIELDS = Statement(
    select(*(field_table.c[name] for name in _FIELD_MEMBERS))
    .where(field_table.c.job == bindparam("of"))
    .order_by(field_table.c.position)
)
_OLDER = Statement(
    select(func.count())
    .select_from(job_table)
    .where(job_table.c.rid == bindparam("rid"), job_table.c.revision.is_not(None))
)
_INSERT_ROW = Statement(insert(status_table).values({c.name: bindparam(c.name) for c in status_table.c}))
_INSERT_JOB = Statement(insert(job_table).values({c.name: bindparam(c.name) for c in job_table.c}))
_INSERT_FIELD = Statement(insert(field_table).values({c.name: bindparam(c.name) for c in field_table.c}))
_TARGET = Statement(
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
_BATCH = Statement(select(batch_table).where(batch_table.c.id == bindparam("id")))
_PUT_BATCH = Statement(
    upsert(
        batch_table,
        keys=("id",),
        values={c.name: bindparam(c.name) for c in batch_table.c},
        changes={c.name: bindparam(c.name) for c in batch_table.c if c.name != "id"},
    )
)
_UPDATES = Shapes(most=256)


def of_row(row: Row) -> Job:
    """Return the job of a row of `selected`."""
    values = dict(zip(Job.__struct_fields__, row, strict=True))
    for name in ("needs_update", "translated", "automatic"):
        values[name] = bool(values[name])
    for name in ("previous", "service_data"):
        values[name] = orjson.loads(values[name]) if values[name] else {}
    return Job(**values)


def by_number(work: Work, number: int) -> Job | None:
    """Return the job with a number of its own, be it the newest of its row or an older one."""
    return _first(work, _BY_NUMBER, number=number)


def by_rid(work: Work, rid: int) -> Job | None:
    """Return the newest job of a row, by the number that lists show as `id`."""
    return _first(work, _BY_RID, rid=rid)


def by_editor_number(work: Work, number: int) -> Job | None:
    """Return the newest job that the remote editor knows by this number."""
    return _first(work, _BY_EDITOR, number=number) if number else None


def of_thing(work: Work, element_type: str, element: int) -> list[Job]:
    """Return the newest job of each target language of a thing."""
    work.uses(KIND)
    return [of_row(row) for row in work.tx.all(_OF_THING, element_type=element_type, element=element)]


def fields(work: Work, of: Job) -> list[JobField]:
    """Return the texts of a job in their order."""
    work.uses(KIND)
    return [_field(row) for row in work.tx.all(_FIELDS, of=of.number)]


def insert_row(work: Work, new: Job) -> None:
    """Write the row of a thing and a language for the first time, with its first job."""
    values = _written({name: getattr(new, name) for name in (*ROW_MEMBERS, *_REPEATED)})
    work.tx.run(
        _INSERT_ROW, **values, job=new.number, title_key=sort_key(new.title), batch_key=_batch_key(work, new.batch)
    )
    insert_job(work, new)
    work.note(KIND, new.rid, "created")


def insert_job(work: Work, new: Job) -> None:
    """Write a job beneath its row, which is stored already."""
    values = _written({name: getattr(new, name) for name in _JOB_MEMBERS if name != "number"})
    work.tx.run(_INSERT_JOB, **values, id=new.number, rid=new.rid)


def store(work: Work, old: Job, new: Job) -> Job:
    """Write what differs between two states of a job, note the change, and return the new state."""
    changed = {name for name in Job.__struct_fields__ if getattr(old, name) != getattr(new, name)}
    if not changed:
        return new
    own = sorted(changed & set(_JOB_MEMBERS) - {"number"})
    row = sorted(changed & set(ROW_MEMBERS)) + (
        [name for name in _REPEATED if name in changed] if new.is_newest else []
    )
    if own:
        _update(work, job_table, job_table.c.id, new.number, {name: getattr(new, name) for name in own})
    if row:
        values = {name: getattr(new, name) for name in row}
        if "title" in values:
            values["title_key"] = sort_key(new.title)
        if "batch" in values:
            values["batch_key"] = _batch_key(work, new.batch)
        _update(work, status_table, status_table.c.rid, new.rid, values)
    work.note(KIND, new.rid, "changed")
    return new


def point_to(work: Work, of: Job) -> None:
    """Make a job the newest of its row, with what the row repeats of it."""
    values = {name: getattr(of, name) for name in _REPEATED}
    _update(
        work, status_table, status_table.c.rid, of.rid, {**values, "job": of.number, "title_key": sort_key(of.title)}
    )
    work.note(KIND, of.rid, "changed")


def retire(work: Work, of: Job) -> None:
    """Make the newest job of a row an older one, with the next number of those."""
    older = work.tx.value(_OLDER, rid=of.rid)
    _update(work, job_table, job_table.c.id, of.number, {"revision": older + 1})


def revive(work: Work, of: Job) -> None:
    """Make an older job the newest again; its row is pointed to it apart."""
    _update(work, job_table, job_table.c.id, of.number, {"revision": None})


def replace_fields(work: Work, number: int, texts: Iterable[JobField]) -> None:
    """Store the texts of a job in place of those that it has."""
    work.tx.run(_DROP_FIELDS, of=number)
    rows = [{**msgspec.structs.asdict(one), "job": number, "position": at} for at, one in enumerate(texts)]
    if rows:
        work.tx.run_each(_INSERT_FIELD, rows)


def store_fields(work: Work, of: Job, texts: Iterable[JobField]) -> None:
    """Store the translations of some texts of a job."""
    rows = [{"of": of.number, "called": one.name, "target": one.target, "finished": one.finished} for one in texts]
    if rows:
        work.tx.run_each(_TARGET, rows)


def remove_rows(work: Work, element_type: str, element: int) -> None:
    """Forget every job of a thing that is gone."""
    if work.tx.run(_DROP_ROWS, element_type=element_type, element=element):
        work.note(KIND, f"{element_type}/{element}", "removed")


def batch(work: Work, id: int) -> Batch | None:
    """Return a batch by its number."""
    row = work.tx.first(_BATCH, id=id)
    return Batch(*row) if row else None


def store_batch(work: Work, new: Batch) -> None:
    """Store a batch as it is now."""
    work.tx.run(_PUT_BATCH, **msgspec.structs.asdict(new))
    work.note("mlang_batch", new.id, "changed")


def _batch_key(work: Work, id: int) -> str:
    known = batch(work, id)
    return known.name_key if known is not None else ""


def _first(work: Work, statement: Statement, **values: Any) -> Job | None:
    work.uses(KIND)
    row = work.tx.first(statement, **values)
    return of_row(row) if row else None


def _field(row: Row) -> JobField:
    members = [*row[:-2], bool(row[-2]), bool(row[-1])]
    return JobField(*members)


def _update(work: Work, table: Any, key: Any, of: int, values: dict[str, Any]) -> None:
    names = tuple(values)
    statement = _UPDATES.get(
        (table.name, names),
        lambda: update(table).where(key == bindparam("of_key")).values({name: bindparam(name) for name in names}),
    )
    work.tx.run(statement, of_key=of, **_written(values))


def _written(values: dict[str, Any]) -> dict[str, Any]:
    out = dict(values)
    for name in ("previous", "service_data"):
        if name in out:
            out[name] = orjson.dumps(out[name]).decode() if out[name] else ""
    return out
