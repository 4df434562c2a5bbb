"""Fragments of attacks on markup for property tests: unclosed tags, mismatched quotes, shortcodes and
URLs across them, entities in protocols, block delimiters, malformed ends of comments.
"""

from __future__ import annotations

import json

from hypothesis import strategies as st


def _words(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(text.split())


MEDIA = "http://vetrina.test/media"

ELEMENTS = _words(
    "img a b h2 p div ul ol li video audio source track blockquote figure figcaption textarea object button td "
    "table pre code span script svg iframe style math form input template noscript title xmp meta base link"
)
ATTRIBUTES = _words(
    "title alt class style href src id data-x sizes poster cite aria-label data type srcset onclick srcdoc "
    "formaction xlink:href action background"
)
WORDS = st.sampled_from([
    "x", '"', "'", "\n", " ", "=", "&quot;", "&#34;", "&amp;quot;", "--", "...", ":)", "[", "]", "/", ">", "<", "`",
    "&", "\r\n", "\u00a0", "&nbsp;", "\t", "\\", "[[", "]]", "\f", "\0", "&#x3c;img src=x onerror=alert(1)&#x3e;",
    "&lt;b&gt;", " onerror=alert(1) ", " onclick=alert(1)", "onfocus=alert(1) autofocus ", "javascript:alert(1)",
    "data:text/html,x", "jav&#x09;ascript:alert(1)", "&#106;avascript:alert(1)", "java[playlist]script:alert(1)",
    "javascript&colon;alert(1)", "java\tscript:alert(1)", "JaVaScRiPt&#58alert(1)", "vbscript:x", "&Tab;javascript:x",
    "\nhttp://x.y/a.mp3\n", "http://x.y/b.mp4", "\n\nhttp://x.y/a.mp3\n\n", "<p>http://x.y/a.mp3</p>", "class='x\"y'",
    'class="x"', 'sizes="x"', " width=1 height=1 ", "loading='lazy'", "url(javascript:x)", "color:red;",
    "expression(1)", "'99'", "2x4",
])  # fmt: skip
CODES = st.sampled_from([
    "playlist", "playlist x", "audio src=a.mp3", "gallery ids=1", "caption width=1", "caption width=100 caption=",
    "video", "embed", "wp_caption", "/caption", "/embed", "/audio", "video mp4=", 'audio src="', "caption caption='",
    "/playlist", "caption width=100 caption='", "video poster=",
])  # fmt: skip
ODD = st.sampled_from([
    "<!--", "-->", "--!>", "<!-->", "<!--->", "<![CDATA[", "]]>", "<!x", "<?x", "</", "</>", "<", "<<", "<a", "<a ",
    "<a/b", "<!-- <b> -->", "<!--a--b-->", "<!--a--->", "<!--more-->", "<!--nextpage-->", "<pre", "</pre>",
    "<textarea>", "</textarea>", "<!--x--!><script>", "<textarea><!--</textarea><img src=x onerror=alert(1)>-->",
    "<svg><style><img title='</style><img onerror=x src=x>'>",
    '<img src=x title="[playlist x" class=\']\' alt=" onerror=alert(1) ">', "<a href=javascript:alert(1)>",
    '<img src=x alt="\nhttp://x.y/a.mp3\n onerror=alert(1) ">', "<h2 title=\"x class='onclick=alert(1)' \">",
    "<h2 class='a\" onclick=alert(1) \"'>", "[embed]jav&#x09;ascript:alert(1)[/embed]", "<object data='x' type='y'>",
    f'<object data="{MEDIA}/a.pdf" type="application/pdf">',
])  # fmt: skip
BLOCKS = _words(
    "heading group list image button shortcode gallery columns cover quote html paragraph buttons navigation-link "
    "footnotes table a--b"
)
LABELS = st.sampled_from([
    "jav&#x09;ascript:alert(1)", "<img src=x onerror=alert(1)>", "[playlist x", '" onclick=x "', "a",
])  # fmt: skip


@st.composite
def values(draw: st.DrawFn) -> str:
    return "".join(draw(st.lists(WORDS | codes(), max_size=4)))


@st.composite
def codes(draw: st.DrawFn) -> str:
    tail = draw(st.sampled_from(["", "", '"', "'", "x", '"x"'])) + draw(
        st.sampled_from(["]", "]", "/]", " ]", "]]", ""])
    )
    return f"{draw(st.sampled_from(['[', '[', '[[']))}{draw(CODES)}{tail}"


@st.composite
def tags(draw: st.DrawFn) -> str:
    out = f"<{draw(ELEMENTS)}"
    for _ in range(draw(st.integers(0, 3))):
        quote, value = draw(st.sampled_from(['"', '"', "'", "'", ""])), draw(values())
        if quote and draw(st.integers(0, 4)):
            value = value.replace(quote, "")
        out += f"{draw(st.sampled_from([' ', ' ', chr(10), '/', '']))}{draw(ATTRIBUTES)}={quote}{value}{quote}"
    return out + draw(st.sampled_from([">", ">", ">", " />", ""]))


@st.composite
def delimiters(draw: st.DrawFn) -> str:
    given = {
        "": "",
        "flex": '{"layout":{"type":"flex"}} ',
        "child": '{"style":{"layout":{"selfStretch":"fill"}}} ',
        "label": json.dumps({"label": draw(LABELS), "url": draw(LABELS), "rel": draw(LABELS)}) + " ",
    }[draw(st.sampled_from(["", "", "flex", "child", "label"]))]
    start, end = draw(st.sampled_from(["", "", "/"])), draw(st.sampled_from(["", "", "/"]))
    return f"<!-- {start}wp:{draw(BLOCKS)} {given}{end}-->"


PIECES = tags() | codes() | values() | ODD | delimiters() | ELEMENTS.map(lambda name: f"</{name}>")
TEXTS = st.lists(PIECES, min_size=1, max_size=7).map("".join)
