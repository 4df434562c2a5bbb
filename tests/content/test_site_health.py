"""Checks of a site's health: permissions, and that each finds its problem."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, Stand
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.system.health.checks import CHECKS

TESTS, SIZES = "/cms-site-health/v1/tests", "/cms-site-health/v1/directory-sizes"


def status(client: Client, name: str, **words: Any) -> str:
    answer = client.get(f"{TESTS}/{name}", **words)
    assert answer.status == 200, answer.json
    found: str = answer.json["status"]
    return found


@pytest.mark.parametrize("path", [*(f"{TESTS}/{name}" for name in CHECKS), SIZES])
def test_only_administrators_see_them(site: Stand, path: str) -> None:
    for login, refused in (("", 401), ("editor", 403)):
        answer = (site.client(login) if login else site.client()).get(path)
        assert (answer.status, answer.code) == (refused, "rest_forbidden")
    assert site.client("admin").get(path).status == 200
    assert site.client("admin").post(path, {}).code == "rest_no_route"


@pytest.mark.parametrize("name", list(CHECKS))
def test_a_check_says_what_it_found_and_what_to_do(admin: Client, name: str) -> None:
    found = admin.get(f"{TESTS}/{name}").json
    assert found["test"] == name.replace("-", "_")
    assert found["status"] in ("good", "recommended", "critical")
    assert found["description"].startswith("<p>")
    assert bool(found["actions"]) is (found["status"] != "good")
    assert set(found["badge"]) == {"label", "color"}


@pytest.mark.parametrize("name", list(CHECKS))
def test_a_finding_is_in_the_language_of_whoever_asks_for_theirs(site: Stand, admin: Client, name: str) -> None:
    path = f"{TESTS}/{name}"
    english = admin.get(path).json
    assert admin.put("/cms/v2/users/me", {"locale": "it_IT"}).status == 200
    italian = admin.get(f"{path}?_locale=user").json
    texts = [name for name in ("label", "description", "actions") if english[name]]
    assert [name for name in texts if english[name] == italian[name]] == []
    assert {**italian, **english} == english
    assert (italian["status"], italian["test"]) == (english["status"], english["test"])
    # What a check counts differs from one look to the next.
    assert [admin.get(path).json[name] for name in ("label", "actions")] == [english["label"], english["actions"]]


def test_jobs_that_nobody_does_are_critical(site: Stand, admin: Client) -> None:
    assert status(admin, "background-updates") == "good"
    with site.site.work() as work:
        job_queue.enqueue_job(work.tx, "prova", {}, due=work.now - 3600, now=work.now - 3600, key="una")
    assert status(admin, "background-updates") == "critical"


def test_jobs_that_were_given_up_are_told(site: Stand, admin: Client) -> None:
    with site.site.work() as work:
        job_queue.enqueue_job(work.tx, "prova", {}, due=work.now - 5, now=work.now - 5, key="una")
        for _ in range(job_queue.MAX_ATTEMPTS):
            taken = job_queue.take_job(work.tx, work.now + 10**6)
            assert taken is not None
            job_queue.fail_job(work.tx, taken, "rotto", work.now, 0.5)
    assert status(admin, "background-updates") == "recommended"


def test_stored_data_that_does_not_fit_is_critical(site: Stand, admin: Client) -> None:
    assert status(admin, "database") == "good"
    admin.post("/cms/v2/posts", {"title": "Una", "status": "publish"})
    with site.site.work() as work:
        work.tx.run(Statement(text("UPDATE record SET author = 999999")))
    assert status(admin, "database") == "critical"


def test_a_clock_that_went_back_is_critical(site: Stand, admin: Client) -> None:
    assert status(admin, "clock") == "good"
    with site.site.work() as work:
        work.now += 86_400
        work.note("option", "title", "changed")
    assert status(admin, "clock") == "critical"


def test_a_full_disk_is_told(kind: str, admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "postgresql":
        pytest.skip("a database server looks after its own disk")
    for free, expected in ((50, "good"), (5, "recommended"), (1, "critical")):
        monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: SimpleNamespace(total=100, free=free))
        assert status(admin, "disk-space") == expected


def test_credentials_that_arrive_are_seen(admin: Client) -> None:
    assert status(admin, "authorization-header") == "good"


@pytest.fixture
def secure(prepared: Path, tmp_path: Path) -> Iterator[Client]:
    shutil.copy(prepared / "site.sqlite", tmp_path / "site.sqlite")
    told = Settings(secret="secret of the tests", url="https://vetrina.example", cache_bytes=0)
    site = Site(load_profile("first"), told, tmp_path, durable=False)
    yield Stand(site).client("admin")
    site.close()


def test_the_address_and_the_cache_follow_the_settings(admin: Client, secure: Client) -> None:
    assert (status(admin, "https-status"), status(secure, "https-status")) == ("recommended", "good")
    assert (status(admin, "page-cache"), status(secure, "page-cache")) == ("good", "recommended")
    assert status(secure, "loopback-requests") == "good"


def test_sizes_add_up(admin: Client) -> None:
    found = admin.get(SIZES).json
    assert found["database_size"]["raw"] > 0
    assert found["raw"] == found["total_size"]["raw"] == found["database_size"]["raw"] + found["uploads_size"]["raw"]
    assert found["database_size"]["size"].endswith("B")
