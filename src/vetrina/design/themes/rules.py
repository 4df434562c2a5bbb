"""Themes: a folder with templates, parts, patterns and styles, read once and kept.

A theme is data: `style.css` (its head names it), `theme.json` (settings, styles, what its parts are for),
`templates/*.html`, `parts/*.html`, `patterns/*.html` with a head of their own, `styles/*.json` (variations). Not here:
what the site's owner changed of it (design/templates/rules.py, design/styles/rules.py), patterns of the owner's own
(records of the type cms_block).
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
from vetrina.core.unit_of_work import Frame
from vetrina.design.templates.template_types import AREAS, DEFAULT_AREA, KINDS
from vetrina.kernel.integers import whole

__all__ = [
    "BUILT_IN", "Pattern", "TemplateFile", "Theme", "active", "choose", "forget", "installed", "read", "read_anew",
]  # fmt: skip

BUILT_IN: Final = Path(__file__).parents[2] / "themes"
_CHOICE: Final = "active"  # file in the folder of a site's own themes that names the one it has
_ANEW: Final = ".read-anew"  # beside it: the file whose place and time say since when the theme is to be read anew
_HEAD_LINE = re.compile(r"^[ \t*]*([A-Z][\w ]*?)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_HEAD = re.compile(r"\s*(?:/\*(.*?)\*/|<!--\s*(?=Title:)(.*?)-->)\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TemplateFile:
    """A template or a part of a theme. area: of parts. post_types: which a template is offered to; none for all."""

    slug: str
    title: str
    description: str
    content: str
    area: str = ""
    post_types: tuple[str, ...] = ()

    @property
    def is_custom(self) -> bool:
        """Say whether it is offered by name, not looked for by the site itself."""
        return self.slug not in KINDS


@dataclass(frozen=True, slots=True)
class Pattern:
    """Blocks to begin with."""

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
    """A theme as its folder says it.

    name: of its folder. head: what `style.css` says of it. settings, styles: of `theme.json`.
    variations: its further looks, each with version, title, settings and styles.
    """

    name: str
    folder: Path
    head: Mapping[str, str]
    settings: Mapping[str, Any]
    styles: Mapping[str, Any]
    templates: Mapping[str, TemplateFile]
    parts: Mapping[str, TemplateFile]
    patterns: tuple[Pattern, ...]
    pattern_categories: Mapping[str, Mapping[str, str]]
    variations: tuple[Mapping[str, Any], ...]

    @property
    def title(self) -> str:
        """Return its name as people read it."""
        return self.head.get("Theme Name") or self.name


def active(frame: Frame) -> Theme:
    """Return the theme of a site: the one that was chosen since, else that of the profile.

    The profile names a built-in theme, or the path of a theme's folder.
    """
    chosen, mark = _chosen(frame), _mark(frame)
    name = frame.profile.theme
    if chosen:
        for folder in (_own(frame) / chosen, BUILT_IN / chosen):
            if (folder / "style.css").is_file():
                return read(folder, mark)
    return read(Path(name) if "/" in name else BUILT_IN / name, mark)


def installed(frame: Frame) -> dict[str, Theme]:
    """Return the themes that a site could have, by name: built-in ones, its own, the active one among them."""
    folders = sorted(head.parent for head in BUILT_IN.glob("*/style.css"))
    if frame.folder != Path():
        folders += sorted(head.parent for head in _own(frame).glob("*/style.css") if head.parent.name[0] != ".")
    themes = {theme.name: theme for theme in map(read, folders)}
    name = frame.profile.theme
    told = read(Path(name) if "/" in name else BUILT_IN / name)
    now = active(frame)
    return {**themes, told.name: told, now.name: now}


def choose(frame: Frame, name: str) -> None:
    """Make an installed theme the site's; every process of it sees the change with its next answer.

    Raises ValueError for a site without a folder.
    """
    if frame.folder == Path():
        raise ValueError("a site without a folder has the theme of its profile")
    folder = _own(frame)
    folder.mkdir(exist_ok=True)
    unfinished = folder / f".{_CHOICE}"
    unfinished.write_text(name, encoding="utf-8")
    unfinished.replace(folder / _CHOICE)


def forget(frame: Frame) -> None:
    """Let every process of a site read its theme's files anew with its next answer.

    A site without a folder reads them anew in this process only.
    """
    if frame.folder == Path():
        read.cache_clear()
        return
    folder = _own(frame)
    folder.mkdir(exist_ok=True)
    unfinished = folder / f".{_ANEW}.unfinished"
    unfinished.write_bytes(b"")
    unfinished.replace(folder / _ANEW)


def _mark(frame: Frame) -> tuple[int, int]:
    """Return what is another one each time that the theme was to be read anew."""
    if frame.folder == Path():
        return 0, 0
    try:
        state = (_own(frame) / _ANEW).stat()
    except OSError:
        return 0, 0
    return state.st_ino, state.st_mtime_ns


def _own(frame: Frame) -> Path:
    """Return the folder of the themes that were added to a site."""
    return frame.folder / "themes"


def _chosen(frame: Frame) -> str:
    if frame.folder == Path():
        return ""
    file = _own(frame) / _CHOICE
    try:
        state = file.stat()
    except OSError:
        return ""
    return _choice(file, state.st_ino, state.st_mtime_ns)


@lru_cache(maxsize=16)
def _choice(file: Path, number: int, changed: int) -> str:
    """Return what a file says that names a theme; its number and time tell one writing from the next."""
    return file.read_text(encoding="utf-8").strip()


@lru_cache(maxsize=64)
def read(folder: Path, mark: tuple[int, int] = (0, 0)) -> Theme:
    """Return the theme of a folder. Raises ValueError when there is none, or when a file of it is broken.

    mark: what is known of it is known for this mark.
    """
    return read_anew(folder)


def read_anew(folder: Path) -> Theme:
    """Return the theme of a folder that is not known yet. Raises ValueError as `read` does."""
    try:
        return _read(folder)
    except (OSError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{folder} holds no theme that can be read: {error}") from error


def _read(folder: Path) -> Theme:
    told = orjson.loads((folder / "theme.json").read_bytes())
    named = {part["name"]: part for part in told.get("templateParts", ())}
    custom = {template["name"]: template for template in told.get("customTemplates", ())}
    categories = folder / "patterns" / "categories.json"
    return Theme(
        name=folder.name,
        folder=folder,
        head=_head((folder / "style.css").read_text(encoding="utf-8"))[0],
        settings=told.get("settings", {}),
        styles=told.get("styles", {}),
        templates={
            slug: _template(slug, content, custom.get(slug, {})) for slug, content in _files(folder, "templates")
        },
        parts={slug: _part(slug, content, named.get(slug, {})) for slug, content in _files(folder, "parts")},
        patterns=tuple(_pattern(folder, file) for file in sorted((folder / "patterns").glob("*.html"))),
        pattern_categories=orjson.loads(categories.read_bytes()) if categories.is_file() else {},
        variations=tuple(_variation(file) for file in sorted((folder / "styles").glob("*.json"))),
    )


def _files(folder: Path, kind: str) -> list[tuple[str, str]]:
    """Return slug and content of the templates or the parts of a theme."""
    return [
        (file.stem, _with_theme(file.read_text(encoding="utf-8"), folder.name))
        for file in sorted((folder / kind).glob("*.html"))
    ]


def _template(slug: str, content: str, told: Mapping[str, Any]) -> TemplateFile:
    kind = KINDS.get(slug)
    title = told.get("title") or (kind.title if kind else slug)
    return TemplateFile(
        slug, title, kind.description if kind else "", content, post_types=tuple(told.get("postTypes", ()))
    )


def _part(slug: str, content: str, told: Mapping[str, Any]) -> TemplateFile:
    area = told.get("area", DEFAULT_AREA)
    return TemplateFile(slug, told.get("title") or slug, "", content, area if area in AREAS else DEFAULT_AREA)


def _with_theme(content: str, theme: str) -> str:
    """Return a template's content whose references to parts say of which theme these are."""
    parts = grammar.parse(content)
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            continue
        pending += part.parts
        if part.name == "core/template-part" and part.void and "theme" not in part.attributes:
            attributes = orjson.dumps({**part.attributes, "theme": theme}).decode()
            part.opening = f"<!-- wp:template-part {attributes} /-->"
    return grammar.serialise(parts)


