"""What people see of jobs: the thing with its address, the languages, the translator, how far it is.

Everything that a page of jobs shows is looked up at once, whatever their number.
Not here: which jobs (multilingual/jobs/listing.py), the members of the answer (namespaces).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import case, func, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import account
from vetrina.backends.tables.multilingual import batch as batch_table
from vetrina.backends.tables.multilingual import field
from vetrina.content.records import model as record_model
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.jobs.model import Job
from vetrina.multilingual.jobs.states import State

__all__ = ["Seen", "seen"]


class Seen(msgspec.Struct, frozen=True):
    """A job as people see it. url, translation_url: addresses of the two, empty for none.

    element_status: where the translation stands, `draft` before it is made. done: hundredths of it that are translated,
    None where nobody counts. batch: its name; batch_number: the agency's, None for none.
    """

    job: Job
    url: str
    translation_url: str
    element_status: str
    type_label: str
    translator_name: str
    batch: str
    batch_number: int | None
    done: int | None


_NAMES = Statement(select(account.c.id, account.c.name).where(Among(account.c.id, "ids")))
_BATCHES = Statement(
    select(batch_table.c.id, batch_table.c.name, batch_table.c.service_number).where(Among(batch_table.c.id, "ids"))
)
_PROGRESS = Statement(
    select(
        field.c.job,
        func.count(),
        func.sum(case((field.c.finished, 1), else_=0)),
    )
    .where(Among(field.c.job, "jobs"), field.c.wanted)
    .group_by(field.c.job)
)


def seen(work: Work, found: Sequence[Job]) -> list[Seen]:
    """Return jobs as people see them, in their order."""
    records = _records(work, (one for one in found if one.type == "post"))
    named = _terms(work, (one for one in found if one.type == "tax"))
    names = _by_number(work, _NAMES, (one.translator for one in found if one.translator))
    batches = {
        row[0]: row for row in work.tx.all(_BATCHES, ids=listed({one.batch for one in found}))
    }  # fmt: skip
    counted = [one.number for one in found if _is_counted(one)]
    progress = {row[0]: (row[1], row[2]) for row in work.tx.all(_PROGRESS, jobs=listed(counted))} if counted else {}
    work.uses("user")
    out = []
    for one in found:
        batch = batches.get(one.batch)
        status = "draft"
        url = there = ""
        if one.type == "post":
            url, there = _link(work, records.get(one.element)), _link(work, records.get(one.translation))
            made = records.get(one.translation)
            status = made.status if made is not None else "draft"
        elif one.type == "tax":
            url, there = named.get(one.element, ""), named.get(one.translation, "")
            status = "publish" if one.translation else "draft"
        elif one.state is State.COMPLETE:
            status = "publish"
        whole, finished = progress.get(one.number, (0, 0))
        done = (100 * finished // whole if whole else 0) if _is_counted(one) else None
        name, number = (batch[1], batch[2]) if batch else ("", None)
        label, translator = _label(work, one.element_type), names.get(one.translator, "")
        out.append(Seen(one, url, there, status, label, translator, name, number, done))
    return out


def _is_counted(one: Job) -> bool:
    return one.service == "local" and one.state is State.IN_PROGRESS and one.type != "string"


def _records(work: Work, found: Iterable[Job]) -> dict[int, Record]:
    numbers = {number for one in found for number in (one.element, one.translation) if number}
    known = record_model.by_ids(work.tx, sorted(numbers))
    work.uses(*{one.type for one in known.values()})
    return known


def _terms(work: Work, found: Iterable[Job]) -> dict[int, str]:
    numbers = {number for one in found for number in (one.element, one.translation) if number}
    known: list[Term] = [
        one for one in term_store.by_ids(work.tx, sorted(numbers)).values() if one.taxonomy in work.frame.taxonomies
    ]
    work.uses(*{one.taxonomy for one in known})
    return term_store.addresses(work, known)


def _link(work: Work, one: Record | None) -> str:
    type: ContentType | None = work.frame.types.get(one.type) if one is not None else None
    if one is None or type is None or not type.public:
        return ""
    return permalinks.link(work, type, one)


def _by_number(work: Work, statement: Statement, numbers: Iterable[int]) -> dict[int, str]:
    wanted = set(numbers)
    return {row[0]: row[1] for row in work.tx.all(statement, ids=listed(wanted))} if wanted else {}


def _label(work: Work, element_type: str) -> str:
    what, _, name = element_type.partition("_")
    kind = work.frame.types.get(name) if what == "post" else work.frame.taxonomies.get(name)
    return kind.singular if kind is not None else "String batch"
