"""The remote editor over HTTP: jobs sent, synchronized, fetched and applied; and every way in which it fails."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from multilingual.conftest import Made
from multilingual.service import Service
from vetrina.multilingual.jobs import file_exchange, model as job_model, rules as jobs
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.states import TranslationJobEvent, TranslationJobState
from vetrina.system import job_runner

TM = "/mlang/tm/v1"


def file_of(stand: Stand, job: TranslationJob) -> dict[str, Any]:
    """Return a job as the editor's pages send it."""
    with stand.site.work(read=True) as work:
        text = file_exchange.render_job_file(work, job, for_editor=True)
    content = base64.b64encode(text.encode()).decode()
    return {
        "id": job.number,
        "file": {"type": "data:application/x-xliff;base64", "name": f"{job.number}.xliff", "content": content},
        "source_language": {"code": job.source_language},
        "target_language": {"code": job.target_language},
    }


def sent(stand: Stand, boss: Client, *made: TranslationJob) -> list[int]:
    """Send jobs to the editor and store its ids, as its pages do."""
    told = boss.post(f"{TM}/ate/jobs", {"jobs": [file_of(stand, job) for job in made]})
    assert told.status == 200, told.json
    numbers = [told.json["jobs"][str(job.number)] for job in made]
    for job, number in zip(made, numbers, strict=True):
        body = {"mlang_job_id": str(job.number), "ate_job_data": {"ate_job_id": number}}
        assert boss.post(f"{TM}/ate/jobs/store", body).json is True
    return numbers


def now(stand: Stand, job: TranslationJob) -> TranslationJob:
    with stand.site.work(read=True) as work:
        return jobs.get_job(work, job.number)


@pytest.mark.every_database
def test_a_job_goes_to_the_editor_and_comes_back_as_a_translation(
    serviced: Stand, boss: Client, made: Made, service: Service
) -> None:
    job = made("Hello")
    (number,) = sent(serviced, boss, job)
    first = boss.post(f"{TM}/ate/jobs/sync", {}).json
    assert first["jobs"] == [
        {"ateJobId": number, "url": "", "ateStatus": 1, "jobId": job.number, "status": 2, "isUnsolvable": False,
         "message": "", "errorType": None}
    ]  # fmt: skip
    assert (first["ateToken"], first["nextPage"], first["numberOfPages"]) == (None, None, None)
    assert first["eta"] == {"seconds": 5, "available": True}
    assert now(serviced, job).state is TranslationJobState.IN_PROGRESS

    service.translate(number, "Ciao ")
    second = boss.post(f"{TM}/ate/jobs/sync", {"lockKey": first["lockKey"]}).json
    assert second["lockKey"] == first["lockKey"]
    assert second["downloadQueueSize"] == 1
    assert (second["jobs"][0]["status"], second["jobs"][0]["ateStatus"]) == (10, 8)

    done = boss.post(f"{TM}/ate/jobs/download", {"lockKey": first["lockKey"], "jobs": second["jobs"]})
    assert done.json == [
        {"ateJobId": number, "url": second["jobs"][0]["url"], "ateStatus": 8, "jobId": job.number, "status": 10,
         "needsReview": False, "automatic": False, "language_code": "it", "original_element_id": job.element}
    ]  # fmt: skip
    assert service.jobs[number].confirmed == 1
    applied = now(serviced, job)
    assert applied.state is TranslationJobState.COMPLETE
    stored = serviced.stored(applied.translation)
    assert stored is not None
    assert (stored.title, stored.language) == ("Ciao Hello", "it")
    assert boss.post(f"{TM}/ate/jobs/sync", {}).json["jobs"] == []


def test_many_jobs_are_told_page_by_page(serviced: Stand, boss: Client, made: Made, service: Service) -> None:
    service.page_size = 2
    all_of_them = [made(f"Post {number}") for number in range(3)]
    sent(serviced, boss, *all_of_them)
    first = boss.post(f"{TM}/ate/jobs/sync", {}).json
    assert (first["ateToken"], first["numberOfPages"], first["nextPage"], first["jobs"]) == ("token", 2, 1, [])
    words = {name: first[name] for name in ("lockKey", "ateToken", "numberOfPages")}
    second = boss.post(f"{TM}/ate/jobs/sync", {**words, "page": 1}).json
    assert (len(second["jobs"]), second["nextPage"]) == (2, 2)
    third = boss.post(f"{TM}/ate/jobs/sync", {**words, "nextPage": 2}).json
    assert (len(third["jobs"]), third["nextPage"], third["ateToken"], third["numberOfPages"]) == (1, None, None, None)


