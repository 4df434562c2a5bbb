"""Translators whose role is limited to a language or a type: their jobs are those within it, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.access.users import rules as users

from .conftest import Desk, filled, number

JOBS = "/mlang/tm/v1/jobs"


def limit(site: Stand, desk: Desk, **limits: list[str]) -> Client:
    """Give the author a role that translates within limits, and return a client of theirs."""
    role = {"name": "limited", "label": "Limited", "capabilities": ["read", "translate"], **limits}
    made = desk.it.post("/access/v1/roles", role)
    assert made.status == 201, made.json
    with site.site.work() as work:
        author = users.find_user_by_login(work.tx, "author")
        assert author is not None
        users.update_user(work, author, roles=("limited",))
    return site.client("author", "/it/cms-json")


@pytest.fixture
def job(desk: Desk) -> dict[str, Any]:
    page = desk.it.post("/cms/v2/pages", {"title": "Mercato", "status": "publish"}).json["id"]
    return desk.send("post_page", page)


@pytest.mark.every_database
@pytest.mark.parametrize(
    ("limits", "fits"),
    [
        ({"languages": ["en"]}, True),
        ({"languages": ["it"]}, False),
        ({"types": ["page"]}, True),
        ({"types": ["post"]}, False),
        ({"types": ["page"], "languages": ["en"]}, True),
        ({"types": ["page"], "languages": ["it"]}, False),
    ],
)
def test_a_job_is_theirs_within_the_limits_alone(
    site: Stand, desk: Desk, job: dict[str, Any], limits: dict[str, list[str]], fits: bool
) -> None:
    caller = limit(site, desk, **limits)
    listed = caller.get(JOBS)
    assert listed.status == 200
    assert listed.json["total"] == (1 if fits else 0)
    assert len(listed.json["jobs"]) == (1 if fits else 0)
    statuses = (
        caller.get(f"/mlang/tm/v1/xliff/fetch/{number(job)}").status,
        caller.post(f"{JOBS}/take", {"jobId": number(job)}).status,
        desk.deliver(job, filled(desk.file(job), str.upper), caller).status,
    )
    assert statuses == ((200, 200, 200) if fits else (403, 403, 403))


def test_nobody_gets_out_of_the_limits_by_a_job(site: Stand, desk: Desk, job: dict[str, Any]) -> None:
    caller = limit(site, desk, languages=["en"])
    me = caller.get("/cms/v2/users/me", query={"context": "edit"}).json["id"]
    for answer in (
        caller.post(f"{JOBS}/assign", {"jobId": number(job), "translatorId": me}),
        caller.post(f"{JOBS}/cancel", [{"id": job["id"], "type": "post"}]),
    ):
        assert (answer.status, answer.code) == (403, "rest_forbidden")
    assert desk.it.post(f"{JOBS}/assign", {"jobId": number(job), "translatorId": me}).json == {"assigned": True}
    rights = caller.get("/cms/v2/users/me", query={"context": "edit"}).json["capabilities"]
    assert "translate" not in rights
    page = desk.it.post("/cms/v2/pages", {"title": "Altra"}).json["id"]
    desk.send("post_page", page, sent_to="author")
    rights = caller.get("/cms/v2/users/me", query={"context": "edit"}).json["capabilities"]
    assert "translate" not in rights
