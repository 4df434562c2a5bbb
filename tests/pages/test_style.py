"""Colours that can be read, and a policy that lets in the page's own sheet alone."""

from __future__ import annotations

import pytest

from vetrina.pages import markup, stylesheet


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [stylesheet.LIGHT, stylesheet.DARK])
def test_colours_differ_enough_from_their_ground(colours):
    ground, text, quiet, links, border, error = colours
    assert contrast(ground, text) >= 7
    assert contrast(ground, quiet) >= 7
    assert contrast(ground, links) >= 4.5
    assert contrast(ground, error) >= 4.5
    assert contrast(ground, border) >= 3


def test_the_sheet_needs_no_escaping():
    assert "<" not in stylesheet.SHEET
    assert stylesheet.source(stylesheet.SHEET) in stylesheet.policy()


def test_texts_are_escaped_wherever_they_land():
    text = "<b>\"'&\x00"
    assert markup.element("p", text, title=text) == (
        '<p title="&lt;b&gt;&quot;&#x27;&amp;">&lt;b&gt;&quot;&#x27;&amp;</p>'
    )
    assert markup.element("p", markup.element("i", "x"), hidden=True, lang=None) == "<p hidden><i>x</i></p>"
    assert markup.join(("<", markup.trusted("<br>"))) == "&lt;<br>"
    assert markup.xml("link", href="a&b") == '<link href="a&amp;b"></link>'
