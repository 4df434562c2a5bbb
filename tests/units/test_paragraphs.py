"""Automatic paragraphs of classic text."""

import time

import pytest
from hypothesis import assume, given, strategies as st

from vetrina.content.text.paragraphs import add_paragraphs

MARKUP = (
    "a", " ", "\n", "\n\n", "\r\n", "<p>", "</p>", "<div>", "</div>", "<li>", "</li>", "<ul>", "</ul>", "<br>",
    "<br />", "<blockquote>", "</blockquote>", "<pre>", "</pre>", "<b>", "</b>", "<!-- x -->", "<hr>", "<script>",
    "</script>", "<",
)  # fmt: skip


@pytest.mark.parametrize(
    "text, html",
    [
        ("", ""),
        (" \n\t\n", ""),
        ("uno", "<p>uno</p>\n"),
        ("uno\ndue", "<p>uno<br />\ndue</p>\n"),
        ("uno\n\ndue", "<p>uno</p>\n<p>due</p>\n"),
        ("uno\r\n\r\ndue\r\ntre", "<p>uno</p>\n<p>due<br />\ntre</p>\n"),
        ("uno\n \t\n\n\ndue", "<p>uno</p>\n<p>due</p>\n"),
        ("uno<br><br>due", "<p>uno</p>\n<p>due</p>\n"),
        ("uno<br/>due", "<p>uno<br />due</p>\n"),
        ("uno<br>\ndue", "<p>uno<br />\ndue</p>\n"),
    ],
)
def test_blank_lines_part_paragraphs_and_line_ends_break_lines(text, html):
    assert add_paragraphs(text) == html


@pytest.mark.parametrize(
    "text, html",
    [
        ("<h3>uno</h3>\ndue", "<h3>uno</h3>\n<p>due</p>\n"),
        (
            "uno\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\ndue",
            "<p>uno</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>due</p>\n",
        ),
        ("uno<hr>due", "<p>uno</p>\n<hr>\n<p>due</p>\n"),
        ("<blockquote>uno</blockquote>", "<blockquote><p>uno</p></blockquote>\n"),
        ("<table><tr><td>a</td></tr></table>", "<table>\n<tr>\n<td>a</td>\n</tr>\n</table>\n"),
        ("<p>uno</p>", "<p>uno</p>\n"),
        ("<!-- nota -->", "<p><!-- nota --></p>\n"),
        ('<img src="a">', '<p><img src="a"></p>\n'),
    ],
)
def test_block_level_tags_are_not_wrapped(text, html):
    assert add_paragraphs(text) == html


def test_preformatted_text_keeps_every_line_end():
    assert add_paragraphs("a\n<pre>1\n\n2<br>\n</pre>\nb") == "<p>a</p>\n<pre>1\n\n2<br>\n</pre>\n<p>b</p>\n"


def test_line_ends_in_tags_and_scripts_stay():
    assert add_paragraphs('<a\nhref="x">a</a>') == '<p><a\nhref="x">a</a></p>\n'
    assert add_paragraphs("<script>\na\nb\n</script>") == "<p><script>\na\nb\n</script></p>\n"


def test_a_blank_line_in_a_container_leaves_an_unbalanced_paragraph():
    assert add_paragraphs("<div>uno\n\ndue</div>") == "<div>uno</p>\n<p>due</p></div>\n"
    assert add_paragraphs("<ul><li>uno\n\ndue</li></ul>") == "<ul>\n<li>uno\n<p>due</li>\n</ul>\n"


def test_white_space_around_captions_and_sources_goes():
    assert add_paragraphs('<figure>\n<img src="a">\n<figcaption>b</figcaption>\n</figure>') == (
        '<figure>\n<img src="a"><figcaption>b</figcaption></figure>\n'
    )
    assert add_paragraphs('<video>\n<source src="a">\n</video>') == '<p><video><source src="a"></video></p>\n'


@given(st.lists(st.sampled_from(MARKUP), max_size=30).map("".join) | st.text(max_size=80))
def test_any_text_gets_paragraphs_and_keeps_its_words(text):
    html = add_paragraphs(text)
    assert html.count("a") >= text.count("a")
    assert not html or html.strip(" \t\n\r\0\v")


PLAIN_PARAGRAPH = st.tuples(
    st.sampled_from(["", "\n", "\n\n"]), st.sampled_from(["<p>", '<p class="a-b c">']),
    st.sampled_from(["a", "b  c ", "c\vd", "d\f", "e\xa0", "\x1cf", "g &lt; [audio y] z", "h\x85i"]),
    st.just("</p>"), st.sampled_from(["", "\n", "\n\n"]),
).map("".join)  # fmt: skip


@given(st.lists(PLAIN_PARAGRAPH, min_size=1, max_size=4).map("".join) | st.text("a b\t\v\f\0\x85\xa0[]>&", min_size=1))
def test_plain_text_is_the_same_alone_and_behind_other_text(text):
    # White space that is not blank to every step is a paragraph alone, and none behind another.
    assume(text.strip(" \t\n\r\0\v") and text.strip())
    assert add_paragraphs(f"x\n\n{text}") == "<p>x</p>\n" + add_paragraphs(text)


@pytest.mark.parametrize(
    "piece", ["<", "<p>", "</p>", "<div>", "<br>", "\n", " \n", "\n\n", "<pre>", "<!--", "<li>a", " "]
)
def test_hostile_text_takes_linear_time(piece):
    started = time.process_time()
    add_paragraphs("a" + piece * (100_000 // len(piece)) + "b")
    assert time.process_time() - started < 3
