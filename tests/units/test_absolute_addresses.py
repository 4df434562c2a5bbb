"""Relative addresses of rendered content are completed, and nothing else is changed."""

from __future__ import annotations

import pytest
from hypothesis import given

from hostile_markup import TEXTS
from markup_judge import dangers
from vetrina.content.text.absolute_addresses import make_addresses_absolute
from vetrina.content.text.output_filter import filter_output

PAGE = "https://site.test/en/2026/one/"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('<a href="/two">x</a>', '<a href="https://site.test/two">x</a>'),
        ("<a href='three?a=1&amp;b=2#c'>x</a>", "<a href='https://site.test/en/2026/one/three?a=1&amp;b=2#c'>x</a>"),
        ("<img src=../p.jpg>", "<img src=https://site.test/en/2026/p.jpg>"),
        (
            '<img srcset="/a.jpg 1x, /b,c.jpg 2x, https://other.test/d.jpg 3x">',
            '<img srcset="https://site.test/a.jpg 1x, https://site.test/b,c.jpg 2x, https://other.test/d.jpg 3x">',
        ),
        (
            '<video poster="/p.jpg" src="/v.mp4">',
            '<video poster="https://site.test/p.jpg" src="https://site.test/v.mp4">',
        ),
    ],
)
def test_a_relative_address_is_completed(written: str, expected: str) -> None:
    assert make_addresses_absolute(written, PAGE) == expected


@pytest.mark.parametrize(
    "html",
    [
        '<a href="#note">x</a>', '<a href="mailto:a@b.test">x</a>', '<a href="//cdn.test/x">x</a>', '<a href="">x</a>',
        '<code>href="/two"</code>', '<!-- <a href="/two"> -->', '<a title="src=/x">x</a>', '<a data-href="/x">x</a>',
        '<a href="&#106;avascript:alert(1)">x</a>', '<a href=" java\tscript:alert(1)">x</a>', 'a href="/two"',
        '<img src="https://site.test/a.jpg" alt="src=&quot;/b&quot;">',
    ],
)  # fmt: skip
def test_what_is_none_stays(html: str) -> None:
    assert make_addresses_absolute(html, PAGE) == html


@given(TEXTS)
def test_harmless_markup_stays_harmless(text: str) -> None:
    html = filter_output(text)
    assert dangers(make_addresses_absolute(html, PAGE)) == []
