"""The records of a list, a page after the other and several pages at once, in the order of their ids.

Records that are added meanwhile come at the end. Where the site breaks on a page, it is read in smaller ones, until
the record is found that it breaks on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeGuard, TypeVar

from vetrina.transfer.sources.address.connection import ReadRefused, SiteConnection, SourceReply

PAGE_SIZE: Final = 100
_MOST_FRUITLESS_PAGES: Final = 20  # one after another, of records that the site hides or breaks on
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
            yield from self._list_records(self._connection.ask(self._path, self._query).value, 1)
            return
        first, records = self._read_page(1)
        yield from records
        pages = first.pages if first is not None and first.pages is not None else 1
        fruitless = 0
        for _, further in map_in_order(pool, self._connection.parallel, self._read_page, range(2, pages + 1)):
            _check_difference(records, further)
            records = further
            yield from records
            fruitless = 0 if any(isinstance(one, dict) for one in records) else fruitless + 1
            if fruitless == _MOST_FRUITLESS_PAGES:
                raise ReadRefused(0, "", f"{fruitless} pages in a row have no record that can be read")
        # What was added meanwhile, or all of it where the site doesn't say how many pages there are; a page past the
        # end is refused or empty.
        number = max(pages, 1) + 1
        while pages and len(records) == PAGE_SIZE and any(isinstance(one, dict) for one in records):
            _, further = self._read_page(number)
            _check_difference(records, further)
            records = further
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
            records = [*self._list_records(reply.value, (number - 1) * PAGE_SIZE + 1)]
        except ReadRefused as error:
            if number > 1 and error.status == _PAST_THE_END:
                return None, []
            if not error.is_failure:
                raise
            return None, self._read_parts(number, PAGE_SIZE, error)
        return reply, records

    def _read_parts(self, number: int, size: int, error: ReadRefused) -> list[dict[str, Any] | UnreadRecord]:
        """Return the records of a page that the site broke on, read in smaller ones."""
        smaller = _SMALLER.get(size)
        if smaller is None:
            return [UnreadRecord(self._find_id(number), number, str(error))]
        found: list[dict[str, Any] | UnreadRecord] = []
        parts = size // smaller
        for part in range((number - 1) * parts + 1, number * parts + 1):
            try:
                value = self._ask(part, smaller, patient=False).value
                records = [*self._list_records(value, (part - 1) * smaller + 1)]
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
            records = list_objects(self._connection.ask(self._path, query, patient=False).value)
        except ReadRefused:
            return 0
        id = records[0].get(self._id_member) if records else None
        return id if is_id(id) else 0

    def _list_records(self, value: Any, position: int) -> Iterator[dict[str, Any] | UnreadRecord]:
        """Give the records of an answer; some lists are objects by id. position: of the first. Raises ReadRefused."""
        if not isinstance(value, list | dict):
            raise ReadRefused(0, "", "the answer is no list")
        for at, one in enumerate(value.values() if isinstance(value, dict) else value, position):
            if not isinstance(one, dict):
                yield UnreadRecord(0, at, "it is no object")
            elif not is_id(one.get(self._id_member)):
                yield UnreadRecord(0, at, f"it has no {self._id_member}")
            else:
                yield one


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


def _check_difference(before: list[dict[str, Any] | UnreadRecord], page: list[dict[str, Any] | UnreadRecord]) -> None:
    """Raise ReadRefused where the site answers a page with the records of the one before: that would go on for ever."""
    if page == before and any(isinstance(one, dict) for one in page):
        raise ReadRefused(0, "", "the site gives the same records on every page")


def list_objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, or of an object by id; a site may answer with anything else, too."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for one in items if isinstance(one, dict)]


def is_id(value: Any) -> TypeGuard[int | str]:
    """Return whether a value names a record."""
    return isinstance(value, int | str) and not isinstance(value, bool) and value != ""
