"""Jobs as lists display them: the item with its URL, the languages, the translator, the progress.

All lookups for a page of jobs are done at once, whatever its size.
Not here: which jobs are listed (multilingual/jobs/listing.py), the JSON members (multilingual/jobs/schema.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import case, func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.multilingual import mlang_batch as batch_table, mlang_field
from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.states import TranslationJobState


class TranslationJobView(msgspec.Struct, frozen=True):
    """A job as lists display it. url, translation_url: public URLs of both items, empty for none.

    element_status: the status of the translation, `draft` before it exists. percent_done: how much of it is translated,
    None where it is not counted. batch: its name; batch_number: the agency's id, None for none.
    """

    job: TranslationJob
    url: str
    translation_url: str
    element_status: str
    type_label: str
    translator_name: str
    batch: str
    batch_number: int | None
    percent_done: int | None


_NAMES = Statement(select(account.c.id, account.c.name).where(InList(account.c.id, "ids")))
_BATCHES = Statement(
    select(batch_table.c.id, batch_table.c.name, batch_table.c.service_number).where(InList(batch_table.c.id, "ids"))
)
_PROGRESS = Statement(
    select(mlang_field.c.job, func.count(), func.sum(case((mlang_field.c.finished, 1), else_=0)))
    .where(InList(mlang_field.c.job, "jobs"), mlang_field.c.wanted)
    .group_by(mlang_field.c.job)
)


def build_job_views(work: UnitOfWork, jobs: Sequence[TranslationJob]) -> list[TranslationJobView]:
    """Return the views of some jobs, in their order."""
    records = _load_records(work, (one for one in jobs if one.type == "post"))
    named = _load_term_addresses(work, (one for one in jobs if one.type == "tax"))
    names = _load_names(work, _NAMES, (one.translator for one in jobs if one.translator))
    batches = {
        row[0]: row for row in work.tx.all(_BATCHES, ids=encode_list({one.batch for one in jobs}))
    }  # fmt: skip
    counted = [one.number for one in jobs if _is_counted(one)]
    progress = (
        {row[0]: (row[1], row[2]) for row in work.tx.all(_PROGRESS, jobs=encode_list(counted))} if counted else {}
    )
    work.uses("user")
    out = []
    for one in jobs:
        batch = batches.get(one.batch)
        status = "draft"
        url = there = ""
        if one.type == "post":
            url, there = _build_link(work, records.get(one.element)), _build_link(work, records.get(one.translation))
            made = records.get(one.translation)
            status = made.status if made is not None else "draft"
        elif one.type == "tax":
            url, there = named.get(one.element, ""), named.get(one.translation, "")
            status = "publish" if one.translation else "draft"
        elif one.state is TranslationJobState.COMPLETE:
            status = "publish"
        whole, finished = progress.get(one.number, (0, 0))
        done = (100 * finished // whole if whole else 0) if _is_counted(one) else None
        name, number = (batch[1], batch[2]) if batch else ("", None)
        label, translator = _get_type_label(work, one.element_type), names.get(one.translator, "")
        out.append(TranslationJobView(one, url, there, status, label, translator, name, number, done))
    return out


def _is_counted(job: TranslationJob) -> bool:
    return job.service == "local" and job.state is TranslationJobState.IN_PROGRESS and job.type != "string"


def _load_records(work: UnitOfWork, jobs: Iterable[TranslationJob]) -> dict[int, Record]:
    numbers = {number for one in jobs for number in (one.element, one.translation) if number}
    known = record_model.find_records(work.tx, sorted(numbers))
    work.uses(*{one.type for one in known.values()})
    return known


def _load_term_addresses(work: UnitOfWork, jobs: Iterable[TranslationJob]) -> dict[int, str]:
    numbers = {number for one in jobs for number in (one.element, one.translation) if number}
    known: list[Term] = [
        one for one in term_store.find_terms(work.tx, sorted(numbers)).values() if one.taxonomy in work.site.taxonomies
    ]
    work.uses(*{one.taxonomy for one in known})
    return term_store.build_term_urls(work, known)


def _build_link(work: UnitOfWork, record: Record | None) -> str:
    type: ContentType | None = work.site.types.get(record.type) if record is not None else None
    if record is None or type is None or not type.public:
        return ""
    return permalinks.build_permalink(work, type, record)


def _load_names(work: UnitOfWork, statement: Statement, numbers: Iterable[int]) -> dict[int, str]:
    wanted = set(numbers)
    return {row[0]: row[1] for row in work.tx.all(statement, ids=encode_list(wanted))} if wanted else {}


def _get_type_label(work: UnitOfWork, element_type: str) -> str:
    what, _, name = element_type.partition("_")
    kind = work.site.types.get(name) if what == "post" else work.site.taxonomies.get(name)
    return kind.singular if kind is not None else "String batch"
