"""Takes the pictures of README.md and docs/shop-pages.md; VETRINA_PICTURES=1 writes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import serve_new_site

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = {"width": 1000, "height": 860}
LARGEST_BYTES = 150_000


def show_public_page(page: Any, root: str) -> None:
    """Show the home of a site."""
    page.goto(f"{root}/en/")


def show_explorer(page: Any, root: str) -> None:
    """Show a route of the explorer with the answer to a request."""
    page.goto(f"{root}/docs")
    page.wait_for_selector("section h2")
    page.fill("#filter", "GET /cms/v2/types/{type}")
    page.locator("section summary").first.click()
    entry = page.locator("details[open]").first
    entry.locator("input").first.fill("percorso")
    entry.locator("button").first.click()
    page.wait_for_selector("pre[aria-label=Answer]")
    page.evaluate("document.querySelector('details[open]').scrollIntoView()")


def show_catalogue(page: Any, root: str) -> None:
    """Show the catalogue of a shop."""
    page.goto(f"{root}/en/shop/")


def show_product(page: Any, root: str) -> None:
    """Show a product that has to be chosen, and put it into the cart."""
    page.goto(f"{root}/en/product/jacket-of-boiled-wool/")
    for choice in page.locator("select[name^=attribute_]").all():
        choice.select_option(index=1)


def show_cart(page: Any, root: str) -> None:
    """Show the cart with what was chosen before."""
    page.get_by_role("button", name="Add to cart").first.click()
    page.get_by_role("status").wait_for()
    page.goto(f"{root}/en/cart/")


def show_checkout(page: Any, root: str) -> None:
    """Show the checkout of that cart."""
    page.goto(f"{root}/en/checkout/")


def show_order(page: Any, root: str) -> None:
    """Buy what is in that cart, and show the page that follows."""
    fields = {
        "email": "mara@example.org", "first_name": "Mara", "last_name": "Neri", "address_1": "Via Roma 1",
        "postcode": "39100", "city": "Bolzano",
    }  # fmt: skip
    for name, text in fields.items():
        page.fill(f"[name=billing_{name}]", text)
    page.get_by_role("button", name="Place order").click()
    page.get_by_role("heading", name="Order received").wait_for()


Views = dict[str, Callable[[Any, str], None]]
VIEWS: dict[str, Views] = {
    "first": {"public-page": show_public_page, "explorer": show_explorer},
    "second": {
        "shop-catalogue": show_catalogue, "shop-product": show_product, "shop-cart": show_cart,
        "shop-checkout": show_checkout, "shop-order": show_order,
    },
}  # fmt: skip


@pytest.mark.parametrize("profile", VIEWS)
def test_each_picture_can_be_taken_again(chromium: Any, profile: str, tmp_path: Path) -> None:
    context = chromium.new_context(viewport=SIZE, locale="en-GB", color_scheme="light")
    page = context.new_page()
    with serve_new_site(tmp_path / "site", "demo", profile, "--site") as served:
        for name, show in VIEWS[profile].items():
            show(page, served.root)
            page.wait_for_load_state("networkidle")
            picture = page.screenshot()
            assert len(picture) < LARGEST_BYTES, f"{name} shows too much"
            if os.environ.get("VETRINA_PICTURES"):
                (FOLDER / f"{name}.png").write_bytes(picture)
            assert (FOLDER / f"{name}.png").is_file()
    context.close()