def test_one_caller_at_a_time_has_the_exchange(
    serviced: Stand, boss: Client, made: Made, service: Service, clock: SetClock
) -> None:
    (number,) = sent(serviced, boss, job := made())
    service.translate(number)
    mine = boss.post(f"{TM}/ate/jobs/sync", {}).json
    other = boss.post(f"{TM}/ate/jobs/sync", {}).json
    assert other == {"lockKey": None, "ateToken": None, "nextPage": None, "numberOfPages": None,
                     "downloadQueueSize": 0, "jobs": [], "eta": None}  # fmt: skip
    assert boss.post(f"{TM}/ate/jobs/download", {"jobs": mine["jobs"]}).json == []
    locked = serviced.client().get(f"{TM}/ate/jobs/receive/{job.number}")
    assert (locked.status, locked.code, locked.json["data"]["number"]) == (423, "mlang_exchange_locked", 423)
    clock.forward(31)
    assert boss.post(f"{TM}/ate/jobs/sync", {}).json["lockKey"] is not None


def test_a_file_is_fetched_only_from_where_the_editor_said(
    serviced: Stand, boss: Client, made: Made, service: Service
) -> None:
    (number,) = sent(serviced, boss, job := made())
    service.translate(number)
    found = boss.post(f"{TM}/ate/jobs/sync", {}).json
    asked = [{**found["jobs"][0], "url": "http://127.0.0.1:9/elsewhere"}]
    assert len(boss.post(f"{TM}/ate/jobs/download", {"lockKey": found["lockKey"], "jobs": asked}).json) == 1
    body = {"mlang_job_id": str(job.number), "ate_job_data": {"delivered_url": "http://127.0.0.1:9/elsewhere"}}
    boss.post(f"{TM}/ate/jobs/store", body)
    assert now(serviced, job).service_data["delivered_url"].startswith(service.base)


@pytest.mark.parametrize("how", ["slow", "hang up", "nonsense", "broken", "refuse"])
def test_a_failing_editor_is_told_and_loses_nothing(
    serviced: Stand, boss: Client, made: Made, service: Service, how: str
) -> None:
    (number,) = sent(serviced, boss, job := made())
    service.fail["/ate/"] = how
    answer = boss.post(f"{TM}/ate/jobs/sync", {})
    assert (answer.status, answer.code) == (424, "mlang_service_failed")
    assert answer.json["data"]["number"] == (422 if how == "refuse" else 500)
    assert boss.get(f"{TM}/ate/jobs/{number}").status == 424
    assert boss.get(f"{TM}/ate/jobs/{number}/fix").json == {"completed": False, "error": True}
    assert serviced.client().get(f"{TM}/ate/jobs/receive/{job.number}").code == "mlang_job_not_received"
    service.fail.clear()
    service.translate(number)
    found = boss.post(f"{TM}/ate/jobs/sync", {}).json
    service.fail["xliff"] = how
    assert boss.post(f"{TM}/ate/jobs/download", {"lockKey": found["lockKey"], "jobs": found["jobs"]}).json == []
    assert now(serviced, job).state is TranslationJobState.READY
    service.fail.clear()
    assert boss.get(f"{TM}/ate/jobs/{number}/fix").json == {"completed": True, "error": False}
    assert now(serviced, job).state is TranslationJobState.COMPLETE


def test_a_file_of_another_job_is_not_applied(serviced: Stand, boss: Client, made: Made, service: Service) -> None:
    one, other = sent(serviced, boss, first := made("One"), made("Other"))
    service.translate(one)
    service.translate(other)
    service.jobs[one].delivered = service.jobs[other].delivered
    found = boss.post(f"{TM}/ate/jobs/sync", {}).json
    done = boss.post(f"{TM}/ate/jobs/download", {"lockKey": found["lockKey"], "jobs": found["jobs"]}).json
    assert [item["ateJobId"] for item in done] == [other]
    assert now(serviced, first).state is TranslationJobState.READY


