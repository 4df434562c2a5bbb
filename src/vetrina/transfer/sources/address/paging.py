"""The records of a list, a page after the other and several pages at once, in the order of their ids.

Records that are added meanwhile come at the end. Where the site breaks on a page, it is read in smaller ones, until
the record is found that it breaks on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

from vetrina.transfer.sources.address.connection import ReadRefused, SiteConnection, SourceReply

PAGE_SIZE: Final = 100
_SMALLER: Final = {100: 10, 10: 1}  # each divides the one before, so that pages begin at the same records
_PAST_THE_END: Final = 400

T = TypeVar("T")
R = TypeVar("R")


class UnreadRecord(NamedTuple):
    """A record that the site breaks on. id: 0 where not even that is known. position: in the list, from 1."""

    id: int | str
    position: int
    reason: str


class ListReader:
    """Reads one list of a site.

    query: its parameters but the page's. pages: whether it takes a page's number and size. id_member: of its records.
    """

    def __init__(
        self, connection: SiteConnection, path: str, query: Mapping[str, Any], *, pages: bool, id_member: str = "id"
    ) -> None:
        self._connection, self._path, self._query = connection, path, dict(query)
        self._pages, self._id_member = pages, id_member

    def read(self, pool: ThreadPoolExecutor | None) -> Iterator[dict[str, Any] | UnreadRecord]:
        """Give the records. pool: reads the pages; None to read one at a time. Raises ReadRefused, SourceError."""
        if not self._pages:
            yield from _list_records(self._connection.ask(self._path, self._query).value)
            return
        first, records = self._read_page(1)
        yield from records
        if first is None or first.pages is None:
            # The first page failed, or the site doesn't say how many there are: until one is empty.
            number = 2
            while len(records) == PAGE_SIZE:
                _, records = self._read_page(number)
                yield from records
                number += 1
            return
        numbers = range(2, first.pages + 1)
        for _, records in map_in_order(pool, self._connection.parallel, self._read_page, numbers):
            yield from records
        # What was added meanwhile; a page past the end is refused or empty.
        number = max(first.pages, 1) + 1
        while first.pages and len(records) == PAGE_SIZE:
            _, records = self._read_page(number)
            yield from records
            number += 1

    def count(self) -> int | None:
        """Return how many records there are, None where the site doesn't say. Raises ReadRefused, SourceError."""
        if not self._pages:
            return None
        return self._connection.ask(self._path, {**self._query, "per_page": 1}).total

    def _read_page(self, number: int) -> tuple[SourceReply | None, list[dict[str, Any] | UnreadRecord]]:
        """Return the answer, None where the site broke on it, and the records of a page."""
        try:
            reply = self._ask(number, PAGE_SIZE)
        except ReadRefused as error:
            if number > 1 and error.status == _PAST_THE_END:
                return None, []
            if not error.is_failure:
                raise
            return None, self._read_parts(number, PAGE_SIZE, error)
        return reply, [*_list_records(reply.value)]

    def _read_parts(self, number: int, size: int, error: ReadRefused) -> list[dict[str, Any] | UnreadRecord]:
        """Return the records of a page that the site broke on, read in smaller ones."""
        smaller = _SMALLER.get(size)
        if smaller is None:
            return [UnreadRecord(self._find_id(number), number, str(error))]
        found: list[dict[str, Any] | UnreadRecord] = []
        parts = size // smaller
        for part in range((number - 1) * parts + 1, number * parts + 1):
            try:
                records = [*_list_records(self._ask(part, smaller, patient=False).value)]
            except ReadRefused as fault:
                if fault.status == _PAST_THE_END:
                    break
                if not fault.is_failure:
                    raise
                found += self._read_parts(part, smaller, fault)
                continue
            found += records
            if len(records) < smaller:
                break
        return found

    def _ask(self, number: int, size: int, *, patient: bool = True) -> SourceReply:
        query = {**self._query, "per_page": size}
        return self._connection.ask(self._path, query if number == 1 else {**query, "page": number}, patient=patient)

    def _find_id(self, position: int) -> int | str:
        """Return the id of the record at a position, which the site may know though it breaks on the rest of it."""
        query = {**self._query, "_fields": self._id_member, "per_page": 1, "page": position}
        try:
            records = [*_list_records(self._connection.ask(self._path, query, patient=False).value)]
        except ReadRefused:
            return 0
        return records[0].get(self._id_member, 0) if records else 0


def map_in_order(pool: ThreadPoolExecutor | None, ahead: int, read: Callable[[T], R], values: Any) -> Iterator[R]:
    """Give what a function returns for each value, in their order; some of them run at once.

    pool: where they run; None for here. ahead: how many are begun before the first is given.
    """
    if pool is None:
        yield from map(read, values)
        return
    running: deque[Future[R]] = deque()
    try:
        for value in values:
            running.append(pool.submit(read, value))
            if len(running) > ahead:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()


def _list_records(value: Any) -> Iterator[dict[str, Any]]:
    """Give the records of an answer; some lists are objects by id."""
    yield from (one for one in (value.values() if isinstance(value, dict) else value or ()) if isinstance(one, dict))
