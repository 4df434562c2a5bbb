"""Several writes in one request: collected in a block, sent at its end, each with a result of its own.

More than the site accepts at once are sent in several requests, one after the other. Rules: docs/rules/batches.md, 1
and 3.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlencode

from vetrina.client.transports import AsyncSender, Sender

from .collection import AsyncCollection, Collection, Writes
from .errors import BatchFailed, NotRun, VetrinaError
from .exchange import Ask, Call, Reply, read_value
from .names import Names
from .query import pairs

__all__ = ["AsyncBatch", "Batch", "Part", "limit_of"]

T = TypeVar("T")

PATH: Final = "/batch/v1"
_USUAL: Final = 25  # requests per batch, if a site does not state its limit


class Part(Generic[T]):
    """One write of a batch. error: why it was refused; None before the batch is sent, and if it succeeded."""

    def __init__(self, ask: Ask[T]) -> None:
        self.ask = ask
        self.error: VetrinaError | None = NotRun("the batch was not sent yet; leave its block first")
        self._value: T | None = None

    @property
    def value(self) -> T:
        """Return the result of the write. Raises the error of its refusal, NotRun."""
        if self.error is not None:
            raise self.error
        # None is a valid result, so it cannot mean that there is none.
        return self._value  # type: ignore[return-value]

    def settle(self, answer: Mapping[str, Any] | None) -> None:
        """Store the response to the part; None if it was not run because of another part."""
        if answer is None:
            self.error = NotRun("nothing was run, because another part of the batch cannot be valid")
            return
        headers = answer.get("headers")
        named = {str(name).lower(): str(value) for name, value in (headers or {}).items()}
        body = answer.get("body")
        try:
            self._value = self.ask.read(Reply(int(answer["status"]), named, json.dumps(body).encode()))
            self.error = None
        except VetrinaError as error:
            self.error = error


class _Collected:
    """The parts of a batch, and the requests that carry them.

    all_or_none: whether one invalid part keeps all others from running. keep_errors: whether refusals are only in the
    parts, without BatchFailed.
    """

    def __init__(self, names: Names, all_or_none: bool, keep_errors: bool) -> None:
        self.parts: list[Part[Any]] = []
        self._names, self._all_or_none, self._keep_errors = names, all_or_none, keep_errors

    def of(self, collection: Collection[T] | AsyncCollection[T]) -> Writes[T, Part[T]]:
        """Return the write methods of a collection, which add to this batch."""
        return Writes(collection.asks, self._put)

    def add(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, query: Mapping[str, Any] | None = None
    ) -> Part[Any]:
        """Add any write to the batch; path: in neutral names."""
        return self._put(Ask(Call(method.upper(), path, query or {}, body), read_value))

    def requests(self, limit: int) -> Iterator[Ask[None]]:
        """Yield the requests that carry the parts; each sets the results of its own. Raises ValueError."""
        if self._all_or_none and len(self.parts) > limit:
            raise ValueError(f"all or none of {len(self.parts)} parts: the site takes {limit} at once; send fewer")
        for at in range(0, len(self.parts), limit):
            yield self._request(self.parts[at : at + limit])

    def conclude(self) -> None:
        """Raise BatchFailed if parts were refused, unless `keep_errors` is set."""
        errors = [part.error for part in self.parts if part.error is not None]
        if errors and not self._keep_errors:
            raise BatchFailed(errors, len(self.parts))

    def _put(self, ask: Ask[T]) -> Part[T]:
        part = Part(ask)
        self.parts.append(part)
        return part

    def _request(self, parts: list[Part[Any]]) -> Ask[None]:
        validation = "require-all-validate" if self._all_or_none else "normal"
        body = {"validation": validation, "requests": [self._member(part.ask.call) for part in parts]}

        def settle(reply: Reply) -> None:
            for part, answer in zip(parts, read_value(reply)["responses"], strict=True):
                part.settle(answer)

        return Ask(Call("POST", PATH, body=body), settle)

    def _member(self, call: Call) -> dict[str, Any]:
        query = urlencode(pairs(call.query))
        path = self._names.path(call.path) + (f"?{query}" if query else "")
        member: dict[str, Any] = {"method": call.method, "path": path}
        return {**member, "body": call.body} if call.body is not None else member


class Batch(_Collected):
    """A batch that is sent at the end of its block; nothing is sent if the block raises."""

    def __init__(self, sender: Sender, limit: int, all_or_none: bool, keep_errors: bool) -> None:
        super().__init__(sender.site.names, all_or_none, keep_errors)
        self._sender, self._limit = sender, limit

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            for request in self.requests(self._limit):
                self._sender.send(request)
            self.conclude()


class AsyncBatch(_Collected):
    """A batch that is sent at the end of its block; nothing is sent if the block raises."""

    def __init__(self, sender: AsyncSender, limit: int, all_or_none: bool, keep_errors: bool) -> None:
        super().__init__(sender.site.names, all_or_none, keep_errors)
        self._sender, self._limit = sender, limit

    async def __aenter__(self) -> AsyncBatch:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            for request in self.requests(self._limit):
                await self._sender.send(request)
            self.conclude()


def limit_of() -> Ask[int]:
    """Return the call for the number of requests that the site accepts at once."""
    return Ask(Call("OPTIONS", PATH), lambda reply: _limit(read_value(reply)))


def _limit(options: Any) -> int:
    try:
        return int(options["endpoints"][0]["args"]["requests"]["maxItems"])
    except (LookupError, TypeError, ValueError):
        return _USUAL
