"""Presets and own settings as custom properties, and the classes by which markup chooses a preset.

`--wp--preset--color--accent`, `--wp--custom--line-gap`, `.has-accent-color`: the names that rendered markup has.
Rules: docs/rules/global_styles.md, 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from vetrina.content.blocks.duotone import build_duotone_filter
from vetrina.design.styles.css.block_selectors import get_block_selectors
from vetrina.design.styles.css.fluid import compute_fluid_size
from vetrina.design.styles.css.names import format_slug, list_class_names, list_property_names
from vetrina.design.styles.css.theme_tree import PRESET_KINDS, PresetKind, as_mapping, iterate_presets
from vetrina.design.styles.css.values import Declaration, StyleScope, format_rule

_COLORS: Final = frozenset({"color", "gradient"})
_MAX_CUSTOM_DEPTH: Final = 12  # levels of `custom` settings


def build_color_properties(scope: StyleScope) -> str:
    """Return the rule that sets the custom properties of colours and gradients alone."""
    kinds = [kind for kind in PRESET_KINDS if kind.infix in _COLORS]
    return format_rule(":root", list(_list_presets(scope, scope.tree.settings, kinds).items()))


def build_preset_properties(scope: StyleScope) -> str:
    """Return the rules that set the custom properties of the site, then those of single blocks."""
    out = [format_rule(":root", _list_properties(scope, scope.tree.settings))]
    for selector, settings in _iterate_block_settings(scope):
        out.append(format_rule(selector, _list_properties(scope, settings)))
    return "".join(out)


def build_preset_classes(scope: StyleScope) -> str:
    """Return the rules of the classes by which markup chooses a preset; they hold against any other style."""
    out = [_build_classes(scope, scope.tree.settings, "")]
    for selector, settings in _iterate_block_settings(scope):
        out.append(_build_classes(scope, settings, f":where({selector})"))
    return "".join(out)


def _iterate_block_settings(scope: StyleScope) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, settings in as_mapping(scope.tree.settings.get("blocks")).items():
        selectors = get_block_selectors(name)
        if selectors is not None and isinstance(settings, dict):
            yield selectors.root, settings


def _list_properties(scope: StyleScope, settings: Mapping[str, Any]) -> list[Declaration]:
    out = _list_presets(scope, settings, PRESET_KINDS)
    out.update(_iterate_custom(scope, as_mapping(settings.get("custom")), "--wp--custom", 0))
    return list(out.items())


def _list_presets(scope: StyleScope, settings: Mapping[str, Any], kinds: Iterable[PresetKind]) -> dict[str, str]:
    out: dict[str, str] = {}
    for kind in kinds:
        for preset in iterate_presets(settings, kind):
            names = [f"--wp--preset--{kind.infix}--{name}" for name in list_property_names(preset.get("slug"))]
            if names and (value := _format_preset(scope, kind, preset)):
                out[names[0]] = value
                out.update((name, f"var({names[0]})") for name in names[1:])
    return out


def _format_preset(scope: StyleScope, kind: PresetKind, preset: Mapping[str, Any]) -> str:
    value = preset.get(kind.value)
    if kind.infix == "duotone":
        return build_duotone_filter(value)
    if kind.infix == "font-size":
        value = compute_fluid_size(value, scope.tree.settings, preset.get("fluid"))
    return scope.format(value)


def _iterate_custom(scope: StyleScope, values: Mapping[str, Any], above: str, depth: int) -> Iterator[Declaration]:
    for key, value in values.items():
        name = f"{above}--{part}" if (part := format_slug(key.replace("/", "-"))) else ""
        if not name or depth > _MAX_CUSTOM_DEPTH:
            continue
        if isinstance(value, dict):
            yield from _iterate_custom(scope, value, name, depth + 1)
        elif shown := scope.format(value):
            yield name, shown


def _build_classes(scope: StyleScope, settings: Mapping[str, Any], within: str) -> str:
    out: dict[str, str] = {}
    for kind in PRESET_KINDS:
        for preset in iterate_presets(settings, kind) if kind.classes else ():
            if not _format_preset(scope, kind, preset) or not (name := format_slug(preset.get("slug"))):
                continue
            for end, property in kind.classes.items():
                selector = ",".join(f"{within}.has-{one}-{end}" for one in list_class_names(preset["slug"]))
                value = f"var(--wp--preset--{kind.infix}--{name}) !important"
                out[selector] = format_rule(selector, [(property, value)])
    return "".join(out.values())
