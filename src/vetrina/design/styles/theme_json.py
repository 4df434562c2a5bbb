"""The known members of theme settings and styles, and how their values are written.

Rules: the public format of theme settings, version 3; docs/rules/global_styles.md, 4. Members unknown to the format are
dropped; known ones are kept as sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from vetrina.content.text.inline_styles import sanitize_style

MemberTree = Mapping[str, "MemberTree | None"]  # None: any value


def _parse_leaves(words: str) -> dict[str, MemberTree | None]:
    return dict.fromkeys(words.split())


_SETTINGS: Final[MemberTree] = {
    **_parse_leaves("appearanceTools useRootPaddingAwareAlignments custom"),
    "background": _parse_leaves("backgroundImage backgroundSize"),
    "border": _parse_leaves("color radius radiusSizes style width"),
    "color": _parse_leaves(
        "background button caption custom customDuotone customGradient defaultDuotone defaultGradients defaultPalette"
        " duotone gradients heading link palette text"
    ),
    "dimensions": _parse_leaves("aspectRatio aspectRatios defaultAspectRatios height minHeight width"),
    "layout": _parse_leaves("allowCustomContentAndWideSize allowEditing contentSize wideSize"),
    "lightbox": _parse_leaves("allowEditing enabled"),
    "position": _parse_leaves("fixed sticky"),
    "shadow": _parse_leaves("defaultPresets presets"),
    "spacing": _parse_leaves(
        "blockGap customSpacingSize defaultSpacingSizes margin padding spacingScale spacingSizes units"
    ),
    "typography": _parse_leaves(
        "customFontSize defaultFontSizes dropCap fluid fontFamilies fontSizes fontStyle fontWeight letterSpacing"
        " lineHeight textAlign textColumns textDecoration textTransform writingMode"
    ),
}  # fmt: skip

_SIDE: Final = _parse_leaves("color style width")
_STYLES: Final[MemberTree] = {
    **_parse_leaves("css shadow"),
    "background": _parse_leaves(
        "backgroundAttachment backgroundImage backgroundPosition backgroundRepeat backgroundSize"
    ),
    "border": {**_parse_leaves("color radius style width"), **dict.fromkeys(("top", "right", "bottom", "left"), _SIDE)},
    "color": _parse_leaves("background gradient text"),
    "dimensions": _parse_leaves("aspectRatio height minHeight width"),
    "filter": _parse_leaves("duotone"),
    "outline": _parse_leaves("color offset style width"),
    "spacing": _parse_leaves("blockGap margin padding"),
    "typography": _parse_leaves(
        "fontFamily fontSize fontStyle fontWeight letterSpacing lineHeight textAlign textColumns textDecoration"
        " textIndent textTransform writingMode"
    ),
}
_STATES: Final[MemberTree] = dict.fromkeys(
    (":link", ":any-link", ":visited", ":hover", ":focus", ":focus-visible", ":active"), _STYLES
)
_WITH_STATES: Final[MemberTree] = {**_STYLES, **_STATES}
_ELEMENTS: Final[MemberTree] = {
    **dict.fromkeys(("heading", "h1", "h2", "h3", "h4", "h5", "h6", "caption", "cite", "select", "textInput"), _STYLES),
    **dict.fromkeys(("link", "button"), _WITH_STATES),
}
_BLOCK: Final[MemberTree] = {**_STYLES, "elements": _ELEMENTS}
_BLOCKS_WITH_STATES: Final = {"core/button": {**_WITH_STATES, "elements": _ELEMENTS}}

_BLOCK_NAME: Final = re.compile(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*")
_VARIATION_NAME: Final = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
_PRESETS: Final = (
    ("border", "radiusSizes"), ("color", "duotone"), ("color", "gradients"), ("color", "palette"),
    ("dimensions", "aspectRatios"), ("shadow", "presets"), ("spacing", "spacingSizes"), ("typography", "fontFamilies"),
    ("typography", "fontSizes"),
)  # fmt: skip

_PROPERTY_PREFIX: Final = "--cms--"
_CASE_BOUNDARY: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])")


def filter_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings known to the format, global and per block."""
    out = _filter_members(given, _SETTINGS)
    return _add_named_members(out, given, "blocks", _BLOCK_NAME, lambda name, own: _filter_members(own, _SETTINGS))


def filter_styles(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the styles known to the format: of the page, of elements, of blocks and their variations."""
    out = _filter_members(given, {**_STYLES, "elements": _ELEMENTS})
    return _add_named_members(out, given, "blocks", _BLOCK_NAME, _filter_block)


def _filter_block(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    out = _filter_members(given, _BLOCKS_WITH_STATES.get(name, _BLOCK))
    return _add_named_members(out, given, "variations", _VARIATION_NAME, _filter_variation)


def _filter_variation(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return _add_named_members(
        _filter_members(given, _BLOCK), given, "blocks", _BLOCK_NAME, lambda name, own: _filter_members(own, _BLOCK)
    )


def _add_named_members(
    out: dict[str, Any],
    given: Mapping[str, Any],
    member: str,
    name: re.Pattern[str],
    known: Callable[[str, Mapping[str, Any]], dict[str, Any]],
) -> dict[str, Any]:
    """Add a member that holds one object per name to `out`, and return it."""
    own = given.get(member)
    if isinstance(own, dict):
        objects = {
            key: known(key, value) for key, value in own.items() if name.fullmatch(key) and isinstance(value, dict)
        }
        objects = {key: value for key, value in objects.items() if value}
        if objects:
            out[member] = objects
    return out


def _filter_members(given: Mapping[str, Any], tree: MemberTree) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key not in tree:
            continue
        below = tree[key]
        if below is None:
            out[key] = value
        elif isinstance(value, dict) and (nested := _filter_members(value, below)):
            out[key] = nested
    return out


def add_preset_origin(settings: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """Return settings whose preset lists are keyed by their origin: `theme` or `custom`."""
    out = dict(settings)
    for group, name in _PRESETS:
        if isinstance(found := out.get(group, {}).get(name), list):
            out[group] = {**out[group], name: {origin: found}}
    if "blocks" in out:
        out["blocks"] = {name: add_preset_origin(own, origin) for name, own in out["blocks"].items()}
    return out


def resolve_presets(value: Any) -> Any:
    """Return styles with references to presets (`var:preset|color|base`) replaced by CSS custom properties."""
    if isinstance(value, dict):
        return {key: resolve_presets(item) for key, item in value.items()}
    if isinstance(value, list):
        return [resolve_presets(item) for item in value]
    if isinstance(value, str) and value.startswith("var:"):
        path = "--".join(_CASE_BOUNDARY.sub("-", part).lower() for part in value.removeprefix("var:").split("|"))
        return f"var({_PROPERTY_PREFIX}{path})"
    return value


def iterate_css(styles: Mapping[str, Any]) -> Iterator[str]:
    """Yield every piece of custom CSS in known styles."""
    for key, value in styles.items():
        if key == "css" and isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from iterate_css(value)


def remove_unsafe_values(value: Any) -> Any:
    """Return settings or styles without values that a user without the right to unfiltered markup may not write."""
    if isinstance(value, dict):
        out = {key: remove_unsafe_values(item) for key, item in value.items() if key != "css"}
        return {key: item for key, item in out.items() if item is not None}
    if isinstance(value, list):
        return [item for item in map(remove_unsafe_values, value) if item is not None]
    if isinstance(value, str) and not value.startswith("var:"):
        return value if sanitize_style(f"--x:{value}") or not value.strip() else None
    return value
