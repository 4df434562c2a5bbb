"""Elements of an export file as text: well-formed whatever the values hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from vetrina.kernel.xml_characters import FORBIDDEN_IN_XML

_NO_DATE: Final = "0000-00-00 00:00:00"


def clean_text(text: str) -> str:
    """Return a text without the characters that no XML document may hold."""
    return FORBIDDEN_IN_XML.sub("", text)


def write_element(name: str, value: object) -> str:
    """Return an element with an address, a number or a short word."""
    return f"<{name}>{escape(clean_text(str(value)))}</{name}>"


def write_cdata(name: str, text: str, **attributes: str) -> str:
    """Return an element with a text as it is, markup too."""
    named = "".join(f" {key}={quoteattr(clean_text(value))}" for key, value in attributes.items())
    # A section ends at its first `]]>`, and a reader makes a line feed of a carriage return that isn't a reference.
    inner = clean_text(text).replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<{name}{named}><![CDATA[{inner}]]></{name}>"


def write_date(value: Any) -> str:
    """Return a date of the interface as an export file has it."""
    return value.replace("T", " ")[:19] if isinstance(value, str) and value else _NO_DATE


def read_text(value: Any) -> str:
    """Return a text as it is stored, or as visitors see it where only that is shown."""
    if isinstance(value, Mapping):
        value = value.get("raw", value.get("rendered"))
    return value if isinstance(value, str) else ""
