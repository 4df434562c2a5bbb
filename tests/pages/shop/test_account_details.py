"""What customers change of their own account: names, mail address, password, addresses."""

from __future__ import annotations

import pytest

from conftest import ORIGIN, Client, Stand
from pages.conftest import PASSWORD

from .account_stand import (
    ACCOUNT,
    HOME,
    Shopper,
    customer,
    get_account_id,
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

DETAILS, ADDRESSES = f"{ACCOUNT}edit-account/", f"{ACCOUNT}edit-address/"
BILLING = f"{ADDRESSES}billing/"
NEW = "another word to keep"


def test_names_are_changed_without_a_password(site: Stand, shopper: Shopper, manager: Client) -> None:
    shopper.enter()
    names = {"first_name": "Mara <b>", "last_name": "Neri", "display_name": "Mara N."}
    saved = shopper.send(DETAILS, "account-details", **names)
    assert saved.location == f"{ORIGIN}{DETAILS}?notice=details-saved"
    shown = manager.get(f"/shop/v3/customers/{get_account_id(site)}").json
    assert (shown["first_name"], shown["last_name"], shown["email"]) == ("Mara", "Neri", "customer@example.org")
    assert shopper.names() == "Mara"
    assert 'value="Mara N."' in shopper.get(DETAILS).text
    assert shopper.send(DETAILS, "account-details", display_name="").status == 400


def test_a_new_address_needs_the_password(site: Stand, shopper: Shopper, manager: Client) -> None:
    shopper.enter()

    def change(email: str, password: str = PASSWORD) -> int:
        return shopper.send(DETAILS, "account-details", email=email, current_password=password).status

    assert change("mara@example.org", "a guess") == change("mara@example.org", "") == 403
    assert change("nobody") == change("") == 400
    assert change("editor@example.org") == 409
    assert manager.get(f"/shop/v3/customers/{get_account_id(site)}").json["email"] == "customer@example.org"
    assert change("mara@example.org") == 303
    assert manager.get(f"/shop/v3/customers/{get_account_id(site)}").json["email"] == "mara@example.org"


def test_a_new_password_ends_the_other_sessions(site: Stand, shopper: Shopper) -> None:
    other = Shopper(site)
    other.enter()
    shopper.enter()
    refused = shopper.send(DETAILS, "account-details", current_password="a guess", new_password=NEW)
    assert (refused.status, "This is not the current password." in refused.text) == (403, True)
    assert ("a guess" in refused.text, NEW in refused.text) == (False, False)
    unusable = shopper.send(DETAILS, "account-details", current_password=PASSWORD, new_password="a\\b")
    assert (unusable.status, other.names()) == (400, "customer")
    saved = shopper.send(DETAILS, "account-details", current_password=PASSWORD, new_password=NEW)
    assert "Your details are saved." in shopper.land(saved).text
    assert (shopper.names(), other.names()) == ("customer", "")
    assert Shopper(site).enter(password=PASSWORD).status == 403
    assert Shopper(site).enter(password=NEW).status == 303


def test_guessing_the_password_of_an_open_session_is_slowed(site: Stand, shopper: Shopper) -> None:
    shopper.enter()
    for guess in range(site.site.context.profile.limits.sign_in_failures):
        shopper.send(DETAILS, "account-details", current_password=f"guess {guess}", new_password=NEW)
    refused = shopper.send(DETAILS, "account-details", current_password=PASSWORD, new_password=NEW)
    assert (refused.status, refused.headers["retry-after"].isdecimal()) == (429, True)


def test_forms_of_an_account_are_for_its_session(site: Stand, shopper: Shopper) -> None:
    shopper.enter()
    details = read_form(shopper.get(DETAILS), "account-details")
    billing = read_form(shopper.get(BILLING), "account-address")
    other = Shopper(site)
    other.enter("editor")
    visitor = Shopper(site)
    visitor.get(ACCOUNT)
    for one in (other, visitor):
        assert one.send_form(DETAILS, details, display_name="Mallory").status == 403
        assert one.send_form(BILLING, billing, **HOME).status == 403


@pytest.mark.parametrize("kind", ["billing", "shipping"])
def test_addresses_are_those_that_the_shop_knows(site: Stand, shopper: Shopper, manager: Client, kind: str) -> None:
    shopper.enter()
    assert shopper.get(ADDRESSES).text.count("There is no address yet.") == 2
    saved = shopper.send(
        f"{ADDRESSES}{kind}/", "account-address", **{**HOME, "postcode": " 47890 ", "city": "<i>Rimini</i>"}
    )
    assert saved.location == f"{ORIGIN}{ADDRESSES}?notice=address-saved"
    known = manager.get(f"/shop/v3/customers/{get_account_id(site)}").json
    expected = {name: value for name, value in HOME.items() if name in known[kind]}
    assert known[kind] == expected
    shown = shopper.land(saved).text
    assert ("Via Roma 1" in shown, "47890 Rimini" in shown, "Italy" in shown) == (True, True, True)
    assert shown.count("There is no address yet.") == 1


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"first_name": ""}, "first_name"),
        ({"city": "  "}, "city"),
        ({"country": ""}, "country"),
        ({"country": "XX"}, "country"),
        ({"postcode": ""}, "postcode"),
        ({"postcode": "1"}, "postcode"),
        ({"state": ""}, "state"),
        ({"state": "Nowhere"}, "state"),
        ({"phone": "call me"}, "phone"),
        ({"email": "nobody"}, "email"),
        ({"email": ""}, "email"),
    ],
)
def test_an_address_that_is_none_is_refused_by_its_field(
    site: Stand, shopper: Shopper, manager: Client, wrong: dict[str, str], field: str
) -> None:
    shopper.enter()
    refused = shopper.send(BILLING, "account-address", **{**HOME, **wrong})
    assert refused.status == 400
    assert f'id="account-address-{field.replace("_", "-")}-fault"' in refused.text
    assert 'value="Via Roma 1"' in refused.text
    assert manager.get(f"/shop/v3/customers/{get_account_id(site)}").json["billing"]["city"] == ""


def test_a_country_with_states_offers_them_once_it_was_sent(shopper: Shopper) -> None:
    shopper.enter()
    assert '<select id="account-address-state"' not in shopper.get(BILLING).text
    refused = shopper.send(BILLING, "account-address", **{**HOME, "country": "US", "postcode": "93650", "state": ""})
    assert refused.status == 400
    assert ('<select id="account-address-state"' in refused.text, ">California<" in refused.text) == (True, True)


def test_countries_are_those_that_the_shop_serves(shopper: Shopper, manager: Client) -> None:
    set_setting(manager, "general", "shop_allowed_countries", "specific")
    answer = manager.put("/shop/v3/settings/general/shop_specific_allowed_countries", {"value": ["IT", "SM"]})
    assert answer.status == 200
    shopper.enter()
    shown = shopper.get(BILLING).text
    assert [f'<option value="{code}"' in shown for code in ("IT", "SM", "FR")] == [True, True, False]
    refused = shopper.send(BILLING, "account-address", **{**HOME, "country": "FR", "postcode": "75001", "state": ""})
    assert (refused.status, "The shop does not sell to this country." in refused.text) == (400, True)
