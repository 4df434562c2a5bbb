"""Markup cut into tags, shortcodes, comments and text, every byte of it, in linear time whatever the text.

Not a parser: nothing is closed, corrected or dropped, because the pieces put together must be the text again. Not here:
which pieces are sentences (multilingual/translations/segments.py), what stands in an exchange file
(multilingual/xliff/inline_codes.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import Enum
from typing import Final, NamedTuple

__all__ = ["INLINE", "Token", "TokenKind", "attributes", "tokens"]

# Elements that stand inside a sentence; every other one ends it.
INLINE: Final = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr",
})  # fmt: skip
# Elements whose content is no text that anybody reads.
_RAW: Final = frozenset({"iframe", "math", "noscript", "script", "style", "svg", "template"})

_MARK = re.compile(r"<!--|</?[A-Za-z]|\[/?[A-Za-z]")
_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
_STOP = re.compile(r"[\"'>]")
_SHORTCODE = re.compile(r"\[(/?)([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")


class TokenKind(Enum):
    """What a piece of markup is. RAW: a whole element that holds no text for readers."""

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


class Token(NamedTuple):
    """A piece of a text: where it starts and ends; the name of its element or shortcode in lower case."""

    kind: TokenKind
    start: int
    end: int
    name: str = ""

    @property
    def is_inline(self) -> bool:
        """Whether it may stand inside a sentence."""
        return self.kind in (TokenKind.TEXT, TokenKind.SHORTCODE) or self.name in INLINE


def tokens(text: str, shortcodes: Collection[str] = ()) -> Iterator[Token]:
    """Yield the pieces of a text from left to right. shortcodes: the names of those that are no text."""
    at = searched = 0
    gone: set[str] = set()  # what is found nowhere further on is looked for once
    while mark := _MARK.search(text, searched):
        found = _token(text, mark.start(), gone, shortcodes)
        if found is None:
            searched = mark.start() + 1
            continue
        if found.start > at:
            yield Token(TokenKind.TEXT, at, found.start)
        yield found
        at = searched = found.end
    if at < len(text):
        yield Token(TokenKind.TEXT, at, len(text))


def attributes(text: str, token: Token) -> Iterator[tuple[str, int, int]]:
    """Yield the quoted attributes of a tag: name in lower case, where the value starts and ends."""
    for found in _ATTRIBUTE.finditer(text, token.start + 1, token.end):
        group = 2 if found[2] is not None else 3
        yield found[1].lower(), found.start(group), found.end(group)


def _token(text: str, at: int, gone: set[str], shortcodes: Collection[str]) -> Token | None:
    if text[at] == "[":
        return _shortcode(text, at, gone, shortcodes)
    if text.startswith("<!--", at):
        end = _after(text, "-->", at + 4, gone)
        return Token(TokenKind.COMMENT, at, end) if end else None
    named = _NAME.match(text, at)
    end = _tag_end(text, at, gone)
    if named is None or not end:
        return None
    name = named[1].lower()
    if text[at + 1] == "/":
        return Token(TokenKind.CLOSE, at, end, name)
    if name in _VOID_ELEMENTS or text[end - 2] == "/":
        return Token(TokenKind.VOID, at, end, name)
    if name in _RAW:
        closing = _after(text, f"</{name}", end, gone)
        whole = _after(text, ">", closing, gone) if closing else 0
        return Token(TokenKind.RAW, at, whole or end, name)
    return Token(TokenKind.OPEN, at, end, name)


def _tag_end(text: str, at: int, gone: set[str]) -> int:
    """Return where a tag ends, 0 where it never does; quoted values may hold its end sign."""
    while stop := _STOP.search(text, at):
        if stop[0] == ">":
            return stop.end()
        at = _after(text, stop[0], stop.end(), gone)
        if not at:
            return 0
    return 0


def _shortcode(text: str, at: int, gone: set[str], shortcodes: Collection[str]) -> Token | None:
    found = _SHORTCODE.match(text, at)
    if found is None or found[2].lower() not in shortcodes:
        return None
    end = _after(text, "]", found.end(), gone)
    return Token(TokenKind.SHORTCODE, at, end, found[2].lower()) if end else None


def _after(text: str, sign: str, at: int, gone: set[str]) -> int:
    """Return the place behind the next such sign, 0 where there is none."""
    if sign in gone:
        return 0
    found = text.find(sign, at)
    if found < 0:
        gone.add(sign)
        return 0
    return found + len(sign)
