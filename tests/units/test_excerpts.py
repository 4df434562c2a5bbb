"""Written and generated excerpts."""

import time

import pytest
from hypothesis import given, strategies as st

from vetrina.content.text.rendering import render_excerpt


def block(name: str, inside: str) -> str:
    return f"<!-- wp:{name} -->{inside}<!-- /wp:{name} -->\n\n"


def test_a_written_excerpt_gets_typography_and_paragraphs():
    assert render_excerpt('Uno\n\n<b>due</b> "tre"', "altro") == "<p>Uno</p>\n<p><b>due</b> &#8220;tre&#8221;</p>\n"


def test_a_written_excerpt_is_never_cut():
    assert render_excerpt("uno due tre", "altro", 1) == "<p>uno due tre</p>\n"


def test_blanks_are_no_excerpt():
    assert render_excerpt(" \n", "altro") == "<p>altro</p>\n"
    assert render_excerpt("", "") == ""


def test_a_made_excerpt_has_55_words():
    words = [f"p{number}" for number in range(56)]
    assert render_excerpt("", " ".join(words[:55])) == f"<p>{' '.join(words[:55])}</p>\n"
    assert render_excerpt("", " ".join(words)) == f"<p>{' '.join(words[:55])} [&hellip;]</p>\n"


@pytest.mark.parametrize(
    "words, html",
    [
        (2, "<p>uno due [&hellip;]</p>\n"),
        (3, "<p>uno due tre</p>\n"),
        (0, "<p> [&hellip;]</p>\n"),
        (-1, "<p>uno due [&hellip;]</p>\n"),
        (-3, "<p> [&hellip;]</p>\n"),
    ],
)
def test_the_number_of_words_may_be_given(words, html):
    assert render_excerpt("", "uno due tre", words) == html


@pytest.mark.parametrize(
    "raw, text",
    [
        ("<h2>Uno</h2><p>due <i>tre</i></p>", "Uno due tre"),
        ("uno<br>due", "unodue"),
        ("uno<br>\ndue", "uno due"),
        ("uno <script>x()</script><style>a{}</style>due", "uno due"),
        ("uno\n\n<!--more-->\n\ndue", "uno"),
        ("uno\n<!--nextpage-->\ndue", "uno"),
        ("<!--nextpage-->uno<!--nextpage-->due", "uno"),
        ("uno [gallery] [caption]x[/caption] [tenda] due", "uno [tenda] due"),
        ("uno & due &amp; <a href='#'>tre</a>", "uno &#038; due &amp; tre"),
        ("2 < 3 e 5 > 4", "2 < 3 e 5 > 4"),
        ('<code>"a" -- b</code>', "&#8220;a&#8221; &#8212; b"),
    ],
)
def test_an_excerpt_is_made_of_the_text_before_the_first_mark(raw, text):
    assert render_excerpt("", raw) == f"<p>{text}</p>\n"


@pytest.mark.parametrize(
    "name, inside, text",
    [
        ("paragraph", "<p>x</p>", "x"),
        ("heading", "<h2>x</h2>", "x"),
        ("freeform", "x", "x"),
        ("html", "<i>x</i>", "x"),
        ("table", "<figure><table><tr><td>x</td></tr></table></figure>", "x"),
        ("verse", "<pre>x</pre>", "x"),
        ("preformatted", "<pre>x</pre>", "x"),
        ("pullquote", "<figure><blockquote><p>x</p></blockquote></figure>", "x"),
        ("quote", "<blockquote>" + block("paragraph", "<p>x</p>") + "<cite>y</cite></blockquote>", "x y"),
        ("group", "<div>" + block("paragraph", "<p>x</p>") + block("code", "<pre>y</pre>") + "</div>", "x"),
        ("columns", block("column", block("paragraph", "<p>x</p>")), "x"),
        ("list", "<ul>" + block("list-item", "<li>x</li>") + "</ul>", ""),
        ("list", "<ul><li>x</li></ul>", "x"),
        ("code", "<pre><code>x</code></pre>", ""),
        ("image", '<figure><img src="a"/><figcaption>x</figcaption></figure>', ""),
        ("details", "<details><summary>x</summary></details>", ""),
        ("shortcode", "[tenda]", ""),
        ("mio/tenda", "<p>x</p>", ""),
    ],
)
def test_only_blocks_of_text_are_used(name, inside, text):
    assert render_excerpt("", block(name, inside)) == (f"<p>{text}</p>\n" if text else "")


def test_blocks_and_loose_text_run_on():
    raw = "prima\n" + block("paragraph", "<p>uno</p>") + block("more", "<!--more-->") + block("paragraph", "<p>due</p>")
    assert render_excerpt("", raw) == "<p>prima uno</p>\n"


@given(st.text(max_size=60), st.text(max_size=120), st.integers(-2, 60))
def test_any_text_has_an_excerpt(written, raw, words):
    render_excerpt(written, raw, words)


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=4), max_size=30), st.integers(1, 30))
def test_an_excerpt_holds_the_first_words(words, size):
    html = render_excerpt("", " ".join(words), size)
    shown = html.removeprefix("<p>").removesuffix("</p>\n").removesuffix(" [&hellip;]").split()
    assert shown == words[:size]
    assert html.endswith(" [&hellip;]</p>\n") == (len(words) > size)


@pytest.mark.parametrize(
    "piece", ["<", "<!--more", "<!-- wp:more", "<script>", "<!-- wp:group -->", '<sup data-fn="', "<b"]
)
def test_hostile_text_takes_linear_time(piece):
    started = time.process_time()
    render_excerpt("", piece * (100_000 // len(piece)))
    assert time.process_time() - started < 4
