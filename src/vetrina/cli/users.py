"""`vetrina user`: accounts, for the operator."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vetrina.access.second_factors import removal
from vetrina.access.second_factors.model import NoSecondFactor
from vetrina.access.users import listing as user_listing, rules as users
from vetrina.access.users.listing import UserFilters
from vetrina.access.users.role_assignment import require_known_roles
from vetrina.access.users.text_rules import is_valid_login
from vetrina.cli.text_tables import format_table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.keys import generate_password
from vetrina.kernel.times import format_iso

from .site_folder import open_site_folder, site_option

_PAGE_SIZE = 500  # accounts that are read at once

from_stdin = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input; by default one is made and shown."
)


@click.group("user")
def command() -> None:
    """Add and list accounts, set passwords, remove second factors."""


@command.command("add")
@click.argument("login")
@site_option
@click.option("--email", required=True, help="The account's e-mail address.")
@click.option("--role", help="Its role; the profile's default role when left out.")
@click.option("--name", default="", help="The name that others see; the login when left out.")
@from_stdin
def create_account(login: str, folder: Path, email: str, role: str | None, name: str, password_stdin: bool) -> None:
    """Add an account with a password for signing in."""
    if not is_valid_login(login):
        raise click.UsageError(f"the login {login!r} is not allowed: letters, digits, single blanks and _ . - @")
    if not is_email_address(email):
        raise click.UsageError(f"{email!r} is no e-mail address")
    password, shown = _read_password(password_stdin)
    with open_site_folder(folder) as site, site.work() as work:
        roles = (role or work.site.profile.default_role,)
        require_known_roles(work, roles)
        made = users.create_user(work, login, email, roles=roles, name=name, password=password)
    click.echo(f"The account {made.login} is made, with the number {made.id} and the role {roles[0]}.{shown}")


@command.command("list")
@site_option
def list_accounts(folder: Path) -> None:
    """List the accounts: id, login, e-mail address, roles, date of registration."""
    rows: list[tuple[str, ...]] = []
    with open_site_folder(folder) as site, site.work(read=True) as work:
        while True:
            filters = UserFilters(orderby="id", limit=_PAGE_SIZE, offset=len(rows))
            found, total = user_listing.list_users(work, filters)
            rows += [(str(u.id), u.login, u.email, ", ".join(u.roles), format_iso(u.registered)[:10]) for u in found]
            if len(rows) >= total:
                break
    click.echo(format_table(("id", "login", "email", "roles", "since"), rows))


@command.command("password")
@click.argument("login")
@site_option
@from_stdin
def set_password(login: str, folder: Path, password_stdin: bool) -> None:
    """Set an account's password for signing in; its application passwords stay."""
    new, shown = _read_password(password_stdin)
    with open_site_folder(folder) as site, site.work() as work:
        users.update_user(work, get_account(work, login), password=new)
    click.echo(f"The password of {login} is changed.{shown}")


@command.command("remove-factors")
@click.argument("login")
@site_option
def remove_factors(login: str, folder: Path) -> None:
    """Remove an account's second factors: its password alone signs in then."""
    try:
        with open_site_folder(folder) as site, site.work() as work:
            removal.remove_all_factors(work, get_account(work, login))
    except NoSecondFactor:
        raise click.ClickException(f"{login} has no second factor") from None
    click.echo(f"The second factors of {login} are removed.")


def get_account(work: UnitOfWork, login: str) -> User:
    """Return the account with a login or e-mail address. Raises click.ClickException when there is none."""
    found = users.find_user_by_login(work.tx, login, work.site.roles)
    if found is None:
        raise click.ClickException(f"there is no account {login!r}; `vetrina user list` shows those that are")
    return found


def _read_password(from_stdin: bool) -> tuple[str, str]:
    """Return a password and a sentence about it."""
    if not from_stdin:
        made = generate_password()
        return made, f" Its password, shown only now: {made}"
    given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise click.UsageError("--password-stdin: there is no password on standard input")
    return given, ""
