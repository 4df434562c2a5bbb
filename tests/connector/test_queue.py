"""The queue of changes: waiting items, buffers, locks, back-pressure, and what is never handed out."""

from __future__ import annotations

import pytest

from conftest import Client, SetClock, Stand
from connector.conftest import Service
from vetrina.connector import stored_values
from vetrina.connector.sync import queue_locks as sync_locks
from vetrina.connector.sync.codec import decode_payload

CHECKOUT, CLOSE = "/connector/v4/sync/checkout", "/connector/v4/sync/close"
pytestmark = pytest.mark.every_database


def made(admin: Client, count: int) -> list[int]:
    """Publish posts, and return their ids."""
    return [
        admin.post("/cms/v2/posts", {"title": f"Post {at}", "content": "Text", "status": "publish"}).json["id"]
        for at in range(count)
    ]


def size(service: Service) -> int:
    return int(service.get("/connector/v4/sync/status").json["queue_size"])


def test_every_change_is_handed_out_once_and_in_order(service: Service, admin: Client) -> None:
    (post,) = made(admin, 1)
    admin.post(f"/cms/v2/posts/{post}", {"content": "Changed"})
    tag = admin.post("/cms/v2/tags", {"name": "Tag"}).json["id"]
    comment = admin.post("/cms/v2/comments", {"post": post, "content": "Hello"}).json["id"]
    admin.delete(f"/cms/v2/tags/{tag}", query={"force": True})
    items = service.drained()
    actions = [(item[0], item[1][0]) for _, item in items]
    assert actions[:2] == [("connector_sync_save_post", post)] * 2
    assert ("cms_insert_comment", comment) in actions
    assert ("delete_term", tag) in actions
    assert items[1][1][1][1]["post_content"] == "Changed"
    assert len({name for name, _ in items}) == len(items)
    assert [name for name, _ in items] == sorted((name for name, _ in items), key=lambda one: int(one.split("-")[-1]))
    assert size(service) == 0
    assert service.post(CHECKOUT, {"queue": "sync", "number_of_items": 1}).code == "queue_size"


def test_what_nobody_acknowledged_comes_again_under_the_same_id(service: Service, admin: Client) -> None:
    made(admin, 3)
    first = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 10}).json
    again = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 10, "force": True}).json
    assert list(first["items"]) == list(again["items"])
    assert first["buffer_id"] != again["buffer_id"]
    assert decode_payload(next(iter(again["items"].values())))[0] == "connector_sync_save_post"
    assert first["codec"] == "deflate-json-array"


def test_acknowledged_ones_go_even_out_of_their_order(service: Service, admin: Client) -> None:
    made(admin, 3)
    sent = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 10}).json
    names = list(sent["items"])
    body = {"queue": "sync", "buffer_id": sent["buffer_id"], "item_ids": [names[1], "other", 5]}
    told = service.post(CLOSE, body).json
    assert told["success"] is True
    assert told["status"]["queue_size"] == len(names) - 1
    left = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 10}).json
    assert list(left["items"]) == [names[0], *names[2:]]


def test_a_lock_ends_by_itself(service: Service, admin: Client, clock: SetClock) -> None:
    made(admin, 1)
    wanted = {"queue": "sync", "number_of_items": 1}
    assert service.post(CHECKOUT, wanted).status == 200
    assert service.post(CHECKOUT, wanted).code == "buffer_open"
    clock.forward(sync_locks.LOCK_SECONDS + 1)
    assert admin.post(CHECKOUT, wanted).status == 200
    assert admin.post("/connector/v4/sync/unlock", {"queue": "sync"}).json == {"success": 1}
    assert admin.post("/connector/v4/sync/unlock", {"queue": "sync"}).json == {"success": 0}
    assert admin.delete("/connector/v4/sync/locks").json == {"success": True}


