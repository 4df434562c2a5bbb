"""`vetrina connector-lock`: ties the connector's tokens to the site's URL while its database is copied."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.connector.connection import token_lock

from .site_folder import open_site_folder, site_option

_HOUR = 3600


@click.command("connector-lock")
@click.option("--hours", type=click.IntRange(0, 24 * 30), default=24, show_default=True, help="0: take the lock away.")
@site_option
def command(hours: int, folder: Path) -> None:
    """Lock the tokens of the connector to the site's URL for some hours.

    A copy of the database that is opened at another URL finds no tokens; the site itself is not affected.
    """
    with open_site_folder(folder) as site, site.work() as work:
        if hours:
            token_lock.lock_tokens(work, hours * _HOUR)
        else:
            token_lock.unlock_tokens(work)
    click.echo(f"The tokens are locked for {hours} hours." if hours else "The tokens are not locked.")
