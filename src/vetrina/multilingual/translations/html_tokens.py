"""Tokenizer of markup: tags, shortcodes, comments and text, covering every byte, in linear time for any input.

Not a parser: nothing is closed, corrected or dropped, because the joined tokens must equal the text. Not here: which
tokens form sentences (multilingual/translations/segments.py), inline codes of XLIFF
(multilingual/xliff/inline_codes.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Final, NamedTuple

# Elements inside a sentence; every other one ends it.
INLINE: Final = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr",
})  # fmt: skip
# Elements whose content is not readable text.
_RAW: Final = frozenset({"iframe", "math", "noscript", "script", "style", "svg", "template"})

_MARK = re.compile(r"<!--|</?[A-Za-z]|\[/?[A-Za-z]")
_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
_STOP = re.compile(r"[\"'>]")
_SHORTCODE = re.compile(r"\[(/?)([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")


class HtmlTokenKind(Enum):
    """The kind of a token. RAW: a whole element without readable text."""

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    VOID = "void"
    RAW = "raw"
    COMMENT = "comment"
    SHORTCODE = "shortcode"


_VOID_ELEMENTS: Final = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip


class HtmlToken(NamedTuple):
    """A token: where it starts and ends, and the name of its element or shortcode in lower case."""

    kind: HtmlTokenKind
    start: int
    end: int
    name: str = ""

    @property
    def is_inline(self) -> bool:
        """Whether it may stand inside a sentence."""
        return self.kind in (HtmlTokenKind.TEXT, HtmlTokenKind.SHORTCODE) or self.name in INLINE


def tokenize_html(text: str, shortcodes: Collection[str] = ()) -> Iterator[HtmlToken]:
    """Yield the tokens of a text from left to right. shortcodes: the names of those that are not text."""
    at = searched = 0
    gone: set[str] = set()  # not found in the rest of the text, so not searched for again
    while mark := _MARK.search(text, searched):
        found = _read_token(text, mark.start(), gone, shortcodes)
        if found is None:
            searched = mark.start() + 1
            continue
        if found.start > at:
            yield HtmlToken(HtmlTokenKind.TEXT, at, found.start)
        yield found
        at = searched = found.end
    if at < len(text):
        yield HtmlToken(HtmlTokenKind.TEXT, at, len(text))


def iterate_attributes(text: str, token: HtmlToken) -> Iterator[tuple[str, int, int]]:
    """Yield the quoted attributes of a tag: the name in lower case, where the value starts and ends."""
    for found in _ATTRIBUTE.finditer(text, token.start + 1, token.end):
        group = 2 if found[2] is not None else 3
        yield found[1].lower(), found.start(group), found.end(group)


def _read_token(text: str, at: int, gone: set[str], shortcodes: Collection[str]) -> HtmlToken | None:
    if text[at] == "[":
        return _read_shortcode(text, at, gone, shortcodes)
    if text.startswith("<!--", at):
        end = _find_place_behind(text, "-->", at + 4, gone)
        return HtmlToken(HtmlTokenKind.COMMENT, at, end) if end else None
    named = _NAME.match(text, at)
    end = _find_tag_end(text, at, gone)
    if named is None or not end:
        return None
    name = named[1].lower()
    if text[at + 1] == "/":
        return HtmlToken(HtmlTokenKind.CLOSE, at, end, name)
    if name in _VOID_ELEMENTS or text[end - 2] == "/":
        return HtmlToken(HtmlTokenKind.VOID, at, end, name)
    if name in _RAW:
        closing = _find_place_behind(text, f"</{name}", end, gone)
        whole = _find_place_behind(text, ">", closing, gone) if closing else 0
        return HtmlToken(HtmlTokenKind.RAW, at, whole or end, name)
    return HtmlToken(HtmlTokenKind.OPEN, at, end, name)


def _find_tag_end(text: str, at: int, gone: set[str]) -> int:
    """Return where a tag ends, 0 where it never does; quoted values may contain `>`."""
    while stop := _STOP.search(text, at):
        if stop[0] == ">":
            return stop.end()
        at = _find_place_behind(text, stop[0], stop.end(), gone)
        if not at:
            return 0
    return 0


def _read_shortcode(text: str, at: int, gone: set[str], shortcodes: Collection[str]) -> HtmlToken | None:
    found = _SHORTCODE.match(text, at)
    if found is None or found[2].lower() not in shortcodes:
        return None
    end = _find_place_behind(text, "]", found.end(), gone)
    return HtmlToken(HtmlTokenKind.SHORTCODE, at, end, found[2].lower()) if end else None


def _find_place_behind(text: str, sign: str, at: int, gone: set[str]) -> int:
    """Return the position after the next occurrence of a character, 0 where there is none."""
    if sign in gone:
        return 0
    found = text.find(sign, at)
    if found < 0:
        gone.add(sign)
        return 0
    return found + len(sign)
