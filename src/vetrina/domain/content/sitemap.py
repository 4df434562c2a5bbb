"""Every published record with a public page, in pieces: what programs that look for pages are told.

Not here: XML (vetrina/pages). Rules: sitemaps.org; a piece may have 50,000 addresses there, here it has fewer.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import bindparam, literal, select

from vetrina.backends.database import Statement
from vetrina.backends.tables import record as table
from vetrina.domain.content.taxonomy import tally
from vetrina.domain.work import Work

from . import ancestry, permalinks
from .record import of_row
from .types import ContentType

__all__ = ["SIZE", "Entry", "Piece", "entries", "pieces"]

SIZE: Final = 10_000  # addresses of a piece

# The texts of a record have no part in its address; without them a piece is read in a few milliseconds.
_LONG: Final = frozenset({"title", "title_html", "content", "content_html", "excerpt", "excerpt_html", "password"})
_COLUMNS = [
    literal("").label(column.name)
    if column.name in _LONG
    else literal("{}").label(column.name)
    if column.name == "meta"
    else column
    for column in table.c
]
_PIECE = Statement(
    select(*_COLUMNS)
    .where(
        table.c.type == bindparam("type"),
        table.c.status == "publish",
        table.c.language == bindparam("language"),
    )
    .order_by(table.c.date, table.c.id)
    .limit(SIZE)
    .offset(bindparam("start"))
)


class Piece(NamedTuple):
    """A piece of the map: the records of one type and language, counted from 1."""

    type: str
    language: str
    number: int


class Entry(NamedTuple):
    """One address. modified: seconds since 1970."""

    address: str
    modified: int


def _types(work: Work) -> dict[str, ContentType]:
    return {name: type for name, type in work.frame.types.items() if type.public and type.address != "attached"}


def pieces(work: Work) -> list[Piece]:
    """Return the pieces of the map; those without records are left out."""
    out = []
    for name in _types(work):
        work.uses(name)
        for language in work.frame.profile.languages:
            total = tally.total(work.tx, name, ("publish",), language)
            out += [Piece(name, language, number + 1) for number in range(-(-total // SIZE))]
    return out


def entries(work: Work, piece: Piece) -> list[Entry]:
    """Return the addresses of a piece, the oldest first; none for one that there is not."""
    type = _types(work).get(piece.type)
    if type is None or piece.number < 1:
        return []
    work.uses(*work.frame.types)
    start = (piece.number - 1) * SIZE
    records = [of_row(row) for row in work.tx.all(_PIECE, type=type.name, language=piece.language, start=start)]
    above = ancestry.trails(work.tx, [one.parent for one in records]) if type.hierarchical else {}
    return [
        Entry(permalinks.link(work, type, one, above.get(one.parent, []) if one.parent else []), one.modified_gmt)
        for one in records
    ]
