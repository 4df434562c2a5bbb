"""How commands are told what they read: a site's address, a folder of an export; and with which credentials.

No password is an argument, which every program of the machine could read: it is asked at the terminal, or read from a
file or the environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from vetrina.transfer.comparable_source import ComparableSource
from vetrina.transfer.records import SkippedRecord, SourceError
from vetrina.transfer.sources.address.http_connection import SourceCredentials
from vetrina.transfer.sources.address.open_address import open_address
from vetrina.transfer.sources.folder import FolderSource

F = TypeVar("F", bound=Callable[..., Any])


def add_credential_options(side: str = "") -> Callable[[F], F]:
    """Return what adds the options that say as whom an address is read to a command, as `login` and `auth_file`.

    side: `a` or `b` where a command reads two; the options and their values begin with it then.
    """
    option, name, whose = (f"--{side}-", f"{side}_", f"{side.upper()}'s") if side else ("--", "", "the site's")
    login = click.option(
        f"{option}login", f"{name}login", metavar="LOGIN",
        help=f"The login of {whose} account; its application password is asked for.",
    )  # fmt: skip
    file = click.option(
        f"{option}auth-file", f"{name}auth_file", metavar="FILE",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help=f"A file with LOGIN:APPLICATION PASSWORD of {whose} account in its first line and, where the shop has "
        f"them, CONSUMER KEY:SECRET in the second; also read from {_name_variable(side, 'AUTH')} and "
        f"{_name_variable(side, 'SHOP_KEY')}.",
    )  # fmt: skip
    return lambda command: login(file(command))


def add_pace_options(command: F) -> F:
    """Add the options that say how an address is read, as `allow_private`, `parallel` and `rate`."""
    for option in (
        click.option(
            "--rate", type=click.FloatRange(0), default=0, metavar="NUMBER",
            help="Requests a second at most; any number by default.",
        ),
        click.option(
            "--parallel", type=click.IntRange(1, 32), default=4, show_default=True, help="Requests at once.",
        ),
        click.option(
            "--allow-private", is_flag=True,
            help="Read a site of your own network or machine, on any port.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def read_credentials(side: str, login: str | None, file: Path | None) -> SourceCredentials:
    """Return the credentials for an address, from a file, the terminal, or the environment.

    side: as in `add_credential_options`. Raises UsageError.
    """
    if file is not None:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        account, keys = [*lines, "", ""][:2]
        return _parse(account, keys, str(file))
    keys = os.environ.get(_name_variable(side, "SHOP_KEY"), "")
    if login is not None:
        password = click.prompt(f"Application password of {login}", hide_input=True, err=True)
        return _parse(f"{login}:{password}", keys, "--login")
    variable = _name_variable(side, "AUTH")
    return _parse(os.environ.get(variable, ""), keys, variable)


def _name_variable(side: str, what: str) -> str:
    return f"VETRINA_{side.upper() or 'SOURCE'}_{what}"


def _parse(account: str, keys: str, where: str) -> SourceCredentials:
    """Return the credentials of two pairs, either of which may be empty. Raises UsageError."""
    if any(pair and ":" not in pair for pair in (account, keys)):
        raise click.UsageError(f"{where} has no colon between a login and its application password, or a key and its "
                               "secret; write LOGIN:PASSWORD")  # fmt: skip
    login, _, password = account.partition(":")
    key, _, secret = keys.partition(":")
    return SourceCredentials(login.strip(), password.strip(), key.strip(), secret.strip())


def is_address(place: str) -> bool:
    """Return whether a place of the command line is an address rather than a folder."""
    return "://" in place


def open_source(
    place: str,
    credentials: SourceCredentials,
    *,
    allow_private: bool,
    parallel: int,
    rate: float,
    report_skipped: Callable[[SkippedRecord], None],
    revisions: bool = False,
) -> ComparableSource:
    """Return the source at an address, or in a folder. revisions: whether an address gives them. Raises SourceError."""
    if is_address(place):
        return open_address(
            place, credentials, allow_private=allow_private, parallel=parallel, rate=rate,
            report_skipped=report_skipped, revisions=revisions,
        )  # fmt: skip
    if not Path(place).is_dir():
        raise SourceError(f"{place} is neither an address that begins with https:// nor anything on this machine")
    return FolderSource(Path(place))


def tell_skipped(skipped: SkippedRecord) -> None:
    """Print that a record could not be read."""
    which = f"the record {skipped.id}" if skipped.id else f"the record at position {skipped.position}"
    click.echo(f"skipped: {which} of {skipped.resource}: {skipped.reason}", err=True)
