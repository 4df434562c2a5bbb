"""The style sheet of a site: all its parts in order, and a digest by which browsers keep it for ever.

The block library and the theme's own rules precede what follows from settings and styles. It is made again only when
the theme, the owner's styles, the fonts or the address of the site change. Rules:
docs/rules/global_styles.md, 8, 11 and 12.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final, NamedTuple

import orjson

from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY, GLOBAL_STYLES
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design import site_records
from vetrina.design.fonts import rules as fonts
from vetrina.design.styles import rules as styles
from vetrina.design.styles.css.addresses import AddressPolicy, build_origins
from vetrina.design.styles.css.dark_colors import build_dark_rules
from vetrina.design.styles.css.font_faces import FacesBySlug, build_font_faces, list_families_without_faces
from vetrina.design.styles.css.layout_rules import build_layout_rules, build_size_properties, pads_root
from vetrina.design.styles.css.presets import build_preset_classes, build_preset_properties
from vetrina.design.styles.css.style_rules import (
    build_block_rules,
    build_custom_css,
    build_element_rules,
    build_root_rules,
)
from vetrina.design.styles.css.theme_tree import build_theme_tree
from vetrina.design.styles.css.values import StyleScope
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import Theme
from vetrina.design.themes.public_files import build_theme_url

_DIGEST_BYTES: Final = 10
_KEPT: Final = 32  # sheets of a process: of its sites, and of their addresses
_SAMPLE_FILE: Final = "uploads/sheet"  # any file: its address tells where files are
_LIBRARY: Final = "block_library.css"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE: Final = re.compile(r"\s*([{};,>])\s*")


class Stylesheet(NamedTuple):
    """A style sheet. digest: of its text, as hexadecimal digits."""

    text: str
    digest: str


def build_stylesheet(work: UnitOfWork) -> Stylesheet:
    """Return the style sheet of the site."""
    # A theme that is activated is noted as an option.
    work.uses("option")
    theme = active_theme.load_active_theme(work)
    site = work.site
    rows = site_records.list_entries(work, GLOBAL_STYLES) if GLOBAL_STYLES.name in site.types else []
    owner = next((row.content for row in rows if row.meta.get("theme") == theme.name), "")
    origins = build_origins(work.origin, site.files.url(_SAMPLE_FILE, work.origin))
    policy = AddressPolicy(origins, f"{build_theme_url(theme, work.origin)}/")
    library = _load_library_faces(work, _list_open_families(theme, owner))
    return _build_sheet(theme, owner, policy, library, "".join(one.load_block_styles() for one in site.modules))


def generate_css(
    theme: Mapping[str, Any], owner: Mapping[str, Any], policy: AddressPolicy, library: FacesBySlug | None = None
) -> str:
    """Return the text of a style sheet; theme, owner: each with `settings` and `styles`. See `build_font_faces`."""
    scope = StyleScope(build_theme_tree(theme, owner), policy)
    return "".join((
        build_font_faces(scope, library or {}),
        build_preset_properties(scope),
        build_size_properties(scope),
        build_root_rules(scope, root_padding=pads_root(scope)),
        build_layout_rules(scope),
        build_element_rules(scope),
        build_block_rules(scope),
        build_preset_classes(scope),
        build_custom_css(scope),
    ))  # fmt: skip


@lru_cache(maxsize=_KEPT)
def _build_sheet(theme: Theme, owner: str, policy: AddressPolicy, library: bytes, module_rules: str) -> Stylesheet:
    own = _decode(owner)
    text = "".join((
        _load_block_library(),
        _compress_rules(module_rules),
        _load_theme_rules(theme),
        generate_css(_show_theme(theme), own, policy, orjson.loads(library)),
        build_dark_rules(theme, own, policy),
    ))  # fmt: skip
    return Stylesheet(text, blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest())


@cache
def _load_block_library() -> str:
    """Return the rules that blocks need whatever the theme."""
    return _compress_rules(files(__package__).joinpath(_LIBRARY).read_text(encoding="utf-8"))


def _load_theme_rules(theme: Theme) -> str:
    """Return the rules of a theme's `style.css`, which whoever installed it answers for."""
    return _compress_rules((theme.folder / "style.css").read_text(encoding="utf-8"))


def _compress_rules(text: str) -> str:
    """Return rules without comments and needless blanks."""
    return _SPACE.sub(r"\1", _COMMENT.sub("", text)).strip()


@lru_cache(maxsize=_KEPT)
def _list_open_families(theme: Theme, owner: str) -> tuple[str, ...]:
    """Return the slugs of the families whose faces only the library may know."""
    scope = StyleScope(build_theme_tree(_show_theme(theme), _decode(owner)), AddressPolicy())
    return tuple(list_families_without_faces(scope))


def _load_library_faces(work: UnitOfWork, slugs: tuple[str, ...]) -> bytes:
    """Return the faces that the library has for some families, by slug, as JSON."""
    out: dict[str, list[Any]] = {}
    if slugs and FONT_FAMILY.name in work.site.types:
        for family in site_records.list_entries(work, FONT_FAMILY):
            if family.slug in slugs:
                faces = site_records.list_child_entries(work, FONT_FACE, family.id)
                out[family.slug] = [fonts.load_font_settings(work, face) for face in faces]
    return orjson.dumps(out)


def _show_theme(theme: Theme) -> dict[str, Any]:
    return {"settings": theme.settings, "styles": theme.styles}


def _decode(content: str) -> dict[str, Any]:
    settings, own = styles.decode_content(content)
    return {"settings": settings, "styles": own}
