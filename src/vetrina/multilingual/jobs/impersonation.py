"""Impersonation: a translation is stored with the rights of its source's author, whoever translated it.

What the translator wrote is sanitized first with the translator's own rights, text by text (`sanitize_translation`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from vetrina.access.roles.built_in_roles import build_role_capabilities
from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User


@contextmanager
def impersonate_author(work: UnitOfWork, author: int, language: str) -> Iterator[None]:
    """Write in a language, with all rights and in the name of an account, until the end of the block."""
    user, before = work.user, work.language
    rights = frozenset(build_role_capabilities(("administrator",), work.site.roles.added))
    work.user = msgspec.structs.replace(User(id=author), capabilities=rights)
    work.language = language
    try:
        yield
    finally:
        work.user, work.language = user, before


def sanitize_translation(user: User, source: str, target: str) -> str:
    """Return a translation without the markup that its translator may not write."""
    return target if target == source or may_write_unfiltered_html(user) else sanitizing.sanitize_content(target)
