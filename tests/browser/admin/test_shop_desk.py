"""The shop in the administration's frame: the dashboard, customers, and who sees what of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import Visitor, find_product, serve_shop

PASSWORD = "a-long-password"


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("desk")) as site:
        yield site


def make_account(page: Any, login: str, role: str) -> None:
    body = {"username": login, "email": f"{login}@example.org", "password": PASSWORD, "roles": [role]}
    call(page, "POST", "/wp/v2/users", body)


def test_the_dashboard_follows_the_shop(admin: Any, admin_site: AdminSite) -> None:
    visitor = Visitor(admin_site.root)
    sales = admin.get_by_role("region", name="Sales of today")
    sales.get_by_text("a week ago, the whole day").wait_for()
    number = visitor.buy(find_product(visitor, "Bottle"))
    _expect_orders_to_handle(admin)
    call(admin, "POST", f"/wc/v3/orders/{number}", {"status": "processing"})
    _expect_sales(admin, sales)
    other = visitor.buy(find_product(visitor, "Bottle"), 2)
    _expect_orders_to_handle(admin)
    call(admin, "POST", f"/wc/v3/orders/{other}", {"status": "completed"})
    _expect_orders_to_handle(admin)
    _expect_sales(admin, sales)
    expect(admin.get_by_role("region", name="Low stock").get_by_role("link", name="Scarf")).to_have_count(1)
    assert admin.refused == []


def _expect_orders_to_handle(page: Any) -> None:
    """Wait until the panel counts the orders that the interface has."""
    totals = call(page, "GET", "/wc/v3/reports/orders/totals")
    count = sum(one["total"] for one in totals if one["slug"] in ("processing", "on-hold"))
    panel = page.get_by_role("region", name="Orders to handle")
    expect(panel.get_by_role("link", name=re.compile("All orders"))).to_have_text(re.compile(rf": {count}$"))


def _expect_sales(page: Any, panel: Any) -> None:
    """Wait until the panel shows what the report says of today."""
    date = page.evaluate(
        "new Intl.DateTimeFormat('sv-SE', {timeZone: JSON.parse(document.getElementById('boot').textContent)"
        ".site.timezone}).format(new Date())"
    )
    query = f"interval=day&after={date}T00:00:00&before={date}T23:59:59"
    totals = call(page, "GET", f"/wc-analytics/reports/revenue/stats?{query}")["totals"]
    expect(panel.locator("li").first).to_contain_text(f"€{totals['total_sales']:,.2f}")
    count = totals["orders_count"]
    expect(panel.locator("li").first).to_contain_text(f"{count} order{'' if count == 1 else 's'}")


def test_a_customer_is_entered_and_changed(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/customers/new")
    account = admin.get_by_role("region", name="Account")
    account.get_by_label("First name").fill("Lia")
    account.get_by_label("E-mail address").fill("lia@example.org")
    account.get_by_label("User name").fill("lia")
    account.get_by_label("Password").first.fill(PASSWORD)
    billing = admin.get_by_role("region", name="Billing address")
    billing.get_by_label("City").fill("Merano")
    billing.get_by_label("Country").select_option("IT")
    admin.get_by_role("button", name="Save").click()
    admin.wait_for_url(re.compile(r"/customers/\d+$"))
    number = int(admin.url.rsplit("/", 1)[1])
    read = call(admin, "GET", f"/wc/v3/customers/{number}")
    assert (read["first_name"], read["billing"]["city"], read["role"]) == ("Lia", "Merano", "customer")
    admin.get_by_text("There are no orders yet.").wait_for()
    account.get_by_label("Last name").fill("Platter")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_role("heading", name="Lia Platter").wait_for()
    open_screen(admin, admin_site, "/customers")
    admin.get_by_role("link", name="Lia Platter").wait_for()


def test_a_taken_mail_address_is_said_beside_its_field(admin: Any, admin_site: AdminSite) -> None:
    taken = call(admin, "GET", "/wc/v3/customers?per_page=1")[0]["email"]
    open_screen(admin, admin_site, "/customers/new")
    account = admin.get_by_role("region", name="Account")
    account.get_by_label("E-mail address").fill(taken)
    admin.get_by_role("button", name="Save").click()
    account.get_by_role("alert").first.wait_for()


def test_what_a_customer_spent_is_what_the_report_says(admin: Any, admin_site: AdminSite) -> None:
    ada = call(admin, "GET", "/wc/v3/customers?search=ada.rossi")[0]["id"]
    (figures,) = call(admin, "GET", f"/wc-analytics/reports/customers?users={ada}")
    open_screen(admin, admin_site, f"/customers/{ada}")
    panel = admin.get_by_role("region", name="Orders")
    expect(panel).to_contain_text(f"€{figures['total_spend']:,.2f}")
    newest = call(admin, "GET", f"/wc/v3/orders?customer={ada}&per_page=1")[0]["number"]
    panel.get_by_role("link", name=f"#{newest}").click()
    admin.get_by_role("heading", name=f"Order #{newest}").wait_for()


def test_a_shop_manager_sees_the_shop_and_no_rights_or_server(
    admin: Any, admin_site: AdminSite, sign_in: Callable[..., Any]
) -> None:
    make_account(admin, "gina", "shop_manager")
    page = sign_in("gina", PASSWORD)
    menu = page.get_by_role("navigation", name="Administration")
    menu.get_by_role("region", name="Shop").get_by_role("link", name="Orders").click()
    page.get_by_role("row").nth(3).wait_for()
    for hidden in ("Settings", "Redirects", "Strings", "People", "Health", "Background jobs", "Backups", "Webhooks"):
        expect(menu.get_by_role("link", name=hidden, exact=True)).to_have_count(0)
    page.get_by_role("row").nth(1).get_by_role("link").first.click()
    page.get_by_role("region", name="Send a mail").wait_for()
    assert page.refused == []
    # Neither the palette nor an address leads where the menu does not.
    for word in ("people", "backups", "health", "settings"):
        page.keyboard.press("Control+k")
        field = page.get_by_role("combobox", name="Search or go to")
        expect(field).to_be_focused()
        page.keyboard.type(word)
        expect(
            page.get_by_role("dialog").get_by_role("option", name=re.compile(f"^{word}$", re.IGNORECASE))
        ).to_have_count(0)
        page.keyboard.press("Escape")
        expect(field).to_have_count(0)
    for path in ("/records/users", "/settings", "/jobs", "/backups", "/health"):
        page.goto(f"{admin_site.root}/admin{path}")
        page.get_by_role("alert").first.wait_for()
        expect(page.locator("main tbody tr")).to_have_count(0)
    open_screen(page, admin_site, "/customers")
    page.get_by_role("row").nth(1).get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem").first.wait_for()
    expect(page.get_by_role("menuitem", name="Remove for good")).to_have_count(0)


def test_a_customer_sees_nothing_of_the_shop(admin: Any, admin_site: AdminSite, chromium: Any) -> None:
    make_account(admin, "carlo", "customer")
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # Who may change nothing is not led into the administration.
    page.goto(f"{admin_site.root}/admin/sign-in")
    page.fill("input[name=login]", "carlo")
    page.fill("input[name=password]", PASSWORD)
    page.click("form[method=post] button")
    page.wait_for_url(lambda url: "sign-in" not in url)
    page.goto(f"{admin_site.root}/admin/")
    menu = page.get_by_role("navigation", name="Administration")
    menu.get_by_role("link", name="Profile").wait_for()
    page.wait_for_load_state("networkidle")
    expect(menu.get_by_role("link", name=re.compile("Orders|Customers|Products|Settings|People"))).to_have_count(0)
    expect(page.locator(".dashboard li")).to_have_count(0)
    assert not [url for url in asked if "/wc" in url or "/changes" in url]
    page.goto(f"{admin_site.root}/admin/orders")
    page.get_by_role("alert").first.wait_for()
    expect(page.locator("main tbody tr")).to_have_count(0)
    context.close()
