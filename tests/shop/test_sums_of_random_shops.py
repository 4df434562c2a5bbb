"""A shop with any settings and rates, orders created, changed and refunded: totals are sums, reports match the orders.

Not here: the right totals (test_order_sums.py computes taxes from the rates; tests/contract replays recordings).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from conftest import Client, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

from .plain_reports import LEFT_OUT

ORDERS, TAXES, COUPONS = "/shop/v3/orders", "/shop/v3/taxes", "/shop/v3/coupons"
STATS = "/shop-analytics/reports/orders/stats"
MILLIONTH = Decimal("0.000001")
CODES = {"less": ("percent", "12.5"), "cart": ("fixed_cart", "7.77"), "each": ("fixed_product", "1.11"),
         "all": ("percent", "100")}  # fmt: skip

Order = dict[str, Any]


@dataclass(frozen=True)
class Rate:
    """A tax rate of a shop."""

    rate: str
    priority: int
    compound: bool
    shipping: bool
    tax_class: str
    country: str

    def given(self) -> dict[str, Any]:
        return {
            "rate": self.rate, "priority": self.priority, "compound": self.compound, "shipping": self.shipping,
            "class": self.tax_class or "standard", "country": self.country, "name": f"R{self.priority}",
        }  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """The settings of a shop's totals."""

    inclusive: bool
    at_end: bool
    decimals: int
    sequential: bool
    based_on: str
    rates: tuple[Rate, ...]

    @property
    def unit(self) -> Decimal:
        return Decimal(1).scaleb(-self.decimals)


@dataclass
class Shop:
    """A shop, with its current contents."""

    client: Client
    goods: dict[tuple[str, str, str], int] = field(default_factory=dict)
    set_to: dict[str, str] = field(default_factory=dict)
    taxes: list[int] = field(default_factory=list)
    held: tuple[Rate, ...] = ()

    def follow(self, rules: Rules) -> None:
        """Change the settings of the shop."""
        for group, name, value in (
            ("general", "shop_calc_taxes", "yes"), ("general", "shop_price_num_decimals", str(rules.decimals)),
            ("general", "shop_calc_discounts_sequentially", _word(rules.sequential)),
            ("tax", "shop_prices_include_tax", _word(rules.inclusive)), ("tax", "shop_tax_based_on", rules.based_on),
            ("tax", "shop_tax_round_at_subtotal", _word(rules.at_end)),
        ):  # fmt: skip
            if self.set_to.get(name) != value:
                answer = self.client.put(f"/shop/v3/settings/{group}/{name}", {"value": value})
                assert answer.status == 200, answer.json
                self.set_to[name] = value
        if rules.rates != self.held:
            told = {"create": [one.given() for one in rules.rates], "delete": self.taxes}
            made = self.client.post(f"{TAXES}/batch", told).json
            self.taxes, self.held = [one["id"] for one in made.get("create", ())], rules.rates
            assert all(self.taxes)

    def product(self, price: str, tax_class: str, tax_status: str) -> int:
        """Return the id of a product, created where there is none."""
        known = self.goods.get((price, tax_class, tax_status))
        if known is None:
            told = {"name": f"At {price}", "regular_price": price, "tax_class": tax_class, "tax_status": tax_status}
            known = int(self.client.post("/shop/v3/products", told).json["id"])
            self.goods[price, tax_class, tax_status] = known
        return known


def _word(value: bool) -> str:
    return "yes" if value else "no"


