"""A shop with demo content, visitors who buy in it by their own interface, and choosing in its screens."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser.admin.conftest import AdminSite, serve_new_site

STORE = "/cms-json/shop/store/v1"
ADDRESS = {
    "first_name": "Greta", "last_name": "Moser", "company": "", "address_1": "Via Roma 1", "address_2": "",
    "city": "Bolzano", "state": "BZ", "postcode": "39100", "country": "IT", "phone": "",
}  # fmt: skip
EMAIL = "greta.moser@example.org"


@contextmanager
def serve_shop(folder: Path) -> Iterator[AdminSite]:
    """Serve a new site of the second profile with its demo content."""
    with serve_new_site(folder / "site", "demo", "second", "--site") as site:
        yield site


class Visitor:
    """Somebody who buys without an account. root: of the site."""

    def __init__(self, root: str) -> None:
        self.root, self.token = root, ""

    def ask(self, path: str, body: Any = None) -> Any:
        """Return what the visitors' interface answers. path: `/cart/add-item`."""
        headers = {"Content-Type": "application/json", **({"Cart-Token": self.token} if self.token else {})}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.root + STORE + path, data, headers)) as answer:
            self.token = answer.headers["Cart-Token"] or self.token
            return json.load(answer)

    def buy(self, product: int, quantity: int = 1, **members: Any) -> int:
        """Buy a product by bank transfer and return the number of the order."""
        self.ask("/cart")
        self.ask("/cart/add-item", {"id": product, "quantity": quantity})
        body = {"payment_method": "bacs", "billing_address": {**ADDRESS, "email": EMAIL}, "shipping_address": ADDRESS}
        return int(self.ask("/checkout", {**body, **members})["order_id"])


def find_product(visitor: Visitor, name: str) -> int:
    """Return the number of a product by its name."""
    return next(int(one["id"]) for one in visitor.ask(f"/products?search={name}") if one["name"] == name)


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
