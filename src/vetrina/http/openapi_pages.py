"""What the site says of its interface outside its roots: the OpenAPI documents, and a page to read and try them.

    /openapi.json            every route; `?dialect=` chooses the names
    /openapi/NAMESPACE.json  one namespace
    /docs                    the explorer, which works without any other server

Each is built on first use and cached as bytes. The content of the document: rest/openapi.py.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

import orjson

from vetrina.http.body_decoding import BodyIncomplete, InvalidJson, RequestTooLarge
from vetrina.http.page_responses import PageHandler
from vetrina.http.rate_limiter import RateLimitExceeded
from vetrina.http.request_reader import TargetTooLong
from vetrina.http.responses import InvalidCallback
from vetrina.rest.call import Request, Response
from vetrina.rest.openapi import NEUTRAL_NAMING, Naming, SiteDescription, build_openapi_document
from vetrina.rest.route_descriptions import RouteIndex

# What a request may be refused with before its route or its caller is known.
COMMON_REFUSALS: Final = (
    InvalidJson,
    BodyIncomplete,
    RequestTooLarge,
    TargetTooLong,
    InvalidCallback,
    RateLimitExceeded,
)

_DOCUMENT_PATH: Final = "/openapi.json"
_JSON_TYPE: Final = "application/json; charset=UTF-8"
_EXPLORER_FOLDER: Final = Path(__file__).parent / "explorer"
# Public: tools on other origins display the document.
_PUBLIC_HEADERS: Final = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache", "X-Robots-Tag": "noindex"}


class OpenApiPages:
    """The documents of a site, in front of its pages.

    descriptions: by dialect, the description of the site besides its routes; the first is the default.
    namings: the names of each dialect that is not neutral. next_handler: the handler of every other URL.
    base_path: the path that the site lives under, empty at the root of its host.
    """

    def __init__(
        self,
        index: RouteIndex,
        descriptions: Mapping[str, SiteDescription],
        namings: Mapping[str, Naming],
        next_handler: PageHandler,
        base_path: str = "",
    ) -> None:
        self._base_path = base_path
        self._index, self._descriptions, self._namings, self._next_handler = (
            index,
            dict(descriptions),
            dict(namings),
            next_handler,
        )
        self._cached_responses: dict[tuple[str, str], Response] = {}

    def is_slow(self, request: Request) -> bool:
        """Return whether a request may wait: building a document takes as long as a hundred responses."""
        name = self._find_document(request.path)
        return (
            self._next_handler.is_slow(request)
            if name is None
            else (name, self._get_dialect(request)) not in self._cached_responses
        )

    def answer(self, request: Request) -> Response:
        """Answer a request; its path is the full one."""
        name = self._find_document(request.path)
        if name is None:
            return self._next_handler.answer(request)
        if request.method not in ("GET", "HEAD"):
            text = b"This address is only read.\n"
            return Response(405, None, {"Allow": "GET, HEAD"}, [], ("text/plain; charset=UTF-8", text), failed=True)
        dialect = self._get_dialect(request)
        response = self._cached_responses.get((name, dialect))
        if response is None:
            response = self._cached_responses[name, dialect] = (
                self._build_explorer() if name == "/docs" else self._build_document(name, dialect)
            )
        return response

    def _get_dialect(self, request: Request) -> str:
        wanted = request.query.get("dialect")
        return wanted if isinstance(wanted, str) and wanted in self._descriptions else next(iter(self._descriptions))

    def _find_document(self, path: str) -> str | None:
        """Return which document a path names: the explorer, every route (empty text), a namespace; None for none."""
        if path in ("/docs", "/docs/"):
            return "/docs"
        if path == _DOCUMENT_PATH:
            return ""
        if path.startswith("/openapi/") and path.endswith(".json"):
            return self._build_namespace_names().get(path[len("/openapi/") : -len(".json")])
        return None

    def _build_namespace_names(self) -> dict[str, str]:
        """Return the namespaces by each of their names."""
        spoken = [naming.word for naming in self._namings.values()]
        return {word(space): space for word in (NEUTRAL_NAMING.word, *spoken) for space in self._index.namespaces}

    def _build_document(self, namespace: str, dialect: str) -> Response:
        naming = self._namings.get(dialect, NEUTRAL_NAMING)
        found = build_openapi_document(self._index, self._descriptions[dialect], naming, namespace or None)
        return _build_page_response(_JSON_TYPE, orjson.dumps(found), _PUBLIC_HEADERS)

    def _build_explorer(self) -> Response:
        html, style, script = (
            (_EXPLORER_FOLDER / f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
        )
        script = script.replace(_DOCUMENT_PATH, self._base_path + _DOCUMENT_PATH)
        html = html.replace(_DOCUMENT_PATH, self._base_path + _DOCUMENT_PATH)
        options = "".join(f"<option>{escape(name)}</option>" for name in self._descriptions)
        for place, text in (("{style}", style), ("{dialects}", options), ("{script}", script)):
            html = html.replace(place, text)
        policy = (
            f"default-src 'none'; style-src {_hash_source(style)}; script-src {_hash_source(script)}; "
            "connect-src 'self'; "
            "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        )
        headers = {"Content-Security-Policy": policy, "Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}
        return _build_page_response("text/html; charset=UTF-8", html.encode(), headers)


def _build_page_response(kind: str, content: bytes, headers: dict[str, Any]) -> Response:
    return Response(200, None, dict(headers), [], (kind, content), kinds=frozenset())


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
