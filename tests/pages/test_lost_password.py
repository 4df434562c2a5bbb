"""A lost password: the same response for everybody, a link by mail, and one new password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from conftest import Stand, standing
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import password_reset
from vetrina.settings import load_profile
from vetrina.system import job_runner

from .conftest import PASSWORD, Page, Visitor

LOST, CHOOSE = "/admin/lost-password", "/admin/new-password"
NEW = "another word to keep"


def mails(house: Stand) -> list[EmailMessage]:
    """Run the waiting jobs, and return all mails that were sent, the oldest first."""
    job_runner.build_consumer(replace(house.site.context), house.site.database).run_due_jobs()
    files = sorted((house.site.folder / "outbox").glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    found = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    return [one for one in found if isinstance(one, EmailMessage)]


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def link_of(mail: EmailMessage) -> str:
    """Return path and query of the link in a mail."""
    found = re.search(r"https?://\S*/admin/new-password\S*", text_of(mail))
    assert found, text_of(mail)
    parts = urlsplit(found[0])
    return f"{parts.path}?{parts.query}"


def asked(visitor: Visitor, login: str) -> Page:
    shown = visitor.get(LOST)
    assert shown.status == 200
    return visitor.post(LOST, {**shown.form, "login": login})


def chosen(visitor: Visitor, link: str, password: str = NEW) -> Page:
    shown = visitor.get(link)
    return visitor.post(CHOOSE, {**shown.form, "password": password}) if shown.status == 200 else shown


@pytest.mark.every_database
@pytest.mark.parametrize("login", ["author", "Author@Example.org"])
def test_a_link_changes_the_password_once(house: Stand, visitor: Visitor, login: str) -> None:
    before = Visitor(house)
    before.sign_in()
    assert f'href="{LOST.rpartition("/")[2]}"' in visitor.get("/admin/sign-in").text
    assert asked(visitor, login).status == 200
    [mail] = mails(house)
    assert (mail["To"], "author" in text_of(mail)) == ("author@example.org", True)
    link = link_of(mail)
    shown = visitor.get(link)
    assert (shown.status, "for the account author" in shown.text) == (200, True)
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert chosen(visitor, link, "").status == chosen(visitor, link, "a\\b").status == 400
    assert visitor.sign_in().status == 303
    saved = chosen(visitor, link)
    assert (saved.status, "The password is saved" in saved.text) == (200, True)
    # Sessions are ended, the old password is invalid, and the link is used up.
    assert before.get("/admin/nonce").status == 401
    assert Visitor(house).sign_in().status == 403
    assert Visitor(house).sign_in(password=NEW).status == 303
    over = chosen(visitor, link, "a third one")
    assert (over.status, "This link is over" in over.text) == (404, True)
    assert Visitor(house).sign_in(password=NEW).status == 303


@pytest.mark.every_database
def test_everybody_is_told_the_same(house: Stand, visitor: Visitor) -> None:
    told = {asked(visitor, login).text for login in ("author", "nobody", "nobody@example.org", "editor@example.org")}
    assert len(told) == 1
    assert sorted(mail["To"] for mail in mails(house)) == ["author@example.org", "editor@example.org"]
    with house.site.database.begin_read() as tx:
        rows = tx.all(Statement(select(password_reset)))
    keys = [link_of(mail).partition("key=")[2] for mail in mails(house)]
    assert len(rows) == len(set(keys)) == 2
    assert not any(key in str(row) for row in rows for key in keys)


def test_a_link_ends_with_its_day_with_a_newer_one_and_with_the_password(house: Stand, visitor: Visitor, clock) -> None:
    asked(visitor, "author")
    [first] = [link_of(mail) for mail in mails(house)]
    # A second request right away sends no second mail, and the first one stays valid.
    asked(visitor, "author")
    assert len(mails(house)) == 1
    assert visitor.get(first).status == 200
    clock.forward(301)
    asked(visitor, "author@example.org")
    second = link_of(mails(house)[-1])
    assert (visitor.get(first).status, visitor.get(second).status) == (404, 200)
    clock.forward(24 * 3600)
    assert visitor.get(second).status == 404
    asked(visitor, "author")
    third = link_of(mails(house)[-1])
    number = house.client("author").get("/cms/v2/users/me").json["id"]
    assert house.client("admin").post(f"/cms/v2/users/{number}", {"password": "set by hand"}).status == 200
    assert chosen(visitor, third).status == 404
    assert Visitor(house).sign_in(password="set by hand").status == 303


def test_a_link_opens_no_other_account(house: Stand, visitor: Visitor) -> None:
    asked(visitor, "author")
    [link] = [link_of(mail) for mail in mails(house)]
    other = house.client("editor").get("/cms/v2/users/me").json["id"]
    key = link.partition("key=")[2]
    for query in (f"?account={other}&key={key}", "", "?account=0&key=", "?account=x"):
        assert visitor.get(f"{CHOOSE}{query}").status == 404
    for forged in (f"{link}x", link.replace("key=", "key=x")):
        assert visitor.get(forged).status == 404
    form = visitor.get(link).form
    assert visitor.post(CHOOSE, {**form, "account": str(other), "password": NEW}).status == 404
    assert Visitor(house).sign_in("editor").status == 303


def test_a_form_of_another_site_is_refused(house: Stand, visitor: Visitor) -> None:
    assert visitor.post(LOST, {"login": "author", "_cmsnonce": "0" * 20}).status == 403
    asked(visitor, "author")
    [link] = [link_of(mail) for mail in mails(house)]
    form = visitor.get(link).form
    assert visitor.post(CHOOSE, {**form, "password": NEW, "_cmsnonce": "0" * 20}).status == 400
    assert Visitor(house).sign_in(password=PASSWORD).status == 303


@pytest.mark.every_database
def test_asking_and_guessing_are_slowed(house: Stand, visitor: Visitor, clock) -> None:
    most = house.site.context.profile.limits.sign_in_failures
    for _ in range(most):
        assert asked(visitor, "nobody").status == 200
    answer = asked(visitor, "nobody")
    assert (answer.status, answer.headers["retry-after"].isdecimal()) == (429, True)
    clock.forward(61)
    asked(visitor, "author")
    link = link_of(mails(house)[-1])
    account = link.partition("account=")[2].partition("&")[0]
    for at in range(most):
        assert visitor.get(f"{CHOOSE}?account={account}&key=wrong{at}").status == 404
    assert visitor.get(link).status == 429
    clock.forward(61)
    assert visitor.get(link).status == 200


def test_an_account_without_a_password_gets_its_first(house: Stand, visitor: Visitor) -> None:
    with house.site.work() as work:
        users.create_user(work, "fresh", "fresh@example.org")
    asked(visitor, "fresh")
    assert chosen(visitor, link_of(mails(house)[-1])).status == 200
    assert Visitor(house).sign_in("fresh", NEW).status == 303


def test_the_mail_speaks_the_readers_language_and_names_the_sites_own_address(house: Stand, visitor: Visitor) -> None:
    italian = {"accept-language": "it"}
    form = visitor.get(LOST, **italian).form
    assert "Guarda nella posta" in visitor.post(LOST, {**form, "login": "author"}, host="evil.example", **italian).text
    [mail] = mails(house)
    assert "nuova password" in mail["Subject"]
    assert house.site.context.origin in text_of(mail)
    assert "evil.example" not in text_of(mail)


@pytest.fixture
def shop(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, load_profile("second")) as stand:
        yield stand


def test_a_shop_sends_its_own_mail(shop: Stand) -> None:
    visitor = Visitor(shop)
    asked(visitor, "author")
    [mail] = mails(shop)
    assert mail["Subject"].startswith("Password reset request for")
    assert link_of(mail).replace("&", "&amp;") in text_of(mail, "html")
    assert chosen(visitor, link_of(mail)).status == 200
    assert visitor.sign_in(password=NEW).status == 303


def test_a_shop_that_switched_its_mail_off_locks_nobody_out(shop: Stand) -> None:
    group = "/shop/v3/settings/email_customer_reset_password/enabled"
    assert shop.client("admin").put(group, {"value": "no"}).status == 200
    asked(Visitor(shop), "author")
    [mail] = mails(shop)
    assert mail["Subject"].endswith(": a new password")
