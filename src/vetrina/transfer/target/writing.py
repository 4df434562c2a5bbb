"""Writing the records of a source into a site, some in each transaction, each in a savepoint of its own.

A record that cannot be written is undone alone. One that refers to what has not come keeps its values in the journal
and is written again when everything else is there.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import msgspec
import orjson

from vetrina.backends.database import Database
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError
from vetrina.transfer.events import EventHandler, RecordRefused
from vetrina.transfer.records import FileFetcher, Record
from vetrina.transfer.report import ImportReport

from .former_addresses import keep_old_addresses
from .incoming_record import IncomingRecord, RecordSkipped, ReferenceMissing
from .journal import ImportJournal, JournalEntry, name_item
from .outcome import Written
from .record_writer import FileReceiver, RecordWriter
from .writers import describe_unknown, find_path_here, find_source_address

T = TypeVar("T")

_LOG = logging.getLogger("vetrina.transfer")
_FAULTS: Final = (ApiError, ValueError, TypeError, LookupError, OverflowError, RecursionError)  # of one record
_SETTLED_AT_ONCE: Final = 100  # pending records in a transaction
_ADDRESSES_AT_ONCE: Final = 500  # entries in a transaction


class _Settling(Enum):
    """What a record is written again for."""

    NOTHING = auto()
    REFERENCES = auto()
    TEXTS = auto()


class _FileNotNeeded(Exception):
    """A record could not be written after its file was stored."""


class OpenSite(Protocol):
    """What an import needs of a site that is open (site.py)."""

    @property
    def context(self) -> SiteContext: ...

    @property
    def database(self) -> Database: ...

    def work(self, user: User = ..., read: bool = ..., quiet: bool = ...) -> AbstractContextManager[UnitOfWork]: ...


class SiteWriter:
    """Writes records into a site. fetch: puts the file of a record into a folder, None for no files."""

    def __init__(
        self,
        site: OpenSite,
        user: User,
        journal: ImportJournal,
        writers: dict[str, RecordWriter],
        urls: tuple[str, ...],
        report: ImportReport,
        on_event: EventHandler,
        fetch: FileFetcher | None,
    ) -> None:
        self._site, self._user, self._journal, self._writers = site, user, journal, writers
        self._urls, self._report, self._on_event, self._fetch = urls, report, on_event, fetch
        self._told: list[Callable[[], None]] = []

    def write_batch(self, records: Sequence[Record]) -> None:
        """Write some records of one collection in a transaction; those that came as they are now are passed over."""
        changed = self._select_changed(records)
        writer = self._find_writer(records[0])
        if writer is not None and writer.receive is not None:
            for record, entry in changed:
                self._write_with_file(record, entry, writer.receive)
        elif changed:
            self._run_transaction(lambda work: [self._write_one(work, *one, None) for one in changed])

    def settle(self) -> None:
        """Write again what refers to things that came after it, until nothing more changes."""
        while self._settle_once(texts=False):
            pass
        # Only now every record has the address that texts name it by.
        self._settle_once(texts=True)

    def keep_old_addresses(self) -> None:
        """Let the addresses that records and terms had in the source lead to them, where they are others here."""
        after: JournalEntry | None = None
        while True:
            entries, kept = self._run_transaction(partial(self._keep_some_addresses, after=after))
            if kept:
                self._report.notes["its address in the source leads to the one here"] += kept
            if len(entries) < _ADDRESSES_AT_ONCE:
                return
            after = entries[-1]

    def _keep_some_addresses(self, work: UnitOfWork, after: JournalEntry | None) -> tuple[list[JournalEntry], int]:
        entries = self._journal.list_addressed(work.tx, after, _ADDRESSES_AT_ONCE)
        return entries, keep_old_addresses(work, entries)

    def report_pending(self) -> None:
        """Tell of the records that still refer to what has not come."""
        after: JournalEntry | None = None
        while True:
            with self._site.work(self._user, read=True) as work:
                entries = self._journal.list_pending(work.tx, after, _SETTLED_AT_ONCE)
            for entry in entries:
                if entry.target:
                    for _, _, name in msgspec.json.decode(entry.pending, type=_Pending).missing:
                        self._report.notes[f"refers to a thing that did not come: {name}"] += 1
                else:
                    self._refuse(entry.resource, entry.item, "what it belongs to did not come")
            if len(entries) < _SETTLED_AT_ONCE:
                return
            after = entries[-1]

    def _select_changed(self, records: Sequence[Record]) -> list[tuple[Record, JournalEntry | None]]:
        out = []
        with self._site.work(self._user, read=True) as work:
            entries = self._journal.load_entries(work.tx, records[0].resource, map(name_item, records))
        for record in records:
            entry, counts = entries.get(name_item(record)), self._report.get_resource(record.resource)
            try:
                fingerprint = compute_fingerprint(record)
            except ValueError as error:
                self._refuse(record.resource, record.id, str(error))
                continue
            if entry is None or (entry.fingerprint != fingerprint and not entry.adopted):
                out.append((record, entry))
            elif entry.adopted:
                counts.found += 1
            else:
                counts.unchanged += 1
        return out

    def _run_transaction(self, write: Callable[[UnitOfWork], T]) -> T:
        """Return what `write` returns; it is run again where another writer came between. Raises DatabaseBusy."""

        def once() -> T:
            self._told.clear()
            try:
                with self._site.work(self._user, quiet=True) as work:
                    return write(work)
            except BaseException:
                self._journal.forget_known()
                raise

        done = run_with_retries(once)
        # Only what was committed is told, and once.
        for tell in self._told:
            tell()
        self._told.clear()
        return done

    def _refuse(self, resource: str, id: int | str, reason: str) -> None:
        self._report.refuse(resource, id, reason)
        self._on_event(RecordRefused(resource, id, reason))

    def _find_writer(self, record: Record) -> RecordWriter | None:
        return self._writers.get(find_path_here(self._site.context, record))

    def _write_with_file(self, record: Record, entry: JournalEntry | None, receive: FileReceiver) -> None:
        """Write a record after its file was fetched, in a transaction of its own."""
        try:
            with ExitStack() as stack:
                file = None
                if entry is None or not entry.target:
                    if self._fetch is None:
                        raise RecordSkipped("files were not asked for")
                    file = stack.enter_context(
                        receive(
                            self._site.context,
                            lambda: self._site.work(self._user, read=True),
                            self._journal,
                            record,
                            self._fetch,
                        )
                    )
                if not self._run_transaction(lambda work: self._write_one(work, record, entry, file)):
                    raise _FileNotNeeded
        except (RecordSkipped, *_FAULTS) as refused:
            self._refuse(record.resource, record.id, str(refused) or type(refused).__name__)
        except _FileNotNeeded:
            pass  # why was told; raised so that the stored file is deleted

    def _write_one(
        self,
        work: UnitOfWork,
        record: Record,
        entry: JournalEntry | None,
        file: Any,
        settling: _Settling = _Settling.NOTHING,
    ) -> bool:
        """Write a record with its entry of the journal, and return whether it could be."""
        try:
            written = self._write_in_savepoint(work, record, entry, file, settling)
        except RecordSkipped as skipped:
            self._told.append(partial(self._refuse, record.resource, record.id, str(skipped)))
            return False
        except _FAULTS as error:
            if not isinstance(error, ApiError):
                _LOG.warning("record %s of %s cannot be written", record.id, record.resource, exc_info=True)
            self._told.append(partial(self._refuse, record.resource, record.id, str(error) or type(error).__name__))
            return False
        if written is not None:
            is_new = entry is None or not entry.target
            if written.adopted or is_new or settling is _Settling.NOTHING:
                self._told.append(partial(self._report.count_written, record.resource, written.adopted, is_new))
        return True

    def _write_in_savepoint(
        self,
        work: UnitOfWork,
        record: Record,
        entry: JournalEntry | None,
        file: Any,
        settling: _Settling,
    ) -> Written | None:
        """Write a record with its entry; None where it waits for what it belongs to. Raises RecordSkipped."""
        writer = self._find_writer(record)
        if writer is None:
            raise RecordSkipped(describe_unknown(record))
        target = entry.target if entry else 0
        again = settling is not _Settling.NOTHING
        one = IncomingRecord(record, work, self._journal, self._urls, target, self._report.keep_ids, again)
        try:
            with self._open_part(work, record) as one.work:
                written = writer.write(one, file)
                self._journal.save_entry(work.tx, _build_entry(one, writer.kind, written, settling))
        except ReferenceMissing:
            self._journal.forget_known()
            self._journal.save_entry(work.tx, _build_entry(one, writer.kind, Written(target), settling))
            return None
        except BaseException:
            self._journal.forget_known()
            raise
        self._told.append(partial(self._report.take_notes, one.notes, one.resets))
        return written

    @contextmanager
    def _open_part(self, work: UnitOfWork, record: Record) -> Iterator[UnitOfWork]:
        """Open a unit of work in a savepoint, with a budget of its own, in the language of a record."""
        site = work.site
        if record.language:
            # A source with several languages brings the records of its files in each of them itself.
            site = replace(site, on_attachment=())
        with work.tx.savepoint():
            part = UnitOfWork(
                site, work.tx, work.user, root=work.root, origin=work.origin, language=record.language,
                source=work.source,
            )  # fmt: skip
            part.know_options_of(work)
            yield part
        work.know_options_of(part)
        work.changes += part.changes
        work.notes.update(part.notes)
        work.run_after_commit(part.finish)

    def _settle_once(self, texts: bool) -> bool:
        """Write pending records again and return whether any of them found more than before.

        texts: those whose texts name something that may have come; else those that refer to something.
        """
        after: JournalEntry | None = None
        progress = False
        while True:
            entries, found = self._run_transaction(partial(self._settle_some, after=after, texts=texts))
            progress |= found
            if len(entries) < _SETTLED_AT_ONCE:
                return progress
            after = entries[-1]

    def _settle_some(
        self, work: UnitOfWork, after: JournalEntry | None, texts: bool
    ) -> tuple[list[JournalEntry], bool]:
        """Settle the next pending records; return them, and whether any found more than before."""
        entries = self._journal.list_pending(work.tx, after, _SETTLED_AT_ONCE)
        found = [self._settle_entry(work, entry, texts) for entry in entries]
        return entries, any(found)

    def _settle_entry(self, work: UnitOfWork, entry: JournalEntry, texts: bool) -> bool:
        """Write a pending record again where that may help, and return whether it found more than before."""
        stored = msgspec.json.decode(entry.pending, type=_Pending)
        found = any(self._journal.find_target(work.tx, kind, id) for kind, id, _ in stored.missing)
        if not (stored.retried if texts else found):
            return False
        record = Record(entry.resource, stored.id, stored.values, stored.language, stored.parent)
        if self._write_one(work, record, entry, None, _Settling.TEXTS if texts else _Settling.REFERENCES):
            return True
        # What cannot be written now cannot be later either, until its source changes.
        self._journal.save_entry(work.tx, msgspec.structs.replace(entry, pending=""))
        return False


class _Pending(msgspec.Struct):
    """A record that is still to be settled. missing: kind, id and name of what it refers to."""

    id: int | str
    values: dict[str, Any]
    language: str
    missing: list[tuple[str, str, str]]
    retried: bool
    parent: int | str = 0


def compute_fingerprint(record: Record) -> str:
    """Return what tells two states of a record apart. Raises ValueError where JSON has no form of its values."""
    try:
        text = orjson.dumps([record.values, record.language], option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    except TypeError as error:
        raise ValueError(f"its values can't be kept: {error}") from None
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _build_entry(one: IncomingRecord, kind: str, written: Written, settling: _Settling) -> JournalEntry:
    record = one.record
    retried = one.retried and settling is not _Settling.TEXTS
    pending = ""
    if not written.adopted and (one.missing or retried):
        kept = _Pending(record.id, dict(record.values), record.language, one.missing, retried, record.parent)
        pending = msgspec.json.encode(kept).decode()
    return JournalEntry(
        record.resource, name_item(record), kind, written.target, written.adopted, find_source_address(record),
        str(record.values.get("modified_gmt") or ""), compute_fingerprint(record), pending,
    )  # fmt: skip
