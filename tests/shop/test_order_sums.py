"""Totals of any order are the sums of its parts, with every rounding of taxes, discounts and shipping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from conftest import Client, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

ORDERS = "/shop/v3/orders"
CENT = Decimal("0.01")


@dataclass
class Shop:
    """A shop with products in two tax classes and a coupon of each type."""

    client: Client
    goods: dict[tuple[str, str], int]

    def set(self, name: str, value: str, group: str = "tax") -> None:
        answer = self.client.put(f"/shop/v3/settings/{group}/{name}", {"value": value})
        assert answer.status == 200, answer.json

    def product(self, price: str, tax_class: str) -> int:
        known = self.goods.get((price, tax_class))
        if known is None:
            given = {"name": f"{price} {tax_class}", "regular_price": price, "tax_class": tax_class}
            known = self.goods[price, tax_class] = int(self.client.post("/shop/v3/products", given).json["id"])
        return known


@pytest.fixture(scope="module")
def shop(prepared_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("sums")
    (folder / "site.sqlite").write_bytes((prepared_shop / "site.sqlite").read_bytes())
    site = Site(load_profile("second"), Settings(secret="secret of the tests"), folder, durable=False)
    client = Stand(site).client("shop_manager")
    shop = Shop(client, {})
    shop.set("shop_calc_taxes", "yes", "general")
    for rate in (
        {"country": "IT", "rate": "22", "name": "IVA", "priority": 1},
        {"country": "IT", "rate": "1.375", "name": "Local", "priority": 2},
        {"country": "IT", "rate": "3", "name": "On top", "priority": 3, "compound": True, "shipping": False},
        {"country": "IT", "rate": "10.5", "name": "Less", "class": "reduced-rate"},
        {"country": "US", "state": "CA", "rate": "8.875", "name": "Base"},
    ):
        assert client.post("/shop/v3/taxes", rate).status == 201
    for code, kind, amount in (
        ("percent", "percent", "12.5"), ("cart", "fixed_cart", "7.77"), ("piece", "fixed_product", "1.11"),
        ("all", "percent", "100"),
    ):  # fmt: skip
        given = {"code": code, "discount_type": kind, "amount": amount}
        assert client.post("/shop/v3/coupons", given).status == 201
    yield shop
    site.close()


amounts = st.one_of(
    st.sampled_from(["0", "0.01", "0.05", "0.99", "10", "14.90", "19.995", "119", "0.333333"]),
    st.decimals("0", "900", places=2).map(str),
)
lines = st.lists(
    st.tuples(amounts, st.sampled_from(["", "reduced-rate", "zero-rate"]), st.integers(1, 7)), min_size=0, max_size=5
)
charges = st.lists(amounts, max_size=2)
coupons = st.lists(st.sampled_from(["percent", "cart", "piece", "all"]), max_size=3, unique=True)
places = st.sampled_from([("IT", ""), ("US", "CA"), ("DE", "")])

# The rates of the fixture as percentages by country and class; the last of Italy's is compound.
PLAIN = {("IT", ""): ("22", "1.375"), ("IT", "reduced-rate"): ("10.5",), ("US", ""): ("8.875",)}
ON_TOP = {("IT", ""): "3"}


def tax_of(country: str, tax_class: str, net: Decimal) -> Decimal:
    """Return the tax of an amount without tax, not rounded, computed from the rates alone."""
    plain = sum((net * Decimal(rate) / 100 for rate in PLAIN.get((country, tax_class), ())), Decimal(0))
    return plain + (net + plain) * Decimal(ON_TOP.get((country, tax_class), "0")) / 100


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    inclusive=st.booleans(), at_end=st.booleans(), lines=lines, fees=charges, sent=charges, coupons=coupons,
    place=places, decimals=st.sampled_from([0, 2, 2, 3]),
)  # fmt: skip
@example(
    inclusive=True, at_end=False, decimals=2, lines=[("119", "", 1), ("14.90", "", 3)], fees=["0.05"], sent=["4.99"],
    coupons=["percent", "cart"], place=("IT", ""),
)  # fmt: skip
@example(
    inclusive=False, at_end=True, decimals=0, lines=[("10", "", 4)], fees=[], sent=["0.333333", "2.24"], coupons=[],
    place=("IT", ""),
)  # fmt: skip
def test_the_parts_of_an_order_are_its_total(
    shop: Shop, inclusive: bool, at_end: bool, lines: Any, fees: Any, sent: Any, coupons: Any, place: Any, decimals: int
) -> None:
    shop.set("shop_price_num_decimals", str(decimals), "general")
    shop.set("shop_prices_include_tax", "yes" if inclusive else "no")
    shop.set("shop_tax_round_at_subtotal", "yes" if at_end else "no")
    country, state = place
    answer = shop.client.post(
        ORDERS,
        {
            "billing": {"country": country, "state": state},
            "shipping": {"country": country, "state": state},
            "line_items": [
                {"product_id": shop.product(price, kind), "quantity": quantity} for price, kind, quantity in lines
            ],
            "fee_lines": [{"name": "Fee", "total": amount} for amount in fees],
            "shipping_lines": [{"method_id": "flat_rate", "method_title": "Post", "total": amount} for amount in sent],
            "coupon_lines": [{"code": code} for code in coupons] if lines else [],
        },
    )
    assert answer.status == 201, answer.json
    at = f"{ORDERS}/{answer.json['id']}"
    shown = shop.client.get(at).json
    assert {**shown, "_links": 0} == {**answer.json, "_links": 0}
    _check(shown, decimals, exact=not at_end)
    _check_against_rates(shop.client.get(at, query={"dp": "6"}).json, country, decimals, at_end=at_end)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(lines=lines.filter(bool), at_end=st.booleans())
def test_prices_that_include_tax_are_what_is_paid_at_home(shop: Shop, lines: Any, at_end: bool) -> None:
    shop.set("shop_price_num_decimals", "2", "general")
    shop.set("shop_prices_include_tax", "yes")
    shop.set("shop_tax_round_at_subtotal", "yes" if at_end else "no")
    told = [{"product_id": shop.product(price, kind), "quantity": quantity} for price, kind, quantity in lines]
    order = shop.client.post(ORDERS, {"billing": {"country": "US", "state": "CA"}, "line_items": told}).json
    paid = sum(Decimal(price) * quantity for price, _, quantity in lines)
    # A price has six decimals without its tax; by that, and by its own rounding, an item may lose a cent.
    assert abs(Decimal(order["total"]) - paid) <= Decimal("0.01") * len(lines)


def _check(order: Any, decimals: int, *, exact: bool) -> None:
    """Check the displayed values. exact: each part is rounded, so that no part of a cent may be missing."""
    goods, fees, sent = (order[name] for name in ("line_items", "fee_lines", "shipping_lines"))
    unit = Decimal(1).scaleb(-decimals)
    parts = [Decimal(one["total"]) for one in (*goods, *fees, *sent)]
    taxes = [Decimal(one["total_tax"]) for one in (*goods, *fees, *sent)]
    total, total_tax = Decimal(order["total"]), Decimal(order["total_tax"])
    assert all(amount == amount.quantize(unit) for amount in (*parts, *taxes, total, total_tax))
    # Where the shop rounds at the end, the displayed part is rounded by itself, by half a unit at most.
    # Amounts that a client set for fees and shipping keep their parts in either case.
    slack = unit / 2 * (len(fees) + len(sent) if exact else len(parts) + 1)
    assert abs(sum(parts) + total_tax - total) <= slack
    assert abs(sum(taxes) - total_tax) <= (0 if exact else unit / 2 * (len(taxes) + 1))
    cart, shipping = Decimal(order["cart_tax"]), Decimal(order["shipping_tax"])
    assert abs(cart + shipping - total_tax) <= (0 if exact else unit)
    saved = sum(Decimal(one["subtotal"]) - Decimal(one["total"]) for one in goods)
    assert abs(saved - Decimal(order["discount_total"])) <= unit * (len(goods) + 1)
    assert all(Decimal(0) <= Decimal(one["total"]) <= Decimal(one["subtotal"]) for one in goods)
    for one in goods:
        piece = Decimal(str(one["price"])) * one["quantity"]
        assert abs(piece - Decimal(one["total"])) <= unit / 2 + Decimal("0.000000001")


def _check_against_rates(order: Any, country: str, decimals: int, *, at_end: bool) -> None:
    """Check an order with all its decimals against the rates themselves."""
    unit, least = Decimal(1).scaleb(-decimals), Decimal("0.000004")
    goods, fees, sent = (order[name] for name in ("line_items", "fee_lines", "shipping_lines"))
    net, tax = Decimal(0), Decimal(0)
    for one in (*goods, *fees, *sent):
        own, told = Decimal(one["total"]), Decimal(one["total_tax"])
        each = sum(Decimal(found["total"] or 0) for found in one["taxes"])
        if one in sent:
            # One of Italy's rates is not for shipping, and the class is that of the products.
            assert each <= own
        else:
            assert abs(each - tax_of(country, one["tax_class"], own)) <= least
        assert abs(told - each) <= (least if at_end else unit / 2 * max(1, len(one["taxes"])))
        net, tax = net + own, tax + told
    assert abs(tax - Decimal(order["cart_tax"]) - Decimal(order["shipping_tax"])) <= least * (len(goods) + 4)
    assert abs(Decimal(order["total_tax"]) - tax) <= (unit if at_end else least)
    # Where each part is rounded, so is its net amount before it is added; the displayed values add up exactly.
    # Both taxes, and the cost of each shipping method, are rounded before they are added, in either case.
    parts = (3 if at_end else len(goods) + len(fees) + 1) + len(sent)
    assert abs(net + tax - Decimal(order["total"])) <= unit / 2 * parts + least * (len(goods) + 4)
    lines = sum(Decimal(one["tax_total"]) + Decimal(one["shipping_tax_total"]) for one in order["tax_lines"])
    assert abs(lines - tax) <= (least * (len(goods) + 4) if at_end else unit / 2 * len(order["tax_lines"]))


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    price=st.decimals("0.01", "50", places=2).map(str),
    quantity=st.integers(1, 4),
    wanted=st.lists(st.one_of(st.decimals("-5", "120", places=2), st.decimals("0", "20", places=4)), max_size=6),
)
def test_refunds_never_exceed_what_was_paid(shop: Shop, price: str, quantity: int, wanted: Any) -> None:
    shop.set("shop_price_num_decimals", "2", "general")
    shop.set("shop_prices_include_tax", "no")
    shop.set("shop_tax_round_at_subtotal", "no")
    line = {"product_id": shop.product(price, ""), "quantity": quantity}
    order = shop.client.post(ORDERS, {"set_paid": True, "billing": {"country": "IT"}, "line_items": [line]}).json
    path, left = f"{ORDERS}/{order['id']}", Decimal(order["total"])
    for amount in wanted:
        answer = shop.client.post(f"{path}/refunds", {"amount": str(amount), "api_refund": False})
        amount = amount.quantize(CENT, ROUND_HALF_UP)
        assert (answer.status == 201) == (0 <= amount <= left), (amount, left, answer.json)
        left -= amount if answer.status == 201 else 0
    shown = shop.client.get(path).json
    assert -sum(Decimal(one["total"]) for one in shown["refunds"]) == Decimal(order["total"]) - left
    assert shown["total"] == order["total"]
    assert (shown["status"] == "refunded") == (left == 0)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    price=st.decimals("0.01", "50", places=2).map(str),
    wanted=st.lists(
        st.tuples(
            st.integers(0, 1), st.integers(0, 3), st.decimals("0", "60", places=3), st.decimals("0", "9", places=3)
        ),
        max_size=5,
    ),
)
def test_refunds_by_lines_never_exceed_what_was_paid(shop: Shop, price: str, wanted: Any) -> None:
    shop.set("shop_price_num_decimals", "2", "general")
    shop.set("shop_prices_include_tax", "no")
    shop.set("shop_tax_round_at_subtotal", "no")
    line = {"product_id": shop.product(price, ""), "quantity": 3}
    order = shop.client.post(ORDERS, {"set_paid": True, "billing": {"country": "IT"}, "line_items": [line, line]}).json
    path, total, back = f"{ORDERS}/{order['id']}", Decimal(order["total"]), Decimal(0)
    rate = order["line_items"][0]["taxes"][0]["id"]
    for which, pieces, amount, tax in wanted:
        told = {"id": order["line_items"][which]["id"], "quantity": pieces, "refund_total": float(amount),
                "refund_tax": [{"id": rate, "refund_total": float(tax)}]}  # fmt: skip
        answer = shop.client.post(f"{path}/refunds", {"api_refund": False, "line_items": [told]})
        asked = (amount + tax).quantize(CENT, ROUND_HALF_UP)
        assert (answer.status == 201) == (asked <= total - back), (asked, total - back, answer.json)
        if answer.status == 201:
            assert Decimal(answer.json["amount"]) == asked
            back += asked
    shown = shop.client.get(path).json
    assert -sum(Decimal(one["total"]) for one in shown["refunds"]) == back <= total
    assert (shown["status"] == "refunded") == (back == total)
