"""Two independent checks of markup: nh3, which parses it as browsers do, and lxml's parser.

Neither shares code with the filters of the site.
"""

from __future__ import annotations

import html as entities
import re
from typing import Any, Final

import nh3
from lxml import etree, html as parser


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Markup that no text by users without unfiltered HTML may produce, however it is parsed.
FORBIDDEN: Final = _words(
    "applet base embed frame frameset iframe isindex link math meta noembed noframes noscript plaintext portal "
    "script style svg template title xmp"
)
_HARMLESS: Final = _words(
    "a abbr acronym address area article aside audio b bdi bdo big blockquote br button caption center cite code col "
    "colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 "
    "h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main map mark marquee menu meter nav nobr "
    "object ol optgroup option output p param picture pre progress q rb rp rt rtc ruby s samp search section select "
    "slot small source span strike strong sub summary sup table tbody td textarea tfoot th thead time tr track tt u "
    "ul var video wbr"
)
_INSIDE_FORBIDDEN: Final = _words("image animate animatetransform set use foreignobject desc mi mtext mglyph")
_ATTRIBUTES: Final = _words(
    "abbr accept action align alt autoplay axis background bgcolor border cellpadding cellspacing char charoff cite "
    "class color cols colspan controls coords crossorigin data datetime decoding default dir disabled download "
    "dynsrc enctype face fetchpriority for formmethod frame frameborder headers height hidden href hreflang hspace "
    "icon id kind label lang loading longdesc loop low lowsrc manifest maxlength media method min multiple muted name "
    "nohref noshade nowrap open optimum pattern ping placeholder playsinline poster preload readonly rel required rev "
    "reversed role rows rowspan rules sandbox scope selected shape size sizes span src srclang srcset start step style "
    "summary target title translate type usemap valign value vspace width xlink:href xml:lang"
)
_DANGEROUS_ATTRIBUTES: Final = _words(
    "srcdoc formaction http-equiv content autofocus contenteditable is slot xmlns codebase classid code"
)
_SCHEMES: Final = _words(
    "http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn"
)
_DANGEROUS_SCHEMES: Final = _words("javascript vbscript livescript data blob file about mocha jar")
_URLS: Final = _words(
    "action background cite data dynsrc formaction href icon longdesc lowsrc manifest ping poster src usemap xlink:href"
)
_IGNORED: Final = re.compile(r"[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028\u2029\ufeff]+")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STYLE: Final = re.compile(
    r"url\(\s*['\"]?\s*(?:java|vb)script:|expression\s*\(|(?<![-\w])-moz-binding|(?<![-\w])behaviou?r\s*:|@import",
    re.IGNORECASE,
)


def _nh3(html: str, *, everything: bool) -> str:
    extra = FORBIDDEN | _INSIDE_FORBIDDEN if everything else frozenset()
    return nh3.clean(
        html,
        tags=set(_HARMLESS | extra),
        clean_content_tags=set(),
        attributes={"*": set(_ATTRIBUTES | (_DANGEROUS_ATTRIBUTES if everything else frozenset()))},
        generic_attribute_prefixes={"data-", "aria-", "on"} if everything else {"data-", "aria-"},
        url_schemes=set(_SCHEMES | _DANGEROUS_SCHEMES if everything else _SCHEMES),
        link_rel=None,
        strip_comments=False,
    )


def dangers(html: str) -> list[str]:
    """Return the problems that either check finds in markup; none for harmless markup."""
    found = _parsed(html)
    if "<" in html and (wide := _nh3(html, everything=True)) != (narrow := _nh3(html, everything=False)):
        found.append(f"nh3 would change {wide!r} to {narrow!r}")
    return found


def _parsed(html: str) -> list[str]:
    if "<" not in html:
        return []
    try:
        tree = parser.fragment_fromstring(_text(html), create_parent="div")
    except (etree.ParserError, ValueError):
        return []
    found: list[str] = []
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag in FORBIDDEN or (element.tag == "object" and not _shows_document(element)):
            found.append(f"an element {element.tag}")
        for name, value in element.attrib.items():
            found += _of_attribute(str(name).lower(), str(value))
    return found


def _shows_document(element: Any) -> bool:
    """Say whether an object displays nothing, or a document, which is allowed for users' own files."""
    address = str(element.get("data", ""))
    return not address or (element.get("type") == "application/pdf" and address.endswith(".pdf"))


def _of_attribute(name: str, value: str) -> list[str]:
    if name.startswith("on") or name in ("srcdoc", "formaction"):
        return [f"a handler {name}={value!r}"]
    scheme = _IGNORED.sub("", value).lower().partition(":")[0] if ":" in value else ""
    if name in _URLS and scheme in _DANGEROUS_SCHEMES:
        return [f"an address {name}={value!r}"]
    if name == "style" and _STYLE.search(entities.unescape(value)):
        return [f"a style {value!r}"]
    return []


def _text(html: str) -> str:
    # lxml's parser refuses control characters; browsers treat them as whitespace or as characters.
    return _CONTROLS.sub("\ufffd", html.replace("\f", " "))
