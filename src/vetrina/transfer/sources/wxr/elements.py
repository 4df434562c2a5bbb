"""Elements of an export file: read from a part of it, with the names that all its versions share.

A file with a document type is refused: no export has one, and entities of its own are how a small file becomes large.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from vetrina.transfer.records import SourceError

from .xml_bytes import replace_bad_bytes

_SEPARATOR: Final = " "  # between namespace and name in what the parser tells
_NAMESPACES: Final = (
    (re.compile(r"/export/1\.[0-9]+/excerpt/?$"), "excerpt"),
    (re.compile(r"/export/1\.[0-9]+/?$"), "export"),
    (re.compile(r"/modules/content/?$"), "content"),
    (re.compile(r"/dc/elements/1\.[0-9]+/?$"), "dc"),
)


@dataclass
class ExportElement:
    """An element. name: with a prefix for its namespace, whatever the file calls it: `export:post_id`."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[ExportElement] = field(default_factory=list)

    def get(self, name: str) -> str:
        """Return the text of the first child of this name, empty for none."""
        return next((one.text for one in self.children if one.name == name), "")

    def iterate(self, name: str) -> Iterator[ExportElement]:
        """Yield the children of a name."""
        return (one for one in self.children if one.name == name)


class DocumentTypeRefused(SourceError):
    """The file has a document type."""


class ElementNames(dict[str, str]):
    """Names with the prefixes used here, by those that the parser tells."""

    def __missing__(self, told: str) -> str:
        space, sign, local = told.rpartition(_SEPARATOR)
        prefix = next((prefix for pattern, prefix in _NAMESPACES if pattern.search(space)), "other") if sign else ""
        found = self[told] = f"{prefix}:{local}" if prefix else local
        return found


def build_parser(encoding: str | None = None) -> expat.XMLParserType:
    """Return a parser that knows namespaces and refuses document types."""
    parser = expat.ParserCreate(encoding, _SEPARATOR)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_document_type
    return parser


def parse_element(text: bytes, names: ElementNames, encoding: str, namespaces: dict[str, str]) -> ExportElement:
    """Return the element that a part of a file holds. namespaces: by prefix, as they are declared at its root."""
    root = ExportElement("")
    open_elements = [root]
    texts: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        new = ExportElement(names[name], attributes)
        open_elements[-1].children.append(new)
        open_elements.append(new)
        texts.clear()

    def end(name: str) -> None:
        # Only elements without others inside have a text that means something.
        element = open_elements.pop()
        if not element.children:
            element.text = "".join(texts)
        texts.clear()

    parser = build_parser(encoding)
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, texts.append
    declared = "".join(f' xmlns{":" if prefix else ""}{prefix}="{_escape(uri)}"' for prefix, uri in namespaces.items())
    parser.Parse(f"<root{declared}>".encode(encoding), False)
    parser.Parse(replace_bad_bytes(text, encoding), False)
    parser.Parse("</root>".encode(encoding), True)
    return root.children[0].children[0]


def _escape(uri: str) -> str:
    return uri.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _refuse_document_type(*_: object) -> None:
    raise DocumentTypeRefused("it has a document type (<!DOCTYPE …>), which no export has; remove it to go on")
