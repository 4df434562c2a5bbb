"""The slugs of records: from what was given or from the title, cleaned, unique where they must be.

Not here: how text becomes a slug (kernel/slugs.py). Rules: facts of the interface, "Slugs, links, templates".
"""

from __future__ import annotations

import re

from sqlalchemy import bindparam, select

from vetrina.backends.database import Tx
from vetrina.backends.shapes import Shapes
from vetrina.backends.tables import record
from vetrina.kernel import slugs

from .types import ContentType

__all__ = ["TRASHED", "UNNAMED", "free", "trashed"]

TRASHED = "__trashed"
UNNAMED = frozenset({"draft", "pending", "auto-draft"})  # statuses in which a record needs no slug

_RESERVED = frozenset({"feed", "rdf", "rss", "rss2", "atom", "embed"})
_PAGE_NUMBER = re.compile(r"(?:page)?\d+", re.ASCII)
_LONGEST = 200  # bytes

_SHAPES = Shapes(most=16)


def free(tx: Tx, type: ContentType, slug: str, *, language: str, parent: int, id: int) -> str:
    """Return the slug, with a number behind it when another record of its kind has it.

    parent: counts for hierarchical types only, whose slugs are unique among siblings. id: the record itself, which
    is in nobody's way; 0 for a new one.
    """
    if not slug:
        return slug
    if not _reserved(type, slug) and not _taken(tx, type, slug, slug, language, parent, id):
        return slug
    taken = _taken(tx, type, slug + "-", slug + ".", language, parent, id)
    number = 2
    while slugs.numbered(slug, number) in taken:
        number += 1
    found = slugs.numbered(slug, number)
    # A slug near the limit is cut to make room for its number and may leave the range that was looked at.
    while not found.startswith(slug + "-") and _taken(tx, type, found, found, language, parent, id):
        number += 1
        found = slugs.numbered(slug, number)
    return found


def trashed(slug: str) -> str:
    """Return the slug that a record has in the trash; it frees its old one."""
    return slugs.shortened(slug, _LONGEST - len(TRASHED)) + TRASHED


def _reserved(type: ContentType, slug: str) -> bool:
    return slug in _RESERVED or (type.hierarchical and _PAGE_NUMBER.fullmatch(slug) is not None)


def _taken(tx: Tx, type: ContentType, first: str, last: str, language: str, parent: int, id: int) -> set[str]:
    """Return the slugs of other records from `first` to `last`."""

    def build() -> object:
        statement = select(record.c.slug).where(
            record.c.type == bindparam("type"),
            record.c.slug >= bindparam("first"),
            record.c.slug <= bindparam("last"),
            record.c.language == bindparam("language"),
            record.c.id != bindparam("id"),
        )
        return statement.where(record.c.parent == bindparam("parent")) if type.hierarchical else statement

    values = {"type": type.name, "first": first, "last": last, "language": language, "id": id}
    if type.hierarchical:
        values["parent"] = parent
    return {row[0] for row in tx.all(_SHAPES.get(type.hierarchical, build), **values)}