def test_a_wrong_buffer_is_told_and_its_items_count_all_the_same(service: Service, admin: Client) -> None:
    made(admin, 2)
    before = size(service)
    sent = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 1}).json
    body = {"queue": "sync", "buffer_id": "another", "item_ids": list(sent["items"])}
    assert service.post(CLOSE, body).code == "buffer_mismatch"
    assert size(service) == before - 1
    service.post("/connector/v4/sync/unlock", {"queue": "sync"})
    assert service.post(CLOSE, body).code == "buffer_not_checked_out"


def test_popped_items_are_gone_at_once(service: Service, admin: Client) -> None:
    made(admin, 2)
    before = size(service)
    sent = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 1, "pop": True, "encode": False}).json
    assert sent["buffer_id"] == "pop"
    assert sent["codec"] is None
    assert size(service) == before - 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid_queue"),
        ({"queue": "other", "number_of_items": 1}, "invalid_queue"),
        ({"queue": "sync"}, "invalid_number_of_items"),
        ({"queue": "sync", "number_of_items": 501}, "invalid_number_of_items"),
        ({"queue": "sync", "number_of_items": "x"}, "invalid_number_of_items"),
        ({"queue": "sync", "number_of_items": 5}, "queue_size"),
        ({"queue": "full_sync", "number_of_items": 5}, "queue_size"),
    ],
)
def test_a_wrong_checkout_is_told(service: Service, body: dict[str, object], code: str) -> None:
    answer = service.post(CHECKOUT, body)
    assert (answer.status, answer.code) == (400, code)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"queue": "x"}, "invalid_queue"),
        ({"queue": "sync", "item_ids": []}, "missing_buffer_id"),
        ({"queue": "sync", "buffer_id": "a"}, "missing_item_ids"),
        ({"queue": "sync", "buffer_id": "a", "item_ids": []}, "buffer_not_checked_out"),
    ],
)
def test_a_wrong_close_is_told(service: Service, body: dict[str, object], code: str) -> None:
    assert service.post(CLOSE, body).code == code


def test_a_queue_too_long_and_too_old_takes_no_more_until_it_is_drained(
    service: Service, admin: Client, clock: SetClock
) -> None:
    admin.post("/connector/v4/sync/settings", {"max_queue_size": 2, "max_queue_lag": 60})
    made(admin, 3)
    clock.forward(61)
    wanted = {"queue": "sync", "number_of_items": 1, "pop": True}
    at = {"timestamp": clock.now()}
    assert service.post(CHECKOUT, wanted, **at).status == 200
    details = admin.get("/connector/v4/sync/status", query={"fields": "debug_details"}).json["debug_details"]
    assert details["sync_health"] == "out_of_sync"
    lost = admin.post("/cms/v2/posts", {"title": "Lost", "status": "publish"}).json["id"]
    seen = []
    while (answer := service.post(CHECKOUT, {**wanted, "encode": False}, **at)).status == 200:
        seen += [item[1][0] for item in answer.json["items"].values()]
    assert lost not in seen
    (kept,) = made(admin, 1)
    answer = service.post(CHECKOUT, {**wanted, "number_of_items": 9, "encode": False}, **at)
    assert kept in [item[1][0] for item in answer.json["items"].values()]


def test_nothing_waits_on_a_site_that_is_not_registered(site: Stand, admin: Client) -> None:
    made(admin, 1)
    assert admin.get("/connector/v4/sync/status").json["queue_size"] == 0
    assert admin.post("/connector/v4/sync/full-sync", {}).json == {"scheduled": False}


def test_disabled_sync_empties_the_queue(service: Service, admin: Client) -> None:
    made(admin, 1)
    assert admin.post("/connector/v4/sync/settings", {"disable": 1}).json["disable"] == 1
    made(admin, 1)
    assert size(service) == 0
    admin.post("/connector/v4/sync/settings", {"disable": 0})
    assert size(service) == 0
    (post,) = made(admin, 1)
    assert next(item[1][0] for _, item in service.drained()) == post


