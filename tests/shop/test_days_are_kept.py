"""Kept sums of days that are over, by product and by customer type, follow every order of theirs."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from conftest import Client, SetClock, Stand
from vetrina.analytics.rollups import jobs as rollup_jobs, periods, stale_rollups
from vetrina.backends.database import Statement
from vetrina.backends.tables.rollups import (
    rollup_customer_type,
    rollup_day_parts,
    rollup_day_product,
    rollup_day_variation,
)

DAY = 86_400
REPORTS = "/shop-analytics/reports"
SPAN = {"after": "2000-01-01T00:00:00", "before": "2100-01-01T00:00:00", "per_page": 100}


@pytest.fixture
def product(manager: Client) -> int:
    return int(manager.post("/shop/v3/products", {"name": "Tent", "regular_price": "20"}).json["id"])


def _order(manager: Client, product: int, quantity: int = 1, status: str = "completed") -> int:
    body = {
        "status": status, "billing": {"email": "ada@example.org"},
        "line_items": [{"product_id": product, "quantity": quantity}],
    }  # fmt: skip
    answer = manager.post("/shop/v3/orders", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _keep(site: Stand) -> None:
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work, 1000)


def _count_kept(site: Stand, kind: str) -> int:
    with site.site.work(read=True) as work:
        return sum(found == kind for found, _, _ in periods.list_periods(work))


def _find_stale(site: Stand) -> list[str]:
    with site.site.work() as work:
        return [line.split(" by ")[0].rsplit(" ", 1)[0] for line in stale_rollups.drop_stale_rollups(work)]


def _count_sold(manager: Client) -> list[int]:
    """Return the items sold by the list of products, of variations' categories, and by the segments of days."""
    listed = manager.get(f"{REPORTS}/products", query=SPAN).json
    groups = manager.get(f"{REPORTS}/categories", query=SPAN).json
    query = {**_last_days(manager), "interval": "day", "segmentby": "product"}
    days = manager.get(f"{REPORTS}/products/stats", query=query).json["intervals"]
    segments = [segment["subtotals"]["items_sold"] for one in days for segment in one["subtotals"]["segments"]]
    return [sum(one["items_sold"] for one in listed), sum(one["items_sold"] for one in groups), sum(segments)]


def _count_parts(manager: Client, product: int) -> list[int]:
    """Return in how many orders a product is: of the running year, and added up from its months."""
    query = {**_last_days(manager), "interval": "month", "segmentby": "product"}
    body = manager.get(f"{REPORTS}/orders/stats", query=query).json
    segments = [body["totals"]["segments"], *(one["subtotals"]["segments"] for one in body["intervals"])]
    counts = [one["subtotals"]["orders_count"] for some in segments for one in some if one["segment_id"] == product]
    return [counts[0], sum(counts[1:])]


def _count_types(manager: Client) -> list[int]:
    """Return the orders of new and of returning customers: of the whole span, then added up from days."""
    query = {**_last_days(manager), "interval": "day", "segmentby": "customer_type"}
    body = manager.get(f"{REPORTS}/orders/stats", query=query).json
    whole = [one["subtotals"]["orders_count"] for one in body["totals"]["segments"]]
    days = [[one["subtotals"]["orders_count"] for one in day["subtotals"]["segments"]] for day in body["intervals"]]
    assert whole == [sum(some) for some in zip(*days, strict=True)]
    return whole


def _last_days(manager: Client) -> dict[str, Any]:
    newest = manager.get("/shop/v3/orders", query={"per_page": 1}).json[0]["date_created"]
    return {"after": f"{int(newest[:4]) - 1}{newest[4:8]}01T00:00:00", "before": newest, "per_page": 100}


@pytest.mark.every_database
def test_sales_of_a_day_are_kept_when_it_is_over(site: Stand, manager: Client, clock: SetClock, product: int) -> None:
    first = _order(manager, product, 2)
    _keep(site)
    assert _count_kept(site, periods.GOODS_DAY) == 0
    clock.forward(DAY)
    _order(manager, product, 3)
    _keep(site)
    assert _count_kept(site, periods.GOODS_DAY) == 1
    assert _count_sold(manager)[:2] == [5, 5]
    # An order of the day that changes makes it forgotten, and the job keeps it again.
    manager.put(f"/shop/v3/orders/{first}", {"status": "cancelled"})
    assert _count_kept(site, periods.GOODS_DAY) == 0
    assert _count_sold(manager)[:2] == [3, 3]
    manager.put(f"/shop/v3/orders/{first}", {"status": "processing"})
    _keep(site)
    assert _count_kept(site, periods.GOODS_DAY) == 1
    assert _count_sold(manager)[:2] == [5, 5]
    assert _find_stale(site) == []


