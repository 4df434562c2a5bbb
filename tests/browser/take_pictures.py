"""Take the pictures of README.md and docs/shop-pages.md.

`PYTHONPATH=src:tests python tests/browser/take_pictures.py` writes them into docs/pictures. They show a site as
`make serve` makes it; look at them before they are committed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from browser.conftest import CHROMIUM
from served import Server
from vetrina.cli import main

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


def take_pictures(page: Any, root: str, views: Views) -> None:
    """Write a picture of each view. Raises SystemExit for one that is too large."""
    for name, show in views.items():
        show(page, root)
        page.wait_for_load_state("networkidle")
        target = FOLDER / f"{name}.png"
        page.screenshot(path=target)
        size = target.stat().st_size
        print(f"{target.name}: {size} bytes")
        if size > LARGEST_BYTES:
            raise SystemExit(f"{target.name} is larger than {LARGEST_BYTES} bytes; show less")


if __name__ == "__main__":
    for profile, views in VIEWS.items():
        with tempfile.TemporaryDirectory(prefix="vetrina-pictures-") as place:
            folder = Path(place) / "site"
            main(["demo", profile, "--site", str(folder)], standalone_mode=False)
            with Server(folder) as server, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                context = browser.new_context(viewport=SIZE, locale="en-GB", color_scheme="light")
                take_pictures(context.new_page(), f"http://{server.host}:{server.port}", views)
                browser.close()
