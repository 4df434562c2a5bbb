"""The text of comments: what of it is stored, and how it is shown.

Stored links say that nobody here vouches for them; shown text gets links where it writes addresses, closed tags,
typography and paragraphs. Not here: which markup may be written (content/text/sanitizing.py), what a comment is
(content/comments/model.py). Rules: facts, "Comments"; observed on rendered comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from vetrina.access.users.text_rules import web_address
from vetrina.content.text import sanitizing
from vetrina.content.text.output_filter import filter_rendering
from vetrina.content.text.paragraphs import with_paragraphs
from vetrina.content.text.smilies import with_emoji
from vetrina.content.text.typography import typeset, with_entities

__all__ = ["linked", "rendered", "stored"]

_ANCHOR = re.compile(r"<a\s([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
_ELEMENT: Final = r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:[^<>\"']++|\"[^\"]*\"|'[^']*')*+)>"
_TAG = re.compile(rf"{_ELEMENT}|<!--.*?-->", re.DOTALL)
_TAG_ALONE = re.compile(_ELEMENT)
# Signs that end a sentence stand in an address only one at a time, with something behind them.
_PLAIN: Final = r"[\w#%~/@\[\]*(+=&$-]|[^\s\x00-\x7f]"
_ADDRESS = re.compile(
    r"(?:(?:^|(?<=[\s(.,;:!?]))[a-z][a-z0-9+]{1,18}://|(?:^|(?<=[\s(]))(?:www|ftp)\.)"
    rf"(?=\S{{1,2000}}(?!\S))(?:{_PLAIN})*+(?:['.,;:!?)](?:{_PLAIN})++)*+\)?",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"(?:^|(?<=[\s(]))[a-z0-9._+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)
_MADE_LINK = re.compile(r"(<a .*?</a>)")
_VERBATIM: Final = frozenset(("a", "code", "pre", "script", "style"))
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_NESTING: Final = frozenset(
    ("article", "aside", "blockquote", "details", "div", "figure", "object", "q", "section", "span")
)
_HEART = re.compile(r"<(?=[0-9])")


def stored(html: str, host: str, free: bool) -> str:
    """Return the text that is kept of what was sent.

    host: of the site's addresses, whose links need no warning. free: the writer may use any markup.
    """
    text = html if free else sanitizing.comment(html)
    if "<a" not in text and "<A" not in text:
        return text
    return _ANCHOR.sub(lambda tag: _unvouched(tag[1], host), text)


def rendered(html: str, host: str, smilies: bool = True) -> str:
    """Return a stored text as shown. smilies: whether those written in signs become emoji."""
    text = with_entities(typeset(linked(html, host)))
    return filter_rendering(html, with_paragraphs(_balanced(with_emoji(text) if smilies else text)))


def linked(html: str, host: str) -> str:
    """Return `html` with links where its text writes a web or mail address."""
    if "://" not in html and "www." not in html and "ftp." not in html and "@" not in html:
        return html
    out: list[str] = []
    inside: list[str] = []
    at = 0
    for tag in _tags(html):
        out.append(_linked_text(html[at : tag.start()], host) if not inside else html[at : tag.start()])
        out.append(tag[0])
        at = tag.end()
        name = (tag[2] or "").lower()
        if name not in _VERBATIM:
            continue
        if not tag[1]:
            inside.append(name)
        elif name in inside:
            inside.remove(name)
    out.append(_linked_text(html[at:], host) if not inside else html[at:])
    return "".join(out)


def _tags(html: str) -> Iterator[re.Match[str]]:
    """Yield the tags and comments of a text; where no comment ends any more none is looked for."""
    last, at = html.rfind("-->"), 0
    while tag := (_TAG if at <= last else _TAG_ALONE).search(html, at):
        yield tag
        at = tag.end()


def _linked_text(text: str, host: str) -> str:
    text = _ADDRESS.sub(lambda found: _link(found[0], host), text)
    if "@" not in text:
        return text
    # Addresses of mail inside the links that were just made stay what they are.
    parts = _MADE_LINK.split(text)
    return "".join(
        part if at % 2 else _EMAIL.sub(r'<a href="mailto:\g<0>">\g<0></a>', part) for at, part in enumerate(parts)
    )


def _link(text: str, host: str) -> str:
    written = _balanced_address(text)
    address = web_address(written)
    if not address or address.endswith("://"):
        return text
    follow = "ugc" if _is_ours(address, host) else "nofollow ugc"
    shown = address.replace("&amp;", "&").replace("&", "&#038;").replace("'", "&#039;")
    return f'<a href="{shown}" rel="{follow}">{shown}</a>{text[len(written) :]}'


def _balanced_address(text: str) -> str:
    """Return an address up to the bracket that closes none of its own."""
    while text.count(")") > text.count("("):
        text = text[: text.rindex(")")]
    return text


def _unvouched(attributes: str, host: str) -> str:
    """Return the opening tag of a link with `rel` as its last attribute."""
    kept: list[str] = []
    rel: list[str] = []
    address = ""
    for found in _ATTRIBUTE.finditer(attributes):
        name, value = found[1].lower(), (found[2] or "").strip("\"'").replace('"', "&quot;")
        if name == "rel":
            rel = value.split()
            continue
        if name == "href":
            address = value
        kept.append(found[0] if found[2] is None else f'{found[1]}="{value}"')
    rel += ["ugc"] if _is_ours(address, host) else ["nofollow", "ugc"]
    return f'<a {" ".join(kept)} rel="{" ".join(dict.fromkeys(rel))}">'


def _is_ours(address: str, host: str) -> bool:
    try:
        return bool(host) and urlsplit(address).netloc.lower() == host
    except ValueError:
        return False


def _balanced(html: str) -> str:
    """Return `html` with every element closed that was opened, and none closed that was not.

    Names of tags become lower case, elements without an end close themselves, all others have an end of their own.
    """
    if "<" not in html:
        return html
    out: list[str] = []
    opened: list[str] = []
    at = 0
    for tag in _tags(html):
        out.append(_HEART.sub("&lt;", html[at : tag.start()]))
        at = tag.end()
        name, rest = (tag[2] or "").lower(), tag[3] or ""
        if not name:
            out.append(tag[0])
        elif name in _VOID:
            if not tag[1]:
                out.append(f"<{name}{rest}>" if rest.endswith("/") else f"<{name}{rest or ' '}/>")
        elif tag[1]:
            if name in opened:
                while (last := opened.pop()) != name:
                    out.append(f"</{last}>")
                out.append(f"</{name}>")
        elif rest.endswith("/"):
            out.append(f"<{name}{rest[:-1].rstrip()}></{name}>")
        else:
            if opened and opened[-1] == name and name not in _NESTING:
                out.append(f"</{opened.pop()}>")
            out.append(f"<{name}{rest}>")
            opened.append(name)
    out.append(_HEART.sub("&lt;", html[at:]))
    out += [f"</{name}>" for name in reversed(opened)]
    return "".join(out)
