"""Webhooks: payloads, recipients, signatures, retries, and when delivery stops."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from typing import Any

import orjson
import pytest

from conftest import Client, SetClock, Stand
from foreign_host import Host, outbound_to
from vetrina.core.webhooks import deliveries as webhook_deliveries
from vetrina.internal_requests import serialize_record
from vetrina.shop.orders import rules as orders
from vetrina.system import job_runner

from .background import work_off

HOOKS = "/shop/v3/webhooks"
URL = "http://example.com/hook"


class Receiver:
    """A server that receives webhooks; status: its response."""

    def __init__(self) -> None:
        self.status = 200
        self.host = Host(self._answer)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(self.status)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    @property
    def told(self) -> list[tuple[dict[str, str], Any]]:
        """Headers and payload of the deliveries, without pings."""
        return [
            (headers, orjson.loads(body))
            for _, _, headers, body in self.host.asked
            if not body.startswith(b"webhook_id=")
        ]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.host.close()


def hook(client: Client, topic: str, **members: Any) -> int:
    answer = client.post(HOOKS, {"topic": topic, "delivery_url": URL, "secret": "s3cret", **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


@pytest.mark.every_database
def test_an_order_is_told_signed_as_the_interface_shows_it(site: Stand, manager: Client, receiver: Receiver) -> None:
    id = hook(manager, "order.created")
    made = manager.post("/shop/v3/orders", {"billing": {"first_name": "Ada"}}).json
    work_off(site, receiver.host)
    [(headers, payload)] = receiver.told
    shown = manager.get(f"/shop/v3/orders/{made['id']}").json
    assert {**payload, "_links": 0} == {**shown, "_links": 0}
    body = next(body for *_, body in receiver.host.asked if not body.startswith(b"webhook_id="))
    signature = base64.b64encode(hmac.new(b"s3cret", body, hashlib.sha256).digest()).decode()
    assert headers["x-shop-webhook-signature"] == signature
    assert headers["x-shop-webhook-topic"] == "order.created"
    assert headers["x-shop-webhook-resource"] == "order"
    assert headers["x-shop-webhook-event"] == "created"
    assert headers["x-shop-webhook-id"] == str(id)
    assert len(headers["x-shop-webhook-delivery-id"]) == 32
    assert headers["x-shop-webhook-source"].endswith("/")
    assert headers["content-type"] == "application/json"


def test_a_new_webhook_is_greeted(site: Stand, manager: Client, receiver: Receiver) -> None:
    id = hook(manager, "order.created")
    work_off(site, receiver.host)
    assert [body for *_, body in receiver.host.asked] == [f"webhook_id={id}".encode()]


@pytest.mark.parametrize(
    ("topic", "path", "new", "change"),
    [
        ("order", "/shop/v3/orders", {}, {"customer_note": "Ring twice"}),
        ("product", "/shop/v3/products", {"name": "Lamp"}, {"name": "Lantern"}),
        ("coupon", "/shop/v3/coupons", {"code": "ten"}, {"description": "Ten"}),
    ],
)
def test_each_event_is_told_to_its_topic(
    site: Stand, manager: Client, receiver: Receiver, topic: str, path: str, new: Any, change: Any
) -> None:
    for event in ("created", "updated", "deleted", "restored"):
        hook(manager, f"{topic}.{event}")
    id = manager.post(path, new).json["id"]
    manager.put(f"{path}/{id}", change)
    manager.delete(f"{path}/{id}")
    if topic == "product":
        manager.put(f"{path}/{id}", {"status": "publish"})
    manager.delete(f"{path}/{id}", query={"force": "true"})
    work_off(site, receiver.host)
    told = [headers["x-shop-webhook-event"] for headers, _ in receiver.told]
    wanted = ["created", "updated", "deleted", *(["restored"] if topic == "product" else []), "deleted"]
    assert told == wanted
    assert receiver.told[-1][1] == {"id": id}


def test_an_event_is_told_by_the_name_that_the_interface_lists(
    site: Stand, manager: Client, receiver: Receiver
) -> None:
    for name in ("shop_new_order", "cms_trash_post", "shop_new_coupon", "nobody_knows"):
        hook(manager, f"action.{name}")
    id = manager.post("/shop/v3/orders", {}).json["id"]
    manager.put(f"/shop/v3/orders/{id}", {"customer_note": "Ring twice"})
    manager.delete(f"/shop/v3/orders/{id}")
    work_off(site, receiver.host)
    assert [payload for _, payload in receiver.told] == [
        {"action": "shop_new_order", "arg": id}, {"action": "cms_trash_post", "arg": id}
    ]  # fmt: skip
    headers = receiver.told[0][0]
    assert headers["x-shop-webhook-topic"] == "action.shop_new_order"
    assert (headers["x-shop-webhook-resource"], headers["x-shop-webhook-event"]) == ("action", "shop_new_order")


def test_a_customer_is_told(site: Stand, admin: Client, receiver: Receiver) -> None:
    for event in ("created", "deleted"):
        hook(admin, f"customer.{event}")
    id = admin.post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    admin.delete(f"/shop/v3/customers/{id}", query={"force": "true"})
    work_off(site, receiver.host)
    assert [(headers["x-shop-webhook-event"], payload["id"]) for headers, payload in receiver.told] == [
        ("created", id),
        ("deleted", id),
    ]


def test_a_failed_write_tells_nobody(site: Stand, manager: Client, receiver: Receiver) -> None:
    hook(manager, "order.created")
    assert manager.post("/shop/v3/orders", {"line_items": [{"quantity": 1}]}).status == 400
    work_off(site, receiver.host)
    assert receiver.told == []


def test_who_is_paused_is_not_told(site: Stand, manager: Client, receiver: Receiver) -> None:
    id = hook(manager, "order.created")
    manager.put(f"{HOOKS}/{id}", {"status": "paused"})
    manager.post("/shop/v3/orders", {})
    work_off(site, receiver.host)
    assert receiver.told == []


def test_a_refused_delivery_is_tried_again_later(
    site: Stand, manager: Client, receiver: Receiver, clock: SetClock
) -> None:
    id = hook(manager, "order.created")
    receiver.status = 503
    manager.post("/shop/v3/orders", {})
    work_off(site, receiver.host)
    assert len(receiver.told) == 1
    work_off(site, receiver.host)
    assert len(receiver.told) == 1
    receiver.status = 200
    clock.forward(61)
    work_off(site, receiver.host)
    assert len(receiver.told) == 2
    assert receiver.told[0][0]["x-shop-webhook-delivery-id"] == receiver.told[1][0]["x-shop-webhook-delivery-id"]
    with site.site.work(read=True) as work:
        log = webhook_deliveries.list_deliveries(work, id)
    assert [(one.state, one.attempts, one.answer) for one in log if one.kind == "application/json"] == [
        ("delivered", 2, 200)
    ]


def test_who_fails_too_often_is_disabled(site: Stand, manager: Client, receiver: Receiver, clock: SetClock) -> None:
    id = hook(manager, "order.created")
    receiver.status = 500
    for _ in range(5):
        manager.post("/shop/v3/orders", {})
    for _ in range(6):
        work_off(site, receiver.host)
        clock.forward(100_000)
    assert manager.get(f"{HOOKS}/{id}").json["status"] == "disabled"
    seen = len(receiver.told)
    manager.post("/shop/v3/orders", {})
    work_off(site, receiver.host)
    assert len(receiver.told) == seen == 25


def test_nobody_in_the_own_network_is_told(site: Stand, manager: Client, receiver: Receiver) -> None:
    answer = manager.post(HOOKS, {"topic": "order.created", "delivery_url": f"http://127.0.0.1:{receiver.host.port}/"})
    manager.post("/shop/v3/orders", {})
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
    assert receiver.host.asked == []
    with site.site.work(read=True) as work:
        log = webhook_deliveries.list_deliveries(work, answer.json["id"])
    assert {one.state for one in log} == {"waiting", "failed"}
    assert all("not" in one.error for one in log)


def test_a_secret_is_never_shown(site: Stand, manager: Client) -> None:
    id = hook(manager, "order.created")
    assert "s3cret" not in manager.get(f"{HOOKS}/{id}", query={"context": "edit"}).content.decode()


def test_lists_are_filtered_and_ordered(manager: Client) -> None:
    ids = [hook(manager, "order.created", name=name) for name in ("Bee", "Ant", "Cow")]
    manager.put(f"{HOOKS}/{ids[0]}", {"status": "paused"})

    def listed(**query: Any) -> list[int]:
        return [one["id"] for one in manager.get(HOOKS, query=query).json]

    assert listed(orderby="title", order="asc") == [ids[1], ids[0], ids[2]]
    assert listed(status="paused") == [ids[0]]
    assert listed(search="cow") == [ids[2]]
    assert listed(include=[ids[0], ids[2]], orderby="id", order="asc") == [ids[0], ids[2]]
    assert listed(per_page=1, offset=1, orderby="id", order="asc") == [ids[1]]
    first = manager.get(HOOKS, query={"per_page": 2})
    assert (first.headers["x-cms-total"], first.headers["x-cms-totalpages"]) == ("3", "2")


def test_who_has_no_rooms_tells_the_same(site: Stand, manager: Client, receiver: Receiver, clock: SetClock) -> None:
    """The worker imports the routes when it first has to serialize a record."""
    hook(manager, "order.updated")
    with site.site.work() as work:
        id = orders.create_order(work, {}, via="checkout").order.id
    own = site.site.context
    context = replace(own, outbound=outbound_to(receiver.host), serialize_record=serialize_record)
    clock.forward(3700)
    consumer = job_runner.build_consumer(context, site.site.database)
    consumer.run_due_jobs()
    told = [payload for _, payload in receiver.told]
    assert [(one["id"], one["status"]) for one in told] == [(id, "cancelled")]


def test_webhooks_of_shop_and_content_do_not_see_each_other(admin: Client) -> None:
    shop, content = hook(admin, "order.created"), "/cms/v2/webhooks"
    body = {"topics": ["post.created"], "delivery_url": URL, "secret": "a secret of the test"}
    other = admin.post(content, body).json["id"]
    assert admin.get(f"{content}/{shop}").status == admin.get(f"{HOOKS}/{other}").status == 404
    assert [one["id"] for one in admin.get(content).json] == [other]
    assert [one["id"] for one in admin.get(HOOKS).json] == [shop]
