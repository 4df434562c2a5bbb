"""The storefront interface: carts, their limits and owners; drafts; what is not disclosed."""

from __future__ import annotations

import base64
from typing import Any

import orjson
import pytest

from conftest import Client, SetClock, Stand
from vetrina.settings import load_profile
from vetrina.shop.cart import lines as cart_lines, store as cart_store, tokens
from vetrina.site import Site

from .store import HOME, STORE, Visitor, billing, payable, sold, stock

# -- whose cart


def test_one_visitor_never_sees_the_cart_of_another(site: Stand, manager: Client) -> None:
    first, second = Visitor(site), Visitor(site)
    first.add(sold(manager))
    assert second.get("/cart").json["items"] == []
    head, _, rest = first.token.partition(".")
    body, _, signature = rest.partition(".")
    claims = orjson.loads(base64.urlsafe_b64decode(body + "=="))
    forged = base64.urlsafe_b64encode(orjson.dumps({**claims, "exp": claims["exp"] + 1})).decode().rstrip("=")
    for token in (f"{head}.{forged}.{signature}", f"{head}.{body}.", claims["user_id"], "", "a.b.c", "é" * 50):
        assert site.client().get(f"{STORE}/cart", headers={"Cart-Token": token}).json["items"] == []
        refused = site.client().delete(f"{STORE}/cart/items", headers={"Cart-Token": token})
        assert (refused.status, refused.code) == (401, "shop_rest_missing_nonce")


def test_a_token_ends(site: Stand, manager: Client, clock: SetClock) -> None:
    visitor = Visitor(site)
    visitor.add(sold(manager))
    clock.forward(tokens.TOKEN_LIFETIME + 1)
    assert visitor.get("/cart").json["items"] == []


def test_the_cart_of_an_account_is_its_own(site: Stand, manager: Client, customer: Client) -> None:
    id = sold(manager)
    answer = customer.get(f"{STORE}/cart")
    nonce, token = answer.headers["nonce"], answer.headers["cart-token"]
    assert customer.post(f"{STORE}/cart/add-item", {"id": id}).code == "shop_rest_missing_nonce"
    wrong = customer.post(f"{STORE}/cart/add-item", {"id": id}, headers={"Nonce": "0123456789"})
    assert (wrong.status, wrong.code) == (403, "shop_rest_invalid_nonce")
    assert customer.post(f"{STORE}/cart/add-item", {"id": id}, headers={"Nonce": nonce}).status == 201
    assert customer.get(f"{STORE}/cart").json["items_count"] == 1
    # A token of an account's cart is of no use to anybody else.
    for other in (site.client(), site.client("author"), manager):
        assert other.get(f"{STORE}/cart", headers={"Cart-Token": token}).json["items_count"] == 0
    # The nonce of one account is not valid for another.
    assert manager.post(f"{STORE}/cart/add-item", {"id": id}, headers={"Nonce": nonce}).status == 403


def test_answers_are_nobody_elses(site: Stand) -> None:
    first, second = (site.client().get(f"{STORE}/cart") for _ in range(2))
    assert first.headers["cart-token"] != second.headers["cart-token"]
    assert "no-store" in first.headers["cache-control"]
    asked = site.client().options(f"{STORE}/cart", headers={"origin": "https://front.example"})
    assert "Cart-Token" in asked.headers["access-control-allow-headers"]
    # Only headers that a route declares are read, and by no other route of the site.
    other = site.client().options("/shop/v3/products", headers={"origin": "https://front.example"})
    assert "Cart-Token" not in other.headers["access-control-allow-headers"]


