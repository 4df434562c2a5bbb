"""Rules of single reports that sums do not cover: pages, flags, segments as text, recomputation."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from vetrina.analytics.facts import integrity_rules as fact_integrity
from vetrina.analytics.facts.reportable_orders import KINDS
from vetrina.analytics.rollups import (
    jobs as rollup_jobs,
    order_store,
    periods,
    stale_rollups,
)
from vetrina.analytics.rollups.id_sets import list_ids, pack_ids

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
        assert ('rel="prev"' in answer.headers["link"], 'rel="next"' in answer.headers["link"]) == (False, pages == "2")


def test_a_page_of_nothing_leads_nowhere(manager: Client, product: int) -> None:
    _order(manager, product)
    for path in ("/shop-analytics/customers", f"{BASE}/customers", f"{BASE}/variations"):
        answer = manager.get(path, query={"page": 9})
        assert (answer.json, answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ([], "0", "0")
        assert "?" not in answer.headers["link"], path


@pytest.mark.every_database
def test_segments_of_kept_months_are_the_same_in_any_form(site: Stand, manager: Client, product: int) -> None:
    """Stored months are sent as text; with chosen fields or an envelope the result is the same."""
    _order(manager, product)
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
    asked = {**SPAN, "segmentby": "product", "interval": "month", "order": "asc", "per_page": 100}
    path = f"{BASE}/orders/stats"
    plain = manager.get(path, query=asked).json
    assert plain["totals"]["segments"][0]["subtotals"]["num_items_sold"] == 2
    assert manager.get(path, query={**asked, "_envelope": "1"}).json["body"] == plain
    assert manager.get(path, query={**asked, "_pretty": "1"}).json == plain
    chosen = manager.get(path, query={**asked, "_fields": "totals.segments"}).json
    assert chosen == {"totals": {"segments": plain["totals"]["segments"]}}


@pytest.mark.every_database
def test_a_later_order_is_in_a_kept_month_at_once(site: Stand, manager: Client, product: int) -> None:
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
        assert rollup_jobs.save_missing_rollups(work)
    assert pieces() == {product: 2, other: 2}
    _order(manager, product)
    assert pieces() == {product: 4, other: 2}
    manager.delete(f"/shop/v3/orders/{first}", query={"force": True})
    assert pieces() == {product: 2, other: 2}
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
        assert stale_rollups.drop_stale_rollups(work) == []
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
def test_a_rebuilding_reads_the_refunds_that_its_totals_tell(manager: Client, product: int, clock: SetClock) -> None:
    def rebuilt(**query: Any) -> tuple[int, int, int]:
        told = manager.get(f"{BASE}/import/totals", query=query).json["orders"]
        manager.post(f"{BASE}/import/delete", {})
        assert manager.post(f"{BASE}/import", query).json["status"] == "success"
        status = manager.get(f"{BASE}/import/status").json["orders"]
        return told, status["total"], status["imported"]

    old = _order(manager, product)
    clock.forward(5 * 86_400)
    _order(manager, product)
    manager.post(f"/shop/v3/orders/{old}/refunds", {"amount": "1.50", "api_refund": False})
    assert rebuilt(days=1) == (2, 2, 2)  # the newer order, and the refund of the older
    assert manager.get(f"{BASE}/revenue/stats", query=SPAN).json["totals"]["refunds"] == 1.5
    assert rebuilt() == (3, 3, 3)


@pytest.mark.parametrize("name", ["orders_count", "total_spend", "avg_order_value"])
@pytest.mark.parametrize("ends", [[1], [1, 2, 3], ["a", "b"], [1, 2.5], [0.5, 2]])
def test_between_takes_two_whole_numbers(manager: Client, name: str, ends: list[object]) -> None:
    answer = manager.get("/shop-analytics/customers", query={f"{name}_between": ends})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == [f"{name}_between"]


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ('{"period":"month","compare":"previous_year"}', "&period=month&compare=previous_year"),
        ('{"a":{"b":[1,2]},"none":null,"yes":true,"no":false}', "&a%5Bb%5D%5B0%5D=1&a%5Bb%5D%5B1%5D=2&yes=1&no=0"),
        ('{"e":"x&y\'><b>"}', "&e=x%26y%27%3E%3Cb%3E"),
        ("[1]", ""),
        ("no JSON", ""),
    ],
)
def test_links_of_a_board_keep_what_the_screen_asked_for(manager: Client, product: int, kept: str, told: str) -> None:
    _order(manager, product)
    query = {**SPAN, "persisted_query": kept}
    [board] = manager.get("/shop-analytics/leaderboards/products", query=query).json
    link = board["rows"][0][0]["display"].split("'")[1]
    wanted = f"page=shop-admin&path=/analytics/products{told}&filter=single_product&products={product}"
    assert link.partition("?")[2] == wanted


def test_an_address_names_one_customer_however_conditions_are_joined(manager: Client, product: int) -> None:
    for name in ("ada", "bea"):
        _order(manager, product, billing={"email": f"{name}@example.org", "first_name": name})
    ids = {one["email"][:3]: one["id"] for one in manager.get(f"{BASE}/customers").json}
    for match in ("all", "any"):
        for sought, found in (("ada", [ids["ada"]]), ("bea", [])):
            query = {"match": match, "searchby": "email", "search": sought}
            answer = manager.get(f"/shop-analytics/customers/{ids['ada']}", query=query)
            assert [one["id"] for one in answer.json] == found, query
            assert answer.headers["x-cms-total"] == str(len(found))


@pytest.mark.every_database
def test_guests_without_an_address_are_one_customer(site: Stand, manager: Client, product: int) -> None:
    for _ in range(2):
        _order(manager, product)
    assert manager.get(f"{BASE}/orders/stats", query=SPAN).json["totals"]["total_customers"] == 1
    with site.site.work() as work:
        assert [
            one
            for ids in list(fact_integrity.iterate_order_ids(work))
            for one in fact_integrity.list_differences(work, ids)
        ] == []


def _revenue(manager: Client, **asked: Any) -> dict[str, Any]:
    answer = manager.get(f"{BASE}/revenue/stats", query={**SPAN, "interval": "day", **asked})
    totals: dict[str, Any] = answer.json["totals"]
    return {name: totals[name] for name in ("orders_count", "num_items_sold", "total_customers", "products")}


@pytest.mark.every_database
def test_a_kept_day_is_carried_on_by_each_order(site: Stand, manager: Client, product: int) -> None:
    """Ordered again, paid, refunded and deleted: the day stays stored, and equals the sums of its rows."""
    other = int(manager.post("/shop/v3/products", {"name": "Cup", "regular_price": "3"}).json["id"])
    manager.post("/shop/v3/coupons", {"code": "ten", "discount_type": "percent", "amount": "10"})
    _order(manager, product)
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
        days = {dates: periods.list_units(work, periods.DAY, dates) for dates in KINDS}
    assert all(days.values())
    bea = {"billing": {"email": "bea@example.org"}}
    second = _order(manager, product, coupon_lines=[{"code": "ten"}], **bea)
    third = _order(manager, other, status="pending", **bea)
    assert _revenue(manager) == {"orders_count": 2, "num_items_sold": 4, "total_customers": 2, "products": 1}
    manager.put(f"/shop/v3/orders/{third}", {"status": "processing"})
    assert _revenue(manager) == {"orders_count": 3, "num_items_sold": 6, "total_customers": 2, "products": 2}
    manager.post(f"/shop/v3/orders/{third}/refunds", {"amount": "1.00", "api_refund": False})
    manager.delete(f"/shop/v3/orders/{second}", query={"force": True})
    assert _revenue(manager) == {"orders_count": 2, "num_items_sold": 4, "total_customers": 2, "products": 2}
    manager.delete(f"/shop/v3/orders/{third}", query={"force": True})
    assert _revenue(manager) == {"orders_count": 1, "num_items_sold": 2, "total_customers": 1, "products": 1}
    with site.site.work() as work:
        assert {dates: periods.list_units(work, periods.DAY, dates) for dates in KINDS} == days
        assert stale_rollups.drop_stale_rollups(work) == []


@pytest.mark.every_database
@pytest.mark.parametrize("nothing", ["status", "customer"])
def test_a_kept_day_that_lacks_what_an_order_takes_out_is_forgotten(
    site: Stand, manager: Client, product: int, nothing: str
) -> None:
    first = _order(manager, product)
    _order(manager, product)
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
        for dates in KINDS:
            for day in periods.list_units(work, periods.DAY, dates):
                held = order_store.load_order_period(work, periods.DAY, dates, day)
                order_store.delete_order_period(work, periods.DAY, dates, day)
                if nothing == "status":
                    del held.statuses["completed"]
                else:
                    held.statuses["completed"].sets[order_store.MEMBERS.index("customer")] = b""
                order_store.save_order_period(work, periods.DAY, dates, day, held)
    assert manager.delete(f"/shop/v3/orders/{first}", query={"force": True}).status == 200
    assert _revenue(manager)["orders_count"] == 1
    with site.site.work() as work:
        assert not any(periods.list_units(work, periods.DAY, dates) for dates in KINDS)


def test_a_day_that_grew_too_long_is_not_written_with_every_order(site: Stand, manager: Client, product: int) -> None:
    _order(manager, product)
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
        for dates in KINDS:
            for day in periods.list_units(work, periods.DAY, dates):
                held = order_store.load_order_period(work, periods.DAY, dates, day)
                order_store.delete_order_period(work, periods.DAY, dates, day)
                # As after some thousand orders, each of another customer.
                for of_status in held.statuses.values():
                    at = order_store.MEMBERS.index("customer")
                    of_status.sets[at] = pack_ids([*list_ids(of_status.sets[at]), *range(10**6, 10**7, 1000)])
                order_store.save_order_period(work, periods.DAY, dates, day, held)
    _order(manager, product)
    with site.site.work() as work:
        assert not periods.list_units(work, periods.DAY, "created")
    assert _revenue(manager)["orders_count"] == 2


@pytest.mark.every_database
def test_a_span_that_ends_within_a_kept_day_leaves_out_what_follows(site: Stand, manager: Client, product: int) -> None:
    for at in ("2024-06-09T10:00:00", "2024-06-10T08:00:00", "2024-06-10T20:00:00"):
        _order(manager, product, meta_data=[{"key": "_date_paid", "value": at}])
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work)
    asked = {"after": "2024-06-01T00:00:00"}
    assert [
        _revenue(manager, **asked, before=f"2024-06-10T{at}")["orders_count"]
        for at in ("07:59:59", "08:00:00", "19:59:59", "20:00:00", "23:59:59")
    ] == [1, 2, 2, 3, 3]
