"""The settings and styles that hold: the defaults of every site, over them the theme's, over them the owner's.

Objects are merged member by member. Presets are lists by origin (`default`, `theme`, `custom`): a list of a later
source replaces the list of the same origin, and origins stand beside each other. The style variation that the owner
chose is in the owner's settings and styles. Nothing here raises, whatever the JSON.
Rules: docs/rules/global_styles.md, 8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import orjson

from vetrina.design.styles.css.spacing_scale import compute_spacing_scale

_ORIGINS: Final = ("default", "theme", "custom")
_MAX_DEPTH: Final = 40  # levels of settings and styles that are read
# Members whose objects are values of their own.
_WHOLE_VALUES: Final = frozenset(("backgroundImage",))


class PresetKind(NamedTuple):
    """A kind of presets.

    group, member: where its list is in the settings. infix: of the names of its custom properties. value: the member of
    a preset with its value. switch: the setting that leaves out the defaults. classes: the ends of its classes, with
    the property that each sets.
    """

    group: str
    member: str
    infix: str
    value: str
    switch: str = ""
    classes: Mapping[str, str] = {}


PRESET_KINDS: Final = (
    PresetKind("dimensions", "aspectRatios", "aspect-ratio", "ratio", "defaultAspectRatios"),
    PresetKind("color", "palette", "color", "color", "defaultPalette",
               {"color": "color", "background-color": "background-color", "border-color": "border-color"}),
    PresetKind("color", "gradients", "gradient", "gradient", "defaultGradients", {"gradient-background": "background"}),
    PresetKind("color", "duotone", "duotone", "colors", "defaultDuotone"),
    PresetKind("typography", "fontSizes", "font-size", "size", "defaultFontSizes", {"font-size": "font-size"}),
    PresetKind("typography", "fontFamilies", "font-family", "fontFamily", "", {"font-family": "font-family"}),
    PresetKind("spacing", "spacingSizes", "spacing", "size", "defaultSpacingSizes"),
    PresetKind("shadow", "presets", "shadow", "shadow", "defaultPresets"),
    PresetKind("border", "radiusSizes", "border-radius", "size"),
    PresetKind("dimensions", "dimensionSizes", "dimension", "size"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThemeTree:
    """Merged settings and styles; presets are keyed by origin."""

    settings: Mapping[str, Any]
    styles: Mapping[str, Any]

    def find(self, path: str) -> Any:
        """Return the value at a path with dots (`styles.color.text`), None where there is none."""
        here: Any = {"settings": self.settings, "styles": self.styles}
        for name in path.split("."):
            here = as_mapping(here).get(name)
        return here


def build_theme_tree(theme: Mapping[str, Any], owner: Mapping[str, Any]) -> ThemeTree:
    """Return what holds; theme, owner: each with `settings` and `styles`, as stored."""
    sources = (("default", _load_defaults()), ("theme", theme), ("custom", owner))
    settings: Any = {}
    styles: Any = {}
    for origin, source in sources:
        given = _key_presets(as_mapping(source.get("settings")), origin)
        blocks = as_mapping(given.get("blocks")).items()
        given["blocks"] = {name: _key_presets(own, origin) for name, own in blocks if isinstance(own, dict)}
        settings = _merge_values(settings, given)
        styles = _merge_values(styles, as_mapping(source.get("styles")))
    return ThemeTree(settings, styles)


def iterate_presets(settings: Mapping[str, Any], kind: PresetKind) -> Iterator[Mapping[str, Any]]:
    """Yield the presets of a kind: the defaults that the theme leaves, the theme's, the owner's.

    settings: of the site, or of a block. A default that stays on cannot be replaced by one of the theme.
    """
    lists = as_mapping(as_mapping(settings.get(kind.group)).get(kind.member))
    kept = not kind.switch or as_mapping(settings.get(kind.group)).get(kind.switch) is not False
    defaults = [one for one in as_list(lists.get("default")) if isinstance(one, dict)] if kept else []
    taken = {one.get("slug") for one in defaults if isinstance(one.get("slug"), str)}
    yield from defaults
    for origin in ("theme", "custom"):
        for one in as_list(lists.get(origin)):
            if isinstance(one, dict) and not (origin == "theme" and _is_in(one.get("slug"), taken)):
                yield one


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a value of JSON if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a value of JSON if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def _is_in(slug: Any, taken: set[Any]) -> bool:
    return isinstance(slug, str) and slug in taken


@cache
def _load_defaults() -> Mapping[str, Any]:
    document: dict[str, Any] = orjson.loads(files(__package__).joinpath("defaults.json").read_bytes())
    return document


def _key_presets(settings: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """Return the settings of the site or of a block, whose lists of presets are keyed by origin."""
    out = dict(settings)
    for kind in PRESET_KINDS:
        group = as_mapping(out.get(kind.group))
        if isinstance(found := group.get(kind.member), list):
            out[kind.group] = {**group, kind.member: {origin: found}}
        elif isinstance(found, dict):
            out[kind.group] = {**group, kind.member: {name: found[name] for name in _ORIGINS if name in found}}
    spacing = as_mapping(out.get("spacing"))
    if isinstance(spacing.get("spacingScale"), dict):
        scaled = compute_spacing_scale(spacing["spacingScale"])
        sizes = as_mapping(spacing.get("spacingSizes"))
        own = [*scaled, *as_list(sizes.get(origin))]
        out["spacing"] = {**spacing, "spacingSizes": {**sizes, origin: own}}
    return out


def _merge_values(below: Any, above: Any, depth: int = 0) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict) or depth > _MAX_DEPTH:
        return above
    merged = dict(below)
    for name, value in above.items():
        whole = name in _WHOLE_VALUES or name not in below
        merged[name] = value if whole else _merge_values(below[name], value, depth + 1)
    return merged
