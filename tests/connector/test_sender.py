"""The site's own sender: what is pushed when nobody pulls, acknowledgement, pauses after failures."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from connector.conftest import Service
from connector.service_stand_in import Asked, ServiceStandIn
from vetrina.connector import stored_values
from vetrina.connector.connection import heartbeat
from vetrina.connector.sync import queue as sync_queue
from vetrina.connector.sync.codec import decode_payload
from vetrina.system import job_runner

STATUS, CHECKOUT = "/connector/v4/sync/status", "/connector/v4/sync/checkout"
SETTINGS = "/connector/v4/sync/settings"


def everything(asked: Asked) -> dict[str, Any]:
    """Respond as a service that acknowledges the whole batch."""
    return {"processed_items": [name for line in asked.body.splitlines() for name in jsoned(line)]}


def jsoned(line: bytes) -> dict[str, str]:
    return Asked("", {}, line, {}).json  # type: ignore[no-any-return]


def actions(remote: ServiceStandIn) -> list[str]:
    """Return the actions that were sent, in order."""
    return [
        decode_payload(text)[0] for call in remote.of("/sync") for line in call.body.splitlines()
        for text in jsoned(line).values()
    ]  # fmt: skip


@pytest.fixture
def quiet(site: Stand, service: Service) -> Service:
    """The service of a site whose heartbeat is not due."""
    with site.site.work() as work:
        stored_values.save_value(work, heartbeat.LAST, work.now + 10 * 86_400)
    return service


def swept(site: Stand) -> None:
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()


def published(admin: Client, count: int = 1) -> list[int]:
    return [admin.post("/cms/v2/posts", {"title": f"P{at}", "status": "publish"}).json["id"] for at in range(count)]


def next_sync(admin: Client) -> float:
    return float(admin.get(STATUS).json["queue_next_sync"])


@pytest.mark.every_database
def test_what_nobody_pulls_is_sent_in_batches(
    site: Stand, quiet: Service, admin: Client, remote: ServiceStandIn
) -> None:
    remote.answers["/sync"] = (200, everything, {})
    published(admin, 5)
    admin.post(SETTINGS, {"upload_max_rows": 2})
    waiting = admin.get(STATUS).json["queue_size"]
    swept(site)
    assert admin.get(STATUS).json["queue_size"] == 0
    calls = remote.of("/sync")
    assert len(calls) == -(-waiting // 2)
    assert calls[0].query["queue"] == "sync"
    assert calls[0].query["codec"] == "deflate-json-array"
    assert actions(remote)[:2] == ["connector_sync_save_post"] * 2
    swept(site)
    assert len(remote.of("/sync")) == len(calls)


def test_bytes_that_are_read_bound_a_batch(quiet: Service, admin: Client, remote: ServiceStandIn) -> None:
    remote.answers["/sync"] = (200, everything, {})
    published(admin, 3)
    admin.post(SETTINGS, {"dequeue_max_bytes": 1})
    admin.post("/connector/v4/sync/now", {"queue": "sync"})
    assert len(actions(remote)) == 1


@pytest.mark.parametrize("setting", ["sync_via_cron", "sync_sender_enabled", "disable"])
def test_a_sender_that_is_off_sends_nothing(
    site: Stand, quiet: Service, admin: Client, remote: ServiceStandIn, setting: str
) -> None:
    published(admin)
    admin.post(SETTINGS, {setting: 1 if setting == "disable" else 0})
    swept(site)
    assert remote.asked == []


def test_who_pulls_is_not_sent_the_same_too(
    site: Stand, quiet: Service, admin: Client, remote: ServiceStandIn, clock: SetClock
) -> None:
    remote.answers["/sync"] = (200, everything, {})
    published(admin, 2)
    sent = quiet.post(CHECKOUT, {"queue": "sync", "number_of_items": 1}).json
    assert 50 < next_sync(admin) <= 60
    names = [*sent["items"], *sent["skipped_items"]]
    quiet.post("/connector/v4/sync/close", {"queue": "sync", "buffer_id": sent["buffer_id"], "item_ids": names})
    swept(site)
    assert remote.asked == []
    clock.forward(61)
    swept(site)
    assert remote.of("/sync")


def test_an_empty_queue_lets_the_sender_speak_again(quiet: Service, admin: Client) -> None:
    published(admin)
    quiet.drained()
    assert next_sync(admin) < -1_000_000
    published(admin)
    quiet.post(CHECKOUT, {"queue": "sync", "number_of_items": 1})
    assert next_sync(admin) > 0
    assert admin.delete("/connector/v4/sync/locks").json == {"success": True}
    assert next_sync(admin) < -1_000_000


@pytest.mark.parametrize(
    ("answer", "seconds", "asked"),
    [
        (None, 60, False),
        ((500, {}, {}), 60, False),
        ((429, {"error": "slow_down"}, {"retry-after": "17"}), 17, True),
        ((503, {}, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}), 180, True),
        ((200, {"something": "else"}, {}), 60, False),
    ],
)
def test_a_failure_is_waited_out(
    site: Stand, quiet: Service, admin: Client, remote: ServiceStandIn, answer: Any, seconds: int, asked: bool
) -> None:
    remote.answers["/sync"] = answer
    published(admin)
    waiting = admin.get(STATUS).json["queue_size"]
    swept(site)
    assert seconds - 5 <= next_sync(admin) <= seconds
    details = admin.get(STATUS, query={"fields": "debug_details"}).json["debug_details"]
    locks, [failed] = details["sync_locks"], details["sync_error_log"]
    assert (failed["queue"], isinstance(failed["time"], int), bool(failed["message"])) == ("sync", True, True)
    assert bool(locks["retry_time_sync"]) is asked
    assert bool(locks["next_sync_time_sync"]) is True
    assert admin.get(STATUS).json["queue_size"] == waiting
    count = len(remote.asked)
    swept(site)
    assert len(remote.asked) == count
    remote.answers["/sync"] = (200, everything, {})
    assert admin.post("/connector/v4/sync/now", {"queue": "sync"}).json == {"response": True}
    assert admin.get(STATUS, query={"fields": "debug_details"}).json["debug_details"]["sync_error_log"] == []


def test_what_the_service_did_not_take_waits(quiet: Service, admin: Client, remote: ServiceStandIn) -> None:
    published(admin, 2)
    waiting = admin.get(STATUS).json["queue_size"]
    remote.answers["/sync"] = (200, lambda asked: {"processed_items": everything(asked)["processed_items"][:1]}, {})
    assert admin.post("/connector/v4/sync/now", {"queue": "sync"}).json == {"response": True}
    assert admin.get(STATUS).json["queue_size"] == waiting - 1


@pytest.mark.every_database
def test_a_full_sync_is_sent_too(site: Stand, quiet: Service, admin: Client, remote: ServiceStandIn) -> None:
    remote.answers["/sync"] = (200, everything, {})
    quiet.post("/connector/v4/sync/full-sync", {"modules": ["posts", "options"]})
    admin.post(SETTINGS, {"full_sync_sender_enabled": 0})
    swept(site)
    assert not [call for call in remote.of("/sync") if call.query["queue"] == "full_sync"]
    admin.post(SETTINGS, {"full_sync_sender_enabled": 1})
    swept(site)
    sent = actions(remote)
    assert sent[0] == "connector_full_sync_start"
    assert sent[-1] == "connector_full_sync_end"
    assert admin.get(STATUS).json["finished"]


def test_a_queue_that_is_handed_out_is_not_sent(quiet: Service, admin: Client, remote: ServiceStandIn) -> None:
    published(admin)
    quiet.post(CHECKOUT, {"queue": "sync", "number_of_items": 1})
    told = admin.post("/connector/v4/sync/now", {"queue": "sync"}).json["response"]
    assert list(told["errors"]) == ["unclosed_buffer"]
    assert remote.asked == []


def test_what_the_service_says_of_the_address_is_heard(
    site: Stand, quiet: Service, admin: Client, anyone: Client, remote: ServiceStandIn
) -> None:
    published(admin)
    told = {"error_code": "connector_home_url_mismatch", "wpcom_home": "https://old.example"}
    remote.answers["/sync"] = {"idc_detected": told, "processed_items": []}
    admin.post("/connector/v4/sync/now", {"queue": "sync"})
    assert anyone.get("/connector/v4/connection").json["isStaging"] is True
    # In safe mode nothing is sent, and the service is not told of a disconnect.
    count = len(remote.asked)
    assert list(admin.post("/connector/v4/sync/now", {"queue": "sync"}).json["response"]["errors"]) == [
        "empty_queue_sync"
    ]
    assert admin.post("/connector/v4/connection", {"isActive": False}).status == 200
    assert len(remote.asked) == count
    with site.site.work(read=True) as work:
        assert sync_queue.count_waiting_changes(work) == 0
