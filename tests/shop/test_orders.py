"""Orders over HTTP: refusals, order items, and what a write changes or leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Answer, Client, SetClock, Stand

ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"


@pytest.fixture
def lamp(manager: Client) -> int:
    given = {"name": "Lamp", "regular_price": "10", "sku": "LAMP", "manage_stock": True, "stock_quantity": 20}
    return int(manager.post(PRODUCTS, given).json["id"])


def made(client: Client, **given: Any) -> dict[str, Any]:
    answer = client.post(ORDERS, given)
    assert answer.status == 201, answer.json
    return dict(answer.json)


def line(id: int, quantity: int = 1, **more: Any) -> dict[str, Any]:
    return {"product_id": id, "quantity": quantity, **more}


def refused(answer: Answer) -> tuple[int, str | None]:
    return answer.status, answer.code


@pytest.mark.every_database
def test_an_order_begins_empty_pending_and_of_nobody(site: Stand, manager: Client) -> None:
    body = made(manager)
    assert (body["status"], body["customer_id"], body["total"]) == ("pending", 0, "0.00")
    assert body["created_via"] == "rest-api"
    assert (body["needs_payment"], body["needs_processing"], body["is_editable"]) == (False, False, True)
    assert body["number"] == str(body["id"])
    assert body["order_key"].startswith("shop_order_")
    assert len(body["order_key"]) == len("shop_order_") + 13
    assert (body["currency"], body["currency_symbol"], body["line_items"], body["refunds"]) == ("USD", "$", [], [])
    answer = manager.post(ORDERS, {})
    assert answer.headers["location"].endswith(f"{ORDERS}/{answer.json['id']}")


@pytest.mark.every_database
@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"line_items": [{"quantity": 1}]}, "shop_rest_required_product_reference"),
        ({"shipping_lines": [{"total": "5"}]}, "shop_rest_invalid_shipping_item"),
        ({"fee_lines": [{"total": "5"}]}, "shop_rest_invalid_fee_item"),
        ({"customer_id": 999999}, "shop_rest_invalid_customer_id"),
        ({"line_items": [{"id": 999999, "quantity": 1}]}, "shop_rest_invalid_item_id"),
        ({"status": "nonsense"}, "rest_invalid_param"),
        ({"status": "trash"}, "rest_invalid_param"),
        ({"billing": {"email": "nowhere"}}, "rest_invalid_param"),
    ],
)
def test_what_no_order_can_be_is_refused_and_nothing_is_kept(
    site: Stand, manager: Client, given: Any, code: str
) -> None:
    assert refused(manager.post(ORDERS, given)) == (400, code)
    assert manager.get(ORDERS, query={"status": "any"}).json == []


def test_a_country_is_not_checked(manager: Client) -> None:
    assert made(manager, billing={"country": "XX"})["billing"]["country"] == "XX"


def test_an_unknown_order_is_told_to_each_verb(manager: Client) -> None:
    code = "shop_rest_shop_order_invalid_id"
    assert refused(manager.get(f"{ORDERS}/999999")) == (404, code)
    assert refused(manager.delete(f"{ORDERS}/999999")) == (404, code)
    assert refused(manager.put(f"{ORDERS}/999999", {})) == (400, code)


def test_a_line_is_found_by_its_sku(manager: Client, lamp: int) -> None:
    [found] = made(manager, line_items=[{"sku": "LAMP", "quantity": 2}])["line_items"]
    assert (found["product_id"], found["total"], found["name"]) == (lamp, "20.00", "Lamp")


def test_a_line_of_an_unknown_product_is_kept_without_it(manager: Client) -> None:
    [found] = made(manager, line_items=[line(999999, 2)])["line_items"]
    assert (found["product_id"], found["quantity"]) == (0, 2)


def test_totals_of_a_line_win_over_the_price(manager: Client, lamp: int) -> None:
    body = made(manager, line_items=[line(lamp, 3, subtotal="9", total="2.97")])
    [found] = body["line_items"]
    assert (found["total"], found["price"]) == ("2.97", 2.97 / 3)
    assert (body["discount_total"], body["total"]) == ("6.03", "2.97")


def test_another_quantity_keeps_the_totals_of_a_line(manager: Client, lamp: int) -> None:
    body = made(manager, line_items=[line(lamp, 2)])
    id = body["line_items"][0]["id"]
    changed = manager.put(f"{ORDERS}/{body['id']}", {"line_items": [{"id": id, "quantity": 4}]}).json
    assert (changed["line_items"][0]["total"], changed["line_items"][0]["price"]) == ("20.00", 5)


@pytest.mark.every_database
def test_items_are_taken_off_by_nothing(site: Stand, manager: Client, lamp: int) -> None:
    body = made(
        manager, line_items=[line(lamp)], fee_lines=[{"name": "Gift", "total": "-3"}],
        shipping_lines=[{"method_id": "flat_rate", "method_title": "Post", "total": "5"}],
    )  # fmt: skip
    assert body["total"] == "12.00"
    ids = {name: body[name][0]["id"] for name in ("line_items", "fee_lines", "shipping_lines")}
    less = manager.put(
        f"{ORDERS}/{body['id']}",
        {
            "line_items": [{"id": ids["line_items"], "quantity": 0}],
            "fee_lines": [{"id": ids["fee_lines"], "name": None}],
            "shipping_lines": [{"id": ids["shipping_lines"], "method_id": None}],
        },
    ).json
    assert [less[name] for name in ids] == [[], [], []]
    assert less["total"] == "0.00"


def test_only_currency_or_meta_count_nothing_anew(manager: Client, lamp: int) -> None:
    body = made(manager, line_items=[line(lamp, 2, total="7")])
    manager.put(f"{PRODUCTS}/{lamp}", {"regular_price": "99"})
    given = {"currency": "EUR", "meta_data": [{"key": "a", "value": "b"}]}
    changed = manager.put(f"{ORDERS}/{body['id']}", given).json
    assert (changed["total"], changed["currency"]) == ("7.00", "EUR")


def test_private_meta_is_kept_and_not_shown(manager: Client) -> None:
    given = [{"key": "_secret", "value": "x"}, {"key": "colour", "value": "red"}]
    body = made(manager, meta_data=given)
    assert [one["key"] for one in body["meta_data"]] == ["colour"]
    own = body["meta_data"][0]["id"]
    told = {"meta_data": [{"id": own, "key": "colour", "value": None}]}
    assert manager.put(f"{ORDERS}/{body['id']}", told).json["meta_data"] == []


def test_created_via_is_read_only(manager: Client) -> None:
    body = made(manager, created_via="shop counter")
    changed = manager.put(f"{ORDERS}/{body['id']}", {"created_via": "elsewhere"}).json
    assert changed["created_via"] == body["created_via"]


def test_an_id_in_the_body_wins(manager: Client) -> None:
    one, other = made(manager)["id"], made(manager)["id"]
    answer = manager.put(f"{ORDERS}/{one}", {"id": other, "customer_note": "x"})
    assert answer.status == 200
    assert manager.get(f"{ORDERS}/{one}").json["customer_note"] == ""


@pytest.mark.every_database
def test_paying_makes_an_order_processing_once(site: Stand, manager: Client, lamp: int) -> None:
    body = made(manager, set_paid=True, transaction_id="T1", line_items=[line(lamp, 2)])
    assert (body["status"], body["transaction_id"], body["needs_processing"]) == ("processing", "T1", True)
    assert body["date_paid"] is not None
    again = manager.put(f"{ORDERS}/{body['id']}", {"set_paid": True}).json
    assert (again["status"], again["date_paid"]) == ("processing", body["date_paid"])
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 18


def test_paying_for_files_alone_completes_an_order(manager: Client) -> None:
    given = {"name": "Book", "regular_price": "1", "virtual": True, "downloadable": True}
    id = manager.post(PRODUCTS, given).json["id"]
    body = made(manager, set_paid=True, line_items=[line(id)])
    assert (body["status"], body["needs_processing"]) == ("completed", False)
    assert body["date_completed"] is not None


def test_each_completion_has_its_own_date(manager: Client, lamp: int, clock: SetClock) -> None:
    body = made(manager, status="completed", line_items=[line(lamp)])
    path = f"{ORDERS}/{body['id']}"
    manager.put(path, {"status": "cancelled"})
    assert manager.get(path).json["date_completed"] == body["date_completed"]
    clock.forward(100)
    again = manager.put(path, {"status": "completed"}).json
    assert again["date_completed"] != body["date_completed"]
    assert again["date_paid"] == body["date_paid"]


def test_a_payment_address_is_there_while_it_can_be_paid(manager: Client, lamp: int) -> None:
    body = made(manager, line_items=[line(lamp)])
    assert body["needs_payment"]
    assert body["order_key"] in body["payment_url"]
    paid = manager.put(f"{ORDERS}/{body['id']}", {"status": "on-hold"}).json
    assert not paid["needs_payment"]
    failed = manager.put(f"{ORDERS}/{body['id']}", {"status": "failed"}).json
    assert failed["needs_payment"]


@pytest.mark.every_database
def test_a_changed_quantity_moves_the_stock_that_was_taken(site: Stand, manager: Client, lamp: int) -> None:
    body = made(manager, status="processing", line_items=[line(lamp, 2)])
    [found] = body["line_items"]
    assert [meta["value"] for meta in found["meta_data"] if meta["key"] == "_reduced_stock"] == ["2"]
    path = f"{ORDERS}/{body['id']}"
    manager.put(path, {"line_items": [{"id": found["id"], "quantity": 5}]})
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 15
    manager.put(path, {"line_items": [{"id": found["id"], "quantity": 0}]})
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 20


def test_stock_may_fall_below_nothing(manager: Client, lamp: int) -> None:
    made(manager, status="processing", line_items=[line(lamp, 25)])
    shown = manager.get(f"{PRODUCTS}/{lamp}").json
    assert (shown["stock_quantity"], shown["stock_status"]) == (-5, "outofstock")


def test_trash_puts_no_stock_back_and_can_be_left(manager: Client, lamp: int) -> None:
    body = made(manager, status="processing", line_items=[line(lamp, 2)])
    path = f"{ORDERS}/{body['id']}"
    assert manager.delete(path).status == 200
    assert refused(manager.delete(path)) == (410, "shop_rest_already_trashed")
    assert manager.get(ORDERS).json == []
    assert [one["id"] for one in manager.get(ORDERS, query={"status": "trash"}).json] == [body["id"]]
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 18
    assert manager.put(path, {"status": "processing"}).json["status"] == "processing"
    assert manager.delete(path, query={"force": "true"}).json["id"] == body["id"]
    assert manager.get(path).status == 404


def test_every_transition_is_noted(manager: Client) -> None:
    id = made(manager)["id"]
    manager.put(f"{ORDERS}/{id}", {"status": "on-hold"})
    notes = [one["note"] for one in manager.get(f"{ORDERS}/{id}/notes").json]
    assert any("from Pending payment to On hold" in note for note in notes)


def test_a_payment_is_noted_before_what_follows_from_it_and_a_change_by_hand_after(
    manager: Client, lamp: int, clock: SetClock
) -> None:
    id = made(manager, line_items=[line(lamp, 3)], set_paid=True)["id"]
    clock.forward(5)
    manager.put(f"{ORDERS}/{id}", {"status": "cancelled"})
    said = [one["note"] for one in manager.get(f"{ORDERS}/{id}/notes").json]
    assert said == [
        "Stock levels increased: Lamp (17&rarr;20)", "Order status changed from Processing to Cancelled.",
        "Payment complete.", "Stock levels reduced: Lamp (20&rarr;17)",
    ]  # fmt: skip


@pytest.mark.parametrize("asked", ["true", "false"])
def test_lines_tell_all_their_fields_whatever_is_asked_for(manager: Client, lamp: int, asked: str) -> None:
    made(manager, line_items=[line(lamp)], status="processing")
    [shown] = manager.get(ORDERS, query={"order_item_display_meta": asked}).json
    assert [one["key"] for one in shown["line_items"][0]["meta_data"]] == ["_reduced_stock"]


def test_amounts_are_shown_with_as_many_decimals_as_are_asked_for(manager: Client, lamp: int) -> None:
    made(manager, line_items=[line(lamp)])
    for asked, shown in (("0", "10"), ("3", "10.000"), ("12", "10.000000000000"), ("99", "10.000000000000")):
        assert manager.get(ORDERS, query={"dp": asked}).json[0]["total"] == shown


@pytest.mark.every_database
def test_notes_are_written_filtered_and_removed(site: Stand, manager: Client) -> None:
    path = f"{ORDERS}/{made(manager)['id']}/notes"
    assert refused(manager.post(path, {})) == (400, "rest_missing_callback_param")
    assert manager.post(path, {"note": ""}).status == 201
    own = manager.post(path, {"note": "By hand", "added_by_user": True}).json
    told = manager.post(path, {"note": "For you", "customer_note": True}).json
    assert (own["author"], own["customer_note"], told["customer_note"]) == ("shop_manager", False, True)
    assert [one["id"] for one in manager.get(path, query={"type": "customer"}).json] == [told["id"]]
    assert told["id"] not in [one["id"] for one in manager.get(path, query={"type": "internal"}).json]
    assert manager.get(path).json[0]["id"] == told["id"]
    assert refused(manager.delete(f"{path}/{own['id']}")) == (501, "shop_rest_trash_not_supported")
    assert manager.delete(f"{path}/{own['id']}", query={"force": "true"}).status == 200
    assert manager.get(f"{path}/{own['id']}").status == 404


@pytest.mark.every_database
def test_lists_are_filtered_and_ordered(
    site: Stand, admin: Client, manager: Client, lamp: int, clock: SetClock
) -> None:
    ada = admin.post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    one = made(manager, customer_id=ada, line_items=[line(lamp)], billing={"first_name": "Ada", "city": "Forlì"})["id"]
    clock.forward(60)
    two = made(manager, status="completed", billing={"last_name": "Byron", "email": "b@example.com"})["id"]
    clock.forward(60)
    three = made(manager, status="on-hold", parent_id=one)["id"]

    def listed(**query: Any) -> list[int]:
        answer = manager.get(ORDERS, query=query)
        assert answer.status == 200, answer.json
        return [order["id"] for order in answer.json]

    assert listed() == [three, two, one]
    assert listed(order="asc") == [one, two, three]
    assert listed(status="completed,on-hold") == [three, two]
    assert listed(customer=ada) == [one]
    assert listed(product=lamp) == [one]
    assert listed(search="byron") == [two]
    assert listed(search="forli") == [one]
    assert listed(search="LAMP") == listed(search="lAm") == [one]
    assert listed(search="lamp ada") == []  # an item matches as a whole text, not by words
    assert listed(search=str(three)) == [three]
    assert listed(parent=[one]) == [three]
    assert listed(include=[one, two], exclude=[two]) == [one]
    assert listed(orderby="include", include=[two, three, one], order="asc") == [two, three, one]
    assert listed(per_page=1, offset=1) == [two]
    assert listed(per_page=2, page=2) == [one]
    assert listed(page=9) == []
    assert listed(created_via="rest-api", orderby="id", order="asc") == [one, two, three]
    at = manager.get(f"{ORDERS}/{two}").json
    assert listed(after=at["date_created"]) == [three]
    assert listed(before=at["date_created_gmt"], dates_are_gmt="true") == [one]
    assert refused(manager.get(ORDERS, query={"status": "nonsense"})) == (400, "rest_invalid_param")


@pytest.mark.every_database
def test_a_batch_keeps_what_is_good(site: Stand, manager: Client) -> None:
    old, gone = made(manager)["id"], made(manager)["id"]
    body = manager.post(
        f"{ORDERS}/batch",
        {
            "create": [{"customer_note": "a"}, {"customer_id": 999999}],
            "update": [{"id": old, "status": "completed"}, {"id": 999999}],
            "delete": [gone, 999999],
        },
    ).json
    assert body["create"][0]["customer_note"] == "a"
    assert (body["create"][1]["id"], body["create"][1]["error"]["code"]) == (0, "shop_rest_invalid_customer_id")
    assert body["update"][0]["status"] == "completed"
    assert body["update"][1]["error"]["data"] == {"status": 400}
    assert (body["delete"][0]["id"], body["delete"][1]["error"]["data"]) == (gone, {"status": 404})
    assert manager.get(f"{ORDERS}/{gone}").status == 404
    assert manager.post(f"{ORDERS}/batch", {}).json == {}
    many = {"create": [{}] * 60, "delete": list(range(1, 42))}
    assert refused(manager.post(f"{ORDERS}/batch", many)) == (413, "shop_rest_request_entity_too_large")


def test_orders_are_nobody_elses_business(site: Stand, manager: Client, anyone: Client, customer: Client) -> None:
    id = made(manager)["id"]
    for client, status in ((anyone, 401), (customer, 403), (site.client("editor"), 403)):
        assert refused(client.get(ORDERS)) == (status, "shop_rest_cannot_view")
        assert refused(client.get(f"{ORDERS}/{id}")) == (status, "shop_rest_cannot_view")
        assert refused(client.post(ORDERS, {})) == (status, "shop_rest_cannot_create")
        assert refused(client.put(f"{ORDERS}/{id}", {})) == (status, "shop_rest_cannot_edit")
        assert refused(client.delete(f"{ORDERS}/{id}")) == (status, "shop_rest_cannot_delete")
        assert refused(client.post(f"{ORDERS}/batch", {})) == (status, "shop_rest_cannot_batch")


# -- refunds


@pytest.fixture
def paid(manager: Client, lamp: int) -> dict[str, Any]:
    return made(manager, set_paid=True, line_items=[line(lamp, 3)])


@pytest.mark.every_database
def test_a_refund_by_amount_moves_no_stock(site: Stand, manager: Client, lamp: int, paid: dict[str, Any]) -> None:
    path = f"{ORDERS}/{paid['id']}"
    body = manager.post(f"{path}/refunds", {"amount": "7.50", "reason": "Late", "api_refund": False}).json
    assert (body["amount"], body["reason"], body["line_items"]) == ("7.50", "Late", [])
    shown = manager.get(path).json
    assert shown["refunds"] == [{"id": body["id"], "reason": "Late", "total": "-7.50"}]
    assert (shown["total"], shown["status"]) == ("30.00", "processing")
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 17
    every = manager.get("/shop/v3/refunds").json
    assert [(one["id"], one["parent_id"]) for one in every] == [(body["id"], paid["id"])]


@pytest.mark.every_database
def test_a_refund_by_lines_brings_pieces_back(site: Stand, manager: Client, lamp: int, paid: dict[str, Any]) -> None:
    path, own = f"{ORDERS}/{paid['id']}", paid["line_items"][0]["id"]
    told = {"line_items": [{"id": own, "quantity": 1, "refund_total": 10}], "api_refund": False}
    body = manager.post(f"{path}/refunds", told).json
    [back] = body["line_items"]
    assert (body["amount"], back["quantity"], back["total"]) == ("10.00", -1, "-10.00")
    assert {"_refunded_item_id": str(own)}.items() <= {m["key"]: m["value"] for m in back["meta_data"]}.items()
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 18
    manager.post(f"{path}/refunds", {**told, "api_restock": False})
    assert manager.get(f"{PRODUCTS}/{lamp}").json["stock_quantity"] == 18
    manager.post(f"{path}/refunds", told)
    assert manager.get(path).json["status"] == "refunded"


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        ({"amount": "30.01", "api_refund": False}, 400, "shop_rest_cannot_create_order_refund"),
        ({"amount": "much", "api_refund": False}, 400, "shop_rest_cannot_create_order_refund"),
        ({"amount": "-1", "api_refund": False}, 400, "shop_rest_invalid_order_refund"),
        ({"amount": "1"}, 400, "shop_rest_cannot_create_order_refund"),
    ],
)
def test_a_refund_that_cannot_be_is_refused(
    manager: Client, paid: dict[str, Any], given: Any, status: int, code: str
) -> None:
    assert refused(manager.post(f"{ORDERS}/{paid['id']}/refunds", given)) == (status, code)
    assert manager.get("/shop/v3/refunds").json == []


def test_a_refund_may_be_of_nothing_and_of_no_line(manager: Client, paid: dict[str, Any]) -> None:
    path = f"{ORDERS}/{paid['id']}/refunds"
    assert manager.post(path, {"amount": "0", "api_refund": False}).status == 201
    told = {"line_items": [{"id": 999999, "quantity": 1, "refund_total": 4}], "api_refund": False}
    assert manager.post(path, told).json["amount"] == "4.00"
    assert refused(manager.post(f"{ORDERS}/999999/refunds", {})) == (404, "shop_rest_invalid_order_id")


def test_an_order_that_becomes_refunded_gets_a_refund_of_what_is_left(manager: Client, paid: dict[str, Any]) -> None:
    path = f"{ORDERS}/{paid['id']}"
    manager.post(f"{path}/refunds", {"amount": "10", "api_refund": False})
    shown = manager.put(path, {"status": "refunded"}).json
    assert [(one["total"], one["reason"]) for one in shown["refunds"]] == [
        ("-10.00", ""), ("-20.00", "Order fully refunded."),
    ]  # fmt: skip


@pytest.mark.every_database
def test_refunds_are_listed_as_they_are_asked_for(
    manager: Client, lamp: int, paid: dict[str, Any], clock: SetClock
) -> None:
    other = made(manager, set_paid=True, line_items=[line(lamp, 2)])
    moments, ids = [], []
    for order, reason in ((paid, "Late"), (other, "Broken in two"), (paid, "late again")):
        refund = {"amount": "1", "reason": reason, "api_refund": False, "meta_data": [{"key": "k", "value": reason}]}
        body = manager.post(f"{ORDERS}/{order['id']}/refunds", refund).json
        ids.append(body["id"])
        moments.append(body["date_created_gmt"])
        clock.forward(60)
    first, second, third = ids

    def listed(path: str = "/shop/v3/refunds", **query: str) -> list[int]:
        answer = manager.get(path, query=query)
        assert answer.status == 200, answer.json
        assert answer.headers["x-cms-total"] == str(len(answer.json))
        return [one["id"] for one in answer.json]

    assert listed() == [third, second, first]
    assert listed(order="asc") == listed(order="asc", orderby="id") == ids
    assert listed(include=f"{second},{first}", orderby="include", order="asc") == [second, first]
    assert listed(exclude=str(second)) == [third, first]
    # The refunds of one order have a list of their own.
    assert listed(parent=str(paid["id"])) == listed()
    assert listed(parent_exclude=str(paid["id"])) == listed(search="in two") == [second]
    assert listed(search="LATE") == [third, first]
    of = {"id": paid["line_items"][0]["id"], "quantity": 1, "refund_total": 1}
    fourth = manager.post(f"{ORDERS}/{paid['id']}/refunds", {"line_items": [of], "api_refund": False}).json["id"]
    assert listed(search=paid["line_items"][0]["name"].upper()) == [fourth]
    assert manager.delete(f"{ORDERS}/{paid['id']}/refunds/{fourth}", query={"force": "true"}).status == 200
    assert listed(search="never said") == []
    for bound in ("after", "modified_after"):
        assert listed(**{bound: moments[0], "dates_are_gmt": "true"}) == [third, second]
    for bound in ("before", "modified_before"):
        assert listed(**{bound: moments[1], "dates_are_gmt": "true"}) == [first]
    own = f"{ORDERS}/{paid['id']}/refunds"
    assert listed(own) == listed(own, parent=str(other["id"])) == [third, first]
    assert listed(own, search="again", order="asc") == [third]
    [shown] = manager.get(own, query={"include": str(first), "include_meta": "k"}).json
    # A refund has all of its fields, as on the reference.
    assert [one["key"] for one in shown["meta_data"]] == ["_refund_type", "k"]


def test_a_refund_names_the_items_that_it_is_of_whatever_is_asked_for(manager: Client, paid: dict[str, Any]) -> None:
    own = paid["line_items"][0]["id"]
    told = {"line_items": [{"id": own, "quantity": 1, "refund_total": 10}], "api_refund": False}
    manager.post(f"{ORDERS}/{paid['id']}/refunds", told)
    for asked in ("false", "true"):
        [refund] = manager.get("/shop/v3/refunds", query={"order_item_display_meta": asked}).json
        assert [one["key"] for one in refund["line_items"][0]["meta_data"]] == ["_refunded_item_id"]


def test_a_removed_refund_gives_its_room_back(manager: Client, paid: dict[str, Any]) -> None:
    path = f"{ORDERS}/{paid['id']}/refunds"
    id = manager.post(path, {"amount": "30", "api_refund": False}).json["id"]
    assert manager.post(path, {"amount": "1", "api_refund": False}).status == 400
    assert manager.delete(f"{path}/{id}", query={"force": "true"}).status == 200
    assert manager.post(path, {"amount": "1", "api_refund": False}).status == 201
