"""The active theme as an archive, with all that the site's owner changed of it: a theme that another site can take.

Not here: the theme (design/themes/rules.py), what was changed of it (design/templates/rules.py,
design/styles/rules.py).
"""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final

import orjson

from vetrina.content.blocks import grammar
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.unit_of_work import Work
from vetrina.design import site_records
from vetrina.design.styles import rules as styles
from vetrina.design.templates import rules as templates
from vetrina.design.themes import rules as themes

__all__ = ["archive"]

_FOLDERS: Final = {"cms_template": "templates", "cms_template_part": "parts"}
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)  # the earliest that an archive can say


def archive(work: Work) -> tuple[str, bytes]:
    """Return the name of the active theme, and a zip archive of its files with the owner's changes in them."""
    theme = themes.active(work.frame)
    files = {
        str(path.relative_to(theme.folder)): path.read_bytes()
        for path in sorted(theme.folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
    for type in (TEMPLATE, TEMPLATE_PART):
        for one in templates.listed(work, type):
            if one.stored is not None:
                files[f"{_FOLDERS[type.name]}/{one.slug}.html"] = _without_theme(one.content).encode()
    files["theme.json"] = _theme_json(work, files["theme.json"])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as held:
        for name, content in files.items():
            # The same theme gives the same bytes, whenever it is asked for.
            held.writestr(zipfile.ZipInfo(f"{theme.name}/{name}", _FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return theme.name, out.getvalue()


def _theme_json(work: Work, stored: bytes) -> bytes:
    """Return the theme's settings and styles with those of the owner over them."""
    told = orjson.loads(stored)
    theme = themes.active(work.frame).name
    types = work.frame.types
    own = types.get("cms_global_styles")
    rows = site_records.all_of(work, own) if own is not None else []
    found = next((row for row in rows if row.meta.get("theme") == theme), None)
    if found is None:
        return stored
    for name, changed in zip(("settings", "styles"), styles.parts(found), strict=True):
        if changed:
            told[name] = _over(told.get(name) or {}, changed)
    return orjson.dumps(told, option=orjson.OPT_INDENT_2)


def _over(below: Any, above: Any) -> Any:
    """Return a value with another one over it; objects are joined member by member."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{name: _over(below.get(name), value) for name, value in above.items()}}


def _without_theme(content: str) -> str:
    """Return a template whose references to parts do not name the theme, so that they hold wherever it goes."""
    parts = grammar.parse(content)
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            continue
        pending += part.parts
        if part.name == "core/template-part" and part.void and "theme" in part.attributes:
            attributes = {name: value for name, value in part.attributes.items() if name != "theme"}
            part.opening = f"<!-- wp:template-part {orjson.dumps(attributes).decode()} /-->"
    return grammar.serialise(parts)
