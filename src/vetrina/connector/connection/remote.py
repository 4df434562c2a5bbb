"""Calls to the service: signed, bounded, and each of their failures told by its code.

A call is made outside every transaction; what it needs is read before it, what it told is kept after it. Its answer may
say that the service knows the site under another address (connector/identity/rules.py keeps that).
Not here: where this server goes at all (backends/http_client.py). Rules: facts of the connector, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final
from urllib.parse import quote, urlencode

import orjson

from vetrina.backends.http_client import OutboundError, Reply
from vetrina.connector.connection import state as connection_state
from vetrina.connector.connection.introduction import VERSION
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import signing
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import random_letters

__all__ = ["Failed", "Open", "ask", "base", "post", "prepared", "refused"]

Open = Callable[[bool], AbstractContextManager[Work]]  # (read only) -> a unit of work of its own

_NONCE: Final = 10


class Failed(ApiError):
    """The service cannot be reached, or answered something that does not help; `code` says which."""

    status = 424
    code = "register_http_request_failed"
    message = "{reason}"

    def __init__(self, code: str, reason: str, status: int = 0) -> None:
        super().__init__(reason=reason or code, data={"number": status} if status else None)
        self.told = code

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.told}


def base(frame: Frame) -> str:
    """Return the address of the service, without a stroke at the end."""
    return frame.profile.connector.service_url.rstrip("/")


def post(
    frame: Frame, open: Open, path: str, body: Any = None, *, user: int | None = None, method: str = "POST",
    query: dict[str, Any] | None = None, unreachable: str = "register_http_request_failed",
) -> Reply:  # fmt: skip
    """Return what the service answers to a call.

    user: whose token signs: 0 for the site's own, an account's number; None for a call that is not signed.
    unreachable: the code of a service that cannot be asked. Raises Failed.
    """
    with open(True) as work:
        call = prepared(work, path, body, user=user, method=method, query=query, unreachable=unreachable)
    reply = call()
    _look(open, reply)
    return reply


def prepared(
    work: Work, path: str, body: Any = None, *, user: int | None = None, method: str = "POST",
    query: dict[str, Any] | None = None, unreachable: str = "register_http_request_failed",
) -> Callable[[], Reply]:  # fmt: skip
    """Return a call that needs no transaction any more. It raises Failed; so does this, where nobody can be asked."""
    frame = work.frame
    if connection_state.is_offline(frame):
        raise Failed(unreachable, "No service can be asked: the site's profile sets no connector.service_url.")
    value = body if user is None else signing.stringified(body)
    content = b"" if body is None else body if isinstance(body, bytes) else orjson.dumps(value)
    sent = {**identity.told(work), **(query or {})}
    token = (
        "" if user is None else connection_state.user_token(work, user) if user else connection_state.site_token(work)
    )
    now = work.now + int(connection_state.get(work, "time_diff", 0))
    url = f"{base(frame)}{path}?{urlencode(sent, quote_via=quote)}"
    headers = {"Accept": "application/json", **({"Content-Type": "application/json"} if content else {})}
    if user is not None:
        url = signing.signed_url(url, token, user, method, content, timestamp=now, nonce=random_letters(_NONCE))
        headers["Authorization"] = signing.authorization(url, VERSION)
    told = frame.profile.connector

    def call() -> Reply:
        try:
            outbound = frame.outbound.allowing(base(frame), seconds=told.seconds, most_bytes=told.answer_bytes)
            return outbound.ask(method, url, body=content, headers=headers)
        except OutboundError as error:
            raise Failed(unreachable, f"The service cannot be asked: {error}") from error

    return call


def ask(frame: Frame, open: Open, path: str, body: Any = None, **words: Any) -> dict[str, Any]:
    """Return the object that the service answers. Raises Failed."""
    return refused(post(frame, open, path, body, **words))


def refused(reply: Reply) -> dict[str, Any]:
    """Return the object of an answer. Raises Failed with the service's own code where it refused."""
    told = _json(reply)
    if reply.status >= 500:
        raise Failed(f"wpcom_5{'?' * 2}", f"The service answered {reply.status}.", reply.status)
    if reply.status == 408:
        raise Failed("wpcom_408", "The service gave up waiting for this site.", 408)
    if isinstance(told, dict) and told.get("error"):
        raise Failed(str(told["error"])[:100], str(told.get("error_description", ""))[:300], reply.status)
    if reply.status != 200 or not isinstance(told, dict):
        raise Failed("wpcom_bad_response", f"The service answered {reply.status} and nothing that helps.", reply.status)
    return told


def _json(reply: Reply) -> Any:
    try:
        return orjson.loads(reply.body)
    except orjson.JSONDecodeError:
        return None


def _look(open: Open, reply: Reply) -> None:
    """Keep what an answer says about the site's address."""
    told = _json(reply)
    if isinstance(told, dict) and ("idc_detected" in told or "migrated_for_idc" in told):
        with open(False) as work:
            identity.heard(work, told)