def test_the_editor_may_say_that_a_job_is_ready(
    serviced: Stand, boss: Client, made: Made, service: Service, clock: SetClock
) -> None:
    (number,) = sent(serviced, boss, job := made())
    anyone = serviced.client()
    early = anyone.get(f"{TM}/ate/jobs/receive/{job.number}")
    assert (early.status, early.code, early.json["data"]["number"]) == (422, "mlang_job_not_received", 422)
    assert boss.get(f"{TM}/ate/jobs/{number}/fix").json == {"completed": False, "error": False}
    service.translate(number)
    asked = len(service.asked)
    assert anyone.get(f"{TM}/ate/jobs/receive/{job.number}").status == 422, "who asks at once again is not heard"
    assert len(service.asked) == asked
    clock.forward(5)
    received = anyone.get(f"{TM}/ate/jobs/receive/{job.number}")
    assert (received.status, received.content) == (200, b"null")
    assert now(serviced, job).state is TranslationJobState.COMPLETE
    translation = now(serviced, job).translation
    changed = boss.post(f"/cms/v2/posts/{translation}", {"title": "Changed by hand"}, query={"mlang_language": "it"})
    assert changed.status == 200
    clock.forward(5)
    assert anyone.get(f"{TM}/ate/jobs/receive/{job.number}").status == 200
    stored = serviced.stored(translation)
    assert stored is not None
    assert stored.title == "Changed by hand", "the same file again must not undo what was written since"
    assert anyone.get(f"{TM}/ate/jobs/receive/999999").status == 422
    assert boss.get(f"{TM}/ate/jobs/{number}/fix", query={"jobId": 999999}).json["error"] is True


def test_jobs_that_could_not_be_sent_are_sent_again(
    serviced: Stand, boss: Client, made: Made, service: Service, clock: SetClock
) -> None:
    waiting = [made(f"Post {number}", automatic=True) for number in range(12)]
    with serviced.site.work() as work:
        for job in waiting:
            jobs.apply_job_event(work, job, TranslationJobEvent.NOT_REACHED)
    service.fail["/ate/jobs"] = "broken"
    tried = boss.post(f"{TM}/ate/jobs/retry", {}).json
    assert (len(tried["processed"]), len(tried["jobsToProcess"])) == (10, 2)
    assert now(serviced, waiting[0]).retries == 1
    assert boss.post(f"{TM}/ate/jobs/retry", {}).json == {"jobsToProcess": [], "processed": []}
    service.fail.clear()
    rest = boss.post(f"{TM}/ate/jobs/retry", {"jobsToProcess": tried["jobsToProcess"]}).json
    assert rest == {"jobsToProcess": [], "processed": tried["jobsToProcess"]}
    last = now(serviced, waiting[-1])
    assert (last.state, last.editor_job in service.jobs) == (TranslationJobState.WAITING, True)
    clock.forward(601)
    assert len(boss.post(f"{TM}/ate/jobs/retry", {"jobsToProcess": []}).json["processed"]) == 10
    with serviced.site.work(read=True) as work:
        assert all(job_model.find_job_by_editor_number(work, number) for number in service.jobs)


def test_a_call_is_done_with_the_first_ten_jobs_that_it_names(site: Stand, admin: Client) -> None:
    path = f"{TM}/ate/jobs/retry"
    assert admin.post(path, {"jobsToProcess": [58, "59", 58]}).json == {"jobsToProcess": [], "processed": [58, 59]}
    many = list(range(101, 114))
    assert admin.post(path, {"jobsToProcess": many}).json == {"jobsToProcess": many[10:], "processed": many[:10]}


def test_what_stores_a_job_is_checked(serviced: Stand, boss: Client, made: Made) -> None:
    job = made()
    path = f"{TM}/ate/jobs/store"
    missing = boss.post(path, {"mlang_job_id": "58"})
    assert (missing.code, missing.json["data"]["params"]) == ("rest_missing_callback_param", ["ate_job_data"])
    wrong = boss.post(path, {"mlang_job_id": "x", "ate_job_data": []})
    assert (wrong.code, list(wrong.json["data"]["params"])) == ("rest_invalid_param", ["mlang_job_id"])
    assert boss.post(path, {"mlang_job_id": str(job.number), "ate_job_data": ["a", "b"]}).json is True
    unknown = boss.post(path, {"mlang_job_id": "999999", "ate_job_data": {}})
    assert (unknown.status, unknown.code) == (404, "mlang_job_not_found")
    assert boss.post(path, {"mlang_job_id": "58", "ate_job_data": "x"}).code == "rest_invalid_param"


