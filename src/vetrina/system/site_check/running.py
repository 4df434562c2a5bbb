"""The check of stored data, as the command `vetrina check` does it, in the background: asked for, run, kept.

Rules: docs/rules/server.md, 6. What is looked at: system/integrity_rules.py.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vetrina.backends.database import Database
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.redaction import redact_text
from vetrina.system.jobs.long_jobs import (
    REPORT,
    SITE_CHECK_JOB,
    LongJobCancelled,
    ProgressNotes,
    find_long_job,
    is_under_way,
    open_own_database,
    save_report,
    start_long_job,
)
from vetrina.system.jobs.rules import BackgroundJob

if TYPE_CHECKING:
    from vetrina.core.integrity.rule import IntegrityRule

MAX_LISTED: Final = 20  # faults of one rule that are listed
_MAX_LENGTH: Final = 500  # characters of a fault

RuleReport = dict[str, Any]


def start_check(work: UnitOfWork, *, repair: bool) -> BackgroundJob:
    """Let the stored data be looked through in the background. repair: mend what can be. Raises LongJobRunning."""
    return start_long_job(work, SITE_CHECK_JOB, {"repair": repair})


class CheckState(NamedTuple):
    """The check of a site. job: the last one, None where there was none yet. report: of the last that ended."""

    job: BackgroundJob | None
    running: bool
    report: Mapping[str, Any]


def find_check(work: UnitOfWork) -> CheckState:
    """Return how it stands with the check."""
    job = find_long_job(work, SITE_CHECK_JOB)
    return CheckState(job, is_under_way(job), {} if job is None else job.arguments.get(REPORT, {}))


def prepare_check(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], Sequence[RuleReport] | None]:
    """Return the call that looks; it returns what breaks which rule, None where the job was taken away."""
    site = work.site

    def check() -> Sequence[RuleReport] | None:
        # They import every part of a site; a process that has none to check needs none of them.
        from vetrina.system.integrity_rules import RULES

        with open_own_database(site) as database:
            note = ProgressNotes(database, SITE_CHECK_JOB, arguments)
            found = []
            try:
                for place, rule in enumerate(RULES):
                    note(rule.says, place, len(RULES))
                    found.append(_look(site, database, rule))
            except LongJobCancelled:
                return None
        return found

    return check


def save_check(work: UnitOfWork, arguments: Mapping[str, Any], found: Sequence[RuleReport] | None) -> None:
    """Store what was found; where it was asked for, mend first what can be mended."""
    if found is None:
        return
    if arguments.get("repair"):
        found = [_repair(work, one) if one["count"] and one["repairable"] else one for one in found]
    report = {"finished": work.now, "rules": found, "faults": sum(one["count"] for one in found)}
    save_report(work, SITE_CHECK_JOB, arguments, report)


def _look(site: SiteContext, database: Database, rule: IntegrityRule) -> RuleReport:
    try:
        with database.begin_read() as tx:
            return _report_rule(UnitOfWork(site, tx, origin=site.origin), rule)
    except sqlite3.DatabaseError as error:
        # A damaged file: that nothing can be said of a rule is a fault of it.
        return _describe(rule, [f"this cannot be looked at: {error}"], 1)


def _repair(work: UnitOfWork, found: RuleReport) -> RuleReport:
    from vetrina.system.integrity_rules import find_rule

    rule = find_rule(found["name"])
    if rule is None or rule.repair is None:
        return found
    rule.repair(work)
    return {**_report_rule(work, rule), "repaired": found["count"]}


def _report_rule(work: UnitOfWork, rule: IntegrityRule) -> RuleReport:
    lines = rule.broken(work)
    listed = list(islice(lines, MAX_LISTED))
    return _describe(rule, listed, len(listed) + sum(1 for _ in lines))


def _describe(rule: IntegrityRule, listed: Sequence[str], count: int) -> RuleReport:
    return {
        "name": rule.name, "says": rule.says, "way": rule.way, "repairable": rule.repair is not None,
        "count": count, "faults": [redact_text(one[:_MAX_LENGTH]) for one in listed], "repaired": 0,
    }  # fmt: skip
