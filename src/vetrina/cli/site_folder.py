"""A site's folder: where it is, its settings file, and how the commands open it.

The folder has `vetrina.toml`, `site.sqlite` and `media/`.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vetrina.backends.site_folder import SETTINGS

if TYPE_CHECKING:
    from vetrina.site import Site


F = TypeVar("F", bound=Callable[..., Any])


def site_option(command: F) -> F:
    """Add the option that names the site's folder to a command, as `folder`."""
    return click.option(
        "--site", "folder", type=click.Path(path_type=Path), default="site", envvar="VETRINA_SITE", metavar="DIR",
        show_default=True, help="The site's folder; also read from VETRINA_SITE.",
    )(command)  # fmt: skip


def settings_option(command: F) -> F:
    """Add the option that sets keys of settings and profile to a command, as `sets`."""
    return click.option(
        "--set", "sets", multiple=True, metavar="KEY=VALUE", callback=_require_single_lines,
        help="Set a key of the settings or the profile, as in `--set limits.body_bytes=1000000`; may be repeated.",
    )(command)  # fmt: skip


def _require_single_lines(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    # The sets are passed to the workers as lines of one environment variable.
    if any("\n" in value for value in values):
        raise click.BadParameter("a value has one line; write \\n inside a quoted one")
    return values


def format_setting(key: str, value: str | int | list[str]) -> str:
    """Return the argument of `--set` that sets a key to exactly this value."""
    return f"{key}={json.dumps(value)}"


@contextmanager
def open_site_folder(folder: Path) -> Iterator[Site]:
    """Open the site of a folder for one command. Raises CannotOpenSite, SettingsError."""
    # Imported here: the job consumer has the same options and does not need the routes of a site.
    from vetrina.site_factory import open_site

    site = open_site(folder)
    try:
        yield site
    finally:
        site.close()


def write_settings(folder: Path, values: Mapping[str, str | int | bool], heading: str = "") -> None:
    """Write the settings file of a folder; only its owner may read it, since it holds the secret."""
    path = folder / SETTINGS
    path.touch(mode=0o600)
    # JSON's texts, numbers and booleans are valid TOML.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items()]
    path.write_text(heading + "".join(lines), encoding="utf-8")


def merge_settings(path: Path, values: Mapping[str, str]) -> None:
    """Set keys in a settings file, in front of its other lines; only its owner may read it."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    others = [line for line in lines if line.partition("=")[0].strip() not in values]
    own = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items()]
    replace_text(path, "".join(own + others), 0o600)


def replace_text(path: Path, text: str, mode: int) -> None:
    """Write a file that is there whole or not at all, whatever happens meanwhile. mode: who may read and write it."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}-", delete=False
    ) as out:
        part = Path(out.name)
        try:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
            part.chmod(mode)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def unwind_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the command as Ctrl-C does, so that unfinished files are deleted."""
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
