"""`vetrina jobs`: the background jobs of a site, for its operator."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from vetrina.backends import job_queue
from vetrina.cli.text_tables import format_table
from vetrina.kernel.times import format_iso
from vetrina.system import job_runner

from .site_folder import open_site_folder, site_option

_HEADING = ("id", "state", "kind", "due (GMT)", "attempts", "arguments", "last error")


@click.group("jobs")
def command() -> None:
    """List background jobs, retry failed ones, run those that are due."""


@command.command("list")
@site_option
@click.option("--state", type=click.Choice(job_queue.JOB_STATES), help="Only those that are in this state.")
@click.option("--most", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="At most so many.")
def list_jobs(folder: Path, state: str | None, most: int) -> None:
    """List jobs by their date; finished ones are kept for a while."""
    with open_site_folder(folder) as site, site.work(read=True) as work:
        found = job_queue.list_jobs(work.tx, state or "", most)
    rows = [
        (str(job.id), job.state, job.kind, format_iso(job.due), str(job.attempts), orjson.dumps(job.arguments).decode(),
         " ".join(job.last_error.split()))
        for job in found
    ]  # fmt: skip
    click.echo(format_table(_HEADING, rows))


@command.command("retry")
@click.argument("numbers", type=int, nargs=-1, metavar="[ID]...")
@site_option
@click.option("--failed", is_flag=True, help="All that were given up.")
def retry_jobs(numbers: tuple[int, ...], folder: Path, failed: bool) -> None:
    """Retry jobs at once, with all their attempts: failed ones, or waiting ones ahead of their date."""
    if bool(numbers) == failed:
        raise click.UsageError("name jobs by their ID, or all that were given up with --failed")
    with open_site_folder(folder) as site, site.work() as work:
        if failed:
            numbers = tuple(job.id for job in job_queue.list_jobs(work.tx, "failed"))
        unknown = [number for number in numbers if not job_queue.retry_job(work.tx, number, work.now)]
    for number in unknown:
        click.echo(f"There is no waiting or failed job {number}; `vetrina jobs list` shows those that are.", err=True)
    click.echo(f"{len(numbers) - len(unknown)} jobs are tried again.")
    if unknown:
        raise SystemExit(1)


@command.command("run")
@site_option
def run_due_jobs(folder: Path) -> None:
    """Run the jobs that are due now, here, and exit; a running consumer does not interfere."""
    with open_site_folder(folder) as site:
        tried = job_runner.build_consumer(site.context, site.database).run_due_jobs()
    click.echo(f"{tried} jobs were tried.")
