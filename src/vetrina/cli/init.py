"""`vetrina init`: a new site in a folder of its own, ready to be served."""

from __future__ import annotations

from pathlib import Path

import click

from vetrina.core.user import User
from vetrina.site import Site
from vetrina.system import sample_content
from vetrina.system.bootstrap import InitialAccount

from . import new_site


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default="site", metavar="[DIR]")
@click.option("--profile", default="first", show_default=True, help="A built-in profile's name, or a TOML file's path.")
@click.option("--login", default="admin", show_default=True, help="The administrator's user name.")
@click.option("--email", help="The administrator's e-mail address; LOGIN@example.org when it is left out.")
@click.option("--url", default="", help="Scheme and host of the site's addresses; by default as clients write them.")
@click.option("--empty", is_flag=True, help="Leave out the sample posts and pages.")
def command(folder: Path, profile: str, login: str, email: str | None, url: str, empty: bool) -> None:
    """Create a new site in DIR (by default ./site).

    Its administrator's passwords are shown once, here. When something fails, nothing is left behind.
    """
    fill = _fill_nothing if empty else _fill_samples
    new_site.create_site(folder, profile, InitialAccount(login, "administrator", email or ""), fill, url=url)


def _fill_nothing(site: Site, admin: User) -> None:
    """Leave a new site empty."""


def _fill_samples(site: Site, admin: User) -> None:
    with site.work(admin) as work:
        sample_content.create_samples(work)
