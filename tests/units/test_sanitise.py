"""Markup that users without unfiltered HTML may store, none of which can run."""

import html
import json
import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis.strategies import SearchStrategy, lists, sampled_from, text

from vetrina.content.text import sanitizing
from vetrina.content.text.allowed_markup import CONTENT_ELEMENTS, PROTOCOLS, URL_ATTRIBUTES

EVERYTHING = (
    '<script>alert(1)</script><p onclick="x()" style="color:red;position:fixed" class="k" id="i" data-x="1">Testo</p>'
    '<iframe src="http://example.org"></iframe><a href="javascript:x()" target="_blank">l</a><form action="/">'
    '<input name="a"></form><img src="http://example.org/a.png" onerror="x()"><object data="x"></object>'
    '<style>a{}</style><!-- nota --><b>forte</b><details open><summary>s</summary></details>'
    '<svg><path d="M0"/></svg>'
)  # fmt: skip


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (
            EVERYTHING,
            'alert(1)<p style="color:red;position:fixed" class="k" id="i" data-x="1">Testo</p>'
            '<a href="x()" target="_blank">l</a><img src="http://example.org/a.png"><object></object>a{}<!-- nota -->'
            "<b>forte</b><details open><summary>s</summary></details>",
        ),
        (
            '<table border="1"><tr><td colspan="2">a</td></tr></table>'
            '<img src="a.png" alt="x" srcset="y" loading="lazy">'
            '<video src="http://example.org/a.mp4" controls></video>',
            '<table border="1"><tr><td colspan="2">a</td></tr></table><img src="a.png" alt="x" loading="lazy">'
            '<video src="http://example.org/a.mp4" controls></video>',
        ),
        ("<b>uno <i>due</b> tre</i> 4 & 6 <nonso>x</nonso>", "<b>uno <i>due</b> tre</i> 4 &amp; 6 x"),
        (
            "&lt;script&gt; &nbsp; &bogus; &#60; &#x3c; \x07x",
            "&lt;script&gt; &nbsp; &amp;bogus; &#060; &#x3c; x",
        ),
        ("&#0; &#xD800; &#99999999; &#10; &amp;", "&amp;#0; &amp;#xD800; &amp;#99999999; &#010; &amp;"),
        ("3 < 4 e 5 > 2", "3 &lt; 4 e 5 &gt; 2"),
        ("a <b", "a &lt;b"),
        ('a <b "c" <i>d</i>', "a &lt;b &quot;c&quot; <i>d</i>"),
        ("uno<br/>due<hr class=x />", 'uno<br />due<hr class="x" />'),
        ("<IMG SRC='a.png' ALT=b>", "<IMG SRC='a.png' ALT=\"b\">"),
        ('<p class="a" class="b" onclick=x>c</p >', '<p class="a">c</p>'),
        ('<a title="a>b">c</a>', '<a title>b"&gt;c</a>'),
        ("<!DOCTYPE html><?php x ?></ b></3>x", "x"),
        ("\r\n  uno\t\r\n", "\r\n  uno\t\r\n"),
    ],
)  # fmt: skip
def test_allowed_markup_stays_and_the_rest_goes(written: str, stored: str) -> None:
    assert sanitizing.sanitize_content(written) == stored


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("mailto:a@b.c", "mailto:a@b.c"),
        ("ftp://x.y", "ftp://x.y"),
        ("//x.y/z", "//x.y/z"),
        ("tel:1", "tel:1"),
        ("HTTP://x.y", "http://x.y"),
        ("data:text/html,x", "text/html,x"),
        ("JaVaScRiPt:x()", "x()"),
        ("javascript:javascript:x", "x"),
        ("feed:javascript:x", "feed:x"),
        ("java\nscript:x", "x"),
        ("java&#10;script&#58;x", "x"),
        ("&#x6a;avascript:x", "x"),
        ("&#1;javascript:x", "&amp;#1;javascript:x"),
        ("\x01javascript:x", "x"),
        (" javascript : x", "x"),
        ("javascript&colon;x", "javascript&amp;colon;x"),
        ("javascript&#58x", "javascript&amp;#58x"),
        ("/ricerca?ore=10:30", "/ricerca?ore=10:30"),
        ("//host:8080/x", "//host:8080/x"),
        ("#a:b", "#a:b"),
        ("vbscript:x", "x"),
        (":x", "x"),
        ("", ""),
    ],
)
def test_unknown_protocols_are_cut_off(address: str, stored: str) -> None:
    assert sanitizing.sanitize_content(f'<a href="{address}">l</a>') == f'<a href="{stored}">l</a>'