def test_a_list_of_settings_keeps_words_alone(service: Service) -> None:
    for name in ("post_types_blacklist", "taxonomies_blacklist", "post_meta_whitelist", "comment_meta_whitelist"):
        built_in = service.get("/connector/v4/sync/settings").json[name]
        answer = service.post("/connector/v4/sync/settings", {name: ["mine", 7, {"a": 1}, [], None, True]})
        assert answer.json[name] == ["mine", "7", *built_in]
        assert service.get("/connector/v4/sync/settings").json[name] == ["mine", "7", *built_in]


def test_a_setting_beyond_all_numbers_is_told(service: Service) -> None:
    assert service.post("/connector/v4/sync/settings", {"disable": 1e20}).status == 200
    answer = service.get("/connector/v4/sync/status", query={"fields": "debug_details"})
    assert (answer.status, answer.json["debug_details"]["sync_health"]) == (200, "disabled")


def test_passwords_and_unlisted_types_never_leave(service: Service, admin: Client) -> None:
    admin.post("/cms/v2/posts", {"title": "Locked", "status": "publish", "password": "very secret"})
    admin.post("/connector/v4/sync/settings", {"post_types_blacklist": ["page"]})
    admin.post("/cms/v2/pages", {"title": "Hidden", "status": "publish"})
    admin.post("/cms/v2/users", {"username": "new", "email": "new@example.org", "password": "very secret"})
    items = service.drained()
    assert "very secret" not in str(items)
    assert "Hidden" not in str(items)
    assert any(item[0] == "connector_sync_register_user" for _, item in items)


def test_a_full_sync_sends_all_of_its_modules(service: Service, admin: Client) -> None:
    posts = made(admin, 3)
    assert service.post("/connector/v4/sync/full-sync", {"modules": ["posts", "users", "nothing"]}).json == {
        "scheduled": True
    }
    sent = service.post(CHECKOUT, {"queue": "full_sync", "number_of_items": 100, "encode": False}).json
    actions = [item[0] for item in sent["items"].values()]
    assert actions[0] == "connector_full_sync_start"
    assert actions[-1] == "connector_full_sync_end"
    found = next(item[1][0] for item in sent["items"].values() if item[0] == "connector_full_sync_posts")
    assert {int(post["ID"]) for post in found} >= set(posts)
    assert service.get("/connector/v4/sync/status").json["finished"] is False
    body = {"queue": "full_sync", "buffer_id": sent["buffer_id"], "item_ids": list(sent["items"])}
    status = service.post(CLOSE, body).json["status"]
    assert status["finished"]
    assert status["progress"]["posts"]["finished"] is True
    assert status["config"]["nothing"] == 1


def test_a_full_sync_is_taken_by_steps_too(service: Service, admin: Client) -> None:
    assert service.post(CHECKOUT, {"queue": "immediate"}).json["items"] == []
    (post,) = made(admin, 1)
    service.post("/connector/v4/sync/full-sync", {"posts": [post]})
    actions = []
    while items := service.post(CHECKOUT, {"queue": "immediate"}).json["items"]:
        actions += [decode_payload(text)[0] for text in items.values()]
    assert actions == ["connector_full_sync_start", "connector_full_sync_posts", "connector_full_sync_end"]


def test_what_is_sent_now_says_why_it_was_not(service: Service, admin: Client) -> None:
    empty = admin.post("/connector/v4/sync/now", {"queue": "sync"}).json["response"]
    assert list(empty["errors"]) == ["empty_queue_sync"]
    made(admin, 1)
    failed = admin.post("/connector/v4/sync/now", {"queue": "sync"}).json["response"]
    assert list(failed["errors"]) == ["wpcom_error"]
    assert size(service) > 0


def test_the_mark_is_kept_with_the_site(site: Stand, service: Service, admin: Client) -> None:
    made(admin, 2)
    service.drained()
    with site.site.work(read=True) as work:
        assert stored_values.get_value(work, "queue_sync")["mark"] > 0
