"""The output filter: what it removes, what it leaves byte for byte, and its time."""

from __future__ import annotations

import time

import pytest

from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.nested_texts import NestedTexts
from vetrina.content.text.output_filter import filter_output, filter_rendering, is_unfiltered
from vetrina.content.text.tag_attributes import find_unclosed_tag, read_tag
from vetrina.content.text.url_protocols import has_safe_protocol

HARMLESS = [
    "",
    "a < b, 1 <2 & c > d",
    "<p>Uno <b>due</b></p>\n<!--more--><hr />",
    '<img decoding="async" loading="lazy" src="http://x/a.png" srcset="http://x/a.png 300w, /b.png 2x" alt=\'"\' />',
    '<A HREF="HTTP://x/?a&amp;b#c:d" target=_blank data-x="1" aria-label="x">y</A >',
    '<form role="search" method="get" action="http://x/"><input type="search" name="s" required /></form>',
    "<!-- <b>x</b> --><!-- wp:heading {\"a\":1} -->",
    "<!-- a--b --><!--a---><!----><!-- <b> -->",
    '<object data="http://x/uploads/a.pdf" type="application/pdf"></object>',
    '<p style="color:red;background:url(http://x/a.png)">x</p>',
    '<a href="mailto:a@b">x</a><a href="/a:b">x</a><a href="#a:b">x</a><a href="">x</a>',
]  # fmt: skip
DANGEROUS = [
    ("<script>x()</script>", "x()"),
    ("<p onclick=x()>a</p>", "<p>a</p>"),
    ("<p/onclick=x()>a</p>", "<p>a</p>"),
    ('<p title="a"onclick=x()>a</p>', '<p title="a">a</p>'),
    ('<img src=x title="[playlist x" class=\'" alt=" onerror=alert(1) ">', "&lt;img src=x title=\"[playlist x\" class='"
     '" alt=" onerror=alert(1) "&gt;'),
    ("<p \x0conclick\n=\t'x()'>a</p>", "<p>a</p>"),
    ("<p =onclick=x()>a</p>", "<p>a</p>"),
    ('<a href="javascript:x()">a</a>', "<a>a</a>"),
    ('<a href="jav&#x09;ascript:x()">a</a>', "<a>a</a>"),
    ('<a href="\x01 java\nscript:x()">a</a>', "<a>a</a>"),
    ("<a href=javascript&colon;x()>a</a>", "<a>a</a>"),
    ('<img srcset="/a.png 1x, javascript:x() 2x">', "<img>"),
    ('<form action="http://x/">a</form>', "a</form>"),
    ("<!--x--!><img onerror=x()>", "<img>"),
    ("<!--><img onerror=x()>-->", "<img>--&gt;".replace("&gt;", ">")),
    ("<!---><img onerror=x()>", "<img>"),
    ("<!-->", ""),
    ("a<!--->b", "ab"),
    ("<!--x--!>", ""),
    ("<!-- <img onerror=x()> -->", ""),
    ("<![CDATA[<img onerror=x()>]]>", "]]>"),
    ("</p onclick=x()>", "</p>"),
    ("<<script>b onclick=x()>", "&lt;b onclick=x()>"),
    ("<iframe srcdoc='<script>x()</script>'></iframe>", ""),
    ('<a title="<script>">a</a>', '<a title="&lt;script&gt;">a</a>'),
    ('<a title="x', '&lt;a title="x'),
    ("<p>a</p><b", "<p>a</p>&lt;b"),
    ("<p>a</p><", "<p>a</p>&lt;"),
    ("a<!-- b <b>c</b>", "a&lt;!-- b <b>c</b>"),
    ("<svg onload=x()><a xlink:href='javascript:x()'>a</a></svg>", "<a>a</a>"),
    ('<p style="background:url(javascript:x())">a</p>', "<p>a</p>"),
    ("<input type=image formaction=javascript:x()>", "<input>"),
    ("<meta http-equiv=refresh content=0><base href=//x><link rel=x>", ""),
]  # fmt: skip


@pytest.mark.parametrize("html", HARMLESS)
def test_harmless_markup_stays_byte_for_byte(html: str) -> None:
    assert filter_output(html) == html


@pytest.mark.parametrize(("html", "left"), DANGEROUS)
def test_what_runs_is_taken_away(html: str, left: str) -> None:
    assert filter_output(html) == left
    assert filter_output(left) == left


def test_the_stored_text_says_whether_its_author_may_write_everything() -> None:
    assert filter_rendering("<p>a</p>", "<p onclick=x()>a</p>") == "<p>a</p>"
    raw = "<p onclick=x()>a</p>"
    assert is_unfiltered(raw)
    assert filter_rendering(raw, raw) == raw


