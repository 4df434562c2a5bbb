"""What somebody may write into a short text: everything, or markup that runs nothing.

For names, notes and settings that are kept as they are sent. Bodies, titles and excerpts are always filtered
(text/sanitise.py); what goes through here may be older than any filter, so words without markup stay byte for byte.
"""

from __future__ import annotations

from vetrina.domain.access.capabilities import unfiltered
from vetrina.domain.access.user import User

from .text import sanitise

__all__ = ["allowed_text"]


def allowed_text(user: User, text: str) -> str:
    """Return a short text as a user may write it."""
    return text if "<" not in text or unfiltered(user) else sanitise.content(text)
