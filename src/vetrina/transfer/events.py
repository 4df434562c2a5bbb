"""What an import tells while it runs, for a terminal and for the administration alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vetrina.transfer.report import ImportReport


@dataclass(frozen=True)
class ImportStarted:
    """The source was read so far that it is known what it holds.

    total: records of the collections that say how many they have. is_whole: whether all of them do; of others, as notes
    below their orders, only reading tells.
    """

    title: str
    total: int
    is_whole: bool
    keep_ids: bool


@dataclass(frozen=True)
class ImportProgress:
    """Some records of a collection are done. done, total: of this collection; total: None where it isn't known."""

    resource: str
    done: int
    total: int | None


@dataclass(frozen=True)
class RecordRefused:
    """A record was skipped."""

    resource: str
    id: int | str
    reason: str


@dataclass(frozen=True)
class ImportFinished:
    """The run came to its end."""

    report: ImportReport


ImportEvent = ImportStarted | ImportProgress | RecordRefused | ImportFinished
EventHandler = Callable[[ImportEvent], None]
