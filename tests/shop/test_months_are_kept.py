"""Stored sums by product of past months and years are computed by a job, while orders may change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.rollups import jobs as rollup_jobs, periods, product_jobs, product_store, stale_rollups
from vetrina.backends import job_queue
from vetrina.backends.tables.rollups import ROLLUP_JOB
from watched_calls import watch_calls

from .background import work_off

YEAR, MAY = 2024, 2024 * 12 + 4
SPAN = {"after": "2024-01-01T00:00:00", "before": "2024-12-31T23:59:59"}


@pytest.fixture
def product(manager: Client) -> int:
    return int(manager.post("/shop/v3/products", {"name": "Tent", "regular_price": "20"}).json["id"])


def _order(manager: Client, product: int, paid: str = "2024-05-10T10:00:00", **members: Any) -> int:
    body = {"status": "completed", "line_items": [{"product_id": product, "quantity": 2}],
            "meta_data": [{"key": "_date_paid", "value": paid}], **members}  # fmt: skip
    answer = manager.post("/shop/v3/orders", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _units(site: Stand, kind: str, dates: OrderDate = "paid") -> set[int]:
    with site.site.work(read=True) as work:
        return set(periods.list_units(work, kind, dates))


def _count_unfinished(site: Stand) -> int:
    with site.site.work(read=True) as work:
        return sum(job.kind == ROLLUP_JOB and job.state != "done" for job in job_queue.list_jobs(work.tx))


def _sold(manager: Client, product: int) -> int:
    """Return the items sold of a product by the segments of the year and of its months."""
    asked = {**SPAN, "segmentby": "product", "interval": "month", "per_page": 100}
    body = manager.get("/shop-analytics/reports/orders/stats", query=asked).json
    parts = [{one["segment_id"]: one["subtotals"]["num_items_sold"] for one in part["segments"]}
             for part in (body["totals"], *(one["subtotals"] for one in body["intervals"]))]  # fmt: skip
    whole, *months = (one.get(product, 0) for one in parts)
    assert whole == sum(months)
    return int(whole)


def _is_right(site: Stand) -> None:
    with site.site.work() as work:
        assert stale_rollups.drop_stale_rollups(work) == []


@pytest.mark.every_database
def test_what_is_over_is_kept_and_what_runs_is_not(site: Stand, manager: Client, product: int) -> None:
    _order(manager, product)
    work_off(site)
    assert MAY in _units(site, "parts")
    assert MAY in _units(site, "segments")
    assert YEAR in _units(site, periods.YEAR)
    assert _units(site, "sold", "created") == set()
    assert _count_unfinished(site) == 0
    assert _sold(manager, product) == 2
    _is_right(site)


@pytest.mark.every_database
def test_a_later_change_is_counted_anew_by_the_job(site: Stand, manager: Client, product: int, clock: Any) -> None:
    _order(manager, product)
    work_off(site)
    other = _order(manager, product, paid="2024-05-20T10:00:00")
    assert _sold(manager, product) == 4
    with site.site.work(read=True) as work:
        assert product_store.list_marked_months(work) == [("paid", MAY)]
    clock.forward(60)
    work_off(site)
    with site.site.work(read=True) as work:
        assert product_store.list_marked_months(work) == []
    assert _sold(manager, product) == 4
    manager.delete(f"/shop/v3/orders/{other}", query={"force": True})
    clock.forward(60)
    work_off(site)
    assert _sold(manager, product) == 2
    _is_right(site)


def _another_order(manager: Client, product: int, first: int) -> None:
    _order(manager, product)


def _gone(manager: Client, product: int, first: int) -> None:
    manager.delete(f"/shop/v3/orders/{first}", query={"force": True})


def _called_off(manager: Client, product: int, first: int) -> None:
    assert manager.put(f"/shop/v3/orders/{first}", {"status": "cancelled"}).status == 200


def _not_counting(manager: Client, product: int, first: int) -> None:
    path = "/shop-analytics/settings/shop_admin/shop_excluded_report_order_statuses"
    assert manager.put(path, {"value": ["completed"]}).status == 200


@pytest.mark.every_database
def test_sales_of_variations_are_kept_and_mended(site: Stand, manager: Client, clock: Any) -> None:
    clock.forward(86_400)
    size = {"name": "Size", "options": ["S", "L"], "variation": True}
    group = int(manager.post("/shop/v3/products/categories", {"name": "Coats"}).json["id"])
    body = {"name": "Coat", "type": "variable", "attributes": [size], "categories": [{"id": group}]}
    coat = int(manager.post("/shop/v3/products", body).json["id"])
    small, large = (
        int(manager.post(f"/shop/v3/products/{coat}/variations", {
            "regular_price": "7", "attributes": [{"name": "Size", "option": option}],
        }).json["id"])
        for option in ("S", "L")
    )  # fmt: skip
    lines = [{"product_id": coat, "variation_id": one, "quantity": at} for at, one in ((1, small), (2, large))]
    _order(manager, coat, line_items=lines)
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
    assert _units(site, periods.GOODS, "created")
    span = {"after": "2000-01-01T00:00:00", "before": "2100-01-01T00:00:00", "per_page": 100}

    def told() -> Any:
        """Return items and orders of the category, then of each variation."""
        base = "/shop-analytics/reports"
        groups = manager.get(f"{base}/categories", query=span).json
        sold = manager.get(f"{base}/variations", query=span).json
        return [
            *((one["items_sold"], one["orders_count"]) for one in groups if one["category_id"] == group),
            *sorted((one["variation_id"], one["items_sold"], one["orders_count"]) for one in sold),
        ]

    # One order, though it has two lines of the category.
    assert told() == [(3, 1), (small, 1, 1), (large, 2, 1)]
    with site.site.work() as work:
        month = periods.list_units(work, periods.GOODS, "created")[0]
        rows = product_store.list_product_month(work, periods.GOODS, "created", month)
        wrong = [(*row[:3], row[3] + 5, *row[4:]) for row in rows]
        product_store.save_product_month(work, periods.GOODS, "created", month, wrong)
    assert told()[0] == (13, 1)  # kept sums are what reports read
    with site.site.work() as work:
        assert stale_rollups.drop_stale_rollups(work) == [f"the kept sums of goods {month} by created differ"]
    assert told()[0] == (3, 1)
    # An order that changes marks its products: the rest of the month still holds.
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
    _order(manager, coat, line_items=lines[:1])
    assert told() == [(4, 2), (small, 2, 2), (large, 2, 1)]
    _is_right(site)


@pytest.mark.in_process("it is watched")
@pytest.mark.every_database
@pytest.mark.parametrize("change", [_another_order, _gone, _called_off, _not_counting])
@pytest.mark.parametrize("counted", [0, 1, 2], ids=["at first", "its year", "again"])
def test_what_changes_while_it_is_counted_is_not_kept(
    site: Stand,
    manager: Client,
    product: int,
    clock: Any,
    change: Callable[[Client, int, int], None],
    counted: int,
) -> None:
    """The job reads, an order changes, the job would store: its sums are outdated."""
    first = _order(manager, product)
    if counted == 2:
        work_off(site)
        _order(manager, product, paid="2024-05-11T10:00:00")
        clock.forward(60)
    calls: list[None] = []

    def disturb() -> None:
        calls.append(None)
        if len(calls) == (2 if counted == 1 else 1):
            # Another thread: this one has the job's transaction open.
            another = threading.Thread(target=change, args=(manager, product, first))
            another.start()
            another.join()

    with watch_calls(product_jobs._prepare_counting, then=disturb, at="return"):
        work_off(site)
    assert len(calls) > (counted == 1)
    _is_right(site)
    wanted = _sold(manager, product)
    for _ in range(2):
        clock.forward(60)
        work_off(site)
    assert _count_unfinished(site) == 0
    assert _sold(manager, product) == wanted
    _is_right(site)
