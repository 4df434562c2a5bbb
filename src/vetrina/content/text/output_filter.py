"""The last word over markup: what leaves is read once more, as a browser reads it, and loses what nobody may send.

The passes that turn a text into markup (content/text/rendering.py) run after the filter of what may be stored
(content/text/sanitizing.py), so this one looks at what came of them. It knows nothing about their order or their
faults: whatever `<` of the result a browser starts to read at, it finds a tag of the table with attributes of the
table, and addresses of known protocols.

Who may write any markup keeps it. Nobody else can have stored a text of which this filter would take something away,
since it leaves what the filter of stored texts let through as it is; so the stored text itself says how far to trust
what is made of it (`filter_rendering`).
Not here: which markup may be stored (content/text/allowed_markup.py, content/text/sanitizing.py).
Rules: the tokenizer of the HTML living standard. Harmless markup stays byte for byte.
"""

import html as entities
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from vetrina.content.text.allowed_markup import ADDRESSES, CONTENT, EVERYWHERE, INLINE, OWN_ATTRIBUTES, OWN_ELEMENTS
from vetrina.content.text.tag_attributes import Attribute, Tag, ascii_lower, read_tag, write_attribute
from vetrina.content.text.url_protocols import is_harmless
from vetrina.kernel.chunked_regex import LONG, matches

__all__ = ["filter_output", "filter_rendering", "is_unfiltered"]

_ELEMENTS: Final = frozenset(CONTENT) | frozenset(INLINE) | OWN_ELEMENTS
_ATTRIBUTES: Final = EVERYWHERE | OWN_ATTRIBUTES | frozenset().union(*CONTENT.values(), *INLINE.values())
_ADDRESSES: Final = ADDRESSES | {"xlink:href", "lowsrc", "dynsrc", "ping"}
_INPUTS: Final = frozenset(("hidden", "search", "text"))

_OWN_DATA: Final = re.compile(r"(?:data|aria)-[a-z0-9_.:-]+")
_STYLE_ADDRESS: Final = re.compile(r"url\(([^()]*)\)")
_STYLE_RUNS: Final = re.compile(r"(?:expression|url)[\x00-\x20]*\(|[\\@]|/\*")
_STYLE_SCRIPTS: Final = frozenset(("-moz-binding", "behavior"))
_FILE_WANDERS: Final = re.compile(r"[?#&%\\]|/\.")
# A comment that holds no markup, a tag up to the next bracket, or a bracket that the next text would complete.
_CHUNK: Final = re.compile(r"<!--(?!-?>)[^<>-]*+(?:-[^<>-]++)*+-->|<(?:[a-zA-Z/!?][^<>]*+>?|(?=<)|\Z)")
_BRACKET: Final = re.compile("<")
_RUN: Final = re.compile(r"<+")
_COMMENT_END: Final = re.compile(r"--!?>")
_SHORT: Final = 256  # signs of a tag whose judgement is remembered


def filter_rendering(raw: str, html: str) -> str:
    """Return what was rendered of a stored text as it may leave.

    raw: the stored text. What only people who may write any markup can have written in it vouches for the whole.
    """
    safe = filter_output(html)
    return html if safe == html or is_unfiltered(raw) else safe


def is_unfiltered(raw: str) -> bool:
    """Say whether a stored text was written by somebody who may write any markup: it holds some that others may not."""
    return filter_output(raw) != raw


def filter_output(html: str) -> str:
    """Return `html` without markup that nobody but its author can vouch for: scripts, handlers, frames, foreign forms.

    Harmless markup is returned as it is. Time is linear in the length, whatever the markup.
    """
    for chunk in _CHUNK.findall(html) if len(html) <= LONG else _chunks(html):
        if not (_is_clean_and_short(chunk) if len(chunk) <= _SHORT else _is_clean(chunk)):
            return _rewrite(html)
    return html


def _chunks(html: str) -> Iterator[str]:
    return (found[0] for found in matches(_CHUNK, html, _BRACKET))


def _is_clean(chunk: str) -> bool:
    """Say whether a comment without markup, or a tag up to the first bracket, may stay as it is."""
    if chunk.startswith("<!--") and chunk.endswith("-->"):
        return True
    tag = read_tag(chunk, 0)
    return tag is not None and tag.end == len(chunk) and _filter_tag(chunk, 0, tag) is None


_is_clean_and_short = lru_cache(maxsize=2048)(_is_clean)


