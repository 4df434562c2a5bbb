"""Customers over HTTP: accounts with addresses, paying customers, and what stays after deletion."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from conftest import Client, Stand

CUSTOMERS, ORDERS = "/shop/v3/customers", "/shop/v3/orders"


def made(client: Client, **given: Any) -> dict[str, Any]:
    answer = client.post(CUSTOMERS, {"email": "ada@example.com", **given})
    assert answer.status == 201, answer.json
    return dict(answer.json)


@pytest.mark.every_database
def test_a_customer_is_named_after_the_address(site: Stand, manager: Client) -> None:
    body = made(manager, billing={"city": "Roma", "country": "XX"})
    assert (body["username"], body["role"], body["is_paying_customer"]) == ("ada", "customer", False)
    assert (body["billing"]["city"], body["billing"]["country"], body["shipping"]["city"]) == ("Roma", "XX", "")
    known = hashlib.sha256(b"ada@example.com").hexdigest()
    assert body["avatar_url"] == f"https://secure.gravatar.com/avatar/{known}?s=96&d=mm&r=g"
    assert "password" not in body
    assert made(manager, email="ada@example.org")["username"] == "ada1"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"email": "nowhere"}, None),
        ({"email": "ada@example.com"}, "registration-error-email-exists"),
        ({"email": "b@example.com", "username": "ada"}, "registration-error-username-exists"),
    ],
)
def test_what_no_customer_can_be_is_refused(manager: Client, given: Any, code: str | None) -> None:
    made(manager)
    answer = manager.post(CUSTOMERS, given)
    assert answer.status == 400
    assert code is None or answer.code == code


def test_a_customer_is_changed(manager: Client) -> None:
    one, other = made(manager), made(manager, email="bob@example.com")
    path = f"{CUSTOMERS}/{one['id']}"
    changed = manager.put(path, {"first_name": "Ada", "shipping": {"city": "Oslo"}}).json
    assert (changed["first_name"], changed["shipping"]["city"]) == ("Ada", "Oslo")
    again = manager.put(path, {"billing": {"city": "Bergen"}}).json
    assert (again["shipping"]["city"], again["billing"]["city"]) == ("Oslo", "Bergen")
    assert manager.put(path, {"email": other["email"]}).code == "shop_rest_customer_invalid_email"
    assert manager.put(path, {"username": "other"}).code == "shop_rest_customer_invalid_argument"


@pytest.mark.every_database
def test_lists_are_of_customers_unless_asked_otherwise(site: Stand, manager: Client) -> None:
    one, two = made(manager), made(manager, email="bob@example.com", first_name="Bob")

    def listed(**query: Any) -> list[int]:
        answer = manager.get(CUSTOMERS, query=query)
        assert answer.status == 200, answer.json
        return [each["id"] for each in answer.json]

    mine = {one["id"], two["id"]}
    assert mine <= set(listed(per_page=100))
    assert {each["role"] for each in manager.get(CUSTOMERS).json} == {"customer"}
    assert len(listed(role="all", per_page=100)) > len(listed(per_page=100))
    assert listed(email="bob@example.com") == [two["id"]]
    assert listed(search="bob") == [two["id"]]
    assert listed(include=[two["id"], one["id"]], orderby="include") == [two["id"], one["id"]]
    assert one["id"] not in listed(exclude=[one["id"]], per_page=100)


def test_who_completed_an_order_pays(manager: Client) -> None:
    id = made(manager)["id"]
    order = manager.post(ORDERS, {"customer_id": id, "status": "processing"}).json["id"]
    assert not manager.get(f"{CUSTOMERS}/{id}").json["is_paying_customer"]
    manager.put(f"{ORDERS}/{order}", {"status": "completed"})
    assert manager.get(f"{CUSTOMERS}/{id}").json["is_paying_customer"]


@pytest.mark.every_database
def test_orders_outlive_their_customer(site: Stand, admin: Client, manager: Client) -> None:
    id = made(manager)["id"]
    order = manager.post(ORDERS, {"customer_id": id}).json["id"]
    path = f"{CUSTOMERS}/{id}"
    refused = admin.delete(path)
    assert (refused.status, refused.code) == (501, "shop_rest_trash_not_supported")
    assert manager.delete(path, query={"force": "true"}).status == 403
    assert admin.delete(path, query={"force": "true"}).json["id"] == id
    assert (admin.get(path).status, admin.get(path).code) == (404, "shop_user_invalid_id")
    assert manager.get(f"{ORDERS}/{order}").json["customer_id"] == 0


def test_a_customer_may_not_even_see_itself(site: Stand, manager: Client, customer: Client) -> None:
    own = next(one for one in manager.get(CUSTOMERS).json if one["username"] == "customer")["id"]
    answer = customer.get(f"{CUSTOMERS}/{own}")
    assert (answer.status, answer.code) == (403, "shop_rest_cannot_view")


def test_a_manager_does_not_change_administrators(manager: Client) -> None:
    admin = next(one for one in manager.get(CUSTOMERS, query={"role": "administrator"}).json)["id"]
    assert manager.put(f"{CUSTOMERS}/{admin}", {"first_name": "x"}).status == 403
    assert manager.put(f"{CUSTOMERS}/{admin}", {"password": "x"}).status == 403


def test_a_batch_does_not_lift_a_manager_above_himself(site: Stand, manager: Client, admin: Client) -> None:
    """What `PUT` and `DELETE` refuse one by one is refused to the members of a batch, in every version."""
    before = admin.get("/cms/v2/users/1", query={"context": "edit"}).json
    take_over = {"id": 1, "password": "Pwned-12345", "email": "x@example.org"}
    for version in ("shop/v3", "shop/v2", "shop/v1"):
        answer = manager.post(f"/{version}/customers/batch", {"update": [take_over], "delete": [1]})
        assert answer.status == 200
        changed, removed = answer.json["update"][0], answer.json["delete"][0]
        assert (changed["id"], changed["error"]["code"]) == (1, "shop_rest_cannot_edit")
        assert changed["error"]["data"] == {"status": 403}
        assert (removed["id"], removed["error"]["code"]) == (1, "shop_rest_cannot_delete")
    assert admin.get("/cms/v2/users/1", query={"context": "edit"}).json == before
    assert site.client("admin").get("/cms/v2/users/me").json["id"] == 1


def test_an_administrator_who_is_a_customer_too_is_no_customer(manager: Client, admin: Client) -> None:
    new = {"username": "both", "email": "both@example.org", "password": "a pass word"}
    id = admin.post("/cms/v2/users", {**new, "roles": ["customer", "administrator"]}).json["id"]
    assert set(admin.get(f"/cms/v2/users/{id}", query={"context": "edit"}).json["roles"]) == {
        "customer",
        "administrator",
    }
    assert manager.put(f"/shop/v3/customers/{id}", {"password": "Pwned-12345"}).code == "shop_rest_cannot_edit"


def test_a_batch_does_what_a_manager_may(manager: Client, admin: Client) -> None:
    id = manager.post("/shop/v3/customers", {"email": "one@example.org"}).json["id"]
    answer = manager.post("/shop/v3/customers/batch", {"update": [{"id": id, "first_name": "Ada"}], "delete": [id]})
    assert answer.json["update"][0]["first_name"] == "Ada"
    assert answer.json["delete"][0]["error"]["code"] == "shop_rest_cannot_delete"
    assert admin.post("/shop/v3/customers/batch", {"delete": [id]}).json["delete"][0]["id"] == id


def test_records_go_to_an_account_that_there_is(admin: Client) -> None:
    one, other = (admin.post(CUSTOMERS, {"email": f"{name}@example.com"}).json["id"] for name in ("ada", "ben"))
    for wrong in (one, 999_999):
        refused = admin.delete(f"{CUSTOMERS}/{one}", query={"force": "true", "reassign": str(wrong)})
        assert (refused.status, refused.code) == (400, "shop_rest_customer_invalid_reassign")
    assert admin.delete(f"{CUSTOMERS}/{one}", query={"force": "true", "reassign": str(other)}).status == 200


def test_only_buyers_and_readers_are_removed_here(admin: Client, manager: Client) -> None:
    known = {one["role"]: one for one in admin.get(CUSTOMERS, query={"role": "all", "per_page": 100}).json}
    assert {"administrator", "shop_manager", "editor", "subscriber", "customer"} <= known.keys()
    for role, one in known.items():
        may = role in ("customer", "subscriber")
        [itself] = one["_links"]["self"]
        assert ("DELETE" in itself["targetHints"]["allow"]) is may, role
        refused = admin.delete(f"{CUSTOMERS}/{one['id']}", query={"force": "true"})
        assert (refused.status, refused.code) == ((200, None) if may else (403, "shop_rest_cannot_delete")), role
    batch = {"delete": [known["editor"]["id"]]}
    [member] = admin.post(f"{CUSTOMERS}/batch", batch).json["delete"]
    assert member["error"]["code"] == "shop_rest_cannot_delete"
