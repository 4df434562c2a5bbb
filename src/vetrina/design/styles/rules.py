"""Global styles: the theme's, its variations, and the site owner's styles over them.

The owner's styles are one record per theme, created when its id is first requested; each change that differs adds a
revision. Known members: design/styles/theme_json.py. Rules: docs/rules/global_styles.md, 3 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.records.model import Record
from vetrina.content.records.stored_texts import extract_raw_text
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design import site_records
from vetrina.design.styles.theme_json import (
    add_preset_origin,
    filter_settings,
    filter_styles,
    iterate_css,
    remove_unsafe_values,
    resolve_presets,
)
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import Theme
from vetrina.kernel.errors import ApiError, Failure, WriteNeeded

_VERSION: Final = 3
_TITLE: Final = "Custom Styles"
# Anything that a browser could take for a tag would end the style element around it.
_MARKUP_TAG = re.compile(r"</?\w")


class StylesNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_global_styles_not_found"
    message = "There are no styles with the number {id}; the theme's links name it."


class IllegalCssMarkup(ApiError):
    code = "rest_custom_css_illegal_markup"
    message = "A style sheet cannot hold {found!r}: markup does not belong in `css`."


def ensure_site_styles(work: UnitOfWork, *, id: int = 0) -> Record:
    """Return the record of the owner's styles for the active theme, created at the first call.

    id: a free one that it takes then, 0 for the next one.
    Raises WriteNeeded if it must be created in a read transaction.
    """
    theme = active_theme.get_active_theme(work.site).name
    found = next(
        (row for row in site_records.list_entries(work, GLOBAL_STYLES) if row.meta.get("theme") == theme), None
    )
    if found is not None:
        return found
    if not work.tx.writes:
        raise WriteNeeded
    new = site_records.build_entry(
        work, GLOBAL_STYLES, id=id, slug=f"cms-global-styles-{theme}", title=_TITLE, title_html=_TITLE,
        content=_encode_content({}, {}), meta={"theme": theme},
    )  # fmt: skip
    return site_records.insert_entry(work, GLOBAL_STYLES, new)


def get_styles(work: UnitOfWork, id: int) -> Record:
    """Return the owner's styles with an id. Raises StylesNotFound."""
    found = site_records.find_entry(work, GLOBAL_STYLES, id)
    if found is None:
        raise StylesNotFound(id=id)
    return found


def update_styles(work: UnitOfWork, old: Record, given: Mapping[str, Any]) -> Record:
    """Store title, settings and styles, replacing each that is given, and return the new state.

    Raises IllegalCssMarkup.
    """
    settings, styles = decode_content(old.content)
    if isinstance(given.get("settings"), dict):
        settings = add_preset_origin(filter_settings(given["settings"]), "custom")
    if isinstance(given.get("styles"), dict):
        styles = filter_styles(given["styles"])
        for css in iterate_css(styles):
            if found := _MARKUP_TAG.search(css):
                raise IllegalCssMarkup(found=css[found.start() : found.start() + 20])
    title = extract_raw_text("title", given["title"]) if "title" in given else None
    title = old.title if title is None else title.strip()
    if not may_write_unfiltered_html(work.user):
        settings, styles, title = (
            remove_unsafe_values(settings),
            remove_unsafe_values(styles),
            sanitizing.sanitize_title(title),
        )
    content = _encode_content(settings, styles)
    if (title, content) == (old.title, old.content):
        return old
    return site_records.update_entry(
        work,
        GLOBAL_STYLES,
        old,
        title=title,
        title_html=text_rendering.render_title(title, work.budget),
        content=content,
    )


def parse_styles(source: Record | Revision) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and the styles of a record or a revision, as in responses."""
    settings, styles = decode_content(source.content)
    return settings, resolve_presets(styles)


def build_theme_styles(theme: Theme) -> dict[str, Any]:
    """Return the settings and the styles of a theme itself, as in responses."""
    return {"settings": add_preset_origin(theme.settings, "theme"), "styles": resolve_presets(theme.styles)}


def build_style_variations(theme: Theme) -> list[dict[str, Any]]:
    """Return the style variations of a theme, as in responses."""
    return [
        {**one, "settings": add_preset_origin(one["settings"], "theme"), "styles": resolve_presets(one["styles"])}
        for one in theme.variations
    ]


def decode_content(content: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and the styles of a stored content; empty ones for a content that has none."""
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}, {}
    if not isinstance(found, dict):
        return {}, {}
    return found.get("settings") or {}, found.get("styles") or {}


def _encode_content(settings: Mapping[str, Any], styles: Mapping[str, Any]) -> str:
    return orjson.dumps({"version": _VERSION, "settings": settings, "styles": styles}).decode()
