"""Which elements the styles of a block type select: its own element, or for a feature another one inside it.

A type selects the class of its block unless it is listed here (observed in the types of the block editor).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*", re.ASCII)

FeatureSelectors = Mapping[str, str | Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class BlockSelectors:
    """The selectors of a block type.

    features: by the group of styles, those that select other elements; for a part of a group, by its member, where
    `root` is the rest of the group. layout: the class of its containers, without the kind of layout; empty for a type
    that has none.
    """

    root: str
    features: FeatureSelectors = field(default_factory=dict)
    layout: str = ""


_BUTTON: Final = ".wp-block-button"
_FEATURED: Final = ".wp-block-post-featured-image"
_SEARCH: Final = ".wp-block-search"
_TOGGLE: Final = ".wp-block-accordion-heading .wp-block-accordion-heading__toggle"
_FIRST_LISTS: Final = ".wp-block-list:not(.wp-block-list .wp-block-list)"

_ROOTS: Final[Mapping[str, str]] = {
    "core/button": f"{_BUTTON} .wp-block-button__link",
    "core/icon": ".wp-block-icon svg",
    "core/list-item": ".wp-block-list > li",
    "core/paragraph": "p",
    "core/table": ".wp-block-table > table",
}
_FEATURES: Final[Mapping[str, FeatureSelectors]] = {
    "core/accordion-heading": {
        "spacing": _TOGGLE,
        "typography": dict.fromkeys(("letterSpacing", "textDecoration"), f"{_TOGGLE}-title"),
    },
    "core/avatar": {"border": ".wp-block-avatar img", "filter": ".wp-block-avatar img"},
    "core/button": {"typography": {"writingMode": _BUTTON}, "dimensions": {"root": _BUTTON, "width": _BUTTON}},
    "core/cover": {
        "filter": ".wp-block-cover > .wp-block-cover__image-background,"
        ".wp-block-cover > .wp-block-cover__video-background",
    },
    "core/icon": {"spacing": {"margin": ".wp-block-icon"}},
    "core/image": dict.fromkeys(("border", "dimensions", "filter", "shadow"), ".wp-block-image img"),
    "core/list": {"border": _FIRST_LISTS},
    "core/list-item": {"border": f"{_FIRST_LISTS} > li"},
    "core/paragraph": {"typography": {"textIndent": "p + p"}},
    "core/post-author": {"filter": ".wp-block-post-author .wp-block-post-author__avatar img"},
    "core/post-featured-image": {
        **dict.fromkeys(("dimensions", "filter", "shadow"), f"{_FEATURED} img"),
        "border": f"{_FEATURED} img,{_FEATURED} .wp-block-post-featured-image__overlay",
    },
    "core/search": {
        "border": f"{_SEARCH} .wp-block-search__input,{_SEARCH} .wp-block-search__button",
        "color": f"{_SEARCH} .wp-block-search__button,{_SEARCH}.wp-block-search__no-button .wp-block-search__input",
    },
    "core/site-logo": {"filter": ".wp-block-site-logo img"},
    "core/tab-list": {
        "border": ".wp-block-tab-list button",
        "color": dict.fromkeys(("background", "text"), ".wp-block-tab-list button"),
        "spacing": {"padding": ".wp-block-tab-list button"},
    },
    "core/table": {"spacing": ".wp-block-table"},
}
_CONTAINERS: Final = frozenset((
    "accordion", "accordion-item", "accordion-panel", "buttons", "column", "columns", "comments-pagination", "cover",
    "details", "gallery", "group", "latest-posts", "navigation", "post-content", "post-template", "query",
    "query-pagination", "quote", "social-links", "tab-list", "tab-panel", "tabs", "term-template", "terms-query",
))  # fmt: skip


def get_block_selectors(name: str) -> BlockSelectors | None:
    """Return the selectors of a block type, None for what cannot be the name of one."""
    if not _NAME.fullmatch(name):
        return None
    short = name.removeprefix("core/")
    own = f".wp-block-{short.replace('/', '-')}"
    layout = own if name.startswith("core/") and short in _CONTAINERS else ""
    return BlockSelectors(_ROOTS.get(name, own), _FEATURES.get(name, {}), layout)


def split_selectors(selector: str) -> list[str]:
    """Return the selectors of a list, whose commas inside brackets separate nothing."""
    out, depth, start = [], 0, 0
    for at, sign in enumerate(selector):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            out.append(selector[start:at].strip())
            start = at + 1
    return [*out, selector[start:].strip()]


def add_to_selectors(selector: str, end: str) -> str:
    """Return a list of selectors with the same end at each, a pseudo class for example."""
    return ",".join(f"{one}{end}" for one in split_selectors(selector))


def nest_selectors(outer: str, inner: str) -> str:
    """Return the selectors of elements that `inner` selects below those that `outer` selects."""
    return ",".join(f"{one} {below}" for one in split_selectors(outer) for below in split_selectors(inner))


def select_variation(selector: str, variation: str) -> str:
    """Return the selectors of a block with a style variation: its class stands at the block's outermost element."""
    return ",".join(
        re.sub(r"[^\s:]+", lambda found: f"{found[0]}.is-style-{variation}", one, count=1)
        for one in split_selectors(selector)
    )
