"""A scheduled record is published at its date, once, whatever happened in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import bindparam, update

from conftest import Client, SetClock, Stand
from vetrina.backends import change_log, job_queue
from vetrina.backends.database import Statement
from vetrina.backends.job_consumer import JobConsumer
from vetrina.backends.job_queue import BackgroundJob
from vetrina.backends.tables.records import record as table
from vetrina.kernel.times import format_iso
from vetrina.system import job_runner
from vetrina.system.background_work import BACKGROUND

pytestmark = pytest.mark.every_database

HOUR = 3600
_MOVE = Statement(update(table).where(table.c.id == bindparam("of")).values(date_gmt=bindparam("date")))


@pytest.fixture
def consumer(site: Stand) -> JobConsumer:
    return job_runner.build_consumer(site.site.context, site.site.database)


@pytest.fixture
def schedule(admin: Client, clock: SetClock) -> Callable[..., int]:
    """Create a post scheduled for an hour ahead, and return its id."""

    def schedule(seconds: int = HOUR, **members: Any) -> int:
        date = format_iso(clock.now() + seconds)
        post = admin.post("/cms/v2/posts", {"title": "Soon", "status": "publish", "date_gmt": date, **members}).json
        assert post["status"] == "future"
        return int(post["id"])

    return schedule


def noted(site: Stand) -> list[BackgroundJob]:
    with site.site.database.begin_read() as tx:
        return job_queue.list_jobs(tx)


def last_change(site: Stand) -> int:
    with site.site.database.begin_read() as tx:
        return change_log.get_latest_sequence(tx)


def status(site: Stand, id: int) -> str:
    found = site.stored(id)
    assert found is not None
    return found.status


def test_a_record_is_published_at_its_date_and_not_before(
    site: Stand, anyone: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock
) -> None:
    id = schedule()
    assert (consumer.run_due_jobs(), anyone.get(f"/cms/v2/posts/{id}").status) == (0, 401)
    clock.forward(HOUR)
    assert consumer.run_due_jobs() == 1
    assert anyone.get(f"/cms/v2/posts/{id}").json["status"] == "publish"
    assert [post["id"] for post in anyone.get("/cms/v2/posts").json] == [id]
    assert consumer.run_due_jobs() == 0


def test_publishing_keeps_text_dates_and_slug(
    site: Stand, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock
) -> None:
    text = "<script>kept, for an administrator wrote it</script>"
    id = schedule(content=text, slug="soon-it-is")
    before = site.stored(id)
    clock.forward(HOUR)
    consumer.run_due_jobs()
    after = site.stored(id)
    assert before is not None
    assert after is not None
    assert (after.content, after.slug, after.date_gmt, after.modified_gmt) == (
        text, "soon-it-is", before.date_gmt, before.modified_gmt,
    )  # fmt: skip


def test_publishing_counts_the_terms_and_is_in_the_change_log(
    site: Stand, anyone: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock
) -> None:
    schedule()
    assert anyone.get("/cms/v2/categories/1").json["count"] == 0
    before = last_change(site)
    clock.forward(HOUR)
    consumer.run_due_jobs()
    assert anyone.get("/cms/v2/categories/1").json["count"] == 1
    assert anyone.get("/cms/v2/posts").headers["x-cms-total"] == "1"
    assert last_change(site) > before


def test_a_kept_answer_is_forgotten_when_a_record_is_published(
    anyone: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock
) -> None:
    id = schedule()
    assert [anyone.get("/cms/v2/posts").json for _ in range(3)] == [[], [], []]
    clock.forward(HOUR)
    consumer.run_due_jobs()
    assert [post["id"] for post in anyone.get("/cms/v2/posts").json] == [id]


@pytest.mark.parametrize("members", [{"status": "draft"}, {"status": "private"}, {"status": "pending"}])
def test_a_record_that_no_longer_waits_is_left_alone(
    site: Stand, admin: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock, members: Any
) -> None:
    id = schedule()
    assert admin.post(f"/cms/v2/posts/{id}", members).status == 200
    clock.forward(HOUR)
    assert consumer.run_due_jobs() == 1
    assert status(site, id) == members["status"]


@pytest.mark.parametrize("force", [False, True])
def test_a_trashed_or_removed_record_makes_its_job_harmless(
    site: Stand, admin: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock, force: bool
) -> None:
    id = schedule()
    assert admin.delete(f"/cms/v2/posts/{id}", query={"force": force}).status == 200
    clock.forward(HOUR)
    assert consumer.run_due_jobs() == 1
    assert [job.state for job in noted(site)] == ["done"]
    assert site.stored(id) is None if force else status(site, id) == "trash"


def test_a_record_back_from_the_trash_waits_again(
    site: Stand, admin: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock
) -> None:
    id = schedule(2 * HOUR)
    admin.delete(f"/cms/v2/posts/{id}")
    assert admin.post(f"/cms/v2/posts/{id}", {"status": "future"}).json["status"] == "future"
    clock.forward(2 * HOUR)
    consumer.run_due_jobs()
    assert status(site, id) == "publish"


@pytest.mark.parametrize("hours", [1, 3])
def test_a_moved_date_moves_the_job(
    site: Stand, admin: Client, consumer: JobConsumer, schedule: Callable[..., int], clock: SetClock, hours: int
) -> None:
    id = schedule(2 * HOUR)
    admin.post(f"/cms/v2/posts/{id}", {"date_gmt": format_iso(clock.now() + hours * HOUR)})
    assert len(noted(site)) == 1
    clock.forward(hours * HOUR - 30)
    assert (consumer.run_due_jobs(), status(site, id)) == (0, "future")
    clock.forward(31)
    assert (consumer.run_due_jobs(), status(site, id)) == (1, "publish")


def test_a_save_that_leaves_the_date_alone_leaves_the_job_alone(
    site: Stand, admin: Client, schedule: Callable[..., int]
) -> None:
    id = schedule()
    before = noted(site)
    admin.post(f"/cms/v2/posts/{id}", {"title": "Another title"})
    assert noted(site) == before


def test_a_record_published_at_once_has_no_job(site: Stand, admin: Client) -> None:
    admin.post("/cms/v2/posts", {"title": "Now", "status": "publish"})
    admin.post("/cms/v2/posts", {"title": "Some day", "status": "draft"})
    assert noted(site) == []


def test_records_that_are_past_due_are_published_at_the_start(
    site: Stand, schedule: Callable[..., int], clock: SetClock
) -> None:
    """Also those whose date was changed in the database, and those without a job."""
    moved, bare = schedule(2 * HOUR), schedule(2 * HOUR)
    with site.site.database.begin_write() as tx:
        for id in (moved, bare):
            tx.run(_MOVE, of=id, date=clock.now() - 1)
        for job in job_queue.list_jobs(tx):
            if job.arguments["record"] == bare:
                taken = job_queue.take_job(tx, job.due)
                assert taken is not None
                job_queue.finish_job(tx, taken, 0)
        job_queue.delete_ended_jobs(tx, "done", 0)
    consumer = job_runner.build_consumer(site.site.context, site.site.database)
    consumer.run_due_jobs()
    assert (status(site, moved), status(site, bare)) == ("publish", "publish")


def test_a_record_of_a_type_that_left_the_profile_waits(
    site: Stand, schedule: Callable[..., int], clock: SetClock, consumer: JobConsumer
) -> None:
    id = schedule()
    without = job_runner.build_consumer(replace(site.site.context, types={}), site.site.database)
    clock.forward(HOUR)
    assert [without.run_due_jobs(), without.run_due_jobs()] == [1, 0]
    clock.forward(60)
    assert without.run_due_jobs() == 0
    clock.forward(60)
    consumer.run_due_jobs()
    assert status(site, id) == "publish"


def test_a_kind_that_nobody_knows_is_tried_again(site: Stand, consumer: JobConsumer, clock: SetClock) -> None:
    with site.site.database.begin_write() as tx:
        job_queue.enqueue_job(tx, "of another version", {}, due=clock.now(), now=clock.now())
    assert consumer.run_due_jobs() == 1
    (job,) = noted(site)
    assert job.state == "waiting"
    said, _, known = job.last_error.partition("; known: ")
    assert said == "UnknownJobKind: there is no job of the kind 'of another version'"
    assert known.split(", ") == sorted(BACKGROUND.handlers)
