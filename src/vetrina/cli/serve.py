"""`vetrina serve`: a site of a folder, or a throw-away one, with any number of workers."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

import click
import msgspec

from vetrina.asgi import build_application
from vetrina.backends.site_folder import require_writable_site
from vetrina.http import graceful_restart, log_lines, workers as run
from vetrina.http.shared_memory import open_run_folder
from vetrina.http.test_control import CONTROL_ROOT
from vetrina.kernel.keys import generate_key, generate_password
from vetrina.profile_checks import load_sound_profile
from vetrina.settings import Profile, Settings, load_profile, load_settings, parse_sets
from vetrina.site_factory import create_stand_in_site, open_site
from vetrina.system.bootstrap import InitialAccount

from .consumer_process import run_consumer_process
from .site_folder import format_setting, settings_option, site_option, unwind_on_sigterm, write_settings

_POLL_INTERVAL = 1.0  # seconds between two checks whether the parent is alive


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
@click.option(
    "--log", type=click.Choice(log_lines.LOG_LEVELS), help="What is logged; debug has a line for every request."
)
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
@settings_option
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
    """Serve a site until Ctrl-C (or SIGTERM); running requests are finished.

    On SIGHUP it restarts, with the current code and settings, and no request fails meanwhile.

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
        threading.Thread(target=_stop_with_parent, args=(parent,), daemon=True).start()
    options = {"profile": profile, "host": host, "port": port, "workers": workers, "log": log}
    sets += tuple(format_setting(name, value) for name, value in options.items() if value is not None)
    if dialects:
        sets += (_build_dialect_setting(None if ephemeral else folder, sets, dialects),)
    if not ephemeral:
        # Inherited from elsewhere, it would make this site's writes unsafe.
        os.environ.pop("VETRINA_EPHEMERAL", None)
        require_writable_site(folder, load_settings(folder, parse_sets(sets)[0]))
        site = open_site(folder, sets)
        site.close()
        if graceful_restart.is_dry_run():
            return
        raise SystemExit(_serve_site(folder, site.context.settings, site.context.profile, sets))
    made_key = ""
    if control is not None:
        # Programs pass the key in the environment: command line arguments are visible to all.
        control = control or os.environ.get("VETRINA_CONTROL") or (made_key := generate_key())
        sets += (format_setting("workers", 1),)
    with unwind_on_sigterm(), _create_ephemeral_site(sets, users) as (made, settings, chosen, lines):
        # Whatever the environment says: a throw-away site never writes into another site's database.
        sets += ('database=""',)
        os.environ["VETRINA_EPHEMERAL"] = "1"
        os.environ["VETRINA_CONTROL"] = control or ""
        if made_key:
            lines.append(f"Its control is beneath {CONTROL_ROOT} with the key: {made_key}")
        status = _serve_site(made, settings, chosen, sets, lines)
    raise SystemExit(status)


def _stop_with_parent(parent: int) -> None:
    """Stop this process in order when its parent has exited, for whatever reason."""
    while os.getppid() == parent:
        time.sleep(_POLL_INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)


def _serve_site(
    folder: Path, settings: Settings, profile: Profile, sets: Sequence[str], lines: Sequence[str] = ()
) -> int:
    """Serve until the stop and return the exit status; lines: to print besides the URL."""
    if settings.log not in log_lines.LOG_LEVELS:
        raise click.UsageError(f"log: {settings.log!r} is none of {', '.join(log_lines.LOG_LEVELS)}")
    try:
        host, port = run.claim_address(settings.host, settings.port)
    except run.CannotListen as error:
        raise click.ClickException(str(error)) from None
    settings = msgspec.structs.replace(settings, port=port)
    folder = folder.absolute()
    root = f"http://{run.format_reachable_host(host)}:{port}/{profile.default_language}/cms-json/"
    also = [f"It speaks {', '.join(profile.dialects)}"] if profile.dialects != ("neutral",) else []
    ready = _build_ready_callback([f"Vetrina answers at {root} (Ctrl-C stops it)", *also, *lines])
    # A throw-away site runs its jobs in a worker.
    throw_away = "VETRINA_EPHEMERAL" in os.environ
    with open_run_folder(inherited=graceful_restart.find_handover() is not None) as shared:
        build = partial(build_application, settings, profile, folder, tuple(sets), shared)
        with nullcontext() if throw_away else run_consumer_process(folder, settings, profile):
            status = run.serve_application(
                build, host, port, settings, folder=shared, ready=ready, renewable=not throw_away
            )
        if status == run.RENEW:
            graceful_restart.replace_process()
    return status


def _build_dialect_setting(folder: Path | None, sets: Sequence[str], dialects: Sequence[str]) -> str:
    """Return the setting of a site's dialects: those of its profile, and these."""
    for_settings, for_profile = parse_sets(sets)
    profile = load_profile(load_settings(folder, for_settings).profile, for_profile)
    return format_setting("dialects", list(dict.fromkeys((*profile.dialects, *dialects))))


def _build_ready_callback(lines: Sequence[str]) -> Callable[[], None]:
    return lambda: click.echo("\n".join(lines))


@contextmanager
def _create_ephemeral_site(
    sets: Sequence[str], users: Path | None
) -> Iterator[tuple[Path, Settings, Profile, list[str]]]:
    """Create a throw-away site for the context: yield its folder, settings, profile, and lines to print about it."""
    for_settings, for_profile = parse_sets(sets)
    settings = msgspec.structs.replace(load_settings(None, for_settings), database="")
    profile = load_sound_profile(settings.profile, for_profile)
    lines = []
    if users is None:
        password = generate_password()
        accounts = [InitialAccount("admin", "administrator", application_password=password)]
        lines.append(f"Its administrator is admin with the application password: {password}")
    else:
        accounts = _read_accounts(users, profile)
    folder = Path(tempfile.mkdtemp(prefix="vetrina-"))
    try:
        site = create_stand_in_site(profile, accounts, folder, settings)
        site.close()
        write_settings(folder, {"secret": site.context.settings.secret})
        yield folder, site.context.settings, profile, lines
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read_accounts(path: Path, profile: Profile) -> list[InitialAccount]:
    """Return the accounts of a users file. Raises click.UsageError for an invalid one."""
    try:
        accounts = msgspec.json.decode(path.read_bytes(), type=list[InitialAccount])
    except msgspec.MsgspecError as error:
        raise click.UsageError(f'{path}: {error}; write a list as [{{"login": "admin", "role": …}}]') from None
    known = (*profile.roles, *profile.role_definitions)
    for account in accounts:
        if account.role not in known:
            raise click.UsageError(
                f"{path}: {account.login!r} has the unknown role {account.role!r}; known: {', '.join(known)}"
            )
    return accounts
