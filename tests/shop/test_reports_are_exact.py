"""Every report equals a slow computation in plain Python (plain_reports.py), whatever was sold."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.analytics.facts import integrity_rules as fact_integrity
from vetrina.analytics.rollups import jobs as rollup_jobs, stale_rollups

from . import plain_reports
from .plain_reports import LEFT_OUT, Row

STATUSES = ("completed", "completed", "processing", "on-hold", "pending", "cancelled", "failed")
YEAR = {"after": "2024-01-01T00:00:00", "before": "2024-12-31T23:59:59"}
BUYERS = tuple(f"{name}@example.org" for name in ("ada", "bea", "cy", "dan", "eva"))


class Shop:
    """Products, and a history of orders, refunds and changes."""

    def __init__(self, manager: Client, random: Random) -> None:
        self.manager, self.random = manager, random
        manager.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
        manager.post("/shop/v3/taxes", {"country": "IT", "rate": "10", "name": "Tax", "shipping": True})
        self.products = [
            manager.post("/shop/v3/products", {"name": f"P{at}", "regular_price": price}).json["id"]
            for at, price in enumerate(("20", "10.05", "3.33"))
        ]
        self.coupon = manager.post("/shop/v3/coupons", {"code": "ten", "discount_type": "percent", "amount": "10"}).json
        self.orders: list[int] = []

    def act(self) -> None:
        kind = self.random.choice(("order", "order", "order", "status", "refund", "remove"))
        if kind == "order" or not self.orders:
            self.order()
        elif kind == "status":
            self.manager.put(f"/shop/v3/orders/{self.one}", {"status": self.random.choice(STATUSES)})
        elif kind == "refund":
            self.refund()
        elif self.random.random() < 0.3:
            gone = self.one
            self.orders.remove(gone)
            self.manager.delete(f"/shop/v3/orders/{gone}", query={"force": True})

    @property
    def one(self) -> int:
        return self.random.choice(self.orders)

    def order(self) -> None:
        random = self.random
        paid = f"2024-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}T{random.randint(0, 23):02d}:00:00"
        lines = [
            {"product_id": id, "quantity": random.randint(1, 4)}
            for id in random.sample(self.products, random.randint(1, 3))
        ]
        body: dict[str, Any] = {
            "status": random.choice(STATUSES),
            "billing": {"first_name": "A", "country": "IT", "email": random.choice(BUYERS)},
            "shipping": {"country": "IT"},
            "line_items": lines,
            "meta_data": [{"key": "_date_paid", "value": paid}],
        }
        if random.random() < 0.4:
            body["shipping_lines"] = [{"method_id": "flat", "method_title": "Flat", "total": "5.00"}]
        if random.random() < 0.4:
            body["coupon_lines"] = [{"code": "ten"}]
        answer = self.manager.post("/shop/v3/orders", body)
        assert answer.status == 201, answer.json
        self.orders.append(answer.json["id"])

    def refund(self) -> None:
        id = self.one
        order = self.manager.get(f"/shop/v3/orders/{id}").json
        if self.random.random() < 0.3:
            self.manager.put(f"/shop/v3/orders/{id}", {"status": "refunded"})
        elif self.random.random() < 0.5:
            self.manager.post(f"/shop/v3/orders/{id}/refunds", {"amount": "1.50", "api_refund": False})
        else:
            line = order["line_items"][0]
            each = Decimal(line["total"]) / line["quantity"]
            told = {"id": line["id"], "quantity": 1, "refund_total": float(round(each, 2)), "refund_tax": []}
            self.manager.post(f"/shop/v3/orders/{id}/refunds", {"line_items": [told], "api_refund": False})


def _same(answered: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        assert abs(Decimal(str(answered[name])) - Decimal(value)) < Decimal("0.00001"), (name, answered[name], value)


def _counting(found: list[Row]) -> list[Row]:
    return [row for row in found if row.status not in LEFT_OUT]


def _by_paid(found: list[Row]) -> list[Row]:
    return [row for row in found if row.paid]


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(3))
def test_reports_are_what_the_orders_add_up_to(site: Stand, manager: Client, seed: int) -> None:
    random = Random(seed)
    shop = Shop(manager, random)
    for _ in range(3):
        for _ in range(10):
            shop.act()
        if random.random() < 0.6:
            with site.site.work() as work:
                rollup_jobs.save_missing_rollups(work)
        _compare(manager, shop, random)
    with site.site.work() as work:
        assert [
            one
            for ids in list(fact_integrity.iterate_order_ids(work))
            for one in fact_integrity.list_differences(work, ids)
        ] == []
        assert stale_rollups.drop_stale_rollups(work) == []


def _compare(manager: Client, shop: Shop, random: Random) -> None:
    found = plain_reports.rows(manager)
    span = {"after": "2024-01-01T00:00:00", "before": "2030-01-01T00:00:00"}
    counted = _by_paid(_counting(found))
    for kind in ("year", "month", "week", "day"):
        answer = manager.get(
            "/shop-analytics/reports/revenue/stats", query={**span, "interval": kind, "order": "asc", "per_page": 100}
        )
        _same(answer.json["totals"], plain_reports.orders_stats(counted))
        for one in answer.json["intervals"]:
            inside = [row for row in counted if _within(row.paid, one)]
            wanted = plain_reports.orders_stats(inside)
            del wanted["products"]
            _same(one["subtotals"], wanted)
    for kind in ("month", "week"):
        _segments(manager, span, counted, kind)
    _filtered(manager, span, found, shop, random)
    answer = manager.get("/shop-analytics/reports/products", query={**span, "orderby": "items_sold", "per_page": 100})
    wanted_products = plain_reports.sold(_counting(found))
    assert {row["product_id"]: (row["items_sold"], row["orders_count"]) for row in answer.json} == {
        id: (pieces, orders) for id, (pieces, _, orders) in wanted_products.items()
    }
    for row in answer.json:
        _same(row, {"net_revenue": wanted_products[row["product_id"]][1]})


def _segments(manager: Client, span: dict[str, str], counted: list[Row], kind: str) -> None:
    asked = {**span, "interval": kind, "order": "asc", "per_page": 30, "segmentby": "product"}
    answer = manager.get("/shop-analytics/reports/orders/stats", query=asked).json
    parts = [(counted, answer["totals"])]
    parts += [([row for row in counted if _within(row.paid, one)], one["subtotals"]) for one in answer["intervals"]]
    for rows, told in parts:
        for one in told["segments"]:
            _same(one["subtotals"], plain_reports.segment(rows, one["segment_id"]))


def _within(moment: str | None, one: dict[str, Any]) -> bool:
    return moment is not None and one["date_start"] <= moment.replace("T", " ") <= one["date_end"]


def _filtered(manager: Client, span: dict[str, str], found: list[Row], shop: Shop, random: Random) -> None:
    repeats = plain_reports.repeats(found)
    product, status = random.choice(shop.products), random.choice(STATUSES)
    conditions = {
        "product_includes": (product, lambda row: any(line.product == product for line in row.lines)),
        "product_excludes": (product, lambda row: all(line.product != product for line in row.lines)),
        "coupon_includes": (shop.coupon["id"], lambda row: bool(row.coupons)),
        "coupon_excludes": (shop.coupon["id"], lambda row: not row.coupons),
        "status_is": (status, lambda row: row.status == status),
        "customer_type": ("returning", lambda row: not row.parent and repeats[row.id]),
        "refunds": ("all", lambda row: bool(row.parent)),
    }
    for _ in range(8):
        names = random.sample(list(conditions), random.randint(1, 3))
        match = random.choice(("all", "any"))
        joined = all if match == "all" else any
        rows = _by_paid(found if "status_is" in names else _counting(found))
        wanted = [row for row in rows if joined(conditions[name][1](row) for name in names)]
        asked = {name: conditions[name][0] for name in names}
        answer = manager.get(
            "/shop-analytics/reports/orders/stats", query={**span, **asked, "match": match, "interval": "year"}
        )
        _same(answer.json["totals"], plain_reports.orders_stats(wanted))
        listed = manager.get("/shop-analytics/reports/orders", query={**span, **asked, "match": match, "per_page": 100})
        assert {row["order_id"] for row in listed.json} == {row.id for row in wanted}, (asked, match)
