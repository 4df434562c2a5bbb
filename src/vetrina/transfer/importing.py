"""Bringing a source into a site: in which order, from where an earlier run goes on, what is told meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Final

from sqlalchemy import bindparam, func, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import raise_sequence
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.records import record as record_table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.system import job_runner
from vetrina.transfer.events import EventHandler, ImportFinished, ImportProgress, ImportStarted
from vetrina.transfer.options import ImportOptions
from vetrina.transfer.records import CollectionUnreadable, Record, SkippedRecord, Source, SourceDescription
from vetrina.transfer.report import ImportReport
from vetrina.transfer.target.content import count_first_records
from vetrina.transfer.target.design import is_theme_file
from vetrina.transfer.target.incoming_record import MAX_ID
from vetrina.transfer.target.journal import COMMENT, RECORD, TERM, USER, ImportJournal, SourceState, name_item
from vetrina.transfer.target.orders.finishing import finish_shop
from vetrina.transfer.target.orders.writers import has_shop
from vetrina.transfer.target.users import AuthorChoice
from vetrina.transfer.target.writers import FOLLOWING, build_writers, describe_unknown, find_left_out, find_path_here
from vetrina.transfer.target.writing import OpenSite, SiteWriter, compute_fingerprint

_LEASE: Final = "transfer"  # held while one runs
_OVERLAP: Final = 300  # seconds that the clock of the source may go behind this one
_BATCH: Final = 100  # records in a transaction
_COUNTERS: Final = {RECORD: "record", TERM: "term", USER: "account", COMMENT: "comment"}
_COUNT_RECORDS = Statement(select(func.count()).select_from(record_table))
_COUNT_COMMENTS = Statement(select(func.count()).select_from(comment))
_ADMINISTRATORS = Statement(
    select(account.c.id).where(account.c.roles.like(bindparam("role"))).order_by(account.c.id).limit(1)
)


class ImportImpossible(Exception):
    """The site cannot take an import now; the message says why."""


class ImportUnderWay(ImportImpossible):
    """Another import into the site runs."""


def import_records(
    site: OpenSite, source: Source, options: ImportOptions | None = None, on_event: EventHandler = lambda event: None,
    unread: Sequence[SkippedRecord] = (), report: ImportReport | None = None,
) -> ImportReport:  # fmt: skip
    """Bring a source into a site and return what came of it.

    A run that was interrupted goes on where it was; another one brings what has changed. on_event: told of progress.
    unread: where the source puts the records that it cannot give, while it is read. report: filled while it runs, for
    who wants to know what a run did that did not come to its end. Raises SourceError where the source cannot be read,
    ImportImpossible.
    """
    options = options or ImportOptions()
    lease = site.database.open_lease(_LEASE)
    try:
        if not lease.acquire():
            raise ImportUnderWay("another import into this site is running; wait until it has ended")
        return _Import(site, source, options, on_event, unread, report or ImportReport()).run()
    finally:
        lease.close()


def is_empty_site(work: UnitOfWork) -> bool:
    """Return whether a site has only what every new one begins with."""
    return int(work.tx.value(_COUNT_RECORDS)) <= count_first_records(work) and not work.tx.value(_COUNT_COMMENTS)


class _Import:
    """One run of an import."""

    def __init__(
        self, site: OpenSite, source: Source, options: ImportOptions, on_event: EventHandler,
        unread: Sequence[SkippedRecord], report: ImportReport,
    ) -> None:  # fmt: skip
        self._site, self._source, self._options, self._on_event = site, source, options, on_event
        self._unread = unread
        self._journal = ImportJournal(source.key)
        self._report = report
        report.dry_run = options.dry_run

    def run(self) -> ImportReport:
        """Run the import and return its report."""
        start = time.monotonic()
        user = self._find_administrator()
        description = self._source.describe()
        self._report.title = description.title
        state = self._begin()
        since = datetime.fromtimestamp(state.finished - _OVERLAP, UTC) if state.finished else None
        writer = self._build_writer(user, description)
        self._report.left_out = find_left_out(self._site.context, self._writers, description)
        left_out = FOLLOWING | self._report.left_out.keys()
        brought = [name for name in description.resources if name not in left_out]
        # Only now: what is shown in part comes so far.
        self._report.left_out |= {name: why for name, why in description.unreadable.items() if name not in left_out}
        totals = {name: self._count(name, since) for name in brought}
        known = [total for total in totals.values() if total is not None]
        whole = len(known) == len(totals)
        self._on_event(ImportStarted(description.title, sum(known), whole, self._report.keep_ids))
        for resource in brought:
            try:
                self._bring_collection(writer, resource, totals[resource], since)
            except CollectionUnreadable as error:
                self._report.cut_short[resource] = str(error)
        for one in self._unread:
            self._report.refuse(one.resource, one.id, one.reason)
        if not self._options.dry_run:
            self._finish(writer, state)
        self._report.seconds, self._report.finished = time.monotonic() - start, True
        self._on_event(ImportFinished(self._report))
        return self._report

    def _find_administrator(self) -> User:
        with self._site.work(read=True) as work:
            id = work.tx.value(_ADMINISTRATORS, role='%"administrator"%')
            found = users.find_user(work.tx, int(id), work.site.roles) if id else None
            for login in filter(None, (self._options.author, *self._options.authors.values())):
                if users.find_user_by_login(work.tx, login) is None:
                    raise ImportImpossible(f"this site has no account {login!r}; add it first: vetrina user add")
        if found is None:
            raise ImportImpossible("this site has no administrator, in whose name records could come")
        return found

    def _begin(self) -> SourceState:
        """Store that a run begins, and return how the source was imported before."""
        with self._site.work(read=True) as work:
            known, empty, now = self._journal.load_state(work.tx), is_empty_site(work), work.now
        wanted = self._options.keep_ids
        keep = wanted if wanted is not None else known.keep_ids if known else empty
        self._report.keep_ids = keep
        state = SourceState(keep, now, known.finished if known else 0)
        if not self._options.dry_run:
            greatest_ids = self._source.find_greatest_ids() if keep else {}
            with self._site.work() as work:
                self._journal.save_state(work.tx, state)
                for kind, greatest in greatest_ids.items():
                    raise_sequence(work.tx, min(greatest, MAX_ID), _COUNTERS[kind])
        return state

    def _build_writer(self, user: User, description: SourceDescription) -> SiteWriter:
        self._writers = build_writers(
            self._site.context, AuthorChoice(self._options.author, dict(self._options.authors))
        )
        fetch = self._source.fetch_file if self._options.files else None
        return SiteWriter(
            self._site, user, self._journal, self._writers, description.urls, self._report, self._on_event, fetch
        )

    def _count(self, resource: str, since: datetime | None) -> int | None:
        try:
            return self._source.count_records(resource, since)
        except CollectionUnreadable:
            return None  # reading it says why

    def _bring_collection(self, writer: SiteWriter, resource: str, total: int | None, since: datetime | None) -> None:
        done = 0
        self._on_event(ImportProgress(resource, 0, total))
        records = (one for one in self._source.read_records(resource, since) if not is_theme_file(one))
        for batch in _split(records, _BATCH):
            if self._options.dry_run:
                self._look_at(batch)
            else:
                writer.write_batch(batch)
            done += len(batch)
            self._on_event(ImportProgress(resource, done, total))

    def _look_at(self, batch: list[Record]) -> None:
        """Count what a run would do with some records."""
        with self._site.work(read=True) as work:
            entries = self._journal.load_entries(work.tx, batch[0].resource, map(name_item, batch))
        for one in batch:
            counts, entry = self._report.get_resource(one.resource), entries.get(name_item(one))
            if find_path_here(self._site.context, one) not in self._writers:
                self._report.refuse(one.resource, one.id, describe_unknown(one))
            elif entry is None:
                counts.created += 1
            elif entry.adopted:
                counts.found += 1
            elif entry.fingerprint == compute_fingerprint(one):
                counts.unchanged += 1
            else:
                counts.updated += 1

    def _finish(self, writer: SiteWriter, state: SourceState) -> None:
        """Settle what waited, bring the search up to date, and store that the run came to its end."""
        writer.settle()
        if any(one.created or one.updated for one in self._report.resources.values()):
            # Only now every record has its final address.
            writer.keep_old_addresses()
        writer.report_pending()
        if has_shop(self._site.context):
            finish_shop(partial(self._site.work, quiet=True))
        job_runner.build_consumer(self._site.context, self._site.database).catch_up(whole=True)
        whole = not self._report.cut_short and not any(one.skipped for one in self._report.resources.values())
        with self._site.work() as work:
            # What was skipped or not read to its end is asked for again by the next run.
            finished = state.began if whole else state.finished
            self._journal.save_state(work.tx, SourceState(state.keep_ids, state.began, finished))


def _split(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    """Yield the records in lists of a size."""
    iterator = iter(records)
    while batch := list(islice(iterator, size)):
        yield batch
