"""What the site says of its interface outside its roots: the OpenAPI documents, and a page to read and try them.

    /openapi.json            every route; `?dialect=` chooses the names
    /openapi/NAMESPACE.json  one namespace
    /docs                    the explorer, which works without any other server

Each is made when it is first asked for and kept as bytes. Not here: what the document says (rest/openapi.py).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

import orjson

from vetrina.http.bodies import BodyIncomplete, InvalidJson, TooLarge
from vetrina.http.page_responses import Pages
from vetrina.http.rate_limiter import TooManyRequests
from vetrina.http.request_reader import TargetTooLong
from vetrina.http.responses import InvalidCallback
from vetrina.rest.call import Answer, Request
from vetrina.rest.index import Index
from vetrina.rest.openapi import NEUTRAL, Described, Speech, document

__all__ = ["REFUSALS", "Papers"]

# What a request may be refused with before anybody asks for its route or its caller.
REFUSALS: Final = (InvalidJson, BodyIncomplete, TooLarge, TargetTooLong, InvalidCallback, TooManyRequests)

_JSON: Final = "application/json; charset=UTF-8"
_EXPLORER: Final = Path(__file__).parent / "explorer"
# Anybody may read the document: tools on other origins show it.
_OPEN: Final = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache", "X-Robots-Tag": "noindex"}


class Papers:
    """The documents of a site, in front of its pages.

    said: by dialect, what is said of the site besides its routes; the first is what nobody chooses.
    speeches: the names of each dialect that is not neutral. then: who answers every other address.
    """

    def __init__(
        self, index: Index, said: Mapping[str, Described], speeches: Mapping[str, Speech], then: Pages
    ) -> None:
        self._index, self._said, self._speeches, self._then = index, dict(said), dict(speeches), then
        self._kept: dict[tuple[str, str], Answer] = {}

    def slow(self, request: Request) -> bool:
        """Say whether a request may wait: a document that is made first takes as long as a hundred answers."""
        name = self._named(request.path)
        return self._then.slow(request) if name is None else (name, self._dialect(request)) not in self._kept

    def answer(self, request: Request) -> Answer:
        """Answer a request; its path is the whole one."""
        name = self._named(request.path)
        if name is None:
            return self._then.answer(request)
        if request.method not in ("GET", "HEAD"):
            text = b"This address is only read.\n"
            return Answer(405, None, {"Allow": "GET, HEAD"}, [], ("text/plain; charset=UTF-8", text), failed=True)
        dialect = self._dialect(request)
        kept = self._kept.get((name, dialect))
        if kept is None:
            kept = self._kept[name, dialect] = self._page() if name == "/docs" else self._document(name, dialect)
        return kept

    def _dialect(self, request: Request) -> str:
        asked = request.query.get("dialect")
        return asked if isinstance(asked, str) and asked in self._said else next(iter(self._said))

    def _named(self, path: str) -> str | None:
        """Return what a path asks for: the explorer, every route (an empty text), a namespace; None for nothing."""
        if path in ("/docs", "/docs/"):
            return "/docs"
        if path == "/openapi.json":
            return ""
        if path.startswith("/openapi/") and path.endswith(".json"):
            return self._spaces().get(path[len("/openapi/") : -len(".json")])
        return None

    def _spaces(self) -> dict[str, str]:
        """Return the namespaces by every name that they have."""
        spoken = [speech.word for speech in self._speeches.values()]
        return {word(space): space for word in (NEUTRAL.word, *spoken) for space in self._index.namespaces}

    def _document(self, namespace: str, dialect: str) -> Answer:
        speech = self._speeches.get(dialect, NEUTRAL)
        found = document(self._index, self._said[dialect], speech, namespace or None)
        return _page(_JSON, orjson.dumps(found), _OPEN)

    def _page(self) -> Answer:
        html, style, script = (
            (_EXPLORER / f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
        )
        options = "".join(f"<option>{escape(name)}</option>" for name in self._said)
        for place, text in (("{style}", style), ("{dialects}", options), ("{script}", script)):
            html = html.replace(place, text)
        policy = (
            f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; connect-src 'self'; "
            "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        )
        headers = {"Content-Security-Policy": policy, "Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}
        return _page("text/html; charset=UTF-8", html.encode(), headers)


def _page(kind: str, content: bytes, headers: dict[str, Any]) -> Answer:
    return Answer(200, None, dict(headers), [], (kind, content), kinds=frozenset())


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
