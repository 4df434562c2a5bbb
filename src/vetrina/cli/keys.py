"""`vetrina keys`: the keys that sign access tokens."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.access.tokens import signing_keys, store
from vetrina.cli.text_tables import format_table
from vetrina.kernel.times import format_iso

from .site_folder import open_site_folder, site_option


@click.group("keys")
def command() -> None:
    """List and rotate the keys that sign access tokens."""


@command.command("list")
@site_option
def list_keys(folder: Path) -> None:
    """List the keys by name, without the keys: that which signs, and those that still verify."""
    with open_site_folder(folder) as site, site.work(read=True) as work:
        keys = store.list_keys(work.tx)
    rows = [
        (one.kid, format_iso(one.created), "signs" if one.retired is None else f"until {format_iso(one.retired)}")
        for one in keys
    ]
    click.echo(format_table(("key", "made", "signs"), rows))


@command.command("rotate")
@click.option("--drop", is_flag=True, help="Delete earlier keys: what they signed is refused from now on.")
@site_option
def rotate_keys(drop: bool, folder: Path) -> None:
    """Let a new key sign access tokens from now on; those that were given stay valid until they run out."""
    with open_site_folder(folder) as site, site.work() as work:
        dropped = signing_keys.drop_signing_keys(work) if drop else 0
        made = signing_keys.rotate_signing_key(work)
    click.echo(f"The key {made.kid} signs from now on.")
    if drop:
        click.echo(f"{dropped} earlier keys are gone; front ends refresh their tokens.")
