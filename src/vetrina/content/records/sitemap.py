"""The sitemap: every published record with a public page and every term in use, in pieces.

Not here: XML (pages/). Rules: sitemaps.org; a piece may have 50,000 URLs there, here it has fewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record as table, term
from vetrina.content.records import ancestry, counters, permalinks
from vetrina.content.records.model import LIGHT_COLUMNS, row_to_record
from vetrina.content.terms import store as term_store
from vetrina.content.translations import alternates
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import UnitOfWork

SITEMAP_PIECE_SIZE: Final = 10_000  # URLs per piece

_PIECE = Statement(
    select(*LIGHT_COLUMNS)
    .where(
        table.c.type == bindparam("type"),
        table.c.status == "publish",
        table.c.language == bindparam("language"),
    )
    .order_by(table.c.date, table.c.id)
    .limit(SITEMAP_PIECE_SIZE)
    .offset(bindparam("start"))
)
# A term without published records leads to an empty list.
_USED_TERM = (term.c.taxonomy == bindparam("taxonomy"), term.c.language == bindparam("language"), term.c.count > 0)
_TERMS_TOTAL = Statement(select(func.count()).select_from(term).where(*_USED_TERM))
_TERMS_PIECE = Statement(
    select(*term_store.TERM_COLUMNS)
    .where(*_USED_TERM)
    .order_by(term.c.id)
    .limit(SITEMAP_PIECE_SIZE)
    .offset(bindparam("start"))
)


class SitemapPiece(NamedTuple):
    """A piece of the sitemap, counted from 1. kind: its records or terms, of one language."""

    kind: str
    language: str
    number: int


class SitemapEntry(NamedTuple):
    """One URL. modified: seconds since 1970, None for a list, whose changes are not tracked.

    languages: URLs of the translations, by language and with `x-default`; empty for what is in one language only.
    """

    address: str
    modified: int | None = None
    languages: Mapping[str, str] = {}


def _list_mapped_types(work: UnitOfWork) -> dict[str, ContentType]:
    return {name: type for name, type in work.site.types.items() if type.public and type.address != "attached"}


def _list_mapped_taxonomies(work: UnitOfWork) -> dict[str, Taxonomy]:
    return {name: one for name, one in work.site.taxonomies.items() if one.directory}


def list_sitemap_pieces(work: UnitOfWork) -> list[SitemapPiece]:
    """Return the pieces of the sitemap; empty ones are left out."""
    out: list[SitemapPiece] = []
    work.uses(*work.site.types)
    languages = work.site.profile.languages
    for name in _list_mapped_types(work):
        for language in languages:
            out += _build_pieces(name, language, counters.sum_counters(work.tx, name, ("publish",), language))
    for name in _list_mapped_taxonomies(work):
        work.uses(name)
        for language in languages:
            out += _build_pieces(name, language, work.tx.value(_TERMS_TOTAL, taxonomy=name, language=language) or 0)
    return out


def _build_pieces(kind: str, language: str, total: int) -> list[SitemapPiece]:
    return [SitemapPiece(kind, language, number + 1) for number in range(-(-total // SITEMAP_PIECE_SIZE))]


def list_sitemap_entries(work: UnitOfWork, piece: SitemapPiece) -> list[SitemapEntry]:
    """Return the entries of a piece, oldest first; none for a piece that does not exist."""
    work.uses(*work.site.types)
    start = (piece.number - 1) * SITEMAP_PIECE_SIZE
    type = _list_mapped_types(work).get(piece.kind)
    if start < 0:
        return []
    if type is None:
        return _list_term_entries(work, piece, start) if piece.kind in _list_mapped_taxonomies(work) else []
    records = [row_to_record(row) for row in work.tx.all(_PIECE, type=type.name, language=piece.language, start=start)]
    above = ancestry.load_ancestor_trails(work, [one.parent for one in records]) if type.hierarchical else {}
    others = alternates.build_alternates_by_record(work, type, records, piece.language)
    out = []
    for one in records:
        address = permalinks.build_permalink(work, type, one, above.get(one.parent, []) if one.parent else [])
        found = others.get(one.id)
        languages = alternates.add_default_alternate(work, {one.language: address, **found}) if found else {}
        out.append(SitemapEntry(address, one.modified_gmt, languages))
    return out


def _list_term_entries(work: UnitOfWork, piece: SitemapPiece, start: int) -> list[SitemapEntry]:
    work.uses(piece.kind)
    rows = work.tx.all(_TERMS_PIECE, taxonomy=piece.kind, language=piece.language, start=start)
    found = [term_store.row_to_term(row) for row in rows]
    places = term_store.build_term_urls(work, found)
    return [SitemapEntry(places[one.id]) for one in found]
