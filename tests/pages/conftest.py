"""A visitor with a browser's cookies, and forms filled in from the pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from conftest import ORIGIN, Stand, exchange
from vetrina.access.users import rules as users

PASSWORD = "a word that people keep"


class _Forms(HTMLParser):
    """The fields of every form of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        members = dict(attrs)
        if tag == "form":
            self.forms.append({})
        elif tag == "input" and self.forms:
            self.forms[-1][members.get("name") or ""] = members.get("value") or ""


@dataclass
class Page:
    """A page that a visitor got."""

    status: int
    pairs: list[tuple[str, str]]
    content: bytes
    text: str = field(init=False)
    headers: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.text = self.content.decode("utf-8", "replace")
        self.headers = dict(self.pairs)

    @property
    def form(self) -> dict[str, str]:
        """The fields of the first POST form; the search form is last on every page."""
        forms = _Forms()
        forms.feed(self.text)
        return forms.forms[0]

    @property
    def location(self) -> str:
        return self.headers["location"]


class Visitor:
    """A client with a browser's cookies."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, target: str, form: dict[str, str] | None = None, **headers: str) -> Page:
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = b""
        if form is not None:
            body = urlencode(form).encode()
            headers["content-type"] = "application/x-www-form-urlencoded"
        parts = urlsplit(target)
        address = parts.path + (f"?{parts.query}" if parts.query else "")
        page = Page(*exchange(self.stand.site, method, address, body, headers))
        for name, value in page.pairs:
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                word = rest.partition(";")[0]
                self.cookies[key] = word
                if not word:
                    del self.cookies[key]
        return page

    def get(self, target: str, **headers: str) -> Page:
        return self.ask("GET", target, **headers)

    def post(self, target: str, form: dict[str, str], **headers: str) -> Page:
        return self.ask("POST", target, form, **headers)

    def follow(self, page: Page) -> Page:
        return self.get(urljoin(ORIGIN, page.location))

    def sign_in(self, login: str = "author", password: str = PASSWORD, back: str = "/") -> Page:
        shown = self.get(f"/admin/sign-in?{urlencode({'redirect_to': back})}")
        return self.post("/admin/sign-in", {**shown.form, "login": login, "password": password})


@pytest.fixture
def house(site: Stand) -> Stand:
    """A site whose author and editor have passwords for signing in."""
    with site.site.work() as work:
        for login in ("author", "editor"):
            user = users.find_user_by_login(work.tx, login)
            assert user is not None
            users.update_user(work, user, password=PASSWORD)
    return site


@pytest.fixture
def visitor(house: Stand) -> Visitor:
    return Visitor(house)


@pytest.fixture
def write(site: Stand) -> Any:
    """Store a record as the editor, and return the response."""
    editor = site.client("editor")

    def stored(base: str = "posts", language: str = "en", **members: Any) -> Any:
        members = {"title": "A title", "status": "publish", "content": "Some words.", **members}
        answer = editor.post(f"/cms/v2/{base}?mlang_language={language}", members)
        assert answer.status == 201, answer.json
        return answer.json

    return stored
