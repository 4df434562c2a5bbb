"""`vetrina jobs`: the background jobs of a site, as whoever runs the machine sees them."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from vetrina.backends import job_queue
from vetrina.cli.text_tables import aligned
from vetrina.kernel.times import iso
from vetrina.system import job_runner

from .site_folder import opened, site_option

__all__ = ["command"]

_HEADING = ("id", "state", "kind", "due (GMT)", "attempts", "arguments", "last error")


@click.group("jobs")
def command() -> None:
    """List background jobs, try failed ones again, carry out those that are due."""


@command.command("list")
@site_option
@click.option("--state", type=click.Choice(job_queue.STATES), help="Only those that are in this state.")
@click.option("--most", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="At most so many.")
def listed(folder: Path, state: str | None, most: int) -> None:
    """List jobs by their date; ended ones are kept for a while."""
    with opened(folder) as site, site.work(read=True) as work:
        found = job_queue.listed(work.tx, state or "", most)
    rows = [
        (str(job.id), job.state, job.kind, iso(job.due), str(job.attempts), orjson.dumps(job.arguments).decode(),
         " ".join(job.last_error.split()))
        for job in found
    ]  # fmt: skip
    click.echo(aligned(_HEADING, rows))


@command.command("retry")
@click.argument("numbers", type=int, nargs=-1, metavar="[ID]...")
@site_option
@click.option("--failed", is_flag=True, help="All that were given up.")
def retry(numbers: tuple[int, ...], folder: Path, failed: bool) -> None:
    """Let jobs be tried at once, with all their attempts: given-up ones, or waiting ones ahead of their date."""
    if bool(numbers) == failed:
        raise click.UsageError("name jobs by their ID, or all that were given up with --failed")
    with opened(folder) as site, site.work() as work:
        if failed:
            numbers = tuple(job.id for job in job_queue.listed(work.tx, "failed"))
        unknown = [number for number in numbers if not job_queue.retry(work.tx, number, work.now)]
    for number in unknown:
        click.echo(f"There is no waiting or failed job {number}; `vetrina jobs list` shows those that are.", err=True)
    click.echo(f"{len(numbers) - len(unknown)} jobs are tried again.")
    if unknown:
        raise SystemExit(1)


@command.command("run")
@site_option
def run(folder: Path) -> None:
    """Carry out what is due now, here, and end; a running consumer is not in the way."""
    with opened(folder) as site:
        tried = job_runner.consumer(site.frame, site.database).work_off()
    click.echo(f"{tried} jobs were tried.")
