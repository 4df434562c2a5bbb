"""Collections of records, for both clients and for batches.

What a method returns depends on the sender: a record, an awaitable, or a part of a batch; so each method is written
once. Calls: client/request_builders.py. Lists: client/listing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from vetrina.client.request_builders import Asks, Context, Embed, Id, options
from vetrina.client.transports import AsyncSender, Sender

from .exchange import Ask
from .listing import AsyncListing, Listing
from .records import Revision

__all__ = ["AsyncCollection", "Collection", "Writes"]

T = TypeVar("T")
A = TypeVar("A")

Values = Mapping[str, Any] | None


class Writes(Generic[T, A]):
    """The write methods of a collection. T: its records. A: what a method returns for one."""

    def __init__(self, asks: Asks[T], give: Callable[[Ask[T]], A]) -> None:
        self.asks, self._give = asks, give

    def create(self, values: Values = None, /, **members: Any) -> A:
        """Create a record and return it. Raises InvalidParameters."""
        return self._give(self.asks.create({**(values or {}), **members}))

    def update(self, id: Id, values: Values = None, /, **members: Any) -> A:
        """Update the given fields of a record and return it. Raises InvalidParameters, NotFound."""
        return self._give(self.asks.update(id, {**(values or {}), **members}))

    def trash(self, id: Id) -> A:
        """Move a record to the trash and return it. Raises NotFound."""
        return self._give(self.asks.trash(id))

    def delete(self, id: Id, **query: Any) -> A:
        """Delete a record for good and return its last state; query: for instance `reassign` of an account."""
        return self._give(self.asks.delete(id, query))


class _Records(Writes[T, A]):
    """The methods for one record at a time."""

    def get(
        self, id: Id, *, context: Context | None = None, fields: Sequence[str] = (), embed: Embed = False,
        language: str | None = None, **query: Any,
    ) -> A:  # fmt: skip
        """Return a record. Raises NotFound.

        fields: the fields wanted, as `title.rendered`. embed: linked records to include, all or by their relations.
        """
        return self._give(self.asks.get(id, self._told(context, fields, embed, language, query)))

    def upload(
        self, content: bytes | str | Path, name: str = "", *, type: str = "", raw: bool = False, **members: Any
    ) -> A:
        """Upload a file and return its record.

        content: its bytes, or its path. name, type: taken from the path by default. raw: the file is the whole body and
        is held in memory, otherwise it is streamed as a form. members: fields of the record, as its `title`.
        """
        return self._give(self.asks.upload(content, name, type, raw, members))

    def _told(
        self, context: Context | None, fields: Sequence[str], embed: Embed, language: str | None, query: dict[str, Any]
    ) -> dict[str, Any]:
        return {**options(context, fields, embed, language, self.asks.names), **query}


class Collection(_Records[T, T]):
    """The records at one path."""

    def __init__(self, sender: Sender, asks: Asks[T]) -> None:
        super().__init__(asks, sender.send)
        self._sender = sender

    def list(
        self, *, context: Context | None = None, fields: Sequence[str] = (), embed: Embed = False,
        language: str | None = None, **query: Any,
    ) -> Listing[T]:  # fmt: skip
        """Return a list, not fetched yet; query: its filters and `per_page`."""
        return Listing(self._sender, self.asks.pages(self._told(context, fields, embed, language, query)))

    def many(
        self, *, create: Sequence[Mapping[str, Any]] = (), update: Sequence[Mapping[str, Any]] = (),
        delete: Sequence[Id] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """Create, update and delete records of the shop in one request; each result may be an error of its own."""
        return self._sender.send(self.asks.many({"create": create, "update": update, "delete": delete}))

    def below(self, id: Id, *names: str) -> Collection[Any]:
        """Return the collection below a record, as the variations of a product."""
        return Collection(self._sender, Asks(self.asks.at(id, *names), self.asks.names))

    def revisions(self, id: Id) -> Collection[Revision]:
        """Return the revisions of a record."""
        return self.below(id, "revisions")

    def autosaves(self, id: Id) -> Collection[Revision]:
        """Return the autosaves of a record."""
        return self.below(id, "autosaves")


class AsyncCollection(_Records[T, Coroutine[Any, Any, T]]):
    """The records at one path, to be awaited."""

    def __init__(self, sender: AsyncSender, asks: Asks[T]) -> None:
        super().__init__(asks, sender.send)
        self._sender = sender

    def list(
        self, *, context: Context | None = None, fields: Sequence[str] = (), embed: Embed = False,
        language: str | None = None, **query: Any,
    ) -> AsyncListing[T]:  # fmt: skip
        """Return a list, not fetched yet; query: its filters and `per_page`."""
        return AsyncListing(self._sender, self.asks.pages(self._told(context, fields, embed, language, query)))

    async def many(
        self, *, create: Sequence[Mapping[str, Any]] = (), update: Sequence[Mapping[str, Any]] = (),
        delete: Sequence[Id] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """Create, update and delete records of the shop in one request; each result may be an error of its own."""
        return await self._sender.send(self.asks.many({"create": create, "update": update, "delete": delete}))

    def below(self, id: Id, *names: str) -> AsyncCollection[Any]:
        """Return the collection below a record, as the variations of a product."""
        return AsyncCollection(self._sender, Asks(self.asks.at(id, *names), self.asks.names))

    def revisions(self, id: Id) -> AsyncCollection[Revision]:
        """Return the revisions of a record."""
        return self.below(id, "revisions")

    def autosaves(self, id: Id) -> AsyncCollection[Revision]:
        """Return the autosaves of a record."""
        return self.below(id, "autosaves")
