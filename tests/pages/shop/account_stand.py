"""A shop's site, and shoppers with a browser's cookies who fill in the forms of its pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest

from conftest import ORIGIN, Client, Stand
from pages.conftest import PASSWORD, Page, Visitor
from shop.conftest import customer, manager, prepared_postgres_shop, prepared_shop, site
from shop.sent_mails import Mails
from vetrina.access.users import rules as users

__all__ = [
    "ACCOUNT", "HOME", "Mails", "Shopper", "customer", "mails", "manager", "prepared_postgres_shop", "prepared_shop",
    "shopper", "site",
]  # fmt: skip

ACCOUNT = "/en/my-account/"
HOME = {
    "first_name": "Mara", "last_name": "Neri", "company": "", "country": "IT", "address_1": "Via Roma 1",
    "address_2": "", "postcode": "47890", "city": "Rimini", "state": "RN", "phone": "", "email": "mara@example.org",
}  # fmt: skip


class _Forms(HTMLParser):
    """The fields of each form of a page, by what the form is called."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self.choice = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        members = dict(attrs)
        name = members.get("name") or ""
        if tag == "form":
            self.forms.append({})
        elif tag == "input" and self.forms and name:
            self.forms[-1][name] = members.get("value") or ""
        elif tag == "select" and self.forms:
            self.choice = name
        elif tag == "option" and "selected" in members and self.forms:
            self.forms[-1][self.choice] = members.get("value") or ""


def read_form(page: Page, name: str, **where: str) -> dict[str, str]:
    """Return the fields of the first form of a name whose fields have these values."""
    forms = _Forms()
    forms.feed(page.text)
    return next(one for one in forms.forms if one.get("_form") == name and where.items() <= one.items())


class Shopper(Visitor):
    """A visitor of a shop."""

    def send(self, target: str, name: str, /, **fields: Any) -> Page:
        """Open a page, fill in its form of a name, and send it."""
        shown = self.get(target)
        return self.send_form(target, read_form(shown, name), **fields)

    def send_form(self, target: str, form: dict[str, str], **fields: Any) -> Page:
        return self.post(target, {**form, **{key: str(value) for key, value in fields.items()}}, origin=ORIGIN)

    def enter(self, login: str = "customer", password: str = PASSWORD, target: str = ACCOUNT) -> Page:
        return self.send(target, "sign-in", login=login, password=password)

    def names(self) -> str:
        """Return whom the page of the account greets, empty for nobody."""
        found = re.search(r"Hello ([^<]*)!", self.get(ACCOUNT).text)
        return found[1] if found else ""

    def land(self, page: Page) -> Page:
        """Follow the redirect of a form."""
        assert page.status == 303, (page.status, page.text)
        return self.get(page.location)


def link_in(mail: Any) -> str:
    """Return path and query of the link to a new password in a mail."""
    found = re.search(r"https?://\S*[?&]key=\S*", mail.get_body(("plain",)).get_content())
    assert found
    parts = urlsplit(found[0])
    return f"{parts.path}?{parts.query}"


def set_setting(manager: Client, group: str, name: str, value: str) -> None:
    answer = manager.put(f"/shop/v3/settings/{group}/{name}", {"value": value})
    assert answer.status == 200, answer.json


def get_account_id(stand: Stand, login: str = "customer") -> int:
    with stand.site.work(read=True) as work:
        user = users.find_user_by_login(work.tx, login)
        assert user is not None
        return user.id


@pytest.fixture
def shopper(site: Stand) -> Shopper:
    """A visitor of a shop whose accounts have passwords for signing in."""
    with site.site.work() as work:
        for login in ("customer", "shop_manager", "editor"):
            user = users.find_user_by_login(work.tx, login)
            assert user is not None
            users.update_user(work, user, password=PASSWORD)
    return Shopper(site)


@pytest.fixture
def mails(site: Stand) -> Mails:
    return Mails(site)
