"""What the change feed tells those who run the shop of what went into the trash or is gone, and nobody else."""

from __future__ import annotations

import pytest

from conftest import Client, Stand

from .store import sold

FEED, ORDERS, PRODUCTS, COUPONS = "/cms/v2/changes", "/shop/v3/orders", "/shop/v3/products", "/shop/v3/coupons"


def now(client: Client) -> int:
    return int(client.get(FEED).json["next"])


def told(client: Client, since: int, kind: str) -> list[tuple[int, str]]:
    """Return what the feed tells of a kind after a cursor: ids and actions."""
    changes = client.get(FEED, query={"since": since, "kinds": kind}).json["changes"]
    return [(one["id"], one["action"]) for one in changes]


def path_of_new(manager: Client, kind: str) -> str:
    if kind == "product":
        # A draft, which no visitor could see.
        return f"{PRODUCTS}/{sold(manager, status='draft')}"
    path, given = (ORDERS, {}) if kind == "order" else (COUPONS, {"code": "ten", "amount": "10"})
    return f"{path}/{manager.post(path, given).json['id']}"


@pytest.mark.every_database
@pytest.mark.parametrize("what", ["order", "product", "coupon"])
def test_trash_restoring_and_deletion_are_told_to_those_who_run_the_shop(
    site: Stand, manager: Client, what: str
) -> None:
    path = path_of_new(manager, what)
    id = int(path.rpartition("/")[2])
    clients = {name: site.client(name) for name in ("shop_manager", "admin", "editor", "customer", None)}
    since = now(manager)
    assert manager.delete(path).status == 200
    heard = {name: told(client, since, what) for name, client in clients.items()}
    assert {name: set(found) for name, found in heard.items() if found} == {
        "shop_manager": {(id, "removed")}, "admin": {(id, "removed")},
    }  # fmt: skip
    since = now(manager)
    assert manager.put(path, {"status": "on-hold" if what == "order" else "draft"}).status == 200
    assert set(told(manager, since, what)) == {(id, "changed")}
    since = now(manager)
    assert manager.delete(path, query={"force": "true"}).status == 200
    assert set(told(manager, since, what)) == {(id, "removed")}
    assert [told(client, since, what) for name, client in clients.items() if name in ("editor", "customer", None)] == [
        [], [], [],
    ]  # fmt: skip


def test_what_is_told_of_a_removed_order_is_its_number_alone(manager: Client) -> None:
    path = path_of_new(manager, "order")
    since = now(manager)
    manager.delete(path, query={"force": "true"})
    [entry] = [one for one in manager.get(FEED, query={"since": since}).json["changes"] if one["kind"] == "order"]
    assert [entry[name] for name in ("href", "link", "link_before", "lang", "transition")] == [None] * 5
