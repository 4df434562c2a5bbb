"""Mails to the owners of accounts: what they are told of, in which words, and what nobody is told of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, standing
from identity_provider import IdentityProvider
from vetrina.access.notices.devices import describe_agent
from vetrina.access.notices.mails import ACCOUNT_NOTICE_TEXTS
from vetrina.access.users import rules as users
from vetrina.account_settings import AccountSettings
from vetrina.core.text_catalog import parse_texts
from vetrina.settings import load_profile
from vetrina.system import job_runner

from .conftest import PASSWORD, Visitor
from .test_identities import connected, signed_in
from .test_single_sign_on import came_back, provider as provider, stand as stand, words as words

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
NEWER = "Mozilla/5.0 (Windows NT 11.0; Win64; x64; rv:151.0) Gecko/20100101 Firefox/151.0"
PHONE = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36"
)
DAY = 86400


def mails(stand: Stand) -> list[EmailMessage]:
    """Run the waiting jobs; return the mails that were sent since the last time, sorted by subject, and remove them."""
    job_runner.build_consumer(replace(stand.site.context), stand.site.database).run_due_jobs()
    found = []
    for file in sorted((stand.site.folder / "outbox").glob("*.eml")):
        one = message_from_bytes(file.read_bytes(), policy=policy.default)
        assert isinstance(one, EmailMessage)
        found.append(one)
        file.unlink()
    return sorted(found, key=lambda mail: str(mail["Subject"]))


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def subjects(stand: Stand) -> list[str]:
    return [str(mail["Subject"]).partition(": ")[2] for mail in mails(stand)]


def entered(stand: Stand, agent: str, login: str = "author", **headers: str) -> None:
    """Sign in with a browser that calls itself `agent`."""
    visitor = Visitor(stand)
    shown = visitor.get("/admin/sign-in")
    form = {**shown.form, "login": login, "password": PASSWORD}
    assert visitor.ask("POST", "/admin/sign-in", form, **{"user-agent": agent, **headers}).status == 303


@pytest.mark.every_database
def test_a_new_device_is_told_and_the_first_one_is_not(house: Stand) -> None:
    entered(house, FIREFOX)
    entered(house, NEWER)
    assert mails(house) == []
    entered(house, PHONE)
    [mail] = mails(house)
    assert mail["To"] == "author@example.org"
    assert str(mail["Subject"]).endswith(": a sign-in from a new device")
    text = text_of(mail)
    assert "Device: Chrome (Android)" in text
    assert "Address: 127.0.0.1" in text
    assert re.search(r"Time: .*\d{4}.*\(Europe/Rome\)", text)
    assert "http://127.0.0.1:8000/admin/lost-password" in text
    entered(house, PHONE)
    entered(house, FIREFOX)
    assert mails(house) == []
    # Another account has devices of its own.
    entered(house, PHONE, "editor")
    assert mails(house) == []


def test_a_device_is_new_again_after_ninety_days(house: Stand, clock: Any) -> None:
    entered(house, FIREFOX)
    clock.forward(89 * DAY)
    entered(house, FIREFOX)
    clock.forward(89 * DAY)
    entered(house, FIREFOX)
    assert mails(house) == []
    clock.forward(91 * DAY)
    entered(house, FIREFOX)
    assert subjects(house) == ["a sign-in from a new device"]


def test_devices_are_forgotten_in_the_end(house: Stand, clock: Any) -> None:
    from sqlalchemy import func, select

    from vetrina.access.notices.devices import delete_old_devices
    from vetrina.backends.database import Statement
    from vetrina.backends.tables.single_sign_on import known_device

    def count() -> int:
        with house.site.work() as work:
            delete_old_devices(work)
        with house.site.work(read=True) as work:
            return int(work.tx.value(Statement(select(func.count()).select_from(known_device))))

    entered(house, FIREFOX)
    clock.forward(399 * DAY)
    assert count() == 1
    clock.forward(2 * DAY)
    assert count() == 0


@pytest.mark.in_process("the address of the client is set")
def test_another_network_is_another_device(house: Stand) -> None:
    from conftest import exchange

    def entered_from(remote: str) -> None:
        visitor = Visitor(house)
        form = visitor.get("/admin/sign-in").form
        from urllib.parse import urlencode

        cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        body = urlencode({**form, "login": "author", "password": PASSWORD}).encode()
        headers = {
            "cookie": cookies, "user-agent": FIREFOX, "content-type": "application/x-www-form-urlencoded",
        }  # fmt: skip
        assert exchange(house.site, "POST", "/admin/sign-in", body, headers, remote)[0] == 303

    for remote, new in (
        ("203.0.113.7", False),
        ("203.0.113.200", False),
        ("203.0.114.7", True),
        ("2001:db8:1::1", True),
        ("2001:db8:1:ffff::2", False),
        ("2001:db8:2::1", True),
        ("unknown", True),
    ):
        entered_from(remote)
        assert subjects(house) == ["a sign-in from a new device"] * new, remote


def test_a_changed_password_is_told(house: Stand) -> None:
    author = house.client("author")
    id = author.get("/cms/v2/users/me").json["id"]
    changed = author.post("/cms/v2/users/me", {"password": "another one"}, headers={"user-agent": PHONE})
    assert changed.status == 200
    [mail] = mails(house)
    assert (mail["To"], str(mail["Subject"]).partition(": ")[2]) == (
        "author@example.org",
        "your password was changed",
    )
    assert "Device: Chrome (Android)" in text_of(mail)
    assert "lost-password" in text_of(mail)
    assert house.client("admin").post(f"/cms/v2/users/{id}", {"password": "a third one"}).status == 200
    [mail] = mails(house)
    assert "somebody who manages the accounts" in text_of(mail)
    # Where an administrator sits is nobody's business.
    assert "127.0.0.1\n" not in text_of(mail)
    assert "Address:" not in text_of(mail)


def test_the_old_address_is_told_of_a_new_one(house: Stand) -> None:
    author = house.client("author")
    assert author.post("/cms/v2/users/me", {"email": "Author@Example.org"}).status == 200
    assert mails(house) == []
    assert author.post("/cms/v2/users/me", {"email": "new@example.org"}).status == 200
    [mail] = mails(house)
    assert (mail["To"], str(mail["Subject"]).partition(": ")[2]) == (
        "Author@Example.org",
        "your mail address was changed",
    )
    assert "lost-password" not in text_of(mail)
    assert "new@example.org" not in text_of(mail)


def test_a_new_application_password_is_told(house: Stand) -> None:
    author = house.client("author")
    made = author.post("/cms/v2/users/me/application-passwords", {"name": "My phone"})
    assert made.status == 201
    [mail] = mails(house)
    assert "“My phone”" in text_of(mail)
    assert made.json["password"] not in text_of(mail)


def test_a_connected_provider_is_told_and_a_new_account_is_not(stand: Stand, provider: IdentityProvider) -> None:
    came_back(Visitor(stand), provider)
    assert mails(stand) == []
    provider.person = {**provider.person, "sub": "another", "email": ""}
    connected(signed_in(stand), provider)
    [mail] = mails(stand)
    assert (mail["To"], str(mail["Subject"]).partition(": ")[2]) == ("editor@example.org", "The House was connected")


def test_what_was_refused_is_not_told(house: Stand) -> None:
    author = house.client("author")
    assert author.post("/cms/v2/users/me", {"password": "another one", "email": "editor@example.org"}).status == 400
    assert Visitor(house).sign_in("author", "wrong").status == 403
    assert mails(house) == []


def test_what_the_server_itself_does_is_not_told(house: Stand) -> None:
    with house.site.work() as work:
        user = users.find_user_by_login(work.tx, "author")
        assert user is not None
        users.update_user(work, user, "new@example.org", password="from the command line")
    assert mails(house) == []


def test_a_first_password_is_not_told(house: Stand) -> None:
    made = house.client("admin").post(
        "/cms/v2/users", {"username": "new", "email": "new@example.org", "password": "given"}
    )
    assert made.status == 201
    assert mails(house) == []


@pytest.fixture
def quiet(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    accounts = AccountSettings(notices=("email",))
    with standing(request, msgspec.structs.replace(load_profile("first"), accounts=accounts)) as made:
        yield made


def test_notices_are_switched_off_one_by_one(quiet: Stand) -> None:
    author = quiet.client("author")
    assert author.post("/cms/v2/users/me", {"password": "another one", "email": "new@example.org"}).status == 200
    assert author.post("/cms/v2/users/me/application-passwords", {"name": "My phone"}).status == 201
    assert subjects(quiet) == ["your mail address was changed"]


def test_a_notice_is_in_the_language_of_the_account(house: Stand) -> None:
    author: Client = house.client("author")
    assert author.post("/cms/v2/users/me", {"locale": "it_IT"}).status == 200
    assert author.post("/cms/v2/users/me", {"password": "another one"}).status == 200
    [mail] = mails(house)
    assert str(mail["Subject"]).endswith(": la tua password è cambiata")
    assert "Ciao author" in text_of(mail)


@pytest.mark.parametrize("language", ["de", "es", "fr", "it"])
def test_every_language_has_every_text_with_its_places(language: str) -> None:
    data = (files("vetrina.access.notices") / "catalogs" / f"{language}.po").read_bytes()
    found = parse_texts(data, ".po")
    assert set(found) == set(ACCOUNT_NOTICE_TEXTS.english)
    places = re.compile(r"\{\w+\}")
    for name, text in ACCOUNT_NOTICE_TEXTS.english.items():
        assert sorted(places.findall(found[name])) == sorted(places.findall(text)), name


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (FIREFOX, "Firefox (Windows)"),
        (NEWER, "Firefox (Windows)"),
        (PHONE, "Chrome (Android)"),
        (f"{PHONE} Edg/141.0", "Edge (Android)"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) Version/18.0 Safari/605.1.15", "Safari (macOS)"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) FxiOS/140.0 Mobile Safari/605", "Firefox (iPhone)"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
        ("a\r\nBcc: x@example.org" + "x" * 500, "aBcc: x@example.org" + "x" * 39),
    ],
)
def test_devices_have_the_names_that_people_know(agent: str, said: str) -> None:
    assert describe_agent(agent) == said
