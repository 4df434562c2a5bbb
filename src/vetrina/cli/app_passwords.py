"""`vetrina app-password`: the keys by which programs act as an account."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.cli.text_tables import aligned
from vetrina.kernel.times import iso

from .site_folder import opened, site_option
from .users import account

__all__ = ["command"]


@click.group("app-password")
def command() -> None:
    """Make, list and revoke application passwords."""


@command.command("create")
@click.argument("login")
@click.argument("name")
@site_option
def create(login: str, name: str, folder: Path) -> None:
    """Make an application password for the account LOGIN; NAME says for which program."""
    with opened(folder) as site, site.work() as work:
        made, password = app_passwords.create(work, account(work, login).id, name.strip())
    click.echo(f"The application password {made.uuid} of {login} is made; it is shown only now:")
    click.echo(password)


@command.command("list")
@click.argument("login")
@site_option
def listed(login: str, folder: Path) -> None:
    """List the application passwords of the account LOGIN, without the passwords."""
    with opened(folder) as site, site.work(read=True) as work:
        items = app_passwords.of_account(work.tx, account(work, login).id)
    rows = [
        (item.uuid, iso(item.created)[:10], iso(item.last_used)[:10] if item.last_used else "never", item.name)
        for item in items
    ]
    click.echo(aligned(("uuid", "made", "last used", "name"), rows))


@command.command("revoke")
@click.argument("login")
@click.argument("uuid")
@site_option
def revoke(login: str, uuid: str, folder: Path) -> None:
    """Revoke an application password; programs that use it are refused from now on."""
    with opened(folder) as site, site.work() as work:
        item = app_passwords.by_uuid(work.tx, account(work, login).id, uuid)
        if item is None:
            raise click.ClickException(f"{login} has no application password {uuid!r}; `app-password list` shows them")
        app_passwords.revoke(work, item)
    click.echo(f"The application password {item.name!r} of {login} is revoked.")