@pytest.mark.parametrize(
    ("style", "stored"),
    [
        (
            "color: red; text-align:center; background:url(javascript:x); margin:1px 2px; width: calc(1px + 2px)",
            "color: red;text-align:center;margin:1px 2px;width: calc(1px + 2px)",
        ),
        ("color:red;", "color:red"),
        ("background:url('http://x.y/a.png') no-repeat", "background:url('http://x.y/a.png') no-repeat"),
        ("background:linear-gradient(rgba(0,0,0,.5),red)", "background:linear-gradient(rgba(0,0,0,.5),red)"),
        ("--mia:var(--altra, 1px);gap:var(--g)", "--mia:var(--altra, 1px);gap:var(--g)"),
        ("grid-template-columns:repeat(2, minmax(0, 1fr))", "grid-template-columns:repeat(2, minmax(0, 1fr))"),
        ("COLOR:red !important", "COLOR:red !important"),
        ("behavior:url(x);-moz-binding:url(x)", ""),
        ("width:expression(alert(1))", ""),
        ("width:calc(expression(1))", ""),
        ("color:r\\65 d;color:/**/red;color:&#114;ed", ""),
        ("color:red}body{color:blue", ""),
        ("background:url(data:text/html,x)", ""),
        ("background:u\nrl(javascript:x)", ""),
        ("background:url()", ""),
        ("""background:url( "http://x.y/a.png' )""", ""),
        ("""background:url("http://x.y/a.png)""", ""),
        ("margin:1px)", ""),
        ("color", ""),
    ],
)  # fmt: skip
def test_known_declarations_stay(style: str, stored: str) -> None:
    expected = f'<p style="{stored}">x</p>' if stored else "<p>x</p>"
    assert sanitizing.sanitize_content(f'<p style="{style}">x</p>') == expected


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("<!-- a & b > c -->", "<!-- a &amp; b &gt; c -->"),
        ("<!-- <b>x</b><script>y</script> -->", "<!-- <b>x</b>y -->"),
        ("<!--> <b>x</b> -->", "<!--&gt; <b>x</b> -->"),
        ("<!-- x --!> y -->", "<!-- x -!&gt; y -->"),
        ("<!---->x", "x"),
        ("<!--more-->", "<!--more-->"),
        ("<!-- aperto <script>x</script>", "&lt;!-- aperto x"),
    ],
)
def test_comments_stay_and_hide_nothing(written: str, stored: str) -> None:
    assert sanitizing.sanitize_content(written) == stored


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (
            '<!-- wp:paragraph {"x":"<b>"} -->\n<p>Uno</p>\n<!-- /wp:paragraph -->',
            '<!-- wp:paragraph {"x":"\\u003cb\\u003e"} -->\n<p>Uno</p>\n<!-- /wp:paragraph -->',
        ),
        ('<!-- wp:mia/cosa {"a": [1, 2.5, "è"], "b": {}} /-->', '<!-- wp:mia/cosa {"a":[1,2.5,"è"],"b":{}} /-->'),
        ('<!-- wp:core/html {"a":"x\\u003cscript\\u003ey"} -->', '<!-- wp:html {"a":"xy"} -->'),
        (
            '<!-- wp:html {"a":"b & \\"c\\" --"} -->',
            '<!-- wp:html {"a":"b \\u0026amp; \\u0022c\\u0022 \\u002d\\u002d"} -->',
        ),
        ("<!--  wp:more  -->", "<!-- wp:more -->"),
        ("<!-- wp:html {} -->", "<!-- wp:html -->"),
        ("<!-- wp:mia--ditta/una---cosa -->", "<!-- wp:mia-ditta/una-cosa -->"),
        ("<!-- /wp:una--cosa-- -->", "<!-- /wp:una-cosa- -->"),
        ("<!-- wp:html {storto} -->", "<!-- wp:html {storto} -->"),
        ("<!-- wp:html --->", "<!-- wp:html -->"),
    ],
)  # fmt: skip
def test_block_delimiters_stay(written: str, stored: str) -> None:
    assert sanitizing.sanitize_content(written) == stored


