"""The text of comments: what of it is stored, and how it is rendered.

Stored links get `rel` attributes, since nobody here vouches for them; rendering adds links for URLs, closing tags,
typography and paragraphs. Not here: which markup may be written (content/text/sanitizing.py), the comment itself
(content/comments/model.py). Rules: docs/rules/comments.md, 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from vetrina.access.users.text_rules import sanitize_url
from vetrina.content.text import sanitizing
from vetrina.content.text.output_filter import filter_rendering
from vetrina.content.text.paragraphs import add_paragraphs
from vetrina.content.text.smilies import replace_smilies
from vetrina.content.text.typography import encode_ampersands, typeset_markup

_ANCHOR = re.compile(r"<a\s([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
_ELEMENT: Final = r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:[^<>\"']++|\"[^\"]*\"|'[^']*')*+)>"
_TAG = re.compile(rf"{_ELEMENT}|<!--.*?-->", re.DOTALL)
_TAG_ALONE = re.compile(_ELEMENT)
# Punctuation that can end a sentence is part of a URL only singly, and with something after it.
_PLAIN: Final = r"[\w#%~/@\[\]*(+=&$-]|[^\s\x00-\x7f]"
_ADDRESS = re.compile(
    r"(?:(?:^|(?<=[\s(.,;:!?]))[a-z][a-z0-9+]{1,18}://|(?:^|(?<=[\s(]))(?:www|ftp)\.)"
    rf"(?=\S{{1,2000}}(?!\S))(?:{_PLAIN})*+(?:['.,;:!?)](?:{_PLAIN})++)*+\)?",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"(?:^|(?<=[\s(]))[a-z0-9._+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)
_BUILT_LINK = re.compile(r"(<a .*?</a>)")
_VERBATIM: Final = frozenset(("a", "code", "pre", "script", "style"))
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_NESTING: Final = frozenset(
    ("article", "aside", "blockquote", "details", "div", "figure", "object", "q", "section", "span")
)
_LESS_THAN_DIGIT = re.compile(r"<(?=[0-9])")


def prepare_stored_text(html: str, host: str, free: bool) -> str:
    """Return the text to store.

    host: of the site's own URLs, whose links need no `rel`. free: whether the author may use any markup.
    """
    text = html if free else sanitizing.sanitize_comment(html)
    if "<a" not in text and "<A" not in text:
        return text
    return _ANCHOR.sub(lambda tag: _build_unvouched_anchor(tag[1], host), text)


def render_comment(html: str, host: str, smilies: bool = True) -> str:
    """Return a stored text as rendered. smilies: whether text smilies become emoji."""
    text = encode_ampersands(typeset_markup(link_addresses(html, host)))
    return filter_rendering(html, add_paragraphs(_balance_tags(replace_smilies(text) if smilies else text)))


def link_addresses(html: str, host: str) -> str:
    """Return `html` with links for the web and mail addresses in its text."""
    if "://" not in html and "www." not in html and "ftp." not in html and "@" not in html:
        return html
    out: list[str] = []
    inside: list[str] = []
    at = 0
    for tag in _iterate_tags(html):
        out.append(_link_text_addresses(html[at : tag.start()], host) if not inside else html[at : tag.start()])
        out.append(tag[0])
        at = tag.end()
        name = (tag[2] or "").lower()
        if name not in _VERBATIM:
            continue
        if not tag[1]:
            inside.append(name)
        elif name in inside:
            inside.remove(name)
    out.append(_link_text_addresses(html[at:], host) if not inside else html[at:])
    return "".join(out)


def _iterate_tags(html: str) -> Iterator[re.Match[str]]:
    """Yield the tags and comments of a text; once no end of a comment is ahead, there is no further search for one."""
    last, at = html.rfind("-->"), 0
    while tag := (_TAG if at <= last else _TAG_ALONE).search(html, at):
        yield tag
        at = tag.end()


def _link_text_addresses(text: str, host: str) -> str:
    text = _ADDRESS.sub(lambda found: _build_link(found[0], host), text)
    if "@" not in text:
        return text
    # Mail addresses inside the links that were just made stay as they are.
    parts = _BUILT_LINK.split(text)
    return "".join(
        part if at % 2 else _EMAIL.sub(r'<a href="mailto:\g<0>">\g<0></a>', part) for at, part in enumerate(parts)
    )


def _build_link(text: str, host: str) -> str:
    written = _trim_unbalanced_bracket(text)
    address = sanitize_url(written)
    if not address or address.endswith("://"):
        return text
    follow = "ugc" if _is_own_address(address, host) else "nofollow ugc"
    shown = address.replace("&amp;", "&").replace("&", "&#038;").replace("'", "&#039;")
    return f'<a href="{shown}" rel="{follow}">{shown}</a>{text[len(written) :]}'


def _trim_unbalanced_bracket(text: str) -> str:
    """Return a URL up to a closing bracket that it did not open."""
    while text.count(")") > text.count("("):
        text = text[: text.rindex(")")]
    return text


def _build_unvouched_anchor(attributes: str, host: str) -> str:
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
    rel += ["ugc"] if _is_own_address(address, host) else ["nofollow", "ugc"]
    return f'<a {" ".join(kept)} rel="{" ".join(dict.fromkeys(rel))}">'


def _is_own_address(address: str, host: str) -> bool:
    try:
        return bool(host) and urlsplit(address).netloc.lower() == host
    except ValueError:
        return False


def _balance_tags(html: str) -> str:
    """Return `html` with every opened element closed, and no others.

    Names of tags become lower case, void elements are self-closing, all others have an end tag.
    """
    if "<" not in html:
        return html
    out: list[str] = []
    opened: list[str] = []
    at = 0
    for tag in _iterate_tags(html):
        out.append(_LESS_THAN_DIGIT.sub("&lt;", html[at : tag.start()]))
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
    out.append(_LESS_THAN_DIGIT.sub("&lt;", html[at:]))
    out += [f"</{name}>" for name in reversed(opened)]
    return "".join(out)
