"""Text metadata of a file as one short line without markup."""

from __future__ import annotations

from typing import Final

from vetrina.kernel.tags import strip_tags

_MAX_LENGTH: Final = 500  # characters
_MAX_SOURCE_LENGTH: Final = 20_000  # characters, including markup and spaces


def clean_plain_text(text: str) -> str:
    """Return a text without markup, with single spaces."""
    return " ".join(strip_tags(text[:_MAX_SOURCE_LENGTH].replace("\0", " ")).split())[:_MAX_LENGTH]
