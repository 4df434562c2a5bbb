"""The translation service of the house: jobs go to it as files, wait, and come back when somebody filled them.

People fill a file over the interface or the command line, a machine by itself (multilingual/services/machine.py). It
can do what every service can (multilingual/services/service.py), so what sends and fetches jobs does not know that it
is near.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.multilingual import service_job as table
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.jobs.model import LOCAL
from vetrina.multilingual.services.service import Parcel, Progress, ServiceError

__all__ = ["LocalService", "Open"]

Open = Callable[[bool], AbstractContextManager[Work]]

_WAITING: Final = Progress.WAITING.value
_ROW = Statement(select(table.c.state, table.c.sent, table.c.filled).where(table.c.job == bindparam("number")))
_PUT = Statement(
    upsert(
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
    update(table).where(table.c.job == bindparam("number")).values(state=Progress.DONE.value, filled=bindparam("text"))
)
_CANCEL = Statement(
    update(table).where(table.c.job == bindparam("number")).values(state=Progress.CANCELLED.value, filled="")
)


class LocalService:
    """The service of the house. open: opens a unit of work, for reading alone or for writing."""

    name = LOCAL

    def __init__(self, open: Open) -> None:
        self._open = open

    def send(self, parcels: Sequence[Parcel]) -> Mapping[int, int]:
        """Take jobs in; their numbers here are their own."""
        with self._open(False) as work:
            for one in parcels:
                work.tx.run(_PUT, number=one.number, text=one.xliff, automatic=one.automatic, now=work.now)
        return {one.number: one.number for one in parcels}

    def state(self, number: int) -> Progress:
        """Return how far a job is."""
        row = self._row(number)
        return Progress(row[0]) if row is not None else Progress.UNKNOWN

    def sent(self, number: int) -> str:
        """Return the file of a job as it came in. Raises ServiceError."""
        row = self._row(number)
        if row is None:
            raise ServiceError(f"the local service has no job {number}")
        return str(row[1])

    def fetch(self, number: int) -> str:
        """Return the filled file of a job. Raises ServiceError."""
        row = self._row(number)
        if row is None or row[0] != Progress.DONE.value:
            raise ServiceError(f"the local service has no filled file of job {number}")
        return str(row[2])

    def cancel(self, number: int) -> None:
        """Forget what was filled; the job is not wanted any more."""
        with self._open(False) as work:
            work.tx.run(_CANCEL, number=number)

    def fill(self, number: int, xliff: str) -> None:
        """Take the file that somebody filled."""
        with self._open(False) as work:
            work.tx.run(_FILL, number=number, text=xliff)

    def _row(self, number: int) -> Row | None:
        with self._open(True) as work:
            return work.tx.first(_ROW, number=number)