def _head(text: str) -> tuple[dict[str, str], str]:
    """Return what the comment at the beginning of a file says, and what follows it."""
    found = _HEAD.match(text)
    if found is None:
        return {}, text
    return dict(_HEAD_LINE.findall(found[1] or found[2] or "")), text[found.end() :]


def _pattern(folder: Path, file: Path) -> Pattern:
    head, content = _head(file.read_text(encoding="utf-8"))

    def listed(name: str) -> tuple[str, ...]:
        return tuple(word.strip() for word in head.get(name, "").split(",") if word.strip())

    width = head.get("Viewport Width", "")
    return Pattern(
        name=head.get("Slug") or f"{folder.name}/{file.stem}",
        title=head.get("Title") or file.stem,
        description=head.get("Description", ""),
        content=content,
        categories=listed("Categories"),
        keywords=listed("Keywords"),
        block_types=listed("Block Types"),
        post_types=listed("Post Types"),
        template_types=listed("Template Types"),
        viewport_width=whole(width),
        inserter=head.get("Inserter", "yes").lower() not in ("no", "false"),
    )


def _variation(file: Path) -> dict[str, Any]:
    told = orjson.loads(file.read_bytes())
    return {
        "version": told.get("version", 3),
        "title": told.get("title") or file.stem,
        "settings": told.get("settings", {}),
        "styles": told.get("styles", {}),
    }
