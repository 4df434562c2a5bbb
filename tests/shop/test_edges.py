"""Dates and numbers at the limits of storage, as filters of the shop's lists and reports."""

from __future__ import annotations

import pytest

from conftest import Client

_EDGES = ("0000-01-01T00:00:00", "0001-01-01T00:00:00", "9999-12-31T23:59:59", "9999-12-31T23:59:59-11:00")

_FILTERS = [
    *(
        ("/shop/v3/" + path, name)
        for path in ("coupons", "orders", "products")
        for name in ("after", "modified_before")
    ),
    ("/shop/store/v1/products", "after"),
    ("/shop-analytics/reports/customers", "registered_before"),
    ("/shop-analytics/reports/customers", "last_active_after"),
    ("/shop-analytics/reports/orders", "after"),
    ("/shop-analytics/reports/downloads", "before"),
    ("/shop-analytics/reports/revenue/stats", "after"),
    ("/shop-analytics/leaderboards", "before"),
]


@pytest.mark.parametrize(("path", "name"), _FILTERS)
def test_no_moment_is_a_fault_of_the_server(manager: Client, path: str, name: str) -> None:
    for moment in _EDGES:
        answer = manager.get(f"{path}?{name}={moment.replace('+', '%2B')}")
        assert answer.status in {200, 400}, (moment, answer.json)


def test_sales_of_all_time_are_told(manager: Client) -> None:
    answer = manager.get("/shop/v3/reports/sales?date_min=0001-01-01&date_max=9999-12-31")
    assert (answer.status, answer.json[0]["total_orders"]) == (200, 0)


def test_a_report_of_too_many_intervals_is_refused(manager: Client) -> None:
    span = "after=0001-01-01T00:00:00&before=9999-12-31T23:59:59"
    answer = manager.get(f"/shop-analytics/reports/revenue/stats?{span}&interval=hour")
    assert (answer.status, answer.code) == (400, "shop_analytics_too_many_intervals")
    assert manager.get(f"/shop-analytics/reports/revenue/stats?{span}&interval=year").status == 200


def test_odd_members_name_no_indicator(manager: Client) -> None:
    answer = manager.get("/shop-analytics/reports/performance-indicators?stats[][a]=1")
    assert (answer.status, answer.code) == (400, "shop_analytics_performance_indicators_empty_query")


def test_more_days_than_there_were_are_all(manager: Client) -> None:
    assert manager.get("/shop-analytics/reports/import/totals?days=9223372036854775808").status == 200


@pytest.mark.parametrize("path", ["/shop-analytics/customers", "/shop-analytics/reports/customers/stats"])
def test_nobody_spent_more_than_a_column_holds(manager: Client, path: str) -> None:
    assert manager.get(f"{path}?total_spend_min=9223372036854775808&orders_count_max=1e300").status == 200
