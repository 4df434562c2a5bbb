"""Themes: a folder with templates, parts, patterns and styles, read once and cached.

A theme is data: `style.css` (its header names it), `theme.json` (settings, styles, template parts), `templates/*.html`,
`parts/*.html`, `patterns/*.html` with a header of their own, `styles/*.json` (variations, of the theme or of blocks),
`languages/*.json` (its texts in other languages: design/themes/translations.py). Not here: which theme
a site has (design/themes/active_theme.py), its owner's changes (design/templates/rules.py, design/styles/rules.py); the
owner's own patterns are records of type cms_block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import orjson

from vetrina.content.blocks import grammar
from vetrina.design.templates.kinds import DEFAULT_AREA, PART_AREAS, TEMPLATE_KINDS, is_chosen_by_name
from vetrina.kernel.integers import parse_digits

BUILT_IN: Final = Path(__file__).parents[2] / "themes"
_HEAD_LINE = re.compile(r"^[ \t*]*([A-Z][\w ]*?)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_HEAD = re.compile(r"\s*(?:/\*(.*?)\*/|<!--\s*(?=Title:)(.*?)-->)\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ThemeTemplateFile:
    """A template or a part of a theme.

    area: of parts. post_types: which it is offered for; none for all. module: without which no site has it, empty for
    none.
    """

    slug: str
    title: str
    description: str
    content: str
    area: str = ""
    post_types: tuple[str, ...] = ()
    module: str = ""

    @property
    def is_custom(self) -> bool:
        """Whether it is offered by name, not found through the template hierarchy."""
        return is_chosen_by_name(self.slug, module=self.module)


@dataclass(frozen=True, slots=True)
class BlockPattern:
    """A predefined group of blocks."""

    name: str
    title: str
    description: str
    content: str
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    block_types: tuple[str, ...] = ()
    post_types: tuple[str, ...] = ()
    template_types: tuple[str, ...] = ()
    viewport_width: int | None = None
    inserter: bool = True


@dataclass(frozen=True, eq=False)
class Theme:
    """A theme as read from its folder.

    name: of its folder. head: the header of `style.css`. settings, styles: of `theme.json`.
    variations: its style variations, each with version, title, settings and styles. texts: of its files in other
    languages, by code.
    """

    name: str
    folder: Path
    head: Mapping[str, str]
    settings: Mapping[str, Any]
    styles: Mapping[str, Any]
    templates: Mapping[str, ThemeTemplateFile]
    parts: Mapping[str, ThemeTemplateFile]
    patterns: tuple[BlockPattern, ...]
    pattern_categories: Mapping[str, Mapping[str, str]]
    variations: tuple[Mapping[str, Any], ...]
    texts: Mapping[str, Mapping[str, str]]

    @property
    def title(self) -> str:
        """The display name."""
        return self.head.get("Theme Name") or self.name


@lru_cache(maxsize=64)
def load_theme(folder: Path, mark: tuple[int, int] = (0, 0)) -> Theme:
    """Return the theme of a folder. Raises ValueError if there is none, or if one of its files is invalid.

    mark: part of the cache key; another mark reloads the theme.
    """
    return load_theme_uncached(folder)


def load_theme_uncached(folder: Path) -> Theme:
    """Read the theme of a folder. Raises ValueError as `load_theme` does."""
    try:
        return _parse_theme_folder(folder)
    except (OSError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{folder} holds no theme that can be read: {error}") from error


def _parse_theme_folder(folder: Path) -> Theme:
    document = orjson.loads((folder / "theme.json").read_bytes())
    style_files = {file: orjson.loads(file.read_bytes()) for file in sorted((folder / "styles").glob("*.json"))}
    named = {part["name"]: part for part in document.get("templateParts", ())}
    custom = {
        template["name"]: template
        for member in ("customTemplates", "moduleTemplates")
        for template in document.get(member, ())
    }
    categories = folder / "patterns" / "categories.json"
    return Theme(
        name=folder.name,
        folder=folder,
        head=_parse_head((folder / "style.css").read_text(encoding="utf-8"))[0],
        settings=document.get("settings", {}),
        styles=_add_block_styles(document.get("styles", {}), style_files),
        templates={
            slug: _build_template_file(slug, content, custom.get(slug, {}))
            for slug, content in _list_template_files(folder, "templates")
        },
        parts={
            slug: _build_part_file(slug, content, named.get(slug, {}))
            for slug, content in _list_template_files(folder, "parts")
        },
        patterns=tuple(_parse_pattern(folder, file) for file in sorted((folder / "patterns").glob("*.html"))),
        pattern_categories=orjson.loads(categories.read_bytes()) if categories.is_file() else {},
        variations=tuple(_build_variation(file, one) for file, one in style_files.items() if "blockTypes" not in one),
        texts={file.stem: orjson.loads(file.read_bytes()) for file in sorted((folder / "languages").glob("*.json"))},
    )


def _list_template_files(folder: Path, kind: str) -> list[tuple[str, str]]:
    """Return slug and content of the templates or the parts of a theme."""
    return [
        (file.stem, _add_theme_references(file.read_text(encoding="utf-8"), folder.name))
        for file in sorted((folder / kind).glob("*.html"))
    ]


def _build_template_file(slug: str, content: str, declared: Mapping[str, Any]) -> ThemeTemplateFile:
    kind = TEMPLATE_KINDS.get(slug)
    title = declared.get("title") or (kind.title if kind else slug)
    description = kind.description if kind else str(declared.get("description", ""))
    return ThemeTemplateFile(
        slug, title, description, content, post_types=tuple(declared.get("postTypes", ())),
        module=str(declared.get("module", "")),
    )  # fmt: skip


def _build_part_file(slug: str, content: str, declared: Mapping[str, Any]) -> ThemeTemplateFile:
    area = declared.get("area", DEFAULT_AREA)
    return ThemeTemplateFile(
        slug, declared.get("title") or slug, "", content, area if area in PART_AREAS else DEFAULT_AREA
    )


def _add_theme_references(content: str, theme: str) -> str:
    """Return a template's content with the theme's name added to its references to parts."""
    parts = grammar.parse_blocks(content)
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            continue
        pending += part.parts
        if part.name == "core/template-part" and part.void and "theme" not in part.attributes:
            attributes = orjson.dumps({**part.attributes, "theme": theme}).decode()
            part.opening = f"<!-- wp:template-part {attributes} /-->"
    return grammar.serialize_blocks(parts)


def _parse_head(text: str) -> tuple[dict[str, str], str]:
    """Return the header in the comment at the beginning of a file, and the rest of the file."""
    found = _HEAD.match(text)
    if found is None:
        return {}, text
    return dict(_HEAD_LINE.findall(found[1] or found[2] or "")), text[found.end() :]


def _parse_pattern(folder: Path, file: Path) -> BlockPattern:
    head, content = _parse_head(file.read_text(encoding="utf-8"))

    def listed(name: str) -> tuple[str, ...]:
        return tuple(word.strip() for word in head.get(name, "").split(",") if word.strip())

    width = head.get("Viewport Width", "")
    return BlockPattern(
        name=head.get("Slug") or f"{folder.name}/{file.stem}",
        title=head.get("Title") or file.stem,
        description=head.get("Description", ""),
        content=content,
        categories=listed("Categories"),
        keywords=listed("Keywords"),
        block_types=listed("Block Types"),
        post_types=listed("Post Types"),
        template_types=listed("Template Types"),
        viewport_width=parse_digits(width),
        inserter=head.get("Inserter", "yes").lower() not in ("no", "false"),
    )


def _add_block_styles(styles: Mapping[str, Any], files: Mapping[Path, Any]) -> Mapping[str, Any]:
    """Return a theme's styles with the style variations of blocks that files of their own hold (`blockTypes`)."""
    blocks = dict(styles.get("blocks", {}))
    for file, document in files.items():
        slug = document.get("slug") or file.stem
        for name in document.get("blockTypes", ()):
            own = blocks.get(name, {})
            known = own.get("variations", {})
            # What theme.json says of the same variation holds.
            variation = {**document.get("styles", {}), **known.get(slug, {})}
            blocks[name] = {**own, "variations": {**known, slug: variation}}
    return {**styles, "blocks": blocks} if blocks else styles


def _build_variation(file: Path, document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "version": document.get("version", 3),
        "title": document.get("title") or file.stem,
        "settings": document.get("settings", {}),
        "styles": document.get("styles", {}),
    }
