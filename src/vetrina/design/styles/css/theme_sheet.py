"""What a style sheet has beside what follows from settings and styles: the block library, and the theme's own rules.

A theme names the style variation whose palette readers see who wish for dark pages, in the header of its `style.css`
(`Dark Variation: notte`). It holds until the site's owner chooses colours. Rules: docs/rules/global_styles.md, 12.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from vetrina.design.styles.css.addresses import AddressPolicy
from vetrina.design.styles.css.presets import build_color_properties
from vetrina.design.styles.css.theme_tree import as_mapping, build_theme_tree
from vetrina.design.styles.css.values import StyleScope
from vetrina.design.themes.model import Theme

_LIBRARY: Final = "block_library.css"
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE: Final = re.compile(r"\s*([{};,>])\s*")
_DARK: Final = "Dark Variation"
_LIGHT_SCHEME: Final = ":root{color-scheme:light}"
_DARK_SCHEME: Final = ":root{color-scheme:light dark}"


@cache
def load_block_library() -> str:
    """Return the rules that blocks need whatever the theme."""
    return compress_rules(files(__package__).joinpath(_LIBRARY).read_text(encoding="utf-8"))


def load_theme_rules(theme: Theme) -> str:
    """Return the rules of a theme's `style.css`, which whoever installed it answers for."""
    return compress_rules((theme.folder / "style.css").read_text(encoding="utf-8"))


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


def compress_rules(text: str) -> str:
    """Return rules without comments and needless blanks."""
    return _SPACE.sub(r"\1", _COMMENT.sub("", text)).strip()
