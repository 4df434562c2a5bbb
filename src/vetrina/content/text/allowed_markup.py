"""The markup that users without the right to free markup may write: tables of elements, attributes and entities.

Not here: parsing (content/text/markup_filter.py), styles and URLs (content/text/inline_styles.py,
content/text/url_protocols.py). Rules: docs/rules/markup.md, 3 to 5. No element here switches a browser's parser to raw
text (script, style, iframe, svg, math, noscript …), and none loads or sends anything but media: forms and frames are
not allowed.
"""

from html.entities import name2codepoint
from typing import Final


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _build_table(*rows: str) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for row in rows:
        elements, _, attributes = row.partition(":")
        for element in elements.split():
            table[element] = table.get(element, frozenset()) | _split_words(attributes)
    return table


# Attributes that every element of `CONTENT_ELEMENTS` may have; names that begin with `data-` pass as well.
GLOBAL_ATTRIBUTES: Final = _split_words(
    "aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby "
    "aria-live class dir hidden id lang role style title xml:lang"
)

# For contents. "elements: attributes beside the global ones"; an element may stand in several rows.
CONTENT_ELEMENTS: Final = _build_table(
    # text
    "abbr acronym b bdo big br cite code dfn em i kbd mark s samp small strike strong sub sup tt u var",
    "rb rp rt rtc ruby",
    "del ins: datetime cite",
    "q: cite",
    "font: color face size",
    "span: align",
    # blocks
    "address dl dt dd",
    "blockquote: cite",
    "h1 h2 h3 h4 h5 h6 p div figcaption figure legend summary: align",
    "article aside footer header hgroup main nav section: align",
    "details: align open",
    "hr: align noshade size width",
    "pre: width",
    "li: align value",
    "ol: reversed start type",
    "ul menu: type",
    # tables
    "table: align bgcolor border cellpadding cellspacing rules summary width",
    "caption: align",
    "col colgroup: align char charoff span valign width",
    "thead tbody tfoot: align char charoff valign",
    "tr: align bgcolor char charoff valign",
    "td th: abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width",
    # links and media
    "a: download href name rel rev target",
    "area: alt coords href nohref shape target",
    "map: name",
    "img: align alt border height hspace loading longdesc src usemap vspace width",
    "audio: autoplay controls loop muted preload src",
    "video: autoplay controls height loop muted playsinline poster preload src width",
    "track: default kind label src srclang",
    "object: data name type usemap width height",
    # form elements that send nothing by themselves
    "button: disabled name type value",
    "fieldset",
    "label: for",
    "textarea: cols disabled name readonly rows",
)

# For titles, descriptions of terms, comments: inline emphasis and links. No attribute is allowed on all elements here.
INLINE_ELEMENTS: Final = _build_table(
    "a: href title",
    "abbr acronym: title",
    "b cite code em i s strike strong",
    "blockquote q: cite",
    "del: datetime",
)

# Elements that the server itself generates: players, search forms, drop-downs of months and terms, prices.
OWN_ELEMENTS: Final = _split_words("bdi form input option select source time")
OWN_ATTRIBUTES: Final = _split_words(
    "action controls decoding fetchpriority for loading method placeholder required selected sizes srcset"
)

# Attributes whose value is a URL.
URL_ATTRIBUTES: Final = _split_words(
    "action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src "
    "usemap xmlns"
)

# Attributes that pass only without a value: a file name for a download, chosen by a stranger, is a lure.
VALUELESS_ATTRIBUTES: Final = frozenset((("a", "download"), ("area", "nohref")))

PROTOCOLS: Final = _split_words(
    "http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn"
)

ENTITIES: Final = frozenset(name2codepoint) | {"apos"}
