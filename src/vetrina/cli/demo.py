"""`vetrina demo`: a site with content to look at and to try things on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click

from vetrina.access.users import rules as users
from vetrina.backends.site_folder import load_site_settings
from vetrina.core.user import User
from vetrina.demo import seeding
from vetrina.demo.seed_client import DAY, FakeClock
from vetrina.demo.seeding import DemoPlan
from vetrina.kernel.times import load_time_zone
from vetrina.settings import Profile, Settings, load_profile
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount

from . import new_site
from .site_folder import site_option

_DAYS_BEFORE_END = 900  # days before the end
_LAST_HOUR = 18  # of the last day, in the site's zone
_FIRST_ACCOUNT = 1


@click.command("demo")
@click.argument("profile", type=click.Choice(sorted(seeding.STORY_FILES)))
@site_option
@click.option("--seed", default=1, show_default=True, help="Draws pictures and orders; the same seed, the same ones.")
@click.option(
    "--orders",
    type=click.IntRange(0),
    default=seeding.MAX_ROUTE_ORDERS,
    show_default=True,
    help="How many orders a shop has.",
)
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="The day on which its story ends; today by default.",
)
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Where the new site will listen; its first addresses have it, too."
)
def command(profile: str, folder: Path, seed: int, orders: int, until: datetime | None, port: int | None) -> None:
    """Create a site of the built-in profile `first` or `second` with content in two languages, or fill a new one.

    `first` is an association that maintains footpaths, `second` a shop with two years of orders. Dates are counted
    back from --until. A site that has content already is left unchanged.
    """
    calendar = FakeClock(_compute_end(profile, until))
    plan = DemoPlan(seed, orders)

    def opened(chosen: Profile, settings: Settings, place: Path) -> Site:
        site = Site(chosen, settings, place, clock=calendar, durable=False, outbound=seeding.build_offline_client())
        calendar.move_before_end(_DAYS_BEFORE_END)
        return site

    def fill(site: Site, admin: User) -> None:
        seeding.fill_site(site, calendar, admin.login, plan, _show_progress)

    if new_site.is_folder_free(folder):
        account = InitialAccount("admin", "administrator")
        new_site.create_site(folder, profile, account, fill, port=port, opening=opened)
        return
    settings, chosen = load_site_settings(folder)
    if port is not None and settings.port != port:
        raise click.UsageError(f"the site in {folder} listens on {settings.port}: leave --port out, or change it there")
    if settings.profile != profile:
        raise click.UsageError(f"the site in {folder} has the profile {settings.profile}, not {profile}; name another")
    site = opened(chosen, settings, folder)
    try:
        fill(site, _get_administrator(site, folder))
    finally:
        site.close()
    click.echo(f"The site in {folder} is filled. Serve it with: vetrina serve --site {folder}")


def _get_administrator(site: Site, folder: Path) -> User:
    """Return the first account of a site to be filled. Raises ClickException where it cannot be filled."""
    with site.work(read=True) as work:
        try:
            seeding.require_new_site(work)
        except seeding.SiteNotNew as error:
            raise click.ClickException(
                f"the site in {folder} is left as it is: {error}; name a new folder, or make an empty site with: "
                f"vetrina init NEW --profile {site.context.profile.name} --empty"
            ) from None
        admin = users.find_user(work.tx, _FIRST_ACCOUNT)
    if admin is None or "administrator" not in admin.roles:
        raise click.ClickException(f"the first account of the site in {folder} is no administrator's")
    return admin


def _compute_end(profile: str, until: datetime | None) -> int:
    """Return the time of the newest content: the evening of a day, but not in the future."""
    now = int(time.time())
    if until is None:
        return now
    midnight = (until - datetime(1970, 1, 1)).days * DAY
    return min(now, load_time_zone(load_profile(profile).time_zone).to_gmt(midnight + _LAST_HOUR * 3600))


@contextmanager
def _show_progress(label: str, length: int) -> Iterator[Callable[[int], None]]:
    with click.progressbar(length=length, label=label, show_pos=True) as bar:
        yield bar.update
