"""The page of a customer's account: what leads into it, what its addresses show, and to whom."""

from __future__ import annotations

import pytest

from conftest import ORIGIN, Client, SetClock, Stand
from shop.store import STORE, sold

from .account_stand import (
    ACCOUNT,
    Shopper,
    customer,
    manager,
    prepared_postgres_shop,
    prepared_shop,
    read_form,
    set_setting,
    shopper,
    site,
)

__all__ = ["customer", "manager", "prepared_postgres_shop", "prepared_shop", "shopper", "site"]

PARTS = {
    "": "Dashboard", "orders/": "Orders", "downloads/": "Downloads", "edit-address/": "Addresses",
    "edit-account/": "Account details", "customer-logout/": "Sign out",
}  # fmt: skip


def test_the_empty_page_asks_a_visitor_to_sign_in(shopper: Shopper) -> None:
    shown = shopper.get(ACCOUNT)
    assert (shown.status, shown.headers["cache-control"]) == (200, "no-store")
    assert "<h2>Sign in</h2>" in shown.text
    assert f'href="{ORIGIN}{ACCOUNT}lost-password/"' in shown.text
    # Shops let nobody register unless they are set so.
    assert "<h2>Register</h2>" not in shown.text
    assert 'name="robots" content="noindex"' not in shown.text


def test_a_visitor_signs_in_where_they_are(shopper: Shopper) -> None:
    orders = f"{ACCOUNT}orders/"
    entered = shopper.enter(target=orders)
    assert (entered.status, entered.location) == (303, f"{ORIGIN}{orders}")
    assert "There are no orders here." in shopper.land(entered).text
    assert shopper.names() == "customer"


@pytest.mark.parametrize(
    "back, where", [("/en/shop/", "/en/shop/"), ("https://evil.example/", "/"), ("//evil.example", "/")]
)
def test_signing_in_leads_back_within_the_site(shopper: Shopper, back: str, where: str) -> None:
    assert shopper.enter(target=f"{ACCOUNT}?redirect_to={back}").location == f"{ORIGIN}{where}"


def test_a_wrong_password_says_so_and_guessing_is_slowed(site: Stand, shopper: Shopper, clock: SetClock) -> None:
    refused = shopper.enter(password="a guess")
    assert (refused.status, "The user name or the password is wrong." in refused.text) == (403, True)
    assert 'value="customer"' in refused.text
    assert "a guess" not in refused.text
    for guess in range(site.site.context.profile.limits.sign_in_failures):
        refused = shopper.enter(password=f"guess {guess}")
    assert (refused.status, refused.headers["retry-after"].isdecimal()) == (429, True)
    assert shopper.enter().status == 429
    clock.forward(3600)
    assert shopper.enter().status == 303


def test_another_site_signs_nobody_in(shopper: Shopper) -> None:
    form = read_form(shopper.get(ACCOUNT), "sign-in") | {"login": "customer", "password": "a word that people keep"}
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site", "origin": ORIGIN}, {}):
        assert shopper.post(ACCOUNT, form, **headers).status == 403
    assert shopper.names() == ""


def test_the_cart_of_a_visitor_becomes_that_of_the_account(shopper: Shopper, manager: Client, customer: Client) -> None:
    cup = sold(manager)
    first = shopper.get(f"/en/cms-json{STORE}/cart")
    headers = {"nonce": first.headers["nonce"], "content-type": "application/x-www-form-urlencoded"}
    assert shopper.ask("POST", f"/en/cms-json{STORE}/cart/add-item", {"id": str(cup)}, **headers).status == 201
    shopper.land(shopper.enter())
    assert [one["id"] for one in customer.get(f"{STORE}/cart").json["items"]] == [cup]


def test_each_part_has_its_address_and_its_place_in_the_navigation(shopper: Shopper) -> None:
    shopper.enter()
    for path, title in PARTS.items():
        shown = shopper.get(f"{ACCOUNT}{path}")
        assert (shown.status, shown.headers["cache-control"]) == (200, "no-store"), path
        assert f"<h2>{title}</h2>" in shown.text
        assert f'href="{ORIGIN}{ACCOUNT}{path}" aria-current="page"' in shown.text
        assert shown.text.count("<h1") == shown.text.count('aria-label="Account"') == 1
        assert ('name="robots" content="noindex"' in shown.text) is bool(path)
    for path in (
        "nothing/",
        "orders/0/",
        f"view-order/{'9' * 40}/",
        "view-order/x/",
        "view-order/",
        "orders/x/",
        "orders/1/2/",
        "edit-address/home/",
        "downloads/1/",
    ):
        assert shopper.get(f"{ACCOUNT}{path}").status == 404, path
    for path in (f"{ACCOUNT}orders", "/my-account/orders/"):
        assert (shopper.get(path).status, shopper.get(path).location) == (301, f"{ORIGIN}{ACCOUNT}orders/")


def test_the_settings_name_the_addresses(shopper: Shopper, manager: Client) -> None:
    shopper.enter()
    set_setting(manager, "advanced", "shop_myaccount_orders_endpoint", "purchases")
    set_setting(manager, "advanced", "shop_myaccount_downloads_endpoint", "")
    assert (shopper.get(f"{ACCOUNT}purchases/").status, shopper.get(f"{ACCOUNT}orders/").status) == (200, 404)
    assert shopper.get(f"{ACCOUNT}downloads/").status == 404
    shown = shopper.get(ACCOUNT).text
    assert (f"{ACCOUNT}purchases/" in shown, "Downloads</a>" in shown) == (True, False)


