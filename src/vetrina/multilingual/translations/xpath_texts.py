"""Where in a block's markup an XPath of the configuration finds texts.

The markup is read by our own tokens into a tree that remembers its places, because a parser that corrects markup no
longer knows where a text stood. Not here: what is done with the places (multilingual/translations/segments.py).
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from vetrina.multilingual.translations.html_tokens import TokenKind, attributes, tokens

if TYPE_CHECKING:
    from lxml import etree

__all__ = ["InvalidXPath", "check", "places"]

Span = tuple[int, int]

_XML_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARK: Final = "data-place"


class InvalidXPath(ValueError):
    """The configuration holds an XPath that is none."""


def check(path: str) -> None:
    """Raise InvalidXPath for a text that is no XPath."""
    from lxml import etree

    try:
        etree.XPath(path)
    except etree.XPathError as error:
        raise InvalidXPath(str(error)) from None


def places(texts: Sequence[str], paths: Sequence[str]) -> list[list[Span]]:
    """Return, for each part of a block's markup, the places that some XPath chooses, in their order, none in another.

    texts: the markup between the delimiters of inner blocks; a text that goes beyond one of them is not found.
    """
    from lxml import etree

    root = etree.Element("block")
    known: list[tuple[int, int, int]] = []  # of each element: its part, where its content starts and ends
    values: list[dict[str, Span]] = []
    node = root
    open_names: list[str] = []
    for number, text in enumerate(texts):
        for token in tokens(text):
            piece = text[token.start : token.end]
            if token.kind is TokenKind.TEXT:
                _append(node, html.unescape(piece))
            elif token.kind is TokenKind.CLOSE:
                if token.name in open_names:
                    while open_names:
                        name = open_names.pop()
                        at = int(node.get(_MARK, "-1"))
                        if known[at][0] == number:
                            known[at] = (number, known[at][1], token.start)
                        above = node.getparent()
                        node = root if above is None else above
                        if name == token.name:
                            break
            elif token.kind in (TokenKind.OPEN, TokenKind.VOID) and _XML_NAME.fullmatch(token.name):
                child = etree.SubElement(node, token.name)
                spans = {}
                for name, start, end in attributes(text, token):
                    if _XML_NAME.fullmatch(name):
                        child.set(name, _NO_XML.sub("", html.unescape(text[start:end])))
                        spans[name] = (start, end)
                child.set(_MARK, str(len(known)))
                known.append((number, token.end, -1))
                values.append(spans)
                if token.kind is TokenKind.OPEN:
                    node = child
                    open_names.append(token.name)
    return _spans(root, paths, known, values, len(texts))


def _spans(
    root: etree._Element, paths: Sequence[str], known: list[tuple[int, int, int]], values: list[dict[str, Span]],
    parts: int,
) -> list[list[Span]]:  # fmt: skip
    from lxml import etree

    found: list[set[Span]] = [set() for _ in range(parts)]
    for path in paths:
        try:
            result: Any = root.xpath(path)
        except etree.XPathError:
            continue
        for one in result if isinstance(result, list) else ():
            element = one if isinstance(one, etree._Element) else one.getparent()
            mark = element.get(_MARK) if element is not None else None
            if mark is None:
                continue
            part, start, end = known[int(mark)]
            if getattr(one, "is_attribute", False):
                span = values[int(mark)].get(str(one.attrname))
                if span is not None:
                    found[part].add(span)
            elif end >= start:
                found[part].add((start, end))
    return [_apart(sorted(spans)) for spans in found]


def _apart(spans: list[Span]) -> list[Span]:
    """Return the places without those that stand inside another."""
    out: list[Span] = []
    for span in spans:
        if not out or span[0] >= out[-1][1]:
            out.append(span)
    return out


def _append(node: etree._Element, text: str) -> None:
    text = _NO_XML.sub("", text)
    if len(node):
        node[-1].tail = (node[-1].tail or "") + text
    else:
        node.text = (node.text or "") + text
