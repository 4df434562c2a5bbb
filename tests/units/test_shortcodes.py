"""Shortcodes in content, images and frames, URLs on their own line."""

import time

import pytest
from hypothesis import given, strategies as st

from vetrina.content.text.rendering import render_content
from vetrina.content.text.shortcodes import (
    expand_shortcodes,
    iterate_shortcodes,
    parse_parameters,
    remove_shortcodes,
    unwrap_shortcodes,
)


def test_unknown_shortcodes_stay():
    assert render_content("[tenda]aria[/tenda]") == "<p>[tenda]aria[/tenda]</p>\n"


def test_known_ones_without_anything_to_show_vanish():
    assert render_content("Prima\n\n[gallery]\n\nDopo") == "<p>Prima</p>\n\n<p>Dopo</p>\n"
    assert render_content("Prima [playlist ids='1'] dopo") == "<p>Prima  dopo</p>\n"
    assert render_content('<a title="[gallery]">x</a>') == '<p><a title="">x</a></p>\n'


def test_doubled_brackets_write_the_shortcode_itself():
    assert render_content("[[gallery]]") == "<p>[gallery]</p>\n"
    assert render_content("[[caption]x[/caption]]") == "<p>[caption]x[/caption]</p>\n"


def test_comments_and_handlers_keep_what_looks_like_a_shortcode():
    assert expand_shortcodes("<!-- [gallery] -->[gallery]") == "<!-- [gallery] -->"
    assert expand_shortcodes('<a onclick="[gallery]">') == '<a onclick="[gallery]">'


def test_a_caption_becomes_a_figure():
    assert render_content('[caption id="attachment_4" width="120"]<img src="a.png" /> Il "mare"[/caption]') == (
        '<figure id="attachment_4" aria-describedby="caption-attachment-4" style="width: 120px"'
        ' class="wp-caption alignnone"><img decoding="async" src="a.png" />'
        '<figcaption id="caption-attachment-4" class="wp-caption-text">Il &#8220;mare&#8221;</figcaption></figure>\n'
    )


def test_a_caption_without_width_or_words_is_its_content():
    assert expand_shortcodes('[caption width="0"]<img src="a" /> b[/caption]') == '<img src="a" />'
    assert expand_shortcodes('[caption width="9"]<img src="a" />[/caption]') == '<img src="a" />'


def test_a_film_of_another_kind_becomes_a_link():
    assert render_content('[video src="http://x.example/a.doc"]') == (
        '<a class="wp-embedded-video" href="http://x.example/a.doc">http://x.example/a.doc</a>\n'
    )
    assert render_content("[audio]") == "\n"


def test_a_film_becomes_a_player():
    html = render_content('[video mp4="http://x.example/a.mp4" width="320" height="200" loop="on"]')
    assert html.startswith('<div style="width: 320px;" class="wp-video"><video class="wp-video-shortcode"')
    assert " loop " in html
    assert '<source type="video/mp4" src="http://x.example/a.mp4?_=1" />' in html


def test_an_embed_becomes_a_link():
    assert render_content("[embed]http://x.example/a?b&c[/embed]") == (
        '<p><a href="http://x.example/a?b&#038;c">http://x.example/a?b&amp;c</a></p>\n'
    )


def test_an_address_alone_on_its_line_stays_or_plays():
    assert render_content("a\n\nhttp://x.example/b\n\nc") == "<p>a</p>\n<p>http://x.example/b</p>\n<p>c</p>\n"
    assert '<audio class="wp-audio-shortcode"' in render_content("http://x.example/b.mp3")


def test_only_a_paragraph_of_nothing_else_loses_its_wrapping():
    assert unwrap_shortcodes("<p> [gallery] </p>") == "[gallery]"
    assert unwrap_shortcodes("<p>a [gallery]</p>") == "<p>a [gallery]</p>"
    assert unwrap_shortcodes("<p>[caption]a[/caption]</p>") == "[caption]a[/caption]"
    assert unwrap_shortcodes("<p>[tenda]</p>") == "<p>[tenda]</p>"


def test_parameters_may_be_quoted_or_bare():
    assert parse_parameters(""" A="1 2" b='3' c=4 nudo "solo" """) == {"a": "1 2", "b": "3", "c": "4"}


def test_removed_shortcodes_take_their_content_along():
    assert remove_shortcodes("a [caption]b[/caption] [tenda] [[gallery]] c") == "a  [tenda] [gallery] c"


def test_the_grammar_of_shortcodes():
    found = list(iterate_shortcodes("[gallery a/b][audio /][caption]x[gallery][/caption][gallery-two]"))
    assert [(one.name, one.attributes, one.content) for one in found] == [
        ("gallery", " a/b", None),
        ("audio", " ", None),
        ("caption", "", "x[gallery]"),
    ]


@pytest.mark.parametrize(
    "tag, shown",
    [
        ('<img src="a">', '<img decoding="async" src="a">'),
        ('<img src="a" width="3" height="2">', '<img loading="lazy" decoding="async" src="a" width="3" height="2">'),
        ('<img src="a" loading="eager" width="3" height="2">',
         '<img decoding="async" src="a" loading="eager" width="3" height="2">'),
        ('<img src="a" fetchpriority="high" width="3" height="2">',
         '<img decoding="async" src="a" fetchpriority="high" width="3" height="2">'),
        ('<img src="a" decoding="sync">', '<img src="a" decoding="sync">'),
        ("<img src='a'>", "<img src='a'>"),
        ('<img src="a" loading="lazy" width="3" sizes="9vw">',
         '<img decoding="async" src="a" loading="lazy" width="3" sizes="auto, 9vw">'),
        ('<iframe src="a" width="3" height="2"></iframe>',
         '<iframe loading="lazy" src="a" width="3" height="2"></iframe>'),
        ('<iframe src="a"></iframe>', '<iframe src="a"></iframe>'),
    ],
)  # fmt: skip
def test_images_and_frames_get_hints(tag, shown):
    assert render_content(tag) == f"<p>{shown}</p>\n"


@given(
    st.lists(
        st.sampled_from(("[", "]", "[[", "gallery", "caption", "/", " ", "a=", '"', "<", ">", "[/caption]")),
        max_size=40,
    )
)
def test_any_brackets_can_be_read(pieces):
    text = "".join(pieces)
    expand_shortcodes(text)
    remove_shortcodes(text)
    unwrap_shortcodes(text)
    render_content(text)


@pytest.mark.parametrize(
    "piece", ["[", "[gallery ", "[caption]", "<p>[caption]", '[gallery a="', "<a title='[gallery]'>", "[[gallery]]"]
)
def test_hostile_text_takes_linear_time(piece):
    started = time.process_time()
    render_content(piece * (100_000 // len(piece)))
    assert time.process_time() - started < 4
