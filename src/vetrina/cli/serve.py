"""`vetrina serve`: a site of a folder, or a throw-away one, behind as many workers as wanted."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click
import msgspec

from vetrina.http import graceful_restart, log_lines
from vetrina.http import workers as run
from vetrina.http.shared_memory import run_folder
from vetrina.http.test_control import ROOT
from vetrina.kernel.keys import random_key, readable_password
from vetrina.settings import Profile, Settings, load_profile, parse_sets, read_settings
from vetrina.site import open_site, stand_in
from vetrina.system.bootstrap import Account

from .consumer_process import consumer_beside
from .site_folder import own_line, set_option, site_option, terminable, write_settings

__all__ = ["command"]

_APPLICATION = "vetrina.site:application"
_LOOK = 1.0  # seconds between two looks whether the parent is alive


@click.command("serve")
@site_option
@click.option("--profile", metavar="NAME", help="A built-in profile's name, or the path of a TOML file.")
@click.option(
    "--dialect", "dialects", multiple=True, metavar="NAME",
    help="A dialect that the site answers beside those of its profile, as in `--dialect wordpress`; may be repeated.",
)  # fmt: skip
@click.option("--host", metavar="ADDRESS", help="Address to listen on; otherwise that of the settings.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to listen on, 0 for a free one; otherwise that of the settings.",
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes that answer; otherwise as the settings say."
)
@click.option("--log", type=click.Choice(log_lines.LEVELS), help="What is logged; debug has a line for every request.")
@click.option("--ephemeral", is_flag=True, help="Serve a throw-away site that is empty but for its accounts.")
@click.option(
    "--users",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --ephemeral: the accounts, a JSON list of {login, role, email, application_password, password, name}.",
)
@click.option(
    "--control", is_flag=False, flag_value="", metavar="[KEY]",
    help="With --ephemeral: let tests put the site back to its start and set its clock; without KEY one is made.",
)  # fmt: skip
@click.option("--parent", type=int, metavar="PID", help="Stop when this process, which started it, is gone.")
@set_option
def command(
    folder: Path,
    profile: str | None,
    dialects: tuple[str, ...],
    host: str | None,
    port: int | None,
    workers: int | None,
    log: str | None,
    ephemeral: bool,
    users: Path | None,
    control: str | None,
    parent: int | None,
    sets: tuple[str, ...],
) -> None:
    """Serve a site until Ctrl-C (or SIGTERM); requests that have begun are finished.

    On SIGHUP it starts anew, with the code and the settings that are there now, and no request fails meanwhile.

    Examples:

    \b
      vetrina serve --site ./shop-site --port 8001
      vetrina serve --ephemeral --users users.json --profile first
      vetrina serve --ephemeral --control
      vetrina serve --dialect wordpress
    """
    if users is not None and not ephemeral:
        raise click.UsageError("--users is for the throw-away site of --ephemeral; a site in a folder has its own")
    if control is not None and not ephemeral:
        raise click.UsageError("--control is for the throw-away site of --ephemeral; a site in a folder keeps its data")
    if control is not None and (workers or 1) > 1:
        raise click.UsageError("--control puts one worker back to its start; leave --workers out")
    if parent is not None:
        if os.getppid() != parent:
            raise click.UsageError(f"--parent {parent}: this process was started by {os.getppid()}; name that one")
        threading.Thread(target=_stop_after, args=(parent,), daemon=True).start()
    options = {"profile": profile, "host": host, "port": port, "workers": workers, "log": log}
    sets += tuple(own_line(name, value) for name, value in options.items() if value is not None)
    if dialects:
        sets += (_spoken(None if ephemeral else folder, sets, dialects),)
    if not ephemeral:
        # Left over from elsewhere, it would cost this site's writes their safety.
        os.environ.pop("VETRINA_EPHEMERAL", None)
        site = open_site(folder, sets)
        site.close()
        if graceful_restart.looking_only():
            return
        raise SystemExit(_answer(folder, site.frame.settings, site.frame.profile, sets))
    made_key = ""
    if control is not None:
        # Programs hand the key over by the environment: the words of a command are for all to see.
        control = control or os.environ.get("VETRINA_CONTROL") or (made_key := random_key())
        sets += (own_line("workers", 1),)
    with terminable(), _throw_away(sets, users) as (made, settings, chosen, lines):
        # Whatever the environment says: a throw-away site never writes into another's database.
        sets += ('database=""',)
        os.environ["VETRINA_EPHEMERAL"] = "1"
        os.environ["VETRINA_CONTROL"] = control or ""
        if made_key:
            lines.append(f"Its control is beneath {ROOT} with the key: {made_key}")
        status = _answer(made, settings, chosen, sets, lines)
    raise SystemExit(status)


def _stop_after(parent: int) -> None:
    """Stop this process in order when its parent has ended, however it did."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)