def test_a_cart_survives_a_restart_and_is_swept_when_old(site: Stand, manager: Client, clock: SetClock) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager), 3)
    draft = visitor.get("/checkout").json["order_id"]
    old = site.site
    again = Stand(Site(load_profile("second"), old.context.settings, old.folder, clock=clock, durable=False))
    told = again.client().get(f"{STORE}/cart", headers=visitor.headers)
    assert told.json["items_count"] == 3
    again.site.close()
    with old.work() as work:
        cart_store.delete_expired_carts(work)
        key = tokens.decode_cart_token(work, visitor.token)
    assert visitor.get("/cart").json["items_count"] == 3
    clock.forward(tokens.TOKEN_LIFETIME + 25 * 3600)
    with old.work() as work:
        cart_store.delete_expired_carts(work)
        assert cart_store.load_cart(work, key).lines == ()
    assert manager.get(f"/shop/v3/orders/{draft}").status == 404


# -- limits


def test_limits_of_lines_and_pieces(site: Stand, manager: Client) -> None:
    visitor = Visitor(site)
    cups = [{"name": f"Cup {at}", "regular_price": "1"} for at in range(cart_lines.MAX_LINES)]
    ids = [one["id"] for one in manager.post("/shop/v3/products/batch", {"create": cups}).json["create"]]
    for id in ids:
        assert visitor.add(id).status == 201
    assert visitor.add(sold(manager)).code == "shop_rest_cart_too_many_items"
    assert visitor.add(ids[0], 9999).code == "shop_rest_product_partially_out_of_stock"
    assert visitor.add(ids[0], -1).code == "shop_rest_product_invalid_quantity"
    assert visitor.add(ids[0], 10**15).code == "shop_rest_product_partially_out_of_stock"
    assert visitor.post("/cart/add-item", {"id": ids[0], "quantity": 1.5}).code == "shop_rest_product_invalid_quantity"
    key = visitor.get("/cart").json["items"][0]["key"]
    assert visitor.post("/cart/update-item", {"key": key, "quantity": 0}).code == "invalid_quantity"
    assert visitor.post("/cart/update-item", {"key": key, "quantity": 9999}).status == 200
    unknown = visitor.post("/cart/update-item", {"key": "0" * 32, "quantity": 1})
    assert (unknown.status, unknown.code) == (409, "shop_rest_cart_invalid_key")
    assert unknown.json["data"]["cart"]["items_count"] == 9999 + len(ids) - 1


def test_stock_is_one_for_all_lines_that_share_it(site: Stand, manager: Client) -> None:
    coat = manager.post(
        "/shop/v3/products",
        {
            "name": "Coat", "type": "variable", "manage_stock": True, "stock_quantity": 3,
            "attributes": [{"name": "Size", "variation": True, "options": ["S", "L"]}],
        },
    ).json["id"]  # fmt: skip
    for size in "SL":
        manager.post(
            f"/shop/v3/products/{coat}/variations",
            {"regular_price": "9", "attributes": [{"name": "Size", "option": size}]},
        )
    visitor = Visitor(site)
    assert visitor.add(coat, 2, variation=[{"attribute": "Size", "value": "S"}]).status == 201
    refused = visitor.add(coat, 2, variation=[{"attribute": "Size", "value": "L"}])
    assert refused.code == "shop_rest_product_partially_out_of_stock"
    assert visitor.add(coat, 1, variation=[{"attribute": "Size", "value": "L"}]).status == 201


# -- what may be bought and seen


def test_what_is_not_published_is_not_there(site: Stand, manager: Client) -> None:
    visitor = Visitor(site)
    for members in ({"status": "draft"}, {"status": "private"}, {"status": "pending"}):
        id = sold(manager, "Secret", "1", **members)
        assert visitor.get(f"/products/{id}").code == "shop_rest_product_invalid_id"
        assert visitor.add(id).status == 400
    hidden = sold(manager, "Hidden", "1", catalog_visibility="hidden")
    assert visitor.get("/products").json == []
    assert visitor.get(f"/products/{hidden}").json["name"] == "Hidden"
    assert visitor.get("/products/secret").code == "shop_rest_product_invalid_slug"
    assert visitor.get("/products/hidden").json["id"] == hidden


