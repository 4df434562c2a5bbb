"""`vetrina app-password`: application passwords, with which programs act as an account."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.cli.text_tables import format_table
from vetrina.kernel.times import format_iso

from .site_folder import open_site_folder, site_option
from .users import get_account


@click.group("app-password")
def command() -> None:
    """Create, list and revoke application passwords."""


@command.command("create")
@click.argument("login")
@click.argument("name")
@site_option
def create_app_password(login: str, name: str, folder: Path) -> None:
    """Create an application password for the account LOGIN; NAME says for which program."""
    with open_site_folder(folder) as site, site.work() as work:
        made, password = app_passwords.create_app_password(work, get_account(work, login).id, name.strip())
    click.echo(f"The application password {made.uuid} of {login} is made; it is shown only now:")
    click.echo(password)


@command.command("list")
@click.argument("login")
@site_option
def list_app_passwords(login: str, folder: Path) -> None:
    """List the application passwords of the account LOGIN, without the passwords."""
    with open_site_folder(folder) as site, site.work(read=True) as work:
        items = app_passwords.list_app_passwords(work.tx, get_account(work, login).id)
    rows = [
        (
            item.uuid,
            format_iso(item.created)[:10],
            format_iso(item.last_used)[:10] if item.last_used else "never",
            item.name,
        )
        for item in items
    ]
    click.echo(format_table(("uuid", "made", "last used", "name"), rows))


@command.command("revoke")
@click.argument("login")
@click.argument("uuid")
@site_option
def revoke_app_password(login: str, uuid: str, folder: Path) -> None:
    """Revoke an application password; programs that use it are refused from now on."""
    with open_site_folder(folder) as site, site.work() as work:
        item = app_passwords.find_app_password(work.tx, get_account(work, login).id, uuid)
        if item is None:
            raise click.ClickException(f"{login} has no application password {uuid!r}; `app-password list` shows them")
        app_passwords.revoke_app_password(work, item)
    click.echo(f"The application password {item.name!r} of {login} is revoked.")
