"""Background jobs that install and activate modules, and their status.

The job is a row of the transaction that enqueues it; its status is stored beside it, for the latest jobs only. Not
here: the work itself (shop/admin/modules.py). Rules: docs/rules/shop_modules.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from vetrina.backends import job_queue
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_uuid
from vetrina.shop.admin import modules as admin_modules

MODULE_JOB: Final = "shop.modules"  # kind of the job
ModuleAction = Literal["install", "activate", "both"]

_JOBS: Final = "shop_module_jobs"
_MAX_JOBS: Final = 50  # jobs whose status is stored
_DIGITS: Final = 13
_WAIT: Final = 5  # seconds; a client that queries the job at once finds it waiting, not finished


def enqueue_module_job(work: UnitOfWork, action: ModuleAction, slugs: Sequence[str]) -> dict[str, Any]:
    """Enqueue a job and return its status: job_id, action, plugins, status, errors."""
    job = {
        "job_id": generate_uuid().replace("-", "")[:_DIGITS],
        "action": action,
        "plugins": list(dict.fromkeys(slugs)),
        "status": "pending",
        "errors": {},
    }
    work.set_option(_JOBS, [*_load_jobs(work), job][-_MAX_JOBS:])
    job_queue.enqueue_job(work.tx, MODULE_JOB, {"job_id": job["job_id"]}, due=work.now + _WAIT, now=work.now)
    return job


def find_module_job(work: UnitOfWork, action: ModuleAction, id: str) -> dict[str, Any] | None:
    """Return the status of a job."""
    return next((job for job in _load_jobs(work) if job["job_id"] == id and job["action"] == action), None)


def list_module_jobs(work: UnitOfWork, action: ModuleAction) -> list[dict[str, Any]]:
    """Return the stored jobs of an action, oldest first."""
    return [job for job in _load_jobs(work) if job["action"] == action]


def run_module_job(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Run a module job and store its result (job handler)."""
    jobs = _load_jobs(work)
    job = next((one for one in jobs if one["job_id"] == arguments["job_id"]), None)
    if job is None or job["status"] != "pending":
        return
    errors: dict[str, list[str]] = {}
    if job["action"] in ("install", "both"):
        errors |= admin_modules.install_modules(work, job["plugins"]).errors
    if job["action"] in ("activate", "both"):
        left = [slug for slug in job["plugins"] if slug not in errors]
        errors |= admin_modules.activate_modules(work, left).errors
    ended = {**job, "status": "failed" if errors else "complete", "errors": errors}
    work.set_option(_JOBS, [ended if one is job else one for one in jobs])


def _load_jobs(work: UnitOfWork) -> list[dict[str, Any]]:
    stored = work.stored_option(_JOBS)
    return stored if isinstance(stored, list) else []
