"""A record, and its conversion from and to its row.

Not here: what may be done to it (content/records/rules.py, content/records/statuses.py), lists
(content/records/listing.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, literal, select, update

from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.statement_cache import InList, StatementCache, build_upsert, encode_list
from vetrina.backends.tables.records import record, searchable
from vetrina.backends.tables.terms import record_term
from vetrina.content.custom_fields import value_rows
from vetrina.content.records import counters
from vetrina.content.text import rendering as text_rendering
from vetrina.kernel.folding import fold_text

if TYPE_CHECKING:
    from vetrina.core.unit_of_work import UnitOfWork

EMPTY_PASSWORDS = ("", "0")  # "0" is stored but protects nothing


class Record(msgspec.Struct, frozen=True):
    """A live record of any type. The fields are the columns of its table, in their order.

    date, modified: local seconds; date_gmt, modified_gmt: seconds since 1970. floating: no date was chosen, so every
    save moves it. version: how often it was saved. *_html: rendered at save time, by the renderer of that version
    (`renderer`); UNRENDERED where there is nothing to render. dynamic: whether the content shows site data and is
    rendered on read (content/blocks/dynamic_rendering.py). translations: id of the translation group. source_language:
    what it was translated from, "" for the group's original (content/translations/record_translations.py).
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


UNRENDERED = 0  # the renderer of records that have no text to render: menu items, design settings

_COLUMNS = [column.name for column in record.c]
assert tuple(_COLUMNS) == Record.__struct_fields__, "Record and its table name the same members in the same order"

# Left out where only the place of a record matters: without its texts it is read many times faster.
_TEXTS = frozenset({"title", "title_html", "content", "content_html", "excerpt", "excerpt_html", "password"})
LIGHT_COLUMNS = tuple(
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
_BY_IDS = Statement(select(record).where(InList(record.c.id, "ids")))
_INSERT = Statement(insert(record).values({name: bindparam(name) for name in _COLUMNS}))
_DELETE = Statement(delete(record).where(record.c.id == bindparam("id")))
_SEARCHABLE = Statement(
    build_upsert(
        searchable,
        keys=("record",),
        values={name: bindparam(name) for name in ("record", "title", "content", "excerpt")},
        changes={name: bindparam(name) for name in ("title", "content", "excerpt")},
    )
)
_INSERT_SEARCHABLE = Statement(
    insert(searchable).values({name: bindparam(name) for name in ("record", "title", "content", "excerpt")})
)
_NAMES = Statement(update(searchable).where(searchable.c.record == bindparam("of")).values(names=bindparam("names")))
_UPDATE_STATEMENTS = StatementCache(most=256)

# Columns that the term links copy from their record.
_TERM_COPIES = frozenset({"type", "status", "language", "date"})
_MOVE_TERMS = Statement(
    update(record_term)
    .where(record_term.c.record == bindparam("of"))
    .values({name: bindparam(name) for name in sorted(_TERM_COPIES)})
)


def row_to_record(row: Row) -> Record:
    """Return the record of a row."""
    members = [*row[:-5], orjson.loads(row[-5]), bool(row[-4]), bool(row[-3]), bool(row[-2]), row[-1]]
    one = Record(*members)
    return one if one.renderer in _RENDERERS else _rerender_record(one)


def _rerender_record(old: Record) -> Record:
    """Return a record whose markup an earlier version rendered, rendered by this one."""
    return msgspec.structs.replace(
        old,
        title_html=text_rendering.render_title(old.title),
        content_html="" if old.dynamic else text_rendering.render_content(old.content),
        excerpt_html=text_rendering.render_excerpt(old.excerpt, old.content),
        renderer=text_rendering.RENDERER_VERSION,
    )


def find_record(tx: Transaction, id: int) -> Record | None:
    """Return the record with this id, of any type."""
    row = tx.first(_BY_ID, id=id)
    return row_to_record(row) if row else None


def find_records(tx: Transaction, ids: Sequence[int]) -> dict[int, Record]:
    """Return the records with these ids, by id."""
    return {row[0]: row_to_record(row) for row in tx.all(_BY_IDS, ids=encode_list(ids))} if ids else {}


def expect_record(tx: Transaction, id: int) -> None:
    """Have the record with this id read with what is asked of the database next."""
    tx.expect(_BY_ID, id=id)


def expect_records(tx: Transaction, ids: Sequence[int]) -> None:
    """Have the records with these ids read with what is asked of the database next."""
    tx.expect(_BY_IDS, ids=encode_list(ids))


def insert_record(work: UnitOfWork, new: Record) -> None:
    """Insert a record."""
    tx = work.tx
    tx.run(_INSERT, **_encode_values(msgspec.structs.asdict(new)))
    counters.update_counters(tx, None, new)
    tx.run(_INSERT_SEARCHABLE, **_fold_texts(new))
    if fields := work.site.custom_fields.get(new.type):
        value_rows.insert_values(tx, fields, (new,))


def insert_records(tx: Transaction, rows: list[Record]) -> None:
    """Insert many rows at once, for imports that write the related rows themselves."""
    tx.run_each(_INSERT, [_encode_values(msgspec.structs.asdict(row)) for row in rows])


def update_record_row(work: UnitOfWork, old: Record, new: Record) -> None:
    """Write what differs between two states of a record; its version counts every save."""
    tx = work.tx
    changed = {name: value for name in _COLUMNS if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return
    changed["version"] = old.version + 1
    names = tuple(changed)
    statement = _UPDATE_STATEMENTS.get(
        names,
        lambda: update(record).where(record.c.id == bindparam("of")).values({name: bindparam(name) for name in names}),
    )
    tx.run(statement, of=new.id, **_encode_values(changed))
    counters.update_counters(tx, old, new)
    if not _TERM_COPIES.isdisjoint(changed):
        tx.run(_MOVE_TERMS, of=new.id, **{name: getattr(new, name) for name in _TERM_COPIES})
    if not {"title", "content", "excerpt"}.isdisjoint(changed):
        update_search_text(tx, new)
    if fields := work.site.custom_fields.get(new.type):
        value_rows.update_values(tx, fields, old, new)


def update_search_text(tx: Transaction, of: Record) -> None:
    """Write the folded copy of the texts that a search reads."""
    tx.run(_SEARCHABLE, **_fold_texts(of))


def _fold_texts(of: Record) -> dict[str, Any]:
    return {
        "record": of.id,
        "title": fold_text(of.title),
        "content": fold_text(of.content),
        "excerpt": fold_text(of.excerpt),
    }


def update_search_names(tx: Transaction, id: int, names: str) -> None:
    """Write further words that a search finds a record by: its file name."""
    tx.run(_NAMES, of=id, names=fold_text(names))


def delete_record_row(tx: Transaction, old: Record) -> None:
    """Delete a record's row; its revisions, terms and search copy go with it."""
    tx.run(_DELETE, id=old.id)
    counters.update_counters(tx, old, None)


def _encode_values(members: dict[str, Any]) -> dict[str, Any]:
    if "meta" in members:
        members["meta"] = orjson.dumps(members["meta"]).decode()
    return members
