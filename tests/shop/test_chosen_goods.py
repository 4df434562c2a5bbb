"""Reports on some products, from what is kept of each, say what the rows say."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.analytics.rollups import jobs as rollup_jobs

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00", "per_page": 100}
# The same orders, named: sums of these statuses are not kept by product.
NAMED = {"status_is": "completed,processing,refunded,on-hold"}

pytestmark = pytest.mark.every_database


def _make(manager: Client, path: str, body: dict[str, Any]) -> int:
    answer = manager.post(f"/shop/v3/{path}", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


@pytest.mark.parametrize("seed", range(2))
def test_reports_on_chosen_products_are_what_their_rows_add_up_to(site: Stand, manager: Client, seed: int) -> None:
    random = Random(seed)
    category = _make(manager, "products/categories", {"name": "Tents"})
    products = [
        _make(manager, "products", {
            "name": f"P{at}", "regular_price": "10.05", "categories": [{"id": category}] if at % 2 else [],
        })
        for at in range(4)
    ]  # fmt: skip
    returned = 0
    for _ in range(12):
        lines = [{"product_id": id, "quantity": 2} for id in random.sample(products, random.randint(1, 3))]
        status = random.choice(("completed", "processing", "cancelled"))
        order = _make(manager, "orders", {"status": status, "line_items": lines})
        if random.random() < 0.5:
            line = manager.get(f"/shop/v3/orders/{order}").json["line_items"][0]
            told = {"id": line["id"], "quantity": 1, "refund_total": 10.05}
            _make(manager, f"orders/{order}/refunds", {"line_items": [told], "api_refund": False})
            returned += status != "cancelled"
    assert returned
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work, 1000)
    chosen = ({"products": products[0]}, {"categories": category}, {"products": f"{products[0]},{products[1]}"})
    for filters in chosen:
        for interval in ("day", "week", "month", "year"):
            query = {**SPAN, **filters, "interval": interval, "order": "desc"}
            kept, counted = (
                manager.get(f"{BASE}/products/stats", query={**query, **more}).json for more in ({}, NAMED)
            )
            assert kept == counted
            assert kept["totals"]["orders_count"] > 0
        kept, counted = (
            manager.get(f"{BASE}/products", query={**SPAN, **filters, **more}).json for more in ({}, NAMED)
        )
        assert kept == counted
