"""Global styles: those of the theme, its variations, and what the site's owner set over them.

The owner's styles are one record a theme, made when somebody first asks for its number; each change that differs keeps
a revision. Not here: which members there are (design/styles/theme_json.py), who may (the routes).
Rules: facts of the interface, "Global styles".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from vetrina.access.roles.capabilities import unfiltered
from vetrina.content.records.input import raw_text
from vetrina.content.records.model import Record
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.content.types.registry import GLOBAL_STYLES
from vetrina.core.unit_of_work import Work
from vetrina.design import site_records
from vetrina.design.styles.theme_json import css_texts, harmless, known_settings, known_styles, resolved, with_origin
from vetrina.design.themes import rules as themes
from vetrina.design.themes.rules import Theme
from vetrina.kernel.errors import ApiError, WriteNeeded

__all__ = ["IllegalMarkup", "StylesUnknown", "change", "known", "of_site", "of_theme", "parts", "variations"]

_VERSION: Final = 3
_TITLE: Final = "Custom Styles"
# Whatever a browser could take for the beginning or the end of an element would end the style sheet around it.
_TAG = re.compile(r"</?\w")


class StylesUnknown(ApiError):
    status, code = 404, "rest_global_styles_not_found"
    message = "There are no styles with the number {id}; the theme's links name it."


class IllegalMarkup(ApiError):
    code = "rest_custom_css_illegal_markup"
    message = "A style sheet cannot hold {found!r}: markup does not belong in `css`."


def of_site(work: Work) -> Record:
    """Return the record of the owner's styles over the active theme; the first call makes it.

    Raises WriteNeeded where that is asked of a read.
    """
    theme = themes.active(work.frame).name
    found = next((row for row in site_records.all_of(work, GLOBAL_STYLES) if row.meta.get("theme") == theme), None)
    if found is not None:
        return found
    if not work.tx.writes:
        raise WriteNeeded
    new = site_records.blank(
        work, GLOBAL_STYLES, slug=f"cms-global-styles-{theme}", title=_TITLE, title_html=_TITLE,
        content=_written({}, {}), meta={"theme": theme},
    )  # fmt: skip
    return site_records.add(work, GLOBAL_STYLES, new)


def known(work: Work, id: int) -> Record:
    """Return the owner's styles with a number. Raises StylesUnknown."""
    found = site_records.by_id(work, GLOBAL_STYLES, id)
    if found is None:
        raise StylesUnknown(id=id)
    return found


def change(work: Work, old: Record, given: Mapping[str, Any]) -> Record:
    """Store title, settings and styles, each as a whole where it is given, and return the new state.

    Raises IllegalMarkup.
    """
    settings, styles = _stored(old.content)
    if isinstance(given.get("settings"), dict):
        settings = with_origin(known_settings(given["settings"]), "custom")
    if isinstance(given.get("styles"), dict):
        styles = known_styles(given["styles"])
        for css in css_texts(styles):
            if found := _TAG.search(css):
                raise IllegalMarkup(found=css[found.start() : found.start() + 20])
    title = raw_text("title", given["title"]) if "title" in given else None
    title = old.title if title is None else title.strip()
    if not unfiltered(work.user):
        settings, styles, title = harmless(settings), harmless(styles), sanitizing.title(title)
    content = _written(settings, styles)
    if (title, content) == (old.title, old.content):
        return old
    return site_records.change(
        work, GLOBAL_STYLES, old, title=title, title_html=text_rendering.title(title, work.budget), content=content
    )


def parts(of: Record | Revision) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings and the styles of a record or of a kept state of it, as answers show them."""
    settings, styles = _stored(of.content)
    return settings, resolved(styles)


def of_theme(theme: Theme) -> dict[str, Any]:
    """Return the settings and the styles of a theme itself, as answers show them."""
    return {"settings": with_origin(theme.settings, "theme"), "styles": resolved(theme.styles)}


def variations(theme: Theme) -> list[dict[str, Any]]:
    """Return the further looks of a theme, as answers show them."""
    return [
        {**one, "settings": with_origin(one["settings"], "theme"), "styles": resolved(one["styles"])}
        for one in theme.variations
    ]


def _stored(content: str) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}, {}
    return found.get("settings") or {}, found.get("styles") or {}


def _written(settings: Mapping[str, Any], styles: Mapping[str, Any]) -> str:
    return orjson.dumps({"version": _VERSION, "settings": settings, "styles": styles}).decode()
