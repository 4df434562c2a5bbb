"""The way of the editor's own pages to its service: a request is passed on, and the answer comes back as it is.

Only addresses beneath those of the remote editor and its accounts are asked. Whatever is refused is answered with 400
and no body. Rules: facts of the multilingual layer, `ate/proxy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlencode, urlsplit, urlunsplit

import orjson

from vetrina.core.unit_of_work import Frame
from vetrina.multilingual.permissions import Forbidden, managers_alone
from vetrina.multilingual.services import remote as service_remote
from vetrina.multilingual.services.remote import PassedOn, ServiceFailed
from vetrina.multilingual.services.service import ServiceError
from vetrina.rest.call import Call, Result
from vetrina.rest.response_fields import Free
from vetrina.rest.route import Route

__all__ = ["routes"]

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_NEEDED: Final = ("url", "method", "headers")
# What belongs to a connection, or would speak for this server or for the caller's account here.
_KEPT_BACK: Final = frozenset(
    ("host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive", "cookie",
     "proxy-authorization", "proxy-connection", "accept-encoding", "expect", "content-type", "x-cms-nonce")
)  # fmt: skip
_REFUSED: Final = object()


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the proxy."""
    return (
        Route(_METHODS, "/mlang/ate/v1/ate/proxy", _answer, {}, managers_alone, slow=True, read=True, prepare=_passing,
              errors=(Forbidden, ServiceFailed), kinds=("*/*",),
              answers=Free("What the service answers, as it is.", of=())),
    )  # fmt: skip


@contextmanager
def _passing(call: Call) -> Iterator[Any]:
    yield _passed(call)


def _passed(call: Call) -> Any:
    """Return the service's answer, or that the request is refused. Raises ServiceFailed."""
    raw, frame = call.raw, call.work.frame
    url, method, headers = (raw.get(name) for name in _NEEDED)
    if not isinstance(url, str) or not isinstance(method, str) or not isinstance(headers, (dict, list)):
        return _REFUSED
    asked_by = "GET" if call.request.method == "HEAD" else call.request.method
    if method.upper() != asked_by or not service_remote.is_passed_on(frame, url):
        return _REFUSED
    kind = raw.get("content_type")
    kind = kind if isinstance(kind, str) and kind else "application/json"
    content = b"" if method.upper() == "GET" else _content(raw.get("body"), kind)
    sent = {**_headers(headers), **({"Content-Type": kind} if content else {})}
    try:
        return service_remote.pass_on(frame, method.upper(), _with_query(url, raw.get("query")), content, sent)
    except ServiceError as error:
        raise ServiceFailed(error) from error


def _answer(call: Call) -> Result:
    """Pass a request on to the translation service, and its answer back."""
    found = call.prepared
    if not isinstance(found, PassedOn):
        return Result(None, status=400, bare=("text/plain; charset=UTF-8", b""))
    # What a service's own page says must not run as a page of this site.
    headers = {"Content-Security-Policy": "sandbox", "Cache-Control": "no-store"}
    return Result(None, status=found.status, headers=headers, bare=(found.kind, found.body))


def _headers(given: Mapping[str, Any] | list[Any]) -> dict[str, str]:
    pairs = given.items() if isinstance(given, dict) else ()
    return {
        name: value for name, value in pairs
        if isinstance(name, str) and isinstance(value, str) and name.lower() not in _KEPT_BACK
    }  # fmt: skip


def _content(body: Any, kind: str) -> bytes:
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode(errors="replace")
    if "x-www-form-urlencoded" in kind and isinstance(body, dict):
        return urlencode({name: str(value) for name, value in body.items()}).encode()
    return orjson.dumps(body)


def _with_query(url: str, query: Any) -> str:
    if not isinstance(query, dict) or not query:
        return url
    parts = urlsplit(url)
    more = urlencode(
        {name: value if isinstance(value, list) else str(value) for name, value in query.items()}, doseq=True
    )
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, more)))))
