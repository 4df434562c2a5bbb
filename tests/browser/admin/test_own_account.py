"""The own account in a browser: one-time codes, passkeys of a virtual authenticator, sessions; axe finds nothing."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pyotp
import pytest
from playwright.sync_api import expect

from admin.built import build_administration
from browser.admin.accessibility import find_violations
from browser.conftest import PATIENCE, VETRINA, Served, make_site
from free_port import find_free_port


@pytest.fixture(scope="module")
def named_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site at an address with a name, for which browsers have passkeys."""
    build_administration()
    folder = tmp_path_factory.mktemp("account") / "site"
    password = re.search(r"^ +password +(.+)$", make_site(folder, "init"), re.MULTILINE)
    assert password
    port = find_free_port()
    root = f"http://localhost:{port}"
    process = subprocess.Popen(
        [VETRINA, "serve", "--port", str(port), "--site", str(folder), "--set", f"url={root}"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield Served(root, "admin", password[1], folder)
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.fixture
def window(chromium: Any) -> Iterator[Any]:
    """A window with an authenticator that knows its person."""
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.refused = []
    page.on("console", lambda said: page.refused.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.refused.append(str(error)))
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield page
    context.close()


def enter_password(page: Any, site: Served) -> None:
    page.get_by_label("User name or e-mail address").fill(site.login)
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Any, site: Served) -> None:
    page.goto(f"{site.root}/admin/sign-out")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{site.root}/")


def prove(page: Any, site: Served, button: str) -> None:
    page.get_by_label("Your password").fill(site.password)
    page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()


def test_one_time_codes_from_the_set_up_to_the_second_sign_in(window: Any, named_site: Served) -> None:
    page, site = window, named_site
    page.goto(f"{site.root}/admin/profile")
    assert find_violations(page) == []
    enter_password(page, site)
    page.get_by_role("heading", name="Second factors").wait_for()
    assert find_violations(page) == []
    page.get_by_role("button", name="Set up one-time codes").click()
    prove(page, site, "Go on")
    secret = page.locator(".shown-password").inner_text()
    assert page.get_by_alt_text("The key as a picture").evaluate("one => one.complete && one.naturalWidth > 0")
    assert find_violations(page) == []
    page.get_by_label("Code that the app shows").fill("000000")
    page.get_by_role("button", name="Turn on").click()
    page.get_by_text("The code is wrong").wait_for()
    page.get_by_label("Code that the app shows").fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Turn on").click()
    codes = page.locator(".recovery-codes code")
    codes.first.wait_for()
    shown = codes.all_inner_texts()
    assert len(shown) == 10
    assert find_violations(page) == []
    page.get_by_role("button", name="I have them").click()
    page.get_by_text("10 codes are left").wait_for()
    sign_out(page, site)

    page.goto(f"{site.root}/admin/profile")
    enter_password(page, site)
    page.wait_for_url("**/admin/second-step**")
    assert find_violations(page) == []
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert").first).to_contain_text("The code is wrong")
    assert find_violations(page) == []
    # The next period's code: that of this one was used by the set-up.
    page.get_by_label("Code").fill(pyotp.TOTP(secret).at(time.time() + 30))
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("10 codes are left").wait_for()
    sign_out(page, site)

    page.goto(f"{site.root}/admin/profile")
    enter_password(page, site)
    page.get_by_label("Code").fill(shown[0])
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("9 codes are left").wait_for()
    page.get_by_role("button", name="Turn off one-time codes").click()
    page.get_by_label("Code", exact=True).fill(shown[1])
    prove(page, site, "Turn off")
    page.get_by_role("button", name="Set up one-time codes").wait_for()
    assert not [said for said in page.refused if "403" not in said]


def test_a_passkey_is_added_and_signs_in(window: Any, named_site: Served) -> None:
    page, site = window, named_site
    page.goto(f"{site.root}/admin/profile")
    enter_password(page, site)
    page.get_by_role("button", name="Add a passkey").click()
    prove(page, site, "Go on")
    page.get_by_role("button", name="I have them").click()
    page.get_by_role("button", name=re.compile("Rename Chrome on")).click()
    page.get_by_label("Name", exact=True).last.fill("My laptop")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Remove My laptop").wait_for()
    sign_out(page, site)

    page.goto(f"{site.root}/admin/sign-in?redirect_to=/admin/profile")
    assert find_violations(page) == []
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("heading", name="Second factors").wait_for()
    sign_out(page, site)

    page.goto(f"{site.root}/admin/profile")
    enter_password(page, site)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("heading", name="Second factors").wait_for()
    page.get_by_role("button", name="Remove My laptop").click()
    prove(page, site, "Yes, remove")
    page.get_by_text("The passkey is removed.").wait_for()
    assert not page.refused


def test_other_devices_are_signed_out(chromium: Any, window: Any, named_site: Served) -> None:
    page, site = window, named_site
    page.goto(f"{site.root}/admin/profile")
    enter_password(page, site)
    page.get_by_role("heading", name="Where you are signed in").wait_for()
    other = chromium.new_context(
        locale="en-GB", user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
    )
    try:
        elsewhere = other.new_page()
        elsewhere.goto(f"{site.root}/admin/profile")
        enter_password(elsewhere, site)
        elsewhere.get_by_role("heading", name="Where you are signed in").wait_for()
        page.reload()
        page.get_by_text("Safari on iOS").wait_for()
        page.get_by_role("button", name="Sign out Safari on iOS").first.click()
        page.get_by_text("The device is signed out.").wait_for()
        elsewhere.reload()
        elsewhere.get_by_label("User name or e-mail address").wait_for()
    finally:
        other.close()


def test_without_scripts_the_sign_in_page_has_no_passkeys(chromium: Any, named_site: Served) -> None:
    context = chromium.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{named_site.root}/admin/sign-in")
        expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
        enter_password(page, named_site)
        page.wait_for_url("**/admin/")
    finally:
        context.close()
