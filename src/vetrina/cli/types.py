"""`vetrina types`: the types of a site's records, refusals and arguments, for programs that call it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import click

from vetrina import __version__
from vetrina.profile_checks import require_sound_profile
from vetrina.rest.client_types.collecting import collect_types
from vetrina.rest.client_types.model import TypeDeclaration
from vetrina.rest.client_types.python import write_python
from vetrina.rest.client_types.typescript import write_typescript
from vetrina.rest.openapi import SiteDescription, build_openapi_document
from vetrina.settings import Settings, load_profile, parse_sets
from vetrina.site import COMMON_ERRORS, Site
from vetrina.site_factory import open_site

from .site_folder import settings_option

_WRITERS: Final[dict[str, Callable[[Iterable[TypeDeclaration], str], str]]] = {
    "ts": write_typescript,
    "py": write_python,
}
# What programs of today call; older versions and the administration are asked for by name.
_NAMESPACES: Final = ("cms/v2", "shop/v3", "shop/store/v1")


@click.command("types")
@click.option("--lang", required=True, type=click.Choice(sorted(_WRITERS)), help="TypeScript or Python.")
@click.option("--site", "folder", type=click.Path(path_type=Path), metavar="DIR", help="The folder of a site.")
@click.option("--profile", help="A built-in profile's name, or a TOML file's path; `first` without --site.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where they are written.")
@click.option("--namespace", "spaces", multiple=True, help="Only of these namespaces; may be said several times.")
@settings_option
def command(
    lang: str,
    folder: Path | None,
    profile: str | None,
    out: Path | None,
    spaces: tuple[str, ...],
    sets: tuple[str, ...],
) -> None:
    """Write the types of what a site's interface takes and answers, own types and fields among them."""
    if profile is not None and folder is not None:
        raise click.UsageError("--site has its own profile; leave one of --site and --profile out")
    if folder is not None:
        site = open_site(folder, sets)
        site.close()
    else:
        with tempfile.TemporaryDirectory() as place:
            name = profile or "first"
            chosen = load_profile(name, parse_sets(sets)[1])
            require_sound_profile(chosen, name)
            site = Site(chosen, Settings(), Path(place))
            site.close()
    known = site.index.namespaces
    if unknown := [space for space in spaces if space not in known]:
        raise click.UsageError(f"there is no namespace {unknown[0]}; there are {', '.join(known)}")
    document = build_openapi_document(
        site.index, SiteDescription(site.context.profile.title, __version__, {}, COMMON_ERRORS)
    )
    wanted = spaces or tuple(space for space in _NAMESPACES if space in known)
    document["paths"] = {
        path: item
        for path, item in document["paths"].items()
        if any(operation["tags"][0] in wanted for operation in item.values())
    }
    title = (
        f"Types of the site {site.context.profile.title!r}, written by `vetrina types --lang {lang}`; not to be edited."
    )
    text = _WRITERS[lang](collect_types(document), title)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
