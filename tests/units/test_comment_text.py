"""URLs in comments become nofollow links; open tags are closed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis.strategies import text

from vetrina.content.comments.text import link_addresses, prepare_stored_text, render_comment

HOST = "vetrina.test"


def _link(address: str) -> str:
    return f'<a href="{address}" rel="nofollow ugc">{address}</a>'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("see http://a.example/x.", 'see <a href="http://a.example/x" rel="nofollow ugc">http://a.example/x</a>.'),
        ("(www.a.example)", '(<a href="http://www.a.example" rel="nofollow ugc">http://www.a.example</a>)'),
        ("http://a.example/?b=c&d", _link("http://a.example/?b=c&#038;d")),
        ("(http://a.example/b)c", f"({_link('http://a.example/b')})c"),
        ("(http://a.example/b_(c).)d", f"({_link('http://a.example/b_(c)')}.)d"),
        ("http://a.example/b'c", _link("http://a.example/b&#039;c")),
        ("http://a.example/b...c", f"{_link('http://a.example/b')}...c"),
        ("http://a.example/" + "b" * 2_100, "http://a.example/" + "b" * 2_100),
        ("http://a.example/b_(c)", '<a href="http://a.example/b_(c)" rel="nofollow ugc">http://a.example/b_(c)</a>'),
        ("http://vetrina.test/p", '<a href="http://vetrina.test/p" rel="ugc">http://vetrina.test/p</a>'),
        ("me@a.example, you", '<a href="mailto:me@a.example">me@a.example</a>, you'),
        ("<code>http://a.example</code>", "<code>http://a.example</code>"),
        ('<a href="x">http://a.example</a>', '<a href="x">http://a.example</a>'),
        ("evil://a.example", "evil://a.example"),
        ("no address", "no address"),
    ],
)
def test_addresses_become_links(written: str, shown: str) -> None:
    assert link_addresses(written, HOST) == shown


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ('<a href="http://a.example">x</a>', '<a href="http://a.example" rel="nofollow ugc">x</a>'),
        ('<a rel="me" href="http://a.example">x</a>', '<a href="http://a.example" rel="me nofollow ugc">x</a>'),
        ('<a href="http://vetrina.test/">x</a>', '<a href="http://vetrina.test/" rel="ugc">x</a>'),
    ],
)
def test_links_are_not_vouched_for(sent: str, kept: str) -> None:
    assert prepare_stored_text(sent, HOST, free=True) == kept


@pytest.mark.parametrize(
    ("raw", "html"),
    [
        ("<b>open", "<p><b>open</b></p>\n"),
        ("closed</b>", "<p>closed</p>\n"),
        ("<b><i>x</b>y", "<p><b><i>x</i></b>y</p>\n"),
        ("a<br>b", "<p>a<br />b</p>\n"),
        ("<EM>a<3", "<p><em>a&lt;3</em></p>\n"),
        ('<img src="a.png">b<em class="c" />', '<p><img src="a.png"/>b<em class="c"></em></p>\n'),
        ("<ul><li>a<li>b</ul>", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("one\n\ntwo :)", "<p>one</p>\n<p>two \U0001f642</p>\n"),
        ("", ""),
    ],
)
def test_shown_text_is_whole(raw: str, html: str) -> None:
    assert render_comment(raw, HOST) == html


def test_smilies_stay_signs_where_the_site_says_so() -> None:
    assert render_comment("two :)", HOST, smilies=False) == "<p>two :)</p>\n"


@pytest.mark.parametrize("hostile", ["http://x" + ")" * 60_000, "<b>" * 20_000, "a@" * 30_000, "www." * 15_000])
def test_hostile_texts_are_quick(hostile: str) -> None:
    start = time.process_time()
    render_comment(prepare_stored_text(hostile, HOST, free=False), HOST)
    assert time.process_time() - start < 2


@given(text())
def test_any_text_is_shown(raw: str) -> None:
    assert isinstance(render_comment(prepare_stored_text(raw, HOST, free=False), HOST), str)
