"""What every page works with: the site as it is handed in, a page's declaration, and the answers that pages give.

Not here: which pages there are (pages/page_table.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

from vetrina.access.sessions.rules import Session
from vetrina.access.users.model import User
from vetrina.core.unit_of_work import Frame, Work
from vetrina.pages.page_texts import words
from vetrina.pages.stylesheet import policy
from vetrina.rest.call import Answer, Request

from .markup import document, element, join, link

__all__ = ["HTML", "Desk", "Root", "bare", "inner", "moved", "own_address", "plainly", "text_of"]

HTML: Final = "text/html; charset=UTF-8"
_TEXT: Final = "text/plain; charset=UTF-8"
_NO_STORE: Final = "no-store"


@dataclass(frozen=True)
class Root:
    """A root of the interface: the segment of its address, and the relation by which programs look for it.

    path: a neutral path → the same in the names that are spoken there.
    """

    prefix: str
    relation: str
    path: Callable[[str], str] = str


@dataclass(frozen=True)
class Desk:
    """The site as pages see it.

    open_work: (request, caller, whether it only reads) → a unit of work. session: of a request, None for none.
    enter: (request, login, password) → the header that begins a session; raises what signin.by_password raises.
    leave: (request, session) → the header that takes an ended session from the browser.
    roots: of the interface, in the order of the profile; there is at least one.
    embeds: whether other sites may ask how to embed a record.
    """

    frame: Frame
    open_work: Callable[[Request, User, bool], AbstractContextManager[Work]]
    session: Callable[[Request], Session | None]
    enter: Callable[[Request, str, str], str]
    leave: Callable[[Request, Session], str]
    roots: tuple[Root, ...]
    embeds: bool = True


def bare(
    status: int, kind: str, content: bytes, policies: str, *, headers: Mapping[str, Any] | None = None,
    links: Iterable[str] = (), kinds: frozenset[str] | None = None, cache: str = _NO_STORE,
) -> Answer:  # fmt: skip
    """Return an answer of bytes.

    policies: its Content-Security-Policy. kinds: what it was made from, None for one that nobody keeps.
    """
    named = {
        "Content-Security-Policy": policies,
        "Cache-Control": cache if kinds is not None else _NO_STORE,
        "Referrer-Policy": "strict-origin-when-cross-origin" if kinds is not None else "no-referrer",
        **(headers or {}),
    }
    if "frame-ancestors 'none'" in policies:
        named["X-Frame-Options"] = "DENY"
    return Answer(status, None, named, list(links), (kind, content), failed=status >= 400, kinds=kinds)


def inner(
    request: Request, status: int, title: str, *parts: str, forms: str = "", headers: Mapping[str, Any] | None = None
) -> Answer:
    """Return one of the site's own pages, which nobody keeps and no other site frames; forms: see style.policy."""
    said = words(request.language)
    body = join((
        link("#content", said["skip"], class_="skip"),
        element("main", element("h1", title), *parts, id="content", tabindex="-1"),
    ))  # fmt: skip
    head = [element("meta", name="robots", content="noindex")]
    content = document(request.language, title, body, head)
    return bare(status, HTML, content, policy(forms=forms), headers=headers)


def plainly(status: int, text: str, headers: Mapping[str, Any] | None = None) -> Answer:
    """Return a line of text for programs."""
    return bare(status, _TEXT, text.encode(), policy(), headers=headers)


def moved(address: str, status: int = 303, cookies: Iterable[str] = ()) -> Answer:
    """Return an answer that leads elsewhere."""
    headers: dict[str, Any] = {"Location": address}
    if found := list(cookies):
        headers["Set-Cookie"] = found
    return bare(status, _TEXT, b"", policy(), headers=headers)


def own_address(text: str) -> str:
    """Return an address of this site as path and query; the home for what could lead elsewhere."""
    safe = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and text.isascii()
    return text if safe and "\\" not in text and len(text) <= 4000 else "/"


def text_of(values: Mapping[str, Any], name: str) -> str:
    """Return a text that a query or a form holds, empty for none."""
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""
