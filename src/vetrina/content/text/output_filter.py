"""The output filter: reads all rendered markup as a browser does, and removes what its author may not write.

The passes that render a text (content/text/rendering.py) run after the filter of stored texts
(content/text/sanitizing.py), so this one checks their result, without knowing them: whatever `<` a browser starts to
read at, it finds an allowed tag with allowed attributes and URLs of known protocols. Authors with free markup keep all
of it: only they can have stored a text from which this filter would remove something, since it leaves all that the
filter of stored texts lets through. So the stored text itself tells how far to trust its rendering
(`filter_rendering`). Rules: the tokenizer of the HTML living standard. Harmless markup stays byte for byte.
"""

import html as entities
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from vetrina.content.text.allowed_markup import (
    CONTENT_ELEMENTS,
    GLOBAL_ATTRIBUTES,
    INLINE_ELEMENTS,
    OWN_ATTRIBUTES,
    OWN_ELEMENTS,
    URL_ATTRIBUTES,
)
from vetrina.content.text.tag_attributes import HtmlTag, TagAttribute, lowercase_ascii, read_tag, write_attribute
from vetrina.content.text.url_protocols import has_safe_protocol
from vetrina.kernel.chunked_regex import LONG_TEXT_LENGTH, iterate_matches

_ELEMENTS: Final = frozenset(CONTENT_ELEMENTS) | frozenset(INLINE_ELEMENTS) | OWN_ELEMENTS
_ATTRIBUTES: Final = (
    GLOBAL_ATTRIBUTES | OWN_ATTRIBUTES | frozenset().union(*CONTENT_ELEMENTS.values(), *INLINE_ELEMENTS.values())
)
_ADDRESSES: Final = URL_ATTRIBUTES | {"xlink:href", "lowsrc", "dynsrc", "ping"}
_INPUTS: Final = frozenset(("hidden", "search", "text"))

_OWN_DATA: Final = re.compile(r"(?:data|aria)-[a-z0-9_.:-]+")
_STYLE_ADDRESS: Final = re.compile(r"url\(([^()]*)\)")
_STYLE_RUNS: Final = re.compile(r"(?:expression|url)[\x00-\x20]*\(|[\\@]|/\*")
_STYLE_SCRIPTS: Final = frozenset(("-moz-binding", "behavior"))
_UNSAFE_FILE_PATH: Final = re.compile(r"[?#&%\\]|/\.")
# A comment without brackets. `<!-->` and `<!--->` are complete for a browser where other parsers only see a start.
_COMMENT: Final = re.compile(r"<!--(?!-?>)[^<>]*+(?<=--)>")
# Such a comment, a tag up to the next bracket, or a bracket that the following text would complete.
_CHUNK: Final = re.compile(rf"{_COMMENT.pattern}|<(?:[a-zA-Z/!?][^<>]*+>?|(?=<)|\Z)")
_BRACKET: Final = re.compile("<")
_RUN: Final = re.compile(r"<+")
_COMMENT_END: Final = re.compile(r"--!?>")
_SHORT: Final = 256  # characters of a tag whose result is cached


def filter_rendering(raw: str, html: str) -> str:
    """Return the rendering of a stored text, filtered unless its author may write any markup.

    raw: the stored text. If only users with free markup can have written it, the whole rendering is trusted.
    """
    safe = filter_output(html)
    return html if safe == html or is_unfiltered(raw) else safe


def is_unfiltered(raw: str) -> bool:
    """Return whether a stored text has markup that only users with the right to free markup may write."""
    return filter_output(raw) != raw


def filter_output(html: str) -> str:
    """Return `html` without markup that only its author can vouch for: scripts, handlers, frames, foreign forms.

    Harmless markup is returned unchanged. Time is linear in the length, whatever the markup.
    """
    for chunk in _CHUNK.findall(html) if len(html) <= LONG_TEXT_LENGTH else _iterate_chunks(html):
        if not (_is_clean_and_short(chunk) if len(chunk) <= _SHORT else _is_clean(chunk)):
            return _rewrite_markup(html)
    return html


def _iterate_chunks(html: str) -> Iterator[str]:
    return (found[0] for found in iterate_matches(_CHUNK, html, _BRACKET))


def _is_clean(chunk: str) -> bool:
    """Return whether a comment without markup, or a tag up to the first bracket, may stay as it is."""
    if chunk.startswith("<!"):
        return _COMMENT.fullmatch(chunk) is not None
    tag = read_tag(chunk, 0)
    return tag is not None and tag.end == len(chunk) and _filter_tag(chunk, 0, tag) is None