def test_variations_of_what_is_not_published_are_not_listed(site: Stand, manager: Client) -> None:
    coat = manager.post(
        "/shop/v3/products",
        {
            "name": "Coat", "type": "variable", "status": "draft",
            "attributes": [{"name": "Size", "variation": True, "options": ["S"]}],
        },
    ).json["id"]  # fmt: skip
    part = manager.post(
        f"/shop/v3/products/{coat}/variations",
        {"regular_price": "9", "sku": "secret-s", "attributes": [{"name": "Size", "option": "S"}]},
    ).json["id"]
    visitor = Visitor(site)
    asked = ("?type=variation", f"?parent={coat}", "?sku=secret-s", f"?type=variation&include={part}")
    assert [visitor.get(f"/products{query}").json for query in asked] == [[], [], [], []]
    assert visitor.get(f"/products/{part}").status == 404
    assert visitor.add(part).status == 400
    manager.put(f"/shop/v3/products/{coat}", {"status": "publish"})
    assert [len(visitor.get(f"/products{query}").json) for query in asked] == [1, 1, 1, 1]


def test_a_kept_list_follows_the_shop(site: Stand, manager: Client) -> None:
    """Lists are cached as bytes until something that they contain changes."""
    id = sold(manager, "Cup", "10")
    client = site.client()
    assert client.get(f"{STORE}/products").json[0]["prices"]["price"] == "1000"
    manager.put(f"/shop/v3/products/{id}", {"regular_price": "12"})
    assert client.get(f"{STORE}/products").json[0]["prices"]["price"] == "1200"
    manager.put("/shop/v3/settings/general/shop_currency", {"value": "EUR"})
    assert client.get(f"{STORE}/products").json[0]["prices"]["currency_code"] == "EUR"
    tag = manager.post("/shop/v3/products/tags", {"name": "New"}).json["id"]
    manager.put(f"/shop/v3/products/{id}", {"tags": [{"id": tag}]})
    assert client.get(f"{STORE}/products/{id}").json["tags"][0]["name"] == "New"
    manager.put(f"/shop/v3/products/tags/{tag}", {"name": "Newer"})
    assert client.get(f"{STORE}/products/{id}").json["tags"][0]["name"] == "Newer"
    manager.put(f"/shop/v3/products/{id}", {"status": "draft"})
    assert client.get(f"{STORE}/products").json == []


