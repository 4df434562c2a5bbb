"""Integrity rules of background work: jobs, mails, webhook deliveries, the search index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import and_, bindparam, delete, exists, or_, select

from vetrina.backends import change_log, search_index
from vetrina.backends.database import Statement
from vetrina.backends.tables.jobs import job
from vetrina.backends.tables.orders import outbox_mail
from vetrina.backends.tables.records import counter, record, search_entry, searchable
from vetrina.backends.tables.webhooks import webhook_delivery
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.core.unit_of_work import UnitOfWork

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


def _iterate_late_jobs(work: UnitOfWork) -> Iterator[str]:
    for id, kind, state in work.tx.all(_JOBS, before=work.now - _JOB_LATE):
        yield f"job {id} ({kind}) is {state} for more than an hour; `vetrina jobs` says why"


def _iterate_late_mails(work: UnitOfWork) -> Iterator[str]:
    for id, kind in work.tx.all(_MAILS, before=work.now - _MESSAGE_LATE):
        yield f"mail {id} ({kind}) waits for more than a day; `vetrina jobs` says why"


def _iterate_late_deliveries(work: UnitOfWork) -> Iterator[str]:
    for id, hook in work.tx.all(_DELIVERIES, before=work.now - _MESSAGE_LATE):
        yield f"delivery {id} of webhook {hook} waits for more than a day; `vetrina jobs` says why"


_MARK = Statement(select(counter.c.value).where(counter.c.name == search_index.SEARCH_COUNTER))
_OF_NOTHING = Statement(
    select(search_entry.c.record)
    .where(~exists().where(searchable.c.record == search_entry.c.record))
    .order_by(search_entry.c.record)
)
# Records that changed after the mark are found without the index.
_LEFT_OUT = Statement(
    select(record.c.id)
    .where(
        ~exists().where(search_entry.c.record == record.c.id),
        record.c.id.not_in(search_index.select_changed_since(bindparam("mark"))),
    )
    .order_by(record.c.id)
)
_TYPE = Statement(select(record.c.type).where(record.c.id == bindparam("of")))
_REMOVE_ENTRIES = Statement(delete(search_entry).where(~exists().where(searchable.c.record == search_entry.c.record)))


def _iterate_index_faults(work: UnitOfWork) -> Iterator[str]:
    if work.tx.kind != "sqlite":
        return  # the database maintains its own index
    mark, latest = int(work.tx.value(_MARK) or 0), change_log.get_latest_sequence(work.tx)
    if mark > latest:
        yield f"the index has read up to change {mark}, the last one is {latest}"
    # The entry of a record that was deleted by a change not yet indexed goes with that change.
    yield from (f"the index has record {row[0]}, which is gone" for row in work.tx.all(_OF_NOTHING) if mark >= latest)
    yield from (f"the index has not record {id}" for id in _list_unindexed_ids(work, min(mark, latest)))


def _list_unindexed_ids(work: UnitOfWork, mark: int) -> list[int]:
    return [row[0] for row in work.tx.all(_LEFT_OUT, mark=mark)]


def _reindex_records(work: UnitOfWork) -> None:
    latest = change_log.get_latest_sequence(work.tx)
    mark = min(int(work.tx.value(_MARK) or 0), latest)
    search_index.update_search_mark(work.tx, mark)
    work.tx.run(_REMOVE_ENTRIES)
    for id in _list_unindexed_ids(work, mark):
        work.note(str(work.tx.value(_TYPE, of=id)), id, "changed")


RULES: tuple[IntegrityRule, ...] = (
    IntegrityRule(
        "jobs",
        "Jobs are carried out.",
        _iterate_late_jobs,
        "See what `vetrina jobs list` says of them; `vetrina serve` or `vetrina work` must run.",
    ),
    IntegrityRule(
        "mails",
        "Mails go out.",
        _iterate_late_mails,
        "See what `vetrina jobs list` says of them; `vetrina serve` or `vetrina work` must run.",
    ),
    IntegrityRule(
        "deliveries",
        "Webhooks are told what happened.",
        _iterate_late_deliveries,
        "See what `vetrina jobs list` says of them; `vetrina serve` or `vetrina work` must run.",
    ),
    IntegrityRule(
        "search-index",
        "The index of searches has every record.",
        _iterate_index_faults,
        "`--repair` lets the index read those records once more.",
        _reindex_records,
    ),
)
