"""`vetrina audit`: who did what on a site, from where, for its operator."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vetrina.access.audit import csv_files, listing
from vetrina.access.audit.listing import AuditQuery
from vetrina.access.audit.model import ACTIONS, AuditEntry
from vetrina.access.users.rules import find_user_by_login
from vetrina.cli.text_tables import format_table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import MalformedDateTime, format_iso, load_time_zone, parse_date_time

from .site_folder import open_site_folder, site_option

_HEADING = ("date (GMT)", "account", "from", "action", "what", "title", "changes")
_GMT = load_time_zone("UTC")


@click.command("audit")
@site_option
@click.option("--account", metavar="LOGIN|ID", help="Only what this account did; the ID of one that is gone.")
@click.option("--kind", "kinds", multiple=True, help="Only what was done to this kind, such as user, option, order.")
@click.option("--action", "actions", multiple=True, type=click.Choice(ACTIONS), help="Only this action.")
@click.option("--since", metavar="DATE", help="Only what was done from this date on, in GMT.")
@click.option("--search", default="", metavar="TEXT", help="Only what has this in login, address, item or title.")
@click.option("--most", type=click.IntRange(1), metavar="N", help="At most so many; 100 without --csv.")
@click.option(
    "--csv", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write CSV to a file; - is stdout."
)
def command(
    folder: Path, account: str | None, kinds: tuple[str, ...], actions: tuple[str, ...], since: str | None, search: str,
    most: int | None, file: Path | None,
) -> None:  # fmt: skip
    """Show the audit trail, the newest first: who signed in, changed rights, settings, keys, orders, removed what."""
    after = None if since is None else _parse_date(since) - 1
    with open_site_folder(folder) as site, site.work(read=True) as work:
        accounts = () if account is None else (_find_account(work, account),)
        query = AuditQuery(account=accounts, kind=kinds, action=actions, after=after, search=search)
        if file is None:
            rows = [_format_row(one) for one in listing.iterate_entries(work, query, most or 100)]
            click.echo(format_table(_HEADING, rows))
            return
        entries = listing.iterate_entries(work, query, most)
        if str(file) == "-":
            csv_files.write_entries(sys.stdout, entries)
            return
        with file.open("w", encoding="utf-8", newline="") as out:
            count = csv_files.write_entries(out, entries)
    click.echo(f"{count} entries are in {file}.")


def _find_account(work: UnitOfWork, text: str) -> int:
    if text.isascii() and text.isdecimal():
        return int(text)
    found = find_user_by_login(work.tx, text)
    if found is None:
        raise click.UsageError(f"there is no account {text!r}; of one that is gone give the ID")
    return found.id


def _parse_date(text: str) -> int:
    try:
        return _GMT.resolve_local(parse_date_time(text if "T" in text else f"{text}T00:00:00"))[1]
    except MalformedDateTime:
        raise click.UsageError(f"{text!r} is no date; write YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS") from None


def _format_row(one: AuditEntry) -> tuple[str, ...]:
    who = one.login or one.source
    return (
        format_iso(one.at), who, one.address, one.action, f"{one.kind} {one.item}", one.title,
        csv_files.format_changes(one),
    )  # fmt: skip
