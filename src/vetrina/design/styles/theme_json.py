"""Which members settings and styles of a theme may have, and how their values are written.

Not here: who stores them (design/styles/rules.py). Rules: the public format of theme settings, version 3; facts of the
interface, "Global styles". What the format does not know is dropped; what it knows is kept as it came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from vetrina.content.text.inline_styles import harmless_style

__all__ = ["css_texts", "harmless", "known_settings", "known_styles", "resolved", "with_origin"]

Tree = Mapping[str, "Tree | None"]  # None: any value


def _leaves(words: str) -> dict[str, Tree | None]:
    return dict.fromkeys(words.split())


_SETTINGS: Final[Tree] = {
    **_leaves("appearanceTools useRootPaddingAwareAlignments custom"),
    "background": _leaves("backgroundImage backgroundSize"),
    "border": _leaves("color radius radiusSizes style width"),
    "color": _leaves(
        "background button caption custom customDuotone customGradient defaultDuotone defaultGradients defaultPalette"
        " duotone gradients heading link palette text"
    ),
    "dimensions": _leaves("aspectRatio aspectRatios defaultAspectRatios height minHeight width"),
    "layout": _leaves("allowCustomContentAndWideSize allowEditing contentSize wideSize"),
    "lightbox": _leaves("allowEditing enabled"),
    "position": _leaves("fixed sticky"),
    "shadow": _leaves("defaultPresets presets"),
    "spacing": _leaves(
        "blockGap customSpacingSize defaultSpacingSizes margin padding spacingScale spacingSizes units"
    ),
    "typography": _leaves(
        "customFontSize defaultFontSizes dropCap fluid fontFamilies fontSizes fontStyle fontWeight letterSpacing"
        " lineHeight textAlign textColumns textDecoration textTransform writingMode"
    ),
}  # fmt: skip

_SIDE: Final = _leaves("color style width")
_STYLES: Final[Tree] = {
    **_leaves("css shadow"),
    "background": _leaves("backgroundAttachment backgroundImage backgroundPosition backgroundRepeat backgroundSize"),
    "border": {**_leaves("color radius style width"), **dict.fromkeys(("top", "right", "bottom", "left"), _SIDE)},
    "color": _leaves("background gradient text"),
    "dimensions": _leaves("aspectRatio height minHeight width"),
    "filter": _leaves("duotone"),
    "outline": _leaves("color offset style width"),
    "spacing": _leaves("blockGap margin padding"),
    "typography": _leaves(
        "fontFamily fontSize fontStyle fontWeight letterSpacing lineHeight textAlign textColumns textDecoration"
        " textIndent textTransform writingMode"
    ),
}
_STATES: Final[Tree] = dict.fromkeys(
    (":link", ":any-link", ":visited", ":hover", ":focus", ":focus-visible", ":active"), _STYLES
)
_WITH_STATES: Final[Tree] = {**_STYLES, **_STATES}
_ELEMENTS: Final[Tree] = {
    **dict.fromkeys(("heading", "h1", "h2", "h3", "h4", "h5", "h6", "caption", "cite", "select", "textInput"), _STYLES),
    **dict.fromkeys(("link", "button"), _WITH_STATES),
}
_BLOCK: Final[Tree] = {**_STYLES, "elements": _ELEMENTS}
_BLOCKS_WITH_STATES: Final = {"core/button": {**_WITH_STATES, "elements": _ELEMENTS}}

_BLOCK_NAME: Final = re.compile(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*")
_VARIATION_NAME: Final = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
_PRESETS: Final = (
    ("border", "radiusSizes"), ("color", "duotone"), ("color", "gradients"), ("color", "palette"),
    ("dimensions", "aspectRatios"), ("shadow", "presets"), ("spacing", "spacingSizes"), ("typography", "fontFamilies"),
    ("typography", "fontSizes"),
)  # fmt: skip

_PROPERTY_PREFIX: Final = "--cms--"
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])")


def known_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the format knows, of all blocks together and of single ones."""
    out = _known(given, _SETTINGS)
    return _with_named(out, given, "blocks", _BLOCK_NAME, lambda name, own: _known(own, _SETTINGS))


def known_styles(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the styles that the format knows: of the page, of elements, of blocks and their variations."""
    out = _known(given, {**_STYLES, "elements": _ELEMENTS})
    return _with_named(out, given, "blocks", _BLOCK_NAME, _known_block)


def _known_block(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    out = _known(given, _BLOCKS_WITH_STATES.get(name, _BLOCK))
    return _with_named(out, given, "variations", _VARIATION_NAME, _known_variation)


def _known_variation(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return _with_named(_known(given, _BLOCK), given, "blocks", _BLOCK_NAME, lambda name, own: _known(own, _BLOCK))


def _with_named(
    out: dict[str, Any],
    given: Mapping[str, Any],
    member: str,
    name: re.Pattern[str],
    known: Callable[[str, Mapping[str, Any]], dict[str, Any]],
) -> dict[str, Any]:
    """Return `out` with a member that holds one object for each name."""
    own = given.get(member)
    if isinstance(own, dict):
        kept = {key: known(key, value) for key, value in own.items() if name.fullmatch(key) and isinstance(value, dict)}
        kept = {key: value for key, value in kept.items() if value}
        if kept:
            out[member] = kept
    return out


def _known(given: Mapping[str, Any], tree: Tree) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key not in tree:
            continue
        below = tree[key]
        if below is None:
            out[key] = value
        elif isinstance(value, dict) and (kept := _known(value, below)):
            out[key] = kept
    return out


def with_origin(settings: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """Return settings whose lists of presets say where they come from: `theme` or `custom`."""
    out = dict(settings)
    for group, name in _PRESETS:
        if isinstance(found := out.get(group, {}).get(name), list):
            out[group] = {**out[group], name: {origin: found}}
    if "blocks" in out:
        out["blocks"] = {name: with_origin(own, origin) for name, own in out["blocks"].items()}
    return out


def resolved(value: Any) -> Any:
    """Return styles whose references to presets (`var:preset|color|base`) are written as custom properties."""
    if isinstance(value, dict):
        return {key: resolved(item) for key, item in value.items()}
    if isinstance(value, list):
        return [resolved(item) for item in value]
    if isinstance(value, str) and value.startswith("var:"):
        path = "--".join(_HUMP.sub("-", part).lower() for part in value.removeprefix("var:").split("|"))
        return f"var({_PROPERTY_PREFIX}{path})"
    return value


def css_texts(styles: Mapping[str, Any]) -> Iterator[str]:
    """Yield every piece of style sheet in known styles."""
    for key, value in styles.items():
        if key == "css" and isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from css_texts(value)


def harmless(value: Any) -> Any:
    """Return settings or styles without values that one without free markup may not write."""
    if isinstance(value, dict):
        out = {key: harmless(item) for key, item in value.items() if key != "css"}
        return {key: item for key, item in out.items() if item is not None}
    if isinstance(value, list):
        return [item for item in map(harmless, value) if item is not None]
    if isinstance(value, str) and not value.startswith("var:"):
        return value if harmless_style(f"--x:{value}") or not value.strip() else None
    return value
