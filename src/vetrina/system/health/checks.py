"""Whether a site is well: what is looked at, and what is found.

Not here: the routes (system/health/routes.py), the rules of stored data (integrity/).
Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities": status good, recommended or critical.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from sqlalchemy import func, select, text

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import change
from vetrina.core.unit_of_work import Work

__all__ = ["CHECKS", "Finding"]

_LATE: Final = 600  # seconds after which a job that waits shows that nobody takes jobs
_AHEAD: Final = 120  # seconds that the newest change may lie in the future before a clock is wrong
_SCARCE, _ALARMING = 0.10, 0.03  # of a disk that is free
_SHOWN: Final = 5  # findings that are written out

_NEWEST_CHANGE = Statement(select(func.max(change.c.at)))
_DATABASE_FILE = Statement(
    lambda kind: text("SELECT file FROM pragma_database_list WHERE name = 'main'" if kind == "sqlite" else "SELECT ''")
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: in one line, and more about it as text. actions: what to do, empty for nothing."""

    status: str
    label: str
    description: str
    actions: str = ""


Check = Callable[[Work, Mapping[str, str]], Finding]


def _jobs(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether background jobs are carried out."""
    late = [job for job in job_queue.listed(work.tx, "waiting") if job.due < work.now - _LATE]
    failed = job_queue.listed(work.tx, "failed")
    if late:
        return Finding(
            "critical", "Background jobs are not carried out",
            f"{len(late)} job(s) should have been done more than {_LATE // 60} minutes ago.",
            "Start the consumer of jobs: `vetrina serve` runs one, `vetrina work` is one by itself.",
        )  # fmt: skip
    if failed:
        kinds = ", ".join(sorted({job.kind for job in failed}))
        return Finding(
            "recommended", "Some background jobs were given up", f"{len(failed)} job(s) failed: {kinds}.",
            "See why with `vetrina jobs`, and let them be tried again.",
        )  # fmt: skip
    return Finding("good", "Background jobs are carried out", "Nothing waits that should be done, and nothing failed.")


def _address(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether the site is asked at its own address."""
    told = work.frame.settings.url
    if told and told.rstrip("/") != work.origin.rstrip("/"):
        return Finding(
            "recommended", "The site is reached by another address than its own",
            f"It was asked at {work.origin}, and says of itself {told}.",
            "Set `url` to the address that readers use, or let the proxy pass the host on.",
        )  # fmt: skip
    return Finding(
        "good", "The site knows its address", "It needs no request to itself: jobs run beside it, in their own process."
    )


def _https(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether the site is asked over HTTPS."""
    if work.origin.startswith("https://"):
        return Finding(
            "good", "The site is served by HTTPS", "What readers and editors send cannot be read on the way."
        )
    return Finding(
        "recommended", "The site is not served by HTTPS",
        "Passwords travel with every request of an editor, and can be read on the way.",
        "Put a proxy with a certificate in front, and set `url` and `trust_proxy`.",
    )  # fmt: skip


def _outside(work: Work, headers: Mapping[str, str]) -> Finding:
    """Say which other servers the site asks."""
    return Finding(
        "good", "The site needs no central service",
        "It asks other servers only for embeds, previews of links and fonts that an editor names.",
    )  # fmt: skip


def _authorization(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether the header that signs a caller in arrives."""
    if headers.get("authorization"):
        return Finding("good", "Credentials arrive", "The header `Authorization` of this request has reached the site.")
    return Finding(
        "recommended", "The header `Authorization` does not arrive",
        "Application passwords are sent in it; something on the way takes it out.",
        "Let the proxy pass `Authorization` on.",
    )  # fmt: skip


def _cache(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether answers are kept."""
    if work.frame.settings.cache_bytes:
        return Finding(
            "good", "Answers to readers are kept", "They are made once and kept until something changes them."
        )
    return Finding(
        "recommended", "Answers to readers are made anew each time", "`cache_bytes` is 0.", "Set `cache_bytes`."
    )


def _database(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether the database is whole."""
    # Rules look at every part of a site; who only starts one needs none of them.
    from vetrina.system.integrity_rules import RULES

    wrong = [
        f"{rule.says}: {line}" for rule in RULES for line in islice(rule.broken(work), _SHOWN)
    ]  # fmt: skip
    if wrong:
        return Finding(
            "critical", "Stored data does not fit together", " ".join(wrong[:_SHOWN]),
            "Run `vetrina check`, and put a backup back or mend what it names.",
        )  # fmt: skip
    return Finding("good", "Stored data fits together", f"All {len(RULES)} rules hold.")


def _disk(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look how much of the disk is free."""
    file = str(work.tx.value(_DATABASE_FILE) or "")
    if not file:
        return Finding("good", "The database has a server of its own", "Its disk is looked after there.")
    usage = shutil.disk_usage(Path(file).parent)
    free = usage.free / usage.total if usage.total else 1.0
    words = f"{usage.free / 1e9:.1f} GB of {usage.total / 1e9:.1f} GB are free."
    if free < _SCARCE:
        status = "critical" if free < _ALARMING else "recommended"
        return Finding(status, "The disk is nearly full", words, "Make room, or move the site to a larger disk.")
    return Finding("good", "There is room on the disk", words)


def _clock(work: Work, headers: Mapping[str, str]) -> Finding:
    """Look whether a change was noted in the future, because a clock is wrong."""
    newest = work.tx.value(_NEWEST_CHANGE)
    if newest is not None and newest > work.now + _AHEAD:
        return Finding(
            "critical", "The clock is wrong",
            f"The last change was noted {newest - work.now} seconds in the future.",
            "Set the clock of every machine that serves the site, and keep it by NTP.",
        )  # fmt: skip
    return Finding("good", "The clock runs forward", "No change was noted in the future.")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A check with what stands around its finding."""

    badge: str
    look: Check


CHECKS: Final[Mapping[str, _Kind]] = {
    "background-updates": _Kind("Security", _jobs),
    "loopback-requests": _Kind("Performance", _address),
    "https-status": _Kind("Security", _https),
    "dotorg-communication": _Kind("Security", _outside),
    "authorization-header": _Kind("Security", _authorization),
    "page-cache": _Kind("Performance", _cache),
    "database": _Kind("Data", _database),
    "disk-space": _Kind("Data", _disk),
    "clock": _Kind("Data", _clock),
}
