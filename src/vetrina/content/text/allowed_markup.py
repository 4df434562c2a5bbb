"""The markup that users without free markup may write: elements, their attributes, and entities, as tables.

Not here: how markup is taken apart (content/text/markup_parsing.py), which styles and addresses pass
(content/text/inline_styles.py, content/text/url_protocols.py). Rules: observed on saves of authors and contributors,
completed by what the field allows. No element here switches a browser's parser to raw text (script, style, iframe, svg,
math, noscript …), and none loads or sends anything but media: forms and frames are out.
"""

from html.entities import name2codepoint
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(*rows: str) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for row in rows:
        elements, _, attributes = row.partition(":")
        for element in elements.split():
            table[element] = table.get(element, frozenset()) | _words(attributes)
    return table


# What every element of `CONTENT` may carry; names that begin with `data-` pass as well.
EVERYWHERE: Final = _words(
    "aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby "
    "aria-live class dir hidden id lang role style title xml:lang"
)

# Bodies of records. "elements: attributes beside those allowed everywhere"; an element may stand in several rows.
CONTENT: Final = _table(
    # text
    "abbr acronym b bdo big br cite code dfn em i kbd mark s samp small strike strong sub sup tt u var",
    "rb rp rt rtc ruby",
    "del ins: datetime cite",
    "q: cite",
    "font: color face size",
    "span: align",
    # blocks of text
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
    # parts of forms that send nothing by themselves
    "button: disabled name type value",
    "fieldset",
    "label: for",
    "textarea: cols disabled name readonly rows",
)

# Titles, descriptions of terms, comments: a few words of emphasis, and links. Nothing is allowed everywhere here.
INLINE: Final = _table(
    "a: href title",
    "abbr acronym: title",
    "b cite code em i s strike strong",
    "blockquote q: cite",
    "del: datetime",
)

# What the server makes itself beside what people may write: players, forms that search, menus of months and terms.
OWN_ELEMENTS: Final = _words("form input option select source time")
OWN_ATTRIBUTES: Final = _words(
    "action controls decoding fetchpriority for loading method placeholder required selected sizes srcset"
)

# Attributes whose value is an address.
ADDRESSES: Final = _words(
    "action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src "
    "usemap xmlns"
)

# Attributes that pass only without a value: a name chosen by a stranger for a download is a lure.
BARE: Final = frozenset((("a", "download"), ("area", "nohref")))

PROTOCOLS: Final = _words(
    "http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn"
)

ENTITIES: Final = frozenset(name2codepoint) | {"apos"}