@pytest.mark.every_database
def test_filters_and_collection_data(site: Stand, manager: Client) -> None:
    attribute = manager.post("/shop/v3/products/attributes", {"name": "Stuff"}).json
    cats = [manager.post("/shop/v3/products/categories", {"name": name}).json["id"] for name in ("A", "B")]
    stuff = [{"id": attribute["id"], "options": ["Clay"], "visible": True}]
    both = sold(manager, "Both", "10", categories=[{"id": id} for id in cats], attributes=stuff)
    only = sold(manager, "Only", "20.50", sale_price="15", categories=[{"id": cats[0]}], featured=True)
    gone = sold(manager, "Gone", "30", categories=[{"id": cats[1]}], stock_status="outofstock")
    visitor = Visitor(site)

    def found(query: str) -> list[int]:
        answer = visitor.get(f"/products?order=asc&orderby=id&{query}")
        assert answer.status == 200, answer.json
        return [one["id"] for one in answer.json]

    assert found("category=a") == [both, only]
    assert found(f"category={cats[0]},{cats[1]}&category_operator=and") == [both]
    assert found(f"category={cats[0]}&category_operator=not_in") == [gone]
    assert found("category=nothing") == []
    assert found("on_sale=true") == [only]
    assert found("featured=false") == [both, gone]
    assert found("min_price=1100&max_price=1600") == [only]
    assert found("min_price=1100.5&max_price=16e2 or so") == [only]
    assert found("min_price=1e30") == found("max_price=-1e30") == []
    assert found("min_price=0&max_price=0") == found("min_price=&max_price=") == [both, only, gone]
    for name in ("min_price", "max_price"):
        refused = visitor.get(f"/products?{name}=much")
        assert (refused.status, list(refused.json["data"]["params"])) == (400, [name])
    assert found("stock_status[]=outofstock") == [gone]
    assert found("attributes[0][attribute]=pa_stuff&attributes[0][slug]=clay") == [both]
    assert found("search=onl") == [only]
    assert found("rating[]=5") == []
    assert visitor.get("/products?category=a&per_page=1").headers["x-cms-total"] == "2"
    assert visitor.get("/products?per_page=0").status == 200
    data = visitor.get(
        "/products/collection-data?calculate_price_range=true&calculate_stock_status_counts=true"
        "&calculate_rating_counts=true&calculate_attribute_counts[0][taxonomy]=pa_stuff"
        "&calculate_taxonomy_counts[]=product_cat"
    ).json
    assert (data["price_range"]["min_price"], data["price_range"]["max_price"]) == ("1000", "3000")
    assert data["stock_status_counts"][0] == {"status": "instock", "count": "2"}
    assert [one["count"] for one in data["attribute_counts"]] == [1]
    assert {"term": cats[0], "count": 2} in data["taxonomy_counts"]
    assert data["rating_counts"] == []
    assert visitor.get("/products/collection-data").json["price_range"] is None
    assert [one["name"] for one in visitor.get("/products/categories").json] == ["A", "B"]
    assert visitor.get(f"/products/categories/{cats[0]}").json["count"] == 2
    assert visitor.get("/products/categories/999999").status == 404
    values = visitor.get(f"/products/attributes/{attribute['id']}/terms").json
    assert [one["name"] for one in values] == ["Clay"]
    assert visitor.get("/products/attributes").json[0]["taxonomy"] == "pa_stuff"
    assert visitor.get("/products/tags").json == visitor.get("/products/brands").json == []


@pytest.mark.every_database
def test_values_of_an_attribute_come_in_the_orders_of_attributes(site: Stand, manager: Client) -> None:
    attribute = manager.post("/shop/v3/products/attributes", {"name": "Length"}).json["id"]
    for name, place in (("10 cm", 1), ("9 cm", 3), ("2 cm", 2), ("all", 0)):
        path = f"/shop/v3/products/attributes/{attribute}/terms"
        assert manager.post(path, {"name": name, "menu_order": place}).status == 201

    def names(**asked: Any) -> list[str]:
        answer = site.client().get(
            f"{STORE}/products/attributes/{attribute}/terms", query={"hide_empty": "false", **asked}
        )
        assert answer.headers["x-cms-total"] == "4"
        return [one["name"] for one in answer.json]

    assert names() == names(orderby="name") == ["10 cm", "2 cm", "9 cm", "all"]
    assert names(orderby="menu_order") == ["all", "10 cm", "2 cm", "9 cm"]
    assert names(orderby="name_num") == ["all", "2 cm", "9 cm", "10 cm"]
    assert names(orderby="name_num", order="desc", per_page=3) == ["10 cm", "9 cm", "2 cm"]
    assert names(orderby="menu_order", per_page=3, page=2) == ["9 cm"]


@pytest.mark.every_database
def test_reviews_of_what_all_may_see(site: Stand, manager: Client) -> None:
    shown, secret = sold(manager, "Cup"), sold(manager, "Secret", status="draft")
    for product, rating in ((shown, 2), (shown, 5), (secret, 4)):
        manager.post(
            "/shop/v3/products/reviews",
            {"product_id": product, "review": f"{rating} stars", "reviewer": "R", "reviewer_email": "r@example.org",
             "rating": rating},
        )  # fmt: skip
    listed = site.client().get(f"{STORE}/products/reviews?orderby=rating").json
    assert [one["rating"] for one in listed] == [5, 2]
    assert "reviewer_email" not in listed[0]
    assert site.client().get(f"{STORE}/products/reviews?product_id={secret}").json == []


