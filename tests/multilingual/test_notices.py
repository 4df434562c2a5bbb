"""Mails about jobs to those who get, lose or manage one, written to the site's folder."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest

from conftest import Stand
from vetrina.system import job_runner

from .conftest import Desk, filled, number


def mails(desk: Desk) -> list[EmailMessage]:
    """Send what waits, and return all mails written so far."""
    site = desk.it.site
    job_runner.build_consumer(site.context, site.database).run_due_jobs()
    files = sorted((site.folder / "outbox").glob("translation-*.eml"), key=lambda file: file.stat().st_mtime_ns)
    read = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    return [one for one in read if isinstance(one, EmailMessage)]


def told(desk: Desk) -> list[tuple[str, str]]:
    """Return recipients and subjects of mails."""
    return sorted((str(one["To"]), str(one["Subject"]).partition(": ")[2]) for one in mails(desk))


def user(site: Stand, desk: Desk, login: str) -> dict[str, Any]:
    [found] = desk.it.get("/cms/v2/users", query={"search": login, "context": "edit"}).json
    shown: dict[str, Any] = found
    return shown


@pytest.fixture
def page(desk: Desk) -> int:
    number: int = desk.it.post("/cms/v2/pages", {"title": "Chi siamo", "status": "publish"}).json["id"]
    return number


def test_a_translator_and_the_manager_are_told_of_an_assignment(site: Stand, desk: Desk, page: int) -> None:
    editor, admin = user(site, desk, "editor"), user(site, desk, "admin")
    job = desk.send("post_page", page, deadline="2031-05-04", note="Tono formale")
    assert told(desk) == []
    body = {"jobId": number(job), "translatorId": editor["id"]}
    assert desk.it.post("/mlang/tm/v1/jobs/assign", body).json == {"assigned": True}
    assert told(desk) == sorted([
        (editor["email"], "1 job for you to translate"), (admin["email"], f"1 job given to {editor['name']}"),
    ])  # fmt: skip
    [mail] = [one for one in mails(desk) if one["To"] == editor["email"]]
    text = mail.get_content()
    for words in (f"Job {number(job)}, Chi siamo", "Italian to English", "2031-05-04", "Tono formale"):
        assert words in text
    # The assigned translator gets one mail only.
    desk.it.post("/mlang/tm/v1/jobs/assign", body)
    assert len(mails(desk)) == 2


def test_who_loses_a_job_is_told(site: Stand, desk: Desk, page: int) -> None:
    editor, author = user(site, desk, "editor"), user(site, desk, "author")
    job = desk.send("post_page", page, sent_to="editor")
    desk.it.post("/mlang/tm/v1/jobs/assign", {"jobId": number(job), "translatorId": author["id"]})
    assert (editor["email"], "1 job taken back") in told(desk)
    desk.it.post("/mlang/tm/v1/jobs/cancel", [{"id": job["id"], "type": "post"}])
    assert (author["email"], "1 job taken back") in told(desk)


def test_jobs_of_one_request_are_told_in_one_mail(site: Stand, desk: Desk, page: int) -> None:
    editor = user(site, desk, "editor")
    other = desk.it.post("/cms/v2/pages", {"title": "Orari"}).json["id"]
    desk.it.post("/mlang/tm/v1/jobs", {
        "items": [{"type": "post_page", "id": page}, {"type": "post_page", "id": other}], "target_languages": ["en"],
        "sent_to": "editor",
    })  # fmt: skip
    assert [subject for to, subject in told(desk) if to == editor["email"]] == ["2 jobs for you to translate"]
    # Translators of these languages are notified of a free job.
    desk.send("post_page", desk.it.post("/cms/v2/pages", {"title": "Terza"}).json["id"])
    assert (editor["email"], "1 job to translate") in told(desk)


def test_a_job_is_taken_given_back_and_completed(site: Stand, desk: Desk, page: int) -> None:
    editor, admin = user(site, desk, "editor"), user(site, desk, "admin")
    job = desk.send("post_page", page, sent_to="editor")
    caller = site.client("editor", "/it/cms-json")
    taken = caller.post("/mlang/tm/v1/jobs/take", {"jobId": number(job)})
    assert (taken.status, taken.json["status"], taken.json["translator_id"]) == (200, 2, editor["id"])
    given_back = caller.post("/mlang/tm/v1/jobs/resign", {"jobId": number(job)})
    assert (given_back.json["status"], given_back.json["translator_id"]) == (1, "")
    assert (admin["email"], f"1 job given back by {editor['name']}") in told(desk)
    refused = caller.post("/mlang/tm/v1/jobs/resign", {"jobId": number(job)})
    assert (refused.status, refused.code, refused.json["data"]["state"]) == (409, "mlang_job_state", 1)
    assert caller.post("/mlang/tm/v1/jobs/take", {"jobId": 99999}).code == "mlang_job_not_found"
    caller.post("/mlang/tm/v1/jobs/take", {"jobId": number(job)})
    desk.deliver(job, filled(desk.file(job), str.upper), caller)
    assert (admin["email"], f"1 job completed by {editor['name']}") in told(desk)


def test_nobody_takes_the_job_of_another(site: Stand, desk: Desk, page: int) -> None:
    job = desk.send("post_page", page, sent_to="editor")
    desk.send("post_page", desk.it.post("/cms/v2/pages", {"title": "Altra"}).json["id"], sent_to="author")
    refused = site.client("author", "/it/cms-json").post("/mlang/tm/v1/jobs/take", {"jobId": number(job)})
    assert (refused.status, refused.code) == (403, "not_your_job")


def test_mails_can_be_turned_off(site: Stand, desk: Desk, page: int) -> None:
    desk.it.post("/mlang/tm/v1/settings", {"mails": False})
    desk.send("post_page", page, sent_to="editor")
    assert mails(desk) == []
