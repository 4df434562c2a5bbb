"""Who bought something in a span, by kept sums of customers, equals a slow computation in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, select

from conftest import Client, SetClock, Stand
from vetrina.analytics.reports.buyers import rank_buyers
from vetrina.analytics.rollups import customer_lanes, jobs as rollup_jobs, periods, stale_rollups
from vetrina.analytics.rollups.customer_lanes import CustomerBlock, CustomerRow, CustomerTotals, PackedPart
from vetrina.backends.database import Statement
from vetrina.backends.tables.rollups import rollup_customer

from . import plain_lists, plain_reports
from .plain_reports import LEFT_OUT, Row
from .test_each_report_is_exact import BASE, World, _all_same, _same

DAY = 86_400
_CENT = 10_000  # millionths
MEASURES = ("orders_count", "total_spend", "avg_order_value")


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(3))
def test_buyers_of_any_span_are_those_of_its_orders(site: Stand, manager: Client, clock: SetClock, seed: int) -> None:
    random = Random(seed)
    world = World(site, manager, clock, random)
    for _ in range(3):
        for _ in range(10):
            world.act()
            clock.forward(random.choice((0, 0, 3_600, DAY, 40 * DAY)))
        if random.random() < 0.8:
            with site.site.work() as work:
                rollup_jobs.save_missing_rollups(work, 3000)
            world.act()
        rows = [row for row in plain_reports.rows(manager) if row.status not in LEFT_OUT]
        moments = sorted({row.created for row in rows})
        for _ in range(5):
            after, before = sorted(random.choice(moments) for _ in range(2))
            if random.random() < 0.7:
                after, before = f"{after[:10]}T00:00:00", f"{before[:10]}T23:59:59"
            _compare(world, after, before, [row for row in rows if after <= row.created <= before])
        _compare(world, "2000-01-01T00:00:00", "2100-01-01T00:00:00", rows)
    with site.site.work() as work:
        assert stale_rollups.drop_stale_rollups(work) == []


def _compare(world: World, after: str, before: str, rows: list[Row]) -> None:
    span = {"after": after, "before": before, "per_page": 100}
    wanted = plain_lists.by_buyer(rows)
    listed = world.client.get(f"{BASE}/customers", query=span)
    assert listed.headers["x-cms-total"] == str(len(wanted))
    _all_same(listed.json, "email", wanted, (after, before))
    stats = world.client.get(f"{BASE}/customers/stats", query=span).json["totals"]
    _same(stats, plain_lists.customers_stats(wanted), (after, before))
    ids = {one["email"]: one["id"] for one in listed.json}
    _compare_chosen(world, span, wanted)
    _compare_bounds(world, span, wanted)
    for orderby in MEASURES:
        for order in ("asc", "desc"):
            sign = 1 if order == "asc" else -1

            def rank(email: str, orderby: str = orderby, sign: int = sign) -> tuple[Any, int, int]:
                one = wanted[email]
                bought = one["orders_count"] > 0 if orderby != "orders_count" else 0
                return sign * one[orderby], sign * bought, ids[email]

            query = {**span, "orderby": orderby, "order": order}
            ranked = [one["email"] for one in world.client.get(f"{BASE}/customers", query=query).json]
            assert ranked == sorted(wanted, key=rank), query
            page = world.client.get(f"{BASE}/customers", query={**query, "per_page": 1, "page": 2}).json
            assert [one["email"] for one in page] == ranked[1:2], query


@pytest.fixture
def product(manager: Client) -> int:
    return int(manager.post("/shop/v3/products", {"name": "Tent", "regular_price": "20"}).json["id"])


def _order(manager: Client, product: int, quantity: int, email: str = "ada@example.org") -> int:
    body = {
        "status": "processing", "billing": {"email": email},
        "line_items": [{"product_id": product, "quantity": quantity}],
    }  # fmt: skip
    return int(manager.post("/shop/v3/orders", body).json["id"])


def _keep(site: Stand) -> None:
    with site.site.work() as work:
        rollup_jobs.save_missing_rollups(work, 1000)


def _list_kept(site: Stand) -> set[str]:
    with site.site.work(read=True) as work:
        return {kind for kind, _, _ in periods.list_periods(work) if kind.startswith("customer-")}


def _list_spent(manager: Client, after: str) -> list[float]:
    """Return what each customer spent from a moment up to now: from sums by customer, not from those of all time."""
    query = {"after": after, "orderby": "total_spend"}
    return [one["total_spend"] for one in manager.get(f"{BASE}/customers", query=query).json]


def _read_average(manager: Client, after: str) -> float:
    """Return what customers spent on the average, from sums of which most are kept."""
    newest = manager.get("/shop/v3/orders").json[0]["date_created"]
    query = {"after": after, "before": f"{newest[:10]}T23:59:59"}
    return float(manager.get(f"{BASE}/customers/stats", query=query).json["totals"]["avg_total_spend"])


@pytest.fixture
def after(site: Stand, manager: Client, clock: SetClock, product: int) -> str:
    """The morning after a first order, of 20, long before the others."""
    _order(manager, product, 1)
    created = str(manager.get("/shop/v3/orders").json[0]["date_created"])
    clock.forward(DAY)
    return f"{created[:10]}T23:59:59"


def _compare_chosen(world: World, span: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Compare the buyers whose address has a letter."""
    chosen = {email: one for email, one in wanted.items() if "a" in email.partition("@")[0]}
    query = {**span, "search": "a", "searchby": "email"}
    found = {one["email"]: one for one in world.client.get(f"{BASE}/customers", query=query).json}
    assert chosen.keys() <= found.keys()
    exact = {**span, "include": ",".join(str(found[email]["id"]) for email in chosen) or "0"}
    listed = world.client.get(f"{BASE}/customers", query=exact)
    assert listed.headers["x-cms-total"] == str(len(chosen))
    _all_same(listed.json, "email", chosen, exact)
    stats = world.client.get(f"{BASE}/customers/stats", query=exact).json["totals"]
    _same(stats, plain_lists.customers_stats(chosen), exact)


