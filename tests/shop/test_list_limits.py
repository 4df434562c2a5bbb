"""Limits of lists in writes of a shop: data of a record may be long, references are limited like a filter."""

from __future__ import annotations

import time
from typing import Any

import pytest

from conftest import Answer, Client


def named(answer: Answer) -> list[str]:
    """Return the parameters that a response refuses."""
    assert (answer.status, answer.code) == (400, "rest_invalid_param"), (answer.status, answer.content[:200])
    return list(answer.json["data"]["params"])


def test_data_of_a_record_may_be_long(manager: Client) -> None:
    fields = [{"key": f"k{at}", "value": at} for at in range(1_500)]
    coupon = manager.post("/shop/v3/coupons", {"code": "many", "product_ids": [*range(1, 5_001)], "meta_data": fields})
    assert (coupon.status, len(coupon.json["product_ids"])) == (201, 5_000)
    rate = manager.post("/shop/v3/taxes", {"country": "IT", "postcodes": [f"{at:05}" for at in range(3_000)]})
    assert (rate.status, len(rate.json["postcodes"])) == (201, 3_000)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("coupons", {"code": "x", "product_ids": [1] * 10_001}),
        ("products", {"name": "x", "upsell_ids": [1] * 1_001}),
        ("products", {"name": "x", "meta_data": [{"key": "a", "value": [0] * 10_001}]}),
        ("orders", {"line_items": [{"product_id": 1}] * 1_001}),
        ("products/batch", {"create": [{}] * 1_001}),
        ("products/batch", {"update": [{"id": 1, "unknown": [0] * 10_001}]}),
    ],
)
def test_too_long_a_list_of_a_write_is_named(manager: Client, path: str, body: dict[str, Any]) -> None:
    assert named(manager.post(f"/shop/v3/{path}", body)) == [next(name for name in reversed(body))]


def test_a_batch_refuses_more_than_a_hundred_as_the_interface_says(manager: Client) -> None:
    assert manager.post("/shop/v3/products/batch", {"create": [{}] * 101}).status == 413


# -- filters of lists


@pytest.mark.parametrize(
    ("path", "query", "name"),
    [
        ("/shop/v3/orders", {"search": " ".join(f"w{at}" for at in range(101))}, "search"),
        ("/shop-analytics/variations", {"attributes": [{"attribute": "a", "terms": [f"t{at}" for at in range(101)]}]},
         "attributes"),
        ("/shop/store/v1/products", {"category": ",".join(map(str, range(1, 102))), "category_operator": "and"},
         "category"),
        ("/shop/store/v1/products", {"sku": "a," * 1001}, "sku"),
        ("/shop/v3/products", {"category": "1," * 1001}, "category"),
        ("/shop-analytics/reports/orders", {"attribute_is": [[f"a{at}", "b"] for at in range(101)]}, "attribute_is"),
        ("/shop-analytics/reports/products", {"products": ",".join(map(str, range(1001)))}, "products"),
        ("/shop-analytics/reports/customers/stats", {"fields": ["a"] * 1001}, "fields"),
        ("/mlang/tm/v1/jobs", {"title": ",".join(f"t{at}" for at in range(101))}, "title"),
        ("/mlang/tm/v1/jobs", {"ids": ",".join(map(str, range(1001)))}, "ids"),
    ],
)  # fmt: skip
def test_a_filter_of_too_many_parts_is_named(admin: Client, path: str, query: dict[str, Any], name: str) -> None:
    assert named(admin.ask("GET", path, json=query)) == [name]


@pytest.mark.parametrize("words", ["a " * 100, '" ' * 5_000, "--a " + "-a " * 5_000])
def test_an_order_is_searched_for_by_many_words(manager: Client, words: str) -> None:
    assert manager.ask("GET", "/shop/v3/orders", json={"search": words}).status == 200


def test_members_that_are_no_names_choose_no_measures(admin: Client) -> None:
    answer = admin.ask(
        "GET", "/shop-analytics/reports/customers/stats", json={"fields": [["x"], {}, "customers_count"]}
    )
    assert (answer.status, list(answer.json["totals"])) == (200, ["customers_count"])


# -- reports of centuries


@pytest.mark.parametrize("interval", ["hour", "day", "week", "month", "quarter", "year"])
@pytest.mark.parametrize("orderby", ["date", "orders_count"])
@pytest.mark.parametrize(
    ("after", "before"),
    [("0001-01-01T00:00:00", "9999-12-31T23:59:59"), ("0001-01-01T00:00:00", "0001-03-01T00:00:00"),
     ("2014-01-01T00:00:00", "2025-05-01T00:00:00"), ("9999-10-01T00:00:00", "9999-12-31T23:59:59")],
)  # fmt: skip
def test_a_report_of_any_span_takes_no_time(
    manager: Client, interval: str, orderby: str, after: str, before: str
) -> None:
    asked = {"interval": interval, "orderby": orderby, "after": after, "before": before}
    manager.get("/shop-analytics/reports/orders/stats", query=asked)
    begun = time.process_time()
    for order in ("asc", "desc"):
        answer = manager.get("/shop-analytics/reports/orders/stats", query={**asked, "order": order})
        too_many = answer.code == "shop_analytics_too_many_intervals"
        assert (answer.status, too_many) in ((200, False), (400, True))
        assert answer.status == 200 or list(answer.json["data"]["params"]) == ["interval"]
    assert time.process_time() - begun < 1


def test_the_sales_of_all_time_name_the_months_in_which_something_was_sold(manager: Client) -> None:
    begun = time.process_time()
    for version in ("v3", "v2", "v1"):
        target = f"/shop/{version}/reports/sales?date_min=0001-01-01&date_max=9999-12-31"
        answer = manager.get(target)
        assert answer.status == 200
        assert answer.json[0]["total_orders"] == 0
        assert all(month["orders"] or month["customers"] for month in answer.json[0]["totals"].values())
    assert time.process_time() - begun < 1
    century = manager.get("/shop/v3/reports/sales?date_min=1950-01-01&date_max=2049-12-31").json[0]
    assert len(century["totals"]) == 1200


def test_ten_thousand_extra_fields_are_written_in_one_go(manager: Client) -> None:
    spent = []
    for count in (1_000, 10_000):
        fields = [{"key": f"k{at}", "value": at} for at in range(count)]
        begun = time.process_time()
        made = manager.post("/shop/v3/products", {"name": "x", "meta_data": fields})
        spent.append(time.process_time() - begun)
        assert (made.status, len(made.json["meta_data"])) == (201, count)
    assert spent[1] < 30 * spent[0]  # a hundredfold, if each field were compared with each other
    first = made.json["meta_data"][0]
    changes = [
        {"id": first["id"], "key": "k1", "value": "renamed"},
        {"key": "k1", "value": "one"},
        {"key": "k2", "value": None},
    ]
    changed = manager.put(f"/shop/v3/products/{made.json['id']}", {"meta_data": changes}).json["meta_data"]
    # The renamed one is the first of its name, so the next value replaces it and the other one is deleted.
    assert [one for one in changed if one["key"] in ("k0", "k1", "k2")] == [{**first, "key": "k1", "value": "one"}]
