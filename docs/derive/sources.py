"""The sources of the site in one folder: the pages written by hand, those derived, and the map of them all.

A page of `docs/` keeps its name; the papers at the root of the repository stand beside them, and links between them are
kept right. What a page links to in the code has no page: such a link becomes the path itself.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from . import commands, errors, routes
from .schemas import plain

__all__ = ["GUIDES", "ROOT", "gather"]

ROOT: Final = Path(__file__).parents[2]
_PAPERS: Final = ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
_LINK: Final = re.compile(r"(?<!!)\[([^\]\n]*)\]\(([^()\s]+)\)")

# Chapter → its pages, in the order in which a reader meets them; pages that are not there yet are left out.
GUIDES: Final[dict[str, tuple[str, ...]]] = {
    "Begin": (
        "first-hour",
        "moving-in",
        "administration",
        "profiles",
        "content-types",
        "custom-fields",
        "custom-field-lists",
        "demo",
        "languages",
        "roles",
    ),
    "Build": (
        "headless",
        "tokens",
        "menus-and-search-engines",
        "themes",
        "shop-pages",
        "accounts",
        "previews",
        "second-factors",
        "changes",
        "webhooks",
        "next",
        "astro",
        "clients",
        "python-client",
        "js-client",
    ),
    "Translate": ("translation-round", "translation", "strings", "translation-service"),
    "Sell": ("first-sale", "shop", "mails", "store", "gateways", "analytics"),
    "Test": ("testing",),
    "Run": (
        "running",
        "moving-out",
        "checks",
        "security",
        "single-sign-on",
        "audit",
        "settings",
        "postgresql",
        "failover",
        "scale",
        "connector",
        "performance",
    ),
    "House": ("ARCHITECTURE", "CONTRIBUTING", "SECURITY", "rules/index", "deviations", "CHANGELOG"),
}


def gather(folder: Path) -> None:
    """Write every source of the site into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for page in [*(ROOT / name for name in _PAPERS), *sorted((ROOT / "docs").rglob("*.md"))]:
        inside = page.relative_to(ROOT / "docs" if page.is_relative_to(ROOT / "docs") else ROOT)
        target = folder / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_relinked(page, inside), encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "pictures", folder / "pictures")
    every = routes.entries()
    writer = routes.Writer(every)
    found = routes.pages(every)
    for one in found:
        _write(folder, one.name, _APART + writer.page(one))
    _write(folder, "reference/errors", errors.page(every))
    _write(folder, "reference/commands", commands.page())
    _write(folder, "reference/index", _reference(found))
    _write(folder, "index", _index(folder))


# Pages of routes are listed on the page above them: in the map beside every page, two hundred times two hundred entries
# would take a fifth of the build.
_APART: Final = "---\norphan: true\n---\n\n"


def _write(folder: Path, name: str, text: str) -> None:
    path = folder / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _relinked(page: Path, inside: Path) -> str:
    """Return a page's text with its links as they are among the gathered sources."""

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        if target.startswith(("http://", "https://", "#", "mailto:")):
            return found[0]
        path, _, part = target.partition("#")
        aim = (page.parent / path).resolve()
        if aim == ROOT / "README.md":
            return f"[{words}]({'../' * (len(inside.parts) - 1)}index.md)"
        for base in (ROOT / "docs", ROOT):
            if aim.suffix == ".md" and aim.is_file() and aim.is_relative_to(base):
                up = "../" * (len(inside.parts) - 1)
                return f"[{words}]({up}{aim.relative_to(base)}{f'#{part}' if part else ''})"
        return words if words.startswith("`") else f"{words} (`{aim.relative_to(ROOT)}`)"

    return _LINK.sub(link, page.read_text(encoding="utf-8"))


def _reference(pages: list[routes.Page]) -> str:
    spaces: dict[str, list[routes.Page]] = {}
    for one in pages:
        spaces.setdefault(one.namespace, []).append(one)
    lines = [_REFERENCE]
    for space, own in spaces.items():
        lines += [f"## {plain(space or 'The site itself')}", ""]
        lines += [f"- [{plain(one.title)}]({one.name.removeprefix('reference/')}.md)" for one in own]
        lines += [""]
    return "\n".join(lines)


_REFERENCE: Final = """# Reference

Every route of both built-in profiles, derived from the declarations that answer it. Paths are relative to an API root:
`/en/cms-json` for English, `/it/cms-json` for Italian. `GET /` and `OPTIONS` of a route say the same of a running site,
and `/openapi.json` does as OpenAPI.

Every route of a namespace takes `mlang_language`, the code of a language to select by. Every `GET` takes `_fields`, the
members that the answer is to have, and `_embed`, the relations whose records are put into the answer. Every route may
answer [`rest_invalid_param`](#error-rest-invalid-param),
[`rest_missing_callback_param`](#error-rest-missing-callback-param) and [`rest_no_route`](#error-rest-no-route).

```{toctree}
:maxdepth: 1

errors
commands
```
"""


def _index(folder: Path) -> str:
    lines = [_INDEX]
    for chapter, names in GUIDES.items():
        there = [name for name in names if (folder / f"{name}.md").is_file()]
        lines += ["```{toctree}", f":caption: {chapter}", ":maxdepth: 1", "", *there, "```", ""]
    rest = sorted(str(path.relative_to(folder).with_suffix("")) for path in (folder / "decisions").glob("*.md"))
    lines += ["```{toctree}", ":caption: Decisions", ":maxdepth: 1", "", *rest, "```", ""]
    lines += ["```{toctree}", ":caption: Reference", ":maxdepth: 2", "", "reference/index", "```", ""]
    return "\n".join(lines)


_INDEX: Final = """# Vetrina

Vetrina is a content and commerce server that speaks one JSON REST interface: posts, pages, media, templates and content
types of your own, in several languages with translation jobs, and a shop with its administration and reports. One
process and one folder are a site; a profile in a TOML file says what it is.

Begin with [the first hour](first-hour.md). Whoever builds a front end goes on with [headless](headless.md); whoever
runs a site with [settings](settings.md). [The reference](reference/index.md) has every route, error code and command.
"""
