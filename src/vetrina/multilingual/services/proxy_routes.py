"""The proxy of the editor's pages to its service: forwards a request, and returns the response unchanged.

Only URLs beneath those of the remote editor and its accounts are forwarded; any other is answered with 400 and no body.
Rules: docs/rules/translation_services.md, 14.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlencode, urlsplit, urlunsplit

import orjson

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.multilingual.permissions import TranslationForbidden, require_manager_permission
from vetrina.multilingual.services import remote as service_remote
from vetrina.multilingual.services.remote import ForwardedResponse, TranslationServiceFailed
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.rest.call import Result
from vetrina.rest.response_fields import Free
from vetrina.rest.route import Route

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_NEEDED: Final = ("url", "method", "headers")
# Headers of the connection, and those that would speak for this server or for the caller's account here.
_DROPPED_HEADERS: Final = frozenset(
    ("host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive", "cookie",
     "proxy-authorization", "proxy-connection", "accept-encoding", "expect", "content-type", "x-cms-nonce")
)  # fmt: skip
_REFUSED: Final = object()


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the proxy."""
    return (
        Route(
            _METHODS, "/mlang/ate/v1/ate/proxy", _return_response, {}, require_manager_permission, slow=True, read=True,
            prepare=_prepare_forwarding, errors=(TranslationForbidden, TranslationServiceFailed), kinds=("*/*",),
            answers=Free("What the service answers, as it is.", of=()),
        ),
    )  # fmt: skip


@contextmanager
def _prepare_forwarding(call: Call) -> Iterator[Any]:
    yield _forward_call(call)


def _forward_call(call: Call) -> Any:
    """Return the service's response, or the marker of a refused request. Raises TranslationServiceFailed."""
    raw, site = call.raw, call.work.site
    url, method, headers = (raw.get(name) for name in _NEEDED)
    if not isinstance(url, str) or not isinstance(method, str) or not isinstance(headers, (dict, list)):
        return _REFUSED
    asked_by = "GET" if call.request.method == "HEAD" else call.request.method
    if method.upper() != asked_by or not service_remote.is_forwarded_address(site, url):
        return _REFUSED
    kind = raw.get("content_type")
    kind = kind if isinstance(kind, str) and kind else "application/json"
    content = b"" if method.upper() == "GET" else _encode_content(raw.get("body"), kind)
    sent = {**_filter_headers(headers), **({"Content-Type": kind} if content else {})}
    try:
        return service_remote.forward_request(site, method.upper(), _append_query(url, raw.get("query")), content, sent)
    except TranslationServiceError as error:
        raise TranslationServiceFailed(error) from error


def _return_response(call: Call) -> Result:
    """Forward a request to the translation service, and return its response."""
    found = call.prepared
    if not isinstance(found, ForwardedResponse):
        return Result(None, status=400, raw_content=("text/plain; charset=UTF-8", b""))
    # A page of the service must not run with this site's origin.
    headers = {"Content-Security-Policy": "sandbox", "Cache-Control": "no-store"}
    return Result(None, status=found.status, headers=headers, raw_content=(found.kind, found.body))


def _filter_headers(headers: Mapping[str, Any] | list[Any]) -> dict[str, str]:
    pairs = headers.items() if isinstance(headers, dict) else ()
    return {
        name: value for name, value in pairs
        if isinstance(name, str) and isinstance(value, str) and name.lower() not in _DROPPED_HEADERS
    }  # fmt: skip


def _encode_content(body: Any, kind: str) -> bytes:
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode(errors="replace")
    if "x-www-form-urlencoded" in kind and isinstance(body, dict):
        return urlencode({name: str(value) for name, value in body.items()}).encode()
    return orjson.dumps(body)


def _append_query(url: str, query: Any) -> str:
    if not isinstance(query, dict) or not query:
        return url
    parts = urlsplit(url)
    more = urlencode(
        {name: value if isinstance(value, list) else str(value) for name, value in query.items()}, doseq=True
    )
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, more)))))
