"""Any history of an order: stock, coupon usage and sales counts are right after every step.

The ledger below knows nothing of the program: it records how many items each line took, by
docs/rules/order_statuses.md, 1 and 3 and docs/rules/refunds.md, 1. After a cancellation, every count is as if the order
had never existed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from conftest import Client, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

ORDERS, PRODUCTS, COUPONS = "/shop/v3/orders", "/shop/v3/products", "/shop/v3/coupons"
STATUSES = ("pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed")
SELLING = ("processing", "on-hold", "completed")
PIECES = 50

STEPS = st.one_of(
    st.tuples(st.just("status"), st.sampled_from(STATUSES)),
    st.tuples(st.just("quantity"), st.integers(0, 1), st.integers(0, 6)),
    st.tuples(st.just("line"), st.integers(0, 1), st.integers(1, 4)),
    st.tuples(st.just("back"), st.integers(0, 1), st.integers(1, 3), st.booleans()),
    st.tuples(st.just("coupon"), st.booleans()),
    st.tuples(st.just("trash"), st.sampled_from(STATUSES)),
    st.tuples(st.just("nothing")),
)


@pytest.fixture(scope="module")
def shop(prepared_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("histories")
    (folder / "site.sqlite").write_bytes((prepared_shop / "site.sqlite").read_bytes())
    site = Site(load_profile("second"), Settings(secret="secret of the tests"), folder, durable=False)
    yield Stand(site).client("shop_manager")
    site.close()


@dataclass
class Line:
    """goods: which of the two products. took: how many items it took from the stock."""

    id: int
    goods: int
    quantity: int
    took: int = 0


@dataclass
class Book:
    """The expected counts."""

    lines: list[Line] = field(default_factory=list)
    taken: bool = False
    sold: bool = False
    status: str = ""
    sales: list[int] = field(default_factory=lambda: [0, 0])
    used: bool = False
    has_coupon: bool = True

    def enter(self, status: str) -> None:
        if status in ("processing", "on-hold", "completed"):
            if not self.taken:
                for line in self.lines:
                    line.took = line.quantity
            self.taken = True
            self.count_sales(True)
        if status in ("pending", "cancelled"):
            self.taken = False
            for line in self.lines:
                line.took = 0
        # Only items of an order that was just counting as sold can be cancelled.
        if status == "cancelled" and self.status in SELLING:
            self.count_sales(False)
        self.status = status
        if status in ("pending", "processing", "on-hold", "completed"):
            self.used = True
        if status in ("cancelled", "failed"):
            self.used = False

    def count_sales(self, sold: bool) -> None:
        """Count what the items hold now; intermediate changes of items are not followed."""
        if sold != self.sold:
            self.sold = sold
            for line in self.lines:
                self.sales[line.goods] += line.quantity if sold else -line.quantity

    def write(self, line: Line, quantity: int) -> None:
        if quantity == 0:
            self.lines.remove(line)
            return
        if self.taken:
            line.took -= min(line.quantity - quantity, line.took)
        line.quantity = quantity

    def counts(self) -> list[Any]:
        took = [0, 0]
        for line in self.lines:
            took[line.goods] += line.took
        return [[PIECES - one for one in took], [abs(one) for one in self.sales], int(self.used and self.has_coupon)]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(first=st.sampled_from(STATUSES), steps=st.lists(STEPS, max_size=7))
@example("processing", [("back", 0, 1, True), ("nothing",), ("quantity", 0, 4), ("status", "pending")])
@example("completed", [("quantity", 0, 0), ("line", 0, 2), ("trash", "failed"), ("status", "on-hold")])
@example("on-hold", [("coupon", False), ("status", "failed"), ("coupon", True), ("status", "pending")])
@example("pending", [("status", "failed"), ("coupon", False), ("coupon", True), ("status", "refunded")])
@example("refunded", [("quantity", 0, 1), ("back", 0, 1, False)])
@example("refunded", [("status", "processing"), ("back", 0, 1, False)])
def test_counts_are_those_of_the_order_as_it_is(shop: Client, first: str, steps: list[tuple[Any, ...]]) -> None:
    goods = [
        shop.post(PRODUCTS, {"name": name, "regular_price": "5", "manage_stock": True, "stock_quantity": PIECES})
        .json["id"]
        for name in ("Lamp", "Mug")
    ]  # fmt: skip
    code = f"c{goods[0]}"
    coupon = shop.post(COUPONS, {"code": code, "discount_type": "percent", "amount": "10"}).json["id"]
    given = {
        "status": first, "billing": {"email": "ada@example.com"}, "coupon_lines": [{"code": code}],
        "line_items": [{"product_id": id, "quantity": at + 2} for at, id in enumerate(goods)],
    }  # fmt: skip
    made = shop.post(ORDERS, given)
    assert made.status == 201, made.json
    at = f"{ORDERS}/{made.json['id']}"
    book = Book([Line(one["id"], number, number + 2) for number, one in enumerate(made.json["line_items"])])
    book.enter("pending")
    book.enter(first)
    _same(shop, book, goods, coupon, first)
    for step in steps:
        _do(shop, book, at, goods, code, step)
        _same(shop, book, goods, coupon, step)
    shop.put(at, {"status": "cancelled"})
    book.enter("cancelled")
    assert (book.counts()[0], book.counts()[2]) == ([PIECES, PIECES], 0)
    _same(shop, book, goods, coupon, "the end")


def _do(shop: Client, book: Book, at: str, goods: list[int], code: str, step: tuple[Any, ...]) -> None:
    match step:
        case ("status", status):
            assert shop.put(at, {"status": status}).status == 200
            book.enter(status)
        case ("quantity", number, quantity) if number < len(book.lines):
            line = book.lines[number]
            assert shop.put(at, {"line_items": [{"id": line.id, "quantity": quantity}]}).status == 200
            book.write(line, quantity)
        case ("line", which, quantity):
            answer = shop.put(at, {"line_items": [{"product_id": goods[which], "quantity": quantity}]})
            new = answer.json["line_items"][-1]["id"]
            book.lines.append(Line(new, which, quantity, quantity if book.taken else 0))
        case ("back", number, pieces, restock) if number < len(book.lines):
            line = book.lines[number]
            # Nothing is refunded, so that the order does not become a refunded one by it.
            told = {"id": line.id, "quantity": pieces, "refund_total": 0}
            answer = shop.post(f"{at}/refunds", {"api_refund": False, "api_restock": restock, "line_items": [told]})
            order = shop.get(at).json
            if sum(Decimal(one["total"]) for one in order["refunds"]) + Decimal(order["total"]) < 0:
                # An order that became cheaper after its refund: more was refunded than it costs.
                assert answer.json["code"] == "shop_rest_cannot_create_order_refund", answer.json
                return
            assert answer.status == 201, answer.json
            line.took -= min(pieces, line.took) if restock else 0
            if shop.get(at).json["status"] == "refunded" != book.status:
                # Nothing was left to refund: the order had been refunded as a whole before.
                assert Decimal(order["total"]) + sum(Decimal(one["total"]) for one in order["refunds"]) == 0
                book.enter("refunded")
        case ("coupon", wanted):
            assert shop.put(at, {"coupon_lines": [{"code": code}] if wanted else []}).status == 200
            book.has_coupon = wanted
        case ("trash", status):
            assert shop.delete(at).status == 200
            assert shop.put(at, {"status": status}).status == 200
            book.used = False
            book.count_sales(False)
            book.status = "trash"
            book.enter(status)
        case _:
            assert shop.put(at, {"line_items": [], "shipping": {"country": "IT"}}).status == 200


def _same(shop: Client, book: Book, goods: list[int], coupon: int, step: Any) -> None:
    shown = [shop.get(f"{PRODUCTS}/{id}").json for id in goods]
    uses = shop.get(f"{COUPONS}/{coupon}").json
    found = [
        [one["stock_quantity"] for one in shown], [one["total_sales"] for one in shown], uses["usage_count"],
    ]  # fmt: skip
    assert found == book.counts(), step
    assert len(uses["used_by"]) == uses["usage_count"]