@pytest.fixture(scope="module")
def shop(prepared_shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("random_shops")
    (folder / "site.sqlite").write_bytes((prepared_shop / "site.sqlite").read_bytes())
    site = Site(load_profile("second"), Settings(secret="secret of the tests"), folder, durable=False)
    client = Stand(site).client("shop_manager")
    for code, (kind, amount) in CODES.items():
        assert client.post(COUPONS, {"code": code, "discount_type": kind, "amount": amount}).status == 201
    # Otherwise unpaid orders are in no report.
    by_date = {"value": "date_created"}
    assert client.put("/shop/v3/settings/shop_admin/shop_date_type", by_date).status == 200
    yield Shop(client)
    site.close()


prices = st.one_of(
    st.sampled_from(["0", "0.01", "0.05", "0.99", "7.5", "10", "14.90", "19.995", "119", "1234.56"]),
    st.decimals("0", "900", places=2).map(str),
)
classes = st.sampled_from(["", "", "reduced-rate", "zero-rate"])
rates = st.builds(
    Rate, rate=st.sampled_from(["0", "3", "7.7", "10", "20", "22", "33.3333"]), priority=st.integers(1, 3),
    compound=st.booleans(), shipping=st.booleans(), tax_class=classes, country=st.sampled_from(["", "IT", "US"]),
)  # fmt: skip
rules = st.builds(
    Rules, inclusive=st.booleans(), at_end=st.booleans(), decimals=st.sampled_from([0, 2, 3]), sequential=st.booleans(),
    based_on=st.sampled_from(["shipping", "billing", "base"]), rates=st.lists(rates, max_size=4).map(tuple),
)  # fmt: skip
goods = st.tuples(prices, classes, st.sampled_from(["taxable", "taxable", "shipping", "none"]))
fees = st.tuples(st.one_of(prices, st.decimals("-9", "0", places=2).map(str)), classes)
orders = st.fixed_dictionaries({
    "lines": st.lists(st.tuples(goods, st.integers(1, 7)), min_size=1, max_size=4),
    "fees": st.lists(fees, max_size=2), "sent": st.lists(prices, max_size=2),
    "coupons": st.lists(st.sampled_from(sorted(CODES)), max_size=3, unique=True),
    "billing": st.sampled_from(["IT", "US", ""]), "shipping": st.sampled_from(["IT", "DE", ""]),
    "status": st.sampled_from(["pending", "on-hold", "processing", "completed"]),
})  # fmt: skip
changes = st.lists(
    st.one_of(
        st.tuples(st.just("quantity"), st.integers(0, 5)),
        st.tuples(st.just("price"), prices),
        st.tuples(st.just("fee"), fees),
        st.tuples(st.just("move"), st.sampled_from(["IT", "US", "DE"])),
        st.tuples(st.just("coupons"), st.lists(st.sampled_from(sorted(CODES)), max_size=2, unique=True)),
        st.tuples(st.just("status"), st.sampled_from(["completed", "cancelled", "processing", "refunded"])),
        st.tuples(st.just("refund"), st.decimals("-0.1", "1.2", places=2)),
        st.tuples(st.just("refund line"), st.decimals("0", "1.2", places=2)),
    ),
    max_size=4,
)


@settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rules=rules, lives=st.lists(st.tuples(orders, changes), min_size=1, max_size=2))
def test_parts_are_sums_and_reports_are_those_of_the_orders(shop: Shop, rules: Rules, lives: Any) -> None:
    shop.follow(rules)
    numbers = []
    try:
        for told, later in lives:
            numbers.append(_made(shop, told))
            _check(shop, rules, numbers[-1], by_hand=False)
            by_hand = False
            for kind, value in later:
                by_hand = by_hand or kind in ("price", "quantity")
                _change(shop, rules, numbers[-1], kind, value)
                _check(shop, rules, numbers[-1], by_hand=by_hand)
        _check_report(shop, rules, numbers)
    finally:
        # So that the reports contain the sales of the next example only.
        shop.client.post(f"{ORDERS}/batch", {"delete": numbers})


def _made(shop: Shop, told: Any) -> int:
    answer = shop.client.post(ORDERS, {
        "status": told["status"],
        "billing": {"country": told["billing"]}, "shipping": {"country": told["shipping"]},
        "line_items": [{"product_id": shop.product(*one), "quantity": many} for one, many in told["lines"]],
        "fee_lines": [_fee(one) for one in told["fees"]],
        "shipping_lines": [{"method_id": "flat_rate", "method_title": "Post", "total": cost} for cost in told["sent"]],
        "coupon_lines": [{"code": code} for code in told["coupons"]],
    })  # fmt: skip
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _fee(told: tuple[str, str]) -> dict[str, str]:
    total, tax_class = told
    return {"name": "Fee", "total": total, "tax_class": tax_class}


def _change(shop: Shop, rules: Rules, number: int, kind: str, value: Any) -> None:
    path = f"{ORDERS}/{number}"
    order = shop.client.get(path).json
    lines = order["line_items"]
    if order["refunds"] and kind not in ("status", "refund", "refund line"):
        return None  # refunds stay, whatever the order costs now
    match kind:
        case "quantity" | "price" | "refund line" if not lines:
            return None
        case "quantity":
            told: dict[str, Any] = {"line_items": [{"id": lines[-1]["id"], "quantity": value}]}
        case "price":
            told = {"line_items": [{"id": lines[0]["id"], "subtotal": value, "total": value}]}
        case "fee":
            told = {"fee_lines": [_fee(value)]}
        case "move":
            told = {"shipping": {"country": value}, "billing": {"country": value}, "line_items": []}
        case "coupons":
            told = {"coupon_lines": [{"code": code} for code in value]}
        case "status":
            told = {"status": value}
        case _:
            return _refund(shop, rules, number, kind, value)
    answer = shop.client.put(path, told)
    assert answer.status == 200, answer.json
    return None


def _refund(shop: Shop, rules: Rules, number: int, kind: str, share: Decimal) -> None:
    """Refund a share of an order or of its first item, which is refused where it exceeds the rest."""
    path = f"{ORDERS}/{number}"
    order = shop.client.get(path, query={"dp": 6}).json
    left = _left(order)
    of = order["line_items"][0] if kind == "refund line" else order
    asked = (Decimal(of["total"]) * share).quantize(min(rules.unit, Decimal("0.01")), ROUND_HALF_UP)
    told: dict[str, Any] = {"amount": str(asked)}
    if kind == "refund line":
        told = {"line_items": [{"id": of["id"], "quantity": 1, "refund_total": float(asked)}]}
    answer = shop.client.post(f"{path}/refunds", {"api_refund": False, **told})
    assert (answer.status == 201) == (0 <= asked <= left), (asked, left, answer.json)
    back = _left(shop.client.get(path, query={"dp": 6}).json)
    assert back == (left - asked if answer.status == 201 else left)


