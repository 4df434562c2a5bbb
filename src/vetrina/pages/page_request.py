"""One request of a public page, and what its parts learn while it is made.

Not here: what stands around the main content (pages/page_frame.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

from vetrina.access.sessions.model import BrowserSession
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY, User
from vetrina.kernel.tags import strip_tags
from vetrina.pages.page_context import PageContext
from vetrina.pages.page_texts import get_phrases
from vetrina.rest.call import Request

if TYPE_CHECKING:
    from vetrina.pages.forms import RefusedForm


@dataclass(slots=True)
class PageState:
    """What is found while a page is rendered.

    cookies: headers that set them. scripts: the names of those that it loads. personal: whether it is for this visitor
    alone. form_key: what the nonces of its forms belong to, empty for none.
    """

    cookies: list[str] = field(default_factory=list)
    scripts: dict[str, None] = field(default_factory=dict)
    personal: bool = False
    form_key: str = ""


@dataclass(frozen=True)
class PageRequest:
    """One request of a public page.

    segments: of the URL, without the language. session: None for a visitor. refused: the form that was posted to it
    and refused. state: what is found while the page is rendered. notice: markup that says what has been done.
    comment_page: of the comments of its record, 0 for the first that readers see.
    """

    context: PageContext
    request: Request
    work: UnitOfWork
    session: BrowserSession | None
    segments: tuple[str, ...]
    refused: RefusedForm | None = None
    state: PageState = field(default_factory=PageState)
    notice: str = ""
    comment_page: int = 0

    @property
    def user(self) -> User:
        return self.session.user if self.session else NOBODY

    @property
    def language(self) -> str:
        return self.work.language

    @property
    def phrases(self) -> Mapping[str, str]:
        return get_phrases(self.work.language)

    def build_api_url(self, path: str) -> str:
        """Return the URL of a neutral path, under the first root of the interface."""
        return self.work.api(self.context.roots[0].path(path))

    @property
    def home(self) -> str:
        return f"{self.work.home()}/"


def strip_markup(html: str) -> str:
    """Return markup as text."""
    return unescape(strip_tags(html)).strip()


def get_record_title(record: Record) -> str:
    """Return a record's title as text; its id where it has none."""
    return strip_markup(record.title_html) or f"#{record.id}"
