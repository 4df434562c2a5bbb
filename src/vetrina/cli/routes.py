"""`vetrina routes`: what a profile serves, read from the route declarations."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import orjson

from vetrina.cli.text_tables import format_table
from vetrina.rest.route import Route
from vetrina.settings import Settings, load_profile, parse_sets
from vetrina.site import Site

from .site_folder import settings_option


@click.command("routes")
@click.option("--profile", default="first", show_default=True, help="A built-in profile's name, or a TOML file's path.")
@click.option("--json", "as_json", is_flag=True, help="Write a JSON list, with the arguments of every route.")
@settings_option
def command(profile: str, as_json: bool, sets: tuple[str, ...]) -> None:
    """List the routes that a profile serves: methods, path, whether a batch may include them, namespace."""
    with tempfile.TemporaryDirectory() as place:
        site = Site(load_profile(profile, parse_sets(sets)[1]), Settings(), Path(place))
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
