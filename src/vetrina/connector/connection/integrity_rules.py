"""Consistency checks of the connector for `vetrina check`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import bindparam, func, select

from vetrina.backends import change_log
from vetrina.backends.database import Statement
from vetrina.backends.tables.connector import connector_done
from vetrina.connector.sync import queue as sync_queue
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.core.unit_of_work import UnitOfWork

_PAST = Statement(select(func.count()).where(connector_done.c.sequence > bindparam("latest")))


def _iterate_queue_faults(work: UnitOfWork) -> Iterator[str]:
    latest, mark = change_log.get_latest_sequence(work.tx), sync_queue.find_mark(work)
    if mark is not None and mark > latest:
        yield f"the queue is at change {mark}, the last one is {latest}: what happens next would not be told"
    number = int(work.tx.value(_PAST, latest=latest) or 0)
    if number:
        yield f"{number} changes are told that have not happened yet"


RULES: tuple[IntegrityRule, ...] = (
    IntegrityRule(
        "sync-queue",
        "The queue of the connector stands within the change log.",
        _iterate_queue_faults,
        "`--repair` begins the queue again; ask for a full sync then.",
        sync_queue.begin_queue,
    ),
)
