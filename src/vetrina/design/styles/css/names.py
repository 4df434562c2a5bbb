"""Names of presets in CSS: of custom properties and of classes.

A slug is written in lower case with its words apart (`accent1` is `accent-1`), as editors write it into markup. Blocks
that the server renders keep digits at their words, so a slug may have two names.
"""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.content.blocks.wrapper import format_class_name

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+", re.ASCII)
_PLAIN: Final = re.compile(r"[\w-]+", re.ASCII)
_BLANKS: Final = re.compile(r"[^\w-]", re.UNICODE)
_REFERENCE: Final = re.compile(r"var:((?:preset|custom)(?:\|[^|\s,;()]+)+)")


def format_slug(slug: Any) -> str:
    """Return a slug as a part of a name in CSS, empty where it has no letter or digit."""
    if isinstance(slug, bool) or not isinstance(slug, str | int):
        return ""
    words = (_BLANKS.sub("", word) for word in _WORD.findall(str(slug)))
    return "-".join(word.lower() for word in words if word)


def list_class_names(slug: Any) -> list[str]:
    """Return the names that classes may have for a slug, the editor's first."""
    return list(dict.fromkeys(name for name in (format_slug(slug), format_class_name(slug)) if name))


def list_property_names(slug: Any) -> list[str]:
    """Return the names that custom properties may have for a slug, the editor's first."""
    written = str(slug) if isinstance(slug, str | int) and _PLAIN.fullmatch(str(slug)) else ""
    return list(dict.fromkeys(name for name in (format_slug(slug), written) if name))


def resolve_references(text: str) -> str:
    """Return a value whose references (`var:preset|color|base`) are custom properties."""
    return _REFERENCE.sub(_write_reference, text) if "var:" in text else text


def _write_reference(found: re.Match[str]) -> str:
    return f"var(--wp--{'--'.join(map(format_slug, found[1].split('|')))})"
