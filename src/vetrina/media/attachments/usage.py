"""Where a file is used: records that feature it or whose texts name its address, and settings of the site.

The texts are found by the index of the search, and each is looked at again; no more than `MOST` records are looked at.
Not here: what a module of its own stores of a file, such as the pictures of products. Rules: docs/rules/media.md, 12.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, bindparam, literal_column, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.backends import search_index
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, StatementCache, encode_list
from vetrina.backends.tables.records import record as table, searchable
from vetrina.content.records import visibility
from vetrina.content.records.model import Record, row_to_record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text
from vetrina.media.attachments.store import MediaFile

MOST: Final = 100  # records of each way to use a file
_SETTINGS: Final = ("site_logo", "site_icon")
_HIDDEN: Final = frozenset({"trash", "auto-draft", "inherit"})
# A literal: the index of featured images is partial, and only used where the query has the same expression.
_HAS_FEATURED: Final = table.c.featured_media != literal_column("0")
_FEATURING: Final = Statement(
    select(table)
    .where(table.c.featured_media == bindparam("media"), _HAS_FEATURED, InList(table.c.type, "types"))
    .order_by(table.c.id.desc())
    .limit(MOST + 1)
)
_STATEMENTS: Final = StatementCache(most=2)


class FileUse(NamedTuple):
    """A record that uses a file. ways: `featured_media`, `content` or both."""

    record: Record
    ways: tuple[str, ...]


class FileUsage(NamedTuple):
    """Where a file is used, as far as the caller may know. is_partial: whether there may be more than was looked at."""

    uses: list[FileUse]
    settings: tuple[str, ...]
    is_partial: bool


def find_file_usage(work: UnitOfWork, media: MediaFile) -> FileUsage:
    """Return where a file is used; records that the caller may not read are left out."""
    types = work.site.types
    work.uses(*types)
    names = encode_list(list(types))
    featuring = [row_to_record(row) for row in work.tx.all(_FEATURING, media=media.record, types=names)]
    naming = _load_naming_records(work, media, names)
    ways: dict[int, list[str]] = {}
    found: dict[int, Record] = {}
    for way, rows in (("featured_media", featuring[:MOST]), ("content", naming[:MOST])):
        for one in rows:
            if way == "content" and not (_names_file(one.content, media) and _may_know_text(work, one)):
                continue
            if one.status not in _HIDDEN and visibility.may_view_record(work, types[one.type], one):
                found[one.id] = one
                ways.setdefault(one.id, []).append(way)
    return FileUsage(
        [FileUse(found[id], tuple(ways[id])) for id in sorted(found, reverse=True)],
        tuple(name for name in _SETTINGS if work.option(name) == media.record),
        len(featuring) > MOST or len(naming) > MOST,
    )


def _may_know_text(work: UnitOfWork, record: Record) -> bool:
    """Return whether the caller may know what the text of a record says: a password hides it from others."""
    return not record.password or may_edit_record(work.user, work.site.types[record.type], record)


def _load_naming_records(work: UnitOfWork, media: MediaFile, types: str) -> list[Record]:
    """Return the newest records whose texts have the path of a file without its ending, which its sizes share."""
    needle = fold_text(_get_stem(media))
    narrow = search_index.build_search_values(work.tx, [needle])
    statement = _STATEMENTS.get(narrow is not None, lambda: _select_naming(narrow is not None))
    rows = work.tx.all(statement, needle=needle, types=types, **(narrow or {}))
    return [row_to_record(row) for row in rows]


def _select_naming(narrowed: bool) -> Select[Any]:
    conditions: list[ColumnElement[bool]] = [
        ContainsText(searchable.c.content, "needle", looked_up=True),
        InList(table.c.type, "types"),
    ]
    if narrowed:
        conditions.append(search_index.build_search_condition(table.c.id))
    return (
        select(table)
        .join(searchable, searchable.c.record == table.c.id)
        .where(*conditions)
        .order_by(table.c.id.desc())
        .limit(MOST + 1)
    )


def _get_stem(media: MediaFile) -> str:
    return media.original_path.rpartition(".")[0]


def _names_file(text: str, media: MediaFile) -> bool:
    """Return whether a text has the address of a file or of one of its sizes, and not of one with a longer name."""
    endings = "|".join(re.escape(path.removeprefix(_get_stem(media))) for path in media.paths)
    return re.search(rf"{re.escape(_get_stem(media))}(?:{endings})(?![\w-])", text) is not None
