"""Jobs of a stand-in carried out in the test, with another server in the place of the internet."""

from __future__ import annotations

from dataclasses import replace

from conftest import Stand
from foreign_host import Host, outbound_to
from vetrina.system import job_runner

__all__ = ["work_off"]


def work_off(stand: Stand, host: Host | None = None) -> None:
    """Carry out all jobs that are due; host: who answers every public address, None for nobody."""
    site = stand.site
    frame = replace(site.frame, outbound=outbound_to(host))
    job_runner.consumer(frame, site.database).work_off()
