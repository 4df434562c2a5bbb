"""What is wrong in a theme's folder, before a site is made to look like it. Rules: docs/rules/templates.md, 14."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from vetrina.content.blocks import grammar
from vetrina.content.blocks.grammar import Block
from vetrina.design.themes.model import Theme, load_theme

_VERSIONS = (2, 3)  # of theme.json
_DARK = "Dark Variation"


def find_theme_faults(folder: Path) -> list[str]:
    """Return what is wrong in a theme, a sentence each, with the file in front."""
    faults = [*_check_json_files(folder)]
    if not (folder / "style.css").is_file():
        faults.append("style.css: is missing; its header names the theme")
    if faults:
        return faults
    load_theme.cache_clear()
    return [*_check_theme(load_theme(folder))]


def _check_json_files(folder: Path) -> Iterator[str]:
    """Yield the files that are no JSON object, without which nothing more can be read."""
    required = folder / "theme.json"
    if not required.is_file():
        yield 'theme.json: is missing; {} is enough, with a version: {"version": 3}'
    for file in [required, *sorted(folder.glob("styles/*.json")), *sorted(folder.glob("languages/*.json"))]:
        if file.is_file() and (reason := _find_json_fault(file)):
            yield f"{file.relative_to(folder)}: {reason}"


def _find_json_fault(file: Path) -> str:
    try:
        value: Any = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError as error:
        return f"is no JSON: {error}"
    if not isinstance(value, dict):
        return "holds no object"
    if file.parent.name == "languages":
        return "" if all(isinstance(text, str) for text in value.values()) else "holds something else than texts"
    if file.name == "theme.json" and value.get("version") not in _VERSIONS:
        return f"has the version {value.get('version')!r}; write 3"
    return next((f"{name!r} is no object" for name in ("settings", "styles")
                 if not isinstance(value.get(name, {}), dict)), "")  # fmt: skip


def _check_theme(theme: Theme) -> Iterator[str]:
    if "Theme Name" not in theme.head:
        yield "style.css: its header has no 'Theme Name'"
    titles = [str(one["title"]).lower() for one in theme.variations]
    if (dark := theme.head.get(_DARK)) and dark.lower() not in titles:
        yield f"style.css: {_DARK!r} names {dark!r}, which no file of styles/ has as its title"
    if "index" not in theme.templates:
        yield "templates/index.html: is missing; it shows whatever has no template of its own"
    for kind, files in (("templates", theme.templates), ("parts", theme.parts)):
        for slug, file in files.items():
            yield from (f"{kind}/{slug}.html: {fault}" for fault in _check_markup(theme, file.content))
    for pattern in theme.patterns:
        yield from (f"pattern {pattern.name}: {fault}" for fault in _check_markup(theme, pattern.content))


def _check_markup(theme: Theme, markup: str) -> Iterator[str]:
    if grammar.close_blocks(markup) != markup:
        yield "a block is not closed"
    patterns = {pattern.name for pattern in theme.patterns}
    for block in _iterate_blocks(grammar.parse_blocks(markup)):
        slug = block.attributes.get("slug")
        if block.name == "core/template-part" and slug not in theme.parts:
            yield f"there is no part {slug!r}; write parts/{slug}.html"
        elif block.name == "core/pattern" and str(slug).startswith(f"{theme.name}/") and slug not in patterns:
            yield f"there is no pattern {slug!r}"


def _iterate_blocks(parts: list[str | Block]) -> Iterator[Block]:
    for part in parts:
        if isinstance(part, Block):
            yield part
            yield from _iterate_blocks(part.parts)
