"""Installing and activating modules later, as a job of the background, and how each such job stands.

The job is a row of the transaction that asks for it; its state is kept beside it, of the latest jobs alone.
Not here: what is done (shop/admin/modules.py). Rules: facts, "Plugins".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from vetrina.backends import job_queue
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import new_uuid
from vetrina.shop.admin import modules as admin_modules

__all__ = ["CARRY_OUT", "Action", "carry_out", "find", "listed", "put"]

CARRY_OUT: Final = "shop.modules"  # kind of the job
Action = Literal["install", "activate", "both"]

_JOBS: Final = "shop_module_jobs"
_MOST: Final = 50  # jobs whose state is kept
_DIGITS: Final = 13
_WAIT: Final = 5  # seconds; whoever asks at once how the job stands finds it waiting, not gone by


def put(work: Work, action: Action, slugs: Sequence[str]) -> dict[str, Any]:
    """Note a job for later and return its state: job_id, action, plugins, status, errors."""
    job = {
        "job_id": new_uuid().replace("-", "")[:_DIGITS],
        "action": action,
        "plugins": list(dict.fromkeys(slugs)),
        "status": "pending",
        "errors": {},
    }
    work.set_option(_JOBS, [*_kept(work), job][-_MOST:])
    job_queue.put(work.tx, CARRY_OUT, {"job_id": job["job_id"]}, due=work.now + _WAIT, now=work.now)
    return job


def find(work: Work, action: Action, id: str) -> dict[str, Any] | None:
    """Return the state of a job."""
    return next((job for job in _kept(work) if job["job_id"] == id and job["action"] == action), None)


def listed(work: Work, action: Action) -> list[dict[str, Any]]:
    """Return the jobs of an action whose state is kept, the oldest first."""
    return [job for job in _kept(work) if job["action"] == action]


def carry_out(work: Work, arguments: Mapping[str, Any]) -> None:
    """Do what a job says, and keep how it ended."""
    jobs = _kept(work)
    job = next((one for one in jobs if one["job_id"] == arguments["job_id"]), None)
    if job is None or job["status"] != "pending":
        return
    errors: dict[str, list[str]] = {}
    if job["action"] in ("install", "both"):
        errors |= admin_modules.install(work, job["plugins"]).errors
    if job["action"] in ("activate", "both"):
        left = [slug for slug in job["plugins"] if slug not in errors]
        errors |= admin_modules.activate(work, left).errors
    ended = {**job, "status": "failed" if errors else "complete", "errors": errors}
    work.set_option(_JOBS, [ended if one is job else one for one in jobs])


def _kept(work: Work) -> list[dict[str, Any]]:
    stored = work.stored_option(_JOBS)
    return stored if isinstance(stored, list) else []
