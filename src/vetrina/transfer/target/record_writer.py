"""How the records of one collection are written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.transfer.records import FileFetcher, Record

from .incoming_record import IncomingRecord
from .journal import ImportJournal
from .outcome import Written

# Given the site, what opens a unit of work for reading, the journal, the record, and what fetches its file.
FileReceiver = Callable[
    [SiteContext, Callable[[], AbstractContextManager[UnitOfWork]], ImportJournal, Record, FileFetcher],
    AbstractContextManager[Any],
]


@dataclass(frozen=True)
class RecordWriter:
    """How records of a collection are written.

    kind: of the journal. receive: fetches and stores the file of a record, None where they have none. write: given what
    `receive` yields, or None.
    """

    kind: str
    write: Callable[[IncomingRecord, Any], Written]
    receive: FileReceiver | None = None
