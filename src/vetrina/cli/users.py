"""`vetrina user`: accounts, as whoever runs the machine sees them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vetrina.access.users import listing as user_listing
from vetrina.access.users import rules as users
from vetrina.access.users.listing import Filters
from vetrina.access.users.model import User
from vetrina.access.users.rights import check_roles
from vetrina.access.users.text_rules import good_login
from vetrina.cli.text_tables import aligned
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import readable_password
from vetrina.kernel.times import iso
from vetrina.rest.coercion import string_fault

from .site_folder import opened, site_option

__all__ = ["account", "command"]

_PAGE = 500  # accounts that are read at once

from_stdin = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input; by default one is made and shown."
)


@click.group("user")
def command() -> None:
    """Add and list accounts, set passwords."""


@command.command("add")
@click.argument("login")
@site_option
@click.option("--email", required=True, help="The account's e-mail address.")
@click.option("--role", help="Its role; the profile's default role when left out.")
@click.option("--name", default="", help="The name that others see; the login when left out.")
@from_stdin
def add(login: str, folder: Path, email: str, role: str | None, name: str, password_stdin: bool) -> None:
    """Add an account with a password for people."""
    if not good_login(login):
        raise click.UsageError(f"the login {login!r} is not allowed: letters, digits, single blanks and _ . - @")
    if string_fault(email, "email", (), "email", "", None, None):
        raise click.UsageError(f"{email!r} is no e-mail address")
    password, shown = _password(password_stdin)
    with opened(folder) as site, site.work() as work:
        roles = (role or work.frame.profile.default_role,)
        check_roles(work, roles, None)
        made = users.create(work, login, email, roles=roles, name=name, password=password)
    click.echo(f"The account {made.login} is made, with the number {made.id} and the role {roles[0]}.{shown}")


@command.command("list")
@site_option
def listed(folder: Path) -> None:
    """List the accounts: number, login, e-mail address, roles, since when."""
    rows: list[tuple[str, ...]] = []
    with opened(folder) as site, site.work(read=True) as work:
        while True:
            filters = Filters(order_by="id", size=_PAGE, skipped=len(rows))
            found, total = user_listing.found(work, filters)
            rows += [(str(u.id), u.login, u.email, ", ".join(u.roles), iso(u.registered)[:10]) for u in found]
            if len(rows) >= total:
                break
    click.echo(aligned(("id", "login", "email", "roles", "since"), rows))


@command.command("password")
@click.argument("login")
@site_option
@from_stdin
def password(login: str, folder: Path, password_stdin: bool) -> None:
    """Give an account a new password for people; its application passwords stay."""
    new, shown = _password(password_stdin)
    with opened(folder) as site, site.work() as work:
        users.change(work, account(work, login), password=new)
    click.echo(f"The password of {login} is changed.{shown}")


def account(work: Work, login: str) -> User:
    """Return the account with a login or e-mail address. Raises click.ClickException when there is none."""
    found = users.by_login_or_email(work.tx, login, users.has_shop(work.frame))
    if found is None:
        raise click.ClickException(f"there is no account {login!r}; `vetrina user list` shows those that are")
    return found


def _password(from_stdin: bool) -> tuple[str, str]:
    """Return a password and what to say of it."""
    if not from_stdin:
        made = readable_password()
        return made, f" Its password, shown only now: {made}"
    given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise click.UsageError("--password-stdin: there is no password on standard input")
    return given, ""
