"""The screens of the shop in Italian: the texts that the server adds follow the language of the account.

Rules: docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen
from browser.admin.shop import serve_shop
from browser.admin.test_italian_editor import find_english

GROUPS = ("products", "shipping", "account", "email", "email_new_order", "advanced")
STATES = "District of Columbia"  # of countries are not translated


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("italian-shop")) as site:
        yield site


@pytest.fixture
def italian(sign_in: Callable[..., Any]) -> Any:
    """A window of the administrator, whose account is in Italian and whose browser is not."""
    page = sign_in()
    call(page, "PUT", "/wp/v2/users/me", {"locale": "it_IT"})
    return page


def test_the_settings_of_the_shop_speak_italian(italian: Any, admin_site: AdminSite) -> None:
    pages = [one["title"]["rendered"] for one in call(italian, "GET", "/wp/v2/pages?per_page=100&lang=all")]
    open_screen(italian, admin_site, "/shop-settings/general")
    expect(italian.get_by_label("Separatore delle migliaia")).to_be_visible()
    expect(italian.get_by_label("Dove vendi")).to_contain_text("Vendi in tutti i paesi")
    expect(italian.get_by_label("Valuta", exact=True)).to_contain_text("franco svizzero (CHF) — CHF")
    faults = find_english(italian, STATES, within="main")
    for group in GROUPS:
        open_screen(italian, admin_site, f"/shop-settings/{group}")
        italian.locator("form.settings-form section .field, form.settings-form section .check").first.wait_for()
        # What the shop says to its customers is a value.
        settings = call(italian, "GET", f"/wc/v3/settings/{group}")
        said = [one["value"] for one in settings if one["type"] == "textarea" and one["value"]]
        faults += [f"{group}: {one}" for one in find_english(italian, *pages, *said, within="main")]
    assert faults == []
    # What is changed here is saved, and the screen goes on in Italian.
    open_screen(italian, admin_site, "/shop-settings/products")
    italian.get_by_label("Soglia delle scorte basse").fill("4")
    italian.get_by_role("button", name="Salva le impostazioni").click()
    italian.get_by_text("Le impostazioni sono state salvate.").first.wait_for()
    expect(italian.get_by_label("Soglia delle scorte basse")).to_have_value("4")
    assert italian.refused == []


def test_the_own_account_speaks_italian_and_asks_for_nothing_that_screens_keep(
    italian: Any, admin_site: AdminSite
) -> None:
    open_screen(italian, admin_site, "/profile")
    expect(italian.get_by_label("Nome mostrato")).to_be_visible()
    assert find_english(italian, "admin", within="main") == []
    assert "tour" not in italian.locator("main").inner_text()


def test_gateways_shipping_and_findings_speak_italian(italian: Any, admin_site: AdminSite) -> None:
    open_screen(italian, admin_site, "/shop-settings/checkout")
    # What customers read stays as it is; beside it stands what it is.
    row = italian.locator("li", has_text="Cash on delivery")
    expect(row).to_contain_text("Contrassegno")
    row.get_by_text("Impostazioni").click()
    expect(row.get_by_text("I clienti pagano quando arriva la merce.")).to_be_visible()
    expect(row.get_by_label("Istruzioni")).to_be_visible()
    open_screen(italian, admin_site, "/shipping")
    expect(italian.get_by_text("I clienti vedono questo nome alla cassa.").first).to_be_attached()
    expect(italian.get_by_role("heading", name="Ovunque non arrivi un'altra zona")).to_be_visible()
    open_screen(italian, admin_site, "/health")
    expect(italian.get_by_text("Il sito non è servito con HTTPS")).to_be_visible()
    assert italian.refused == []
