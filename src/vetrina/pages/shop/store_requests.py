"""Requests of a shop's pages to the visitors' interface, for the cart and as the caller of the page.

What a page shows of a cart and what its forms do to it are answers of the routes under `/shop/store/v1`, so that a
page and a front end of its own see the same and obey the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from vetrina.pages.forms import SubmittedForm
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.rest.call import Request, Response
from vetrina.shop.cart import tokens

_NAMESPACE: Final = "/shop/store/v1"
_FORWARDED: Final = ("cookie", "user-agent", "accept-language")


@dataclass(frozen=True)
class StoreAnswer:
    """An answer of the visitors' interface. cookies: headers that set them, for the response of the page."""

    status: int
    body: Any
    cookies: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.status >= 400

    @property
    def code(self) -> str:
        """Return the code of an error, empty for none."""
        return str(self.body.get("code", "")) if self.failed and isinstance(self.body, dict) else ""

    @property
    def message(self) -> str:
        """Return the sentence of an error as text, empty for none."""
        return strip_markup(str(self.body.get("message", ""))) if self.failed and isinstance(self.body, dict) else ""

    @property
    def fields(self) -> Mapping[str, str]:
        """Return what is wrong with each argument."""
        data = self.body.get("data") if self.failed and isinstance(self.body, dict) else None
        params = data.get("params") if isinstance(data, dict) else None
        return {name: strip_markup(str(text)) for name, text in params.items()} if isinstance(params, dict) else {}


def read_store(page: PageRequest, path: str, query: Mapping[str, Any] | None = None) -> StoreAnswer:
    """Return what the visitors' interface answers to this visitor; path: below its namespace.

    The page is for this visitor alone from then on. Raises WriteNeeded.
    """
    page.state.personal = True
    request = _build_request("GET", path, page.request, query=dict(query or {}), inner=True)
    request.root, request.language = page.work.root, page.work.language
    answer = page.context.call_route_within(request, page.work)
    found = _read_answer(answer)
    page.state.cookies += [one for one in found.cookies if one not in page.state.cookies]
    return found


def call_store(sent: SubmittedForm, method: str, path: str, body: Mapping[str, Any] | None = None) -> StoreAnswer:
    """Return what the visitors' interface answers to what a form asks for; the form has proved that it is ours."""
    request = _build_request(method, path, sent.request, json=dict(body or {}))
    nonce = tokens.compute_nonce(sent.site, sent.user.id, sent.site.clock.now())
    request.headers = {**request.headers, "nonce": nonce}
    return _read_answer(sent.context.call_route(request, sent.user))


def _build_request(method: str, path: str, of: Request, **given: Any) -> Request:
    headers = {name: of.headers[name] for name in _FORWARDED if name in of.headers}
    return Request(
        method, f"{_NAMESPACE}{path}", of.root, of.origin, of.language, headers=headers, remote=of.remote, **given
    )


def _read_answer(answer: Response) -> StoreAnswer:
    cookies: Iterable[str] = answer.headers.get("Set-Cookie") or ()
    return StoreAnswer(answer.status, answer.body, (cookies,) if isinstance(cookies, str) else tuple(cookies))