def test_a_bare_site_answers_without_a_service(site: Stand, admin: Client) -> None:
    told = admin.post(f"{TM}/ams/register_manager")
    assert told.status == 200
    assert told.json["enabled"] is False
    assert told.json["error"]
    assert admin.get(f"{TM}/ams/status").content == b"null"
    assert admin.get(f"{TM}/ams/console").json == "#"
    assert admin.get(f"{TM}/ams/engines").content == b"null"
    assert admin.post(f"{TM}/ams/engines", [{"name": "engine_b", "enabled": True}]).json is False
    assert admin.get(f"{TM}/ams/synchronize/translators").json == {"result": None}
    assert admin.get(f"{TM}/ams/synchronize/managers").code == "mlang_service_failed"
    for method, path in (("POST", "ate/jobs/store"), ("POST", "ate/jobs"), ("GET", "ate/jobs/1")):
        body = {"mlang_job_id": "1", "ate_job_data": {}} if method == "POST" else None
        refused = admin.ask(method, f"{TM}/{path}", json=body)
        assert (refused.status, refused.code) == (403, "rest_forbidden"), path
    assert site.client().get(f"{TM}/ate/jobs/receive/1").status == 422
    assert admin.post(f"{TM}/ate/jobs/sync", {}).json["jobs"] == []
    assert admin.post(f"{TM}/ate/jobs/download", {"jobs": []}).json == []
    assert admin.post(f"{TM}/ate/jobs/retry", {}).json == {"jobsToProcess": [], "processed": []}
    assert admin.get(f"{TM}/ate/jobs/1/fix").json == {"completed": False, "error": True}


def test_only_those_who_manage_or_translate_get_in(site: Stand) -> None:
    for login, status in (("", 401), ("author", 403), ("editor", 403)):
        client = site.client(login)
        for method, path in (
            ("POST", f"{TM}/ate/jobs/sync"), ("POST", f"{TM}/ams/register_manager"), ("GET", f"{TM}/ams/console"),
            ("POST", "/mlang/st/v1/pre_generate_mo_files"), ("GET", "/mlang/ate/v1/ate/proxy"),
            ("GET", f"{TM}/tp/batches/status"),
        ):  # fmt: skip
            answer = client.ask(method, path)
            assert (answer.status, answer.code) == (status, "rest_forbidden"), (login, path)


def test_a_job_that_is_sent_to_the_editor_goes_there_by_itself(
    serviced: Stand, boss: Client, service: Service, clock: SetClock
) -> None:
    post = boss.post("/cms/v2/posts", {"title": "Hello", "content": "<p>The text</p>", "status": "publish"}).json
    words = {"items": [{"type": "post_post", "id": post["id"]}], "target_languages": ["it"], "sent_to": "ate"}
    service.fail["/ate/"] = "broken"
    shown = boss.post(f"{TM}/jobs", words).json["jobs"][0]
    consumer = job_runner.build_consumer(serviced.site.context, serviced.site.database)
    consumer.run_due_jobs()
    number = shown["extra_data"]["icl_translate_job_id"]
    with serviced.site.work(read=True) as work:
        assert jobs.get_job(work, number).state is TranslationJobState.RETRY
    service.fail.clear()
    assert boss.post(f"{TM}/ate/jobs/retry", {}).json["processed"] == [number]
    (remote,) = service.jobs
    service.translate(remote, "Ciao ")
    found = boss.post(f"{TM}/ate/jobs/sync", {}).json
    done = boss.post(f"{TM}/ate/jobs/download", {"lockKey": found["lockKey"], "jobs": found["jobs"]}).json
    assert (done[0]["status"], done[0]["automatic"], done[0]["needsReview"]) == (10, True, True)
    again = boss.post(f"{TM}/jobs", words).json["jobs"][0]
    consumer.run_due_jobs()
    assert len(service.jobs) == 2
    assert boss.post(f"{TM}/jobs/cancel", [{"id": again["id"], "type": "post"}]).json == [
        {"id": again["id"], "type": "post"}
    ]
    consumer.run_due_jobs()
    assert [job.hidden for job in service.jobs.values()] == [False, True]
