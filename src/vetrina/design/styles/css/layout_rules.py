"""Layout: how blocks stand in their containers (flow, constrained, flex, grid), and the space between them.

The rules of every page, by the classes that the block renderer gives to containers. Not here: what one container sets
for itself (content/blocks/container_rules.py). Rules: docs/rules/global_styles.md, 10.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.design.styles.css.declarations import format_gap
from vetrina.design.styles.css.theme_tree import as_mapping
from vetrina.design.styles.css.values import StyleScope, format_rule

_STACKED: Final = ("is-layout-flow", "is-layout-constrained")
_LINED_UP: Final = ("is-layout-flex", "is-layout-grid")
_FALLBACK_GAP: Final = "0.5em"  # between what stands in a row, in a theme without gaps
_MAX_COLUMNS: Final = 12  # of the classes `columns-N`
_ROOT: Final = "--wp--style--root--padding-"
_CENTERED: Final = "margin-left:auto!important;margin-right:auto!important"
_NARROW: Final = f"max-width:var(--wp--style--global--content-size);{_CENTERED}"

_FLOATS: Final = "".join(
    f".{kind}>.alignleft{{float:left;margin-inline-start:0;margin-inline-end:2em}}"
    f".{kind}>.alignright{{float:right;margin-inline-start:2em;margin-inline-end:0}}"
    f".{kind}>.aligncenter{{{_CENTERED}}}"
    for kind in _STACKED
)
_BASE: Final = (
    ".wp-site-blocks>.alignleft{float:left;margin-right:2em}.wp-site-blocks>.alignright{float:right;margin-left:2em}"
    ".wp-site-blocks>.aligncenter{justify-content:center;margin-left:auto;margin-right:auto}"
    f"{_FLOATS}"
    f".is-layout-constrained>:where(:not(.alignleft):not(.alignright):not(.alignfull)){{{_NARROW}}}"
    ".is-layout-constrained>.alignwide{max-width:var(--wp--style--global--wide-size)}"
    "body .is-layout-flex{display:flex}.is-layout-flex{flex-wrap:wrap;align-items:center}"
    "body .is-layout-grid{display:grid}"
    # Heavier by an element than what blocks say of their margins.
    ".is-layout-flex>:is(*,div),.is-layout-grid>:is(*,div){margin:0}"
    ".has-text-align-left{text-align:left}.has-text-align-center{text-align:center}"
    ".has-text-align-right{text-align:right}"
)
_COLUMNS: Final = "@media(min-width:600px){" + "".join(
    f".is-layout-grid:where(.columns-{count}){{grid-template-columns:repeat({count},minmax(0,1fr))}}"
    for count in range(2, _MAX_COLUMNS + 1)
) + "}"  # fmt: skip
# On phones what a query found stands below each other, whatever columns its template sets for itself.
_PHONE: Final = "@media(max-width:599.98px){" + ",".join(
    f".wp-block-{name}-is-layout-grid.is-layout-grid" for name in ("post-template", "term-template")
) + "{grid-template-columns:1fr}}"  # fmt: skip
# Inside another padded container that is not full, a container has no padding again.
_INNER: Final = (
    ".has-global-padding :where(:not(.alignfull.is-layout-flow)>.has-global-padding:not(.wp-block-block,.alignfull))"
)
_ROOT_PADDING: Final = (
    f".wp-site-blocks{{padding-top:var({_ROOT}top);padding-bottom:var({_ROOT}bottom)}}"
    f".has-global-padding{{padding-right:var({_ROOT}right);padding-left:var({_ROOT}left)}}"
    f".has-global-padding>.alignfull{{margin-right:calc(var({_ROOT}right)*-1);margin-left:calc(var({_ROOT}left)*-1)}}"
    f"{_INNER}{{padding-right:0;padding-left:0}}{_INNER}>.alignfull{{margin-left:0;margin-right:0}}"
)


def pads_root(scope: StyleScope) -> bool:
    """Return whether the page's padding is that of its blocks, so that full ones reach over it."""
    return scope.tree.settings.get("useRootPaddingAwareAlignments") is True


def build_size_properties(scope: StyleScope) -> str:
    """Return the rule with the widths of the content and of wide blocks."""
    layout = as_mapping(scope.tree.settings.get("layout"))
    content, wide = scope.format(layout.get("contentSize")), scope.format(layout.get("wideSize"))
    if not content and not wide:
        return ""
    return format_rule(
        ":root",
        [
            ("--wp--style--global--content-size", content or wide),
            ("--wp--style--global--wide-size", wide or content),
        ],
    )


def build_layout_rules(scope: StyleScope) -> str:
    """Return the rules of all containers."""
    row, column = format_gap(scope, as_mapping(scope.tree.styles.get("spacing")).get("blockGap"))
    out = [_BASE, _COLUMNS, _PHONE]
    if row and _has_gaps(scope):
        # The legacy name, which block markup refers to.
        out.append(f":root{{--wp--style--block-gap:{row}}}")
        out.append(_build_stack_rules(":where(.wp-site-blocks)", row))
        out += [_build_stack_rules(f":root :where(.{kind})", row) for kind in _STACKED]
        out += [f":root :where(.{kind}){{gap:{_join_gap(row, column)}}}" for kind in _LINED_UP]
    else:
        out += [f":where(.{kind}){{gap:{_FALLBACK_GAP}}}" for kind in _LINED_UP]
    if pads_root(scope):
        out.append(_ROOT_PADDING)
    return "".join(out)


def build_block_gap_rules(scope: StyleScope, gap: Any, layout: str) -> str:
    """Return the rules of the space between the blocks in all containers of a type; layout: the class of these."""
    row, column = format_gap(scope, gap)
    if not row:
        return ""
    if not _has_gaps(scope):
        return "".join(f":where({layout}-{kind}){{gap:{_join_gap(row, column)}}}" for kind in _LINED_UP)
    out = [_build_stack_rules(f":root :where({layout}-{kind})", row) for kind in _STACKED]
    out += [f":root :where({layout}-{kind}){{gap:{_join_gap(row, column)}}}" for kind in _LINED_UP]
    return "".join(out)


def _has_gaps(scope: StyleScope) -> bool:
    """Return whether the theme has gaps between blocks: said so itself, or with all tools of an editor."""
    settings = scope.tree.settings
    spacing = as_mapping(settings.get("spacing"))
    return spacing.get("blockGap") is not None or settings.get("appearanceTools") is True


def _build_stack_rules(selector: str, gap: str) -> str:
    return (
        f"{selector}>*{{margin-block-start:{gap};margin-block-end:0}}"
        f"{selector}>:first-child{{margin-block-start:0}}{selector}>:last-child{{margin-block-end:0}}"
    )


def _join_gap(row: str, column: str) -> str:
    return row if row == column else f"{row} {column}"
