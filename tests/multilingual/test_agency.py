"""Jobs at an agency over HTTP: sent in the background, read, fetched, applied, cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from multilingual.conftest import Made
from multilingual.service import Service
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.states import TranslationJobEvent, TranslationJobState
from vetrina.system import job_runner

TP = "/mlang/tm/v1/tp"


def carried_out(stand: Stand) -> None:
    """Run the background jobs that wait."""
    job_runner.build_consumer(stand.site.context, stand.site.database).run_due_jobs()


@pytest.fixture
def away(serviced: Stand, boss: Client) -> TranslationJob:
    """A job that was sent to the agency."""
    post = boss.post("/cms/v2/posts", {"title": "Opening hours", "content": "<p>Every day</p>", "status": "publish"})
    items = [{"type": "post_post", "id": post.json["id"]}]
    made = boss.post("/mlang/tm/v1/jobs", {"items": items, "target_languages": ["it"], "sent_to": "agency"})
    assert made.status == 201, made.json
    carried_out(serviced)
    return now(serviced, made.json["jobs"][0]["extra_data"]["icl_translate_job_id"])


def now(stand: Stand, number: int) -> TranslationJob:
    with stand.site.work(read=True) as work:
        return jobs.get_job(work, number)


def test_a_job_goes_to_the_agency_and_comes_back(
    serviced: Stand, boss: Client, away: TranslationJob, service: Service
) -> None:
    assert (away.state, away.service) == (TranslationJobState.IN_PROGRESS, "1")
    rid, number = away.rid, away.service_number
    early = boss.get(f"{TP}/xliff/download/{rid}/post")
    assert (early.status, early.code, early.json["data"]["number"]) == (409, "mlang_job_not_ready", 400)
    assert boss.post(f"{TP}/apply-translations", [{"id": rid, "type": "post"}]).json == []
    service.translate(number, "Ecco ")
    assert boss.post(f"{TP}/apply-translations", [{"id": rid, "type": "post"}, {"id": 9999, "type": "post"}]).json == [
        {"id": rid, "type": "post", "status": 10}
    ]
    done = now(serviced, away.number)
    stored = serviced.stored(done.translation)
    assert stored is not None
    assert (stored.title, stored.language) == ("Ecco Opening hours", "it")

    listed = boss.get("/mlang/tm/v1/jobs", query={"scope": "remote"}).json
    assert [job["id"] for job in listed["jobs"]] == [rid]
    assert isinstance(listed["last_picked_up_date"], int)

    as_json = boss.get(f"{TP}/xliff/download/{rid}/post", query={"json": True}).json
    assert (as_json["source_language"], as_json["target_language"]) == ("en", "it")
    assert as_json["translations"][0] == {
        "field": "title", "source": "Opening hours", "target": "Ecco Opening hours"
    }  # fmt: skip
    file = boss.get(f"{TP}/xliff/download/{rid}/post")
    assert file.headers["content-type"].startswith("application/x-xliff+xml")
    assert file.headers["content-disposition"] == f'attachment; filename="job-{rid}.xliff"'
    assert b"<xliff" in file.content
    assert boss.get(f"{TP}/xliff/download/{rid}/string").code == "mlang_job_not_found"


def test_everything_delivered_is_applied_at_once(
    serviced: Stand, boss: Client, away: TranslationJob, service: Service
) -> None:
    assert boss.post(f"{TP}/apply-translations").json == []
    service.translate(away.service_number)
    with serviced.site.work() as work:
        jobs.apply_job_event(work, jobs.get_job(work, away.number), TranslationJobEvent.DELIVERED)
    assert boss.post(f"{TP}/apply-translations").json == [{"id": away.rid, "type": "post", "status": 10}]
    named = {"original_element_id": str(away.element), "element_type": "post_post"}
    assert boss.post(f"{TP}/apply-translations", named).json == []


def test_what_the_agency_gives_up_is_reported(
    serviced: Stand, boss: Client, away: TranslationJob, service: Service
) -> None:
    service.agency_jobs[away.service_number].state = "cancelled"
    named: dict[str, Any] = {"original_element_id": away.element, "element_type": "post_post"}
    assert boss.post(f"{TP}/apply-translations", named).json == [{"id": away.rid, "type": "post", "status": 0}]
    assert now(serviced, away.number).state is TranslationJobState.NOT_TRANSLATED


def test_a_failing_agency_is_told_and_loses_nothing(
    serviced: Stand, boss: Client, away: TranslationJob, service: Service
) -> None:
    service.translate(away.service_number)
    for how in ("slow", "nonsense", "broken", "refuse", "hang up"):
        service.fail["/tp/"] = how
        answer = boss.post(f"{TP}/apply-translations", [{"id": away.rid, "type": "post"}])
        assert (answer.status, answer.code) == (424, "mlang_service_failed"), how
    service.fail.clear()
    service.agency_jobs[away.service_number].delivered = "<xliff"
    assert boss.post(f"{TP}/apply-translations", [{"id": away.rid, "type": "post"}]).json == []
    assert now(serviced, away.number).state is TranslationJobState.READY


def test_a_job_that_an_agency_could_not_be_given_is_put_back(serviced: Stand, boss: Client, service: Service) -> None:
    post = boss.post("/cms/v2/posts", {"title": "Hello", "content": "<p>The text</p>", "status": "publish"}).json
    words = {"items": [{"type": "post_post", "id": post["id"]}], "target_languages": ["it"], "sent_to": "agency"}
    consumer = job_runner.build_consumer(serviced.site.context, serviced.site.database)

    def listed() -> list[tuple[int, bool]]:
        return [(one["status"], one["needs_update"]) for one in boss.get("/mlang/tm/v1/jobs").json["jobs"]]

    service.fail["/tp/"] = "broken"
    assert boss.post("/mlang/tm/v1/jobs", words).status == 201
    consumer.run_due_jobs()
    assert listed() == []
    service.fail.clear()
    boss.post("/mlang/tm/v1/jobs", words)
    consumer.run_due_jobs()
    (number,) = service.agency_jobs
    service.translate(number)
    element = {"original_element_id": str(post["id"]), "element_type": "post_post"}
    assert boss.post(f"{TP}/apply-translations", element).json[0]["status"] == 10
    boss.post(f"/cms/v2/posts/{post['id']}", {"title": "Hello again"})
    service.fail["/tp/"] = "broken"
    boss.post("/mlang/tm/v1/jobs", words)
    assert listed() == [(1, False)]
    consumer.run_due_jobs()
    assert listed() == [(10, True)]
    assert not [path for _, path in service.asked if path.endswith("/cancel")], "what was finished is not called off"


def test_batches_are_brought_up_to_date(boss: Client, service: Service) -> None:
    assert boss.get(f"{TP}/batches/status").json == []
    assert boss.post(f"{TP}/batches/sync", {"batchId": ["812"]}).json == [812]
    assert boss.get(f"{TP}/batches/status").json == [812]
    assert boss.post(f"{TP}/batches/sync", {}).code == "rest_missing_callback_param"
    assert boss.post(f"{TP}/batches/sync", {"batchId": "812"}).code == "rest_invalid_param"
    service.fail["batches"] = "refuse"
    refused = boss.post(f"{TP}/batches/sync", {"batchId": [1]})
    assert (refused.status, refused.code) == (424, "mlang_batches_not_synchronised")


def test_a_bare_site_has_no_agency(site: Stand, admin: Client) -> None:
    refused = admin.post(f"{TP}/batches/sync", {"batchId": [812]})
    assert (refused.status, refused.code) == (424, "mlang_batches_not_synchronised")
    assert refused.json["data"]["number"] == 500
    assert refused.json["message"].startswith("Batch synchronization could not be initialized")
    assert admin.post(f"{TP}/apply-translations").json == []
    unknown = admin.get(f"{TP}/xliff/download/999/post", query={"json": 1})
    assert (unknown.status, unknown.code, unknown.json["data"]["number"]) == (404, "mlang_job_not_found", 400)


def test_a_local_job_has_no_file_at_an_agency(serviced: Stand, boss: Client, made: Made) -> None:
    job = made(editor="mlang")
    refused = boss.get(f"{TP}/xliff/download/{job.rid}/post", query={"json": 1})
    assert (refused.status, refused.code, refused.json["message"]) == (
        400, "mlang_job_is_local", "This is only a local job.",
    )  # fmt: skip
