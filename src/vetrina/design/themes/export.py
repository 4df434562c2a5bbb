"""Export of the active theme with the site owner's changes, as an archive that another site can install.

The theme: design/themes/model.py. The changes: design/templates/rules.py, design/styles/rules.py.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final

import orjson

from vetrina.content.blocks import grammar
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design import site_records
from vetrina.design.styles import rules as styles
from vetrina.design.templates import rules as templates
from vetrina.design.themes import active_theme

_FOLDERS: Final = {"cms_template": "templates", "cms_template_part": "parts"}
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip archive can store


def build_theme_archive(work: UnitOfWork) -> tuple[str, bytes]:
    """Return the name of the active theme, and a zip archive of its files with the owner's changes in them."""
    theme = active_theme.get_active_theme(work.site)
    files = {
        str(path.relative_to(theme.folder)): path.read_bytes()
        for path in sorted(theme.folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
    for type in (TEMPLATE, TEMPLATE_PART):
        for one in templates.list_templates(work, type):
            if one.stored is not None:
                files[f"{_FOLDERS[type.name]}/{one.slug}.html"] = _remove_theme_references(one.content).encode()
    files["theme.json"] = _build_theme_json(work, files["theme.json"])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed date, so that the same theme gives the same bytes.
            archive.writestr(zipfile.ZipInfo(f"{theme.name}/{name}", _FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return theme.name, out.getvalue()


def _build_theme_json(work: UnitOfWork, stored: bytes) -> bytes:
    """Return the theme's settings and styles merged with the owner's."""
    document = orjson.loads(stored)
    theme = active_theme.get_active_theme(work.site).name
    types = work.site.types
    own = types.get("cms_global_styles")
    rows = site_records.list_entries(work, own) if own is not None else []
    found = next((row for row in rows if row.meta.get("theme") == theme), None)
    if found is None:
        return stored
    for name, changed in zip(("settings", "styles"), styles.parse_styles(found), strict=True):
        if changed:
            document[name] = _merge_values(document.get(name) or {}, changed)
    return orjson.dumps(document, option=orjson.OPT_INDENT_2)


def _merge_values(below: Any, above: Any) -> Any:
    """Merge `above` over `below`; objects are merged recursively."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {**below, **{name: _merge_values(below.get(name), value) for name, value in above.items()}}


def _remove_theme_references(content: str) -> str:
    """Return a template without the theme's name in its references to parts, so that they hold in any theme."""
    parts = grammar.parse_blocks(content)
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            continue
        pending += part.parts
        if part.name == "core/template-part" and part.void and "theme" in part.attributes:
            attributes = {name: value for name, value in part.attributes.items() if name != "theme"}
            part.opening = f"<!-- wp:template-part {orjson.dumps(attributes).decode()} /-->"
    return grammar.serialize_blocks(parts)
