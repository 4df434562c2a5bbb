"""Which pages there are, and the way from a request to one of them.

A page is a value: the methods that it answers, a pattern of its whole path, a function; the first that fits answers.
Not here: bytes and headers of HTTP (http/page_responses.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from vetrina.pages.admin_pages import administration
from vetrina.pages.authorise_page import authorise
from vetrina.pages.download_page import receipt, thanks
from vetrina.pages.lost_password_page import lost_password, new_password
from vetrina.pages.page_context import Desk, plainly
from vetrina.pages.public_pages import public, split
from vetrina.pages.sign_in_page import nonce, sign_in, sign_out
from vetrina.rest.call import Answer, Request

from .feeds import robots, site_map

__all__ = ["Page", "Pages"]

_READ: Final = ("GET", "HEAD")
_FORM: Final = ("GET", "HEAD", "POST")


def report_file(desk: Desk, request: Request) -> Answer:
    """Send the file of an export; loaded with the first request, since reports take long to load and few sites ask."""
    from vetrina.pages import report_download

    return report_download.report_file(desk, request)


def catalogue_file(desk: Desk, request: Request) -> Answer:
    """Send the catalogue as a file; loaded with the first request, as reports are."""
    from vetrina.pages import report_download

    return report_download.catalogue_file(desk, request)


@dataclass(frozen=True)
class Page:
    """One page.

    path: a pattern of its whole path; `ADMIN` in it stands for the first segment of the site's own pages.
    answer: (desk, request) → answer. slow: the methods with which it may wait.
    own: whether it is in the reader's language, for its address names none.
    """

    methods: tuple[str, ...]
    path: str
    answer: Callable[[Desk, Request], Answer]
    slow: tuple[str, ...] = ()
    own: bool = False


PAGES: Final = (
    # Comparing a password takes long on purpose.
    Page(_FORM, r"/ADMIN/sign-in", sign_in, slow=("POST",), own=True),
    Page(_FORM, r"/ADMIN/sign-out", sign_out, own=True),
    Page(_FORM, r"/ADMIN/lost-password", lost_password, own=True),
    Page(_FORM, r"/ADMIN/new-password", new_password, slow=("POST",), own=True),
    Page(_FORM, r"/ADMIN/authorize-application\.php", authorise, own=True),
    Page(_READ, r"/ADMIN/nonce", nonce),
    Page(_READ, r"/ADMIN/", report_file),
    Page(_READ, r"/ADMIN/(?:admin|post|edit|site-editor)\.php", administration, own=True),
    Page(_READ, r"/robots\.txt", robots),
    Page(_READ, r"/sitemap(?:-[\w-]+)?\.xml", site_map, slow=_READ),
    Page(_READ, r"/shop/catalogue/[a-z0-9]{32}\.json", catalogue_file, slow=_READ),
    Page(_READ, r"/shop/receipt/[\w-]+/?", receipt),
    Page(_READ, r"(?:/[\w-]+)?/checkout/[^/]+/[0-9]+/?", thanks),
    Page(_FORM, r"(?s:.*)", public, slow=("POST",)),
)


class Pages:
    """The pages of a site. admin: the first segments under which its own pages are, the neutral one first."""

    def __init__(self, desk: Desk, admin: Iterable[str] = ("admin",)) -> None:
        self._desk = desk
        own = "|".join(map(re.escape, admin))
        self._pages = [(re.compile(page.path.replace("ADMIN", f"(?:{own})"), re.ASCII), page) for page in PAGES]

    def slow(self, request: Request) -> bool:
        """Say whether a request may wait."""
        return request.method in self._page(request.path).slow

    def answer(self, request: Request) -> Answer:
        """Answer a request; its path is the whole one."""
        profile = self._desk.frame.profile
        request.language, _ = split(request.path, profile.languages, profile.default_language)
        request.root = f"{request.origin}/{request.language}/{self._desk.roots[0].prefix}"
        page = self._page(request.path)
        if page.own:
            request.language = _preferred(request, profile.languages) or request.language
        if request.method not in page.methods:
            return plainly(405, "", {"Allow": ", ".join(page.methods)})
        return page.answer(self._desk, request)

    def _page(self, path: str) -> Page:
        return next(page for pattern, page in self._pages if pattern.fullmatch(path))


def _preferred(request: Request, languages: tuple[str, ...]) -> str:
    """Return the first of the reader's languages that the site has; browsers send them in their order."""
    for part in request.headers.get("accept-language", "").split(",")[:20]:
        code = part.partition(";")[0].strip().lower()
        if found := next((one for one in (code, code.partition("-")[0]) if one in languages), None):
            return found
    return ""
