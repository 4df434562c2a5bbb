"""The fonts of a site as `@font-face`: the families that the theme or the owner's settings name, with their faces.

A family of the library is activated by standing in the owner's settings (`typography.fontFamilies`); files lie at the
addresses of the uploads or in the theme's folder. Rules: docs/rules/global_styles.md, 8; docs/rules/fonts.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.design.styles.css.theme_tree import PRESET_KINDS, as_list, as_mapping, iterate_presets
from vetrina.design.styles.css.tokens import quote
from vetrina.design.styles.css.values import Declaration, StyleScope, format_rule

_FAMILIES: Final = next(kind for kind in PRESET_KINDS if kind.member == "fontFamilies")
_FORMATS: Final = {".woff2": "woff2", ".woff": "woff", ".ttf": "truetype", ".otf": "opentype"}
_PROPERTIES: Final = {
    "fontStyle": "font-style", "fontWeight": "font-weight", "fontStretch": "font-stretch",
    "fontVariant": "font-variant", "fontFeatureSettings": "font-feature-settings",
    "fontVariationSettings": "font-variation-settings", "unicodeRange": "unicode-range",
    "ascentOverride": "ascent-override", "descentOverride": "descent-override",
    "lineGapOverride": "line-gap-override", "sizeAdjust": "size-adjust",
}  # fmt: skip
_DISPLAYS: Final = frozenset(("auto", "block", "fallback", "swap", "optional"))

FacesBySlug = Mapping[str, list[Mapping[str, Any]]]


def list_families_without_faces(scope: StyleScope) -> list[str]:
    """Return the slugs of the owner's families that name no faces: the library may have some."""
    families = as_mapping(as_mapping(scope.tree.settings.get(_FAMILIES.group)).get(_FAMILIES.member))
    given = [as_mapping(one) for one in as_list(families.get("custom"))]
    return [one["slug"] for one in given if isinstance(one.get("slug"), str) and not as_list(one.get("fontFace"))]


def build_font_faces(scope: StyleScope, library: FacesBySlug) -> str:
    """Return the rules of all faces. library: the faces of families that name none, by the slug of the family."""
    out: dict[str, None] = {}
    for family in iterate_presets(scope.tree.settings, _FAMILIES):
        slug = family.get("slug")
        faces = as_list(family.get("fontFace")) or (library.get(slug, []) if isinstance(slug, str) else [])
        for face in faces:
            out[format_rule("@font-face", _list_descriptors(scope, as_mapping(face)))] = None
    return "".join(out)


def _list_descriptors(scope: StyleScope, face: Mapping[str, Any]) -> list[Declaration]:
    """Return the descriptors of a face, none without a name or a file that may be loaded."""
    name = face.get("fontFamily")
    sources = ",".join(_iterate_sources(scope, face.get("src")))
    if not isinstance(name, str) or not (name := name.strip().strip("\"'")) or not sources:
        return []
    display = scope.format(face.get("fontDisplay"))
    out = [("font-family", quote(name)), ("font-display", display if display in _DISPLAYS else "fallback")]
    for member, descriptor in _PROPERTIES.items():
        if value := scope.format(face.get(member)):
            out.append((descriptor, value))
    return [*out, ("src", sources)]


def _iterate_sources(scope: StyleScope, sources: Any) -> Iterator[str]:
    for source in as_list(sources) or [sources]:
        address = scope.policy.resolve(source) if isinstance(source, str) else ""
        if address:
            kind = _FORMATS.get(PurePosixPath(urlsplit(address).path).suffix.lower(), "")
            yield f"url({quote(address)})" + (f' format("{kind}")' if kind else "")