def test_the_page_speaks_each_language_of_the_site(site: Stand, shopper: Shopper) -> None:
    admin = site.client("admin")
    number = admin.get("/cms/v2/pages?slug=my-account").json[0]["id"]
    made = admin.post(
        "/cms/v2/pages?mlang_language=it",
        {"title": "Il mio account", "slug": "il-mio-account", "status": "publish", "translations": {"en": number}},
    )
    assert made.status == 201, made.json
    mine = "/it/il-mio-account/"
    assert "<h2>Accedi</h2>" in shopper.get(mine).text
    shopper.enter(target=mine)
    shown = shopper.get(f"{mine}orders/")
    assert ("<h2>Ordini</h2>" in shown.text, "Qui non ci sono ordini." in shown.text) == (True, True)
    assert f'href="{ORIGIN}{ACCOUNT}orders/"' in shown.text  # in the choice of languages
    assert shopper.get("/it/my-account/orders/").status == 404


@pytest.mark.parametrize("content", ["[shop_my_account]", "<p>Welcome</p><!-- wp:shop/my-account /-->"])
def test_other_contents_show_the_account_too(site: Stand, shopper: Shopper, content: str) -> None:
    admin = site.client("admin")
    number = admin.get("/cms/v2/pages?slug=my-account").json[0]["id"]
    admin.post(f"/cms/v2/pages/{number}", {"content": content})
    shopper.enter()
    assert "<h2>Orders</h2>" in shopper.get(f"{ACCOUNT}orders/").text
    assert ("<p>Welcome</p>" in shopper.get(ACCOUNT).text) is ("Welcome" in content)


def test_a_page_without_the_account_has_no_parts(site: Stand, shopper: Shopper) -> None:
    admin = site.client("admin")
    number = admin.get("/cms/v2/pages?slug=my-account").json[0]["id"]
    admin.post(f"/cms/v2/pages/{number}", {"content": "<p>Write to us.</p>"})
    assert shopper.get(ACCOUNT).status == 200
    assert shopper.get(f"{ACCOUNT}orders/").status == 404


def test_signing_out_asks_for_the_nonce_of_its_form(shopper: Shopper) -> None:
    shopper.enter()
    leaving = f"{ACCOUNT}customer-logout/"
    form = read_form(shopper.get(leaving), "account-sign-out")
    assert shopper.send_form(leaving, form, _cmsnonce="0" * 20).status == 403
    assert shopper.names() == "customer"
    copied = dict(shopper.cookies)
    left = shopper.send_form(leaving, form)
    assert "You are signed out." in shopper.land(left).text
    shopper.cookies = copied
    assert shopper.names() == ""
    assert shopper.get(leaving).location == f"{ORIGIN}{ACCOUNT}"


def test_staff_have_an_account_as_well(shopper: Shopper) -> None:
    shopper.enter("editor")
    assert shopper.names() == "editor"
    assert "There are no orders here." in shopper.get(f"{ACCOUNT}orders/").text


@pytest.mark.parametrize("path", ["orders/", "view-order/1/", "downloads/", "edit-address/billing/", "edit-account/"])
def test_visitors_see_nothing_of_an_account(shopper: Shopper, path: str) -> None:
    shown = shopper.get(f"{ACCOUNT}{path}")
    assert ("<h2>Sign in</h2>" in shown.text, 'aria-label="Account"' in shown.text) == (True, False)


def test_a_shop_that_is_not_open_shows_no_part(site: Stand, shopper: Shopper) -> None:
    with site.site.work() as work:
        work.set_option("shop_coming_soon", "yes")
        work.set_option("shop_store_pages_only", "yes")
    for path in ("", "orders/", "lost-password/", "view-order/1/"):
        assert shopper.get(f"{ACCOUNT}{path}").status == 503, path
    assert shopper.post(f"{ACCOUNT}orders/", {"_form": "sign-in"}, origin=ORIGIN).status == 503
    assert shopper.get("/en/").status == 200


# -- blocks on other pages


def write_page(site: Stand, content: str) -> str:
    made = site.client("admin").post(
        "/cms/v2/pages", {"title": "P", "slug": "p", "status": "publish", "content": content}
    )
    assert made.status == 201, made.json
    return "/en/p/"


def test_a_link_to_the_account_is_the_same_for_all(site: Stand, shopper: Shopper) -> None:
    page = write_page(site, '<!-- wp:shop/customer-account {"displayStyle":"icon_only"} /-->')
    shown = shopper.get(page)
    assert f'href="{ORIGIN}{ACCOUNT}"' in shown.text
    assert '<span class="screen-reader-text">My account</span>' in shown.text
    assert shown.headers["cache-control"] != "no-store"
    assert "set-cookie" not in shown.headers


def test_a_link_signs_in_and_leads_back(site: Stand, shopper: Shopper) -> None:
    page = write_page(site, "<!-- wp:loginout /-->")
    shown = shopper.get(page)
    assert shown.headers["cache-control"] != "no-store"
    assert f'href="{ORIGIN}{ACCOUNT}?redirect_to=%2Fen%2Fp%2F"' in shown.text
    entered = shopper.enter(target=f"{ACCOUNT}?redirect_to=%2Fen%2Fp%2F")
    assert entered.location == f"{ORIGIN}{page}"
    assert f'<a href="{ORIGIN}{ACCOUNT}customer-logout/">Log out</a>' in shopper.land(entered).text


def test_a_form_on_a_kept_page_signs_in(site: Stand, shopper: Shopper) -> None:
    page = write_page(site, '<!-- wp:loginout {"displayLoginAsForm":true} /-->')
    assert shopper.get(page).headers["cache-control"] != "no-store"
    wrong = shopper.enter(password="a guess", target=page)
    assert (wrong.status, wrong.headers["cache-control"]) == (403, "no-store")
    assert shopper.enter(target=page).location == f"{ORIGIN}{page}"
    assert shopper.names() == "customer"