def _rewrite(html: str) -> str:
    done: list[str] = []
    at = 0
    # Once there is no end of a comment ahead, none is looked for again: time would grow with the square.
    comment_ends = True
    while (start := html.find("<", at)) >= 0:
        done.append(html[at:start])
        after = html[start + 1 : start + 2]
        if html.startswith("<!--", start):
            ended = _filter_comment(html, start) if comment_ends else None
            if ended is None:
                comment_ends = False
                done.append("&lt;")
                at = start + 1
            else:
                comment, at = ended
                done.append(comment)
        elif (tag := read_tag(html, start)) is not None:
            kept = _filter_tag(html, start, tag)
            done.append(html[start : tag.end] if kept is None else kept)
            at = tag.end
        elif after.isascii() and (after.isalpha() or after in ("/", "!", "?")):
            end = -1 if _begins_tag(html, start) else html.find(">", start)
            if end < 0:
                # A browser would take all that follows, and what is put behind it, into this tag.
                done.append(html[start:].replace("<", "&lt;").replace(">", "&gt;"))
                return "".join(done)
            at = end + 1
        elif after in ("", "<"):
            # What follows may go, and leave these the beginning of a tag.
            run = _RUN.match(html, start)
            at = max(start + 1, run.end() - 1) if run else start + 1
            done.append("&lt;" * (at - start))
        else:
            done.append("<")
            at = start + 1
    done.append(html[at:])
    return "".join(done)


def _begins_tag(html: str, start: int) -> bool:
    name = html[start + 1 : start + 3].removeprefix("/")[:1]
    return name.isascii() and name.isalpha()


def _filter_comment(html: str, start: int) -> tuple[str, int] | None:
    """Return (what stays of the comment at `start`, the place behind it), None when it does not end."""
    if html.startswith((">", "->"), start + 4):
        return "", html.index(">", start) + 1
    ending = _COMMENT_END.search(html, start + 4)
    if ending is None:
        return None
    inner = html[start + 4 : ending.start()]
    # Within the text of a text area no comment hides its markup.
    odd = ending[0] != "-->" or inner.endswith("-") or "--" in inner
    clean = not odd and all(not chunk.startswith("<!") and _is_clean(chunk) for chunk in _CHUNK.findall(f"{inner} "))
    return (html[start : ending.end()] if clean else ""), ending.end()


def _filter_tag(html: str, start: int, tag: Tag) -> str | None:
    """Return what stays of a tag, None for all of it."""
    name = ascii_lower(tag.name)
    if name not in _ELEMENTS or (name == "form" and not tag.closing and not _searches(tag)):
        return ""
    if tag.closing:
        return f"</{tag.name}>" if tag.attributes else None
    kept: list[str] = []
    changed = tag.repeats
    for one in tag.attributes:
        now = _filter_attribute(html, name, tag, one)
        if now is not None and now != html[one.start : one.end]:
            changed = True
        elif now is None:
            changed = True
            continue
        kept.append(now)
    if not changed:
        return None
    closed = " /" if html[tag.end - 2] == "/" else ""
    return f"<{tag.name}{''.join(f' {one}' for one in kept)}{closed}>"


def _filter_attribute(html: str, element: str, tag: Tag, one: Attribute) -> str | None:
    """Return an attribute as it may stay, None when it may not."""
    if one.name not in _ATTRIBUTES and not _OWN_DATA.fullmatch(one.name):
        return None
    value = one.value
    if not value:
        return html[one.start : one.end]
    if one.name in _ADDRESSES and not is_harmless(value):
        return None
    match one.name:
        case "style" if not _is_harmless_style(entities.unescape(value).lower()):
            return None
        case "srcset" if not all(is_harmless(part) for part in entities.unescape(value).replace(",", " ").split()):
            return None
        case "data" if element != "object" or not _is_file(tag, value):
            return None
        case "type" if element == "input" and value.lower() not in _INPUTS:
            return None
    if "<" in value or ">" in value:
        return write_attribute(html, one, value.replace("<", "&lt;").replace(">", "&gt;"))
    return html[one.start : one.end]


def _is_harmless_style(style: str) -> bool:
    """Say whether declarations run nothing in any browser, the old ones included; style: in lower case."""
    if not all(is_harmless(address.strip(" '\"\t\n\r\f")) for address in _STYLE_ADDRESS.findall(style)):
        return False
    rest = _STYLE_ADDRESS.sub("", style)
    names = {declaration.partition(":")[0].strip() for declaration in rest.split(";")}
    return not _STYLE_RUNS.search(rest) and names.isdisjoint(_STYLE_SCRIPTS)


def _is_file(tag: Tag, address: str) -> bool:
    """Say whether an object shows a document: the filter of stored texts looked at where it lies."""
    kind = tag.attribute("type")
    return (
        kind is not None
        and kind.value == "application/pdf"
        and address.endswith(".pdf")
        and not (_FILE_WANDERS.search(address))
    )


def _searches(tag: Tag) -> bool:
    """Say whether a form is one of those that the server makes: it searches the site."""
    given = {one.name: one.value for one in reversed(tag.attributes)}
    return given.get("role") == "search" and given.get("method") == "get"
