"""Inline codes of XLIFF: tags of a text protected from editing, and decoded to the very same text.

A pair of tags is `bpt` and `ept`, a single tag `ph`, one without its partner `it`; each contains the tag itself, so
that all text of the element joined is the original. Characters that XML cannot represent become an empty `x` that names
them. Rules: docs/rules/xliff.md, 5; XLIFF 1.2, "Inline elements".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from vetrina.kernel.xml_characters import FORBIDDEN_IN_XML
from vetrina.multilingual.translations.html_tokens import HtmlToken, HtmlTokenKind, tokenize_html
from vetrina.multilingual.translations.sentences import split_sentences

if TYPE_CHECKING:
    from lxml import etree


NAMESPACE: Final = "urn:oasis:names:tc:xliff:document:1.2"

_CHARACTER: Final = "x-char-"
_DELIMITERS: Final = {
    "a": "link", "b": "bold", "em": "italic", "i": "italic", "strong": "bold", "u": "underlined",
}  # fmt: skip
_PLACEHOLDERS: Final = {"br": "lb", "img": "image"}


def write_plain_text(element: etree._Element, text: str) -> None:
    """Write a text unchanged, markup included, if the element can hold it in one piece."""
    from lxml import etree

    if FORBIDDEN_IN_XML.search(text):
        _InlineCodeWriter(element).add_text(text)
    elif "]]>" in text or "\r" in text:
        element.text = text
    else:
        element.text = etree.CDATA(text)


def write_inline_codes(
    element: etree._Element, text: str, shortcodes: frozenset[str] = frozenset(), known: int = 0
) -> int:
    """Write a text with its tags as inline codes, and return how many there are.

    known: the number of codes in other texts of the same unit.
    """
    # A tag with a character that XML cannot represent is written as text, since a code must hold the whole tag.
    pieces = [
        one._replace(kind=HtmlTokenKind.TEXT) if FORBIDDEN_IN_XML.search(text, one.start, one.end) else one
        for one in tokenize_html(text, shortcodes)
    ]
    if all(piece.kind is HtmlTokenKind.TEXT for piece in pieces):
        write_plain_text(element, text)
        return 0
    writer = _InlineCodeWriter(element, known)
    pairs = _match_tag_pairs(pieces)
    for at, piece in enumerate(pieces):
        part = text[piece.start : piece.end]
        if piece.kind is HtmlTokenKind.TEXT:
            writer.add_text(part)
        elif at in pairs:
            opens = piece.kind is HtmlTokenKind.OPEN
            writer.add_code("bpt" if opens else "ept", part, piece, str(known + min(at, pairs[at]) + 1))
        elif piece.kind in (HtmlTokenKind.OPEN, HtmlTokenKind.CLOSE):
            writer.add_code("it", part, piece, None, pos="open" if piece.kind is HtmlTokenKind.OPEN else "close")
        else:
            writer.add_code("ph", part, piece, None)
    return len(pieces)


def write_sentences(element: etree._Element, text: str, shortcodes: frozenset[str] = frozenset()) -> None:
    """Write a text split into sentences, each in a `mrk`."""
    from lxml import etree

    known = 0
    for number, (sentence, blank) in enumerate(split_sentences(text, shortcodes), 1):
        part = etree.SubElement(element, f"{{{NAMESPACE}}}mrk")
        part.set("mtype", "seg")
        part.set("mid", str(number))
        known += write_inline_codes(part, sentence, shortcodes, known)
        part.tail = blank


def extract_text(element: etree._Element) -> str:
    """Return the text of a source or target with any inline elements."""
    return "".join(_iterate_text_parts(element))


def _iterate_text_parts(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            name = child.tag.rpartition("}")[2]
            kind = child.get("ctype", "")
            if name == "x" and kind.startswith(_CHARACTER):
                yield _decode_character(kind.removeprefix(_CHARACTER))
            else:
                yield from _iterate_text_parts(child)
        yield child.tail or ""


def _decode_character(digits: str) -> str:
    """Return the character of a code; empty for half of a surrogate pair, which no stored text can contain."""
    try:
        found = chr(int(digits, 16))
    except (ValueError, OverflowError):
        return ""
    return "" if "\ud800" <= found <= "\udfff" else found


def _match_tag_pairs(pieces: list[HtmlToken]) -> dict[int, int]:
    """Return the indexes of matching opening and closing tags, in both directions."""
    pairs: dict[int, int] = {}
    open_tags: list[int] = []
    for at, piece in enumerate(pieces):
        if piece.kind is HtmlTokenKind.OPEN:
            open_tags.append(at)
        # Only the innermost: overlapping tags become single codes.
        elif piece.kind is HtmlTokenKind.CLOSE and open_tags and pieces[open_tags[-1]].name == piece.name:
            start = open_tags.pop()
            pairs[start], pairs[at] = at, start
    return pairs


class _InlineCodeWriter:
    """Appends text and codes to an element."""

    def __init__(self, element: etree._Element, known: int = 0) -> None:
        self._element = element
        self._last: etree._Element | None = None
        self._number = known

    def add_text(self, text: str) -> None:
        """Append text; characters that XML cannot represent become elements."""
        at = 0
        for found in FORBIDDEN_IN_XML.finditer(text):
            self._append_text(text[at : found.start()])
            at = found.end()
            self._add_empty("x", f"{_CHARACTER}{ord(found[0]):04x}")
        self._append_text(text[at:])

    def add_code(self, name: str, text: str, piece: HtmlToken, pair: str | None, pos: str = "") -> None:
        """Append a tag. pair: the id that the opening and closing code share."""
        element = self._add_child(name)
        if pair is not None:
            element.set("rid", pair)
        if pos:
            element.set("pos", pos)
        kind = _PLACEHOLDERS.get(piece.name) if name == "ph" else _DELIMITERS.get(piece.name)
        if kind and name != "ept":
            element.set("ctype", kind)
        element.text = text

    def _add_empty(self, name: str, kind: str) -> None:
        self._add_child(name).set("ctype", kind)

    def _add_child(self, name: str) -> etree._Element:
        from lxml import etree

        self._number += 1
        self._last = etree.SubElement(self._element, f"{{{NAMESPACE}}}{name}")
        self._last.set("id", str(self._number))
        return self._last

    def _append_text(self, text: str) -> None:
        if not text:
            return
        if self._last is None:
            self._element.text = (self._element.text or "") + text
        else:
            self._last.tail = (self._last.tail or "") + text
