"""The check of stored data over HTTP: run in the background, kept, mended where that is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, SetClock, Stand
from server.conftest import run_jobs
from vetrina.backends.database import Statement
from vetrina.system.integrity_rules import RULES

CHECK = "/cms/v2/site-check"


def run_check(site: Stand, client: Client, **options: Any) -> dict[str, Any]:
    started = client.post(CHECK, options)
    assert started.status == 202, started.json
    run_jobs(site)
    found: dict[str, Any] = client.get(CHECK).json
    assert not found["running"]
    return found


def damage(site: Stand, admin: Client, change: str) -> None:
    admin.post("/cms/v2/posts", {"title": "Una", "status": "publish"})
    with site.site.work() as work:
        work.tx.run(Statement(text(f"UPDATE record SET {change}")))


def test_only_administrators_look(site: Stand) -> None:
    for login, status in (("", 401), ("editor", 403)):
        client = site.client(login) if login else site.client()
        for answer in (client.get(CHECK), client.post(CHECK, {})):
            assert (answer.status, answer.code) == (status, "rest_forbidden")


def test_before_the_first_there_is_nothing_to_tell(admin: Client) -> None:
    assert admin.get(CHECK).json == {"job": 0, "running": False, "finished_gmt": None, "faults": 0, "rules": []}


@pytest.mark.every_database
def test_a_sound_site_has_no_fault(site: Stand, admin: Client) -> None:
    found = run_check(site, admin)
    assert (found["faults"], len(found["rules"])) == (0, len(RULES))
    assert found["finished_gmt"] is not None


@pytest.mark.every_database
def test_what_is_wrong_is_told_with_what_to_do(site: Stand, admin: Client) -> None:
    damage(site, admin, "author = 999999")
    found = run_check(site, admin)
    wrong = [one for one in found["rules"] if one["count"]]
    assert "authors" in {one["name"] for one in wrong}
    assert found["faults"] == sum(one["count"] for one in wrong)
    for one in wrong:
        assert one["way"]
        assert 0 < len(one["faults"]) <= one["count"]


def test_only_the_first_faults_of_a_rule_are_listed(site: Stand, admin: Client) -> None:
    for number in range(25):
        admin.post("/cms/v2/posts", {"title": str(number)})
    damage(site, admin, "author = 999999")
    [authors] = [one for one in run_check(site, admin)["rules"] if one["name"] == "authors"]
    assert (len(authors["faults"]), authors["count"] >= 25) == (20, True)


def test_what_can_be_mended_is_mended_where_that_is_asked(site: Stand, admin: Client) -> None:
    damage(site, admin, "title_key = 'zz'")
    assert run_check(site, admin)["faults"] > 0
    mended = run_check(site, admin, repair=True)
    assert mended["faults"] == 0
    [titles] = [one for one in mended["rules"] if one["name"] == "folded-titles"]
    assert (titles["count"], titles["repaired"] > 0) == (0, True)


def test_the_last_report_stays_while_a_new_one_runs_and_for_weeks(site: Stand, admin: Client, clock: SetClock) -> None:
    first = run_check(site, admin)
    clock.forward(30 * 86400)
    run_jobs(site)
    assert admin.get(CHECK).json["finished_gmt"] == first["finished_gmt"]
    assert admin.post(CHECK, {}).status == 202
    assert admin.post(CHECK, {}).code == "rest_job_running"
    waiting = admin.get(CHECK).json
    assert (waiting["running"], waiting["finished_gmt"]) == (True, first["finished_gmt"])
