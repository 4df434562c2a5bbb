"""What the tests of the shop's screens share: a site that sells, and choosing in its screens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from browser.admin.conftest import AdminSite, serve_new_site


@contextmanager
def serve_shop(folders: pytest.TempPathFactory) -> Iterator[AdminSite]:
    """Serve the demo of the second profile."""
    with serve_new_site(folders.mktemp("shop") / "site", "demo", "second", "--site") as site:
        yield site


def choose_product(page: Any, label: str, search: str, *names: str) -> None:
    """Find a product in a search, and choose what it offers then, one after the other."""
    page.get_by_label(label, exact=True).fill(search)
    for name in names:
        page.locator(".found-products").get_by_role("button", name=name).click()


def open_trial(page: Any, product: str, *, postcode: str = "", city: str = "") -> Any:
    """Fill in what a buyer would have, ask what it costs, and return the place of the answer."""
    choose_product(page, "What is bought", product, product)
    page.get_by_label("Postcode", exact=True).fill(postcode)
    page.get_by_label("City", exact=True).fill(city)
    page.get_by_role("button", name="What would it cost?").click()
    return page.locator(".trial-answer")
