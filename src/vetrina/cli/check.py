"""`vetrina check`: whether what is stored fits together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from vetrina.domain import integrity
from vetrina.domain.media import orphans
from vetrina.domain.work import Work

from .site_folder import opened, site_option

__all__ = ["command"]

_MOST = 20  # findings of one kind that are written out


@click.command("check")
@site_option
@click.option("--repair", is_flag=True, help="First remove files that belong to no record and are older than an hour.")
def command(folder: Path, repair: bool) -> None:
    """Look for damage in a site's data; it may be served meanwhile.

    The exit status is 1 when something is wrong.
    """
    wrong = 0
    if repair:
        _swept(folder)
    with opened(folder) as site, site.work(read=True) as work:
        for rule in integrity.RULES:
            found = _findings(rule, work)
            shown = list(islice(found, _MOST))
            more = sum(1 for _ in found)
            wrong += len(shown) + more
            click.echo(f"{'ok   ' if not shown else 'WRONG'}  {rule.says}")
            for line in shown:
                click.echo(f"       - {line}")
            if more:
                click.echo(f"       and {more} more")
    if wrong:
        faults = "1 fault" if wrong == 1 else f"{wrong} faults"
        raise click.ClickException(f"{faults} found in {folder}; put a backup back, or mend what is named above")
    click.echo("Everything fits together.")


def _swept(folder: Path) -> None:
    with opened(folder) as site:
        with site.work(read=True) as work:
            names = list(orphans.orphans(work))
        for name in names[:_MOST]:
            click.echo(f"       - {name}")
        gone = orphans.sweep(site.frame, names)
    click.echo(f"Removed {gone} {'file' if gone == 1 else 'files'} that belonged to no record.")


def _findings(rule: integrity.Rule, work: Work) -> Iterator[str]:
    """Return what breaks a rule, which includes that it cannot be looked at."""
    try:
        yield from rule.broken(work)
    except sqlite3.DatabaseError as error:
        yield f"this cannot be looked at: {error}"
