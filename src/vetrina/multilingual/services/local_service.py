"""The local translation service: holds the files of jobs until a person or a machine has filled them.

People fill a file over the interface or the command line, a machine does so by itself
(multilingual/services/machine.py). It implements the protocol of every service (multilingual/services/service.py), so
callers need not know that it is local.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.multilingual import mlang_service_job as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs.model import LOCAL
from vetrina.multilingual.services.service import JobPayload, ServiceProgress, TranslationServiceError

OpenUnitOfWork = Callable[[bool], AbstractContextManager[UnitOfWork]]

_WAITING: Final = ServiceProgress.WAITING.value
_ROW = Statement(select(table.c.state, table.c.sent, table.c.filled).where(table.c.job == bindparam("number")))
_PUT = Statement(
    build_upsert(
        table,
        ("job",),
        {
            "job": bindparam("number"), "state": _WAITING, "sent": bindparam("text"), "filled": "",
            "automatic": bindparam("automatic"), "received": bindparam("now"),
        },
        {"state": _WAITING, "sent": bindparam("text"), "filled": "", "received": bindparam("now")},
    )
)  # fmt: skip
_FILL = Statement(
    update(table)
    .where(table.c.job == bindparam("number"))
    .values(state=ServiceProgress.DONE.value, filled=bindparam("text"))
)
_CANCEL = Statement(
    update(table).where(table.c.job == bindparam("number")).values(state=ServiceProgress.CANCELLED.value, filled="")
)


class LocalTranslationService:
    """The local service. open: opens a unit of work, read-only or for writing."""

    name = LOCAL

    def __init__(self, open: OpenUnitOfWork) -> None:
        self._open = open

    def send(self, parcels: Sequence[JobPayload]) -> Mapping[int, int]:
        """Store jobs; their ids here are their own."""
        with self._open(False) as work:
            for one in parcels:
                work.tx.run(_PUT, number=one.number, text=one.xliff, automatic=one.automatic, now=work.now)
        return {one.number: one.number for one in parcels}

    def state(self, number: int) -> ServiceProgress:
        """Return how far a job is."""
        row = self._find_row(number)
        return ServiceProgress(row[0]) if row is not None else ServiceProgress.UNKNOWN

    def get_sent_file(self, number: int) -> str:
        """Return the file of a job as it was sent. Raises TranslationServiceError."""
        row = self._find_row(number)
        if row is None:
            raise TranslationServiceError(f"the local service has no job {number}")
        return str(row[1])

    def fetch(self, number: int) -> str:
        """Return the filled file of a job. Raises TranslationServiceError."""
        row = self._find_row(number)
        if row is None or row[0] != ServiceProgress.DONE.value:
            raise TranslationServiceError(f"the local service has no filled file of job {number}")
        return str(row[2])

    def cancel(self, number: int) -> None:
        """Delete the filled file; the job is not wanted any more."""
        with self._open(False) as work:
            work.tx.run(_CANCEL, number=number)

    def fill(self, number: int, xliff: str) -> None:
        """Store the filled file."""
        with self._open(False) as work:
            work.tx.run(_FILL, number=number, text=xliff)

    def _find_row(self, number: int) -> Row | None:
        with self._open(True) as work:
            return work.tx.first(_ROW, number=number)
