"""Routes of the check of stored data: what the last one found, and a new one. Rules: docs/rules/server.md, 1 and 6."""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.system.jobs.long_jobs import LongJobRunning
from vetrina.system.jobs.permissions import CannotRunServer, require_server_permission
from vetrina.system.jobs.routes import JOBS
from vetrina.system.site_check import running

_PATH: Final = "/cms/v2/site-check"
_RULE: Final = Object(
    properties={
        "name": String("Name of the rule."),
        "says": String("What it states."),
        "way": String("What to do about what breaks it."),
        "repairable": Boolean("Whether the check can mend it."),
        "count": Integer("How many things break it."),
        "faults": Array("What breaks it; the first twenty.", items=String()),
        "repaired": Integer("How many things broke it before they were mended."),
    }
)
_ANSWER: Final = Object(
    properties={
        "job": Integer("Number of the last job, 0 where there was none yet."),
        "running": Boolean("Whether it waits or runs."),
        "finished_gmt": String("When the last one ended, in GMT; null for never.", format="date-time", nullable=True),
        "faults": Integer("How many faults it left."),
        "rules": Array("What it looked at.", items=_RULE),
    }
)
_REPAIR: Final[dict[str, Field]] = {
    "repair": Boolean("Whether what can be mended is mended.", default=False),
}


def _read_check(call: Call) -> Result:
    """Read what the last check of the stored data found."""
    job, is_running, report = running.find_check(call.work)
    finished = report.get("finished")
    body: dict[str, Any] = {
        "job": 0 if job is None else job.id,
        "running": is_running,
        "finished_gmt": None if finished is None else format_iso(finished),
        "faults": report.get("faults", 0),
        "rules": report.get("rules", []),
    }
    return Result(body)


def _start_check(call: Call) -> Result:
    return JOBS.build_result(call, running.start_check(call.work, repair=call.args["repair"]), status=202)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the check."""
    return (
        Route(
            READ, _PATH, _read_check, {}, require_server_permission, errors=(CannotRunServer,), answers=_ANSWER
        ),
        Route(
            WRITE, _PATH, _start_check, _REPAIR, require_server_permission, JOBS.build_schema, status=202,
            errors=(CannotRunServer, LongJobRunning), answers="one",
            summary="Look through the stored data in the background.",
        ),
    )  # fmt: skip
