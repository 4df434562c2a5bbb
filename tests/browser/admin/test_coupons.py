"""Coupons: made, tried as a buyer would, refused with the reason that a buyer would read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import open_trial, serve_shop


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("shop")) as site:
        yield site


def test_a_coupon_is_made_and_tried(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/coupons")
    admin.get_by_role("link", name="Add", exact=True).click()
    admin.get_by_label("Code", exact=True).fill("lastsummer")
    admin.get_by_label("Amount", exact=True).fill("a fifth")
    expect(admin.get_by_role("button", name="Save the coupon")).to_be_disabled()
    admin.get_by_label("Amount", exact=True).fill("20")
    admin.get_by_role("button", name="Save the coupon").click()
    # The code of another coupon: the refusal stands beside it.
    expect(admin.get_by_label("Code", exact=True)).to_have_attribute("aria-invalid", "true")
    admin.get_by_label("Code", exact=True).fill("AUTUMN")
    admin.get_by_label("Only for these e-mail addresses").fill("*@example.org")
    admin.get_by_label("Times a customer").fill("2")
    admin.get_by_role("button", name="Save the coupon").click()
    admin.get_by_role("heading", name="Try it").wait_for()
    assert find_violations(admin) == []

    stored = call(admin, "GET", "/wc/v3/coupons?code=autumn")[0]
    assert (stored["amount"], stored["usage_limit_per_user"]) == ("20.00", 2)
    assert stored["email_restrictions"] == ["*@example.org"]

    admin.get_by_label("E-mail address of the customer").fill("mara@example.org")
    answer = open_trial(admin, "Bottle")
    expect(answer).to_contain_text("The coupon takes off €4.80.")
    row = answer.get_by_role("row", name="Bottle")
    expect(row).to_contain_text("€24.00")
    expect(row).to_contain_text("€19.20")
    assert find_violations(admin) == []

    admin.get_by_label("E-mail address of the customer").fill("mara@example.com")
    admin.get_by_role("button", name="What would it cost?").click()
    expect(answer).to_contain_text("The coupon was refused:")
    expect(answer).not_to_contain_text("takes off")
    # Nothing was ordered or used, and the cart of the person who tried is empty.
    assert call(admin, "GET", f"/wc/v3/coupons/{stored['id']}")["usage_count"] == 0
    assert call(admin, "GET", "/wc/store/v1/cart")["items"] == []
    assert admin.foreign == []


def test_limits_and_dates_are_taken_away_again(admin: Any, admin_site: AdminSite) -> None:
    made = call(
        admin, "POST", "/wc/v3/coupons",
        {"code": "once", "amount": "5", "usage_limit": 1, "date_expires": "2031-01-01T00:00:00"},
    )  # fmt: skip
    open_screen(admin, admin_site, f"/coupons/{made['id']}")
    admin.get_by_label("Times in all").fill("")
    admin.get_by_label("Good until").fill("")
    admin.get_by_role("button", name="Save the coupon").click()
    admin.get_by_text("The coupon is saved.").wait_for()
    stored = call(admin, "GET", f"/wc/v3/coupons/{made['id']}")
    assert (stored["usage_limit"], stored["date_expires"]) == (None, None)
    # Somebody else is faster. The screen reads the coupon after it was saved, and takes what it reads for known: begin
    # where it has read all.
    open_screen(admin, admin_site, f"/coupons/{made['id']}")
    expect(admin.get_by_label("Code", exact=True)).to_have_value("once")
    admin.get_by_label("Times in all").fill("7")
    call(admin, "POST", f"/wc/v3/coupons/{made['id']}", {"description": "Theirs"})
    admin.get_by_role("button", name="Save the coupon").click()
    admin.get_by_text("Somebody else has saved this meanwhile").wait_for()
    assert call(admin, "GET", f"/wc/v3/coupons/{made['id']}")["usage_limit"] is None
    admin.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("The coupon is saved.").wait_for()
    stored = call(admin, "GET", f"/wc/v3/coupons/{made['id']}")
    assert (stored["usage_limit"], stored["description"]) == (7, "Theirs")


def test_coupons_go_into_the_trash_and_come_back(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/coupons")
    names = ["welcome10", "lastsummer"]
    for name in names:
        admin.get_by_role("row", name=name).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Put into the trash").click()
    admin.get_by_text("2 records are in the trash.").wait_for()
    expect(admin.get_by_role("row", name=names[0])).to_have_count(0)
    admin.get_by_role("button", name="Undo").click()
    for name in names:
        expect(admin.get_by_role("row", name=name)).to_have_count(1)