def test_attributes_of_blocks_end_with_the_comment() -> None:
    stored = sanitizing.sanitize_content('<!-- wp:html {"a":"--><img src=x onerror=y>"} -->')
    assert "onerror" not in stored.replace("&", "<").partition("<img")[2]
    assert stored.startswith("<!-- wp:html {")


def test_an_object_shows_pdf_files_of_the_site_only() -> None:
    good = '<object data="https://a.example/media/b.pdf" type="application/pdf" class="c"></object>'
    assert sanitizing.sanitize_content(good, "https://a.example/media") == good
    for bad in ("https://b.example/media/b.pdf", "https://a.example/media/../b.pdf", "https://a.example/media/b.html"):
        assert (
            sanitizing.sanitize_content(good.replace("https://a.example/media/b.pdf", bad), "https://a.example/media")
            == "<object></object>"
        )
    assert sanitizing.sanitize_content(good) == "<object></object>"
    assert sanitizing.sanitize_content("a<object data='x' />b<object />c") == "abc"


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("Vetrina <b>filtro</b><script>x</script>", "Vetrina <b>filtro</b>x"),
        ('Vetrina "incorporata" & viva', 'Vetrina "incorporata" &amp; viva'),
        ('<h1 class="x">Uno</h1> <em class="x">due</em>', "Uno <em>due</em>"),
        ('<a href="javascript:x" class="y">z</a>', '<a href="x">z</a>'),
    ],
)
def test_titles_keep_emphasis(written: str, stored: str) -> None:
    assert (
        sanitizing.sanitize_title(written)
        == sanitizing.sanitize_term_description(written)
        == sanitizing.sanitize_comment(written)
        == stored
    )


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (
            '[{"content":"una <b>nota</b><script>x</script>","id":"abc"}]',
            '[{"id":"abc","content":"una <b>nota<\\/b>x"}]',
        ),
        ('{"a":{"id":"A b!","content":"è"}}', '[{"id":"ab","content":"\\u00e8"}]'),
        ('[{"id":"a"},{"content":"b"},1,"x",null,{"id":"c","content":["d"]}]', "[]"),
        ("[]", "[]"),
        ("n", ""),
        ("", ""),
        ("null", ""),
        ("7", ""),
        ("[" * 100_000, ""),
    ],
)  # fmt: skip
def test_footnotes_are_a_list_or_nothing(written: str, stored: str) -> None:
    assert sanitizing.sanitize_footnotes(written) == stored


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ('An <b>alt</b> & "quotes"', 'An alt & "quotes"'),
        ("x y<z>", "x y"),
        ("  uno\n\t due  ", "uno due"),
        ("a<script>x</script>b<style>y", "aby"),
        ("<scr<script></script>ipt>alert(1)</script>", "&lt;script>alert(1)"),
        ("a < b", "a &lt; b"),
        ("3 < 4 > 2", "3 < 4 > 2"),
        ("<b title='>'>x</b>", "x"),
        ("<!-- x -->y<", "y&lt;"),
    ],
)
def test_plain_text_has_no_tags(written: str, stored: str) -> None:
    assert sanitizing.sanitize_plain_text(written) == stored


def test_names_of_terms_have_entities() -> None:
    assert sanitizing.sanitize_term_name("Kinds <b>bold</b> & more") == "Kinds bold &amp; more"
    assert sanitizing.sanitize_term_name("3 < 4 > 2") == "3 &lt; 4 &gt; 2"


RUNNING_STYLE = re.compile(r"expression|javascript|behavior|binding|@import", re.IGNORECASE)