def _compare_bounds(world: World, span: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Compare the buyers within bounds of what they bought: one bound is strict, two are not."""
    values = {name: sorted({one[name] for one in wanted.values()}) for name in MEASURES}
    for name, known in values.items():
        middle, most = known[len(known) // 2], known[-1]
        low, high = (middle, most) if name == "total_spend" else (int(middle), int(most) + 1)
        for bounds, is_within in (
            ({f"{name}_min": low}, lambda value, low=low, high=high: value > low),
            ({f"{name}_max": high}, lambda value, low=low, high=high: value < high),
            ({f"{name}_min": low, f"{name}_max": high}, lambda value, low=low, high=high: low <= value <= high),
        ):
            chosen = {
                email for email, one in wanted.items()
                if is_within(one[name]) and (name == "orders_count" or one["orders_count"])
            }  # fmt: skip
            query = {**span, **bounds}
            listed = world.client.get(f"{BASE}/customers", query=query)
            assert {one["email"] for one in listed.json} == chosen, query
            stats = world.client.get(f"{BASE}/customers/stats", query=query).json["totals"]
            assert stats["customers_count"] == len(chosen), query


def test_equal_averages_are_sorted_by_id_whatever_the_unit_of_amounts() -> None:
    blocks = [CustomerBlock([2, 3], [3, 1], [6_940, 1], 10_000), CustomerBlock([1], [3], [69_400_000], 1)]
    for falling, ranked in ((True, [1, 2, 3]), (False, [3, 1, 2])):
        for most in (1, 2, 3):
            assert rank_buyers(blocks, "avg_order_value", falling, 0, most) == ranked[:most]


def _draw_rows(random: Random, customers: int) -> list[CustomerRow]:
    """Return some of ten thousand customers, some of whom no lane holds: refunds alone, parts of cents."""
    return [
        (id, 0, -random.randrange(100) * _CENT) if not id % 7
        else (id, random.randint(1, 9), random.choice((1, _CENT, _CENT, _CENT)) * (id * 37 % 5_000))
        for id in random.sample(range(1, 10_001), customers)
    ]  # fmt: skip


def _add_up(parts: Iterable[PackedPart]) -> CustomerTotals:
    out = CustomerTotals()
    for one in parts:
        out.add_packed(one)
    return out


@pytest.mark.parametrize("seed", range(8))
def test_those_who_spent_most_are_the_first_of_all(seed: int) -> None:
    random = Random(seed)
    parts = [_draw_rows(random, random.choice((6_000, 8_000, 40))) for _ in range(random.choice((2, 5, 20)))]
    sums: Counter[int] = Counter()
    for id, _, spend in (row for part in parts for row in part):
        sums[id] += spend
    # Those who bought most by then take it back, or are left out.
    first = [id for id, _ in sums.most_common(60)]
    parts += [[(id, 0, -sums[id]) for id in random.sample(first, 40)]]
    without = set(random.sample(first, random.choice((0, 50))))
    packed = [one for part in parts for one in customer_lanes.pack_rows(part)]
    blocks = [block.leave_out(without) for block in _add_up(packed).iterate_blocks()]
    for most in (1, 10, 300):
        found, total = _add_up(packed).find_highest_spends(most, without)
        assert total == sum(len(block.ids) for block in blocks)
        assert rank_buyers(found, "total_spend", True, 0, most) == rank_buyers(blocks, "total_spend", True, 0, most)


@pytest.mark.parametrize("seed", range(4))
def test_chosen_buyers_are_those_among_all(seed: int) -> None:
    random = Random(seed)
    parts = [_draw_rows(random, random.choice((6_000, 40))) for _ in range(random.choice((2, 5, 20)))]
    parts += [[(id, 1, 5 * _CENT) for id in random.sample(range(200_000, 201_000), 30)]]
    packed = [one for part in parts for one in customer_lanes.pack_rows(part)]
    chosen = {*random.sample(range(1, 10_001), random.choice((20, 5_000))), *range(200_000, 200_500), 70_000}
    found = [one for block in _add_up(packed).iterate_blocks(chosen) for one in _list_rows(block)]
    assert found == [one for block in _add_up(packed).iterate_blocks() for one in _list_rows(block) if one[0] in chosen]


def _list_rows(block: CustomerBlock) -> list[CustomerRow]:
    return [
        (id, orders, spend * block.unit)
        for id, orders, spend in zip(block.ids, block.orders, block.spends, strict=True)
    ]


@pytest.mark.every_database
def test_what_customers_bought_is_kept_and_follows_their_orders(
    site: Stand, manager: Client, clock: SetClock, product: int, after: str
) -> None:
    order = _order(manager, product, 2)
    clock.forward(120 * DAY)
    _order(manager, product, 1, "bea@example.org")
    assert _list_spent(manager, after) == [40, 20]
    _keep(site)
    assert _list_kept(site) == {periods.CUSTOMER_DAY, periods.CUSTOMER_MONTH, periods.CUSTOMER_QUARTER}
    kept = _count_periods(site)
    assert _list_spent(manager, after) == [40, 20]
    # A status that counts as well changes nothing of what was bought.
    manager.put(f"/shop/v3/orders/{order}", {"status": "completed"})
    assert _count_periods(site) == kept
    manager.put(f"/shop/v3/orders/{order}", {"status": "cancelled"})
    assert _count_periods(site) == kept - 3
    assert _list_spent(manager, after) == [20]
    _keep(site)
    assert _count_periods(site) == kept
    assert _list_spent(manager, after) == [20]


def _count_periods(site: Stand) -> int:
    with site.site.work(read=True) as work:
        return sum(kind.startswith("customer-") for kind, _, _ in periods.list_periods(work))


@pytest.mark.every_database
def test_wrong_sums_of_customers_are_found_and_mended(
    site: Stand, manager: Client, clock: SetClock, product: int, after: str
) -> None:
    _order(manager, product, 2)
    clock.forward(120 * DAY)
    _order(manager, product, 1, "bea@example.org")
    _keep(site)
    assert _read_average(manager, after) == 30
    (part,) = customer_lanes.pack_rows([(1, 3, 99_000_000)])
    with site.site.work() as work:
        keys = [
            (row[0], row[1])
            for row in work.tx.all(Statement(select(rollup_customer.c.kind, rollup_customer.c.unit).distinct()))
        ]
        work.tx.run(Statement(delete(rollup_customer)))
        work.tx.load(rollup_customer, [(*key, *part) for key in keys])
    assert _read_average(manager, after) == 59.5
    with site.site.work() as work:
        found = stale_rollups.drop_stale_rollups(work)
    assert len(found) == len(keys)
    assert all("customer-" in line for line in found)
    assert _read_average(manager, after) == 30


@pytest.mark.every_database
def test_setting_what_counts_forgets_sums_of_customers(
    site: Stand, manager: Client, clock: SetClock, product: int, after: str
) -> None:
    order = _order(manager, product, 2)
    clock.forward(DAY)
    _order(manager, product, 1, "bea@example.org")
    manager.put(f"/shop/v3/orders/{order}", {"status": "on-hold"})
    _keep(site)
    assert _list_spent(manager, after) == [40, 20]
    path = "/shop-analytics/settings/shop_admin/shop_excluded_report_order_statuses"
    assert manager.put(path, {"value": ["on-hold"]}).status == 200
    assert _list_kept(site) == set()
    assert _list_spent(manager, after) == [20]


@pytest.mark.every_database
def test_a_deleted_account_is_no_buyer(
    site: Stand, manager: Client, admin: Client, clock: SetClock, product: int, after: str
) -> None:
    account = manager.post("/shop/v3/customers", {"email": "dan@example.org", "username": "dan"}).json["id"]
    body = {"status": "completed", "customer_id": account, "line_items": [{"product_id": product, "quantity": 3}]}
    assert manager.post("/shop/v3/orders", body).status == 201
    clock.forward(DAY)
    _order(manager, product, 1, "bea@example.org")
    _keep(site)
    assert _list_spent(manager, after) == [60, 20]
    assert admin.delete(f"/shop/v3/customers/{account}", query={"force": True}).status == 200
    assert _list_spent(manager, after) == [20]
    assert manager.get(f"{BASE}/customers/stats", query={"after": after}).json["totals"]["customers_count"] == 1
