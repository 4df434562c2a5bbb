"""Background jobs over HTTP: who sees them, what they tell, trying again and taking away."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from, text

from conftest import Client, SetClock, Stand
from server.conftest import enqueue, give_up, run_jobs
from vetrina.backends import job_queue
from vetrina.kernel.redaction import redact_text

JOBS = "/cms/v2/jobs"


def list_ids(client: Client, **query: Any) -> list[int]:
    answer = client.get(JOBS, query=query)
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


def test_only_administrators_see_and_touch_jobs(site: Stand) -> None:
    number = give_up(site)
    for login, status in (("", 401), ("subscriber", 403), ("editor", 403)):
        client = site.client(login) if login else site.client()
        for answer in (
            client.get(JOBS), client.get(f"{JOBS}/kinds"), client.get(f"{JOBS}/{number}"),
            client.post(f"{JOBS}/{number}/retry", {}), client.delete(f"{JOBS}/{number}?force=true"),
        ):  # fmt: skip
            assert (answer.status, answer.code) == (status, "rest_forbidden")
    assert site.client("admin").get(f"{JOBS}/{number}").json["state"] == "failed"


def test_a_job_tells_how_far_it_is(site: Stand, admin: Client) -> None:
    number = give_up(site, record=12)
    found = admin.get(f"{JOBS}/{number}").json
    assert {name: found[name] for name in ("kind", "state", "attempts", "max_attempts", "error", "arguments")} == {
        "kind": "prova", "state": "failed", "attempts": job_queue.MAX_ATTEMPTS,
        "max_attempts": job_queue.MAX_ATTEMPTS, "error": "it broke", "arguments": {"record": 12},
    }  # fmt: skip
    assert found["finished_gmt"] is not None
    assert (found["can_retry"], found["can_cancel"], found["progress"]) == (True, True, None)


@pytest.mark.every_database
def test_lists_are_filtered_paged_and_ordered(site: Stand, admin: Client) -> None:
    failed = give_up(site, "uno")
    waiting = [enqueue(site, "due", later=60 + at) for at in range(3)]
    assert list_ids(admin, state=["failed"]) == [failed]
    assert list_ids(admin, kind=["due"], orderby="due", order="asc") == waiting
    assert list_ids(admin, state=["failed", "waiting"], kind=["uno", "due"], orderby="id") == [*waiting[::-1], failed]
    second = admin.get(JOBS, query={"kind": ["due"], "orderby": "id", "order": "asc", "per_page": 2, "page": 2})
    assert [one["id"] for one in second.json] == waiting[2:]
    assert (second.headers["x-cms-total"], second.headers["x-cms-totalpages"]) == ("3", "2")
    assert set(admin.get(f"{JOBS}/kinds").json) >= {"uno", "due"}


@pytest.mark.parametrize(
    ("query", "name"), [("state[]=gone", "state"), ("orderby=error", "orderby"), ("per_page=1000", "per_page")]
)
def test_bad_arguments_are_named(admin: Client, query: str, name: str) -> None:
    answer = admin.get(f"{JOBS}?{query}")
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert name in answer.json["data"]["params"]


def test_arguments_and_errors_tell_no_secret_and_no_person(site: Stand, admin: Client) -> None:
    error = (
        "MailNotSent: smtp://ada:hunter2@mail.example refused ada@example.org; key=9f8e7d6c5b4a39281706f5e4d3 in "
        "/var/lib/vetrina/site/outbox/7.eml, asked at https://hooks.example/x?token=abc"
    )
    number = give_up(site, error=error, to="ada@example.org", token="9f8e7d", record=3, type="post", ids=[1, 2])
    found = admin.get(f"{JOBS}/{number}").json
    assert found["arguments"] == {"to": "***", "token": "***", "record": 3, "type": "post", "ids": [1, 2]}
    for secret in ("ada", "hunter2", "9f8e7d", "/var/lib", "abc", "vetrina/site"):
        assert secret not in found["error"]
    assert "7.eml" in found["error"]
    assert "hooks.example" in found["error"]


@given(sampled_from(["ada@example.org", "/srv/site/site.sqlite", "https://u:pw1@h.example/x", "k?token=pw1"]), text())
def test_redacting_again_changes_nothing_and_leaves_no_secret(secret: str, around: str) -> None:
    told = redact_text(f"{around} {secret} {around}")
    for part in ("ada@", "/srv/", "pw1"):
        assert part in around or part not in told
    assert redact_text("the table job is locked; 12 of 30 rows") == "the table job is locked; 12 of 30 rows"


def test_a_failed_job_is_tried_again_with_all_its_attempts(site: Stand, admin: Client) -> None:
    number = give_up(site)
    again = admin.post(f"{JOBS}/{number}/retry", {})
    assert (again.status, again.json["state"], again.json["attempts"]) == (200, "waiting", 0)
    run_jobs(site)
    found = admin.get(f"{JOBS}/{number}").json
    assert (found["state"], found["attempts"]) == ("waiting", 1)
    assert found["error"].startswith("UnknownJobKind")


def test_a_waiting_job_is_brought_forward(site: Stand, admin: Client, clock: SetClock) -> None:
    number = enqueue(site, later=3600)
    assert admin.post(f"{JOBS}/{number}/retry", {}).json["state"] == "waiting"
    run_jobs(site)
    assert admin.get(f"{JOBS}/{number}").json["attempts"] == 1


def test_many_are_tried_again_in_one_batch(site: Stand, admin: Client) -> None:
    first, second = give_up(site, "uno"), give_up(site, "due")
    parts = [{"method": "POST", "path": f"{JOBS}/{one}/retry"} for one in (first, second, 999999)]
    found = admin.post("/batch/v1", {"requests": parts}).json["responses"]
    assert [one["status"] for one in found] == [200, 200, 404]
    assert list_ids(admin, state=["failed"]) == []


def test_what_runs_or_is_done_is_not_tried_again(site: Stand, admin: Client) -> None:
    number = enqueue(site)
    with site.site.work() as work:
        taken = job_queue.take_job(work.tx, work.now)
        assert taken is not None
    answer = admin.post(f"{JOBS}/{number}/retry", {})
    assert (answer.status, answer.code) == (409, "rest_job_cannot_retry")
    assert "running" in answer.json["message"]


def test_only_what_nothing_counts_on_is_taken_away(site: Stand, admin: Client) -> None:
    failed = give_up(site)
    waiting = enqueue(site, later=60)
    refused = admin.delete(f"{JOBS}/{waiting}?force=true")
    assert (refused.status, refused.code) == (409, "rest_job_cannot_cancel")
    assert admin.delete(f"{JOBS}/{failed}").code == "rest_trash_not_supported"
    gone = admin.delete(f"{JOBS}/{failed}?force=true")
    assert (gone.status, gone.json["previous"]["id"]) == (200, failed)
    assert admin.get(f"{JOBS}/{failed}").code == "rest_job_invalid_id"


def test_numbers_that_no_job_has_are_not_found(admin: Client) -> None:
    for number in ("0", "99999999", str(2**63)):
        assert admin.get(f"{JOBS}/{number}").code == "rest_job_invalid_id"
        assert admin.post(f"{JOBS}/{number}/retry", {}).code == "rest_job_invalid_id"
