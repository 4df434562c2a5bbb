"""The list of the orders of a product, counted by what is kept and read along its dates, has what its rows have."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from conftest import Client, SetClock, Stand
from vetrina.analytics.rollups import jobs as rollup_jobs
from vetrina.backends.database import Statement
from vetrina.backends.tables.rollups import rollup_product

LIST = "/shop-analytics/reports/orders"
DAY = 86_400
# The same orders, named: orders of these statuses are not kept by product.
NAMED = {"status_is": "completed,processing,refunded,on-hold"}

pytestmark = pytest.mark.every_database


def _make(manager: Client, path: str, body: dict[str, Any]) -> int:
    answer = manager.post(f"/shop/v3/{path}", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _keep(site: Stand) -> None:
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work, 1000)


@pytest.fixture
def products(manager: Client) -> list[int]:
    return [_make(manager, "products", {"name": f"P{at}", "regular_price": "10.05"}) for at in range(4)]


@pytest.mark.parametrize("seed", range(2))
def test_each_page_has_what_its_rows_have(
    site: Stand, manager: Client, clock: SetClock, products: list[int], seed: int
) -> None:
    random = Random(seed)
    for _ in range(14):
        # The first product is in nearly all orders, the last one in few.
        chosen = [id for at, id in enumerate(products) if random.random() < 0.9 / (at + 1)] or products[:1]
        lines = [{"product_id": id, "quantity": 2} for id in chosen]
        status = random.choice(("completed", "processing", "cancelled"))
        order = _make(manager, "orders", {"status": status, "line_items": lines})
        if random.random() < 0.3:
            line = manager.get(f"/shop/v3/orders/{order}").json["line_items"][0]
            told = {"id": line["id"], "quantity": 1, "refund_total": 10.05}
            _make(manager, f"orders/{order}/refunds", {"line_items": [told], "api_refund": False})
        clock.forward(random.choice((3_600, DAY, 20 * DAY)))
    _keep(site)
    dates = sorted(one["date_created"] for one in manager.get("/shop/v3/orders", query={"per_page": 100}).json)
    spans = (("2020-01-01T00:00:00", "2035-01-01T00:00:00"), (dates[3], f"{dates[-3][:10]}T23:59:59"))
    for after, before in spans:
        for product in products:
            for order in ("asc", "desc"):
                query = {"after": after, "before": before, "product_includes": product, "order": order, "per_page": 2}
                total = int(manager.get(LIST, query={**query, **NAMED}).headers["x-cms-total"])
                for page in range(1, total // 2 + 3):
                    kept, read = (manager.get(LIST, query={**query, "page": page, **more}) for more in ({}, NAMED))
                    assert kept.json == read.json, (query, page)
                    assert kept.headers["x-cms-total"] == str(total), (query, page)


def test_they_are_counted_by_what_is_kept(site: Stand, manager: Client, clock: SetClock, products: list[int]) -> None:
    _make(manager, "orders", {"status": "completed", "line_items": [{"product_id": products[0], "quantity": 1}]})
    clock.forward(70 * DAY)
    _make(manager, "orders", {"status": "completed", "line_items": [{"product_id": products[1], "quantity": 1}]})
    _keep(site)
    with site.site.work() as work:
        work.tx.run(Statement(update(rollup_product).values(orders=rollup_product.c.orders + 40)))
    query = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00", "product_includes": products[0]}
    assert manager.get(LIST, query=query).headers["x-cms-total"] == "41"
