"""A record as the domain knows it, and its way to and from its row.

Not here: what may be done to it (content/records/rules.py, content/records/lifecycle.py), which ones a list shows
(content/records/listing.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, literal, select, update

from vetrina.backends.database import Row, Statement, Tx
from vetrina.backends.statement_cache import Among, Shapes, listed, upsert
from vetrina.backends.tables.core import record, record_term, searchable
from vetrina.content.records import counters
from vetrina.content.text import rendering as text_rendering
from vetrina.kernel.folding import fold

__all__ = [
    "LIGHT", "NO_PASSWORD", "UNRENDERED", "Record", "by_id", "by_ids", "erase", "insert_new", "insert_rows", "of_row",
    "store", "store_names", "store_searchable",
]  # fmt: skip


NO_PASSWORD = ("", "0")  # "0" is kept but protects nothing


class Record(msgspec.Struct, frozen=True):
    """One live record of any type. The members are the columns of its table, in their order.

    date, modified: local seconds; date_gmt, modified_gmt: seconds since 1970. floating: no date was chosen, so each
    save moves it. version: how often it was saved. *_html: rendered when written, by the renderer of that version;
    UNRENDERED where none did. dynamic: whether its content shows something of the site and is rendered when it is read
    (content/blocks/dynamic_rendering.py). translations: the group of the same in other languages. source_language: what
    it was translated from, "" for the group's original (content/translations/record_translations.py).
    """

    id: int
    type: str
    status: str
    language: str
    translations: int
    slug: str
    author: int
    parent: int
    menu_order: int
    date: int
    date_gmt: int
    modified: int
    modified_gmt: int
    title: str
    title_key: str
    title_html: str
    content: str
    content_html: str
    block_version: int
    excerpt: str
    excerpt_html: str
    renderer: int
    password: str
    comment_status: str
    ping_status: str
    format: str
    template: str
    featured_media: int
    guid: str
    trashed_status: str
    trashed_slug: str
    revisions: int
    last_revision: int
    version: int
    meta: dict[str, Any]
    floating: bool
    sticky: bool
    dynamic: bool = False
    source_language: str = ""


UNRENDERED = 0  # the renderer of records that have no text to render: items of menus, settings of the design

_COLUMNS = [column.name for column in record.c]
assert tuple(_COLUMNS) == Record.__struct_fields__, "Record and its table name the same members in the same order"

# For who shows where records are, not what they say: without their texts they are read many times faster.
_TEXTS = frozenset({"title", "title_html", "content", "content_html", "excerpt", "excerpt_html", "password"})
LIGHT = tuple(
    literal("").label(column.name)
    if column.name in _TEXTS
    else literal("{}").label(column.name)
    if column.name == "meta"
    else literal(UNRENDERED).label(column.name)
    if column.name == "renderer"
    else column
    for column in record.c
)

_RENDERERS = (text_rendering.RENDERER_VERSION, UNRENDERED)
_BY_ID = Statement(select(record).where(record.c.id == bindparam("id")))
_BY_IDS = Statement(select(record).where(Among(record.c.id, "ids")))
_INSERT = Statement(insert(record).values({name: bindparam(name) for name in _COLUMNS}))
_DELETE = Statement(delete(record).where(record.c.id == bindparam("id")))
_SEARCHABLE = Statement(
    upsert(
        searchable,
        keys=("record",),
        values={name: bindparam(name) for name in ("record", "title", "content", "excerpt")},
        changes={name: bindparam(name) for name in ("title", "content", "excerpt")},
    )
)
_NAMES = Statement(update(searchable).where(searchable.c.record == bindparam("of")).values(names=bindparam("names")))
_UPDATES = Shapes(most=256)

# What the links to terms repeat of their record.
_TERM_COPIES = frozenset({"type", "status", "language", "date"})
_MOVE_TERMS = Statement(
    update(record_term)
    .where(record_term.c.record == bindparam("of"))
    .values({name: bindparam(name) for name in sorted(_TERM_COPIES)})
)


def of_row(row: Row) -> Record:
    """Return the record of a row."""
    members = [*row[:-5], orjson.loads(row[-5]), bool(row[-4]), bool(row[-3]), bool(row[-2]), row[-1]]
    one = Record(*members)
    return one if one.renderer in _RENDERERS else _rendered_again(one)


def _rendered_again(one: Record) -> Record:
    """Return a record whose markup another version rendered as this one renders it."""
    return msgspec.structs.replace(
        one,
        title_html=text_rendering.title(one.title),
        content_html="" if one.dynamic else text_rendering.content(one.content),
        excerpt_html=text_rendering.excerpt(one.excerpt, one.content),
        renderer=text_rendering.RENDERER_VERSION,
    )


def by_id(tx: Tx, id: int) -> Record | None:
    """Return the record with a number, of whatever type."""
    row = tx.first(_BY_ID, id=id)
    return of_row(row) if row else None


def by_ids(tx: Tx, ids: Sequence[int]) -> dict[int, Record]:
    """Return the records with some numbers, by number."""
    return {row[0]: of_row(row) for row in tx.all(_BY_IDS, ids=listed(ids))} if ids else {}


def insert_new(tx: Tx, new: Record) -> None:
    """Write a record for the first time."""
    tx.run(_INSERT, **_values(msgspec.structs.asdict(new)))
    counters.moved(tx, None, new)
    store_searchable(tx, new)


def insert_rows(tx: Tx, rows: list[Record]) -> None:
    """Write many new records at once, their rows alone: for imports, which write what belongs to them as well."""
    tx.run_each(_INSERT, [_values(msgspec.structs.asdict(row)) for row in rows])


def store(tx: Tx, old: Record, new: Record) -> None:
    """Write what differs between two states of a record; its version counts every save."""
    changed = {name: value for name in _COLUMNS if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return
    changed["version"] = old.version + 1
    names = tuple(changed)
    statement = _UPDATES.get(
        names,
        lambda: update(record).where(record.c.id == bindparam("of")).values({name: bindparam(name) for name in names}),
    )
    tx.run(statement, of=new.id, **_values(changed))
    counters.moved(tx, old, new)
    if not _TERM_COPIES.isdisjoint(changed):
        tx.run(_MOVE_TERMS, of=new.id, **{name: getattr(new, name) for name in _TERM_COPIES})
    if not {"title", "content", "excerpt"}.isdisjoint(changed):
        store_searchable(tx, new)


def store_searchable(tx: Tx, of: Record) -> None:
    """Write the folded copy that a search reads."""
    tx.run(_SEARCHABLE, record=of.id, title=fold(of.title), content=fold(of.content), excerpt=fold(of.excerpt))


def store_names(tx: Tx, id: int, names: str) -> None:
    """Write further words that a search finds a record by: the name of its file."""
    tx.run(_NAMES, of=id, names=fold(names))


def erase(tx: Tx, old: Record) -> None:
    """Remove a record's row; its revisions, terms and search copy go with it."""
    tx.run(_DELETE, id=old.id)
    counters.moved(tx, old, None)


def _values(members: dict[str, Any]) -> dict[str, Any]:
    if "meta" in members:
        members["meta"] = orjson.dumps(members["meta"]).decode()
    return members
