"""Requests and responses as values, shared by both senders.

An `Ask` is a call together with how its response is read. The senders: client/transports.py. The calls:
client/request_builders.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import time
from typing import Any, Generic, TypeVar

from .errors import NotUnderstood, refusal

__all__ = ["Ask", "Call", "Reply", "Upload", "read_value"]

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Upload:
    """A file to upload: its name, its type, and its content or path.

    raw: sent as the whole body, otherwise as a part of a form, beside other fields.
    """

    name: str
    type: str
    content: bytes | Path
    raw: bool = False


@dataclass(frozen=True)
class Call:
    """One request in neutral names. path: below the API root. body: JSON value, None for no body."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    upload: Upload | None = None

    @property
    def safe(self) -> bool:
        """Whether the request can safely be sent twice."""
        return self.method in ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Reply:
    """One response. headers: by their names in lower case. content: its bytes."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def value(self) -> Any:
        """Return the decoded body, None if empty. Raises NotUnderstood."""
        if not self.content:
            return None
        try:
            return json.loads(self.content)
        except ValueError:
            kind = self.headers.get("content-type", "no type")
            raise NotUnderstood(
                f"the answer {self.status} is no JSON but {kind}; is this the site's address?"
            ) from None

    @property
    def retry_after(self) -> float | None:
        """The seconds to wait in the response, None if it has none."""
        value = self.headers.get("retry-after", "").strip()
        if value.isdecimal():
            return float(value)
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time()) if value else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Ask(Generic[T]):
    """A call, and how its response is read. Reading raises ApiError, NotUnderstood."""

    call: Call
    read: Callable[[Reply], T]

    def then(self, step: Callable[[T], U]) -> Ask[U]:
        """Return the same call, with `step` applied to its result."""
        return Ask(self.call, lambda reply: step(self.read(reply)))

    def on(self, path: str) -> Ask[T]:
        """Return the same call for another path."""
        return replace(self, call=replace(self.call, path=path))


def read_value(reply: Reply) -> Any:
    """Return the JSON of a response. Raises ApiError for an error response, NotUnderstood if it is not JSON."""
    if 300 <= reply.status < 400:
        where = reply.headers.get("location", "nowhere")
        raise NotUnderstood(f"the answer {reply.status} leads to {where}; give the client that address")
    if reply.status >= 400:
        try:
            body = reply.value
        except NotUnderstood:
            body = None
        raise refusal(reply.status, body, reply.retry_after)
    return reply.value
