"""Making an account, and choosing a password by the link in a mail."""

from __future__ import annotations

import pytest

from conftest import ORIGIN, Client, SetClock, Stand
from pages.conftest import PASSWORD, Page
from shop.sent_mails import to
from shop.store import Visitor as Buyer, payable, sold

from .account_stand import (
    ACCOUNT,
    Mails,
    Shopper,
    customer,
    get_account_id,
    link_in,
    mails,
    manager,
    prepared_postgres_shop,
    prepared_shop,
    read_form,
    set_setting,
    shopper,
    site,
)

__all__ = ["customer", "mails", "manager", "prepared_postgres_shop", "prepared_shop", "shopper", "site"]

LOST = f"{ACCOUNT}lost-password/"
NEW = "another word to keep"


@pytest.fixture
def open_shop(manager: Client) -> Client:
    """The manager of a shop where visitors may register; they get a link to choose a password."""
    set_setting(manager, "account", "shop_enable_myaccount_registration", "yes")
    return manager


def register(shopper: Shopper, email: str, **fields: str) -> Page:
    return shopper.send(ACCOUNT, "account-register", email=email, **fields)


def choose(shopper: Shopper, link: str, password: str = NEW) -> Page:
    return shopper.send(link, "account-new-password", password=password)


# -- registering


def test_a_closed_shop_makes_no_account(shopper: Shopper, site: Stand, open_shop: Client, mails: Mails) -> None:
    form = read_form(shopper.get(ACCOUNT), "account-register")
    set_setting(open_shop, "account", "shop_enable_myaccount_registration", "no")
    assert shopper.send_form(ACCOUNT, form, email="new@example.org").status == 403
    assert mails.new() == []


@pytest.mark.every_database
def test_a_new_customer_chooses_a_password_by_the_mail(
    shopper: Shopper, open_shop: Client, mails: Mails, site: Stand
) -> None:
    made = register(shopper, "mara.neri@example.org")
    assert made.location == f"{ORIGIN}{ACCOUNT}?notice=check-mail"
    assert "It says how to go on." in shopper.land(made).text
    mail = to(mails.new(), "mara.neri@example.org")
    assert "account has been created" in mail["Subject"]
    found = open_shop.get("/shop/v3/customers?email=mara.neri@example.org").json
    assert [(one["username"], one["role"]) for one in found] == [("mara.neri", "customer")]
    # Nobody signs in before.
    assert shopper.enter("mara.neri", "").status == 403
    link = link_in(mail)
    assert link.startswith(f"{LOST}?account=")
    chosen = choose(shopper, link)
    assert chosen.location == f"{ORIGIN}{ACCOUNT}?notice=password-saved"
    assert shopper.names() == "mara.neri"
    assert Shopper(site).enter("mara.neri@example.org", NEW).status == 303


def test_nobody_learns_who_has_an_account(shopper: Shopper, open_shop: Client, mails: Mails, site: Stand) -> None:
    answers = set()
    for email in ("new@example.org", "customer@example.org", "editor@example.org"):
        made = register(Shopper(site), email)
        answers.add((made.status, made.location, made.content))
    assert len(answers) == 1
    sent = mails.new()
    assert sorted(mail["To"] for mail in sent) == ["customer@example.org", "editor@example.org", "new@example.org"]
    known = to(sent, "customer@example.org")
    assert "you have one already" in known.get_body(("plain",)).get_content()
    # Who registered an address of somebody else cannot enter by it, and its owner may choose a new password.
    assert shopper.enter("customer").status == 303
    assert choose(Shopper(site), link_in(known)).status == 303
    assert len(open_shop.get("/shop/v3/customers?role=all&email=customer@example.org").json) == 1


def test_one_address_gets_one_mail_in_five_minutes(
    shopper: Shopper, open_shop: Client, mails: Mails, site: Stand, clock: SetClock
) -> None:
    for expected in (1, 0):
        register(Shopper(site), "customer@example.org")
        assert len(mails.new()) == expected
    clock.forward(301)
    register(Shopper(site), "customer@example.org")
    assert len(mails.new()) == 1


