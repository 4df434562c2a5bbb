"""Parses untrusted XML: without entities or network access, and with a size limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from lxml import etree


MOST_BYTES: Final = 16 << 20  # of a document
_WARNING, _FATAL = 1, 3


class XmlProblem(msgspec.Struct, frozen=True):
    """A problem at a position. level: 1 warning, 2 error, 3 fatal. code: the error number of libxml2."""

    level: int
    code: int
    column: int
    message: str
    line: int
    file: str = ""


class NotXml(ValueError):
    """A text is not XML, or XML that is refused here."""

    def __init__(self, complaints: list[XmlProblem]) -> None:
        super().__init__(complaints[0].message.strip() if complaints else "the text is empty")
        self.complaints = complaints


def parse_xml(text: str | bytes, schema: etree.XMLSchema | None = None) -> etree._Element:
    """Return the root of a document.

    schema: what the document has to match. Raises NotXml, also for a document that declares entities: nothing
    exchanged here needs them.
    """
    from lxml import etree

    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if len(data) > MOST_BYTES:
        raise NotXml([XmlProblem(_FATAL, 0, 0, f"The document has more than {MOST_BYTES} bytes.\n", -1)])
    # A text is decoded already, so the encoding in its declaration no longer applies.
    encoding: Any = "utf-8" if isinstance(text, str) else None
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, encoding=encoding, schema=schema
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, LookupError, ValueError) as error:
        entries: Any = parser.error_log if isinstance(error, etree.XMLSyntaxError) else ()
        # libxml2 has the same levels as the interface: warning, error, fatal.
        found = [XmlProblem(one.level, one.type, one.column, f"{one.message.rstrip()}\n", one.line) for one in entries]
        raise NotXml(found or [XmlProblem(_FATAL, 4, 1, f"{error}\n", 1)]) from None
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise NotXml([XmlProblem(_FATAL, 0, 0, "The document declares entities, which are not read here.\n", 1)])
    return root
