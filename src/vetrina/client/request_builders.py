"""The calls of a collection, without sending them: both clients, and a batch, send the same.

`Asks` builds the calls of one path. Senders: client/transports.py. Collections: client/collection.py.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from .errors import ApiError
from .exchange import Ask, Call, Reply, Upload, read_value
from .names import Names

__all__ = ["Asks", "Context", "Embed", "Id", "Page", "Pages", "options"]

T = TypeVar("T")

Context = Literal["view", "embed", "edit"]
Embed = bool | Sequence[str]
Id = int | str


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list.

    total: records on all pages. pages: number of pages. number: of this one, from 1.
    """

    items: list[T]
    total: int
    pages: int
    number: int


def options(
    context: Context | None, fields: Sequence[str], embed: Embed, language: str | None, names: Names
) -> dict[str, Any]:
    """Return the parameters that every read has; unset ones are left out."""
    found: dict[str, Any] = {"context": context, names.language: language}
    if fields:
        found["_fields"] = fields if isinstance(fields, str) else ",".join(fields)
    if embed:
        found["_embed"] = "1" if embed is True else ",".join(embed)
    return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class Pages(Generic[T]):
    """A list whose pages are fetched by number.

    call: of the list, without its page. pick: returns the items of a response. window: records per page for lists that
    use `limit` and `offset` and return the total in the body; 0 for lists with pages.
    """

    call: Call
    names: Names
    pick: Callable[[Any], Sequence[T]]
    window: int = 0

    def ask(self, number: int) -> Ask[Page[T]]:
        """Return the call for a page; number: from 1."""
        # The first page is requested without its number: some lists have no pages, and no such parameter.
        query = {**self.call.query, "page": number} if number > 1 else self.call.query
        if self.window:
            query = {**self.call.query, "limit": self.window, "offset": self.window * (number - 1)}
        return Ask(Call(self.call.method, self.call.path, query), lambda reply: self._read(reply, number))

    def beyond(self, error: ApiError, number: int) -> bool:
        """Return whether an error means that the list became shorter than this page while it was read."""
        return number > 1 and error.status == 400 and "page_number" in error.code

    def _read(self, reply: Reply, number: int) -> Page[T]:
        value = read_value(reply)
        items = list(self.pick(value))
        if self.window:
            total = int(value["total"])
            return Page(items, total, -(-total // self.window), number)
        total = int(reply.headers.get(self.names.total.lower(), len(items)))
        pages = int(reply.headers.get(self.names.pages.lower(), 1))
        return Page(items, total, pages, number)


def _records(value: Any) -> Sequence[Any]:
    """Return the records of a list; some responses are keyed objects."""
    return list(value.values()) if isinstance(value, dict) else value


def _gone(value: Any) -> Any:
    """Return the deleted record: content wraps it beside `deleted`, the shop returns it alone."""
    return value["previous"] if isinstance(value, dict) and "previous" in value and "deleted" in value else value


@dataclass(frozen=True)
class Asks(Generic[T]):
    """The calls of one collection.

    path: of the collection, in neutral names. names: of the dialect. force: the parameter to delete a record rather
    than move it to the trash.
    """

    path: str
    names: Names
    force: Mapping[str, Any] = field(default_factory=lambda: {"force": True})

    def at(self, id: Id, *below: str) -> str:
        """Return the path of a record, or of something below it."""
        return "/".join((self.path, str(id), *below))

    def pages(self, query: Mapping[str, Any], pick: Callable[[Any], Sequence[T]] = _records) -> Pages[T]:
        """Return the list. Raises ValueError for one with a start offset."""
        if "page" in query:
            raise ValueError(f"a list is read from its start; ask for a page by list(…).page({query['page']})")
        return Pages(Call("GET", self.path, query), self.names, pick)

    def get(self, id: Id, query: Mapping[str, Any]) -> Ask[T]:
        """Return the call that reads a record."""
        return self._asked("GET", self.at(id), query=query)

    def create(self, values: Mapping[str, Any]) -> Ask[T]:
        """Return the call that creates a record."""
        return self._asked("POST", self.path, body=values)

    def update(self, id: Id, values: Mapping[str, Any]) -> Ask[T]:
        """Return the call that updates a record."""
        return self._asked("PUT", self.at(id), body=values)

    def trash(self, id: Id) -> Ask[T]:
        """Return the call that moves a record to the trash."""
        return self._asked("DELETE", self.at(id))

    def delete(self, id: Id, query: Mapping[str, Any]) -> Ask[T]:
        """Return the call that deletes a record, and returns its last state."""
        return self._asked("DELETE", self.at(id), query={**self.force, **query}).then(_gone)

    def many(self, values: Mapping[str, Sequence[Any]]) -> Ask[dict[str, list[Any]]]:
        """Return the call that creates, updates and deletes records of the shop at once."""
        call = Call("POST", f"{self.path}/batch", body={name: list(some) for name, some in values.items() if some})
        return Ask(call, read_value)

    def upload(
        self, content: bytes | str | Path, name: str, type: str, raw: bool, members: Mapping[str, Any]
    ) -> Ask[T]:
        """Return the call that uploads a file. Raises ValueError for content without a name."""
        content = Path(content) if isinstance(content, str) else content
        name = name or (content.name if isinstance(content, Path) else "")
        if not name:
            raise ValueError("say what the file is called: upload(content, name='harbour.jpg')")
        kind = type or mimetypes.guess_type(name)[0] or "application/octet-stream"
        call = Call("POST", self.path, upload=Upload(name, kind, content, raw))
        # If the body is the file itself, everything else goes into the query.
        where = {"query": members} if raw else {"body": members}
        return Ask(Call(call.method, call.path, upload=call.upload, **where), read_value)

    def _asked(self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> Ask[T]:
        return Ask(Call(method, path, query or {}, body), read_value)
