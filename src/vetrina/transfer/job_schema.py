"""What an import and a comparison are told alike by a browser, and how both tell how they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.kernel.times import format_iso
from vetrina.rest.fields import Boolean, Field, Integer, Object, String
from vetrina.system.jobs.rules import BackgroundJob
from vetrina.transfer.sources.address.http_connection import SourceCredentials

_MAX_LENGTH: Final = 2048
# The type where there may be nothing to tell yet.
NULLABLE: Final = {"type": ["object", "null"]}

ADDRESS_FIELD: Final = String("Address of the other site.", max_length=_MAX_LENGTH, default="")
CREDENTIAL_ARGUMENTS: Final[Mapping[str, Field]] = {
    "login": String("Login that the other site is read with; without one, what is public.", max_length=_MAX_LENGTH,
                    default=""),
    "password": String("Application password of that login.", max_length=_MAX_LENGTH, default="", secret=True),
    "shop_key": String("Consumer key of the other shop, where it has one.", max_length=_MAX_LENGTH, default=""),
    "shop_secret": String("Secret of that key.", max_length=_MAX_LENGTH, default="", secret=True),
}  # fmt: skip
STATE_FIELDS: Final[Mapping[str, Field]] = {
    "job": Integer("Number of the last job, 0 where there was none yet."),
    "running": Boolean("Whether it waits or runs."),
    "started_gmt": String("When it was begun, in GMT; null where it was not yet.", format="date-time", nullable=True),
    "finished_gmt": String("When the last one ended, in GMT; null for never.", format="date-time", nullable=True),
    "progress": Object(
        "How far it is, while it runs and says so; otherwise null.",
        properties={
            "step": String("Path of the collection that it reads now."),
            "done": Integer("How many records are done."),
            "of": Integer("How many there are, 0 where that is unknown."),
        },
        extra=NULLABLE,
    ),
    "outcome": String("How the last one ended; empty where there was none.", enum=("", "done", "stopped", "failed")),
    "reason": String("Why it failed."),
}


def read_credentials(args: Mapping[str, Any]) -> SourceCredentials:
    """Return the credentials of a call."""
    return SourceCredentials(*(args[name].strip() for name in CREDENTIAL_ARGUMENTS))


def show_state(
    job: BackgroundJob | None, running: bool, progress: Mapping[str, Any] | None, report: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the members that tell how a job stands. report: of the last that ended, empty for none."""
    started, finished = None if job is None else job.started, report.get("finished")
    return {
        "job": 0 if job is None else job.id,
        "running": running,
        "started_gmt": None if started is None else format_iso(started),
        "finished_gmt": None if finished is None else format_iso(finished),
        "progress": progress,
        "outcome": report.get("outcome", ""),
        "reason": report.get("reason", ""),
    }
