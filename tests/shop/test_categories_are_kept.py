"""Kept sums of orders by category and by product are those of the rows, whatever is sold, moved or deleted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from conftest import Client, Stand
from vetrina.analytics.rollups import category_jobs, jobs as rollup_jobs, periods, stale_rollups
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.rollups import rollup_category

from .background import work_off

PATH = "/shop-analytics/reports/orders/stats"
YEAR = {"after": "2024-01-01T00:00:00", "before": "2024-12-31T23:59:59"}
# Parts of days and of months at both ends.
ODD = {"after": "2024-02-10T09:30:00", "before": "2024-11-20T15:00:00"}
ASKED = (
    {**YEAR, "interval": "month"}, {**YEAR, "interval": "quarter"}, {**ODD, "interval": "month"},
    {**ODD, "interval": "week", "per_page": 100}, {**ODD, "interval": "day", "per_page": 100},
    {**ODD, "interval": "day", "order": "asc", "per_page": 30, "page": 3},
)  # fmt: skip

pytestmark = pytest.mark.every_database


def _make(manager: Client, path: str, body: dict[str, Any]) -> int:
    answer = manager.post(f"/shop/v3/{path}", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _order(manager: Client, products: list[int], paid: str = "2024-05-10T10:00:00", **members: Any) -> int:
    body = {
        "status": "completed", "line_items": [{"product_id": id, "quantity": 2} for id in products],
        "meta_data": [{"key": "_date_paid", "value": paid}], **members,
    }  # fmt: skip
    return _make(manager, "orders", body)


def _keep(site: Stand) -> None:
    with site.site.work() as work:
        while rollup_jobs.save_missing_rollups(work, 1000) == 1000:
            pass


def _forget_all(site: Stand) -> None:
    with site.site.work() as work:
        periods.delete_all_rollups(work)


def _count_kept(site: Stand) -> dict[str, int]:
    with site.site.work(read=True) as work:
        kinds = [kind for kind, _, _ in periods.list_periods(work)]
    return {kind: kinds.count(kind) for kind in (periods.CATEGORY_DAY, periods.CATEGORY_MONTH) if kind in kinds}


def _find_stale(site: Stand) -> list[str]:
    with site.site.work() as work:
        return [line.split(" by ")[0].rsplit(" ", 1)[0] for line in stale_rollups.drop_stale_rollups(work)]


def _ask(manager: Client, query: dict[str, Any], by: str = "category") -> dict[str, Any]:
    answer = manager.get(PATH, query={**query, "segmentby": by})
    assert answer.status == 200, answer.json
    return dict(answer.json)


def _count_orders(manager: Client) -> dict[int, int]:
    """Return the orders of each category that has any, in the year; its months must add up to it."""
    body = _ask(manager, ASKED[0] | {"per_page": 100})
    whole, *months = (
        {one["segment_id"]: one["subtotals"]["orders_count"] for one in part["segments"]}
        for part in (body["totals"], *(one["subtotals"] for one in body["intervals"]))
    )
    assert whole == {id: sum(month[id] for month in months) for id in whole}
    return {id: count for id, count in whole.items() if count}


def _falsify(site: Stand, kind: str) -> None:
    """Add to what is kept, so that an answer shows whether it was read."""
    table = rollup_category
    with site.site.work() as work:
        work.tx.run(Statement(update(table).where(table.c.kind == kind).values(orders=table.c.orders + 5)))


@pytest.mark.parametrize("seed", range(2))
def test_kept_sums_by_category_are_those_of_the_rows(site: Stand, manager: Client, seed: int) -> None:
    random = Random(seed)
    top, other = (_make(manager, "products/categories", {"name": name}) for name in ("Top", "Other"))
    below = _make(manager, "products/categories", {"name": "Below", "parent": top})
    choices = ([], [top], [below], [top, below], [below, other], [top, below, other])
    products = [
        _make(manager, "products", {
            "name": f"P{at}", "regular_price": random.choice(("20", "10.05", "3.33")),
            "categories": [{"id": id} for id in random.choice(choices)],
        })
        for at in range(6)
    ]  # fmt: skip
    for code, amount in (("ten", "10"), ("five", "5")):
        _make(manager, "coupons", {"code": code, "discount_type": "percent", "amount": amount})
    orders: list[int] = []
    for at in range(24):
        paid = f"2024-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}T{random.randint(0, 23):02d}:00:00"
        codes = [{"code": code} for code in ("ten", "five") if random.random() < 0.3]
        orders.append(_order(
            manager, random.sample(products, random.randint(1, 4)), paid, coupon_lines=codes,
            billing={"email": f"{random.choice('abcd')}@example.org"},
            status=random.choice(("completed", "processing", "pending")),
        ))  # fmt: skip
        if at % 8 == 7:
            _keep(site)
            order = random.choice(orders)
            if manager.get(f"/shop/v3/orders/{order}").json["status"] != "refunded":
                manager.put(f"/shop/v3/orders/{order}", {"status": random.choice(("refunded", "cancelled"))})
        if at == 12:
            # What is kept is of products that are elsewhere now.
            manager.put(f"/shop/v3/products/{products[0]}", {"categories": [{"id": other}]})
    asked = [(query, by) for query in ASKED for by in ("category", "product")]
    kept = [_ask(manager, *one) for one in asked]
    _keep(site)
    assert [_ask(manager, *one) for one in asked] == kept
    assert _count_kept(site)[periods.CATEGORY_MONTH] >= 5
    assert _find_stale(site) == []
    _forget_all(site)
    counted = [_ask(manager, *one) for one in asked]
    assert counted == kept
    assert sum(one["subtotals"]["orders_count"] for one in counted[0]["totals"]["segments"]) > 10


def test_reports_read_what_is_kept_and_the_check_mends_it(site: Stand, manager: Client) -> None:
    category = _make(manager, "products/categories", {"name": "Tents"})
    product = _make(manager, "products", {"name": "Tent", "regular_price": "20", "categories": [{"id": category}]})
    _order(manager, [product])
    first = _order(manager, [product], "2024-06-10T10:00:00")
    _keep(site)
    assert _count_orders(manager) == {category: 2}
    kept = _count_kept(site)
    _falsify(site, periods.CATEGORY_MONTH)
    assert _count_orders(manager) == {category: 12}
    # An order that changes makes its day and its month forgotten; the other one is still read.
    manager.put(f"/shop/v3/orders/{first}", {"status": "processing"})
    assert _count_kept(site) == {kind: count - 1 for kind, count in kept.items()}
    assert _count_orders(manager) == {category: 7}
    assert _find_stale(site) == ["the kept sums of category-month"]
    assert _count_orders(manager) == {category: 2}
    _falsify(site, periods.CATEGORY_DAY)
    assert _count_orders(manager) == {category: 7}
    assert _find_stale(site) == ["the kept sums of category-day"]
    assert _count_orders(manager) == {category: 2}


def test_a_product_that_moves_counts_for_its_new_category_at_once(site: Stand, manager: Client) -> None:
    old, new = (_make(manager, "products/categories", {"name": name}) for name in ("Old", "New"))
    tent, cup = (
        _make(manager, "products", {"name": name, "regular_price": "20", "categories": [{"id": old}]})
        for name in ("Tent", "Cup")
    )
    _order(manager, [tent, cup])
    _order(manager, [cup], "2024-06-10T10:00:00")
    _keep(site)
    work_off(site)  # compares the categories for the first time
    kept = _count_kept(site)
    assert _count_orders(manager) == {old: 2}
    # A product that was never sold changes nothing of what is kept.
    _make(manager, "products", {"name": "Mug", "regular_price": "5", "categories": [{"id": old}]})
    _falsify(site, periods.CATEGORY_MONTH)
    assert _count_orders(manager) == {old: 12}
    manager.put(f"/shop/v3/products/{tent}", {"categories": [{"id": new}]})
    assert _count_orders(manager) == {old: 7, new: 1}
    # The job forgets the day and the month in which it was sold, and no other.
    with site.site.work() as work:
        category_jobs.enqueue_check(work)
    work_off(site)
    assert _count_kept(site) == {kind: count - 1 for kind, count in kept.items()}
    _keep(site)
    assert _count_kept(site) == kept
    assert _count_orders(manager) == {old: 7, new: 1}
    with site.site.work() as work:
        category_jobs.enqueue_check(work)
        assert not [job for job in job_queue.list_jobs(work.tx) if job.kind == category_jobs.JOB and not job.attempts]


def test_setting_what_counts_forgets_what_is_kept(site: Stand, manager: Client) -> None:
    category = _make(manager, "products/categories", {"name": "Tents"})
    product = _make(manager, "products", {"name": "Tent", "regular_price": "20", "categories": [{"id": category}]})
    _order(manager, [product])
    _order(manager, [product], status="processing")
    _keep(site)
    assert _count_orders(manager) == {category: 2}
    path = "/shop-analytics/settings/shop_admin/shop_excluded_report_order_statuses"
    assert manager.put(path, {"value": ["completed"]}).status == 200
    assert _count_kept(site) == {}
    assert _count_orders(manager) == {category: 1}
    _keep(site)
    assert _count_orders(manager) == {category: 1}
    assert _find_stale(site) == []
