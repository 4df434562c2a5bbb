"""Runs the jobs of a test site in the test, with another server in place of the internet."""

from __future__ import annotations

from dataclasses import replace

from conftest import Stand
from foreign_host import Host, outbound_to
from vetrina.system import job_runner

__all__ = ["work_off"]


def work_off(stand: Stand, host: Host | None = None) -> None:
    """Run all jobs that are due; host: responds for every public address, None for none."""
    site = stand.site
    context = replace(site.context, outbound=outbound_to(host))
    job_runner.build_consumer(context, site.database).run_due_jobs()
