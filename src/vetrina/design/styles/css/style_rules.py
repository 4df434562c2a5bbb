"""The rules of styles: of the page, of its elements, of blocks with their elements, states and variations.

Block styles weigh little (`:root :where(…)`), so that what an editor sets on one block holds against them. Rules:
docs/rules/global_styles.md, 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.design.styles.css.block_selectors import (
    BlockSelectors,
    FeatureSelectors,
    add_to_selectors,
    get_block_selectors,
    nest_selectors,
    select_variation,
)
from vetrina.design.styles.css.cleaning import clean_rules
from vetrina.design.styles.css.declarations import list_declarations, list_root_padding
from vetrina.design.styles.css.layout_rules import build_block_gap_rules
from vetrina.design.styles.css.theme_tree import as_mapping
from vetrina.design.styles.css.values import StyleScope, format_rule

# The selectors of elements; those that are classes weigh as little as blocks do.
ELEMENTS: Final[Mapping[str, str]] = {
    "link": "a:where(:not(.wp-element-button))",
    "heading": "h1,h2,h3,h4,h5,h6",
    **{name: name for name in ("h1", "h2", "h3", "h4", "h5", "h6")},
    "button": ".wp-element-button,.wp-block-button__link",
    "caption": ".wp-element-caption",
    "cite": "cite",
    "select": "select",
    "textInput": "textarea,input:where([type=email],[type=number],[type=password],[type=search],[type=tel],"
    "[type=text],[type=url])",
}  # fmt: skip
_VARIATION: Final = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
_CLASS_ELEMENTS: Final = frozenset(("button", "caption"))
_STATES: Final = (":link", ":any-link", ":visited", ":hover", ":focus", ":focus-visible", ":active")
_STATE_ELEMENTS: Final = frozenset(("link", "button"))
_STATE_BLOCKS: Final = frozenset(("core/button", "core/navigation-link"))


def build_root_rules(scope: StyleScope, *, root_padding: bool) -> str:
    """Return the rules of the page itself. root_padding: whether blocks reach over its padding."""
    styles = scope.tree.styles
    declarations = list_declarations(scope, styles, padding=not root_padding)
    if root_padding:
        declarations = [*list_root_padding(scope, styles), *declarations]
    return ":where(body){margin:0}" + format_rule("body", declarations)


def build_element_rules(scope: StyleScope) -> str:
    """Return the rules of the elements of every page."""
    given = as_mapping(scope.tree.styles.get("elements"))
    return "".join(
        _build_element(scope, name, as_mapping(given.get(name)), selector, bare=name not in _CLASS_ELEMENTS)
        for name, selector in ELEMENTS.items()
    )


def build_block_rules(scope: StyleScope) -> str:
    """Return the rules of the types of blocks."""
    out: list[str] = []
    for name, styles in as_mapping(scope.tree.styles.get("blocks")).items():
        selectors = get_block_selectors(name)
        if selectors is None or not isinstance(styles, dict):
            continue
        out += _iterate_block(scope, name, styles, selectors)
        for variation, own in _iterate_variations(styles):
            out += _iterate_variation(scope, name, own, selectors, variation)
    return "".join(out)


def build_custom_css(scope: StyleScope) -> str:
    """Return the custom CSS of the page and of its blocks, which holds against all other styles."""
    out = [_clean_css(scope, scope.tree.styles)]
    for name, styles in as_mapping(scope.tree.styles.get("blocks")).items():
        selectors = get_block_selectors(name)
        if selectors is None or not isinstance(styles, dict):
            continue
        out.append(_build_custom_rule(scope, styles, selectors.root))
        for variation, own in _iterate_variations(styles):
            out.append(_build_custom_rule(scope, own, select_variation(selectors.root, variation)))
    return "".join(out)


def _clean_css(scope: StyleScope, styles: Mapping[str, Any], *, nested: bool = False) -> str:
    css = styles.get("css")
    return clean_rules(css, scope.policy, nested=nested) if isinstance(css, str) else ""


def _build_custom_rule(scope: StyleScope, styles: Mapping[str, Any], selector: str) -> str:
    inside = _clean_css(scope, styles, nested=True)
    return f":root :where({selector}){{{inside}}}" if inside else ""


def _iterate_variations(styles: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, own in as_mapping(styles.get("variations")).items():
        if isinstance(own, dict) and _VARIATION.fullmatch(name):
            yield name, own


def _iterate_variation(
    scope: StyleScope, name: str, styles: Mapping[str, Any], selectors: BlockSelectors, variation: str
) -> Iterator[str]:
    """Yield the rules of a style variation of a block: its own, of its elements, and of the blocks within it."""
    own = BlockSelectors(
        select_variation(selectors.root, variation),
        _map_features(selectors.features, lambda one: select_variation(one, variation)),
        f".is-style-{variation}{selectors.layout}" if selectors.layout else "",
    )
    yield from _iterate_block(scope, name, styles, own)
    for inner_name, inner in as_mapping(styles.get("blocks")).items():
        inner_selectors = get_block_selectors(inner_name)
        if inner_selectors is None or not isinstance(inner, dict):
            continue
        nested = BlockSelectors(
            nest_selectors(own.root, inner_selectors.root),
            _map_features(inner_selectors.features, lambda one: nest_selectors(own.root, one)),
            nest_selectors(own.root, inner_selectors.layout) if inner_selectors.layout else "",
        )
        yield from _iterate_block(scope, inner_name, inner, nested)


def _map_features(features: FeatureSelectors, change: Any) -> FeatureSelectors:
    return {
        group: change(one) if isinstance(one, str) else {name: change(selector) for name, selector in one.items()}
        for group, one in features.items()
    }


def _iterate_block(scope: StyleScope, name: str, styles: Mapping[str, Any], selectors: BlockSelectors) -> Iterator[str]:
    yield from _iterate_selected(scope, styles, selectors)
    if selectors.layout:
        yield build_block_gap_rules(scope, as_mapping(styles.get("spacing")).get("blockGap"), selectors.layout)
    for state in _STATES if name in _STATE_BLOCKS else ():
        if isinstance(own := styles.get(state), dict):
            features = _map_features(selectors.features, lambda one, state=state: add_to_selectors(one, state))
            yield from _iterate_selected(scope, own, BlockSelectors(add_to_selectors(selectors.root, state), features))
    for element, own in as_mapping(styles.get("elements")).items():
        if element in ELEMENTS and isinstance(own, dict):
            yield _build_element(scope, element, own, nest_selectors(selectors.root, ELEMENTS[element]))


def _iterate_selected(scope: StyleScope, styles: Mapping[str, Any], selectors: BlockSelectors) -> Iterator[str]:
    """Yield the rules of a block, each group of styles at the elements that it selects."""
    rest = dict(styles)
    for group, selected in selectors.features.items():
        given = rest.pop(group, None)
        if group == "shadow" and given is not None and isinstance(selected, str):
            yield _wrap(selected, scope, {group: given})
        if not isinstance(given, dict):
            continue
        members: Mapping[str, str] = {"root": selected} if isinstance(selected, str) else selected
        left = dict(given)
        for member, selector in members.items():
            if member != "root" and member in left:
                yield _wrap(selector, scope, {group: {member: left.pop(member)}})
        if "root" in members:
            yield _wrap(members["root"], scope, {group: left})
        else:
            rest[group] = left
    yield _wrap(selectors.root, scope, rest)


def _build_element(
    scope: StyleScope, name: str, styles: Mapping[str, Any], selector: str, *, bare: bool = False
) -> str:
    """Return the rules of an element and its states. bare: whether they weigh as much as their selector."""
    out = [_wrap(selector, scope, styles, bare=bare)]
    for state in _STATES if name in _STATE_ELEMENTS else ():
        if isinstance(own := styles.get(state), dict):
            out.append(_wrap(add_to_selectors(selector, state), scope, own, bare=bare))
    return "".join(out)


def _wrap(selector: str, scope: StyleScope, styles: Mapping[str, Any], *, bare: bool = False) -> str:
    return format_rule(selector if bare else f":root :where({selector})", list_declarations(scope, styles))
