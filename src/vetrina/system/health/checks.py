"""Health checks of a site, and their findings.

Rules: docs/rules/root_index.md, 8: status good, recommended or critical. Rules of stored data:
system/integrity_rules.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from sqlalchemy import func, select, text

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.change_log import change
from vetrina.core.unit_of_work import UnitOfWork

_LATE_SECONDS: Final = 600  # seconds by which a due job is late when no consumer runs
_MAX_CLOCK_AHEAD: Final = 120  # seconds that the newest change may lie in the future before a clock is wrong
_SCARCE, _ALARMING = 0.10, 0.03  # free share of a disk
_MAX_WRITTEN: Final = 5  # findings that are listed

_NEWEST_CHANGE = Statement(select(func.max(change.c.at)))
_DATABASE_FILE = Statement(
    lambda kind: text("SELECT file FROM pragma_database_list WHERE name = 'main'" if kind == "sqlite" else "SELECT ''")
)


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """What a check found: a one-line label, and details. actions: what to do, empty for nothing.

    values: those of the {placeholders} of the description, which is a text of system/health/languages.
    """

    status: str
    label: str
    description: str
    actions: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


HealthCheck = Callable[[UnitOfWork, Mapping[str, str]], HealthFinding]


def _check_jobs(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that background jobs are run."""
    late = [job for job in job_queue.list_jobs(work.tx, "waiting") if job.due < work.now - _LATE_SECONDS]
    failed = job_queue.list_jobs(work.tx, "failed")
    if late:
        return HealthFinding(
            "critical", "Background jobs are not carried out",
            "{count} job(s) should have been done more than {minutes} minutes ago.",
            "Start the consumer of jobs: `vetrina serve` runs one, `vetrina work` is one by itself.",
            {"count": len(late), "minutes": _LATE_SECONDS // 60},
        )  # fmt: skip
    if failed:
        kinds = ", ".join(sorted({job.kind for job in failed}))
        return HealthFinding(
            "recommended", "Some background jobs were given up", "{count} job(s) failed: {kinds}.",
            "See why with `vetrina jobs`, and let them be tried again.", {"count": len(failed), "kinds": kinds},
        )  # fmt: skip
    return HealthFinding(
        "good", "Background jobs are carried out", "Nothing waits that should be done, and nothing failed."
    )


def _check_address(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that requests use the site's own URL."""
    url = work.site.settings.url
    if url and url.rstrip("/") != work.origin.rstrip("/"):
        return HealthFinding(
            "recommended", "The site is reached by another address than its own",
            "It was asked at {origin}, and says of itself {url}.",
            "Set `url` to the address that readers use, or let the proxy pass the host on.",
            {"origin": work.origin, "url": url},
        )  # fmt: skip
    return HealthFinding(
        "good", "The site knows its address", "It needs no request to itself: jobs run beside it, in their own process."
    )


def _check_https(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that requests use HTTPS."""
    if work.origin.startswith("https://"):
        return HealthFinding(
            "good", "The site is served by HTTPS", "What readers and editors send cannot be read on the way."
        )
    return HealthFinding(
        "recommended", "The site is not served by HTTPS",
        "Passwords travel with every request of an editor, and can be read on the way.",
        "Put a proxy with a certificate in front, and set `url` and `trust_proxy`.",
    )  # fmt: skip


def _check_outside_servers(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Report which other servers the site calls."""
    return HealthFinding(
        "good", "The site needs no central service",
        "It asks other servers only for embeds, previews of links and fonts that an editor names.",
    )  # fmt: skip


def _check_authorization(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that the Authorization header reaches the site."""
    if headers.get("authorization"):
        return HealthFinding(
            "good", "Credentials arrive", "The header `Authorization` of this request has reached the site."
        )
    return HealthFinding(
        "recommended", "The header `Authorization` does not arrive",
        "Application passwords are sent in it; something on the way takes it out.",
        "Let the proxy pass `Authorization` on.",
    )  # fmt: skip


def _check_cache(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that responses are cached."""
    if work.site.settings.cache_bytes:
        return HealthFinding(
            "good", "Answers to readers are kept", "They are made once and kept until something changes them."
        )
    return HealthFinding(
        "recommended", "Answers to readers are made again each time", "`cache_bytes` is 0.", "Set `cache_bytes`."
    )


def _check_database(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that the stored data is consistent."""
    # The rules import every part of a site; starting one needs none of them.
    from vetrina.system.integrity_rules import RULES

    wrong = [
        f"{rule.says}: {line}" for rule in RULES for line in islice(rule.broken(work), _MAX_WRITTEN)
    ]  # fmt: skip
    if wrong:
        return HealthFinding(
            "critical", "Stored data does not fit together", "{findings}",
            "Run `vetrina check`, and put a backup back or mend what it names.",
            {"findings": " ".join(wrong[:_MAX_WRITTEN])},
        )  # fmt: skip
    return HealthFinding("good", "Stored data fits together", "All {count} rules hold.", "", {"count": len(RULES)})


def _check_disk(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check how much of the disk is free."""
    file = str(work.tx.value(_DATABASE_FILE) or "")
    if not file:
        return HealthFinding("good", "The database has a server of its own", "Its disk is looked after there.")
    usage = shutil.disk_usage(Path(file).parent)
    free = usage.free / usage.total if usage.total else 1.0
    words = "{free:.1f} GB of {total:.1f} GB are free."
    values = {"free": usage.free / 1e9, "total": usage.total / 1e9}
    if free < _SCARCE:
        status = "critical" if free < _ALARMING else "recommended"
        return HealthFinding(
            status, "The disk is nearly full", words, "Make room, or move the site to a larger disk.", values
        )
    return HealthFinding("good", "There is room on the disk", words, "", values)


def _check_clock(work: UnitOfWork, headers: Mapping[str, str]) -> HealthFinding:
    """Check that no change was logged in the future, because of a wrong clock."""
    newest = work.tx.value(_NEWEST_CHANGE)
    if newest is not None and newest > work.now + _MAX_CLOCK_AHEAD:
        return HealthFinding(
            "critical", "The clock is wrong",
            "The last change was noted {seconds} seconds in the future.",
            "Set the clock of every machine that serves the site, and keep it by NTP.",
            {"seconds": newest - work.now},
        )  # fmt: skip
    return HealthFinding("good", "The clock runs forward", "No change was noted in the future.")


@dataclass(frozen=True, slots=True)
class _RegisteredCheck:
    """A check with the badge that goes with its finding."""

    badge: str
    look: HealthCheck


CHECKS: Final[Mapping[str, _RegisteredCheck]] = {
    "background-updates": _RegisteredCheck("Security", _check_jobs),
    "loopback-requests": _RegisteredCheck("Performance", _check_address),
    "https-status": _RegisteredCheck("Security", _check_https),
    "dotorg-communication": _RegisteredCheck("Security", _check_outside_servers),
    "authorization-header": _RegisteredCheck("Security", _check_authorization),
    "page-cache": _RegisteredCheck("Performance", _check_cache),
    "database": _RegisteredCheck("Data", _check_database),
    "disk-space": _RegisteredCheck("Data", _check_disk),
    "clock": _RegisteredCheck("Data", _check_clock),
}
