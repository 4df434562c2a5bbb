"""The texts that an XPath of the configuration selects in a block's markup.

The markup is parsed from our own tokens into a tree that keeps their positions, because a parser that corrects markup
loses them. Not here: what is done with the positions (multilingual/translations/segments.py).
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from vetrina.kernel.xml_characters import FORBIDDEN_IN_XML
from vetrina.multilingual.translations.html_tokens import HtmlTokenKind, iterate_attributes, tokenize_html

if TYPE_CHECKING:
    from lxml import etree


TextSpan = tuple[int, int]

_XML_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_MARK: Final = "data-place"


class InvalidXPath(ValueError):
    """The configuration holds an invalid XPath."""


def check_xpath(path: str) -> None:
    """Raise InvalidXPath for an invalid XPath."""
    from lxml import etree

    try:
        etree.XPath(path)
    except etree.XPathError as error:
        raise InvalidXPath(str(error)) from None


def list_text_spans(texts: Sequence[str], paths: Sequence[str]) -> list[list[TextSpan]]:
    """Return, for each part of a block's markup, the spans that any XPath selects, in order and without nested ones.

    texts: the markup between the delimiters of inner blocks; a text that extends over one of them is not found.
    """
    from lxml import etree

    root = etree.Element("block")
    known: list[tuple[int, int, int]] = []  # per element: its part, where its content starts and ends
    values: list[dict[str, TextSpan]] = []
    node = root
    open_names: list[str] = []
    for number, text in enumerate(texts):
        for token in tokenize_html(text):
            piece = text[token.start : token.end]
            if token.kind is HtmlTokenKind.TEXT:
                _append_text(node, html.unescape(piece))
            elif token.kind is HtmlTokenKind.CLOSE:
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
            elif token.kind in (HtmlTokenKind.OPEN, HtmlTokenKind.VOID) and _XML_NAME.fullmatch(token.name):
                child = etree.SubElement(node, token.name)
                spans = {}
                for name, start, end in iterate_attributes(text, token):
                    if _XML_NAME.fullmatch(name):
                        child.set(name, FORBIDDEN_IN_XML.sub("", html.unescape(text[start:end])))
                        spans[name] = (start, end)
                child.set(_MARK, str(len(known)))
                known.append((number, token.end, -1))
                values.append(spans)
                if token.kind is HtmlTokenKind.OPEN:
                    node = child
                    open_names.append(token.name)
    return _select_spans(root, paths, known, values, len(texts))


def _select_spans(
    root: etree._Element, paths: Sequence[str], elements: list[tuple[int, int, int]], values: list[dict[str, TextSpan]],
    parts: int,
) -> list[list[TextSpan]]:  # fmt: skip
    from lxml import etree

    found: list[set[TextSpan]] = [set() for _ in range(parts)]
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
            part, start, end = elements[int(mark)]
            if getattr(one, "is_attribute", False):
                span = values[int(mark)].get(str(one.attrname))
                if span is not None:
                    found[part].add(span)
            elif end >= start:
                found[part].add((start, end))
    return [_drop_nested_spans(sorted(spans)) for spans in found]


def _drop_nested_spans(spans: list[TextSpan]) -> list[TextSpan]:
    """Return the spans without those inside another."""
    out: list[TextSpan] = []
    for span in spans:
        if not out or span[0] >= out[-1][1]:
            out.append(span)
    return out


def _append_text(node: etree._Element, text: str) -> None:
    text = FORBIDDEN_IN_XML.sub("", text)
    if len(node):
        node[-1].tail = (node[-1].tail or "") + text
    else:
        node.text = (node.text or "") + text
