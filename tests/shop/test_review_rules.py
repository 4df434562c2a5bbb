"""Settings of the shop and of a product for reviews: accepted or refused, displayed with stars or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

from .store import STORE, sold

REVIEWS = "/shop/v3/products/reviews"


def review(client: Client, of: int, **more: Any) -> Any:
    told = {"product_id": of, "review": "Good", "reviewer": "Ann", "reviewer_email": "ann@example.org"}
    return client.post(REVIEWS, {**told, **more})


def set_to(admin: Client, name: str, value: str) -> None:
    assert admin.put(f"/shop/v3/settings/products/{name}", {"value": value}).status == 200


def buy(manager: Client, of: int, email: str) -> None:
    line = {"product_id": of, "quantity": 1}
    made = manager.post("/shop/v3/orders", {"status": "completed", "billing": {"email": email}, "line_items": [line]})
    assert made.status == 201


@pytest.fixture
def mug(manager: Client) -> int:
    return sold(manager, "Mug")


def test_a_shop_without_reviews_takes_and_shows_none(site: Stand, admin: Client, manager: Client, mug: int) -> None:
    assert review(manager, mug, rating=4).status == 201
    visitor = site.client()
    shown = visitor.get(f"{STORE}/products/{mug}").json
    assert (shown["average_rating"], shown["review_count"]) == ("4.00", 1)
    set_to(admin, "shop_enable_reviews", "no")
    refused = review(manager, mug, review="Other", rating=4)
    assert (refused.status, refused.code) == (403, "shop_rest_reviews_closed")
    old = manager.post(f"/shop/v2/products/{mug}/reviews", {"review": "x", "name": "y", "email": "y@example.org"})
    assert old.code == "shop_rest_reviews_closed"
    batch = manager.post(
        f"{REVIEWS}/batch",
        {"create": [{"product_id": mug, "review": "z", "reviewer": "y", "reviewer_email": "y@example.org"}]},
    )
    assert batch.json["create"][0]["error"]["code"] == "shop_rest_reviews_closed"
    listed = visitor.get(f"{STORE}/products/reviews")
    assert (listed.json, listed.headers["x-cms-total"]) == ([], "0")
    shown = visitor.get(f"{STORE}/products/{mug}").json
    assert (shown["average_rating"], shown["review_count"]) == ("0", 0)
    assert site.client("subscriber").post("/cms/v2/comments", {"post": mug, "content": "Hm"}).code == (
        "rest_comment_closed"
    )
    set_to(admin, "shop_enable_reviews", "yes")
    assert visitor.get(f"{STORE}/products/{mug}").json["review_count"] == 1


def test_a_product_that_allows_no_reviews_gets_none(manager: Client, mug: int, site: Stand) -> None:
    one = review(manager, mug).json["id"]
    quiet = sold(manager, "Quiet", reviews_allowed=False)
    refused = review(manager, quiet)
    assert (refused.status, refused.code) == (403, "shop_rest_reviews_closed")
    assert manager.put(f"{REVIEWS}/{one}", {"product_id": quiet}).code == "shop_rest_reviews_closed"
    assert site.client("subscriber").post("/cms/v2/comments", {"post": quiet, "content": "Hm"}).code == (
        "rest_comment_closed"
    )
    # Existing reviews may be moderated, whatever the product allows now.
    manager.put(f"/shop/v3/products/{mug}", {"reviews_allowed": False})
    assert manager.put(f"{REVIEWS}/{one}", {"status": "hold"}).status == 200


def test_only_those_who_bought_review_where_the_shop_says_so(
    site: Stand, admin: Client, manager: Client, mug: int
) -> None:
    set_to(admin, "shop_review_rating_verification_required", "yes")
    refused = review(manager, mug)
    assert (refused.status, refused.code) == (403, "shop_rest_review_verification_required")
    subscriber = site.client("subscriber")
    assert subscriber.post("/cms/v2/comments", {"post": mug, "content": "Hm"}).code == "rest_comment_closed"
    buy(manager, mug, "ann@example.org")
    buy(manager, mug, "subscriber@example.org")
    one = review(manager, mug)
    assert one.status == 201
    moved = manager.put(f"{REVIEWS}/{one.json['id']}", {"reviewer_email": "ben@example.org"})
    assert moved.code == "shop_rest_review_verification_required"
    assert subscriber.post("/cms/v2/comments", {"post": mug, "content": "Hm"}).status == 201


def test_a_review_needs_stars_where_the_owner_says_so(admin: Client, manager: Client, mug: int) -> None:
    one = review(manager, mug, rating=3).json["id"]
    set_to(admin, "shop_review_rating_required", "yes")
    refused = review(manager, mug, review="Other")
    assert (refused.status, refused.code) == (400, "shop_rest_review_rating_required")
    assert review(manager, mug, review="Other", rating=0).code == "shop_rest_review_rating_required"
    assert manager.put(f"{REVIEWS}/{one}", {"rating": 0}).code == "shop_rest_review_rating_required"
    assert review(manager, mug, review="Other", rating=1).status == 201
    set_to(admin, "shop_review_rating_required", "no")
    assert review(manager, mug, review="Third").status == 201


def test_a_shop_without_stars_keeps_and_shows_none(site: Stand, admin: Client, manager: Client, mug: int) -> None:
    review(manager, mug, rating=5)
    set_to(admin, "shop_review_rating_required", "yes")
    set_to(admin, "shop_enable_review_rating", "no")
    assert review(manager, mug, review="Other", rating=2).json["rating"] == 0
    visitor = site.client()
    assert [one["rating"] for one in visitor.get(f"{STORE}/products/reviews").json] == [0, 0]
    shown = visitor.get(f"{STORE}/products/{mug}").json
    assert (shown["average_rating"], shown["review_count"]) == ("0", 2)


def test_visitors_see_who_bought_only_where_the_shop_says_so(
    site: Stand, admin: Client, manager: Client, mug: int
) -> None:
    buy(manager, mug, "ann@example.org")
    assert review(manager, mug).json["verified"]
    visitor = site.client()
    assert [one["verified"] for one in visitor.get(f"{STORE}/products/reviews").json] == [True]
    set_to(admin, "shop_review_rating_verification_label", "no")
    assert [one["verified"] for one in visitor.get(f"{STORE}/products/reviews").json] == [False]
