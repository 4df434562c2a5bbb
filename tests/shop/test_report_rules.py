"""Rules of single reports that no sum shows: pages, marks, segments as text, what is counted anew."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.domain.analytics import checking, keeping, month_sums

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00"}


@pytest.fixture
def product(manager: Client) -> int:
    return int(manager.post("/shop/v3/products", {"name": "Tent", "regular_price": "20"}).json["id"])


def _order(manager: Client, product: int, **members: Any) -> int:
    body = {"status": "completed", "line_items": [{"product_id": product, "quantity": 2}], **members}
    answer = manager.post("/shop/v3/orders", body)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def test_empty_pages_of_orders_keep_the_total_alone(manager: Client, product: int) -> None:
    for _ in range(3):
        _order(manager, product)
    for query, pages in (({"per_page": 2}, "2"), ({"per_page": 0}, "0"), ({"page": 9}, "0")):
        answer = manager.get(f"{BASE}/orders", query={**SPAN, **query})
        assert (len(answer.json), answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == (
            2 if pages == "2" else 0, "3", pages,
        )  # fmt: skip


@pytest.mark.every_database
def test_segments_of_kept_months_are_the_same_in_any_form(site: Stand, manager: Client, product: int) -> None:
    """Kept months are sent as text; whoever chooses fields or wants an envelope gets the same."""
    _order(manager, product)
    with site.site.work() as work:
        keeping.keep_missing(work)
    asked = {**SPAN, "segmentby": "product", "interval": "month", "order": "asc", "per_page": 100}
    path = f"{BASE}/orders/stats"
    plain = manager.get(path, query=asked).json
    assert plain["totals"]["segments"][0]["subtotals"]["num_items_sold"] == 2
    assert manager.get(path, query={**asked, "_envelope": "1"}).json["body"] == plain
    assert manager.get(path, query={**asked, "_pretty": "1"}).json == plain
    chosen = manager.get(path, query={**asked, "_fields": "totals.segments"}).json
    assert chosen == {"totals": {"segments": plain["totals"]["segments"]}}


@pytest.mark.every_database
def test_a_later_order_is_in_a_kept_month_at_once(
    site: Stand, manager: Client, product: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(month_sums, "_FEW", 0)
    other = int(manager.post("/shop/v3/products", {"name": "Cup", "regular_price": "3"}).json["id"])
    first = _order(manager, product)
    _order(manager, other)

    def pieces() -> dict[int, int]:
        asked = {**SPAN, "segmentby": "product", "interval": "month", "order": "asc", "per_page": 100}
        body = manager.get(f"{BASE}/orders/stats", query=asked).json
        parts = [{one["segment_id"]: one["subtotals"]["num_items_sold"] for one in part["segments"]}
                 for part in (body["totals"], *(one["subtotals"] for one in body["intervals"]))]  # fmt: skip
        assert all(parts[0][id] == sum(part[id] for part in parts[1:]) for id in parts[0])
        sold = manager.get(f"{BASE}/products", query=SPAN).json
        assert {one["product_id"]: one["items_sold"] for one in sold} == {
            id: count for id, count in parts[0].items() if count
        }
        return parts[0]

    with site.site.work() as work:
        assert keeping.keep_missing(work)
    assert pieces() == {product: 2, other: 2}
    _order(manager, product)
    assert pieces() == {product: 4, other: 2}
    manager.delete(f"/shop/v3/orders/{first}", query={"force": True})
    assert pieces() == {product: 2, other: 2}
    with site.site.work() as work:
        keeping.keep_missing(work)
        assert keeping.stale(work) == []
    assert pieces() == {product: 2, other: 2}
    manager.put("/shop-analytics/settings/shop_admin/shop_excluded_report_order_statuses", {"value": ["completed"]})
    assert pieces() == {product: 0, other: 0}


def test_stock_is_listed_by_parents_and_from_an_offset(manager: Client) -> None:
    attribute = {"name": "Size", "options": ["S", "L"], "variation": True}
    parents = [
        int(manager.post("/shop/v3/products", {"name": "V", "type": "variable", "attributes": [attribute]}).json["id"])
        for _ in range(2)
    ]
    own = [int(manager.post(f"/shop/v3/products/{id}/variations", {"regular_price": "1"}).json["id"]) for id in parents]

    def listed(**query: Any) -> list[int]:
        return [one["id"] for one in manager.get(f"{BASE}/stock", query={"orderby": "id", **query}).json]

    assert listed(parent=parents[0]) == own[:1]
    assert listed(parent_exclude=parents[0]) == sorted([*parents, own[1]])
    assert listed(offset=3) == sorted([*parents, *own])[3:]


def test_customers_are_found_by_the_older_name_of_include(manager: Client, product: int) -> None:
    for name in ("ada", "bea"):
        _order(manager, product, billing={"email": f"{name}@example.org", "first_name": name})
    every = manager.get(f"{BASE}/customers", query={"orderby": "email", "order": "asc"}).json
    ada = next(one["id"] for one in every if one["email"] == "ada@example.org")
    assert [one["id"] for one in manager.get(f"{BASE}/customers", query={"customers": ada}).json] == [ada]


@pytest.mark.every_database
def test_guests_without_an_address_are_one_customer(site: Stand, manager: Client, product: int) -> None:
    for _ in range(2):
        _order(manager, product)
    assert manager.get(f"{BASE}/orders/stats", query=SPAN).json["totals"]["total_customers"] == 1
    with site.site.work() as work:
        assert [one for ids in list(checking.parts(work)) for one in checking.differences(work, ids)] == []
