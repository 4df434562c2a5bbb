"""Rules of what goes on beside requests: jobs, mails, messages to others, the index of searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import and_, bindparam, delete, exists, or_, select

from vetrina.backends import change_log, search_index
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import counter, job, record, search_entry, searchable
from vetrina.backends.tables.orders import outbox_mail
from vetrina.backends.tables.webhooks import webhook_delivery
from vetrina.core.integrity.rule import Rule
from vetrina.core.unit_of_work import Work

__all__ = ["RULES"]

_JOB_LATE: Final = 3600  # seconds
_MESSAGE_LATE: Final = 86_400  # seconds

_JOBS = Statement(
    select(job.c.id, job.c.kind, job.c.state)
    .where(
        or_(
            and_(job.c.state == "waiting", job.c.due < bindparam("before")),
            and_(job.c.state == "running", job.c.started < bindparam("before")),
        )
    )
    .order_by(job.c.id)
)
_MAILS = Statement(
    select(outbox_mail.c.id, outbox_mail.c.kind)
    .where(outbox_mail.c.state == "waiting", outbox_mail.c.created < bindparam("before"))
    .order_by(outbox_mail.c.id)
)
_DELIVERIES = Statement(
    select(webhook_delivery.c.id, webhook_delivery.c.webhook)
    .where(webhook_delivery.c.state == "waiting", webhook_delivery.c.created < bindparam("before"))
    .order_by(webhook_delivery.c.id)
)


def _late_jobs(work: Work) -> Iterator[str]:
    for id, kind, state in work.tx.all(_JOBS, before=work.now - _JOB_LATE):
        yield f"job {id} ({kind}) is {state} for more than an hour; `vetrina jobs` says why"


def _late_mails(work: Work) -> Iterator[str]:
    for id, kind in work.tx.all(_MAILS, before=work.now - _MESSAGE_LATE):
        yield f"mail {id} ({kind}) waits for more than a day; `vetrina jobs` says why"


def _late_deliveries(work: Work) -> Iterator[str]:
    for id, hook in work.tx.all(_DELIVERIES, before=work.now - _MESSAGE_LATE):
        yield f"delivery {id} of webhook {hook} waits for more than a day; `vetrina jobs` says why"


_MARK = Statement(select(counter.c.value).where(counter.c.name == search_index.MARK))
_OF_NOTHING = Statement(
    select(search_entry.c.record)
    .where(~exists().where(searchable.c.record == search_entry.c.record))
    .order_by(search_entry.c.record)
)
# A record that changed past the mark is looked at without the index.
_LEFT_OUT = Statement(
    select(record.c.id)
    .where(
        ~exists().where(search_entry.c.record == record.c.id),
        record.c.id.not_in(search_index.changed_since(bindparam("mark"))),
    )
    .order_by(record.c.id)
)
_TYPE = Statement(select(record.c.type).where(record.c.id == bindparam("of")))
_REMOVE_ENTRIES = Statement(delete(search_entry).where(~exists().where(searchable.c.record == search_entry.c.record)))


def _not_indexed(work: Work) -> Iterator[str]:
    if work.tx.kind != "sqlite":
        return  # the database keeps its own
    mark, latest = int(work.tx.value(_MARK) or 0), change_log.latest(work.tx)
    if mark > latest:
        yield f"the index has read up to change {mark}, the last one is {latest}"
    # An entry of a record that is gone by a change that the index has not read yet goes with that change.
    yield from (f"the index has record {row[0]}, which is gone" for row in work.tx.all(_OF_NOTHING) if mark >= latest)
    yield from (f"the index has not record {id}" for id in _left_out(work, min(mark, latest)))


def _left_out(work: Work, mark: int) -> list[int]:
    return [row[0] for row in work.tx.all(_LEFT_OUT, mark=mark)]


def _index_anew(work: Work) -> None:
    latest = change_log.latest(work.tx)
    mark = min(int(work.tx.value(_MARK) or 0), latest)
    search_index.set_mark(work.tx, mark)
    work.tx.run(_REMOVE_ENTRIES)
    for id in _left_out(work, mark):
        work.note(str(work.tx.value(_TYPE, of=id)), id, "changed")


RULES: tuple[Rule, ...] = (
    Rule(
        "jobs",
        "Jobs are carried out.",
        _late_jobs,
        "See what `vetrina jobs list` says of them; `vetrina serve` or `vetrina work` must run.",
    ),
    Rule(
        "mails",
        "Mails go out.",
        _late_mails,
        "See what `vetrina jobs list` says of them; `vetrina serve` or `vetrina work` must run.",
    ),
    Rule(
        "deliveries",
        "Webhooks are told what happened.",
        _late_deliveries,
        "See what `vetrina jobs list` says of them; `vetrina serve` or `vetrina work` must run.",
    ),
    Rule(
        "search-index",
        "The index of searches has every record.",
        _not_indexed,
        "`--repair` lets the index read those records once more.",
        _index_anew,
    ),
)
