"""Short texts as a user may write them: everything, or markup that runs nothing.

For names, notes and settings that are stored as sent. Titles, contents and excerpts are always filtered
(content/text/sanitizing.py); texts that come here may be older than any filter, so plain words stay byte for byte.
"""

from __future__ import annotations

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.text import sanitizing
from vetrina.core.user import User


def sanitize_short_text(user: User, text: str) -> str:
    """Return a short text as a user may write it."""
    return text if "<" not in text or may_write_unfiltered_html(user) else sanitizing.sanitize_content(text)
