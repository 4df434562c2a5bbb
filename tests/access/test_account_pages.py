"""The pages of accounts without a shop: registering, and what the links in mails lead to."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from conftest import Stand
from pages.conftest import Page, Visitor
from pages.shop.account_stand import Shopper
from vetrina.access.users import rules as users

from .account_mails import get_text, read_mails, run_jobs
from .conftest import PASSWORD
from .test_own_account import NEW, OLD, ask_change, read_email

ADA = "ada@example.org"
REGISTER = "/admin/register"


@pytest.fixture
def visitor(house: Stand) -> Visitor:
    return Visitor(house)


def send(visitor: Visitor, path: str, **fields: str) -> Page:
    shown = visitor.get(path)
    assert shown.status == 200, shown.text
    return visitor.post(urlsplit(path).path, {**shown.form, **fields})


def follow(stand: Stand, to: str, page: str) -> str:
    """Return path and query of the link to a page in the newest mail to an address."""
    found = re.search(rf"https?://\S*(/admin/{page}\?\S*)", get_text(read_mails(stand, to)[-1]))
    assert found
    return found[1]


def test_a_visitor_registers_and_chooses_the_password_by_the_link(house: Stand, visitor: Visitor) -> None:
    told = send(visitor, REGISTER, email=ADA, name="Ada Neri")
    assert (told.status, "A mail is on its way" in told.text) == (200, True)
    link = follow(house, ADA, "confirm-registration")
    assert ADA in visitor.get(link).text
    assert send(visitor, link, password="").status == 400
    made = send(visitor, link, password=PASSWORD)
    assert (made.status, "Your user name is ada." in made.text) == (200, True)
    assert Visitor(house).sign_in("ada", PASSWORD).status == 303
    assert visitor.get(link).status == 404


def test_where_people_sign_in_they_are_led_to_registering(house: Stand, visitor: Visitor) -> None:
    assert 'href="/admin/register"' in visitor.get("/admin/sign-in").text


def test_known_and_unknown_addresses_see_the_same_page(house: Stand, visitor: Visitor) -> None:
    pages = [send(visitor, REGISTER, email=email) for email in (ADA, "author@example.org")]
    assert pages[0].text == pages[1].text


def test_who_fills_in_the_trap_gets_no_mail(house: Stand, visitor: Visitor) -> None:
    told = send(visitor, REGISTER, email=ADA, website="https://spam.example")
    assert "A mail is on its way" in told.text
    assert read_mails(house) == []


def test_forms_of_other_sites_do_nothing(house: Stand, visitor: Visitor) -> None:
    assert visitor.post(REGISTER, {"email": ADA}).status == 403
    send(visitor, REGISTER, email=ADA)
    link = follow(house, ADA, "confirm-registration")
    key = link.partition("key=")[2]
    assert Visitor(house).post("/admin/confirm-registration", {"key": key, "password": "x"}).status == 400
    with house.site.work(read=True) as work:
        assert users.find_user_by_login(work.tx, ADA) is None


@pytest.mark.parametrize("settings", [{}])
def test_a_closed_site_has_no_form(house: Stand, visitor: Visitor) -> None:
    assert visitor.get(REGISTER).status == 404


def test_an_address_agrees_or_refuses_on_its_page(house: Stand, visitor: Visitor) -> None:
    ask_change(house)
    new, old = follow(house, NEW, "confirm-email"), follow(house, OLD, "confirm-email")
    # A program that looks at the link changes nothing.
    assert [visitor.get(link).status for link in (new, old)] == [200, 200]
    assert read_email(house)["email"] == OLD
    shown = visitor.get(new).form
    agreed = visitor.post("/admin/confirm-email", {name: shown[name] for name in ("key", "_cmsnonce")})
    assert "The other address must agree" in agreed.text
    shown = visitor.get(old).form
    refused = visitor.post("/admin/confirm-email", {**{n: shown[n] for n in ("key", "_cmsnonce")}, "refuse": "1"})
    assert "Refused" in refused.text
    assert visitor.get(new).status == 404
    assert read_email(house)["email"] == OLD


def test_a_copy_of_the_data_is_fetched_by_the_links(house: Stand, visitor: Visitor) -> None:
    house.client().post("/access/v1/personal-data-requests", {"kind": "export", "email": OLD})
    link = follow(house, OLD, "confirm-personal-data")
    told = send(visitor, link)
    assert "A mail tells you when it is done" in told.text
    run_jobs(house)
    file = visitor.get(follow(house, OLD, "personal-data"))
    assert (file.status, file.headers["content-type"], file.content[:2]) == (200, "application/zip", b"PK")
    assert visitor.get("/admin/personal-data?request=x&key=y").status == 404
    assert visitor.post("/admin/confirm-personal-data", dict(visitor.get(link).form)).status == 404


def test_the_pages_speak_italian(house: Stand, visitor: Visitor) -> None:
    assert "Un messaggio ti porta un link" in visitor.get(REGISTER, **{"accept-language": "it"}).text


@pytest.mark.parametrize("settings", [{"email_change": "confirmed"}])
def test_the_page_of_a_shop_asks_both_addresses_where_the_profile_says_so(shop: Stand) -> None:
    shopper, details = Shopper(shop), "/en/my-account/edit-account/"
    shopper.enter("author")

    def change(email: str, password: str = PASSWORD) -> Page:
        return shopper.send(details, "account-details", email=email, current_password=password)

    assert [change(NEW, "a guess").status, change("nobody").status] == [403, 400]
    # Nor does the page say whose address it is.
    assert {change(email).location.partition("?")[2] for email in ("editor@example.org", NEW)} == {"notice=email-asked"}
    assert read_email(shop) == {"email": OLD, "confirmed": False, "waits": True}
    for to in (NEW, OLD):
        link = follow(shop, to, "confirm-email")
        shown = Visitor(shop)
        form = shown.get(link).form
        shown.post("/admin/confirm-email", {name: form[name] for name in ("key", "_cmsnonce")})
    assert read_email(shop)["email"] == NEW


@pytest.mark.parametrize("kind", ["export", "erasure"])
def test_a_guest_asks_about_their_data_and_confirms_it_by_the_mail(house: Stand, visitor: Visitor, kind: str) -> None:
    assert send(visitor, "/admin/my-data", email="", kind=kind).status == 400
    assert "A mail is on its way" in send(visitor, "/admin/my-data", email=ADA, kind=kind).text
    link = follow(house, ADA, "confirm-personal-data")
    assert "Confirmed." in send(visitor, link).text
    (asked,) = house.client("admin").get("/access/v1/personal-data-requests").json
    assert (asked["kind"], asked["email"]) == (kind, ADA)


def test_a_member_asks_about_their_own_address_alone(house: Stand, visitor: Visitor) -> None:
    visitor.sign_in("author")
    shown = visitor.get("/admin/my-data")
    assert "author@" in shown.text
    assert visitor.post("/admin/my-data", {**shown.form, "email": ADA, "kind": "export"}).status == 200
    (asked,) = house.client("admin").get("/access/v1/personal-data-requests").json
    assert asked["email"].startswith("author@")


def test_requests_about_data_are_counted_and_trapped(house: Stand, visitor: Visitor) -> None:
    assert send(visitor, "/admin/my-data", email=ADA, kind="erasure", website="https://spam.example").status == 200
    assert read_mails(house) == []
    most = house.site.context.profile.limits.sign_in_failures
    told = [send(visitor, "/admin/my-data", email=ADA, kind="erasure").status for _ in range(most + 1)]
    assert told == [200] * most + [429]
    assert visitor.post("/admin/my-data", {"email": ADA, "kind": "erasure"}).status == 403