# -- the checkout


def test_a_refused_try_keeps_the_draft_and_takes_nothing(site: Stand, manager: Client) -> None:
    payable(manager)
    id = sold(manager, "Cup", "10", manage_stock=True, stock_quantity=4)
    visitor = Visitor(site)
    visitor.add(id, 2)
    refused = visitor.post("/checkout", {"billing_address": {"country": "US", "city": "Fresno"}})
    assert (refused.status, refused.code) == (400, "shop_rest_invalid_address")
    assert "cart-token" in refused.headers
    draft = visitor.get("/checkout").json
    assert (draft["status"], draft["billing_address"]["city"]) == ("checkout-draft", "Fresno")
    assert stock(manager, id) == 4
    assert visitor.pay("bacs").code == "shop_rest_checkout_payment_method_disabled"
    rest = {name: part for name, part in billing().items() if name not in ("city", "country")}
    placed = visitor.post("/checkout", {"billing_address": rest, "payment_method": "cheque"})
    assert (placed.status, placed.json["order_id"]) == (200, draft["order_id"])
    assert stock(manager, id) == 2
    assert visitor.pay().code == "shop_rest_cart_empty"


def test_a_draft_follows_its_cart(site: Stand, manager: Client) -> None:
    payable(manager)
    first, second = sold(manager, "Cup", "10"), sold(manager, "Pot", "30")
    visitor = Visitor(site)
    key = visitor.add(first).json["items"][0]["key"]
    draft = visitor.get("/checkout").json["order_id"]
    visitor.add(second, 2)
    visitor.post("/cart/remove-item", {"key": key})
    assert visitor.pay().json["order_id"] == draft
    order = manager.get(f"/shop/v3/orders/{draft}").json
    assert [(one["product_id"], one["quantity"]) for one in order["line_items"]] == [(second, 2)]
    assert order["total"] == "60.00"


def test_nothing_to_pay_is_processed_at_once(site: Stand, manager: Client) -> None:
    visitor = Visitor(site)
    visitor.add(sold(manager, "Gift", "0", virtual=True))
    placed = visitor.post("/checkout", {"billing_address": billing()})
    assert (placed.status, placed.json["status"]) == (200, "processing"), placed.json


def test_an_account_that_is_taken_leaves_everything(site: Stand, manager: Client) -> None:
    payable(manager)
    accounts = "/shop/v3/settings/account/shop_enable_signup_and_login_from_checkout"
    manager.put(accounts, {"value": "yes"})
    id = sold(manager, manage_stock=True, stock_quantity=1)
    visitor = Visitor(site)
    visitor.add(id)
    taken = visitor.post(
        "/checkout",
        {"billing_address": billing("author@example.org"), "payment_method": "cheque", "create_account": True},
    )
    assert taken.code == "registration-error-email-exists"
    assert stock(manager, id) == 1
    assert visitor.get("/checkout").json["status"] == "checkout-draft"


def test_an_order_opens_for_its_key_and_address_alone(site: Stand, manager: Client) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    placed = visitor.pay().json
    path, key = f"{STORE}/order/{placed['order_id']}", placed["order_key"]
    other = site.client()

    def asked(**query: str) -> tuple[int, str | None]:
        answer = other.get(path, query=query)
        return answer.status, answer.code

    assert asked(key=key, billing_email="MARA@example.org")[0] == 200
    assert asked(key=key) == (401, "shop_rest_invalid_billing_email")
    assert asked(key=key, billing_email="x@example.org") == (401, "shop_rest_invalid_billing_email")
    assert asked(billing_email="mara@example.org") == (401, "shop_rest_invalid_order")
    assert asked(key=key[:-1], billing_email="mara@example.org") == (401, "shop_rest_invalid_order")
    assert other.get(f"{STORE}/order/999999?key={key}").status == 404


