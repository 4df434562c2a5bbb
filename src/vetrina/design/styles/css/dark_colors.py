"""The colours of dark pages: the style variation of a theme for readers who wish for them.

A theme names it in the header of its `style.css` (`Dark Variation: notte`). It holds until the site's owner chooses
colours. Rules: docs/rules/global_styles.md, 12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.presets import build_color_properties
from vetrina.design.styles.css.theme_tree import as_mapping, build_theme_tree
from vetrina.design.styles.css.values import StyleScope
from vetrina.design.themes.model import Theme

_DARK: Final = "Dark Variation"
_LIGHT_SCHEME: Final = ":root{color-scheme:light}"
_DARK_SCHEME: Final = ":root{color-scheme:light dark}"


def build_dark_rules(theme: Theme, owner: Mapping[str, Any], policy: AddressPolicy) -> str:
    """Return the rules for readers who wish for dark pages; owner: the settings and styles of the site's owner."""
    wanted = theme.head.get(_DARK)
    variation = next((one for one in theme.variations if wanted and one["title"].lower() == wanted.lower()), None)
    if variation is None or as_mapping(owner.get("settings")).get("color") or _sets_colors(owner):
        return _LIGHT_SCHEME
    palette = as_mapping(as_mapping(variation["settings"]).get("color"))
    # Without the presets of every site, which are the same in the dark.
    off = {"defaultPalette": False, "defaultGradients": False, "defaultDuotone": False}
    tree = build_theme_tree({"settings": {"color": {**palette, **off}}, "styles": {}}, {})
    rules = build_color_properties(StyleScope(tree, policy))
    return f"{_DARK_SCHEME}@media(prefers-color-scheme:dark){{{rules}}}"


def _sets_colors(owner: Mapping[str, Any]) -> bool:
    return bool(as_mapping(owner.get("styles")).get("color"))
