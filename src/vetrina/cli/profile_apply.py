"""`vetrina profile apply`: another profile for a site, after a look at what it changes.

Rules: docs/rules/server.md, 7.
"""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import click

from vetrina.backends.site_folder import SETTINGS
from vetrina.settings import SettingsError, find_profile_path, read_toml
from vetrina.site import Site
from vetrina.system.backups.archive import PROFILE
from vetrina.system.site_profile import comparison
from vetrina.system.site_profile.comparison import ProfileChange
from vetrina.system.site_profile.masking import restore_masked

from .site_folder import merge_settings, open_site_folder, replace_text, site_option

_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


@click.command("apply")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@site_option
@click.option("--yes", is_flag=True, help="Do not ask whether to go on.")
def apply_profile(file: Path, folder: Path, yes: bool) -> None:
    """Put the profile FILE in the place of the site's, and say before what that changes.

    The old file stays beside it. A server that runs takes the new one when it gets SIGHUP, or is started again.
    """
    with open_site_folder(folder) as site:
        text = _read_profile(file, site)
        changes, routes = _compare(file, text, site)
        named = site.context.settings.profile
    for change in changes:
        click.echo(_describe_change(change))
    for action, paths in routes.items():
        if paths:
            click.echo(f"{_SIGNS[action]} {len(paths)} routes")
    if not changes:
        click.echo("It changes nothing that the site shows.")
    if not yes:
        click.confirm("Put it in the place of the site's profile?", abort=True)
    _place_profile(folder, named, text)
    click.echo("It is in its place. Send SIGHUP to the server, or start it again, and it serves the new profile.")


def _read_profile(file: Path, site: Site) -> str:
    """Return the text of a profile. Raises ClickException for one that has masks in the place of keys."""
    try:
        text = file.read_text(encoding="utf-8")
        values = tomllib.loads(text)
        stored = read_toml(find_profile_path(site.context.settings.profile))
        whole = restore_masked(values, stored) == values
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{file} cannot be read: {error}") from None
    if not whole:
        raise click.ClickException(
            f"{file} has *** or … in the place of keys and folders, as a browser shows them; write what they are"
        )
    return text


def _compare(file: Path, text: str, site: Site) -> tuple[list[ProfileChange], dict[str, list[str]]]:
    """Return what a profile changes, and the routes that it does. Raises ClickException for one that has faults."""
    profiles, context = site.context.profiles, site.context
    assert profiles is not None, "every site has them"
    try:
        new = profiles.outline_text(context, text)
    except SettingsError as error:
        said = [str(fault._replace(where=str(file))) for fault in error.faults] or [f"{file}: {error}"]
        raise click.ClickException("\n".join(said)) from None
    old = profiles.outline_current(context)
    with site.work(read=True) as work:
        return comparison.list_changes(work, old, new), comparison.list_route_changes(old, new)


def _describe_change(change: ProfileChange) -> str:
    lost = ", ".join(f"{count:,} {what}" for what, count in change.stored.items() if count)
    lines = [f"{_SIGNS[change.action]} {change.part} {change.name}{f' (out of reach: {lost})' if lost else ''}"]
    lines += [f"    {one.key}: {one.before or 'nothing'} -> {one.after or 'nothing'}" for one in change.keys]
    return "\n".join(lines)


def _place_profile(folder: Path, named: str, text: str) -> None:
    """Write the text in the place of the site's profile. named: that profile, as the settings say it."""
    if named.endswith(".toml"):
        path = Path(named)
        mode = path.stat().st_mode & 0o777
        old = path.with_name(f"{path.name}.{time.strftime('%Y%m%d-%H%M%S')}")
        replace_text(old, path.read_text(encoding="utf-8"), mode)
        click.echo(f"The old one is {old}.")
        replace_text(path, text, mode)
        return
    path = folder.absolute() / PROFILE
    replace_text(path, text, 0o600)
    merge_settings(folder / SETTINGS, {"profile": str(path)})
    click.echo(f"It is {path}; before, the site had the built-in profile {named}.")
