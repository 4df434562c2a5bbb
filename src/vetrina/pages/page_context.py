"""What every page works with: the site, the URL roots of the interface, and builders of responses.

Which pages there are: pages/page_table.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from vetrina.access.sessions.model import BrowserSession
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.pages.admin_build import AdminBuild
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_texts import get_phrases
from vetrina.rest.cache_tags import name_sources
from vetrina.rest.call import Request, Response

from .markup import join_markup, render_document, render_element, render_link

HTML_TYPE: Final = "text/html; charset=UTF-8"
_TEXT_TYPE: Final = "text/plain; charset=UTF-8"
_NO_STORE: Final = "no-store"


@dataclass(frozen=True)
class ApiRootLink:
    """An API root: the segment of its URL, and the link relation by which programs find it.

    path: a neutral path → the same in the root's dialect.
    """

    prefix: str
    relation: str
    path: Callable[[str], str] = str


@dataclass(frozen=True)
class PageContext:
    """The site as pages see it.

    open_work: (request, caller, whether it only reads) → a unit of work. session: of a request, None for none.
    setup_session: the same, of an account that lacks a required second factor, too; such a one has no other session.
    check_password: (request, login, password) → the account; raises what `authenticate_by_password` raises.
    start_session: (request, account) → the header that begins a session of somebody who has been proved.
    leave: (request, session) → the header that removes an ended session from the browser.
    roots: of the interface, in the order of the profile; there is at least one.
    embeds: whether other sites may ask how to embed a record. admin_build: the administration's front end.
    call_route: (request, caller) → the interface's answer, in transactions of its own.
    call_route_within: (request, unit of work) → the same inside an open one, as its caller.
    """

    site: SiteContext
    open_work: Callable[[Request, User, bool], AbstractContextManager[UnitOfWork]]
    session: Callable[[Request], BrowserSession | None]
    setup_session: Callable[[Request], BrowserSession | None]
    check_password: Callable[[Request, str, str], User]
    start_session: Callable[[Request, User], str]
    leave: Callable[[Request, BrowserSession], str]
    roots: tuple[ApiRootLink, ...]
    embeds: bool
    admin_build: AdminBuild
    call_route: Callable[[Request, User], Response]
    call_route_within: Callable[[Request, UnitOfWork], Response]


def build_bytes_response(
    status: int, kind: str, content: bytes, policies: str, *, headers: Mapping[str, Any] | None = None,
    links: Iterable[str] = (), made_in: UnitOfWork | None = None, cache: str = _NO_STORE,
) -> Response:  # fmt: skip
    """Return a response of bytes.

    policies: its Content-Security-Policy. made_in: the unit of work that knows what it was made from, None for one that
    is not cached.
    """
    answer = Response(status, None, {}, list(links), (kind, content), failed=status >= 400)
    if made_in is not None:
        name_sources(answer, made_in.kinds, made_in.items)
    cacheable = answer.kinds is not None
    named = {
        "Content-Security-Policy": policies,
        "Cache-Control": cache if cacheable else _NO_STORE,
        "Referrer-Policy": "strict-origin-when-cross-origin" if cacheable else "no-referrer",
        **(headers or {}),
    }
    if "frame-ancestors 'none'" in policies:
        named["X-Frame-Options"] = "DENY"
    answer.headers = named
    return answer


def build_own_page(
    request: Request, status: int, title: str, *parts: str, forms: str = "", headers: Mapping[str, Any] | None = None,
    head: Iterable[str] = (), scripts: str = "",
) -> Response:  # fmt: skip
    """Return one of the site's own pages, which is neither cached nor framed.

    forms, scripts: see `build_content_policy`. head: further elements of its head.
    """
    phrases = get_phrases(request.language)
    body = join_markup((
        render_link("#content", phrases["skip"], class_="skip"),
        render_element("main", render_element("h1", title), *parts, id="content", tabindex="-1"),
    ))  # fmt: skip
    head = [render_element("meta", name="robots", content="noindex"), *head]
    content = render_document(request.language, title, body, head)
    return build_bytes_response(
        status, HTML_TYPE, content, build_content_policy(forms=forms, scripts=scripts), headers=headers
    )


def build_text_response(status: int, text: str, headers: Mapping[str, Any] | None = None) -> Response:
    """Return a line of text for programs."""
    return build_bytes_response(status, _TEXT_TYPE, text.encode(), build_content_policy(), headers=headers)


def build_redirect(address: str, status: int = 303, cookies: Iterable[str] = ()) -> Response:
    """Return a redirect."""
    headers: dict[str, Any] = {"Location": address}
    if found := list(cookies):
        headers["Set-Cookie"] = found
    return build_bytes_response(status, _TEXT_TYPE, b"", build_content_policy(), headers=headers)


def sanitize_local_url(text: str) -> str:
    """Return a URL of this site as path and query; `/` for one that could lead elsewhere."""
    safe = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and text.isascii()
    return text if safe and "\\" not in text and len(text) <= 4000 else "/"


def get_text(values: Mapping[str, Any], name: str) -> str:
    """Return a text of a query or a form, empty for none."""
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""