def _answer(folder: Path, settings: Settings, profile: Profile, sets: Sequence[str], lines: Sequence[str] = ()) -> int:
    """Serve until the stop and return the exit status; lines: what to say besides the address."""
    if settings.log not in log_lines.LEVELS:
        raise click.UsageError(f"log: {settings.log!r} is none of {', '.join(log_lines.LEVELS)}")
    try:
        host, port = run.claim(settings.host, settings.port)
    except run.CannotListen as error:
        raise click.ClickException(str(error)) from None
    os.environ["VETRINA_SITE"] = str(folder.absolute())
    told = (*sets, own_line("port", port))
    os.environ["VETRINA_SET"] = "\n".join(told)
    root = f"http://{run.reachable(host)}:{port}/{profile.default_language}/cms-json/"
    also = [f"It speaks {', '.join(profile.dialects)}"] if profile.dialects != ("neutral",) else []
    ready = _sayer([f"Vetrina answers at {root} (Ctrl-C stops it)", *also, *lines])
    # A throw-away site carries its jobs out in a worker.
    throw_away = "VETRINA_EPHEMERAL" in os.environ
    with run_folder(inherited=graceful_restart.handed() is not None) as shared:
        with nullcontext() if throw_away else consumer_beside(folder.absolute(), told):
            status = run.serve(_APPLICATION, host, port, settings, folder=shared, ready=ready, renewable=not throw_away)
        if status == run.RENEW:
            graceful_restart.take_place()
    return status


def _spoken(folder: Path | None, sets: Sequence[str], dialects: Sequence[str]) -> str:
    """Return the setting of a site's dialects: those of its profile, and these."""
    for_settings, for_profile = parse_sets(sets)
    profile = load_profile(read_settings(folder, for_settings).profile, for_profile)
    return own_line("dialects", list(dict.fromkeys((*profile.dialects, *dialects))))


def _sayer(lines: Sequence[str]) -> Callable[[], None]:
    return lambda: click.echo("\n".join(lines))


@contextmanager
def _throw_away(sets: Sequence[str], users: Path | None) -> Iterator[tuple[Path, Settings, Profile, list[str]]]:
    """Make a throw-away site for the time of the context: its folder, settings, profile, and what to say of it."""
    for_settings, for_profile = parse_sets(sets)
    settings = msgspec.structs.replace(read_settings(None, for_settings), database="")
    profile = load_profile(settings.profile, for_profile)
    lines = []
    if users is None:
        password = readable_password()
        accounts = [Account("admin", "administrator", application_password=password)]
        lines.append(f"Its administrator is admin with the application password: {password}")
    else:
        accounts = _accounts(users, profile)
    folder = Path(tempfile.mkdtemp(prefix="vetrina-"))
    try:
        site = stand_in(profile, accounts, folder, settings)
        site.close()
        write_settings(folder, {"secret": site.frame.settings.secret})
        yield folder, settings, profile, lines
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _accounts(path: Path, profile: Profile) -> list[Account]:
    """Return the accounts of a users file. Raises click.UsageError for one that cannot be used."""
    try:
        accounts = msgspec.json.decode(path.read_bytes(), type=list[Account])
    except msgspec.MsgspecError as error:
        raise click.UsageError(f'{path}: {error}; write a list as [{{"login": "admin", "role": …}}]') from None
    for account in accounts:
        if account.role not in profile.roles:
            known = ", ".join(profile.roles)
            raise click.UsageError(f"{path}: {account.login!r} has the unknown role {account.role!r}; known: {known}")
    return accounts
