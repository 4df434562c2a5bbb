"""Notes to shop managers: created by events, listed, actioned, deleted and restored."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.analytics.facts import rebuilding
from vetrina.analytics.notes import rules as admin_notes
from vetrina.core.webhooks import failure_limit, store as webhooks

NOTES = "/shop-analytics/admin/notes"


def _told(client: Client, **query: Any) -> list[str]:
    return [one["name"] for one in client.get(NOTES, query=query).json]


@pytest.fixture
def notes(site: Stand, manager: Client) -> list[int]:
    """Three notes: their ids, the oldest first."""
    with site.site.work() as work:
        for name, type in (("b-first", "info"), ("a-second", "warning"), ("c-third", "update")):
            admin_notes.write_admin_note(
                work,
                name,
                type,
                name.title(),
                "What happened.",
                actions=(admin_notes.AdminNoteAction(7, "go", "Go", "x.php"),),
            )
    return sorted(one["id"] for one in manager.get(NOTES).json)


@pytest.mark.every_database
def test_the_first_order_is_told_once(manager: Client) -> None:
    assert _told(manager) == []
    for _ in range(2):
        assert manager.post("/shop/v3/orders", {"status": "processing"}).status == 201
    assert _told(manager) == ["first-order"]


def test_a_webhook_that_is_switched_off_is_told(site: Stand, manager: Client) -> None:
    body = {"topic": "order.created", "delivery_url": "https://hooks.example.org/in", "name": "Orders"}
    made = manager.post("/shop/v3/webhooks", body)
    assert made.status == 201, made.json
    for _ in range(failure_limit.MAX_FAILURES):
        assert _told(manager, type="warning") == []
        with site.site.work() as work:
            hook = webhooks.find_webhook(work, made.json["id"])
            assert hook is not None
            failure_limit.record_failure(work, hook, "answered 500")
    (note,) = manager.get(NOTES, query={"type": "warning"}).json
    assert note["name"] == f"webhook-disabled-{made.json['id']}"
    assert "Orders" in note["content"]


def test_rebuilding_in_the_background_is_told(site: Stand, manager: Client) -> None:
    with site.site.work() as work:
        rebuilding.start_rebuild(work, by_job=False)
        rebuilding.run_rebuild_job(work, {})
    assert _told(manager, type="update") == ["reports-rebuilt"]


@pytest.mark.every_database
def test_notes_are_filtered_ordered_and_paged(manager: Client, notes: list[int]) -> None:
    assert _told(manager, orderby="title", order="asc") == ["a-second", "b-first", "c-third"]
    assert _told(manager, type=["info", "update"], orderby="note_id", order="asc") == ["b-first", "c-third"]
    assert _told(manager, status="actioned") == []
    assert _told(manager, source="elsewhere") == []
    answer = manager.get(NOTES, query={"per_page": 2, "page": 2, "orderby": "note_id", "order": "asc"})
    assert [one["name"] for one in answer.json] == ["c-third"]
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("3", "2")
    assert manager.get(NOTES, query={"status": "done"}).code == "rest_invalid_param"


def test_a_note_is_changed_and_acted_on(manager: Client, notes: list[int]) -> None:
    path = f"{NOTES}/{notes[0]}"
    changed = manager.put(path, {"status": "snoozed", "date_reminder": "2030-01-02T03:04:05", "is_read": True}).json
    assert (changed["status"], changed["date_reminder"], changed["is_read"]) == ("snoozed", "2030-01-02T03:04:05", True)
    assert manager.get(path).json == changed
    assert manager.put(path, {"status": "done"}).code == "rest_invalid_param"
    assert manager.post(f"{path}/action/7").json["status"] == "actioned"
    assert manager.get(path).json["status"] == "actioned"
    assert manager.post(f"{path}/action/8").code == "shop_note_invalid_id"


@pytest.mark.every_database
def test_notes_are_deleted_and_taken_back(manager: Client, notes: list[int]) -> None:
    first, second, third = notes
    assert manager.delete(f"{NOTES}/delete/{first}").json["is_deleted"] is True
    assert _told(manager, orderby="note_id", order="asc") == ["a-second", "c-third"]
    assert manager.put(f"{NOTES}/{first}", {"is_deleted": False}).json["is_deleted"] is False
    manager.post(f"{NOTES}/{third}/action/7")
    gone = manager.delete(f"{NOTES}/delete/all", query={"status": "unactioned"}).json
    assert sorted(one["id"] for one in gone) == [first, second]
    assert _told(manager) == ["c-third"]
    back = manager.put(f"{NOTES}/update", {"noteIds": [first, second], "is_deleted": False})
    assert sorted(one["id"] for one in back.json) == [first, second]
    assert len(_told(manager)) == 3
    assert manager.put(f"{NOTES}/update", {"noteIds": [first, 999_999]}).code == "shop_note_invalid_id"