_is_clean_and_short = lru_cache(maxsize=2048)(_is_clean)


def _rewrite_markup(html: str) -> str:
    done: list[str] = []
    at = 0
    # Once no end of a comment is ahead, no further search for one: the time would be quadratic.
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
            end = -1 if _is_tag_start(html, start) else html.find(">", start)
            if end < 0:
                # A browser would read everything that follows, and what is added after it, as part of this tag.
                done.append(html[start:].replace("<", "&lt;").replace(">", "&gt;"))
                return "".join(done)
            at = end + 1
        elif after in ("", "<"):
            # What follows may be removed, and leave these as the start of a tag.
            run = _RUN.match(html, start)
            at = max(start + 1, run.end() - 1) if run else start + 1
            done.append("&lt;" * (at - start))
        else:
            done.append("<")
            at = start + 1
    done.append(html[at:])
    return "".join(done)


def _is_tag_start(html: str, start: int) -> bool:
    name = html[start + 1 : start + 3].removeprefix("/")[:1]
    return name.isascii() and name.isalpha()


def _filter_comment(html: str, start: int) -> tuple[str, int] | None:
    """Return what stays of the comment at `start` and the index after it, None when it does not end."""
    if html.startswith((">", "->"), start + 4):
        return "", html.index(">", start) + 1
    ending = _COMMENT_END.search(html, start + 4)
    if ending is None:
        return None
    inner = html[start + 4 : ending.start()]
    # Without markup it stays, as for `_is_clean`, whatever is next to it: two dashes end it for no browser, `--!>` ends
    # it for some. Inside a text area a comment does not hide its markup.
    clean = ending[0] == "-->" and all(
        not chunk.startswith("<!") and _is_clean(chunk) for chunk in _CHUNK.findall(f"{inner} ")
    )
    return (html[start : ending.end()] if clean else ""), ending.end()


def _filter_tag(html: str, start: int, tag: HtmlTag) -> str | None:
    """Return what stays of a tag, None to drop it."""
    name = lowercase_ascii(tag.name)
    if name not in _ELEMENTS or (name == "form" and not tag.closing and not _is_search_form(tag)):
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


def _filter_attribute(html: str, element: str, tag: HtmlTag, attribute: TagAttribute) -> str | None:
    """Return what stays of an attribute, None to drop it."""
    if attribute.name not in _ATTRIBUTES and not _OWN_DATA.fullmatch(attribute.name):
        return None
    value = attribute.value
    if not value:
        return html[attribute.start : attribute.end]
    if attribute.name in _ADDRESSES and not has_safe_protocol(value):
        return None
    match attribute.name:
        case "style" if not _is_harmless_style(entities.unescape(value).lower()):
            return None
        case "srcset" if not all(
            has_safe_protocol(part) for part in entities.unescape(value).replace(",", " ").split()
        ):
            return None
        case "data" if element != "object" or not _is_document_object(tag, value):
            return None
        case "type" if element == "input" and value.lower() not in _INPUTS:
            return None
    if "<" in value or ">" in value:
        return write_attribute(html, attribute, value.replace("<", "&lt;").replace(">", "&gt;"))
    return html[attribute.start : attribute.end]


def _is_harmless_style(style: str) -> bool:
    """Return whether declarations run nothing in any browser, old ones included; style: in lower case."""
    if not all(has_safe_protocol(address.strip(" '\"\t\n\r\f")) for address in _STYLE_ADDRESS.findall(style)):
        return False
    rest = _STYLE_ADDRESS.sub("", style)
    names = {declaration.partition(":")[0].strip() for declaration in rest.split(";")}
    return not _STYLE_RUNS.search(rest) and names.isdisjoint(_STYLE_SCRIPTS)


def _is_document_object(tag: HtmlTag, address: str) -> bool:
    """Return whether an object shows a document; the filter of stored texts has checked its URL."""
    kind = tag.find_attribute("type")
    return (
        kind is not None
        and kind.value == "application/pdf"
        and address.endswith(".pdf")
        and not (_UNSAFE_FILE_PATH.search(address))
    )


def _is_search_form(tag: HtmlTag) -> bool:
    """Return whether a form is one that the server generates: a search of the site."""
    given = {one.name: one.value for one in reversed(tag.attributes)}
    return given.get("role") == "search" and given.get("method") == "get"
