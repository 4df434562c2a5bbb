"""Background jobs that a test puts, gives up and runs."""

from __future__ import annotations

from typing import Any

from conftest import Stand
from vetrina.backends import job_queue
from vetrina.system import job_runner


def enqueue(site: Stand, kind: str = "prova", *, later: int = 0, key: str = "", **arguments: Any) -> int:
    """Enqueue a job and return its number."""
    with site.site.work() as work:
        job_queue.enqueue_job(work.tx, kind, arguments, due=work.now + later, now=work.now, key=key)
        return max(one.id for one in job_queue.list_jobs(work.tx))


def give_up(site: Stand, kind: str = "prova", error: str = "it broke", **arguments: Any) -> int:
    """Enqueue a job that fails as often as it may, and return its number."""
    number = enqueue(site, kind, **arguments)
    with site.site.work() as work:
        for _ in range(job_queue.MAX_ATTEMPTS):
            taken = job_queue.take_job(work.tx, work.now + 10**6)
            assert taken is not None
            assert taken.id == number
            job_queue.fail_job(work.tx, taken, error, work.now, 0.5)
    return number


def run_jobs(site: Stand) -> None:
    """Run what is due."""
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()
