"""`vetrina shop-key`: consumer keys, with which programs manage the shop as an account."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.cli.text_tables import format_table
from vetrina.kernel.times import format_iso
from vetrina.shop.keys import rules as keys

from .site_folder import open_site_folder, site_option
from .users import get_account


@click.group("shop-key")
def command() -> None:
    """Create, list and revoke consumer keys of the shop."""


@command.command("create")
@click.argument("login")
@click.option(
    "--permissions", type=click.Choice(keys.PERMISSIONS), default="read_write", show_default=True,
    help="What the key may do.",
)  # fmt: skip
@click.option("--description", default="", help="What the key is for.")
@site_option
def create_shop_key(login: str, permissions: str, description: str, folder: Path) -> None:
    """Create a consumer key that acts as the account LOGIN."""
    with open_site_folder(folder) as site, site.work() as work:
        made, key, secret = keys.create_consumer_key(
            work, get_account(work, login).id, permissions, description.strip()
        )
    click.echo(f"The key {made.id} of {login} is made; it is shown only now:")
    click.echo(f"consumer key     {key}")
    click.echo(f"consumer secret  {secret}")


@command.command("list")
@site_option
def list_shop_keys(folder: Path) -> None:
    """List the consumer keys, without their secrets."""
    with open_site_folder(folder) as site, site.work(read=True) as work:
        found = keys.list_consumer_keys(work)
    rows = [
        (
            str(key.id), f"…{key.tail}", key.permissions, str(key.account), format_iso(key.created)[:10],
            format_iso(key.last_used)[:10] if key.last_used else "never", key.description,
        )
        for key in found
    ]  # fmt: skip
    click.echo(format_table(("id", "key", "permissions", "account", "made", "last used", "description"), rows))


@command.command("revoke")
@click.argument("id", type=int)
@site_option
def revoke_shop_key(id: int, folder: Path) -> None:
    """Revoke a consumer key; programs that use it are refused from now on."""
    with open_site_folder(folder) as site, site.work() as work:
        if not keys.revoke_consumer_key(work, id):
            raise click.ClickException(f"there is no key {id}; `shop-key list` shows them")
    click.echo(f"The key {id} is revoked.")
