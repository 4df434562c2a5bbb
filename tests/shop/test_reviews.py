"""Reviews of products, and their effect on a product's rating."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

pytestmark = pytest.mark.every_database

PRODUCTS, REVIEWS = "/shop/v3/products", "/shop/v3/products/reviews"


@pytest.fixture
def mug(manager: Client) -> dict[str, Any]:
    found: dict[str, Any] = manager.post(PRODUCTS, {"name": "Mug"}).json
    return found


def reviewed(client: Client, of: dict[str, Any], **members: Any) -> Any:
    told = {"product_id": of["id"], "review": "Good", "reviewer": "Ann", "reviewer_email": "ann@example.org"}
    return client.post(REVIEWS, {**told, **members})


def rating(client: Client, of: dict[str, Any]) -> tuple[str, int]:
    found = client.get(f"{PRODUCTS}/{of['id']}").json
    return found["average_rating"], found["rating_count"]


def test_a_rating_moves_with_the_status_of_a_review_and_with_its_removal(manager: Client, mug: dict[str, Any]) -> None:
    first = reviewed(manager, mug, rating=5).json
    second = reviewed(manager, mug, review="Hm", rating=2, status="hold").json
    assert rating(manager, mug) == ("5.00", 1)
    manager.put(f"{REVIEWS}/{second['id']}", {"status": "approved"})
    assert rating(manager, mug) == ("3.50", 2)
    assert manager.delete(f"{REVIEWS}/{second['id']}").json["status"] == "trash"
    assert rating(manager, mug) == ("5.00", 1)
    assert manager.delete(f"{REVIEWS}/{second['id']}").code == "shop_rest_already_trashed"
    gone = manager.delete(f"{REVIEWS}/{first['id']}", query={"force": True})
    assert (gone.json["deleted"], gone.json["previous"]["rating"]) == (True, 5)
    assert rating(manager, mug) == ("0.00", 0)


def test_a_review_is_shown_with_its_product_and_escaped(manager: Client, mug: dict[str, Any], site: Stand) -> None:
    one = reviewed(manager, mug, review="<i class=x>Nice</i>", reviewer="A<b>n</b>n").json
    assert (one["review"], one["reviewer"], one["product_name"]) == ("<i>Nice</i>", "Ann", "Mug")
    assert manager.get(f"{REVIEWS}/{one['id']}").json["review"] == "<p><i>Nice</i></p>\n"
    assert site.client().get("/cms/v2/comments").json == []


def test_reviews_that_repeat_are_empty_or_of_nothing_are_refused(manager: Client, mug: dict[str, Any]) -> None:
    assert reviewed(manager, mug).status == 201
    assert (reviewed(manager, mug).status, reviewed(manager, mug).code) == (409, "shop_rest_comment_duplicate")
    assert reviewed(manager, mug, review=" ").code == "shop_rest_review_content_invalid"
    assert reviewed(manager, {"id": 9999}).code == "shop_rest_product_invalid_id"
    assert reviewed(manager, mug, review="Other", reviewer_email="nope").json["reviewer_email"] == ""


def test_an_editor_reads_reviews_and_writes_none(editor: Client, manager: Client, mug: dict[str, Any]) -> None:
    one = reviewed(manager, mug).json
    assert editor.get(REVIEWS).headers["allow"] == "GET"
    assert editor.get(f"{REVIEWS}/{one['id']}").status == 200
    for client, may in ((editor, ["GET"]), (manager, ["GET", "POST", "PUT", "PATCH", "DELETE"])):
        [shown] = client.get(REVIEWS).json
        assert shown["_links"]["self"][0]["targetHints"]["allow"] == may
    assert (reviewed(editor, mug).status, reviewed(editor, mug).code) == (403, "shop_rest_cannot_create")
    assert editor.put(f"{REVIEWS}/{one['id']}", {"rating": 1}).code == "shop_rest_cannot_edit"


def test_reviews_are_found_by_product_address_and_status(manager: Client, mug: dict[str, Any]) -> None:
    reviewed(manager, mug)
    reviewed(manager, mug, review="Bad", reviewer="Bob", reviewer_email="bob@example.org", status="hold")

    def names(**query: Any) -> list[str]:
        return [one["reviewer"] for one in manager.get(REVIEWS, query=query).json]

    assert (names(), names(status="hold"), sorted(names(status="all"))) == (["Ann"], ["Bob"], ["Ann", "Bob"])
    assert names(product=mug["id"], reviewer_email="ann@example.org") == ["Ann"]
    assert names(product=9999) == []


def test_older_versions_have_reviews_below_their_product(manager: Client, mug: dict[str, Any]) -> None:
    path = f"/shop/v2/products/{mug['id']}/reviews"
    answer = manager.post(path, {"review": "Fine", "name": "Cy", "email": "cy@example.org", "rating": 3})
    assert (answer.status, answer.json["name"], answer.json["rating"]) == (201, "Cy", 3)
    item = f"{path}/{answer.json['id']}"
    assert manager.get(path).json[0]["email"] == "cy@example.org"
    assert "date_created_gmt" not in manager.get(item.replace("v2", "v1")).json
    assert manager.put(item, {"rating": 4}).json["rating"] == 4
    assert manager.get(f"/shop/v2/products/9999/reviews/{answer.json['id']}").code == "shop_rest_review_invalid_id"
    assert manager.delete(item, query={"force": True}).status == 200


def bought(client: Client, of: dict[str, Any], email: str, status: str = "completed") -> None:
    line = {"product_id": of["id"], "quantity": 1}
    answer = client.post("/shop/v3/orders", {"status": status, "billing": {"email": email}, "line_items": [line]})
    assert answer.status == 201, answer.json


def test_a_review_is_verified_when_its_author_bought_the_product(manager: Client, mug: dict[str, Any]) -> None:
    bought(manager, mug, "Ann@example.org")
    bought(manager, mug, "ben@example.org", "pending")
    made = reviewed(manager, mug).json
    assert made["verified"]
    assert not reviewed(manager, mug, reviewer="Ben", reviewer_email="ben@example.org").json["verified"]
    assert [one["verified"] for one in manager.get(REVIEWS, query={"order": "asc"}).json] == [True, False]
    assert manager.get(f"/shop/v2/products/{mug['id']}/reviews/{made['id']}").json["verified"]
    assert not manager.put(f"{REVIEWS}/{made['id']}", {"reviewer_email": "cy@example.org"}).json["verified"]
    assert manager.put(f"{REVIEWS}/{made['id']}", {"reviewer_email": "ann@example.org"}).json["verified"]
    other = manager.post(PRODUCTS, {"name": "Cup"}).json["id"]
    assert not manager.put(f"{REVIEWS}/{made['id']}", {"product_id": other}).json["verified"]


def test_a_review_that_moves_takes_its_stars_along(manager: Client, mug: dict[str, Any]) -> None:
    cup = manager.post(PRODUCTS, {"name": "Cup"}).json
    one = reviewed(manager, mug, rating=4, status="hold").json
    manager.put(f"{REVIEWS}/{one['id']}", {"status": "approved"})
    assert rating(manager, mug) == ("4.00", 1)
    manager.put(f"{REVIEWS}/{one['id']}", {"product_id": cup["id"]})
    assert (rating(manager, mug), rating(manager, cup)) == (("0.00", 0), ("4.00", 1))


def test_an_accounts_orders_verify_its_reviews(site: Stand, manager: Client, mug: dict[str, Any]) -> None:
    buyer = next(
        one for one in manager.get("/shop/v3/customers", query={"role": "all"}).json if one["role"] == "customer"
    )
    line = {"product_id": mug["id"], "quantity": 1}
    manager.post("/shop/v3/orders", {"status": "processing", "customer_id": buyer["id"], "line_items": [line],
                                     "billing": {"email": "elsewhere@example.org"}})  # fmt: skip
    assert reviewed(manager, mug, reviewer_email=buyer["email"]).json["verified"]


def test_fields_choose_twice_on_a_removal(manager: Client, mug: dict[str, Any]) -> None:
    for number, (fields, expected) in enumerate(
        (("deleted,previous,rating", {"rating": 4}), ("previous.rating", {}), ("previous", {}))
    ):
        id = reviewed(manager, mug, review=f"Good {number}", rating=4).json["id"]
        previous = manager.delete(f"{REVIEWS}/{id}", query={"force": True, "_fields": fields}).json["previous"]
        previous.pop("id", None)
        assert previous == expected
