"""`vetrina routes`: what a site or a profile serves, read from the route declarations."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import orjson

from vetrina.cli.text_tables import format_table
from vetrina.profile_checks import load_sound_profile
from vetrina.rest.route import Route
from vetrina.settings import Settings, parse_sets
from vetrina.site import Site
from vetrina.site_factory import open_site

from .site_folder import settings_option


@click.command("routes")
@click.option("--profile", help="A built-in profile's name, or a TOML file's path; `first` without --site.")
@click.option("--site", "folder", type=click.Path(path_type=Path), metavar="DIR", help="The folder of a site, instead.")
@click.option("--json", "as_json", is_flag=True, help="Write a JSON list, with the arguments of every route.")
@settings_option
def command(profile: str | None, folder: Path | None, as_json: bool, sets: tuple[str, ...]) -> None:
    """List the routes that a site or a profile serves: methods, path, whether a batch may include them, namespace."""
    if profile is not None and folder is not None:
        raise click.UsageError("--site has its own profile; leave one of --site and --profile out")
    if folder is not None:
        site = open_site(folder, sets)
        site.close()
    else:
        with tempfile.TemporaryDirectory() as place:
            name = profile or "first"
            site = Site(load_sound_profile(name, parse_sets(sets)[1]), Settings(), Path(place))
            site.close()
    routes = [route for place in site.table.endpoints.values() for route in place.routes]
    if as_json:
        members = [_serialize_route(route) for route in routes]
        click.echo(orjson.dumps(members, option=orjson.OPT_INDENT_2).decode())
        return
    rows = [(",".join(route.methods), route.path, "yes" if route.batch else "", route.namespace) for route in routes]
    click.echo(format_table(("methods", "path", "batch", "namespace"), rows))


def _serialize_route(route: Route) -> dict[str, object]:
    return {
        "methods": route.methods,
        "path": route.path,
        "namespace": route.namespace,
        "batch": bool(route.batch),
        "slow": route.slow,
        "arguments": list(route.args),
    }
