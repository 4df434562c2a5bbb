"""`vetrina check`: whether the stored data is consistent, and repairing what can be repaired."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetrina.cli.text_tables import format_table
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.system.integrity_rules import RULES, find_rule

from .site_folder import open_site_folder, site_option

if TYPE_CHECKING:
    from vetrina.site import Site


_MAX_WRITTEN = 20  # findings of one rule that are listed


@click.command("check")
@site_option
@click.option("--repair", is_flag=True, help="Mend what breaks a rule that can be mended, then look again.")
@click.option("--only", "names", multiple=True, metavar="NAME", help="Look at one rule; may be repeated.")
@click.option("--list", "listing", is_flag=True, help="List the rules, and what is done about what breaks them.")
def command(folder: Path, repair: bool, names: tuple[str, ...], listing: bool) -> None:
    """Look for damage in a site's data; it may be served meanwhile.

    The exit status is 1 when something is wrong and was not repaired.
    """
    if listing:
        click.echo(format_table(("rule", "says", "what to do"), [(one.name, one.says, one.way) for one in RULES]))
        return
    rules = _select_rules(names)
    with open_site_folder(folder) as site:
        wrong = sum(_check_rule(site, rule, repair, at, len(rules)) for at, rule in enumerate(rules, 1))
        if not names:
            wrong += _check_replicas(site)
    if wrong:
        faults = "1 fault" if wrong == 1 else f"{wrong} faults"
        raise click.ClickException(f"{faults} found in {folder}; `vetrina check --list` says what to do about them")
    click.echo("Everything fits together.")


def _select_rules(names: Sequence[str]) -> Sequence[IntegrityRule]:
    for name in names:
        if find_rule(name) is None:
            raise click.UsageError(f"there is no rule {name!r}; `vetrina check --list` shows those that there are")
    return [one for one in RULES if not names or one.name in names]


def _check_rule(site: Site, rule: IntegrityRule, repair: bool, at: int, of: int) -> int:
    """Report whether a rule holds, repair violations where asked to, and return how many are left."""
    if sys.stderr.isatty():
        click.echo(f"{at}/{of}  {rule.says}\r", err=True, nl=False)
    wrong = _report_violations(site, rule)
    if wrong and repair and rule.repair is not None:
        with site.work() as work:
            rule.repair(work)
        click.echo("       mended:")
        wrong = _report_violations(site, rule)
    return wrong


def _check_replicas(site: Site) -> int:
    """Say how it is with the replicas of the database, and return how many cannot be read from."""
    states = site.replicas.check()
    for one in states:
        how = "cannot be read from" if one.fault else f"can be read from, {one.behind:.0f} seconds behind"
        click.echo(f"{'WRONG' if one.fault else 'ok   '}  {one.name} of the database {how}")
        if one.fault:
            click.echo(f"       - {one.fault}")
    return sum(bool(one.fault) for one in states)


def _report_violations(site: Site, rule: IntegrityRule) -> int:
    """Print the violations of a rule, a failing check included, and return how many there are."""
    shown: list[str] = []
    more = 0
    try:
        with site.work(read=True) as work:
            for line in rule.broken(work):
                if len(shown) < _MAX_WRITTEN:
                    shown.append(line)
                else:
                    more += 1
    except sqlite3.DatabaseError as error:
        # The end of the transaction fails just like its queries.
        shown.append(f"this cannot be looked at: {error}")
    click.echo(f"{'ok   ' if not shown else 'WRONG'}  {rule.says}")
    for line in shown:
        click.echo(f"       - {line}")
    if more:
        click.echo(f"       and {more} more")
    return len(shown) + more
