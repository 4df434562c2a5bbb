"""`vetrina analytics`: whether the tables of reports say what the orders say, and making them anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetrina.analytics.facts import checks as fact_checks
from vetrina.analytics.facts import rebuilding
from vetrina.analytics.rollups import jobs as rollup_jobs

from .site_folder import opened, site_option

if TYPE_CHECKING:
    from vetrina.site import Site

__all__ = ["command"]

_MOST = 50  # differences that are written out
_KEPT = 100  # days and months of one transaction


@click.group("analytics")
def command() -> None:
    """Look after the reports of a shop; the site may be served meanwhile."""


@command.command("check")
@site_option
@click.option("--repair/--no-repair", default=True, show_default=True, help="Mend what differs.")
def check(folder: Path, repair: bool) -> None:
    """Compare the tables of reports with the orders, name every difference and mend it.

    The exit status is 1 when something differed and was not mended.
    """
    found: list[str] = []
    with opened(folder) as site:
        with site.work(read=True) as work:
            parts = [*fact_checks.parts(work), *([one.order] for one in fact_checks.strays(work))]
            total = sum(len(part) for part in parts)
        with click.progressbar(length=total, label="Orders", show_pos=True) as bar:
            for part in parts:
                found += _compared(site, part, repair)
                bar.update(len(part))
        with site.work() as work:
            stale = rollup_jobs.stale(work)
            found += stale
    for line in found[:_MOST]:
        click.echo(f"- {line}")
    if len(found) > _MOST:
        click.echo(f"and {len(found) - _MOST} more")
    if not found:
        click.echo(f"The reports say what the {total} orders say.")
    elif repair:
        click.echo(f"{len(found)} differences were mended.")
    else:
        raise click.ClickException(f"{len(found)} differences; leave --no-repair out to mend them")


class _LeaveAsItIs(Exception):
    """Undoes the transaction in which two things were compared."""


def _compared(site: Site, part: list[int], repair: bool) -> list[str]:
    found: list[fact_checks.Difference] = []
    try:
        with site.work() as work:
            found = fact_checks.differences(work, part)
            wrong = sorted({one.order for one in found})
            if not wrong or not repair:
                # Comparing counts some things anew; where nothing is to be mended nothing is written.
                raise _LeaveAsItIs
            fact_checks.repair(work, wrong)
    except _LeaveAsItIs:
        pass
    return [f"order {one.order}: {one.what}" for one in found]


@command.command("rebuild")
@site_option
@click.option("--days", type=click.IntRange(0), help="Only the orders of so many days.")
@click.option("--again", is_flag=True, help="Begin anew, where one was stopped.")
def rebuild(folder: Path, days: int | None, again: bool) -> None:
    """Make the tables of reports anew from the orders; one that was stopped is taken up where it was."""
    with opened(folder) as site:
        with site.work() as work:
            held = rebuilding.progress(work)
            if held.running and not again:
                click.echo(f"Going on after {held.orders} of {held.of_orders} orders.")
            else:
                rebuilding.cancel(work)
                held = rebuilding.start(work, days, by_job=False) or held
        with click.progressbar(length=held.of_orders, label="Orders", show_pos=True) as bar:
            bar.update(held.orders)
            while held.running:
                with site.work() as work:
                    before, held = held, rebuilding.step(work, rebuilding.PART)
                bar.update(held.orders - before.orders)
        done = _KEPT
        while done == _KEPT:
            with site.work() as work:
                done = rollup_jobs.keep_missing(work, _KEPT)
    click.echo(f"The reports are made of {held.orders} orders.")
