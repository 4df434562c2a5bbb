"""Task lists: visible tasks, completion, actions."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock

TASKS = "/shop-admin/onboarding/tasks"
SETTINGS = "/shop/v3/settings/general"


def tasks(client: Client, id: str = "setup") -> dict[str, dict[str, Any]]:
    answer = client.get(TASKS, query={"ids": id})
    assert answer.status == 200, answer.json
    return {task["id"]: task for task in answer.json[0]["tasks"]}


def test_shipping_is_asked_where_it_matters(manager: Client) -> None:
    assert "shipping" in tasks(manager)
    manager.put(f"{SETTINGS}/shop_store_address", {"value": "1 Main St"})
    assert "shipping" not in tasks(manager)
    manager.put(f"{SETTINGS}/shop_default_country", {"value": "IT:MI"})
    assert "shipping" in tasks(manager)
    manager.post("/shop-admin/onboarding/profile", {"product_types": ["downloads"]})
    assert "shipping" not in tasks(manager)


@pytest.mark.every_database
def test_tasks_are_done_by_what_they_ask_for(admin: Client) -> None:
    before = tasks(admin)
    assert [id for id, task in before.items() if task["isComplete"]] == ["launch-your-store"]
    admin.post("/shop/v3/products", {"name": "Cap", "regular_price": "5"})
    admin.put("/shop/v3/payment_gateways/cod", {"enabled": True})
    admin.post("/shop/v3/taxes", {"country": "IT", "rate": "22"})
    admin.post("/shop/v3/shipping/zones", {"name": "Italy"})
    admin.post("/shop-admin/options", {"shop_admin_customize_store_completed": "yes"})
    assert all(task["isComplete"] for task in tasks(admin).values())
    assert admin.get(TASKS, query={"ids": "setup"}).json[0]["isComplete"] is True


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_products_stay_done_once_somebody_saw_them_done(manager: Client, method: str) -> None:
    id = manager.post("/shop/v3/products", {"name": "Cap"}).json["id"]
    assert manager.ask(method, TASKS).status == 200
    manager.delete(f"/shop/v3/products/{id}", query={"force": "true"})
    assert tasks(manager)["products"]["isComplete"] is True


def test_samples_alone_are_no_products(manager: Client) -> None:
    made = manager.post(f"{TASKS}/import_sample_products", {}).json
    assert len(made["imported"]) == 7
    assert len(made["imported_variations"]) == 2
    assert made["failed"] == []
    assert tasks(manager)["products"]["isComplete"] is False
    again = manager.post(f"{TASKS}/import_sample_products", {}).json
    assert (again["imported"], len(again["skipped"])) == ([], 7)


def test_a_hidden_list_is_not_visible_until_it_is_shown_again(manager: Client) -> None:
    hidden = manager.post(f"{TASKS}/setup/hide", {}).json
    assert (hidden["isHidden"], hidden["isVisible"]) == (True, False)
    assert [task["id"] for task in hidden["tasks"]] == ["products"]
    shown = manager.put(f"{TASKS}/setup/unhide", {}).json
    assert (shown["isHidden"], shown["isVisible"]) == (False, True)


def test_a_loose_task_is_dismissed_and_taken_back(manager: Client) -> None:
    assert manager.post(f"{TASKS}/mine/dismiss", {}).json["isDismissed"] is True
    assert manager.get("/shop-admin/options?options=shop_task_list_dismissed_tasks").json == {
        "shop_task_list_dismissed_tasks": ["mine"]
    }
    assert manager.post(f"{TASKS}/mine/undo_dismiss", {}).json["isDismissed"] is False


def test_a_built_in_task_is_neither_dismissed_nor_put_off(manager: Client) -> None:
    for path in ("dismiss", "snooze", "undo_dismiss", "undo_snooze"):
        answer = manager.post(f"{TASKS}/tax/{path}", {})
        assert (answer.status, answer.code) == (404, "shop_rest_invalid_task")


@pytest.mark.parametrize("duration", ["hour", "day", "week", None])
def test_a_task_is_put_off(manager: Client, clock: SetClock, duration: str | None) -> None:
    body = {"duration": duration} if duration else {}
    assert manager.post(f"{TASKS}/mine/snooze", body).status == 200
    assert manager.post(f"{TASKS}/mine/undo_snooze", {}).status == 200


def test_a_strange_time_is_refused(manager: Client) -> None:
    answer = manager.post(f"{TASKS}/mine/snooze", {"duration": "century"})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")


def test_an_action_is_kept(manager: Client) -> None:
    assert manager.post(f"{TASKS}/extend-store/action", {}).json["isComplete"] is True
    assert tasks(manager, "extended")["extend-store"]["isActioned"] is True


def test_an_action_is_no_visit(manager: Client) -> None:
    for id in ("tax", "mine"):
        acted = manager.post(f"{TASKS}/{id}/action", {}).json
        assert (acted["isActioned"], acted["isVisited"]) == (True, False)
    assert tasks(manager)["tax"]["isVisited"] is False


@pytest.mark.parametrize("template", ["physical", "digital", "variable", "external", "grouped"])
def test_a_product_from_a_template_is_an_automatic_draft(manager: Client, template: str) -> None:
    id = manager.post(f"{TASKS}/create_product_from_template", {"template_name": template}).json["id"]
    made = manager.get(f"/shop/v3/products/{id}").json
    kind = {"physical": "simple", "digital": "simple"}.get(template, template)
    assert (made["status"], made["name"], made["type"]) == ("auto-draft", "AUTO-DRAFT", kind)
    assert made["virtual"] is made["downloadable"] is (template == "digital")


def brought(manager: Client, **more: object) -> dict[str, object]:
    """Return a task that a client adds to a list, as the list has it."""
    told = {"id": "mine", "list_id": "extended", "title": "Mine", "is_dismissable": True, "is_snoozeable": True, **more}
    lists = manager.post(TASKS, {"ids": ["extended"], "extended_tasks": [told]}).json
    found: dict[str, object] = next(task for task in lists[0]["tasks"] if task["id"] == "mine")
    return found


def test_what_became_of_a_brought_task_is_shown_in_its_list(manager: Client, clock: SetClock) -> None:
    assert {"title": "Mine", "parentId": "extended", "isDismissable": True}.items() <= brought(manager).items()
    put_off = manager.post(f"{TASKS}/mine/snooze", {"duration": "hour"}).json
    assert (put_off["isSnoozed"], put_off["snoozedUntil"]) == (True, (clock.now() + 3600) * 1000)
    shown = brought(manager)
    assert (shown["isSnoozed"], shown["snoozedUntil"]) == (True, (clock.now() + 3600) * 1000)
    clock.forward(3601)
    assert (brought(manager)["isSnoozed"], brought(manager)["snoozedUntil"]) == (False, None)
    manager.post(f"{TASKS}/mine/snooze", {"duration": "week"})
    assert manager.post(f"{TASKS}/mine/undo_snooze", {}).json["isSnoozed"] is False
    assert brought(manager)["isSnoozed"] is False
    manager.post(f"{TASKS}/mine/dismiss", {})
    assert brought(manager)["isDismissed"] is True
    manager.post(f"{TASKS}/mine/undo_dismiss", {})
    assert brought(manager)["isDismissed"] is False
    manager.post(f"{TASKS}/mine/action", {})
    assert (brought(manager)["isActioned"], brought(manager)["isComplete"]) == (True, True)


def test_a_brought_task_is_in_its_own_list_alone(manager: Client) -> None:
    told = [
        {"id": "mine", "list_id": "setup"},
        {"id": "none", "list_id": "nowhere"},
        {"id": "unseen", "can_view": False},
    ]
    lists = manager.post(TASKS, {"extended_tasks": told}).json
    found = {one["id"]: [task["id"] for task in one["tasks"]] for one in lists}
    assert "mine" in found["setup"]
    assert not {"none", "unseen"} & {id for ids in found.values() for id in ids}
    assert not lists[0]["isComplete"]
    assert "mine" not in [task["id"] for task in manager.get(TASKS).json[0]["tasks"]]


@pytest.mark.parametrize(
    "told",
    [
        {"title": {"a": 1}, "level": "x", "time": [], "action_url": 7, "list_id": 5},
        {"title": None, "level": True, "additional_info": False, "is_complete": "no"},
    ],
)
def test_odd_members_of_a_brought_task_do_no_harm(manager: Client, told: dict[str, object]) -> None:
    assert manager.post(TASKS, {"extended_tasks": [{"id": "mine", **told}]}).status == 200
    assert manager.post(TASKS, {"extended_tasks": [{"id": {"a": 1}}]}).status == 200
    for odd, status in (("x", 200), (7, 200), ({"a": 1}, 400), (["x"], 400), ([["x"]], 400), ("[]", 200), (None, 200)):
        assert manager.post(TASKS, {"extended_tasks": odd}).status == status, odd
