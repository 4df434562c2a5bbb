"""`vetrina profile`: whether a profile can be served, and its keys for editors of TOML files."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

import click
import msgspec
import orjson

from vetrina.profile_checks import load_sound_profile
from vetrina.settings import Profile, Settings, SettingsError, find_profile_path

from . import profile_apply


@click.group("profile")
def command() -> None:
    """Check a profile, put a changed one in its place, or describe what one may say."""


command.add_command(profile_apply.apply_profile)


@command.command("check")
@click.argument("profile", default="first")
@click.option("--json", "as_json", is_flag=True, help="Write a JSON list of {where, line, key, message}.")
def check_profile(profile: str, as_json: bool) -> None:
    """Say everything that is wrong in PROFILE, a TOML file's path or a built-in profile's name.

    The exit status is 0 when nothing is, 1 when something is.
    """
    path = find_profile_path(profile)
    error = _find_error(profile)
    faults = () if error is None else error.faults
    if as_json:
        click.echo(orjson.dumps([fault._asdict() for fault in faults], option=orjson.OPT_INDENT_2).decode())
    elif error is None:
        click.echo(f"{path} can be served.")
    else:
        click.echo(str(error), err=True)
    if error is not None:
        # A file that is no TOML has no faults by key, only its error.
        if as_json and not faults:
            raise click.ClickException(str(error))
        raise SystemExit(1)


def _find_error(profile: str) -> SettingsError | None:
    try:
        load_sound_profile(profile)
    except SettingsError as error:
        return error
    return None


@command.command("schema")
@click.option("--settings", is_flag=True, help="That of a site's vetrina.toml instead.")
def print_schema(settings: bool) -> None:
    """Print the JSON Schema of profiles, by which editors complete and check them."""
    struct: type[msgspec.Struct] = Settings if settings else Profile
    schema = msgspec.json.schema(struct)
    for name, definition in schema["$defs"].items():
        described = dict(_iterate_descriptions(_find_struct(name)))
        for key, member in definition["properties"].items():
            if key in described:
                member["description"] = described[key]
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": struct.__name__, **schema}
    click.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


def _find_struct(name: str) -> type[Any]:
    from vetrina import account_settings, image_settings, service_settings, settings

    modules = (settings, account_settings, image_settings, service_settings)
    struct: type[Any] = next(found for one in modules if (found := getattr(one, name, None)) is not None)
    return struct


def _iterate_descriptions(struct: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield the keys of a struct with the comments beside them, which settings.py writes for people."""
    source = textwrap.dedent(inspect.getsource(struct))
    lines = source.split("\n")
    [of_class] = ast.parse(source).body
    assert isinstance(of_class, ast.ClassDef)
    for node in of_class.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            for line in lines[node.lineno - 1 : node.end_lineno]:
                _, found, comment = line.partition("  # ")
                if found:
                    yield node.target.id, comment
                    break
