"""`vetrina shop-key`: the keys by which programs run the shop as an account."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.cli.text_tables import aligned
from vetrina.kernel.times import iso
from vetrina.shop.keys import rules as keys

from .site_folder import opened, site_option
from .users import account

__all__ = ["command"]


@click.group("shop-key")
def command() -> None:
    """Make, list and revoke consumer keys of the shop."""


@command.command("create")
@click.argument("login")
@click.option(
    "--permissions", type=click.Choice(keys.PERMISSIONS), default="read_write", show_default=True,
    help="What the key may do.",
)  # fmt: skip
@click.option("--description", default="", help="What the key is for.")
@site_option
def create(login: str, permissions: str, description: str, folder: Path) -> None:
    """Make a consumer key that acts as the account LOGIN."""
    with opened(folder) as site, site.work() as work:
        made, key, secret = keys.create(work, account(work, login).id, permissions, description.strip())
    click.echo(f"The key {made.id} of {login} is made; it is shown only now:")
    click.echo(f"consumer key     {key}")
    click.echo(f"consumer secret  {secret}")


@command.command("list")
@site_option
def listed(folder: Path) -> None:
    """List the consumer keys, without their secrets."""
    with opened(folder) as site, site.work(read=True) as work:
        found = keys.listed(work)
    rows = [
        (
            str(key.id), f"…{key.tail}", key.permissions, str(key.account), iso(key.created)[:10],
            iso(key.last_used)[:10] if key.last_used else "never", key.description,
        )
        for key in found
    ]  # fmt: skip
    click.echo(aligned(("id", "key", "permissions", "account", "made", "last used", "description"), rows))


@command.command("revoke")
@click.argument("id", type=int)
@site_option
def revoke(id: int, folder: Path) -> None:
    """Revoke a consumer key; programs that use it are refused from now on."""
    with opened(folder) as site, site.work() as work:
        if not keys.revoke(work, id):
            raise click.ClickException(f"there is no key {id}; `shop-key list` shows them")
    click.echo(f"The key {id} is revoked.")