def test_a_password_that_is_chosen_at_once_signs_in_at_once(
    shopper: Shopper, open_shop: Client, mails: Mails, site: Stand
) -> None:
    set_setting(open_shop, "account", "shop_registration_generate_password", "no")
    for unusable in ("", "a\\b"):
        assert register(shopper, "new@example.org", password=unusable).status == 400
    made = register(shopper, "new@example.org", password=NEW)
    assert made.location == f"{ORIGIN}{ACCOUNT}?notice=account-made"
    assert "you are signed in" in shopper.land(made).text
    assert shopper.names() == "new"
    [mail] = mails.new()
    assert "key=" not in mail.get_body(("plain",)).get_content()
    # The name is taken from the address, with a number where it is taken.
    other = Shopper(site)
    other.land(register(other, "new@example.com", password=NEW))
    assert other.names() == "new1"
    known = register(Shopper(site), "new@example.org", password=NEW)
    assert (known.status, "There is an account with this address" in known.text) == (409, True)


def test_the_link_comes_without_the_welcome_as_well(shopper: Shopper, open_shop: Client, mails: Mails) -> None:
    set_setting(open_shop, "email_customer_new_account", "enabled", "no")
    register(shopper, "new@example.org")
    mail = to(mails.new(), "new@example.org")
    assert "Password reset" in mail["Subject"]
    assert choose(shopper, link_in(mail)).status == 303


def test_the_link_goes_to_the_customer_alone(shopper: Shopper, open_shop: Client, mails: Mails) -> None:
    set_setting(open_shop, "email_customer_new_account", "cc", "office@example.org")
    register(shopper, "new@example.org")
    [mail] = mails.new()
    assert (mail["To"], mail["Cc"]) == ("new@example.org", None)


def test_who_guessed_too_often_gets_an_account_and_signs_in_later(
    shopper: Shopper, open_shop: Client, site: Stand, clock: SetClock
) -> None:
    set_setting(open_shop, "account", "shop_registration_generate_password", "no")
    for guess in range(2 * site.site.context.profile.limits.sign_in_failures):
        shopper.enter(f"nobody{guess}", "a guess")
    made = register(shopper, "new@example.org", password=NEW)
    assert made.location == f"{ORIGIN}{ACCOUNT}?notice=account-ready"
    assert shopper.names() == ""
    clock.forward(3600)
    assert shopper.enter("new@example.org", NEW).status == 303


def test_an_account_of_the_checkout_gets_the_link_too(
    site: Stand, shopper: Shopper, manager: Client, mails: Mails
) -> None:
    set_setting(manager, "account", "shop_enable_signup_and_login_from_checkout", "yes")
    payable(manager)
    buyer = Buyer(site)
    buyer.add(sold(manager))
    assert buyer.pay(create_account=True).status == 200
    [welcome] = [one for one in mails.new() if "account has been created" in one["Subject"]]
    shopper.land(choose(shopper, link_in(welcome)))
    assert (shopper.names(), "#" in shopper.get(f"{ACCOUNT}orders/").text) == ("Mara", True)


@pytest.mark.parametrize("email", ["", "nobody", "a@b", "x" * 100 + "@example.org"])
def test_an_address_has_to_be_one(shopper: Shopper, open_shop: Client, mails: Mails, email: str) -> None:
    refused = register(shopper, email)
    assert (refused.status, "This is no e-mail address." in refused.text) == (400, True)
    assert mails.new() == []


def test_a_program_that_fills_in_everything_makes_nothing(shopper: Shopper, open_shop: Client, mails: Mails) -> None:
    assert register(shopper, "bot@example.org", website="https://bot.example").status == 303
    assert mails.new() == []
    assert open_shop.get("/shop/v3/customers?email=bot@example.org").json == []


def test_another_site_registers_nobody(shopper: Shopper, open_shop: Client, mails: Mails) -> None:
    shopper.get(ACCOUNT)
    sent = shopper.post(
        ACCOUNT, {"_form": "account-register", "email": "new@example.org"}, origin="https://evil.example"
    )
    assert sent.status == 403
    assert mails.new() == []


