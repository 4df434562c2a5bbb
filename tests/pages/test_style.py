"""Colors with enough contrast, and a policy that allows only the page's own stylesheet."""

from __future__ import annotations

import pytest

from vetrina.pages import inline_style, markup


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [inline_style.LIGHT_COLORS, inline_style.DARK_COLORS])
def test_colours_differ_enough_from_their_ground(colours):
    ground, text, quiet, links, border, error = colours
    assert contrast(ground, text) >= 7
    assert contrast(ground, quiet) >= 7
    assert contrast(ground, links) >= 4.5
    assert contrast(ground, error) >= 4.5
    assert contrast(ground, border) >= 3


def test_the_sheet_needs_no_escaping():
    assert "<" not in inline_style.STYLE_SHEET
    assert inline_style.build_hash_source(inline_style.STYLE_SHEET) in inline_style.build_content_policy()


def test_texts_are_escaped_wherever_they_land():
    text = "<b>\"'&\x00"
    assert markup.render_element("p", text, title=text) == (
        '<p title="&lt;b&gt;&quot;&#x27;&amp;">&lt;b&gt;&quot;&#x27;&amp;</p>'
    )
    assert (
        markup.render_element("p", markup.render_element("i", "x"), hidden=True, lang=None) == "<p hidden><i>x</i></p>"
    )
    assert markup.join_markup(("<", markup.trust_markup("<br>"))) == "&lt;<br>"
    assert markup.render_xml("link", href="a&b") == '<link href="a&amp;b"></link>'
