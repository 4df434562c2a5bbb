"""After any sequence of statuses, stock, coupon usage and sales counts are as if only the last one had been set.

Statuses without an effect (docs/rules/order_statuses.md, 1) keep that of the status before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from conftest import Client, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"
STATUSES = ("pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed")
SELLING = ("processing", "on-hold", "completed")
PIECES, BOUGHT = 100, 3


@pytest.fixture(scope="module")
def manager_of_all(prepared_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("sequences")
    (folder / "site.sqlite").write_bytes((prepared_shop / "site.sqlite").read_bytes())
    site = Site(load_profile("second"), Settings(secret="secret of the tests"), folder, durable=False)
    yield Stand(site).client("shop_manager")
    site.close()


class Book:
    """The expected counts after each status."""

    def __init__(self) -> None:
        self.taken = self.sold = self.used = False
        self.status = ""

    def enter(self, status: str) -> None:
        if status in ("processing", "on-hold", "completed"):
            self.taken = self.sold = True
        if status in ("pending", "cancelled"):
            self.taken = False
        # Only items of an order that was just counting as sold can be cancelled.
        if status == "cancelled" and self.status in SELLING:
            self.sold = False
        self.status = status
        if status in ("pending", "processing", "on-hold", "completed"):
            self.used = True
        if status in ("cancelled", "failed"):
            self.used = False


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(first=st.sampled_from(STATUSES), then=st.lists(st.sampled_from(STATUSES), max_size=8))
@example(first="pending", then=["processing", "refunded", "pending", "completed"])
@example(first="completed", then=["failed", "cancelled", "on-hold"])
def test_counts_follow_the_status(manager_of_all: Client, first: str, then: list[str]) -> None:
    client = manager_of_all
    made = {"name": "Lamp", "regular_price": "5", "manage_stock": True, "stock_quantity": PIECES}
    id = client.post(PRODUCTS, made).json["id"]
    coupon = client.post("/shop/v3/coupons", {"code": f"c{id}", "discount_type": "percent", "amount": "10"}).json["id"]
    order = client.post(
        ORDERS,
        {
            "status": first,
            "billing": {"email": "ada@example.com"},
            "line_items": [{"product_id": id, "quantity": BOUGHT}],
            "coupon_lines": [{"code": f"c{id}"}],
        },
    )
    assert order.status == 201, order.json
    book = Book()
    book.enter("pending")
    book.enter(first)
    _same(client, book, id, coupon, first)
    for status in then:
        answer = client.put(f"{ORDERS}/{order.json['id']}", {"status": status})
        assert (answer.status, answer.json["status"]) == (200, status)
        book.enter(status)
        _same(client, book, id, coupon, status)
    assert client.delete(f"{ORDERS}/{order.json['id']}", query={"force": "true"}).status == 200
    shown, uses = client.get(f"{PRODUCTS}/{id}").json, client.get(f"/shop/v3/coupons/{coupon}").json
    assert (shown["total_sales"], uses["usage_count"], uses["used_by"]) == (0, 0, [])
    assert shown["stock_quantity"] == PIECES - (BOUGHT if book.taken else 0)


def _same(client: Client, book: Book, id: int, coupon: int, status: str) -> None:
    shown: Any = client.get(f"{PRODUCTS}/{id}").json
    uses = client.get(f"/shop/v3/coupons/{coupon}").json
    assert shown["stock_quantity"] == PIECES - (BOUGHT if book.taken else 0), status
    assert shown["total_sales"] == (BOUGHT if book.sold else 0), status
    assert uses["usage_count"] == len(uses["used_by"]) == int(book.used), status
