"""Every published record with a public page, and every term that has some, in pieces, for programs that look for pages.

Not here: XML (vetrina/pages). Rules: sitemaps.org; a piece may have 50,000 addresses there, here it has fewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record as table
from vetrina.backends.tables.core import term
from vetrina.content.records import ancestry, counters, permalinks
from vetrina.content.records.model import LIGHT, of_row
from vetrina.content.terms import store as term_store
from vetrina.content.translations import alternates
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import Work

__all__ = ["SIZE", "Entry", "Piece", "entries", "pieces"]

SIZE: Final = 10_000  # addresses of a piece

_PIECE = Statement(
    select(*LIGHT)
    .where(
        table.c.type == bindparam("type"),
        table.c.status == "publish",
        table.c.language == bindparam("language"),
    )
    .order_by(table.c.date, table.c.id)
    .limit(SIZE)
    .offset(bindparam("start"))
)
# A term that no published record has leads to an empty list.
_HELD = (term.c.taxonomy == bindparam("taxonomy"), term.c.language == bindparam("language"), term.c.count > 0)
_TERMS_TOTAL = Statement(select(func.count()).select_from(term).where(*_HELD))
_TERMS_PIECE = Statement(
    select(*term_store.COLUMNS).where(*_HELD).order_by(term.c.id).limit(SIZE).offset(bindparam("start"))
)


class Piece(NamedTuple):
    """A piece of the map, counted from 1. kind: of the records or terms of one language that are in it."""

    kind: str
    language: str
    number: int


class Entry(NamedTuple):
    """One address. modified: seconds since 1970, None for a list, whose time nobody notes.

    languages: where the same is, by language and with `x-default`; empty for what is in one language only.
    """

    address: str
    modified: int | None = None
    languages: Mapping[str, str] = {}


def _types(work: Work) -> dict[str, ContentType]:
    return {name: type for name, type in work.frame.types.items() if type.public and type.address != "attached"}


def _taxonomies(work: Work) -> dict[str, Taxonomy]:
    return {name: one for name, one in work.frame.taxonomies.items() if one.directory}


def pieces(work: Work) -> list[Piece]:
    """Return the pieces of the map; those without anything in them are left out."""
    out: list[Piece] = []
    work.uses(*work.frame.types)
    languages = work.frame.profile.languages
    for name in _types(work):
        for language in languages:
            out += _cut(name, language, counters.total(work.tx, name, ("publish",), language))
    for name in _taxonomies(work):
        work.uses(name)
        for language in languages:
            out += _cut(name, language, work.tx.value(_TERMS_TOTAL, taxonomy=name, language=language) or 0)
    return out


def _cut(kind: str, language: str, total: int) -> list[Piece]:
    return [Piece(kind, language, number + 1) for number in range(-(-total // SIZE))]


def entries(work: Work, piece: Piece) -> list[Entry]:
    """Return the addresses of a piece, the oldest first; none for one that there is not."""
    work.uses(*work.frame.types)
    start = (piece.number - 1) * SIZE
    type = _types(work).get(piece.kind)
    if start < 0:
        return []
    if type is None:
        return _of_terms(work, piece, start) if piece.kind in _taxonomies(work) else []
    records = [of_row(row) for row in work.tx.all(_PIECE, type=type.name, language=piece.language, start=start)]
    above = ancestry.trails(work.tx, [one.parent for one in records]) if type.hierarchical else {}
    others = alternates.of_records(work, type, records, piece.language)
    out = []
    for one in records:
        address = permalinks.link(work, type, one, above.get(one.parent, []) if one.parent else [])
        found = others.get(one.id)
        languages = alternates.with_default(work, {one.language: address, **found}) if found else {}
        out.append(Entry(address, one.modified_gmt, languages))
    return out


def _of_terms(work: Work, piece: Piece, start: int) -> list[Entry]:
    work.uses(piece.kind)
    rows = work.tx.all(_TERMS_PIECE, taxonomy=piece.kind, language=piece.language, start=start)
    found = [term_store.from_row(row) for row in rows]
    places = term_store.addresses(work, found)
    return [Entry(places[one.id]) for one in found]
