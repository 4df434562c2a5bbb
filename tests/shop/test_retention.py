"""Data that a shop keeps for a limited time: failed orders, personal data, inactive accounts."""

from __future__ import annotations

from typing import Any

import pytest

from audit_trail import read_trail
from conftest import Client, SetClock, Stand

from .background import work_off

ORDERS, OPTIONS = "/shop/v3/orders", "/shop-admin/options"
DAY = 86_400


def say(admin: Client, name: str, number: Any, unit: str = "days") -> None:
    answer = admin.post(OPTIONS, {f"shop_{name}": {"number": number, "unit": unit}})
    assert answer.json == {f"shop_{name}": True}


def ordered(manager: Client, status: str, **more: Any) -> int:
    billing = {"first_name": "Ada", "email": "ada@example.com", "address_1": "1 Main St"}
    return int(manager.post(ORDERS, {"status": status, "billing": billing, **more}).json["id"])


@pytest.mark.every_database
@pytest.mark.parametrize("status", ["pending", "failed", "cancelled"])
def test_orders_that_came_to_nothing_go_to_the_trash(
    site: Stand, admin: Client, manager: Client, clock: SetClock, status: str
) -> None:
    say(admin, f"trash_{status}_orders", 3)
    old = ordered(manager, status)
    clock.forward(2 * DAY)
    young, other = ordered(manager, status), ordered(manager, "completed")
    clock.forward(DAY + 60)
    work_off(site)
    found = {id: manager.get(f"{ORDERS}/{id}").json["status"] for id in (old, young, other)}
    assert found == {old: "trash", young: status, other: "completed"}


@pytest.mark.every_database
@pytest.mark.parametrize("status", ["completed", "refunded"])
def test_old_orders_lose_their_personal_data(
    site: Stand, admin: Client, manager: Client, clock: SetClock, status: str
) -> None:
    say(admin, f"anonymize_{status}_orders", 1, "months")
    old = ordered(manager, status)
    clock.forward(29 * DAY)
    work_off(site)
    assert manager.get(f"{ORDERS}/{old}").json["billing"]["first_name"] == "Ada"
    clock.forward(2 * DAY)
    for _ in range(2):
        work_off(site)
        clock.forward(61)
    told = manager.get(f"{ORDERS}/{old}").json["billing"]
    assert (told["first_name"], told["address_1"]) == ("[deleted]", "[deleted]")
    notes = [one["note"] for one in manager.get(f"{ORDERS}/{old}/notes").json]
    assert notes.count("Personal data removed.") == 1


@pytest.mark.every_database
def test_accounts_of_those_who_stay_away_go(site: Stand, admin: Client, manager: Client, clock: SetClock) -> None:
    say(admin, "delete_inactive_accounts", 1, "years")
    made = [admin.post("/shop/v3/customers", {"email": f"{name}@example.com"}).json["id"] for name in ("a", "b", "c")]
    away, back, never = made  # without orders, an account's age counts from its creation
    boss = manager.get("/shop/v3/customers", query={"role": "administrator"}).json[0]["id"]
    for id in (away, back, boss):
        ordered(manager, "completed", customer_id=id)
    clock.forward(300 * DAY)
    ordered(manager, "completed", customer_id=back)
    clock.forward(100 * DAY)
    work_off(site)
    assert [manager.get(f"/shop/v3/customers/{id}").status for id in (away, back, never, boss)] == [404, 200, 404, 200]


@pytest.mark.every_database
def test_the_audit_trail_names_the_job_that_did_it(
    site: Stand, admin: Client, manager: Client, clock: SetClock
) -> None:
    say(admin, "trash_failed_orders", 3)
    say(admin, "delete_inactive_accounts", 2, "months")
    order = ordered(manager, "failed")
    person = admin.post("/shop/v3/customers", {"email": "a@example.com"}).json["id"]
    clock.forward(100 * DAY)
    before = len(read_trail(site))
    work_off(site)
    found = {(one["kind"], one["item"]): one for one in read_trail(site)[before:]}
    for kind, item, action in (("order", order, "trashed"), ("user", person, "removed")):
        one = found[kind, str(item)]
        source = (one["account"], one["source"], one["credential"])
        assert (one["action"], *source) == (action, 0, "job", "shop.run_retention_job")
    # What has merely run out is none of its business.
    assert {one["credential"] for one in found.values()} == {"shop.run_retention_job"}


@pytest.mark.parametrize(
    "value",
    ["x", 7, [], {"number": -1, "unit": "days"}, {"number": "1.5", "unit": "days"}, {"number": 1, "unit": "moons"},
     {"number": 10**9, "unit": "years"}, {"number": {"a": 1}, "unit": "days"}, {"unit": ["days"]}],
)  # fmt: skip
def test_what_is_no_time_is_refused(admin: Client, value: Any) -> None:
    answer = admin.post(OPTIONS, {"shop_trash_failed_orders": value})
    assert (answer.status, answer.code) == (400, "shop_rest_cannot_update")


def test_everything_stays_where_no_time_is_said(site: Stand, admin: Client, manager: Client, clock: SetClock) -> None:
    say(admin, "trash_failed_orders", "")
    failed, done = ordered(manager, "failed"), ordered(manager, "completed")
    clock.forward(3000 * DAY)
    work_off(site)
    assert manager.get(f"{ORDERS}/{failed}").json["status"] == "failed"
    assert manager.get(f"{ORDERS}/{done}").json["billing"]["first_name"] == "Ada"
