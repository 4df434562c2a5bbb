"""The audit trail of a shop: keys, orders, settings, removals, and that no secret is in it.

Rules: docs/rules/audit.md, 1 and 3. Accounts, content and reading: tests/permissions/test_audit.py.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from audit_trail import ENTRIES, ask_trail, read_trail, say, told, trail_of, watch_trail
from conftest import Answer, Client, Stand, standing
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.audit import audit_entry
from vetrina.settings import load_profile
from vetrina.shop.keys import rules as keys

from .store import Visitor, billing, sold

ORDERS, SETTINGS, HOOKS = "/shop/v3/orders", "/shop/v3/settings", "/shop/v3/webhooks"
GATEWAY = "/shop/v3/payment_gateways/test"
_EVERYTHING = Statement(select(audit_entry))


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = load_profile("second", {"shop_services.test_gateway": True})
    with standing(request, profile, "_shop") as stand:
        yield stand


def made(client: Client, path: str, **given: Any) -> Any:
    answer = client.post(path, given)
    assert answer.status == 201, answer.json
    return answer.json


def entry_of(site: Stand, act: Any) -> dict[str, Any]:
    (entry,) = trail_of(site, act)
    return entry


@pytest.mark.every_database
def test_the_status_and_the_money_of_an_order_are_told(site: Stand, manager: Client) -> None:
    lamp = sold(manager, "Lamp", "10")
    given = {"status": "pending", "line_items": [{"product_id": lamp, "quantity": 2}], "billing": billing()}
    first = entry_of(site, lambda: manager.post(ORDERS, given))
    path = f"{ORDERS}/{first['item']}"
    assert say(first)[:2] == ("created", "order")
    assert told(first) == {"status": (None, "pending"), "total": (None, "20.00")}
    assert first["login"] == "shop_manager"
    second = entry_of(site, lambda: manager.put(path, {"status": "processing"}))
    assert (say(second), told(second)) == (("changed", "order", first["item"]), {"status": ("pending", "processing")})
    assert trail_of(site, lambda: manager.put(path, {"billing": {"city": "Roma"}})) == []
    assert trail_of(site, lambda: manager.post(f"{path}/notes", {"note": "zqnoteqz"})) == []
    third = entry_of(site, lambda: manager.post(f"{path}/refunds", {"amount": "5", "api_refund": False}))
    assert told(third) == {"refund": (None, "5.00")}
    refund = manager.get(f"{path}/refunds").json[0]["id"]
    fourth = entry_of(site, lambda: manager.delete(f"{path}/refunds/{refund}", query={"force": True}))
    assert told(fourth) == {"refund": ("5.00", None)}
    fifth = entry_of(site, lambda: manager.delete(path))
    assert say(fifth)[0] == "trashed"
    sixth = entry_of(site, lambda: manager.delete(path, query={"force": True}))
    assert (say(sixth)[0], told(sixth)["total"]) == ("removed", ("20.00", None))


def test_a_batch_of_orders_leaves_one_each(site: Stand, manager: Client) -> None:
    ids = [made(manager, ORDERS)["id"] for _ in range(3)]
    with watch_trail(site) as found:
        sent = {"update": [{"id": id, "status": "on-hold"} for id in (*ids, 999_999)], "delete": []}
        assert manager.post(f"{ORDERS}/batch", sent).status == 200
    assert [(one["item"], told(one)) for one in found] == [
        (str(id), {"status": ("pending", "on-hold")}) for id in ids
    ]  # fmt: skip


def test_what_a_buyer_orders_is_no_entry_of_its_making(site: Stand, manager: Client) -> None:
    assert manager.put(GATEWAY, {"enabled": True, "settings": {"webhook_secret": "of the tests"}}).status == 200
    lamp = sold(manager, "Lamp", "10")
    with watch_trail(site) as found:
        visitor = Visitor(site)
        visitor.add(lamp)
        answer = visitor.pay("test", payment_data=[{"key": "test_answer", "value": "paid"}])
        assert answer.status == 200, answer.json
    assert [one for one in found if one["action"] == "created"] == []
    assert [one["kind"] for one in found if one["kind"] != "order"] == []


def test_keys_are_made_and_revoked_and_named_where_they_act(site: Stand, manager: Client) -> None:
    with watch_trail(site) as found, site.site.work() as work:
        owner = users.find_user_by_login(work.tx, "shop_manager")
        assert owner is not None
        key, consumer, secret = keys.create_consumer_key(work, owner.id, "read_write", "Till")
    (entry,) = found
    assert (say(entry), entry["title"]) == (("created", "shop_key", str(key.id)), "Till")
    assert told(entry) == {"account": (None, owner.id), "permissions": (None, "read_write")}
    pair = base64.b64encode(f"{consumer}:{secret}".encode()).decode()
    till = site.client()
    till.headers["authorization"] = f"Basic {pair}"
    order = entry_of(site, lambda: till.post(ORDERS, {}))
    assert (order["source"], order["credential"], order["login"]) == ("consumer_key", str(key.id), "shop_manager")
    with watch_trail(site) as found, site.site.work() as work:
        keys.revoke_consumer_key(work, key.id)
    assert [say(one) for one in found] == [("removed", "shop_key", str(key.id))]


def test_settings_taxes_and_shipping_are_told(site: Stand, manager: Client) -> None:
    first = entry_of(site, lambda: manager.put(f"{SETTINGS}/general/shop_calc_taxes", {"value": "yes"}))
    assert (say(first), told(first)["value"][1]) == (("changed", "option", "shop_calc_taxes"), "yes")
    second = entry_of(site, lambda: manager.put(f"{SETTINGS}/general/shop_store_address", {"value": "Via Zqroadqz"}))
    assert told(second) == {"value": None}
    third = entry_of(site, lambda: manager.put(GATEWAY, {"enabled": True, "settings": {"webhook_secret": "zqhookqz"}}))
    assert third["kind"] == "option"
    assert set(told(third)) == {"enabled", "webhook_secret"}
    rate = made(manager, "/shop/v3/taxes", country="IT", rate="22", name="IVA")["id"]
    zone = made(manager, "/shop/v3/shipping/zones", name="Italia")["id"]
    assert [say(one) for one in read_trail(site)[-2:]] == [
        ("created", "tax_rate", str(rate)), ("created", "shipping", str(zone)),
    ]  # fmt: skip
    gone = entry_of(site, lambda: manager.delete(f"/shop/v3/taxes/{rate}", query={"force": True}))
    assert say(gone) == ("removed", "tax_rate", str(rate))
    assert "zq" not in str(read_trail(site)).lower()


@pytest.mark.parametrize(
    "path, given, kind",
    [
        ("/shop/v3/products", {"name": "Lamp"}, "product"),
        ("/shop/v3/coupons", {"code": "zqcodeqz", "amount": "5"}, "coupon"),
        ("/shop/v3/products/categories", {"name": "Lights"}, "product_cat"),
    ],
)
def test_what_is_removed_of_the_catalogue_is_told(
    site: Stand, manager: Client, path: str, given: dict[str, Any], kind: str
) -> None:
    id = made(manager, path, **given)["id"]
    gone = entry_of(site, lambda: manager.delete(f"{path}/{id}", query={"force": True}))
    assert say(gone) == ("removed", kind, str(id))
    assert "zqcodeqz" not in str(read_trail(site))


def test_those_who_run_the_shop_see_nothing_of_it(site: Stand, manager: Client, customer: Client) -> None:
    for client in (manager, customer):
        for path in (ENTRIES, f"{ENTRIES}/1", f"{ENTRIES}/export"):
            assert client.get(path).status == 403


def test_no_secret_is_in_any_entry(site: Stand, admin: Client, manager: Client) -> None:
    """Everything that takes, makes or shows a secret is called, and the whole table is searched for it."""
    secrets = ["secret of the tests"]

    def word(name: str) -> str:
        secrets.append(f"zq{name}qz 0123456789")
        return secrets[-1]

    def done(answer: Answer) -> Any:
        assert answer.status < 300, (answer.status, answer.json)
        return answer.json

    new = {"username": "wanda", "email": "wanda@example.org", "password": word("first")}
    id = done(admin.post("/cms/v2/users", new))["id"]
    done(admin.post(f"/cms/v2/users/{id}", {"password": word("second"), "description": word("about")}))
    secrets.append("wanda@example.org")
    made_password = done(admin.post(f"/cms/v2/users/{id}/application-passwords", {"name": "Phone"}))["password"]
    secrets += [made_password, made_password.replace(" ", "")]
    done(admin.get("/cms/v2/users/me"))
    person = {"email": "paul@example.org", "username": "paul", "password": word("customer"), "first_name": word("one"),
              "billing": {"address_1": word("street"), "phone": "0612345678"}}  # fmt: skip
    customer = done(manager.post("/shop/v3/customers", person))["id"]
    done(manager.put(f"/shop/v3/customers/{customer}", {"password": word("again"), "email": "pol@example.org"}))
    secrets += ["paul@example.org", "pol@example.org", "0612345678"]
    post = {"title": "Open", "status": "publish", "password": "zqrecordqz", "content": word("text")}
    secrets.append("zqrecordqz")
    post_id = done(admin.post("/cms/v2/posts", post))["id"]
    done(admin.post(f"/cms/v2/posts/{post_id}", {"password": "zqrenewedqz"}))
    secrets.append("zqrenewedqz")
    shared = done(admin.post(f"/cms/v2/posts/{post_id}/preview-links", {}))
    secrets.append(str(shared["token"] if "token" in shared else shared["link"].rpartition("=")[2]))
    hook = {"name": "Hook", "topics": ["post.*"], "delivery_url": "https://b.example/zqpathqz", "secret": word("hook")}
    hook_id = done(admin.post("/cms/v2/webhooks", hook))["id"]
    done(admin.post(f"/cms/v2/webhooks/{hook_id}", {"secret": word("hooked")}))
    told_hook = {"topic": "order.created", "delivery_url": "https://b.example/zqroadqz", "secret": word("shophook")}
    shop_hook = done(manager.post(HOOKS, told_hook))["id"]
    done(manager.put(f"{HOOKS}/{shop_hook}", {"secret": word("shophooked")}))
    secrets += ["zqpathqz", "zqroadqz"]
    done(manager.put(GATEWAY, {"enabled": True, "settings": {"webhook_secret": word("gateway")}}))
    done(manager.put(f"{SETTINGS}/general/shop_store_address", {"value": word("address")}))
    done(admin.post("/cms/v2/settings", {"email": "desk@example.org", "title": word("title")}))
    secrets.append("desk@example.org")
    coupon = done(manager.post("/shop/v3/coupons", {"code": "zqcouponqz", "amount": "1"}))["id"]
    secrets.append("zqcouponqz")
    lamp = sold(manager, "Lamp", "10")
    order = done(manager.post(ORDERS, {"line_items": [{"product_id": lamp, "quantity": 1}], "billing": billing(),
                                       "coupon_lines": [{"code": "zqcouponqz"}], "customer_note": word("note"),
                                       "transaction_id": "zqtransactionqz"}))  # fmt: skip
    secrets += [order["order_key"], "zqtransactionqz"]
    done(manager.put(f"{ORDERS}/{order['id']}", {"status": "completed"}))
    done(
        manager.post(f"{ORDERS}/{order['id']}/refunds", {"amount": "2", "reason": word("reason"), "api_refund": False})
    )
    done(manager.delete(f"{ORDERS}/{order['id']}", query={"force": True}))
    done(manager.delete(f"/shop/v3/coupons/{coupon}", query={"force": True}))
    visitor = Visitor(site)
    visitor.add(lamp)
    card = [{"key": "test_answer", "value": "paid"}, {"key": "test_card", "value": "zqcardqz"}]
    visitor.pay("test", payment_data=card)
    secrets.append("zqcardqz")
    with site.site.work() as work:
        owner = users.find_user_by_login(work.tx, "admin")
        assert owner is not None
        _, consumer, secret = keys.create_consumer_key(work, owner.id, "read", "Till")
    secrets += [consumer, secret, consumer[-7:]]
    comment = {
        "post": post_id,
        "content": word("comment"),
        "author_name": word("writer"),
        "author_email": "w@example.org",
    }
    comment_id = done(admin.post("/cms/v2/comments", comment))["id"]
    done(admin.delete(f"/cms/v2/comments/{comment_id}", query={"force": True}))
    for wrong in range(25):
        guess = site.client()
        guess.headers["authorization"] = "Basic " + base64.b64encode(f"wanda:zqguess{wrong}qz".encode()).decode()
        guess.get("/cms/v2/posts")
    secrets.append("zqguess")
    done(admin.delete(f"/cms/v2/users/{id}?force=true&reassign=1"))
    with site.site.work(read=True) as work:
        whole = "\n".join(str(tuple(row)) for row in work.tx.all(_EVERYTHING))
        digests = [str(row[0]) for row in work.tx.all(Statement(select(keys.table.c.digest)))]
    assert len(whole.splitlines()) > 20
    assert "blocked" in whole
    for one in (*secrets, *digests, "admin pass word", "shop_manager pass word"):
        assert one.lower() not in whole.lower(), one
    shown = str(ask_trail(admin, per_page=100).json).lower()
    assert not [one for one in secrets if one.lower() in shown]
