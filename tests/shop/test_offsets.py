"""Offsets of lists: the sign has no effect, on either database."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client


def _named(told: Any) -> Any:
    items = told if isinstance(told, list) else [told]
    return [one["id"] if isinstance(one, dict) and "id" in one else one for one in items]


@pytest.mark.every_database
def test_an_offset_below_zero_is_its_amount_in_every_list(admin: Client) -> None:
    for at in range(3):
        product = admin.post("/shop/v3/products", {"name": f"Tent {at}", "regular_price": "20"}).json["id"]
        order = admin.post("/shop/v3/orders", {"status": "completed", "line_items": [{"product_id": product}]}).json
        admin.post(f"/shop/v3/orders/{order['id']}/refunds", {"amount": "1", "api_refund": False})
        admin.post("/shop/v3/coupons", {"code": f"code {at}", "discount_type": "percent", "amount": "10"})
        admin.post("/shop/v3/taxes", {"country": "IT", "rate": f"{at}", "name": f"Tax {at}"})
        admin.post("/shop/v3/customers", {"email": f"c{at}@example.org", "username": f"c{at}", "password": "x y z w"})
        admin.post("/shop/v3/webhooks", {
            "name": f"Hook {at}", "topic": "order.created", "delivery_url": "https://example.org/",
        })  # fmt: skip
        admin.post("/cms/v2/posts", {"title": f"Post {at}", "status": "publish"})
    lists = [
        path
        for path, told in admin.get("/").json["routes"].items()
        if "(?P" not in path and any("GET" in one["methods"] and "offset" in one["args"] for one in told["endpoints"])
    ]
    assert len(lists) > 20
    more = 0
    for path in lists:
        forward, back = (admin.get(path, query={"offset": offset}) for offset in (1, -1))
        if back.status == 400:
            assert back.json["data"]["details"]["offset"]["code"] == "rest_out_of_bounds", path
            continue
        assert forward.status == back.status == 200, (path, forward.status, back.json)
        # Related products are in random order.
        assert _named(forward.json) == _named(back.json), path
        more += bool(forward.json)
    assert more > 6


def test_nothing_to_pass_over_leaves_the_page_of_terms_reviews_and_accounts_in_force(admin: Client) -> None:
    product = admin.post("/shop/v3/products", {"name": "Tent", "regular_price": "20"}).json["id"]
    for at in range(3):
        admin.post("/shop/v3/products/tags", {"name": f"Tag {at}"})
        review = {"product_id": product, "review": f"Fine {at}", "reviewer": "Ada", "reviewer_email": "a@example.org"}
        admin.post("/shop/v3/products/reviews", {**review, "rating": 4})
        admin.post("/shop/v3/customers", {"email": f"c{at}@example.org", "username": f"c{at}", "password": "x y z w"})
        admin.post("/shop/v3/orders", {})
    for path in ("products/tags", "products/reviews", "customers"):
        paged = [
            [one["id"] for one in admin.get(f"/shop/v3/{path}", query={"page": 2, "per_page": 1, **more}).json]
            for more in ({}, {"offset": 0})
        ]
        assert paged[0] == paged[1] != [], path
    first, again = (
        [one["id"] for one in admin.get("/shop/v3/orders", query={"per_page": 1, **more}).json]
        for more in ({}, {"offset": 0, "page": 2})
    )
    assert first == again


def test_whether_empty_values_are_left_out_is_looked_at_last(admin: Client, anyone: Client) -> None:
    of = admin.post("/shop/v3/products/attributes", {"name": "Colour"}).json["id"]
    for asked, named in (
        ({"hide_empty": "yes"}, {"hide_empty"}), ({"hide_empty": "yes", "context": "x"}, {"context"}),
        ({"hide_empty": "yes", "per_page": 101, "orderby": "x"}, {"per_page", "orderby"}),
    ):  # fmt: skip
        refused = anyone.get(f"/shop/store/v1/products/attributes/{of}/terms", query=asked)
        assert set(refused.json["data"]["params"]) == named


@pytest.mark.every_database
@pytest.mark.parametrize("orderby", ["date", "modified", "id", "include", "title"])
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("statuses", [[], ["pending"], ["pending", "on-hold"]])
def test_pages_make_up_the_list_wherever_they_are_read_from(
    admin: Client, orderby: str, order: str, statuses: list[str]
) -> None:
    made = [admin.post("/shop/v3/orders", {"status": ("pending", "on-hold")[at % 2]}).json["id"] for at in range(7)]
    # Two moments for seven orders: among equals the number decides.
    for at, one in enumerate(made):
        admin.put(f"/shop/v3/orders/{one}", {"date_created": f"2030-01-0{1 + at // 4}T00:00:00"})
    query = {"orderby": orderby, "order": order, **({"status": statuses} if statuses else {})}
    whole = [one["id"] for one in admin.get("/shop/v3/orders", query={**query, "per_page": 100}).json]
    assert sorted(whole) == [one for at, one in enumerate(made) if statuses != ["pending"] or at % 2 == 0]
    for size in (2, 3):
        pages = [admin.get("/shop/v3/orders", query={**query, "per_page": size, "page": at}) for at in range(1, 6)]
        assert [one["id"] for page in pages for one in page.json] == whole
        assert {page.headers["x-cms-total"] for page in pages if page.json} == {str(len(whole))}
