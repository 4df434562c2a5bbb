"""The screens of the catalogue, on a desktop and on a phone, light and dark; their pictures as in test_screens.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.shop import serve_shop
from browser.admin.test_screens import DESKTOP, PHONE, check_screens

# As in test_screens.py; a number of a record stands where `{...}` names how it is found.
SCREENS = {
    "products": ("/products", "Notebooks with a crooked seam"),
    "product": ("/products/{product}", "Save the variations"),
    "product-import": ("/products/import", "A CSV file with headings"),
    "attributes": ("/attributes", "pa_size"),
    "coupons": ("/coupons", "lastsummer"),
    "coupon": ("/coupons/{coupon}", "What would it cost"),
    "taxes": ("/taxes", "Save the rates"),
    "shipping": ("/shipping", "Post to Europe"),
    "shop-settings": ("/shop-settings/general", "Postcode / ZIP"),
    "payments": ("/shop-settings/checkout", "Cash on delivery"),
}


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_shop(tmp_path_factory.mktemp("shop")) as site:
        yield site


@pytest.mark.parametrize(
    ("size", "themes"), [(DESKTOP, ("light",)), (PHONE, ("dark", "light"))], ids=["desktop", "phone"]
)
def test_every_screen_of_the_catalogue_shows_what_it_has_and_reads_well(
    sign_in: Any, admin_site: AdminSite, size: dict[str, int], themes: tuple[str, ...]
) -> None:
    page = sign_in(viewport=size)
    numbers = {
        "product": call(page, "GET", "/wc/v3/products?sku=SCK")[0]["id"],
        "coupon": call(page, "GET", "/wc/v3/coupons?code=welcome10")[0]["id"],
    }
    screens = {name: (path.format(**numbers), text) for name, (path, text) in SCREENS.items()}
    check_screens(page, admin_site, screens, size, themes)
