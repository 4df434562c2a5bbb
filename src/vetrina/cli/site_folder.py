"""A site's folder: where it is, its settings file, and how the commands open it.

The folder holds `vetrina.toml`, `site.sqlite` and `media/`. Not here: what a new one is filled with (cli/init.py).
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from vetrina.site import Site

__all__ = ["MEDIA", "SETTINGS", "opened", "own_line", "set_option", "site_option", "terminable", "write_settings"]

SETTINGS = "vetrina.toml"
MEDIA = "media"

F = TypeVar("F", bound=Callable[..., Any])


def site_option(command: F) -> F:
    """Give a command the option that names the site's folder, as `folder`."""
    return click.option(
        "--site", "folder", type=click.Path(path_type=Path), default="site", envvar="VETRINA_SITE", metavar="DIR",
        show_default=True, help="The site's folder; also read from VETRINA_SITE.",
    )(command)  # fmt: skip


def set_option(command: F) -> F:
    """Give a command the option that sets keys of settings and profile, as `sets`."""
    return click.option(
        "--set", "sets", multiple=True, metavar="KEY=VALUE", callback=_one_line_each,
        help="Set a key of the settings or the profile, as in `--set limits.body_bytes=1000000`; may be repeated.",
    )(command)  # fmt: skip


def _one_line_each(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    # The sets reach the workers as lines of one variable of the environment.
    if any("\n" in value for value in values):
        raise click.BadParameter("a value has one line; write \\n inside a quoted one")
    return values


def own_line(key: str, value: str | int | list[str]) -> str:
    """Return what `--set` would be given to set a key to exactly this value."""
    return f"{key}={json.dumps(value)}"


@contextmanager
def opened(folder: Path) -> Iterator[Site]:
    """Open the site of a folder for one command. Raises CannotOpen, SettingsError."""
    # Loaded here: the consumer of jobs has the same options and does without the rooms of a site.
    from vetrina.site import open_site

    site = open_site(folder)
    try:
        yield site
    finally:
        site.close()


def write_settings(folder: Path, values: Mapping[str, str | int | bool], heading: str = "") -> None:
    """Write the settings file of a folder; only its owner may read it, for it holds the secret."""
    path = folder / SETTINGS
    path.touch(mode=0o600)
    # What JSON writes for texts, numbers and truth is TOML as well.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items()]
    path.write_text(heading + "".join(lines), encoding="utf-8")


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM unwind the command as Ctrl-C does, so that what is half made is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
