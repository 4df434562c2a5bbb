"""Lists: one page, all records, or an iteration that fetches pages as needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Generic, TypeVar

from vetrina.client.request_builders import Page, Pages
from vetrina.client.transports import AsyncSender, Sender

from .errors import ApiError

__all__ = ["AsyncListing", "Listing"]

T = TypeVar("T")


class Listing(Generic[T]):
    """A list; iterating yields its records."""

    def __init__(self, sender: Sender, pages: Pages[T]) -> None:
        self._sender, self._pages = sender, pages

    def page(self, number: int = 1) -> Page[T]:
        """Return one page, with the totals of the list."""
        return self._sender.send(self._pages.ask(number))

    def all(self) -> list[T]:
        """Return every record."""
        return list(self)

    def __iter__(self) -> Iterator[T]:
        number, last = 1, 1
        while number <= last:
            try:
                page = self.page(number)
            except ApiError as error:
                if self._pages.beyond(error, number):
                    return
                raise
            yield from page.items
            number, last = number + 1, page.pages


class AsyncListing(Generic[T]):
    """A list; iterating with `async for` yields its records."""

    def __init__(self, sender: AsyncSender, pages: Pages[T]) -> None:
        self._sender, self._pages = sender, pages

    async def page(self, number: int = 1) -> Page[T]:
        """Return one page, with the totals of the list."""
        return await self._sender.send(self._pages.ask(number))

    async def all(self) -> list[T]:
        """Return every record."""
        return [record async for record in self]

    async def __aiter__(self) -> AsyncIterator[T]:
        number, last = 1, 1
        while number <= last:
            try:
                page = await self.page(number)
            except ApiError as error:
                if self._pages.beyond(error, number):
                    return
                raise
            for record in page.items:
                yield record
            number, last = number + 1, page.pages
