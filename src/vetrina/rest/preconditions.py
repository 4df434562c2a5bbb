"""Conditional writes: If-Match and If-Unmodified-Since (RFC 9110, 13.1).

Rules: docs/rules/global_parameters.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from hashlib import blake2b
from typing import Any, Final, Generic, TypeVar

import msgspec

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Call, Request
from vetrina.rest.route import READ

T = TypeVar("T")  # a record

_DIGEST_BYTES: Final = 8


class PreconditionFailed(ApiError):
    failure, code = Failure.PRECONDITION_FAILED, "rest_precondition_failed"
    message = "The record was changed since you read it; read it again and repeat your change."


@dataclass(frozen=True)
class WriteGuard(Generic[T]):
    """How writes to a record are held to the state that the client has read.

    compute_state: (record, view) -> the word that leads its entity tags; view: the one that serializes it, so that a
    read loads nothing twice. get_modified: (record) -> when it was changed, in seconds since 1970; None where that is
    not stored, and only tags guard. context: the one whose reads have the state, where it is made of what other reads
    do not show; empty for every one. in_links: whether records tell their state among their links as well, as rows
    of lists do that tell no time of a change; computing it asks the database nothing.
    """

    compute_state: Callable[[T, Any], str]
    get_modified: Callable[[T], int] | None = None
    context: str = ""
    in_links: bool = False

    def is_shown(self, call: Call[Any]) -> bool:
        """Return whether the answer to a call says in which state the record is."""
        # Writes, and what is read within another request, answer without an entity tag.
        shown = call.request.method in READ and not call.request.inner
        return shown and self._is_in_context(call)

    def is_linked(self, call: Call[Any]) -> bool:
        """Return whether records tell their state among their links."""
        return self.in_links and self._is_in_context(call)

    def _is_in_context(self, call: Call[Any]) -> bool:
        return self.context in ("", call.args.get("context"))

    def check(self, call: Call[Any], record: T, load_view: Callable[[], Any]) -> None:
        """Raise PreconditionFailed when a condition of a call does not hold for a record."""
        modified = 0 if self.get_modified is None else self.get_modified(record)
        check_request_preconditions(call.request, lambda: self.compute_state(record, load_view()), modified)


def build_state_word(id: int, *parts: object) -> str:
    """Return the word for the state of a record that counts no saves: its number, and a digest of what is stored."""
    digest = blake2b(msgspec.msgpack.encode(parts), digest_size=_DIGEST_BYTES).digest()
    return f"{id}-{int.from_bytes(digest)}"


def check_request_preconditions(request: Request, load_state: Callable[[], str], modified: int) -> None:
    """Raise PreconditionFailed when a condition of a request does not hold for a record.

    load_state: returns the word that leads the record's entity tags (`Result.state`); asked only where a condition
    needs it. modified: when the record was changed, in seconds since 1970.
    """
    wanted = request.headers.get("if-match")
    if wanted is not None:
        if wanted.strip() != "*":
            # The rest of a tag depends on the reader and the format; for a write only the state of the record matters.
            known = {tag.strip().removeprefix("W/").strip('"').partition(".")[0] for tag in wanted.split(",")}
            if load_state() not in known:
                raise PreconditionFailed
        return
    since = request.headers.get("if-unmodified-since")
    if since is None:
        return
    try:
        moment = parsedate_to_datetime(since)
    except (ValueError, OverflowError):
        return
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if modified > int(moment.timestamp()):
        raise PreconditionFailed
