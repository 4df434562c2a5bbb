"""Each report with random filters equals a slow computation in plain Python (plain_lists.py).

Not here: revenue/stats, orders/stats and their segments by product over stored sums (test_reports_are_exact.py).
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from vetrina.analytics.facts import integrity_rules as fact_integrity
from vetrina.analytics.rollups import jobs as rollup_jobs, stale_rollups
from vetrina.shop.downloads import file_fetches

from . import plain_lists, plain_reports
from .plain_reports import LEFT_OUT, Line, Row

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00", "per_page": 100}
STATUSES = ("completed", "completed", "completed", "processing", "on-hold", "pending", "failed")
GUESTS = tuple(f"{name}@example.org" for name in ("ada", "bea", "cy"))
KINDS = ("day", "week", "month", "quarter", "year")


class World:
    """A shop with every dimension of the reports, and a history over some months."""

    def __init__(self, site: Stand, client: Client, clock: SetClock, random: Random) -> None:
        self.site, self.client, self.clock, self.random = site, client, clock, random
        client.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
        self.rates = [
            self._made("taxes", {"country": "IT", "rate": rate, "name": name, "shipping": True, "priority": at})
            for at, (rate, name) in enumerate((("10", "State"), ("2.5", "City")), 1)
        ]
        above = self._made("products/categories", {"name": "Above"})
        self.categories = [above, self._made("products/categories", {"name": "Below", "parent": above})]
        self.categories.append(self._made("products/categories", {"name": "Beside"}))
        self.held: dict[int, set[int]] = {id: set() for id in self.categories}
        self.things: list[tuple[int, int]] = []
        for at, price in enumerate(("20", "10.05", "3.33")):
            groups = random.sample(self.categories, random.randint(0, 2))
            body = {"name": f"P{at}", "regular_price": price, "categories": [{"id": id} for id in groups]}
            self._holds(self._made("products", body), groups)
        size = {"name": "Size", "options": ["S", "L"], "variation": True}
        groups = [self.categories[1]]
        body = {"name": "V", "type": "variable", "attributes": [size], "categories": [{"id": id} for id in groups]}
        self.variable = self._made("products", body)
        self.large = 0
        for option in ("S", "L"):
            chosen = {"regular_price": "7.77", "attributes": [{"name": "Size", "option": option}]}
            self.large = self._made(f"products/{self.variable}/variations", chosen)
            self._holds(self.variable, groups, self.large)
        self.codes = {
            self._made("coupons", {"code": code, "discount_type": "percent", "amount": amount}): code
            for code, amount in (("ten", "10"), ("five", "5"))
        }
        self.account = int(client.post(
            "/shop/v3/customers", {"email": "dan@example.org", "username": "dan", "first_name": "Dan"}
        ).json["id"])  # fmt: skip
        self.orders: list[int] = []

    def _made(self, path: str, body: dict[str, Any]) -> int:
        answer = self.client.post(f"/shop/v3/{path}", body)
        assert answer.status == 201, answer.json
        return int(answer.json["id"])

    def _holds(self, product: int, groups: list[int], variation: int = 0) -> None:
        self.things.append((product, variation))
        shown = self.client.get(f"/shop/v3/products/{product}").json["categories"]
        assert len(shown) == max(len(groups), 1)
        for one in shown:  # the shop's own, where none was given
            self.held.setdefault(one["id"], set()).add(product)

    def act(self) -> None:
        self.clock.forward(self.random.randint(1, 120) * 3600)
        kind = self.random.choice(("order", "order", "order", "status", "refund", "fetch"))
        if kind == "order" or not self.orders:
            self._order()
        elif kind == "status":
            self.client.put(f"/shop/v3/orders/{self._one}", {"status": self.random.choice(STATUSES)})
        elif kind == "refund":
            self._refund()
        else:
            product, _ = self.random.choice(self.things)
            with self.site.site.work() as work:
                ip = self.random.choice(("10.0.0.1", "10.0.0.2"))
                file_fetches.record_file_fetch(
                    work, self._one, product, "key", self.random.choice((0, self.account)), ip
                )

    @property
    def _one(self) -> int:
        return self.random.choice(self.orders)

    def _order(self) -> None:
        random = self.random
        lines = [
            {"product_id": id, "variation_id": variation, "quantity": random.randint(1, 4)}
            for id, variation in random.sample(self.things, random.randint(1, 3))
        ]
        account = random.random() < 0.3
        email = "dan@example.org" if account else random.choice(GUESTS)
        body: dict[str, Any] = {
            "status": random.choice(STATUSES), "customer_id": self.account if account else 0, "line_items": lines,
            "billing": {"first_name": email[:3], "country": "IT", "email": email}, "shipping": {"country": "IT"},
        }  # fmt: skip
        if random.random() < 0.4:
            body["shipping_lines"] = [{"method_id": "flat", "method_title": "Flat", "total": "5.00"}]
        codes = random.sample(sorted(self.codes.values()), random.choice((0, 0, 1, 2)))
        if codes:
            body["coupon_lines"] = [{"code": code} for code in codes]
        self.orders.append(self._made("orders", body))

    def _refund(self) -> None:
        id = self._one
        order = self.client.get(f"/shop/v3/orders/{id}").json
        chance = self.random.random()
        if chance < 0.3:
            self.client.put(f"/shop/v3/orders/{id}", {"status": "refunded"})
            return
        if chance < 0.5:
            self.client.post(f"/shop/v3/orders/{id}/refunds", {"amount": "1.50", "api_refund": False})
            return
        line = self.random.choice(order["line_items"])
        each = Decimal(line["total"]) / line["quantity"]
        taxes = [
            {"id": tax["id"], "refund_total": float(round(Decimal(tax["total"]) / line["quantity"], 2))}
            for tax in line["taxes"] if tax["total"]
        ]  # fmt: skip
        told = {"id": line["id"], "quantity": 1, "refund_total": float(round(each, 2)), "refund_tax": taxes}
        self.client.post(f"/shop/v3/orders/{id}/refunds", {"line_items": [told], "api_refund": False})

    # -- asking

    def get(self, path: str, **query: Any) -> Any:
        answer = self.client.get(f"{BASE}/{path}", query={**SPAN, **query})
        assert answer.status == 200, answer.json
        return answer.json


def _same(answered: dict[str, Any], wanted: dict[str, Any], what: object) -> None:
    for name, value in wanted.items():
        if value is None or isinstance(value, str):
            assert answered[name] == value, (what, name)
        else:
            told = Decimal(str(answered[name]))
            assert abs(told - Decimal(value)) < Decimal("0.00001"), (what, name, answered[name], value)


def _all_same(answered: list[dict[str, Any]], key: str, wanted: dict[Any, dict[str, Any]], what: object) -> None:
    assert {one[key] for one in answered} == wanted.keys(), what
    for one in answered:
        _same(one, wanted[one[key]], (what, one[key]))


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(2))
def test_each_report_is_what_the_orders_add_up_to(site: Stand, manager: Client, clock: SetClock, seed: int) -> None:
    world = World(site, manager, clock, Random(seed))
    for _ in range(2):
        for _ in range(12):
            world.act()
        with site.site.work() as work:
            rollup_jobs.save_missing_rollups(work)
        for _ in range(4):
            world.act()
        _compare(world)
    with site.site.work() as work:
        assert [
            one
            for ids in list(fact_integrity.iterate_order_ids(work))
            for one in fact_integrity.list_differences(work, ids)
        ] == []
        assert stale_rollups.drop_stale_rollups(work) == []


def _compare(world: World) -> None:
    every = plain_reports.rows(world.client)
    rows = [row for row in every if row.status not in LEFT_OUT]
    for _ in range(3):
        _products(world, rows)
        _variations(world, rows)
        _coupons(world, rows)
        _taxes(world, rows)
        _downloads(world)
    _categories(world, every, rows)
    _segments(world, rows)
    _customers(world, rows)
    _indicators(world, rows)
    _leaderboards(world, rows)
    _stock(world)


def _inside(rows: list[Row], one: dict[str, Any]) -> list[Row]:
    return [row for row in rows if one["date_start"] <= row.created.replace("T", " ") <= one["date_end"]]


def _paid_inside(rows: list[Row], one: dict[str, Any]) -> list[Row]:
    return [row for row in rows if one["date_start"] <= str(row.paid).replace("T", " ") <= one["date_end"]]


def _with_intervals(world: World, path: str, rows: list[Row], count: Any, **query: Any) -> None:
    kind = world.random.choice(KINDS)
    span = {"after": min(row.created for row in rows), "before": max(row.created for row in rows)}
    answer = world.get(path, **span, interval=kind, order="asc", **query)
    _same(answer["totals"], count(rows), (path, query))
    for one in answer["intervals"]:
        _same(one["subtotals"], count(_inside(rows, one)), (path, query, one["interval"]))


def _products(world: World, rows: list[Row]) -> None:
    random = world.random
    asked: dict[str, Any] = {}
    match = random.choice(("all", "any"))
    products: set[int] | None = None
    if random.random() < 0.6:
        asked["products"] = random.sample([id for id, _ in world.things], 2)
        products = set(asked["products"])
    if random.random() < 0.6:
        asked["categories"] = random.sample(world.categories, 1)
        group = set().union(*(world.held[id] for id in _below(world, asked["categories"])))
        products = group if products is None else group | products if match == "any" else group & products

    def wanted(line: Line) -> bool:
        return products is None or line.product in products

    found = plain_lists.by_product(rows, wanted)
    for id in products or ():
        found.setdefault(id, {"items_sold": 0, "net_revenue": 0, "orders_count": 0})
    answer = world.get("products", match=match, **asked)
    _all_same(answer, "product_id", found, asked)
    by = random.choice(("items_sold", "net_revenue", "orders_count"))
    listed = world.get("products", orderby=by, order="desc", match=match, **asked)
    assert [one["product_id"] for one in listed] == sorted(found, key=lambda id: (-found[id][by], id))
    only = {name: value for name, value in asked.items() if products}
    if only or not asked:
        _with_intervals(
            world, "products/stats", rows, lambda some: plain_lists.products_stats(some, wanted), match=match, **only
        )


def _below(world: World, ids: list[int]) -> list[int]:
    """Return categories with their descendants."""
    return [*ids, world.categories[1]] if world.categories[0] in ids else ids


def _variations(world: World, rows: list[Row]) -> None:
    random = world.random
    own = [variation for _, variation in world.things if variation]
    together = {"attribute_is", "attribute_is_not"}  # joined by `match`; the other filters always apply
    conditions: dict[str, tuple[Any, Any]] = {
        "variations": ([own[0]], lambda line: line.variation == own[0]),
        "product_includes": ([world.variable], lambda line: line.product == world.variable),
        "product_excludes": ([world.things[0][0]], lambda line: line.product != world.things[0][0]),
        "attribute_is": ([["size", "L"]], lambda line: line.variation == world.large),
        "attribute_is_not": ([["size", "L"]], lambda line: line.variation != world.large),
        "category_includes": ([world.categories[1]], lambda line: line.product in world.held[world.categories[1]]),
        "category_excludes": ([world.categories[1]], lambda line: line.product not in world.held[world.categories[1]]),
    }
    names = random.sample(list(conditions), random.randint(0, 2))
    match = random.choice(("all", "any"))
    if match == "any" and {"product_includes", "category_includes"} <= set(names):
        names.remove("category_includes")  # the two together are one condition
    if {"product_excludes", "category_excludes"} <= set(names):
        names.remove("category_excludes")
    asked = {name: conditions[name][0] for name in names}
    joined = all if match == "all" else any

    def wanted(line: Line) -> bool:
        some = [conditions[name][1](line) for name in names if name in together]
        return all(conditions[name][1](line) for name in names if name not in together) and (not some or joined(some))

    found = plain_lists.by_variation(rows, wanted)
    if "variations" in names:
        found.setdefault(own[0], {"items_sold": 0, "net_revenue": 0, "orders_count": 0})
    _all_same(world.get("variations", match=match, **asked), "variation_id", found, asked)
    _with_intervals(
        world, "variations/stats", rows, lambda some: plain_lists.variations_stats(some, wanted), match=match, **asked
    )


def _coupons(world: World, rows: list[Row]) -> None:
    found = plain_lists.by_coupon(rows)
    ids = world.random.choice(([], world.random.sample(list(world.codes), 1)))
    codes = {world.codes[id] for id in ids} or None
    answer = world.get("coupons", extended_info=True, coupons=ids)
    told = {one["extended_info"]["code"]: one for one in answer}
    nothing = {"amount": 0, "orders_count": 0}
    wanted = {code: found.get(code, nothing) for code in (codes or found)}
    assert told.keys() == wanted.keys()
    for code, one in wanted.items():
        _same(told[code], one, code)
    asked = {"coupons": ids} if ids else {}
    _with_intervals(world, "coupons/stats", rows, lambda some: plain_lists.coupons_stats(some, codes), **asked)


def _taxes(world: World, rows: list[Row]) -> None:
    found = plain_lists.by_rate(rows)
    ids = set(world.random.choice(([], world.rates[:1])))
    asked = {"taxes": sorted(ids)} if ids else {}
    answer = world.get("taxes", **asked)
    _all_same(answer, "tax_rate_id", {id: one for id, one in found.items() if not ids or id in ids}, "taxes")
    _with_intervals(world, "taxes/stats", rows, lambda some: plain_lists.taxes_stats(some, ids or None), **asked)


def _downloads(world: World) -> None:
    every = world.get("downloads")
    random = world.random
    product, ip = world.things[0][0], "10.0.0.1"
    conditions: dict[str, tuple[Any, Any]] = {
        "product_includes": ([product], lambda one: one["product_id"] == product),
        "product_excludes": ([product], lambda one: one["product_id"] != product),
        "order_includes": (world.orders[:2], lambda one: one["order_id"] in world.orders[:2]),
        "ip_address_includes": ([ip], lambda one: one["ip_address"] == ip),
        "ip_address_excludes": ([ip], lambda one: one["ip_address"] != ip),
    }
    names = random.sample(list(conditions), random.randint(1, 2))
    match = random.choice(("all", "any"))
    joined = all if match == "all" else any
    asked = {name: conditions[name][0] for name in names}
    wanted = {one["id"] for one in every if joined(conditions[name][1](one) for name in names)}
    assert {one["id"] for one in world.get("downloads", match=match, **asked)} == wanted
    assert world.get("downloads/stats", interval="year", match=match, **asked)["totals"] == {
        "download_count": len(wanted)
    }


def _categories(world: World, every: list[Row], rows: list[Row]) -> None:
    _all_same(world.get("categories"), "category_id", plain_lists.by_category(rows, world.held), "categories")
    status = world.random.choice(STATUSES)
    some = [row for row in every if row.status == status]
    answer = world.get("categories", status_is=status)
    _all_same(answer, "category_id", plain_lists.by_category(some, world.held), status)


def _segments(world: World, rows: list[Row]) -> None:
    """Compare the segments of every report that has them."""
    paid = [row for row in rows if row.paid]
    first = {
        row.id for row in rows if not row.parent and not any(
            other.buyer == row.buyer and not other.parent and (other.created, other.id) < (row.created, row.id)
            for other in rows
        )
    }  # fmt: skip
    totals = world.get("orders/stats", interval="year", segmentby="customer_type")["totals"]
    for one in totals["segments"]:
        of = [row for row in paid if not row.parent and (row.id in first) == (one["segment_id"] == 0)]
        _same(one["subtotals"], plain_lists.whole_orders(of), ("customer type", one["segment_id"]))
    for year in sorted({str(row.paid)[:4] for row in paid}):
        of = [row for row in paid if str(row.paid)[:4] == year]
        span = {"after": f"{year}-01-01T00:00:00", "before": f"{year}-12-31T23:59:59"}
        for kind in ("quarter", "month"):
            answer = world.get("orders/stats", **span, interval=kind, segmentby="product", order="asc")
            parts = [(of, answer["totals"])]
            parts += [(_paid_inside(of, one), one["subtotals"]) for one in answer["intervals"]]
            for some, told in parts:
                for one in told["segments"]:
                    _same(one["subtotals"], plain_reports.segment(some, one["segment_id"]), (year, kind))
    totals = world.get("revenue/stats", interval="year", segmentby="coupon")["totals"]
    for one in totals["segments"]:
        # An order counts once for each of its coupons.
        of = [row for row in paid if one["segment_label"] in row.coupons for _ in row.coupons]
        amount = sum((row.coupons[one["segment_label"]] for row in of), Decimal(0))
        _same(one["subtotals"], {**plain_lists.whole_orders(of), "coupons": amount}, one["segment_label"])

    def times(line: Line, id: int, by: str) -> int:
        return sum(line.product in world.held[group] for group in _below(world, [id])) if by == "category" else 1

    for by, path in (("product", "products/stats"), ("category", "products/stats"), ("variation", "variations/stats")):
        for one in world.get(path, interval="year", segmentby=by, product_includes=world.variable)["totals"][
            "segments"
        ]:
            id = int(one["segment_id"])

            def wanted(line: Line, id: int = id, by: str = by) -> bool:
                if by == "category":
                    return any(line.product in world.held[group] for group in _below(world, [id]))
                return (
                    line.product == id if by == "product" else line.product == world.variable and line.variation == id
                )

            count = plain_lists.variations_stats if by == "variation" else plain_lists.products_stats
            holders = {row.id for row in rows for line in row.lines if wanted(line)}
            # In a segment a refund counts as an order, and a product once for each of its categories.
            lines = [line for row in rows for line in row.lines if wanted(line) for _ in range(times(line, id, by))]
            more = {
                "orders_count": len(holders), "items_sold": sum(line.quantity for line in lines),
                "net_revenue": sum((line.net for line in lines), Decimal(0)),
            }  # fmt: skip
            _same(one["subtotals"], {**count(rows, wanted), **more}, (by, id))
    for one in world.get("taxes/stats", interval="year", segmentby="tax_rate_id")["totals"]["segments"]:
        id = int(one["segment_id"])
        of = {row.id for row in rows for tax in row.taxes if tax.rate == id}
        _same(one["subtotals"], {**plain_lists.taxes_stats(rows, {id}), "orders_count": len(of)}, "tax rate")
    for by in ("product", "category"):
        for one in world.get("coupons/stats", interval="year", segmentby=by)["totals"]["segments"]:
            id = int(one["segment_id"])

            def held(line: Line, id: int = id, by: str = by) -> int:
                groups = _below(world, [id]) if by == "category" else ()
                return sum(line.product in world.held[group] for group in groups) if groups else line.product == id

            _same(one["subtotals"], plain_lists.of_lines(rows, held), (by, id))
    refused = world.client.get(f"{BASE}/coupons/stats", query={**SPAN, "segmentby": "variation"})
    assert (refused.status, refused.code) == (400, "shop_admin_reports_invalid_segmenting_variation")
    for one in world.get("coupons/stats", interval="year", segmentby="coupon")["totals"]["segments"]:
        _same(one["subtotals"], plain_lists.coupons_stats(rows, {one["segment_label"]}), "coupon")


def _customers(world: World, rows: list[Row]) -> None:
    every = plain_lists.by_buyer(rows)
    nothing = {"orders_count": 0, "total_spend": Decimal(0), "avg_order_value": Decimal(0), "date_last_order": None}

    def asked(**query: Any) -> list[dict[str, Any]]:
        found = world.client.get(f"{BASE}/customers", query={"per_page": 100, **query}).json
        return [one for one in found if one["email"] in (*GUESTS, "dan@example.org")]

    listed = asked()
    wanted = {one["email"]: every.get(one["email"], nothing) for one in listed}
    assert every.keys() <= wanted.keys()
    _all_same(listed, "email", wanted, "customers")
    stats = world.client.get(f"{BASE}/customers/stats").json["totals"]
    whole = plain_lists.customers_stats(wanted)
    del whole["customers_count"]  # includes other accounts
    _same(stats, whole, "customers/stats")
    bounds: tuple[tuple[dict[str, Any], Any], ...] = (
        ({"orders_count_min": 2}, lambda one: one["orders_count"] > 2),
        ({"orders_count_max": 2}, lambda one: one["orders_count"] < 2),
        ({"orders_count_min": 1, "orders_count_max": 2}, lambda one: 1 <= one["orders_count"] <= 2),
        ({"orders_count_between": [3, 1]}, lambda one: 1 <= one["orders_count"] <= 3),
        ({"total_spend_min": 50}, lambda one: one["orders_count"] and one["total_spend"] > 50),
        ({"total_spend_between": [10, 90]}, lambda one: one["orders_count"] and 10 <= one["total_spend"] <= 90),
        ({"avg_order_value_max": 40}, lambda one: one["orders_count"] and one["avg_order_value"] < 40),
        ({"search": "ada", "searchby": "email"}, None),
    )  # fmt: skip
    for query, holds in bounds:
        found = {one["email"] for one in asked(**query)}
        if holds is None:
            assert found == {"ada@example.org"} & wanted.keys()
        else:
            assert found == {email for email, one in wanted.items() if holds(one)}, query


def _indicators(world: World, rows: list[Row]) -> None:
    paid = [row for row in rows if row.paid]
    orders = plain_reports.orders_stats(paid)
    lines = plain_lists.products_stats(rows, lambda line: True)
    taxes, coupons = plain_lists.taxes_stats(rows, None), plain_lists.coupons_stats(rows, None)
    wanted = {
        **{f"revenue/{name}": orders[name]
           for name in ("total_sales", "net_revenue", "refunds", "shipping", "gross_sales")},
        **{f"orders/{name}": orders[name] for name in ("orders_count", "avg_order_value")},
        "products/items_sold": lines["items_sold"],
        "variations/items_sold": plain_lists.variations_stats(rows, lambda line: True)["items_sold"],
        **{f"taxes/{name}": taxes[name] for name in ("total_tax", "order_tax", "shipping_tax")},
        **{f"coupons/{name}": coupons[name] for name in ("orders_count", "amount")},
        "downloads/download_count": len(world.get("downloads")),
    }  # fmt: skip
    found = world.get("performance-indicators", stats=sorted(wanted))
    assert {one["stat"] for one in found} == wanted.keys()
    for one in found:
        _same(one, {"value": wanted[one["stat"]]}, one["stat"])


def _leaderboards(world: World, rows: list[Row]) -> None:
    answer = world.client.get("/shop-analytics/leaderboards", query={**SPAN, "per_page": 2}).json
    boards = {one["id"]: [[cell["value"] for cell in row] for row in one["rows"]] for one in answer}
    products = plain_lists.by_product(rows, lambda line: True)
    first = sorted(products, key=lambda id: (-products[id]["items_sold"], id))[:2]
    _same_rows(boards["products"], [(products[id]["items_sold"], products[id]["net_revenue"]) for id in first])
    groups = plain_lists.by_category(rows, world.held)
    first = sorted(groups, key=lambda id: (-groups[id]["items_sold"], id))[:2]
    _same_rows(boards["categories"], [(groups[id]["items_sold"], groups[id]["net_revenue"]) for id in first])
    numbers = {code: id for id, code in world.codes.items()}
    codes = plain_lists.by_coupon(rows)
    best = sorted(codes, key=lambda code: (-codes[code]["orders_count"], numbers[code]))[:2]
    assert [row[0] for row in boards["coupons"]] == best
    _same_rows(boards["coupons"], [(codes[code]["orders_count"], codes[code]["amount"]) for code in best])
    spent = sorted(plain_lists.by_buyer(rows).values(), key=lambda one: -one["total_spend"])[:2]
    _same_rows(boards["customers"], [(one["orders_count"], one["total_spend"]) for one in spent])


def _same_rows(answered: list[list[Any]], wanted: list[tuple[int, Decimal]]) -> None:
    assert len(answered) == len(wanted)
    for (_, count, amount), (number, value) in zip(answered, wanted, strict=True):
        assert count == number
        assert abs(Decimal(str(amount)) - value) < Decimal("0.00001")


def _stock(world: World) -> None:
    """Compare the stock report with the products themselves."""
    product = world.random.choice([id for id, variation in world.things if not variation])
    body = {"manage_stock": True, "stock_quantity": world.random.choice((-1, 0, 1, 2, 3, 9)), "low_stock_amount": 2}
    assert world.client.put(f"/shop/v3/products/{product}", body).status == 200
    every = [one for page in ("products", f"products/{world.variable}/variations")
             for one in world.client.get(f"/shop/v3/{page}", query={"per_page": 100}).json]  # fmt: skip
    wanted = {one["id"]: (one["stock_status"], one["stock_quantity"] or 0) for one in every}
    told = world.get("stock")
    assert {one["id"]: (one["stock_status"], one["stock_quantity"]) for one in told} == wanted
    low = {one["id"] for one in every if one["manage_stock"] is True and one["stock_status"] == "instock"
           and 0 < one["stock_quantity"] <= (one["low_stock_amount"] or 2)}  # fmt: skip
    assert {one["id"] for one in world.get("stock", type="lowstock")} == low
    counts = world.client.get(f"{BASE}/stock/stats").json["totals"]
    assert (counts["products"], counts["lowstock"]) == (len(every), len(low))
    for status in ("instock", "outofstock", "onbackorder"):
        of = {id for id, one in wanted.items() if one[0] == status}
        assert counts[status] == len(of)
        assert {one["id"] for one in world.get("stock", type=status)} == of
