"""A comparison with another site as a background job: asked for, run, kept. Rules: docs/rules/server.md, 9.

What is compared: transfer/compare/comparison.py. This site is A there, the other one B.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.system.jobs.long_jobs import (
    PROGRESS,
    REPORT,
    SITE_COMPARISON_JOB,
    ProgressNotes,
    find_long_job,
    is_under_way,
    open_own_database,
    save_report,
    start_long_job,
)
from vetrina.system.jobs.rules import BackgroundJob
from vetrina.transfer.compare.comparison import CollectionTotals, RecordDifference, Side, SourceComparison
from vetrina.transfer.job_calls import JobEnd, run_to_end
from vetrina.transfer.job_site import JobSite
from vetrina.transfer.records import SkippedRecord
from vetrina.transfer.remote_access import (
    open_remote_site,
    require_site_address,
    require_whole_credentials,
    seal_credentials,
)
from vetrina.transfer.sources.address.http_connection import SourceCredentials
from vetrina.transfer.sources.address.site_source import SiteSource
from vetrina.transfer.sources.own_site import OwnSiteConnection

_ADDRESS, _LOGIN, _SEALED = "address", "login", "sealed"  # among the arguments of the job
_MAX_TOLD: Final = 20  # differences of one collection that are told
_SIDES: Final = {"a": "here", "b": "there", "": ""}


class ComparisonState(NamedTuple):
    """How it stands with comparisons. job: the last one. report: of the last that ended, empty for none."""

    job: BackgroundJob | None
    running: bool
    address: str
    login: str
    report: Mapping[str, Any]
    progress: Mapping[str, Any] | None


def find_comparison(work: UnitOfWork) -> ComparisonState:
    """Return how it stands with comparisons."""
    job = find_long_job(work, SITE_COMPARISON_JOB)
    if job is None:
        return ComparisonState(None, False, "", "", {}, None)
    running, report = is_under_way(job), job.arguments.get(REPORT, {})
    told = job.arguments if _ADDRESS in job.arguments else report
    return ComparisonState(
        job, running, told.get(_ADDRESS, ""), told.get(_LOGIN, ""), report,
        job.arguments.get(PROGRESS) if running else None,
    )  # fmt: skip


def start_comparison(work: UnitOfWork, address: str, credentials: SourceCredentials) -> BackgroundJob:
    """Let this site be compared with another. Raises LongJobRunning, InvalidSiteAddress, CredentialsIncomplete."""
    require_whole_credentials(credentials)
    values = {
        _ADDRESS: require_site_address(address), _LOGIN: credentials.login,
        _SEALED: seal_credentials(work.site, credentials),
    }  # fmt: skip
    return start_long_job(work, SITE_COMPARISON_JOB, values)


def prepare_comparison(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], JobEnd | None]:
    """Return the call that compares; it returns what differs, None where the job was taken away."""
    site = work.site

    def run() -> JobEnd:
        with open_own_database(site) as database:
            note = ProgressNotes(database, SITE_COMPARISON_JOB, arguments)

            def tell(resource: str, side: Side, done: int) -> None:
                note(resource, done, 0)

            skipped: list[SkippedRecord] = []
            here = SiteSource(
                OwnSiteConnection(JobSite(site, database, SITE_COMPARISON_JOB)), report_skipped=skipped.append
            )
            there = open_remote_site(site, arguments[_ADDRESS], arguments[_SEALED], skipped.append)
            comparison = SourceComparison(here, there, tell=tell)
            told: Counter[str] = Counter()
            differences = []
            for one in comparison.run():
                told[one.resource] += 1
                if told[one.resource] <= _MAX_TOLD:
                    differences.append(_describe_difference(one))
        return {
            "result": {
                "agrees": comparison.agrees and not skipped,
                "collections": [_describe_totals(one) for one in comparison.totals],
                "differences": differences,
                "unreadable": len(skipped),
            }
        }

    return lambda: run_to_end(run, site.folder)


def save_comparison(work: UnitOfWork, arguments: Mapping[str, Any], end: JobEnd | None) -> None:
    """Store what differs, and forget what it was started with."""
    if end is not None:
        kept = {name: arguments[name] for name in (_ADDRESS, _LOGIN)}
        save_report(work, SITE_COMPARISON_JOB, {}, {**end, **kept, "finished": work.now})


def _describe_totals(one: CollectionTotals) -> dict[str, Any]:
    return {
        "resource": one.resource, "same": one.same, "differing": one.differing, "only_here": one.only_a,
        "only_there": one.only_b, "not_compared": one.not_compared,
    }  # fmt: skip


def _describe_difference(one: RecordDifference) -> dict[str, Any]:
    return {
        "resource": one.resource, "here": str(one.a), "there": str(one.b), "label": one.label,
        "only": _SIDES[one.only],
        "members": [{"member": two.member, "here": two.a, "there": two.b} for two in one.members],
    }  # fmt: skip
