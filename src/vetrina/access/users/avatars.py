"""Pictures of people: the addresses at which a public service shows that of an e-mail address.

Rules: facts of the interface, "Users"; profiles, "avatars".
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

__all__ = ["avatar"]

_SERVICE: Final = "https://secure.gravatar.com/avatar"


def avatar(email: str, size: int) -> str:
    """Return the address of the picture of whoever has an e-mail address; size: pixels of a side."""
    return f"{_SERVICE}/{_name(email)}?s={size}&d=mm&r=g"


@lru_cache(maxsize=1024)
def _name(email: str) -> str:
    return hashlib.sha256(email.strip().lower().encode()).hexdigest()
