"""One search over a whole site: its public records, its terms, the formats of its posts.

Not here: lists of one type or taxonomy (content/records/listing.py, content/terms/listing.py). Rules: facts, "Search":
public records only, whoever asks; a text narrows and the best come first, without one the newest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import and_, bindparam, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Contains, Shapes, listed
from vetrina.backends.tables.core import record as record_table
from vetrina.backends.tables.core import term as table
from vetrina.content.records import listing as record_listing
from vetrina.content.records.listing import InvalidPage
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.search import terms as search_terms
from vetrina.content.terms import listing as term_listing
from vetrina.content.terms.store import COLUMNS, Term, from_row, name_key
from vetrina.content.text.sanitizing import plain
from vetrina.content.translations.modes import Mode
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import Work

__all__ = ["FORMATS", "Search", "formats", "records", "searched_taxonomies", "searched_types", "terms"]

# The formats that have a page of their own, with what people call them.
FORMATS: Final = {
    "aside": "Aside", "chat": "Chat", "gallery": "Gallery", "link": "Link", "image": "Image", "quote": "Quote",
    "status": "Status", "video": "Video", "audio": "Audio",
}  # fmt: skip


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for. kinds: names of types or taxonomies. include: wins over exclude."""

    text: str = ""
    kinds: tuple[str, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    page: int = 1
    per_page: int = 10


_SHAPES = Shapes(most=64)
_USED_FORMATS = Statement(
    select(record_table.c.format)
    .where(
        Among(record_table.c.type, "types"),
        record_table.c.status == "publish",
        record_table.c.language == bindparam("language"),
        record_table.c.format != "standard",
    )
    .distinct()
)


def searched_types(work: Work) -> dict[str, ContentType]:
    """Return the types whose records are found, by name: those with public pages of their own."""
    return {name: type for name, type in work.frame.types.items() if type.searched}


def searched_taxonomies(work: Work) -> dict[str, Taxonomy]:
    """Return the taxonomies whose terms are found, by name: those with public pages."""
    return {name: one for name, one in work.frame.taxonomies.items() if one.directory and one.described}


def records(work: Work, search: Search) -> tuple[list[Record], int]:
    """Return one page of public records and how many match; a page too far has none and counts none."""
    parsed = search_terms.parse(search.text)
    query = RecordQuery(
        type="",
        types=search.kinds,
        statuses=("publish",),
        page=search.page,
        per_page=search.per_page,
        orderby="relevance" if parsed else "date",
        search=parsed,
        include=search.include,
        exclude=search.exclude,
    )
    try:
        return record_listing.listed_page(work, query)
    except InvalidPage:
        return [], 0


def terms(work: Work, search: Search) -> tuple[list[Term], int]:
    """Return one page of terms in the order of their names, and how many match."""
    work.uses(*search.kinds)
    names: set[str] = set()
    values: dict[str, Any] = {"language": work.language, "default_language": work.frame.profile.default_language}
    for name in search.kinds:
        here = term_listing.mode_here(work, work.frame.taxonomies[name])
        names.add(here.name)
        values.setdefault(here.name, []).append(name)
    values |= {mode: listed(values[mode]) for mode in names}
    if search.include:
        names.add("include")
        values["include"] = listed(search.include)
    elif search.exclude:
        names.add("exclude")
        values["exclude"] = listed(search.exclude)
    if text := plain(search.text):
        names.add("search")
        values["search"], values["search_slug"] = name_key(text), text.lower()
    shape = frozenset(names)
    counting = _SHAPES.get((shape, "count"), lambda: _narrowed(select(func.count()).select_from(table), shape))
    total = int(work.tx.value(counting, **values))
    start = (search.page - 1) * search.per_page
    if start >= total:
        return [], total
    page = _SHAPES.get(
        (shape, "page"),
        lambda: (
            _narrowed(select(*COLUMNS), shape)
            .order_by(table.c.name_key, table.c.id)
            .limit(bindparam("size"))
            .offset(bindparam("start"))
        ),
    )
    return [from_row(row) for row in work.tx.all(page, **values, size=search.per_page, start=start)], total


def _narrowed(statement: Any, names: frozenset[str]) -> Any:
    conditions: dict[str, Any] = {
        "include": Among(table.c.id, "include"),
        "exclude": ~Among(table.c.id, "exclude"),
        "search": or_(Contains(table.c.name_key, "search"), Contains(table.c.slug, "search_slug")),
    }
    languages: dict[str, Any] = {
        Mode.NOT_TRANSLATED.name: (),
        Mode.TRANSLATED.name: (table.c.language == bindparam("language"),),
        Mode.WITH_FALLBACK.name: (term_listing.with_fallback(),),
    }
    shown = [and_(Among(table.c.taxonomy, name), *languages[name]) for name in sorted(names & languages.keys())]
    return statement.where(or_(*shown), *(conditions[name] for name in sorted(names - languages.keys())))


def formats(work: Work, search: Search) -> tuple[Sequence[str], int]:
    """Return one page of the formats that public posts have, and how many match."""
    types = [type.name for type in work.frame.types.values() if type.has("post-formats")]
    work.uses(*types)
    used = {row[0] for row in work.tx.all(_USED_FORMATS, types=listed(types), language=work.language)}
    text = search.text.lower()
    found = [name for name, label in FORMATS.items() if name in used and (text in name or text in label.lower())]
    start = (search.page - 1) * search.per_page
    return found[start : start + search.per_page], len(found)
