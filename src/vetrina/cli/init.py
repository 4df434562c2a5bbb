"""`vetrina init`: a new site in a folder of its own, ready to be served."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click
import msgspec

from vetrina.backends import schema
from vetrina.domain import sample
from vetrina.domain.access import app_passwords
from vetrina.domain.founding import Account, found
from vetrina.kernel.ids import random_key, readable_password
from vetrina.settings import Profile, Settings, load_profile, read_settings
from vetrina.site import Site

from .site_folder import MEDIA, terminable, write_settings

__all__ = ["command"]

_HEADING = """\
# The settings of this site. Each key is explained in docs/settings.md; a variable VETRINA_KEY of the environment and
# `--set KEY=VALUE` win over what stands here. Keep the secret: application passwords are checked with it.
"""


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default="site", metavar="[DIR]")
@click.option("--profile", default="first", show_default=True, help="A built-in profile's name, or a TOML file's path.")
@click.option("--login", default="admin", show_default=True, help="The administrator's user name.")
@click.option("--email", help="The administrator's e-mail address; LOGIN@example.org when it is left out.")
@click.option("--url", default="", help="Scheme and host of the site's addresses; by default as clients write them.")
@click.option("--empty", is_flag=True, help="Leave out the sample posts and pages.")
def command(folder: Path, profile: str, login: str, email: str | None, url: str, empty: bool) -> None:
    """Make a new site in DIR (by default ./site).

    Its administrator's passwords are shown once, here. When something fails, nothing is left behind.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{folder} exists and is not an empty folder; name a new one, or serve the site in it")
    values = {
        "profile": str(Path(profile).absolute()) if profile.endswith(".toml") else profile,
        "secret": random_key(),
        "database": "",
        **({"url": url} if url else {}),
    }
    chosen = load_profile(profile)
    # Made beside its place and moved there at the end: a site is there as a whole or not at all.
    above = next(parent for parent in folder.absolute().parents if parent.is_dir())
    with terminable():
        try:
            part = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=above))
        except OSError as error:
            raise click.ClickException(f"{folder} cannot be made: {error.strerror}; name another folder") from None
        try:
            write_settings(part, values, _HEADING)
            (part / MEDIA).mkdir()
            passwords = _filled(part, chosen, read_settings(part), Account(login, "administrator", email or ""), empty)
            folder.parent.mkdir(parents=True, exist_ok=True)
            part.rename(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    click.echo(f"The site in {folder} is made, with the profile {chosen.name}. Its administrator, shown only now:")
    click.echo(f"  user name             {login}")
    click.echo(f"  password              {passwords[0]}")
    click.echo(f"  application password  {passwords[1]}")
    click.echo(f"Serve it with: vetrina serve --site {folder}")


def _filled(folder: Path, profile: Profile, settings: Settings, account: Account, empty: bool) -> tuple[str, str]:
    """Fill a new site's database and return its administrator's password and application password."""
    password = readable_password()
    site = Site(profile, settings, folder)
    try:
        schema.create(site.database)
        with site.work() as work:
            [admin] = found(work, [msgspec.structs.replace(account, password=password)])
            _, key = app_passwords.create(work, admin.id, "vetrina init")
        if not empty:
            with site.work(admin) as work:
                sample.plant(work)
    finally:
        site.close()
    return password, key
