"""The slugs of records: from what was given or from the title, cleaned, unique where they must be.

Not here: how text becomes a slug (kernel/slugs.py). Rules: facts of the interface, "Slugs, links, templates".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement, Tx
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.core import record
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.kernel import slugs

__all__ = ["TRASHED", "UNNAMED", "free", "free_each", "trashed"]

TRASHED = "__trashed"
UNNAMED = frozenset({"draft", "pending", "auto-draft"})  # statuses in which a record needs no slug

_RESERVED = frozenset({"feed", "rdf", "rss", "rss2", "atom", "embed"})
_PAGE_NUMBER = re.compile(r"(?:page)?\d+", re.ASCII)
_LONGEST = 200  # bytes

Types = Mapping[str, ContentType]

_SHAPES = Shapes(most=16)
_OWNERS = Statement(
    select(record.c.id, record.c.slug, record.c.language, record.c.parent).where(
        Among(record.c.type, "types"), Among(record.c.slug, "slugs")
    )
)


def free(
    tx: Tx, type: ContentType, slug: str, *, language: str, parent: int, id: int, types: Types | None = None
) -> str:
    """Return the slug, with a number behind it when another record of its kind has it.

    parent: counts for hierarchical types only, whose slugs are unique among siblings. id: the record itself, which
    is in nobody's way; 0 for a new one. types: those of the site, among which attachments are looked for and looked at.
    """
    if not slug:
        return slug
    rivals = _rivals(type, types or {})
    if not _reserved(type, slug) and not _taken(tx, type, rivals, slug, slug, language, parent, id):
        return slug
    taken = _taken(tx, type, rivals, slug + "-", slug + ".", language, parent, id)
    number = 2
    while slugs.numbered(slug, number) in taken:
        number += 1
    found = slugs.numbered(slug, number)
    # A slug near the limit is cut to make room for its number and may leave the range that was looked at.
    while not found.startswith(slug + "-") and _taken(tx, type, rivals, found, found, language, parent, id):
        number += 1
        found = slugs.numbered(slug, number)
    return found


def free_each(
    tx: Tx, type: ContentType, wanted: Sequence[tuple[Record, str]], types: Types | None = None
) -> dict[int, str]:
    """Return by number what `free` returns for each record and its slug; asks once for those that are free."""
    owners: dict[tuple[str, str, int], set[int]] = {}
    rivals = listed(_rivals(type, types or {}))
    for id, slug, language, parent in tx.all(_OWNERS, types=rivals, slugs=listed({slug for _, slug in wanted})):
        owners.setdefault((slug, language, parent if type.hierarchical else 0), set()).add(id)
    out = {}
    for one, slug in wanted:
        others = owners.get((slug, one.language, one.parent if type.hierarchical else 0), set()) - {one.id}
        if others or _reserved(type, slug):
            slug = free(tx, type, slug, language=one.language, parent=one.parent, id=one.id, types=types)
        out[one.id] = slug
    return out


def trashed(slug: str) -> str:
    """Return the slug that a record has in the trash; it frees its old one."""
    return slugs.shortened(slug, _LONGEST - len(TRASHED)) + TRASHED


def _reserved(type: ContentType, slug: str) -> bool:
    return slug in _RESERVED or (type.hierarchical and _PAGE_NUMBER.fullmatch(slug) is not None)


def _rivals(type: ContentType, types: Types) -> tuple[str, ...]:
    """Return the names of the types with which a type shares its slugs.

    Attachments have addresses beside everything else, so theirs differ from all; pages give way to them.
    """
    if type.address == "attached":
        return tuple(types) or (type.name,)
    if type.hierarchical:
        return (type.name, *(name for name, other in types.items() if other.address == "attached"))
    return (type.name,)


def _taken(
    tx: Tx, type: ContentType, rivals: tuple[str, ...], first: str, last: str, language: str, parent: int, id: int
) -> set[str]:
    """Return the slugs of other records from `first` to `last`."""
    alone = len(rivals) == 1

    def build() -> object:
        statement = select(record.c.slug).where(
            record.c.type == bindparam("type") if alone else Among(record.c.type, "type"),
            record.c.slug >= bindparam("first"),
            record.c.slug <= bindparam("last"),
            record.c.language == bindparam("language"),
            record.c.id != bindparam("id"),
        )
        # Not as a plain column: the index of parents, though most records have none, would be taken for the better one.
        return statement.where(record.c.parent + 0 == bindparam("parent")) if type.hierarchical else statement

    names = rivals[0] if alone else listed(rivals)
    values = {"type": names, "first": first, "last": last, "language": language, "id": id}
    if type.hierarchical:
        values["parent"] = parent
    return {row[0] for row in tx.all(_SHAPES.get((type.hierarchical, alone), build), **values)}