@pytest.mark.parametrize(
    "address", ["http://x", "HTTPS://x", "/a:b", "?a:b", "#a:b", "a", "", "feed:http://x", "tel:1"]
)
def test_known_protocols_and_none_pass(address: str) -> None:
    assert has_safe_protocol(address)


@pytest.mark.parametrize(
    "address",
    ["javascript:x", "JaVaScRiPt:x", " javascript:x", "java\nscript:x", "&#106;avascript:x", "javascript&#58;x",
     "javascript&#0000058x", "javascript&#x3A;x", "javascript&colon;x", "jav&Tab;ascript:x", "&NewLine;javascript:x",
     "\u200bjavascript:x", "data:text/html,x", "vbscript:x", "unknown:x"],
)  # fmt: skip
def test_every_way_to_write_another_protocol_is_seen(address: str) -> None:
    assert not has_safe_protocol(address)


def test_a_tag_is_read_as_browsers_read_it() -> None:
    tag = read_tag("<a\nb='1'c=\"2\"/d = 3 e f=>g", 0)
    assert tag is not None
    assert [(one.name, one.value, one.quote) for one in tag.attributes] == [
        ("b", "1", "'"), ("c", "2", '"'), ("d", "3", ""), ("e", None, ""), ("f", "", ""),
    ]  # fmt: skip
    assert (tag.name, tag.closing, tag.end) == ("a", False, len("<a\nb='1'c=\"2\"/d = 3 e f=>"))
    for open_tag in ("<a", "<a b", "<a b=", "<a b='>", "<a b=\">x'"):
        assert read_tag(open_tag, 0) is None
        assert find_unclosed_tag(f"x{open_tag}") == 1
    assert find_unclosed_tag("<a b='>'>x<!-- <b> --></ x><!-->") == -1
    assert find_unclosed_tag("x<!-- a") == 1


# -- texts in texts


SCRIPT = "<p><script>x()</script></p>"


def shown(outer: str, nested: NestedTexts, inner: str) -> str:
    with nested.within(outer):
        html = filter_rendering(outer, outer.replace("…", nested.hold(inner, inner)))
    return nested.put_back(html, lambda held: held)


def test_a_text_in_a_text_is_judged_by_its_own() -> None:
    assert shown("<p>a</p>…", NestedTexts(), SCRIPT) == f"<p>a</p>{SCRIPT}"
    assert shown("<b onclick=y()>a</b>…", NestedTexts(), "<p>b</p>") == "<b onclick=y()>a</b><p>b</p>"
    assert shown("<p>a</p>…", NestedTexts(), "") == "<p>a</p>"


def test_a_held_text_of_somebody_else_is_filtered_in_a_text_that_is_not() -> None:
    nested = NestedTexts()
    with nested.within(SCRIPT):
        held = nested.hold("<p>b</p>", "<p>b</p>")
    assert held.startswith("<!--")
    # A later pass that splits it breaks nothing.
    assert nested.put_back(held, lambda html: html.replace("<p>", "<p onclick=x()>")) == "<p>b</p>"


@pytest.mark.parametrize("open_markup", ["<script>x()", '<p onclick=x()><a title="', "<b onclick=x()><!--"])
def test_a_held_text_that_does_not_end_takes_nothing_in(open_markup: str) -> None:
    html = shown("…<p>of another</p>", NestedTexts(), open_markup)
    assert html.endswith("<p>of another</p>")
    assert filter_output(html) == html


# -- time


def seconds_of(text: str) -> float:
    """Return the seconds of processor that filtering a text takes this thread."""
    started = time.thread_time()
    filter_output(text)
    return time.thread_time() - started


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<a b='", '<a b="\'', "<!--", "<!-- -", "--!>", "<!", "</", "</a ", "<", "<b>", "<b x=y>", "<p onclick=x>",
     "b ", "<p style='a:url('>", "<a href='java&#x09;'>", "<a href=':", "<b title='<'>", "<!-- <b> -->", "<textarea>",
     "=", "&#58"],
)  # fmt: skip
def test_hostile_markup_takes_no_longer_than_any(piece: str) -> None:
    for text in (piece * (1_000_000 // len(piece)), "<a " + piece * (1_000_000 // len(piece)) + ">"):
        assert min(seconds_of(text) for _ in range(2)) < 2.0, piece


@pytest.mark.parametrize(
    "piece", ["[", "<a title='[gallery]", "<img class='", "\nhttp://x/a.mp3", "[caption caption='<a'", "<h2 "]
)
def test_passes_over_hostile_tags_take_no_longer_than_any(piece: str) -> None:
    few, many = (piece * (count // len(piece)) for count in (20_000, 80_000))
    times = []
    for text in (few, many):
        started = time.process_time()
        text_rendering.render_content(text)
        times.append(time.process_time() - started)
    assert times[1] < 8 * times[0] + 0.2