class Reader(HTMLParser):
    """Reads markup as a browser does, and notes what could run."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in CONTENT_ELEMENTS:
            self.faults.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("srcdoc", "srcset", "formaction", "ping"):
                self.faults.append(name)
            if name in URL_ATTRIBUTES and value:
                self.address(value)
            if name == "style" and RUNNING_STYLE.search(value or ""):
                self.faults.append(f"{name}={value}")

    def address(self, value: str) -> None:
        seen = value.lstrip("".join(map(chr, range(0x21)))).translate(dict.fromkeys(map(ord, "\t\n\r")))
        scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", seen)
        if scheme and scheme[1].lower() not in PROTOCOLS:
            self.faults.append(value)

    def handle_decl(self, decl: str) -> None:
        self.faults.append(decl)

    def handle_pi(self, data: str) -> None:
        self.faults.append(data)


def faults(markup: str) -> list[str]:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader.faults


HOSTILE = (
    "<script>alert(1)</script>", "<<script>alert(1)</script>", "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<SCRIPT SRC=//x></SCRIPT>", "<script/x>alert(1)</script>", "<script", "<script src=//x ",
    "< script>x</ script>", "<img src=x onerror=alert(1)>", "<img/src=x/onerror=alert(1)>",
    "<img src=x\nonerror\n=\nalert(1)>", "<img src='x' onerror='alert(1)'",
    "<img \"\"\"><script>alert(1)</script>\">", "<img src=`x` onerror=`y`>", "<b onmouseover=alert(1)>x</b>",
    "<b\x0conclick=x>", "<b\u00a0onclick=x>", "<b/onclick=x>", '<b"onclick=x>', "<bloc\u212aquote onclick=x>",
    "<b \x00onclick=x>", "<b on\x00click=x>", '<b class="x"onclick="y">', "<a href=javascript:alert(1)>x</a>",
    "<a href='jav&#x09;ascript:x'>", "<a href='jav&Tab;ascript:x'>", "<a href=\"java\x00script:x\">",
    "<a href=\" &#14; javascript:x\">", "<a href='&#106&#97vascript:x'>", "<a href='javascript&#0000058x'>",
    "<a href='javascript&#x3A x'>", "<a href='data:text/html;base64,x'>", "<a href=x:javascript:y>",
    "<a href='//javascript:x'>", "<a href=\u2028javascript:x>", "<a href='feed:data:x'>",
    "<a href=\"javascript://%0aalert(1)\">", "<a href=vbscript:x>", "<video poster=javascript:x>",
    "<svg onload=alert(1)>", "<svg><script>x</script></svg>", "<math><mi xlink:href='javascript:x'>y</mi></math>",
    "<iframe srcdoc='<script>x</script>'></iframe>", "<object data='javascript:x'></object>", "<embed src=x>",
    "<base href='javascript:x//'>", "<meta http-equiv=refresh content='0;url=javascript:x'>",
    "<link rel=import href=x>", "<form action=javascript:x><button formaction=javascript:x>y</button></form>",
    "<isindex action=javascript:x>", "<style>@import 'javascript:x'</style>",
    "<p style='background:url(javascript:x)'>", "<p style='x:expr/**/ession(1)'>",
    "<p style='color:red;background:ur\\6c(javascript:x)'>", "<p style=\"width:&#101;xpression(1)\">",
    "<!-- <script>x</script> -->", "<!--><script>x</script>-->", "<!---><script>x</script>-->",
    "<!-- x --!><script>y</script>", "<!--", "<!-->", "<!--->", "<!-- -<x>-> <img src=x onerror=y> -->",
    "<![CDATA[<script>x</script>]]>", "<!ENTITY x>", "<?xml version='1.0'?><script>x</script>",
    "</script><script>x</script>", "</p onclick=x>", "<//script>", '<p title="</title><script>x</script>">',
    "<textarea><script>x</script>", "<noscript><p title='</noscript><img src=x onerror=y>'>",
    "<xmp><script>x</script></xmp>", "<plaintext><script>x", "<template><script>x</script></template>",
    '<!-- wp:html {"a":"--><script>x</script>"} -->', '<!-- wp:html {"a":"\\u003cscript>"} /-->',
    '<!-- wp:x {"<!--":1} -->', "<%<!--'%><script>alert(1);</script -->",
    "<a href=# title='x' style='--x:url(javascript:y)'>", "\ud800<script>x</script>",
    "&lt;script&gt;x&lt;/script&gt;", "&#60;script&#62;", "&<x>lt;script&gt;", "<a<b>onclick=x>",
    "<p <b onclick=x>>",
)  # fmt: skip


@pytest.mark.parametrize("markup", HOSTILE)
def test_nothing_that_runs_survives(markup: str) -> None:
    for clean in (sanitizing.sanitize_content, sanitizing.sanitize_title, sanitizing.sanitize_excerpt):
        stored = clean(markup)
        assert faults(stored) == []
        assert clean(stored) == stored


PIECES = (
    *HOSTILE, *'<>"\'=/!-&;: \n`\\()[]{}', "--", "-->", "<!--", "<!-- wp:x ", '{"a":1}', " /-->", "<b ", "<a ",
    "href", "style", "=", "javascript:", "http:", "url(", "on", "click", "class", "x", "é", "\x00", "\x0c", "\u212a",
    "&#58;", "&amp;", "&x;", "/>",
)  # fmt: skip


def markups() -> SearchStrategy[str]:
    return lists(sampled_from(PIECES), max_size=12).map("".join)


@settings(max_examples=400)
@given(markups())
@example('<!-- wp:x {<x>"a": 1} -->')
@example('<!-- wp:x {"a":1e999} -->')
@example('<!-- wp:x {"a":"\\ud800"} -->')
@example("<!-- wp:x {} --->")
def test_no_mixture_of_hostile_pieces_survives(markup: str) -> None:
    for clean in (sanitizing.sanitize_content, sanitizing.sanitize_title):
        stored = clean(markup)
        assert faults(stored) == []
        assert clean(stored) == stored


@given(text() | markups())
@example("a < ")
@example("<scr<script></script>ipt>")
def test_filtering_twice_is_filtering_once(anything: str) -> None:
    for clean in (sanitizing.sanitize_plain_text, sanitizing.sanitize_term_name, sanitizing.sanitize_footnotes):
        assert clean(clean(anything)) == clean(anything)
    assert not faults(sanitizing.sanitize_plain_text(anything))
    assert "<" not in sanitizing.sanitize_term_name(anything)


@given(text(alphabet="abc àé\n\t.,;:!?()[]{}=/\\\"'#%0123456789日🎉"))
def test_text_without_markup_is_kept_to_the_byte(words: str) -> None:
    assert sanitizing.sanitize_content(words) == sanitizing.sanitize_title(words) == words
    assert html.unescape(sanitizing.sanitize_content(words + " & <i>x</i>")) == words + " & <i>x</i>"


@given(markups())
def test_footnotes_hold_filtered_markup(markup: str) -> None:
    stored = json.loads(sanitizing.sanitize_footnotes(json.dumps([{"id": "a", "content": markup}])))
    assert stored == ([{"id": "a", "content": sanitizing.sanitize_content(markup)}] if markup else [])


@pytest.mark.parametrize(
    "piece",
    [
        "<", ">", "&", "<!--", "-->", "<!-- wp:x {", "<!-- wp:x {} x-->", "<!-- wp:x {\"a\":1} -->", "<a ",
        '<a href="', "<a href='x' ", "<a x=\"'", "<script>", "<script></style>", "</", "&#", "&#0", "&#x", "<b>",
        "<!-- -", "--", "{", "} ", " ", "\n", "<a href=a:", "a:", "<p style='", "<p style=a:b(", "(", "'", '"', "<!",
        "<?", "<b =", "[", "%3c",
    ],
)  # fmt: skip
def test_time_grows_with_the_length_only(piece: str) -> None:
    hostile = piece * (100_000 // len(piece))
    for wrapped in (
        hostile,
        f"<a {hostile}>",
        f'<p style="{hostile}" {hostile} href="{hostile}">',
        f"<!-- {hostile} -->",
    ):
        for clean in (
            sanitizing.sanitize_content,
            sanitizing.sanitize_title,
            sanitizing.sanitize_plain_text,
            sanitizing.sanitize_footnotes,
        ):
            started = time.process_time()
            clean(wrapped)
            assert time.process_time() - started < 2.0
