"""What one container or a block in one sets for itself, as rules of the class that its markup has."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from css_reader import read_sheet
from vetrina.content.blocks.block_style_rules import iterate_own_rules
from vetrina.content.blocks.container_rules import build_child_rules, build_container_rules
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.layout import CONTAINER_BLOCKS, build_layout_classes

_NARROW = ">:where(:not(.alignleft):not(.alignright):not(.alignfull))"


def rules(layout: dict[str, Any], name: str = "core/group", **style: Any) -> dict[str, dict[str, str]]:
    """Declarations by what follows the class in the selector."""
    attributes = {"layout": layout, "style": style}
    own, css = build_container_rules(name, attributes)
    assert own in build_layout_classes(name, attributes)
    return {rule.prelude.removeprefix(f".{own}"): rule.declarations for rule in read_sheet(css).rules}


def test_a_container_as_its_kind_has_no_rules():
    assert build_container_rules("core/group", {"layout": {"type": "constrained"}}) == ("", "")
    assert build_container_rules("core/group", {}) == ("", "")
    assert build_container_rules("core/paragraph", {"layout": {"type": "grid"}}) == ("", "")


def test_widths_and_sides_of_a_constrained_container():
    found = rules({"type": "constrained", "contentSize": "20rem", "wideSize": "min(60rem, 90vw)"})
    assert found[_NARROW] == {
        "max-width": "20rem", "margin-left": "auto!important", "margin-right": "auto!important",
    }  # fmt: skip
    assert found[">.alignwide"] == {"max-width": "min(60rem, 90vw)"}
    assert found[" .alignfull"] == {"max-width": "none"}
    left = rules({"type": "constrained", "justifyContent": "left"})
    assert left[_NARROW] == {"margin-left": "0!important", "margin-right": "auto!important"}


def test_full_blocks_reach_over_the_padding_of_their_container():
    spacing = {"padding": {"left": "var:preset|spacing|40", "right": "0"}}
    found = rules({"type": "constrained"}, spacing=spacing)
    assert found[">.alignfull"] == {
        "margin-left": "calc(var(--wp--preset--spacing--40) * -1)", "margin-right": "calc(0px * -1)",
    }  # fmt: skip


def test_gaps():
    assert rules({"type": "default"}, spacing={"blockGap": "var:preset|spacing|30"}) == {
        ">*": {"margin-block-start": "0", "margin-block-end": "0"},
        ">*+*": {"margin-block-start": "var(--wp--preset--spacing--30)", "margin-block-end": "0"},
    }
    both = {"blockGap": {"top": "1rem", "left": "2rem"}}
    assert rules({"type": "flex"}, spacing=both)[""]["gap"] == "1rem 2rem"
    assert rules({"type": "flex"}, spacing={"blockGap": {"left": "2rem"}})[""]["gap"] == "0.5em 2rem"
    columns = build_container_rules("core/columns", {"style": {"spacing": {"blockGap": {"top": "1rem"}}}})[1]
    assert "gap:1rem 2em" in columns
    assert "flex-wrap:nowrap" in columns


@pytest.mark.parametrize(
    "layout, shown",
    [
        ({"justifyContent": "right"}, {"justify-content": "flex-end"}),
        ({"justifyContent": "space-between", "verticalAlignment": "top"},
         {"justify-content": "space-between", "align-items": "flex-start"}),
        ({"flexWrap": "nowrap", "verticalAlignment": "stretch"}, {"flex-wrap": "nowrap", "align-items": "stretch"}),
        ({"orientation": "vertical"}, {"flex-direction": "column", "align-items": "flex-start"}),
        ({"orientation": "vertical", "justifyContent": "stretch", "verticalAlignment": "space-between"},
         {"flex-direction": "column", "align-items": "stretch", "justify-content": "space-between"}),
    ],
)  # fmt: skip
def test_rows_and_stacks(layout, shown):
    assert rules({"type": "flex", **layout}) == {"": shown}


@pytest.mark.parametrize(
    "layout, shown",
    [
        ({"columnCount": 3}, {"grid-template-columns": "repeat(3,minmax(0,1fr))"}),
        ({"columnCount": 3, "rowCount": 2}, {"grid-template-columns": "repeat(3,minmax(0,1fr))",
                                             "grid-template-rows": "repeat(2,minmax(1rem,auto))"}),
        ({}, {"grid-template-columns": "repeat(auto-fill,minmax(min(12rem,100%),1fr))",
              "container-type": "inline-size"}),
        ({"minimumColumnWidth": "8rem", "columnCount": 4},
         {"grid-template-columns": "repeat(auto-fill,minmax(max(min(8rem,100%),"
          "(100% - (var(--wp--style--block-gap,0.5em) * 3)) / 4),1fr))", "container-type": "inline-size"}),
    ],
)  # fmt: skip
def test_grids(layout, shown):
    assert rules({"type": "grid", **layout}) == {"": shown}


@pytest.mark.parametrize(
    "child, shown",
    [
        ({"selfStretch": "fill"}, {"flex-grow": "1"}),
        ({"selfStretch": "fixed", "flexSize": "20%"}, {"flex-basis": "20%", "box-sizing": "border-box"}),
        ({"columnSpan": 2, "rowStart": 1}, {"grid-column": "span 2", "grid-row": "1"}),
        ({"columnStart": 2, "columnSpan": "3"}, {"grid-column": "2 / span 3"}),
    ],
)  # fmt: skip
def test_blocks_that_set_their_own_place(child, shown):
    own, css = build_child_rules({"style": {"layout": child}}, {"layout": {"type": "grid", "columnCount": 4}})
    assert read_sheet(css).find(f".{own}") == shown


def test_a_wide_block_fits_a_grid_that_became_narrow():
    _, css = build_child_rules({"style": {"layout": {"columnSpan": 3}}}, {"layout": {"minimumColumnWidth": "100px"}})
    narrow = read_sheet(css).rules[1]
    assert narrow.prelude == "@container (max-width:338px)"
    assert narrow.rules[0].declarations == {"grid-column": "1/-1"}


@pytest.mark.parametrize(
    "name, style, shown",
    [
        ("core/group", {"elements": {"link": {"color": {"text": "#123456"}}}},
         ".{} a:where(:not(.wp-element-button)){{color:#123456}}"),
        ("core/group", {"elements": {"heading": {"color": {"gradient": "linear-gradient(red, blue)"}}}},
         ".{} :is(h1,h2,h3,h4,h5,h6){{background:linear-gradient(red, blue)}}"),
        ("core/group", {"elements": {"button": {":focus": {"color": {"background": "var:preset|color|base"}}}}},
         ".{} :is(.wp-element-button,.wp-block-button__link):focus{{background-color:var(--wp--preset--color--base)}}"),
        ("core/site-logo", {"color": {"duotone": "unset"}}, ".{} img{{filter:none}}"),
        ("core/cover", {"color": {"duotone": "var:preset|duotone|midnight"}},
         ".{}>:is(.wp-block-cover__image-background,.wp-block-cover__video-background)"
         "{{filter:var(--wp--preset--duotone--midnight)}}"),
        ("core/group", {"position": {"type": "sticky", "top": "2rem"}}, ".{}{{position:sticky;top:2rem;z-index:10}}"),
        ("core/group", {"position": {"type": "sticky", "top": "1px;}"}}, ".{}{{position:sticky;top:0px;z-index:10}}"),
        ("core/group", {"position": {"type": "fixed", "top": "0"}}, ""),
        ("core/image", {"color": {"duotone": "url(https://evil.test/x)"}}, ""),
        ("core/paragraph", {"color": {"duotone": "unset"}}, ""),
        ("core/group", {"elements": {"link": {"color": {"text": "red}"}}, "h1": 7, "x": {"color": {"text": "red"}}}},
         ""),
    ],
)  # fmt: skip
def test_colours_and_filters_within_a_block(name, style, shown):
    found = [one for one in iterate_own_rules(write_block(name, {"style": style}), {}) if one[1]]
    assert [css for _, css in found] == ([shown.format(found[0][0])] if shown else [])


def write_block(name: str, attributes: dict[str, Any]) -> Block:
    return Block(name, "", json.dumps(attributes), void=True)


def test_attributes_that_are_nested_without_end():
    deep: Any = "red"
    for _ in range(400):
        deep = {"link": deep, "color": {"text": deep}} if len(json.dumps(deep)) < 5_000 else {"link": deep}
    for style in ({"elements": deep}, {"color": {"duotone": deep}}, {"layout": deep}):
        for _, css in iterate_own_rules(write_block("core/image", {"style": style, "layout": deep}), {"layout": deep}):
            read_sheet(css)


_LENGTHS = st.sampled_from(
    [
        "1rem",
        "red;}",
        "}",
        "url(x)",
        "1px} body{display:none",
        "calc(",
        "[",
        "var:preset|spacing|40",
        "/*",
        "'",
        "\\",
        "!",
    ]
)
_ANY = st.one_of(
    _LENGTHS, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.just({"top": "}", "left": "1px"})
)
_LAYOUTS = st.dictionaries(
    st.sampled_from(["type", "contentSize", "wideSize", "justifyContent", "orientation", "columnCount", "flexWrap",
                     "minimumColumnWidth", "rowCount", "verticalAlignment", "selfStretch", "flexSize", "columnStart",
                     "columnSpan"]),
    st.one_of(_ANY, st.sampled_from(["grid", "flex", "constrained", "default", "left", "vertical", "fixed"])),
)  # fmt: skip


@settings(max_examples=300)
@given(name=st.sampled_from(sorted(CONTAINER_BLOCKS)), layout=_LAYOUTS, gap=_ANY, padding=_ANY)
def test_any_attributes_are_whole_rules(name, layout, gap, padding):
    style = {"layout": layout, "spacing": {"blockGap": gap, "padding": {"left": padding}}}
    for own, css in (
        build_container_rules(name, {"layout": layout, "style": style}),
        build_child_rules({"style": style}, {"layout": layout}),
    ):
        for rule in read_sheet(css).rules:
            assert rule.prelude.startswith((f".{own}", "@container (max-width:"))
        assert "url(" not in css
        assert "display" not in css
