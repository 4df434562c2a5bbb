"""Segments of reports: coupons of an order, categories of a product, refunds, selected measures, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.analytics.rollups import jobs as rollup_jobs

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00", "interval": "year"}

pytestmark = pytest.mark.every_database


def _made(manager: Client, path: str, body: dict[str, Any]) -> int:
    answer = manager.post(f"/shop/v3/{path}", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _product(manager: Client, **members: Any) -> int:
    return _made(manager, "products", {"name": "Tent", "regular_price": "20", **members})


def _order(manager: Client, product: int, *codes: str, **members: Any) -> int:
    lines = [{"product_id": product, "quantity": 2}]
    coupons = [{"code": code} for code in codes]
    body = {"status": "completed", "line_items": lines, "coupon_lines": coupons, **members}
    return _made(manager, "orders", body)


def _coupons(manager: Client) -> tuple[int, int]:
    return tuple(
        _made(manager, "coupons", {"code": code, "discount_type": "percent", "amount": amount})
        for code, amount in (("ten", "10"), ("five", "5"))
    )  # type: ignore[return-value]


def _segments(manager: Client, path: str, **query: Any) -> dict[int, dict[str, Any]]:
    answer = manager.get(f"{BASE}/{path}/stats", query={**SPAN, **query})
    assert answer.status == 200, answer.json
    return {int(one["segment_id"]): one["subtotals"] for one in answer.json["totals"]["segments"]}


def test_a_line_counts_once_for_each_coupon_of_its_order(site: Stand, manager: Client) -> None:
    product = _product(manager)
    _coupons(manager)
    _order(manager, product, "ten", "five")
    _order(manager, product)
    expected = {"num_items_sold": 2 * 2 + 2, "net_revenue": 34 * 2 + 40, "coupons": 6, "coupons_count": 2}
    expected |= {"orders_count": 2, "avg_items_per_order": 2, "avg_order_value": 37, "total_customers": 1}
    for _ in range(2):
        for by in ("product", "category"):
            for one in _segments(manager, "orders", segmentby=by).values():
                assert {name: one[name] for name in expected} == expected
        with site.site.work() as work:  # once more from stored months
            rollup_jobs.save_missing_rollups(work)


def test_a_coupon_takes_in_its_orders_once_for_each_of_theirs(manager: Client) -> None:
    product = _product(manager)
    ten, five = _coupons(manager)
    _order(manager, product, "ten", "five")
    _order(manager, product, "five")
    found = _segments(manager, "revenue", segmentby="coupon")
    assert (found[ten]["orders_count"], found[ten]["num_items_sold"], found[ten]["coupons"]) == (2, 4, 8)
    assert (found[five]["orders_count"], found[five]["num_items_sold"], found[five]["coupons"]) == (3, 6, 6)
    assert (found[ten]["coupons_count"], found[five]["coupons_count"]) == (2, 2)
    assert found[five]["avg_items_per_order"] == 2


def test_a_product_counts_once_for_each_of_its_categories(manager: Client) -> None:
    above = _made(manager, "products/categories", {"name": "Above"})
    below = _made(manager, "products/categories", {"name": "Below", "parent": above})
    deep = _made(manager, "products/categories", {"name": "Deep", "parent": below})
    manager.post("/shop/v3/coupons", {"code": "ten", "discount_type": "percent", "amount": "10"})
    _order(manager, _product(manager, categories=[{"id": group} for group in (above, below, deep)]))
    _order(manager, _product(manager, categories=[{"id": below}]), "ten")
    for path, pieces in (("products", "items_sold"), ("orders", "num_items_sold")):
        found = _segments(manager, path, segmentby="category")
        assert [found[id][pieces] for id in (above, below, deep)] == [2 * 3 + 2, 2 * 2 + 2, 2]
        assert [found[id]["net_revenue"] for id in (above, below, deep)] == [40 * 3 + 36, 40 * 2 + 36, 40]
        assert [found[id]["orders_count"] for id in (above, below, deep)] == [2, 2, 1]
    found = _segments(manager, "coupons", segmentby="category")
    assert [found[id]["amount"] for id in (above, below, deep)] == [4, 4, 0]


def test_a_refund_is_an_order_of_its_segment(manager: Client) -> None:
    product = _product(manager)
    order = _order(manager, product)
    line = manager.get(f"/shop/v3/orders/{order}").json["line_items"][0]["id"]
    lines = [{"id": line, "quantity": 1, "refund_total": 20}]
    assert manager.post(f"/shop/v3/orders/{order}/refunds", {"api_refund": False, "line_items": lines}).status == 201
    one = _segments(manager, "orders", segmentby="product")[product]
    assert (one["orders_count"], one["avg_items_per_order"], one["avg_order_value"]) == (2, 0.5, 10)
    assert _segments(manager, "products", segmentby="product")[product]["orders_count"] == 2
    only = _segments(manager, "orders", segmentby="product", refunds="all")[product]
    assert (only["orders_count"], only["avg_items_per_order"], only["avg_order_value"]) == (1, -1, -20)


def test_coupons_by_product_tell_what_its_lines_cost_less(manager: Client) -> None:
    tent, cup = _product(manager), _product(manager, name="Cup", regular_price="5")
    _coupons(manager)
    lines = [{"product_id": tent, "quantity": 1}, {"product_id": cup, "quantity": 2}]
    _order(manager, tent, "ten", line_items=lines)
    found = _segments(manager, "coupons", segmentby="product")
    assert found == {
        tent: {"amount": 2, "coupons_count": 1, "orders_count": 1},
        cup: {"amount": 1, "coupons_count": 1, "orders_count": 1},
    }


@pytest.mark.parametrize("by", ["product", "category"])
def test_segments_of_variations_tell_what_was_sold(manager: Client, by: str) -> None:
    attribute = {"name": "Size", "options": ["S", "L"], "variation": True}
    parent = _made(manager, "products", {"name": "Coat", "type": "variable", "attributes": [attribute]})
    option = [{"name": "Size", "option": "S"}]
    small = _made(manager, f"products/{parent}/variations", {"regular_price": "7", "attributes": option})
    _order(manager, parent, line_items=[{"product_id": parent, "variation_id": small, "quantity": 3}])
    group = manager.get(f"/shop/v3/products/{parent}").json["categories"][0]["id"]
    found = _segments(manager, "variations", segmentby=by)
    assert found[parent if by == "product" else group] == {
        "items_sold": 3, "net_revenue": 21, "orders_count": 1, "variations_count": 1,
    }  # fmt: skip


def test_variations_of_all_products_are_segments_where_none_is_named(manager: Client) -> None:
    attribute = {"name": "Size", "options": ["S"], "variation": True}
    own = []
    for name in ("Coat", "Hat"):
        parent = _made(manager, "products", {"name": name, "type": "variable", "attributes": [attribute]})
        own.append(_made(manager, f"products/{parent}/variations", {"regular_price": "7"}))
    assert list(_segments(manager, "variations", segmentby="variation")) == own


def test_fields_choose_the_measures_of_segments(site: Stand, manager: Client) -> None:
    product = _product(manager)
    _order(manager, product)
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
    fields = ["net_revenue", "unknown", "orders_count"]
    assert _segments(manager, "orders", segmentby="product", fields=fields)[product] == {
        "net_revenue": 40, "orders_count": 1,
    }  # fmt: skip
    assert _segments(manager, "products", segmentby="product", fields=["coupons"])[product] == {}


def test_segments_by_variation_need_one_product_that_is_named(manager: Client) -> None:
    product = _product(manager)
    _order(manager, product)

    def asked(path: str, **query: Any) -> int:
        return manager.get(f"{BASE}/{path}/stats", query={**SPAN, "segmentby": "variation", **query}).status

    assert (asked("orders"), asked("orders", product_includes=[product])) == (400, 200)
    assert asked("orders", page=999) == 200  # such a page has no segments
    assert (asked("coupons"), asked("coupons", products=[product])) == (400, 400)  # it has no such filter


def test_coupons_and_rates_are_numbered_with_text_even_unused(manager: Client) -> None:
    _coupons(manager)
    _made(manager, "taxes", {"country": "IT", "rate": "22", "name": "VAT"})
    for path, by in (("coupons", "coupon"), ("taxes", "tax_rate_id")):
        answer = manager.get(f"{BASE}/{path}/stats", query={**SPAN, "segmentby": by}).json
        assert {type(one["segment_id"]) for one in answer["totals"]["segments"]} == {str}
    revenue = manager.get(f"{BASE}/revenue/stats", query={**SPAN, "segmentby": "coupon"}).json
    assert {type(one["segment_id"]) for one in revenue["totals"]["segments"]} == {int}
