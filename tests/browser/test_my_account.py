"""My account in a real browser: register, choose a password by the mail, keep an address, lose the password, sign out.

Once with scripts and once without; the pages have no faults that a tool finds, and fit a small window.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import AXE, find_violations
from browser.conftest import PATIENCE, Served, serve_new_site
from browser.outbox import read_link
from vetrina.cli.site_folder import open_site_folder

PASSWORD, OTHER_PASSWORD = "seven blue cups", "eight green pots"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A shop whose visitors may register."""
    folder = tmp_path_factory.mktemp("account") / "site"
    with serve_new_site(folder, "init", "--profile", "second") as site:
        with open_site_folder(folder) as opened, opened.work() as work:
            work.set_option("shop_enable_myaccount_registration", "yes")
        yield site


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def window(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A small window with scripts or without, which records what the pages' policies refuse."""
    context = chromium.new_context(
        locale="en-GB", java_script_enabled=request.param, viewport={"width": 320, "height": 740}
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.scripts = request.param
    page.refused = []
    page.on("console", lambda message: page.refused.append(message.text) if message.type == "error" else None)
    yield page
    context.close()


def check_page(page: Any) -> None:
    """Check a page with tools, which need scripts."""
    if not page.scripts:
        return
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url
    if AXE.is_file():
        assert find_violations(page) == [], page.url


def fill(page: Any, **fields: str) -> None:
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " "), exact=False).first.fill(text)


def press(page: Any, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name).click()


def expect_notice(page: Any, text: str) -> None:
    expect(page.locator(".site-notice")).to_contain_text(text)


def test_a_customer_looks_after_an_account(window: Any, shop: Served) -> None:
    page, email = window, f"mara{int(window.scripts)}@example.org"
    account = f"{shop.root}/en/my-account/"
    assert shop.folder is not None
    page.goto(account)
    check_page(page)
    page.locator("form:has(button:text('Register'))").get_by_label("E-mail address").fill(email)
    began = time.time() - 2
    press(page, "Register")
    expect_notice(page, "A mail is on its way to the address. It says how to go on.")
    page.goto(read_link(shop.folder, email, since=began))
    check_page(page)
    fill(page, New_password=PASSWORD)
    press(page, "Save the password")
    expect_notice(page, "Your new password is saved.")
    check_page(page)

    page.get_by_role("navigation", name="Account").get_by_role("link", name="Addresses").click()
    check_page(page)
    page.get_by_role("link", name="Change – Billing address").click()
    fill(page, First_name="Mara", Last_name="Neri", Street_address="Via Roma 1", Postcode="4789", City="Rimini")
    page.get_by_label("Country / Region").select_option("IT")
    press(page, "Save the address")
    expect(page.get_by_role("alert")).to_have_text("The address is not complete.")
    check_page(page)
    fill(page, Postcode="47890")
    page.get_by_label("State / Province").select_option("RN")
    press(page, "Save the address")
    expect_notice(page, "The address is saved.")
    expect(page.get_by_role("main")).to_contain_text("47890 Rimini")

    for part in ("Orders", "Downloads", "Account details", "Sign out"):
        page.get_by_role("navigation", name="Account").get_by_role("link", name=part).click()
        expect(page.locator("[aria-current=page]")).to_have_text(part)
        check_page(page)
    press(page, "Sign out")
    expect_notice(page, "You are signed out.")

    page.get_by_role("link", name="Lost your password?").click()
    check_page(page)
    fill(page, User_name=email)
    asked = time.time() - 0.5
    press(page, "Send the link")
    expect_notice(page, "If there is such an account")
    page.goto(read_link(shop.folder, email, since=asked))
    fill(page, New_password=OTHER_PASSWORD)
    press(page, "Save the password")
    expect_notice(page, "Your new password is saved.")
    page.goto(f"{account}customer-logout/")
    press(page, "Sign out")
    expect_notice(page, "You are signed out.")
    page.goto(f"{account}orders/")
    fill(page, User_name=email, Password=OTHER_PASSWORD)
    press(page, "Sign in")
    expect(page.get_by_role("heading", name="Orders")).to_have_count(1)
    assert [one for one in page.refused if "400" not in one] == []
