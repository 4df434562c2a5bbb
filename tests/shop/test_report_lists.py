"""Lists of reports: effects of filters, totals, new customers, extended members."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conftest import Client, SetClock, Stand, exchange

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00", "per_page": 100}


def _made(manager: Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = manager.post(f"/shop/v3/{path}", body)
    assert answer.status == 201, answer.json
    return dict(answer.json)


def _product(manager: Client, **members: Any) -> int:
    return int(_made(manager, "products", {"name": "Tent", "regular_price": "20", **members})["id"])


def _order(manager: Client, product: int, **members: Any) -> int:
    lines = [{"product_id": product, "quantity": 2}]
    return int(_made(manager, "orders", {"status": "completed", "line_items": lines, **members})["id"])


def _coat(manager: Client) -> tuple[int, list[int]]:
    """Create a coat in two sizes, and one of any; return its id and theirs."""
    attribute = {"name": "Size", "options": ["S", "L"], "variation": True}
    parent = int(_made(manager, "products", {"name": "Coat", "type": "variable", "attributes": [attribute]})["id"])
    return parent, [
        int(_made(manager, f"products/{parent}/variations", {"regular_price": "7", "attributes": chosen})["id"])
        for chosen in ([{"name": "Size", "option": "S"}], [{"name": "Size", "option": "L"}], [])
    ]


@pytest.mark.every_database
def test_a_left_out_coupon_leaves_orders_with_others(manager: Client) -> None:
    product = _product(manager)
    ten, five = (
        int(_made(manager, "coupons", {"code": code, "discount_type": "percent", "amount": "5"})["id"])
        for code in ("ten", "five")
    )
    both = _order(manager, product, coupon_lines=[{"code": "ten"}, {"code": "five"}])
    alone = _order(manager, product, coupon_lines=[{"code": "ten"}])
    none = _order(manager, product)

    def listed(*ids: int) -> set[int]:
        answer = manager.get(f"{BASE}/orders", query={**SPAN, "coupon_excludes": list(ids)})
        assert answer.headers["x-cms-total"] == str(len(answer.json))
        return {one["order_id"] for one in answer.json}

    assert listed(ten) == {both, none}
    assert listed(five) == {both, alone, none}
    assert listed(ten, five) == {none}
    # The statistics exclude orders that have one of them, whatever else they contain.
    totals = manager.get(f"{BASE}/orders/stats", query={**SPAN, "coupon_excludes": [ten]}).json["totals"]
    assert totals["orders_count"] == 1


def test_a_left_out_rate_leaves_orders_with_others(manager: Client) -> None:
    manager.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    state, city = (
        int(_made(manager, "taxes", {"country": "IT", "rate": "10", "name": name, "priority": at})["id"])
        for at, name in enumerate(("State", "City"), 1)
    )
    order = _order(manager, _product(manager), shipping={"country": "IT"}, billing={"country": "IT"})
    for ids, found in (([state], [order]), ([city], [order]), ([state, city], [])):
        rows = manager.get(f"{BASE}/orders", query={**SPAN, "tax_rate_excludes": ids}).json
        assert [one["order_id"] for one in rows] == found


def test_match_joins_no_products_with_variations(manager: Client) -> None:
    parent, (small, large, _) = _coat(manager)
    other, (hat, *_) = _coat(manager)
    for of, variation in ((parent, small), (parent, large), (other, hat)):
        _order(manager, of, line_items=[{"product_id": of, "variation_id": variation, "quantity": 1}])
    query = {**SPAN, "match": "any", "product_includes": [parent], "product_excludes": [other]}
    assert {one["variation_id"] for one in manager.get(f"{BASE}/variations", query=query).json} == {small, large}
    query |= {"attribute_is": [["size", "L"]]}
    assert {one["variation_id"] for one in manager.get(f"{BASE}/variations", query=query).json} == {large}


def test_a_variation_counts_its_refunds_as_orders(manager: Client) -> None:
    parent, (small, *_) = _coat(manager)
    order = _order(manager, parent, line_items=[{"product_id": parent, "variation_id": small, "quantity": 2}])
    line = manager.get(f"/shop/v3/orders/{order}").json["line_items"][0]["id"]
    lines = [{"id": line, "quantity": 1, "refund_total": 7}]
    assert manager.post(f"/shop/v3/orders/{order}/refunds", {"api_refund": False, "line_items": lines}).status == 201
    (row,) = manager.get(f"{BASE}/variations", query=SPAN).json
    assert (row["items_sold"], row["net_revenue"], row["orders_count"]) == (1, 7, 2)
    (product,) = manager.get(f"{BASE}/products", query=SPAN).json
    assert product["orders_count"] == 1


@pytest.mark.every_database
def test_an_order_that_does_not_count_is_new_before_the_first_that_does(manager: Client, clock: SetClock) -> None:
    manager.put("/shop-analytics/settings/shop_admin/shop_date_type", {"value": "date_created"})
    product = _product(manager)
    wanted = {}
    buyer = {"email": "ada@example.org"}
    for status, told in (
        ("cancelled", "new"), ("processing", "new"), ("failed", "returning"), ("completed", "returning"),
    ):  # fmt: skip
        wanted[_order(manager, product, status=status, billing=buyer)] = told
        clock.forward(60)
    query = {**SPAN, "status_is": ["cancelled", "processing", "failed", "completed"]}

    def listed() -> dict[int, str]:
        rows = manager.get(f"{BASE}/orders", query=query).json
        return {one["order_id"]: one["customer_type"] for one in rows}

    assert listed() == wanted
    manager.post(f"{BASE}/import/delete", {})
    assert manager.post(f"{BASE}/import", {}).json["status"] == "success"
    assert listed() == wanted


def test_a_page_past_the_end_of_categories_has_no_total(manager: Client) -> None:
    _order(manager, _product(manager))
    for page, total in ((1, "1"), (2, "0")):
        answer = manager.get(f"{BASE}/categories", query={**SPAN, "page": page})
        assert answer.headers["x-cms-total"] == total


def test_rates_that_are_asked_for_are_counted_taxed_or_not(manager: Client) -> None:
    ids = [_made(manager, "taxes", {"country": "IT", "rate": "10", "name": name})["id"] for name in ("A", "B")]
    answer = manager.get(f"{BASE}/taxes", query={**SPAN, "taxes": ids})
    assert (answer.json, answer.headers["x-cms-total"]) == ([], "2")


def test_a_parent_that_is_no_number_is_none(manager: Client) -> None:
    parent, own = _coat(manager)
    for value in (0, "words", ["words", "more"]):
        assert [one["id"] for one in manager.get(f"{BASE}/stock", query={"parent": value}).json] == [parent]
        rows = manager.get(f"{BASE}/stock", query={"parent_exclude": value, "orderby": "id"}).json
        assert [one["id"] for one in rows] == own


def test_a_figure_needs_both_ends_of_its_span(manager: Client) -> None:
    _order(manager, _product(manager))
    asked = {"stats": "orders/orders_count"}
    path = f"{BASE}/performance-indicators"
    span = {name: SPAN[name] for name in ("after", "before")}
    assert manager.get(path, query={**asked, **span}).json[0]["value"] == 1
    for missing in ({}, {"after": SPAN["after"]}, {"before": SPAN["before"]}):
        assert manager.get(path, query={**asked, **missing}).json[0]["value"] is None


@pytest.mark.parametrize("path", ["variations", "products", "taxes"])
def test_intervals_without_a_measure_stand_as_time_goes(manager: Client, path: str) -> None:
    _order(manager, _product(manager))
    missing = "total_sales" if path == "taxes" else "shipping"
    span = {"after": "2025-01-01T00:00:00", "before": "2027-12-31T23:59:59", "interval": "year"}
    for order in ("asc", "desc"):
        answer = manager.get(f"{BASE}/{path}/stats", query={**span, "orderby": missing, "order": order}).json
        assert [one["interval"] for one in answer["intervals"]] == ["2025", "2026", "2027"]
    chosen = {**span, "orderby": "orders_count", "fields": ["net_revenue"]}
    answer = manager.get(f"{BASE}/{path}/stats", query=chosen).json
    assert [one["interval"] for one in answer["intervals"]] == ["2025", "2026", "2027"]


def test_a_variation_is_told_with_its_choices(site: Stand, manager: Client) -> None:
    parent, own = _coat(manager)
    small, _, either = own
    found = {
        one["variation_id"]: one["extended_info"]
        for one in manager.get(f"{BASE}/variations", query={**SPAN, "variations": own, "extended_info": True}).json
    }
    permalink = manager.get(f"/shop/v3/products/{parent}").json["permalink"]
    assert found[small]["name"] == "Coat - S"
    assert found[small]["permalink"] == f"{permalink}?attribute_size=S"
    assert found[small]["attributes"] == [{"id": 0, "name": "size", "option": "S"}]
    assert (found[either]["permalink"], found[either]["name"]) == (permalink, "Coat")
    assert found[either]["attributes"] == [{"id": 0, "name": "size", "option": ""}]


def test_what_stands_for_a_picture_is_served(site: Stand, manager: Client) -> None:
    product = _product(manager)
    query = {**SPAN, "products": [product], "extended_info": True}
    (row,) = manager.get(f"{BASE}/products", query=query).json
    addresses = set(re.findall(r'https?://[^\s"]+', row["extended_info"]["image"]))
    assert len(addresses) == len(("whole", 300, 1024, 150, 768))
    for address in addresses:
        status, headers, body = exchange(site.site, "GET", "/" + address.split("/", 3)[3])
        assert (status, dict(headers)["content-type"], body[8:12]) == (200, "image/webp", b"WEBP")
    for name in ("shop-placeholder-2x2.webp", "shop-placeholder.webp/", "../shop-placeholder.webp"):
        assert exchange(site.site, "GET", f"/cms-content/uploads/{name}")[0] == 404


def test_a_refund_is_partial_while_gifts_stay(manager: Client) -> None:
    gift = _product(manager, regular_price="0")
    order = _order(manager, gift, status="processing")
    line = manager.get(f"/shop/v3/orders/{order}").json["line_items"][0]["id"]
    kinds = []
    for _ in range(2):
        lines = [{"id": line, "quantity": 1, "refund_total": 0}]
        answer = manager.post(f"/shop/v3/orders/{order}/refunds", {"api_refund": False, "line_items": lines})
        assert answer.status == 201, answer.json
        kinds.append(next(one["value"] for one in answer.json["meta_data"] if one["key"] == "_refund_type"))
        kinds.append(manager.get(f"/shop/v3/orders/{order}").json["status"])
    assert kinds == ["partial", "processing", "full", "refunded"]


@pytest.mark.every_database
def test_who_bought_in_a_span_is_the_same_whatever_is_read(
    site: Stand, manager: Client, admin: Client, clock: SetClock
) -> None:
    product = _product(manager)
    account = int(_made(manager, "customers", {"email": "gone@example.org", "username": "gone"})["id"])
    for at in range(12):
        clock.forward(9 * 86_400)
        email = f"guest{at % 5}@example.org"
        who = {"customer_id": account} if at % 6 == 5 else {}
        lines = [{"product_id": product, "quantity": at % 3 + 1}]
        _order(manager, product, line_items=lines, billing={"email": email, "country": "IT"}, **who)
    first = str(manager.get(f"{BASE}/orders", query={**SPAN, "order": "asc"}).json[0]["date_created"])
    for deleted in (False, True):
        if deleted:
            answer = admin.delete(f"/cms/v2/users/{account}", query={"force": True, "reassign": False})
            assert answer.status == 200, answer.json
        for after in ("2020-01-01T00:00:00", first.replace(" ", "T"), "2030-01-01T00:00:00"):
            asked = {**SPAN, "after": after}
            # A condition that holds for all: customers are read for it, and not their orders alone.
            same = {**asked, "country_excludes": "ZZ"}
            totals = [manager.get(f"{BASE}/customers/stats", query=one).json["totals"] for one in (asked, same)]
            assert totals[0] == pytest.approx(totals[1])
            for orderby in ("total_spend", "orders_count", "avg_order_value", "name", "date_registered"):
                for order in ("asc", "desc"):
                    by = {"orderby": orderby, "order": order, "per_page": 4, "page": 1}
                    short = manager.get(f"{BASE}/customers", query={**asked, **by})
                    full = manager.get(f"{BASE}/customers", query={**same, **by})
                    assert short.status == full.status == 200
                    assert short.json == full.json
                    assert short.headers["x-cms-total"] == full.headers["x-cms-total"]
