"""Newly declared fields are indexed in the background. Rules: docs/rules/custom_field_lists.md, 6."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import func, select

from conftest import Client, Stand
from recipes import (
    FIELDS,
    PATH,
    ids,
    make,
    make_profile,
    prepared_postgres_recipes,
    prepared_recipes,
    site_of_recipes,
)
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.fields import field_value
from vetrina.content.custom_fields import reindexing
from vetrina.site import Site
from vetrina.system import job_runner
from vetrina.system.integrity_rules import find_rule

__all__ = ["prepared_postgres_recipes", "prepared_recipes", "site_of_recipes"]

pytestmark = [pytest.mark.every_database, pytest.mark.in_process("the site is opened with another profile")]

Fields = dict[str, dict[str, Any]]
COUNT_ROWS = Statement(select(field_value.c.field, func.count()).group_by(field_value.c.field))


@contextmanager
def opened_again(site: Stand, fields: Fields) -> Iterator[Stand]:
    """Open the same site with a profile that declares other fields."""
    context = site.site.context
    other = Site(make_profile(fields), context.settings, context.folder, clock=context.clock, durable=False)
    yield Stand(other)
    other.close()


def index_fields(site: Stand) -> None:
    """Enqueue what a start enqueues, and run it."""
    consumer = job_runner.build_consumer(site.site.context, site.site.database)
    with site.site.work() as work:
        reindexing.enqueue_stale_fields(work)
    assert consumer.run_due_jobs() > 0


def count_rows(site: Stand) -> dict[str, int]:
    with site.site.work(read=True) as work:
        return dict(work.tx.all(COUNT_ROWS))


def find_faults(site: Stand) -> list[str]:
    rule = find_rule("field-values")
    assert rule is not None
    with site.site.work(read=True) as work:
        return list(rule.broken(work))


def test_values_that_are_stored_are_found_once_they_are_indexed(site: Stand, admin: Client) -> None:
    one, two = make(admin, prep_minutes=10, subtitle="Alfa"), make(admin, prep_minutes=20)
    later = {**FIELDS, "stars": {"type": "integer", "default": 3}, "prep_minutes": {"type": "number"}}
    del later["portions"]
    with opened_again(site, later) as again:
        anyone, editor = again.client(), again.client("admin")
        for query in ("meta.prep_minutes=10", "meta.stars=3", "orderby=meta.stars"):
            waits = anyone.get(f"{PATH}?{query}")
            assert (waits.status, waits.code) == (503, "rest_fields_being_indexed"), query
            assert waits.headers["retry-after"] == "5"
        # A field that is declared as before answers meanwhile, and so do lists without fields.
        assert ids(anyone, "meta.subtitle=alfa") == [one]
        assert ids(anyone, "") == [two, one]
        assert find_faults(again) == []
        index_fields(again)
        assert ids(anyone, "meta.prep_minutes=10") == [one]
        assert ids(anyone, "meta.stars=3") == [two, one]
        assert editor.post(f"{PATH}/{one}", {"meta": {"stars": 5}}).status == 200
        assert ids(anyone, "orderby=meta.stars") == [one, two]
        assert find_faults(again) == []
        assert "portions" not in count_rows(again)


def test_the_job_goes_on_where_it_was_left(site: Stand, admin: Client) -> None:
    made = [make(admin, prep_minutes=number) for number in range(5)]
    with opened_again(site, {**FIELDS, "prep_minutes": {"type": "number"}}) as again:
        with again.site.work() as work:
            stale = reindexing.find_stale_fields(work, "recipe")
            reindexing.run_reindex_job(work, {"type": "recipe", "fields": stale, "after": 0}, batch_size=2)
            (job,) = [one for one in job_queue.list_jobs(work.tx) if one.kind == reindexing.REINDEX_FIELDS_JOB]
        assert job.arguments["after"] == made[1]
        # It is there already, and a start leaves it as it is.
        index_fields(again)
        assert ids(again.client(), "meta.prep_minutes[gte]=1&orderby=meta.prep_minutes&order=asc") == made[1:]
        with again.site.work(read=True) as work:
            assert reindexing.find_stale_fields(work, "recipe") == {}


def test_a_check_finds_what_lists_would_not_and_repairs_it(site: Stand, admin: Client, anyone: Client) -> None:
    one = make(admin, prep_minutes=10)
    with site.site.work() as work:
        work.tx.command("DELETE FROM field_value WHERE field = 'prep_minutes'")
        work.tx.command("UPDATE field_value SET status = 'draft' WHERE field = 'portions'")
    assert sorted(find_faults(site)) == [
        f"recipe {one} is found by a value of portions that it does not have",
        f"recipe {one} is not found by its field portions",
        f"recipe {one} is not found by its field prep_minutes",
    ]
    assert (ids(anyone, "meta.prep_minutes=10"), ids(anyone, "meta.portions=4")) == ([], [])
    rule = find_rule("field-values")
    assert rule is not None
    assert rule.repair is not None
    with site.site.work() as work:
        rule.repair(work)
    assert find_faults(site) == []
    assert (ids(anyone, "meta.prep_minutes=10"), ids(anyone, "meta.portions=4")) == ([one], [one])
