"""What somebody may write into a short text: everything, or markup that runs nothing.

For names, notes and settings that are kept as they are sent. Bodies, titles and excerpts are always filtered
(content/text/sanitizing.py); what goes through here may be older than any filter, so words without markup stay byte for
byte.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.users.model import User
from vetrina.content.text import sanitizing

__all__ = ["allowed_text"]


def allowed_text(user: User, text: str) -> str:
    """Return a short text as a user may write it."""
    return text if "<" not in text or unfiltered(user) else sanitizing.content(text)
