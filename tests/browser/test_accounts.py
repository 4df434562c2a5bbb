"""Accounts in a real browser, on a site without a shop: register by a mail, and sign in by a provider.

Once with scripts and once without; the pages have no faults that a tool finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser.admin.accessibility import AXE, find_violations
from browser.conftest import PATIENCE, Served, serve_new_site
from browser.outbox import read_link
from identity_provider import CLIENT, SECRET, IdentityProvider

PASSWORD = "seven blue cups"
_PROFILE = """
name = "house"
title = "The house"

[accounts]
registration = "confirmed"

[[accounts.providers]]
name = "keys"
label = "Keys"
issuer = "{issuer}"
client_id = "{client}"
create_accounts = true
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    made = IdentityProvider()
    made.person = {"sub": "ada-1", "email": "ada@example.org", "email_verified": True, "name": "Ada Neri"}
    yield made
    made.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, provider: IdentityProvider) -> Iterator[Served]:
    """A site where people register, and sign in by a provider."""
    folder = tmp_path_factory.mktemp("accounts")
    profile = folder / "house.toml"
    profile.write_text(_PROFILE.format(issuer=provider.url, client=CLIENT), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VETRINA_PROVIDER_SECRETS", f"{{ keys = '{SECRET}' }}")
        with serve_new_site(folder / "site", "init", "--profile", str(profile)) as site:
            yield site


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def window(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A small window with scripts or without."""
    context = chromium.new_context(
        locale="en-GB", java_script_enabled=request.param, viewport={"width": 320, "height": 740}
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.scripts = request.param
    yield page
    context.close()


def check_page(page: Any) -> None:
    """Check a page with tools, which need scripts."""
    if page.scripts:
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url
        if AXE.is_file():
            assert find_violations(page) == [], page.url


def wait_until_left(page: Any, path: str) -> None:
    """Wait until the answer to a form or a link has come, which leads elsewhere. path: where it is."""
    page.wait_for_url(lambda url: path not in url)


def is_signed_in(page: Any) -> bool:
    return any(one["name"] == "cms_session" for one in page.context.cookies())


def test_somebody_registers_by_a_mail(house: Served, window: Any) -> None:
    assert house.folder is not None
    name = "bea" if window.scripts else "cleo"
    window.goto(f"{house.root}/admin/sign-in")
    check_page(window)
    window.get_by_role("link", name="Make an account").click()
    check_page(window)
    window.get_by_label("E-mail address").fill(f"{name}@example.org")
    window.locator("form button").first.click()
    window.get_by_text("A mail is on its way.").wait_for()
    window.goto(read_link(house.folder, f"{name}@example.org"))
    check_page(window)
    window.locator("input[name=password]").fill(PASSWORD)
    window.locator("form button").first.click()
    window.get_by_text(f"Your user name is {name}.").wait_for()
    check_page(window)
    window.goto(f"{house.root}/admin/sign-in")
    window.get_by_label("User name or e-mail address").fill(name)
    window.locator("input[name=password]").fill(PASSWORD)
    window.get_by_role("button", name="Sign in", exact=True).click()
    wait_until_left(window, "/admin/sign-in")
    assert is_signed_in(window)


def test_somebody_signs_in_by_a_provider(house: Served, provider: IdentityProvider, window: Any) -> None:
    window.goto(f"{house.root}/admin/sign-in")
    window.get_by_role("link", name="Keys").click()
    wait_until_left(window, "/admin/sign-in")
    window.wait_for_url(f"{house.root}/**")
    assert is_signed_in(window)
    window.goto(f"{house.root}/admin/sign-out")
    window.locator("form button").first.click()
    wait_until_left(window, "/admin/sign-out")
    assert not is_signed_in(window)
    provider.answer = {"error": "access_denied"}
    try:
        window.goto(f"{house.root}/admin/sign-in")
        window.get_by_role("link", name="Keys").click()
        window.get_by_role("alert").wait_for()
        check_page(window)
        assert not is_signed_in(window)
    finally:
        provider.answer = {}