@pytest.mark.every_database
def test_reports_read_kept_days_and_the_check_mends_them(
    site: Stand, manager: Client, clock: SetClock, product: int
) -> None:
    _order(manager, product, 2)
    clock.forward(DAY)
    _order(manager, product)
    with site.site.work() as work:
        rollup_jobs.save_some_rollups(work)
    right = _count_sold(manager)
    with site.site.work() as work:
        for table in (rollup_day_product, rollup_day_variation):
            work.tx.run(Statement(update(table).values(quantity=table.c.quantity + 5)))
    assert _count_sold(manager)[:2] == [8, 8]
    assert _find_stale(site) == ["the kept sums of goods-day"]
    assert _count_sold(manager) == right


@pytest.mark.every_database
def test_setting_what_counts_forgets_days_by_product(
    site: Stand, manager: Client, clock: SetClock, product: int
) -> None:
    _order(manager, product, 2)
    clock.forward(DAY)
    _order(manager, product, 4, "processing")
    _keep(site)
    assert _count_sold(manager)[:2] == [6, 6]
    path = "/shop-analytics/settings/shop_admin/shop_excluded_report_order_statuses"
    assert manager.put(path, {"value": ["completed"]}).status == 200
    assert _count_kept(site, periods.GOODS_DAY) == 0
    assert _count_sold(manager)[:2] == [4, 4]
    assert _count_types(manager) == [1, 0]
    _keep(site)
    assert _count_sold(manager)[:2] == [4, 4]
    assert _find_stale(site) == []


@pytest.mark.every_database
def test_an_order_that_becomes_the_first_changes_its_kept_day(
    site: Stand, manager: Client, clock: SetClock, product: int
) -> None:
    first = _order(manager, product)
    clock.forward(2 * DAY)
    _order(manager, product)
    clock.forward(DAY)
    _order(manager, product)
    _keep(site)
    kept = _count_kept(site, periods.TYPE_DAY)
    assert kept > 1
    assert _count_types(manager) == [1, 2]
    # Only the first order changes: the second, of another day, is that of a new customer then.
    manager.delete(f"/shop/v3/orders/{first}", query={"force": True})
    assert _count_kept(site, periods.TYPE_DAY) == kept - 2
    assert _count_types(manager) == [1, 1]
    _keep(site)
    assert _count_types(manager) == [1, 1]
    assert _find_stale(site) == []


@pytest.mark.every_database
def test_sums_by_customer_type_are_what_reports_read(
    site: Stand, manager: Client, clock: SetClock, product: int
) -> None:
    _order(manager, product)
    clock.forward(32 * DAY)
    _order(manager, product)
    _keep(site)
    assert _count_types(manager) == [1, 1]
    with site.site.work() as work:
        table = rollup_customer_type
        work.tx.run(Statement(update(table).where(table.c.kind == periods.TYPE_DAY).values(orders=table.c.orders + 5)))
        work.tx.run(
            Statement(update(table).where(table.c.kind == periods.TYPE_MONTH).values(orders=table.c.orders + 5))
        )
    assert _count_types(manager) == [6, 1]
    found = _find_stale(site)
    assert sorted(found) == ["the kept sums of type-day", "the kept sums of type-month"]
    assert _count_types(manager) == [1, 1]


@pytest.mark.every_database
def test_orders_of_a_day_by_product_are_kept_and_follow_its_orders(
    site: Stand, manager: Client, clock: SetClock, product: int
) -> None:
    first = _order(manager, product)
    _order(manager, product)
    clock.forward(DAY)
    _order(manager, product)
    _keep(site)
    assert _count_kept(site, periods.PARTS_DAY) == 1
    assert _count_parts(manager, product) == [3, 3]
    manager.put(f"/shop/v3/orders/{first}", {"status": "cancelled"})
    assert _count_kept(site, periods.PARTS_DAY) == 0
    assert _count_parts(manager, product) == [2, 2]
    _keep(site)
    assert _count_parts(manager, product) == [2, 2]
    with site.site.work() as work:
        work.tx.run(Statement(update(rollup_day_parts).values(orders=rollup_day_parts.c.orders + 5)))
    if _count_parts(manager, product) != [2, 2]:  # not where the day was the last of its month, which is kept too
        assert _count_parts(manager, product) == [7, 7]
    assert _find_stale(site) == ["the kept sums of parts-day"]
    assert _count_parts(manager, product) == [2, 2]
