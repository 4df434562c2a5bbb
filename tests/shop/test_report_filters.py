"""Combined filters of reports: two of a kind, statuses under `match`, leaderboards without dates."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00", "per_page": 100}


def _made(manager: Client, what: str, **members: Any) -> int:
    answer = manager.post(f"/shop/v3/{what}", members)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _sold(manager: Client, product: int, **members: Any) -> int:
    lines = [{"product_id": product, "quantity": 1}]
    return _made(manager, "orders", **{"status": "completed", "line_items": lines, **members})


def _listed(manager: Client, **asked: Any) -> list[int]:
    return sorted(one["order_id"] for one in manager.get(f"{BASE}/orders", query={**SPAN, **asked}).json)


@pytest.mark.every_database
def test_one_coupon_of_an_order_must_be_among_those_and_not_among_these(manager: Client) -> None:
    """An order with A and C has no coupon that is A or B and is not A."""
    product = _made(manager, "products", name="Rope", regular_price="90")
    a, b, _ = (_made(manager, "coupons", code=code, amount="5", discount_type="fixed_cart") for code in "abc")
    first = _sold(manager, product, coupon_lines=[{"code": "a"}, {"code": "c"}])
    second = _sold(manager, product, coupon_lines=[{"code": "a"}, {"code": "b"}])
    assert _listed(manager, coupon_includes=[a, b], coupon_excludes=[a]) == [second]
    assert _listed(manager, coupon_includes=[a], coupon_excludes=[a]) == []
    assert _listed(manager, coupon_includes=[a], coupon_excludes=[b]) == [first, second]
    assert _listed(manager, coupon_includes=[a], coupon_excludes=[a], match="any") == [first, second]


def test_both_filters_by_status_hold_in_the_lists(manager: Client) -> None:
    shelf = _made(manager, "products/categories", name="A")
    product = _made(manager, "products", name="Rope", regular_price="90", categories=[{"id": shelf}])
    done, busy = _sold(manager, product), _sold(manager, product, status="processing")
    asked = {"status_is": ["completed", "processing"], "status_is_not": ["processing"]}
    for match in ("all", "any"):
        assert _listed(manager, **asked, match=match) == [done]
        (row,) = manager.get(f"{BASE}/categories", query={**SPAN, **asked, "match": match}).json
        assert row["orders_count"] == 1, match
    assert _listed(manager, **asked, match="any", order_includes=[busy]) == [done, busy]
    stats = manager.get(f"{BASE}/orders/stats", query={**SPAN, **asked, "match": "any"}).json
    assert stats["totals"]["orders_count"] == 2


def test_the_board_of_customers_without_a_span_is_of_all_times(manager: Client) -> None:
    product = _made(manager, "products", name="Rope", regular_price="90")
    _sold(manager, product, billing={"email": "ada@example.org", "first_name": "Ada"})
    _made(manager, "customers", email="idle@example.org", username="idle", first_name="Idle")
    path = "/shop-analytics/leaderboards/customers"

    def named(**query: str) -> list[str]:
        return [row[0]["value"] for row in manager.get(path, query=query).json[0]["rows"]]

    assert named() == ["Ada", "Idle"]
    assert named(after="2020-01-01T00:00:00") == ["Ada"]
    assert named(before="2035-01-01T00:00:00") == ["Ada"]
    assert named(before="2020-01-01T00:00:00") == []
