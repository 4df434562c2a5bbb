"""A text as an exchange file holds it: its tags as inline codes that tools protect, and back to the very same text.

A pair of tags is `bpt` and `ept`, a single one `ph`, one without its partner `it`; each holds the tag itself, so all
text of the element put together is the text again. What XML cannot say stands in an empty `x` that names it.
Rules: XLIFF 1.2, "Inline elements".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from vetrina.multilingual.translations.html_tokens import Token, TokenKind, tokens
from vetrina.multilingual.translations.sentences import sentences

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["NAMESPACE", "put_codes", "put_plain", "put_sentences", "text_of"]

NAMESPACE: Final = "urn:oasis:names:tc:xliff:document:1.2"

# What no XML document may hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CHARACTER: Final = "x-char-"
_DELIMITERS: Final = {
    "a": "link", "b": "bold", "em": "italic", "i": "italic", "strong": "bold", "u": "underlined",
}  # fmt: skip
_PLACEHOLDERS: Final = {"br": "lb", "img": "image"}


def put_plain(element: etree._Element, text: str) -> None:
    """Write a text as it is, markup and all, where an element can hold it in one piece."""
    from lxml import etree

    if _FORBIDDEN.search(text):
        _Writer(element).text(text)
    elif "]]>" in text or "\r" in text:
        element.text = text
    else:
        element.text = etree.CDATA(text)


def put_codes(element: etree._Element, text: str, shortcodes: frozenset[str] = frozenset(), known: int = 0) -> int:
    """Write a text with its tags as inline codes, and return how many there are.

    known: how many there are beside this text in the same unit.
    """
    # A tag with a sign in it that XML cannot hold is told as text, for a code must hold the whole tag.
    pieces = [
        one._replace(kind=TokenKind.TEXT) if _FORBIDDEN.search(text, one.start, one.end) else one
        for one in tokens(text, shortcodes)
    ]
    if all(piece.kind is TokenKind.TEXT for piece in pieces):
        put_plain(element, text)
        return 0
    writer = _Writer(element, known)
    pairs = _pairs(pieces)
    for at, piece in enumerate(pieces):
        part = text[piece.start : piece.end]
        if piece.kind is TokenKind.TEXT:
            writer.text(part)
        elif at in pairs:
            opens = piece.kind is TokenKind.OPEN
            writer.code("bpt" if opens else "ept", part, piece, str(known + min(at, pairs[at]) + 1))
        elif piece.kind in (TokenKind.OPEN, TokenKind.CLOSE):
            writer.code("it", part, piece, None, pos="open" if piece.kind is TokenKind.OPEN else "close")
        else:
            writer.code("ph", part, piece, None)
    return len(pieces)


def put_sentences(element: etree._Element, text: str, shortcodes: frozenset[str] = frozenset()) -> None:
    """Write a text cut into its sentences, each in a `mrk`."""
    from lxml import etree

    known = 0
    for number, (sentence, blank) in enumerate(sentences(text, shortcodes), 1):
        part = etree.SubElement(element, f"{{{NAMESPACE}}}mrk")
        part.set("mtype", "seg")
        part.set("mid", str(number))
        known += put_codes(part, sentence, shortcodes, known)
        part.tail = blank


def text_of(element: etree._Element) -> str:
    """Return the text of a source or a target, whatever inline elements it has."""
    return "".join(_parts(element))


def _parts(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            name = child.tag.rpartition("}")[2]
            kind = child.get("ctype", "")
            if name == "x" and kind.startswith(_CHARACTER):
                yield _character(kind.removeprefix(_CHARACTER))
            else:
                yield from _parts(child)
        yield child.tail or ""


def _character(digits: str) -> str:
    """Return the character of a code; nothing for half of a surrogate pair, which no stored text can hold."""
    try:
        found = chr(int(digits, 16))
    except (ValueError, OverflowError):
        return ""
    return "" if "\ud800" <= found <= "\udfff" else found


def _pairs(pieces: list[Token]) -> dict[int, int]:
    """Return the places of the tags that close each other, both ways."""
    pairs: dict[int, int] = {}
    open_tags: list[int] = []
    for at, piece in enumerate(pieces):
        if piece.kind is TokenKind.OPEN:
            open_tags.append(at)
        # Only the innermost: codes that overlap are told as single ones.
        elif piece.kind is TokenKind.CLOSE and open_tags and pieces[open_tags[-1]].name == piece.name:
            start = open_tags.pop()
            pairs[start], pairs[at] = at, start
    return pairs


class _Writer:
    """Puts text and codes one after another into an element."""

    def __init__(self, element: etree._Element, known: int = 0) -> None:
        self._element = element
        self._last: etree._Element | None = None
        self._number = known

    def text(self, text: str) -> None:
        """Add text; what XML cannot say becomes an element."""
        at = 0
        for found in _FORBIDDEN.finditer(text):
            self._add(text[at : found.start()])
            at = found.end()
            self._empty("x", f"{_CHARACTER}{ord(found[0]):04x}")
        self._add(text[at:])

    def code(self, name: str, text: str, piece: Token, pair: str | None, pos: str = "") -> None:
        """Add a tag. pair: what begins and ends with the same word."""
        element = self._child(name)
        if pair is not None:
            element.set("rid", pair)
        if pos:
            element.set("pos", pos)
        kind = _PLACEHOLDERS.get(piece.name) if name == "ph" else _DELIMITERS.get(piece.name)
        if kind and name != "ept":
            element.set("ctype", kind)
        element.text = text

    def _empty(self, name: str, kind: str) -> None:
        self._child(name).set("ctype", kind)

    def _child(self, name: str) -> etree._Element:
        from lxml import etree

        self._number += 1
        self._last = etree.SubElement(self._element, f"{{{NAMESPACE}}}{name}")
        self._last.set("id", str(self._number))
        return self._last

    def _add(self, text: str) -> None:
        if not text:
            return
        if self._last is None:
            self._element.text = (self._element.text or "") + text
        else:
            self._last.tail = (self._last.tail or "") + text
