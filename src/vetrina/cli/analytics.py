"""`vetrina analytics`: compares the tables of reports with the orders, and rebuilds them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetrina.analytics.facts import integrity_rules as fact_integrity, rebuilding
from vetrina.analytics.rollups import jobs as rollup_jobs, stale_rollups

from .site_folder import open_site_folder, site_option

if TYPE_CHECKING:
    from vetrina.site import Site


_MAX_WRITTEN = 50  # differences that are listed
_ROLLUP_BATCH = 100  # days and months of one transaction


@click.group("analytics")
def command() -> None:
    """Check and rebuild the reports of a shop; the site may be served meanwhile."""


@command.command("check")
@site_option
@click.option("--repair/--no-repair", default=True, show_default=True, help="Mend what differs.")
def check_reports(folder: Path, repair: bool) -> None:
    """Compare the tables of reports with the orders, list every difference and repair it.

    The exit status is 1 when something differed and was not repaired.
    """
    found: list[str] = []
    with open_site_folder(folder) as site:
        with site.work(read=True) as work:
            parts = [
                *fact_integrity.iterate_order_ids(work),
                *([one.order] for one in fact_integrity.list_stray_rows(work)),
            ]
            total = sum(len(part) for part in parts)
        with click.progressbar(length=total, label="Orders", show_pos=True) as bar:
            for part in parts:
                found += _compare_orders(site, part, repair)
                bar.update(len(part))
        with site.work() as work:
            found += stale_rollups.drop_stale_rollups(work)
    for line in found[:_MAX_WRITTEN]:
        click.echo(f"- {line}")
    if len(found) > _MAX_WRITTEN:
        click.echo(f"and {len(found) - _MAX_WRITTEN} more")
    if not found:
        click.echo(f"The reports say what the {total} orders say.")
    elif repair:
        click.echo(f"{len(found)} differences were mended.")
    else:
        raise click.ClickException(f"{len(found)} differences; leave --no-repair out to mend them")


class _ComparisonRollback(Exception):
    """Rolls back the transaction of a comparison."""


def _compare_orders(site: Site, part: list[int], repair: bool) -> list[str]:
    found: list[fact_integrity.FactDifference] = []
    try:
        with site.work() as work:
            found = fact_integrity.list_differences(work, part)
            wrong = sorted({one.order for one in found})
            if not wrong or not repair:
                # Comparing recomputes some values; where nothing is to be repaired nothing is written.
                raise _ComparisonRollback
            fact_integrity.repair_facts(work, wrong)
    except _ComparisonRollback:
        pass
    return [f"order {one.order}: {one.what}" for one in found]


@command.command("rebuild")
@site_option
@click.option("--days", type=click.IntRange(0), help="Only the orders of so many days.")
@click.option("--again", is_flag=True, help="Start over, where one was stopped.")
def rebuild_reports(folder: Path, days: int | None, again: bool) -> None:
    """Rebuild the tables of reports from the orders; an interrupted rebuild is continued."""
    with open_site_folder(folder) as site:
        with site.work() as work:
            held = rebuilding.load_progress(work)
            if held.running and not again:
                click.echo(f"Going on after {held.orders} of {held.of_orders} orders.")
            else:
                rebuilding.cancel_rebuild(work)
                held = rebuilding.start_rebuild(work, days, by_job=False) or held
        with click.progressbar(length=held.of_orders, label="Orders", show_pos=True) as bar:
            bar.update(held.orders)
            while held.running:
                with site.work() as work:
                    before, held = held, rebuilding.run_rebuild_step(work, rebuilding.PART)
                bar.update(held.orders - before.orders)
        done = _ROLLUP_BATCH
        while done == _ROLLUP_BATCH:
            with site.work() as work:
                done = rollup_jobs.save_missing_rollups(work, _ROLLUP_BATCH)
    click.echo(f"The reports are made of {held.orders} orders.")
