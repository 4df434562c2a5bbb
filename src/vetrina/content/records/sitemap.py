"""The sitemap: every published record with a public page, every term in use and the lists beside them, in pieces.

What search engines are told not to list, and what a password protects, is left out. Not here: XML (pages/). Rules:
docs/rules/seo.md, 5; sitemaps.org; a piece may have 50,000 URLs there, here it has fewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.records import record as table
from vetrina.backends.tables.terms import term
from vetrina.content.records import ancestry, counters, permalinks
from vetrina.content.records.model import LIGHT_COLUMNS, row_to_record
from vetrina.content.seo.fields import NOINDEX_MARK, get_seo_fields
from vetrina.content.terms import store as term_store
from vetrina.content.translations import alternates
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.content.types.registry import POST
from vetrina.core.unit_of_work import UnitOfWork

SITEMAP_PIECE_SIZE: Final = 10_000  # URLs per piece
LISTS_KIND: Final = "cms_list"  # the piece of the home, of the archives of types and of the authors

_PIECE = Statement(
    select(*LIGHT_COLUMNS)
    .where(
        table.c.type == bindparam("type"),
        table.c.status == "publish",
        table.c.language == bindparam("language"),
        or_(table.c.password == "", table.c.password == "0"),
    )
    .order_by(table.c.date, table.c.id)
    .limit(SITEMAP_PIECE_SIZE)
    .offset(bindparam("start"))
)
# Without an index: the records of one piece alone are looked at.
_UNINDEXED = Statement(select(table.c.id).where(InList(table.c.id, "ids"), ContainsText(table.c.meta, "mark")))
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
_AUTHORS = Statement(
    select(account.c.slug)
    .where(
        account.c.id.in_(
            select(table.c.author).where(
                table.c.type == POST.name, table.c.status == "publish", table.c.language == bindparam("language")
            )
        )
    )
    .order_by(account.c.id)
    .limit(SITEMAP_PIECE_SIZE)
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
    for language in languages:
        out += _build_pieces(LISTS_KIND, language, len(_build_list_entries(work, language)))
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
    if type is None and piece.kind == LISTS_KIND:
        listed = piece.language in work.site.profile.languages and piece.number == 1
        return _build_list_entries(work, piece.language) if listed else []
    if type is None:
        return _list_term_entries(work, piece, start) if piece.kind in _list_mapped_taxonomies(work) else []
    records = [row_to_record(row) for row in work.tx.all(_PIECE, type=type.name, language=piece.language, start=start)]
    hidden = {id for (id,) in work.tx.all(_UNINDEXED, ids=encode_list(one.id for one in records), mark=NOINDEX_MARK)}
    records = [one for one in records if one.id not in hidden]
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
    found = [one for one in map(term_store.row_to_term, rows) if not get_seo_fields(one.meta).noindex]
    places = term_store.build_term_urls(work, found)
    others = alternates.build_alternates_by_term(work, found)
    return [SitemapEntry(places[one.id], None, others.get(one.id, {})) for one in found]


def _build_list_entries(work: UnitOfWork, language: str) -> list[SitemapEntry]:
    """Return the lists that have a page in a language: the home, archives of types, authors of posts."""
    work.uses("user")
    codes = work.site.profile.languages
    paths = [""] if work.option("show_on_front") != "page" else []
    paths += [
        f"{type.archive}/"
        for type in _list_mapped_types(work).values()
        if type.archive and counters.sum_counters(work.tx, type.name, ("publish",), language)
    ]
    out = []
    for path in paths:
        others = {code: f"{work.home(code)}/{path}" for code in codes} if len(codes) > 1 else {}
        others = alternates.add_default_alternate(work, others) if others else {}
        out.append(SitemapEntry(f"{work.home(language)}/{path}", None, others))
    authors = work.tx.all(_AUTHORS, language=language)
    out += [SitemapEntry(f"{work.home(language)}/author/{slug}/") for (slug,) in authors]
    return out[:SITEMAP_PIECE_SIZE]
