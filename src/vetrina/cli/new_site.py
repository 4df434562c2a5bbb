"""A new site in a folder of its own: built beside its place and moved there at the end, completely or not at all.

Its content: cli/init.py, cli/demo.py.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.backends import database_schema
from vetrina.backends.site_folder import MEDIA, SETTINGS
from vetrina.core.user import User
from vetrina.kernel.keys import generate_key, generate_password
from vetrina.profile_checks import load_sound_profile, require_sound_settings
from vetrina.settings import Profile, Settings, load_settings
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

from .site_folder import unwind_on_sigterm, write_settings

_HEADING = """\
# The settings of this site. Each key is explained in docs/settings.md; a variable VETRINA_KEY of the environment and
# `--set KEY=VALUE` win over what stands here. Keep the secret: application passwords are checked with it.
"""

OpenSite = Callable[[Profile, Settings, Path], Site]
FillSite = Callable[[Site, User], None]


def is_folder_free(folder: Path) -> bool:
    """Return whether a new site may be created here: nothing exists, or an empty folder."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def require_free_folder(folder: Path) -> None:
    """Raise UsageError where a new site may not be created."""
    if not is_folder_free(folder):
        raise click.UsageError(f"{folder} exists and is not an empty folder; name a new one, or serve the site in it")


def create_site(
    folder: Path, profile: str, account: InitialAccount, fill: FillSite, *, url: str = "", port: int | None = None,
    opening: OpenSite = Site,
) -> None:  # fmt: skip
    """Create a site with an administrator, and print the administrator's passwords.

    account: of the administrator. fill: writes the site's first content. url: scheme and host of its URLs. port: where
    it will listen, None for the default. opening: opens the site while it is created. Raises UsageError,
    ClickException; nothing is left behind then.
    """
    require_free_folder(folder)
    values: dict[str, str | int | bool] = {
        "profile": str(Path(profile).absolute()) if profile.endswith(".toml") else profile,
        "secret": generate_key(),
        "database": "",
        **({"url": url} if url else {}),
        **({"port": port} if port is not None else {}),
    }
    chosen = load_sound_profile(profile)
    above = next(parent for parent in folder.absolute().parents if parent.is_dir())
    with unwind_on_sigterm():
        try:
            part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=above))
        except OSError as error:
            raise click.ClickException(f"{folder} cannot be made: {error.strerror}; name another folder") from None
        try:
            write_settings(part, values, _HEADING)
            settings = load_settings(part)
            require_sound_settings(settings, part / SETTINGS, chosen.languages)
            (part / MEDIA).mkdir()
            password, key = _bootstrap_database(opening(chosen, settings, part), account, fill)
            folder.parent.mkdir(parents=True, exist_ok=True)
            part.rename(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    click.echo(f"The site in {folder} is made, with the profile {profile}. Its administrator, shown only now:")
    click.echo(f"  user name             {account.login}")
    click.echo(f"  password              {password}")
    click.echo(f"  application password  {key}")
    click.echo(f"Serve it with: vetrina serve --site {folder}")


def _bootstrap_database(site: Site, account: InitialAccount, fill: FillSite) -> tuple[str, str]:
    """Fill a new site's database and return its administrator's password and application password."""
    password = generate_password()
    try:
        database_schema.create_schema(site.database)
        with site.work() as work:
            [admin] = bootstrap_site(work, [msgspec.structs.replace(account, password=password)])
            _, key = app_passwords.create_app_password(work, admin.id, "vetrina init")
        fill(site, admin)
    finally:
        site.close()
    return password, key