def _left(order: Order) -> Decimal:
    return Decimal(order["total"]) + sum(Decimal(one["total"]) for one in order["refunds"])


def _check(shop: Shop, rules: Rules, number: int, *, by_hand: bool) -> None:
    """Check the sums of an order with all its decimals.

    by_hand: whether its lines are others than those that its coupons were for.
    """
    order = shop.client.get(f"{ORDERS}/{number}", query={"dp": 6}).json
    _check_figures(order, rules)
    _check_taxes(order, rules)
    if not by_hand and order["coupon_lines"]:
        taken = sum(Decimal(one["discount"]) for one in order["coupon_lines"])
        pieces = sum(one["quantity"] for one in order["line_items"]) + len(order["line_items"])
        assert abs(taken - Decimal(order["discount_total"])) <= rules.unit * (pieces + len(order["coupon_lines"]))


def _check_figures(order: Order, rules: Rules) -> None:
    """Check that the order's totals are sums of its parts, each rounded by the shop's setting."""
    lines, fees, sent = (order[name] for name in ("line_items", "fee_lines", "shipping_lines"))
    unit, parts = rules.unit, (*lines, *fees, *sent)
    # Values in responses have six decimals at most; a total at the end was computed from exact ones.
    slack = MILLIONTH * (len(parts) + 2)
    goods = sum((_rounded(one["total"], rules, always=False) for one in lines), Decimal(0))
    shipping = sum((_rounded(one["total"], rules, always=True) for one in sent), Decimal(0))
    cart_tax, shipping_tax, total_tax, total = (
        Decimal(order[name]) for name in ("cart_tax", "shipping_tax", "total_tax", "total")
    )
    assert abs(_sum((*lines, *fees), "total_tax") - cart_tax) <= slack
    assert abs(_sum(sent, "total_tax") - shipping_tax) <= slack
    assert abs(cart_tax + shipping_tax - total_tax) <= (unit / 2 + slack if rules.at_end else 0)
    assert Decimal(order["shipping_total"]) == shipping
    whole = goods + shipping + _sum(fees, "total") + cart_tax + shipping_tax
    assert abs(whole - total) <= unit / 2 + slack
    assert total == total.quantize(unit)
    if not rules.at_end and all(Decimal(one["total"]) % unit == 0 for one in fees):
        assert whole == total
    before = sum((_rounded(one["subtotal"], rules, always=False) for one in lines), Decimal(0))
    assert abs(before - goods - Decimal(order["discount_total"])) <= unit / 2 + slack


def _rounded(amount: str, rules: Rules, *, always: bool) -> Decimal:
    return Decimal(amount).quantize(rules.unit, ROUND_HALF_UP) if always or not rules.at_end else Decimal(amount)


def _check_taxes(order: Order, rules: Rules) -> None:
    """Check that tax lines are the sums of the taxes of each part."""
    parts = [one for name in ("line_items", "fee_lines", "shipping_lines") for one in order[name]]
    half = MILLIONTH if rules.at_end else rules.unit / 2
    for one in order["tax_lines"]:
        for named, among in (("tax_total", ("line_items", "fee_lines")), ("shipping_tax_total", ("shipping_lines",))):
            own = [
                Decimal(tax["total"] or 0)
                for name in among for part in order[name] for tax in part["taxes"] if tax["id"] == one["rate_id"]
            ]  # fmt: skip
            assert abs(sum(own, Decimal(0)) - Decimal(one[named])) <= half * max(1, len(own)) + MILLIONTH
    for one in parts:
        own = [Decimal(tax["total"] or 0) for tax in one["taxes"]]
        assert abs(sum(own, Decimal(0)) - Decimal(one["total_tax"])) <= half * max(1, len(own)) + MILLIONTH
    known = {tax["rate_id"] for tax in order["tax_lines"]}
    assert {tax["id"] for one in parts for tax in one["taxes"]} <= known


def _check_report(shop: Shop, rules: Rules, numbers: list[int]) -> None:
    """Check the sums over all orders against the orders themselves."""
    counted = [
        one
        for number in numbers
        if (one := shop.client.get(f"{ORDERS}/{number}", query={"dp": 6}).json)["status"] not in LEFT_OUT
    ]
    totals = shop.client.get(STATS, query={"interval": "year"}).json["totals"]
    told = {name: Decimal(str(value)) for name, value in totals.items() if isinstance(value, int | float)}
    assert told["orders_count"] == len(counted)
    back = sum(Decimal(refund["total"]) for one in counted for refund in one["refunds"])
    kept = sum(Decimal(one["total"]) for one in counted) + back
    slack = rules.unit * (2 * len(counted) + 1)
    assert abs(told["net_revenue"] + told["taxes"] + told["shipping"] - kept) <= slack
    assert abs(told["total_sales"] - kept) <= slack


def _sum(parts: list[Order], name: str) -> Decimal:
    return sum((Decimal(one[name]) for one in parts), Decimal(0))