def test_an_order_of_the_shop_is_paid_once_and_not_beyond_the_stock(site: Stand, manager: Client) -> None:
    payable(manager, "cod")
    id = sold(manager, manage_stock=True, stock_quantity=1)
    orders = [
        manager.post("/shop/v3/orders", {"billing": billing(), "line_items": [{"product_id": id, "quantity": 1}]}).json
        for _ in range(2)
    ]
    visitor = Visitor(site)

    def paid(order: dict[str, object]) -> tuple[int, str | None]:
        answer = visitor.post(
            f"/checkout/{order['id']}",
            {"key": order["order_key"], "billing_email": "mara@example.org", "billing_address": billing(),
             "shipping_address": HOME, "payment_method": "cod"},
        )  # fmt: skip
        return answer.status, answer.code

    assert paid(orders[0])[0] == 200
    assert paid(orders[0]) == (400, "invalid_order_update_status")
    assert paid(orders[1]) == (400, "shop_rest_product_partially_out_of_stock")
    assert stock(manager, id) == 0
    assert paid({**orders[1], "order_key": "x"}) == (401, "shop_rest_invalid_order")


def test_batch(site: Stand, manager: Client) -> None:
    ids = [sold(manager, f"Cup {at}") for at in range(3)]
    visitor = Visitor(site)
    members = [{"path": f"{STORE}/cart/add-item", "body": {"id": id}} for id in (*ids, 999999)]
    answer = visitor.post("/batch", {"requests": members})
    assert answer.status == 207
    assert [one["status"] for one in answer.json["responses"]] == [201, 201, 201, 400]
    assert visitor.get("/cart").json["items_count"] == 3
    assert visitor.post("/batch", {"requests": members * 7}).status == 400
    outside = visitor.post("/batch", {"requests": [{"path": "/shop/v3/products", "body": {}}]})
    assert outside.code == "shop_rest_batch_invalid_path"
    # Without proof nothing is written.
    bare = site.client().post(f"{STORE}/batch", {"requests": members})
    assert {one["status"] for one in bare.json["responses"]} == {401}


def test_addresses(site: Stand, manager: Client) -> None:
    visitor = Visitor(site)

    def told(**address: object) -> str | None:
        answer = visitor.post("/cart/update-customer", {"shipping_address": address})
        if answer.status == 200:
            return None
        return str(answer.json["data"]["details"]["shipping_address"]["code"])

    assert told(country="ZZ") == "invalid_country"
    assert told(country="US", state="ZZ") == "invalid_state"
    assert told(country="US", postcode="abc") == "invalid_postcode"
    assert told(country="GB", postcode="SW1A 1AA") is None
    assert told(country="IT", state="mi", postcode="20121", first_name="<b>Ada</b>") is None
    kept = visitor.get("/cart").json["shipping_address"]
    assert (kept["state"], kept["first_name"]) == ("MI", "Ada")
    assert visitor.post("/cart/update-customer", {"shipping_address": "here"}).status == 400


def test_a_date_that_no_calendar_has_is_refused(site: Stand) -> None:
    answer = site.client().get(f"{STORE}/products?after=0000-01-01T00:00:00")
    assert (answer.status, list(answer.json["data"]["params"])) == (400, ["after"])


def test_goods_go_to_who_pays_where_nobody_says_otherwise(site: Stand, manager: Client) -> None:
    payable(manager)
    zone = manager.post("/shop/v3/shipping/zones", {"name": "US"}).json["id"]
    manager.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": "US", "type": "country"}])
    manager.post(f"/shop/v3/shipping/zones/{zone}/methods", {"method_id": "free_shipping"})
    visitor = Visitor(site)
    visitor.add(sold(manager))
    assert visitor.pay().json["shipping_address"] == HOME
    visitor.add(sold(manager, "Pot"))
    away = {**HOME, "country": "FR", "state": "", "postcode": "75001"}
    refused = visitor.pay(shipping_address=away)
    assert refused.code == "shop_rest_invalid_shipping_option"
