"""Avatars: the URLs at which a public service serves the picture for an e-mail address.

Rules: docs/rules/users.md, 2.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

_SERVICE: Final = "https://secure.gravatar.com/avatar"


def build_avatar_url(email: str, size: int) -> str:
    """Return the avatar URL for an e-mail address; size: pixels of a side."""
    return f"{_SERVICE}/{_hash_email(email)}?s={size}&d=mm&r=g"


@lru_cache(maxsize=1024)
def _hash_email(email: str) -> str:
    return hashlib.sha256(email.strip().lower().encode()).hexdigest()
