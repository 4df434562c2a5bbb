"""Reviews that visitors write on the page of a product."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conftest import ORIGIN, Client, Stand
from pages.conftest import Page, Visitor

REVIEWS = "/shop/v3/products/reviews"
OURS = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def lamp(make: Any) -> Any:
    return make("Lamp")


def send(visitor: Visitor, product: int, headers: dict[str, str] = OURS, **fields: str) -> Page:
    form = {
        "_form": "product-review", "product": str(product), "review": "It is bright.", "rating": "4", "author": "Ada",
        "email": "ada@example.org", "website": "", **fields,
    }  # fmt: skip
    return visitor.post("/en/product/lamp/", form, **headers)


def list_reviews(manager: Client, status: str = "all") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = manager.get(f"{REVIEWS}?status={status}").json
    return found


def test_a_review_waits_and_then_is_shown(visitor: Visitor, lamp: Any, manager: Client) -> None:
    assert 'name="_form" value="product-review"' in visitor.get("/en/product/lamp/").text
    answer = send(visitor, lamp["id"])
    assert (answer.status, answer.location) == (303, f"{ORIGIN}/en/product/lamp/?notice=review-held#reviews")
    shown = visitor.follow(answer).text
    assert "Your review is shown once it has been checked." in shown
    assert "It is bright." not in shown
    (kept,) = list_reviews(manager)
    assert (kept["status"], kept["rating"], kept["reviewer"]) == ("hold", 4, "Ada")
    assert (kept["reviewer_email"], kept["product_id"]) == ("ada@example.org", lamp["id"])
    assert manager.put(f"{REVIEWS}/{kept['id']}", {"status": "approved"}).status == 200
    text = visitor.get("/en/product/lamp/").text
    assert "It is bright." in text
    assert "Reviews (1)" in text
    assert 'aria-label="Rated 4 out of 5"' in text


def test_one_is_shown_at_once_where_comments_are(visitor: Visitor, lamp: Any, configure: Any) -> None:
    configure(comment_previously_approved=False)
    answer = send(visitor, lamp["id"])
    assert answer.location.endswith("?notice=review-shown#reviews")
    assert "It is bright." in visitor.follow(answer).text


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"review": ""}, "Write what you think"), ({"rating": ""}, "Choose how many stars"),
     ({"rating": "9"}, "Choose from 1 to 5"), ({"author": ""}, "Tell your name."), ({"email": "no"}, "valid e-mail")],
)  # fmt: skip
def test_what_is_missing_is_said_beside_what_was_sent(
    visitor: Visitor, lamp: Any, manager: Client, fields: dict[str, str], said: str
) -> None:
    answer = send(visitor, lamp["id"], **fields)
    assert answer.status == 400
    assert said in answer.text
    assert "It is bright." in answer.text or "review" in fields
    assert list_reviews(manager) == []


def test_a_form_of_another_site_is_refused(visitor: Visitor, lamp: Any, manager: Client) -> None:
    assert send(visitor, lamp["id"], {"sec-fetch-site": "cross-site"}).status == 403
    assert send(visitor, lamp["id"], {"origin": "https://elsewhere.example"}).status == 403
    assert list_reviews(manager) == []


def test_a_program_is_thanked_and_nothing_is_stored(visitor: Visitor, lamp: Any, manager: Client) -> None:
    assert send(visitor, lamp["id"], website="https://spam.example").status == 303
    assert list_reviews(manager) == []


def test_the_same_review_is_refused(visitor: Visitor, lamp: Any) -> None:
    send(visitor, lamp["id"])
    answer = send(visitor, lamp["id"])
    assert (answer.status, "You sent this review already." in answer.text) == (409, True)


def test_one_writes_one_review_at_a_time(visitor: Visitor, lamp: Any, manager: Client) -> None:
    assert send(visitor, lamp["id"]).status == 303
    for fields in ({"review": "Another."}, {"author": "Bo", "email": "bo@example.org", "review": "So is mine."}):
        assert send(visitor, lamp["id"], **fields).status == 429
    assert len(list_reviews(manager)) == 1


def test_only_buyers_where_the_shop_says_so(visitor: Visitor, lamp: Any, configure: Any, manager: Client) -> None:
    configure(shop_review_rating_verification_required="yes")
    assert send(visitor, lamp["id"]).status == 403
    order = {"status": "completed", "billing": {"email": "ada@example.org"}, "line_items": [{"product_id": lamp["id"]}]}
    assert manager.post("/shop/v3/orders", order).status == 201
    assert send(visitor, lamp["id"]).status == 303
    assert list_reviews(manager)[0]["verified"] is True


def test_a_closed_product_has_no_form_and_takes_none(visitor: Visitor, make: Any, manager: Client) -> None:
    lamp = make("Lamp", reviews_allowed=False)
    assert "product-review" not in visitor.get("/en/product/lamp/").text
    answer = send(visitor, lamp["id"])
    assert answer.status == 403
    assert list_reviews(manager) == []


def test_a_shop_without_reviews_shows_none(visitor: Visitor, lamp: Any, configure: Any) -> None:
    configure(shop_enable_reviews="no")
    text = visitor.get("/en/product/lamp/").text
    assert "Reviews (" not in text
    assert "product-review" not in text


def test_accounts_only(visitor: Visitor, lamp: Any, configure: Any, manager: Client, house: Stand) -> None:
    configure(comment_registration=True)
    assert "Sign in to write a review." in visitor.get("/en/product/lamp/").text
    assert send(visitor, lamp["id"]).status == 401
    assert visitor.sign_in("author").status == 303
    text = visitor.get("/en/product/lamp/").text
    assert 'value="product-review"' in text
    assert 'name="email"' not in text
    assert send(visitor, lamp["id"], author="", email="").status == 303
    assert list_reviews(manager)[0]["reviewer_email"] == "author@example.org"


def test_an_unknown_product_is_not_found(visitor: Visitor, lamp: Any, make: Any) -> None:
    draft = make("Draft", status="draft")
    for id in (999_999, draft["id"]):
        assert send(visitor, id).status == 404


def test_reviews_have_pages_as_comments_have(visitor: Visitor, lamp: Any, manager: Client, configure: Any) -> None:
    configure(page_comments=True, comments_per_page=2)
    for number in range(5):
        review = {
            "product_id": lamp["id"], "review": f"Number {number}", "reviewer": "Ada", "rating": 4,
            "reviewer_email": f"ada{number}@example.org", "date_created": f"2026-01-01T10:00:0{number}",
        }  # fmt: skip
        assert manager.post(REVIEWS, review).status == 201
    first = visitor.get("/en/product/lamp/").text
    assert re.findall(r"Number (\d)", first) == ["4", "3"]
    assert "Reviews (5)" in first
    (last,) = re.findall(r'href="([^"]+)">3</a>', first)
    assert last == f"{ORIGIN}/en/product/lamp/?reviews-page=3#reviews"
    assert re.findall(r"Number (\d)", visitor.get("/en/product/lamp/?reviews-page=3").text) == ["0"]
    configure(page_comments=False)
    assert "Pages of reviews" not in visitor.get("/en/product/lamp/").text
