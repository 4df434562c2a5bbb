"""Writing in another's name: a translation is stored with the trust that its source has, whoever translated it.

What the translator wrote himself is filtered before by his own rights, text by text (`allowed`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.roles.roles import capabilities_of
from vetrina.access.users.model import User
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Work

__all__ = ["allowed", "trusted"]


@contextmanager
def trusted(work: Work, author: int, language: str) -> Iterator[None]:
    """Write in a language, with every right and in the name of an account, until the end of the block."""
    user, before = work.user, work.language
    rights = frozenset(capabilities_of(("administrator",), shop="shop" in work.frame.profile.modules))
    work.user = msgspec.structs.replace(User(id=author), capabilities=rights)
    work.language = language
    try:
        yield
    finally:
        work.user, work.language = user, before


def allowed(user: User, source: str, target: str) -> str:
    """Return a translation without the markup that the one who wrote it may not write."""
    return target if target == source or unfiltered(user) else sanitizing.content(target)
