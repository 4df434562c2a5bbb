"""A new site in a folder of its own: made beside its place and moved there at the end, as a whole or not at all.

Not here: what it is filled with (cli/init.py, cli/demo.py).
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.users.model import User
from vetrina.backends import database_schema
from vetrina.kernel.keys import random_key, readable_password
from vetrina.settings import Profile, Settings, load_profile, read_settings
from vetrina.site import Site
from vetrina.system.bootstrap import Account, found

from .site_folder import MEDIA, terminable, write_settings

__all__ = ["Fill", "Open", "is_free", "make", "require_free"]

_HEADING = """\
# The settings of this site. Each key is explained in docs/settings.md; a variable VETRINA_KEY of the environment and
# `--set KEY=VALUE` win over what stands here. Keep the secret: application passwords are checked with it.
"""

Open = Callable[[Profile, Settings, Path], Site]
Fill = Callable[[Site, User], None]


def is_free(folder: Path) -> bool:
    """Say whether a new site may take this place: nothing is there, or an empty folder."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def require_free(folder: Path) -> None:
    """Raise UsageError where something is at the place of a new site."""
    if not is_free(folder):
        raise click.UsageError(f"{folder} exists and is not an empty folder; name a new one, or serve the site in it")


def make(folder: Path, profile: str, account: Account, fill: Fill, *, url: str = "", opening: Open = Site) -> None:
    """Make a site with an administrator, and tell his passwords.

    account: of the administrator. fill: writes what the site begins with. url: scheme and host of its addresses.
    opening: opens the site while it is made. Raises UsageError, ClickException; nothing is left behind then.
    """
    require_free(folder)
    values = {
        "profile": str(Path(profile).absolute()) if profile.endswith(".toml") else profile,
        "secret": random_key(),
        "database": "",
        **({"url": url} if url else {}),
    }
    chosen = load_profile(profile)
    above = next(parent for parent in folder.absolute().parents if parent.is_dir())
    with terminable():
        try:
            part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=above))
        except OSError as error:
            raise click.ClickException(f"{folder} cannot be made: {error.strerror}; name another folder") from None
        try:
            write_settings(part, values, _HEADING)
            (part / MEDIA).mkdir()
            password, key = _founded(opening(chosen, read_settings(part), part), account, fill)
            folder.parent.mkdir(parents=True, exist_ok=True)
            part.rename(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    click.echo(f"The site in {folder} is made, with the profile {chosen.name}. Its administrator, shown only now:")
    click.echo(f"  user name             {account.login}")
    click.echo(f"  password              {password}")
    click.echo(f"  application password  {key}")
    click.echo(f"Serve it with: vetrina serve --site {folder}")


def _founded(site: Site, account: Account, fill: Fill) -> tuple[str, str]:
    """Fill a new site's database and return its administrator's password and application password."""
    password = readable_password()
    try:
        database_schema.create(site.database)
        with site.work() as work:
            [admin] = found(work, [msgspec.structs.replace(account, password=password)])
            _, key = app_passwords.create(work, admin.id, "vetrina init")
        fill(site, admin)
    finally:
        site.close()
    return password, key
