"""The slugs of records: given or made from the title, cleaned, unique where they must be.

Not here: how text becomes a slug (kernel/slugs.py), the slug that the trash takes and gives back
(content/records/trash.py). Rules: docs/rules/slugs.md, 2 to 4 and 7; docs/rules/kinds.md, 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.roles.capabilities import may_publish_records
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.records import record
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs

MAX_SLUG_BYTES = 200  # bytes
UNNAMED_STATUSES = frozenset({"draft", "pending", "auto-draft"})  # statuses in which a record needs no slug

_RESERVED = frozenset({"feed", "rdf", "rss", "rss2", "atom", "embed"})
_PAGE_NUMBER = re.compile(r"(?:page)?\d+", re.ASCII)


ContentTypesByName = Mapping[str, ContentType]

_STATEMENTS = StatementCache(most=16)
_OWNERS = Statement(
    select(record.c.id, record.c.slug, record.c.language, record.c.parent).where(
        InList(record.c.type, "types"), InList(record.c.slug, "slugs")
    )
)


def find_free_slug(
    tx: Transaction,
    type: ContentType,
    slug: str,
    *,
    language: str,
    parent: int,
    id: int,
    types: ContentTypesByName | None = None,
) -> str:
    """Return the slug, with a numeric suffix when another record has it.

    parent: counts for hierarchical types only, whose slugs are unique among siblings. id: the record itself, which is
    no rival; 0 for a new one. types: those of the site, searched for the ones that share slugs with attachments.
    """
    if not slug:
        return slug
    rivals = _list_rival_types(type, types or {})
    if not _is_reserved(type, slug) and not _list_taken_slugs(tx, type, rivals, slug, slug, language, parent, id):
        return slug
    taken = _list_taken_slugs(tx, type, rivals, slug + "-", slug + ".", language, parent, id)
    number = 2
    while slugs.append_number(slug, number) in taken:
        number += 1
    found = slugs.append_number(slug, number)
    # A slug near the limit is cut to make room for its suffix and may leave the range that was looked at.
    while not found.startswith(slug + "-") and _list_taken_slugs(tx, type, rivals, found, found, language, parent, id):
        number += 1
        found = slugs.append_number(slug, number)
    return found


def expect_free_slug(
    tx: Transaction, type: ContentType, slug: str, *, language: str, parent: int, types: ContentTypesByName
) -> None:
    """Have what `find_free_slug` reads of a new record read with what is asked of the database next."""
    if slug and not _is_reserved(type, slug):
        statement, values = _build_rival_query(type, _list_rival_types(type, types), slug, slug, language, parent, 0)
        tx.expect(statement, **values)


def expect_free_slugs(tx: Transaction, type: ContentType, slugs: Sequence[str], types: ContentTypesByName) -> None:
    """Have what `find_free_slugs` reads of some slugs read with what is asked of the database next."""
    tx.expect(_OWNERS, types=encode_list(_list_rival_types(type, types)), slugs=encode_list(set(slugs)))


def find_free_slugs(
    tx: Transaction, type: ContentType, wanted: Sequence[tuple[Record, str]], types: ContentTypesByName | None = None
) -> dict[int, str]:
    """Return what `find_free_slug` returns for each record and its slug, by id; free ones take one statement in all."""
    owners: dict[tuple[str, str, int], set[int]] = {}
    rivals = encode_list(_list_rival_types(type, types or {}))
    for id, slug, language, parent in tx.all(_OWNERS, types=rivals, slugs=encode_list({slug for _, slug in wanted})):
        owners.setdefault((slug, language, parent if type.hierarchical else 0), set()).add(id)
    out = {}
    for one, slug in wanted:
        others = owners.get((slug, one.language, one.parent if type.hierarchical else 0), set()) - {one.id}
        if others or _is_reserved(type, slug):
            slug = find_free_slug(tx, type, slug, language=one.language, parent=one.parent, id=one.id, types=types)
        out[one.id] = slug
    return out


def _is_reserved(type: ContentType, slug: str) -> bool:
    return slug in _RESERVED or (type.hierarchical and _PAGE_NUMBER.fullmatch(slug) is not None)


def _list_rival_types(type: ContentType, types: ContentTypesByName) -> tuple[str, ...]:
    """Return the names of the types with which a type shares its slugs.

    Attachments have URLs beside everything else, so their slugs differ from all others; pages give way to them.
    """
    if type.address == "attached":
        return tuple(types) or (type.name,)
    if type.hierarchical:
        return (type.name, *(name for name, other in types.items() if other.address == "attached"))
    return (type.name,)


def _list_taken_slugs(
    tx: Transaction,
    type: ContentType,
    rivals: tuple[str, ...],
    first: str,
    last: str,
    language: str,
    parent: int,
    id: int,
) -> set[str]:
    """Return the slugs of other records from `first` to `last`."""
    statement, values = _build_rival_query(type, rivals, first, last, language, parent, id)
    return {row[0] for row in tx.all(statement, **values)}


def _build_rival_query(
    type: ContentType, rivals: tuple[str, ...], first: str, last: str, language: str, parent: int, id: int
) -> tuple[Statement, dict[str, Any]]:
    alone, exact = len(rivals) == 1, first == last

    def build() -> object:
        # PostgreSQL plans a range again for each value, which takes ten times as long as reading it.
        named = (
            (record.c.slug == bindparam("first"),)
            if exact
            else (record.c.slug >= bindparam("first"), record.c.slug <= bindparam("last"))
        )
        statement = select(record.c.slug).where(
            record.c.type == bindparam("type") if alone else InList(record.c.type, "type"),
            *named,
            record.c.language == bindparam("language"),
            record.c.id != bindparam("id"),
        )
        # Not a plain column: the planner would prefer the index on parents, though most records have none.
        return statement.where(record.c.parent + 0 == bindparam("parent")) if type.hierarchical else statement

    names = rivals[0] if alone else encode_list(rivals)
    values: dict[str, Any] = {"type": names, "first": first, "language": language, "id": id}
    if not exact:
        values["last"] = last
    if type.hierarchical:
        values["parent"] = parent
    return _STATEMENTS.get((type.hierarchical, alone, exact), build), values


def resolve_slug(
    work: UnitOfWork, type: ContentType, old: Record | None, new: Record, given: Mapping[str, Any], restored: str = ""
) -> str:
    """Return the slug after a save. restored: the one that a record had before the trash."""
    slug = restored or given.get("slug", new.slug)
    if new.status == "pending" and not may_publish_records(work.user, type, new.language):
        slug = ""
    slug = slugs.slugify(slug)
    if not slug and new.status not in UNNAMED_STATUSES:
        slug = slugs.slugify(new.title) or str(new.id)
    if old is not None and slug == old.slug and new.parent == old.parent and new.type == old.type:
        return slug
    types = work.site.types
    found = find_free_slug(
        work.tx, type, slug, language=new.language, parent=new.parent, id=new.id if old else 0, types=types
    )
    if old is None and slug == _generate_wanted_slug(new):
        # What was free for it, or made so, is what `generate_slugs` would find.
        work.lookups[_build_generated_key(msgspec.structs.replace(new, slug=found))] = slugs.decode_slug(found)
    return found


def _build_generated_key(record: Record) -> str:
    """Return the key of a new record's generated slug among the lookups; nothing else decides what it is."""
    return f"generated slug {record.id} {record.language} {record.parent} {record.slug} {record.title}"


def expect_generated_slugs(work: UnitOfWork, type: ContentType, records: Sequence[Record]) -> None:
    """Have what `generate_slugs` reads read with what is asked of the database next."""
    if any(_build_generated_key(one) not in work.lookups for one in records):
        wanted = [_generate_wanted_slug(one) for one in records]
        expect_free_slugs(work.tx, type, wanted, work.site.types)


def _generate_wanted_slug(record: Record) -> str:
    return slugs.slugify(record.title) or str(record.id)


def generate_slugs(work: UnitOfWork, type: ContentType, records: Sequence[Record]) -> dict[int, str]:
    """Return the slugs that records would get from their titles, by id."""
    known = {one.id: work.lookups.get(_build_generated_key(one)) for one in records}
    if None not in known.values():
        return {id: str(slug) for id, slug in known.items()}
    wanted = [(one, _generate_wanted_slug(one)) for one in records]
    return {id: slugs.decode_slug(slug) for id, slug in find_free_slugs(work.tx, type, wanted, work.site.types).items()}