def test_registering_often_is_slowed(shopper: Shopper, open_shop: Client, site: Stand, clock: SetClock) -> None:
    most = 2 * site.site.context.profile.limits.sign_in_failures
    for number in range(most):
        assert register(shopper, f"n{number}@example.org").status == 303
    refused = register(shopper, "one.more@example.org")
    assert (refused.status, refused.headers["retry-after"].isdecimal()) == (429, True)
    clock.forward(3600)
    assert register(shopper, "one.more@example.org").status == 303


def test_the_text_about_privacy_is_shown(shopper: Shopper, open_shop: Client) -> None:
    set_setting(open_shop, "account", "shop_registration_privacy_policy_text", "See our [privacy_policy].")
    assert "See our privacy policy." in shopper.get(ACCOUNT).text


# -- lost passwords


def test_a_lost_password_is_replaced_by_the_link_of_the_mail(shopper: Shopper, mails: Mails, site: Stand) -> None:
    before = Shopper(site)
    before.enter()
    told = {(sent.status, sent.location) for sent in (
        shopper.send(LOST, "account-lost-password", login=login) for login in ("customer", "nobody")
    )}  # fmt: skip
    assert told == {(303, f"{ORIGIN}{LOST}?notice=link-sent")}
    [mail] = mails.new()
    link = link_in(mail)
    shown = shopper.get(link)
    assert (shown.status, shown.headers["referrer-policy"]) == (200, "no-referrer")
    assert "for the account customer" in shown.text
    assert 'name="robots" content="noindex"' in shown.text
    assert choose(shopper, link, "").status == choose(shopper, link, "a\\b").status == 400
    form = read_form(shopper.get(link), "account-new-password")
    assert shopper.send_form(link, form, password=NEW, key="wrong").status == 404
    assert "Your new password is saved." in shopper.land(choose(shopper, link)).text
    # Whoever was signed in with the old one is not any more, and the link is used up.
    assert (before.names(), shopper.names()) == ("", "customer")
    assert Shopper(site).enter(password=PASSWORD).status == 403
    over = Shopper(site).get(link)
    assert (over.status, "This link is over" in over.text) == (404, True)


def test_a_lost_password_needs_a_login(shopper: Shopper) -> None:
    refused = shopper.send(LOST, "account-lost-password", login=" ")
    assert (refused.status, "Write a user name or an e-mail address." in refused.text) == (400, True)


def test_asking_for_links_is_slowed(shopper: Shopper, site: Stand) -> None:
    for _ in range(site.site.context.profile.limits.sign_in_failures):
        assert shopper.send(LOST, "account-lost-password", login="nobody").status == 303
    assert shopper.send(LOST, "account-lost-password", login="nobody").status == 429


def test_links_are_no_place_to_guess(shopper: Shopper, site: Stand) -> None:
    number = get_account_id(site)
    for guess in range(site.site.context.profile.limits.sign_in_failures):
        assert shopper.get(f"{LOST}?account={number}&key=guess{guess}").status == 404
    assert shopper.get(f"{LOST}?account={number}&key=other").status == 429


def test_the_link_of_staff_leads_to_the_site_itself(shopper: Shopper, mails: Mails) -> None:
    shopper.send(LOST, "account-lost-password", login="editor")
    assert link_in(to(mails.new(), "editor@example.org")).startswith("/admin/new-password?account=")


def test_without_the_page_links_lead_to_the_site_itself(shopper: Shopper, mails: Mails, manager: Client) -> None:
    set_setting(manager, "advanced", "shop_myaccount_lost_password_endpoint", "")
    shown = shopper.get(ACCOUNT)
    assert f'href="{ORIGIN}/admin/lost-password"' in shown.text
    form = shopper.get("/admin/lost-password").form
    assert shopper.post("/admin/lost-password", {**form, "login": "customer"}).status == 200
    link = link_in(to(mails.new(), "customer@example.org"))
    assert link.startswith("/admin/new-password?account=")
    assert shopper.get(link).status == 200
