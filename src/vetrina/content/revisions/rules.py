"""Revisions of records and their list; autosaves are in the same table (content/revisions/autosaves.py).

A save stores a revision when its text differs from the newest one. Their number is not limited.
Rules: docs/rules/revisions.md, 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, insert, select

from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.statement_cache import ContainsText, InList, StatementCache, encode_list
from vetrina.backends.tables.records import revision as table
from vetrina.content.records import meta, model as record_model
from vetrina.content.records.model import Record
from vetrina.content.search import relevance
from vetrina.content.search.terms import SearchTerms
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.kernel.folding import fold_text

_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
_PART_SEPARATOR = "\x1f"  # separates the texts that a search reads


class Revision(msgspec.Struct, frozen=True):
    """A stored state of a record's text. The fields are the columns of its table, in their order."""

    id: int
    parent: int
    author: int
    date: int
    date_gmt: int
    modified: int
    modified_gmt: int
    title: str
    title_key: str
    content: str
    excerpt: str
    search_key: str
    guid: str
    autosave: bool
    meta: dict[str, Any]

    @property
    def slug(self) -> str:
        return f"{self.parent}-{'autosave' if self.autosave else 'revision'}-v1"


class RevisionQuery(msgspec.Struct, frozen=True):
    """The query of a list of revisions. per_page: None for all on one page."""

    page: int = 1
    per_page: int | None = None
    offset: int | None = None
    search: SearchTerms | None = None
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    order: str = "desc"
    orderby: str = "date"


class InvalidRevisionOffset(ApiError):
    code = "rest_revision_invalid_offset_number"
    message = "The offset {offset} is not below the number of revisions, {total}."


class InvalidRevisionPage(ApiError):
    code = "rest_revision_invalid_page_number"
    message = "There is no page {page} of revisions; the last is {last}."


_COLUMNS = [column.name for column in table.c]
assert tuple(_COLUMNS) == Revision.__struct_fields__, "Revision and its table name the same members in the same order"

_BY_ID = Statement(select(table).where(table.c.id == bindparam("id")))
_NEWEST = Statement(
    select(table)
    .where(table.c.parent == bindparam("parent"), table.c.autosave.is_(False))
    .order_by(table.c.date_gmt.desc(), table.c.id.desc())
    .limit(1)
)
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _COLUMNS}))
_DELETE = Statement(delete(table).where(table.c.id == bindparam("id")))
_TALLY = Statement(select(func.count(), func.max(table.c.id)).where(table.c.parent == bindparam("parent")))
_LIST_STATEMENTS = StatementCache(most=64)


def row_to_revision(row: Row) -> Revision:
    members = [*row[:-2], bool(row[-2]), orjson.loads(row[-1])]
    return Revision(*members)


def find_revision(tx: Transaction, id: int) -> Revision | None:
    """Return the revision or autosave with this id."""
    row = tx.first(_BY_ID, id=id)
    return row_to_revision(row) if row else None


def save_revision(work: UnitOfWork, type: ContentType, of: Record) -> Record:
    """Store the state of a record unless the newest revision is the same; return the record with its count."""
    row = work.tx.first(_NEWEST, parent=of.id)
    if row is not None and _collect_compared_texts(work, type, row_to_revision(row)) == (
        _collect_compared_texts(work, type, of)
    ):
        return of
    new = insert_revision(
        work, of, author=work.user.id, autosave=False, texts=(of.title, of.content, of.excerpt), kept=of.meta
    )
    return msgspec.structs.replace(of, revisions=of.revisions + 1, last_revision=new.id)


def insert_revision(
    work: UnitOfWork, of: Record, *, author: int, autosave: bool, texts: tuple[str, str, str], kept: dict[str, Any],
    id: int = 0, saved: tuple[int, int] | None = None,
) -> Revision:  # fmt: skip
    """Store a revision or an autosave and return it.

    id: a free one that it takes, 0 for the next one. saved: when, in local time and GMT; None for now.
    """
    local, now = saved or (work.local_now, work.now)
    id = claim_id(work.tx, id)
    title, content, excerpt = texts
    new = Revision(
        id, of.id, author, local, now, local, now, title, fold_text(title), content, excerpt, build_search_key(*texts),
        f"{work.home(of.language)}/?p={id}", autosave,
        select_kept_meta(work, of.type, kept),
    )  # fmt: skip
    values = msgspec.structs.asdict(new)
    work.tx.run(_INSERT, **{**values, "meta": orjson.dumps(new.meta).decode()})
    return new


def build_search_key(title: str, content: str, excerpt: str) -> str:
    """Return the folded text that a search of revisions reads; a match cannot span two parts."""
    return fold_text(_PART_SEPARATOR.join((title, content, excerpt)))


def delete_revision(work: UnitOfWork, of: Record, old: Revision) -> None:
    """Delete one revision for good."""
    work.tx.run(_DELETE, id=old.id)
    recount_revisions(work, of)
    work.note("revision", old.id, "removed")


def recount_revisions(work: UnitOfWork, of: Record) -> Record:
    """Recount the revisions of a record and find the newest."""
    row = work.tx.first(_TALLY, parent=of.id)
    count, newest = row if row else (0, None)
    new = msgspec.structs.replace(of, revisions=count, last_revision=newest or 0)
    record_model.update_record_row(work, of, new)
    work.note(of.type, of.id, "changed")
    return new


def list_revisions(work: UnitOfWork, parent: int, query: RevisionQuery) -> tuple[Sequence[Revision], int]:
    """Return a page of a record's revisions and the number of all.

    Raises InvalidRevisionOffset and InvalidRevisionPage for a page that does not exist.
    """
    values: dict[str, Any] = {"parent": parent}
    if query.include:
        values["include"] = encode_list(abs(number) for number in query.include)
    elif query.exclude:
        values["exclude"] = encode_list(abs(number) for number in query.exclude)
    wanted = query.search.wanted if query.search else ()
    unwanted = query.search.unwanted if query.search else ()
    values.update({f"word_{at}": word for at, word in enumerate((*wanted, *unwanted))})
    by_include = query.orderby == "include"
    shape = (tuple(sorted(values)), len(wanted), query.orderby, query.order)

    def build() -> Any:
        statement = select(table).where(table.c.parent == bindparam("parent"))
        if "include" in values:
            statement = statement.where(InList(table.c.id, "include"))
        if "exclude" in values:
            statement = statement.where(~InList(table.c.id, "exclude"))
        for at in range(len(wanted) + len(unwanted)):
            found = ContainsText(table.c.search_key, f"word_{at}")
            statement = statement.where(found if at < len(wanted) else ~found)
        up = query.order == "asc"
        if query.orderby == "title":
            return statement.order_by(table.c.title_key.asc() if up else table.c.title_key.desc(), table.c.id)
        if query.orderby == "slug":
            # The slugs of one record's revisions differ in one word: `autosave` sorts before `revision`.
            return statement.order_by(table.c.autosave.desc() if up else table.c.autosave.asc(), table.c.id)
        keys = (table.c.id,) if query.orderby == "id" else (table.c.date_gmt, table.c.id)
        return statement.order_by(*(key.asc() if up else key.desc() for key in keys))

    rows = [row_to_revision(row) for row in work.tx.all(_LIST_STATEMENTS.get(shape, build), **values)]
    if by_include and query.include:
        place = {number: at for at, number in enumerate(query.include)}
        rows.sort(key=lambda row: place.get(row.id, len(place)))
    if query.orderby == "relevance" and query.search:
        search = query.search
        rows.sort(key=lambda row: relevance.compute_rank(search, *row.search_key.split(_PART_SEPARATOR, 2)))
    total = len(rows)
    if query.offset is not None and query.offset >= total > 0:
        raise InvalidRevisionOffset(offset=query.offset, total=total)
    last = -(-total // query.per_page) if query.per_page else 1
    if query.page > last and total and not query.offset:
        raise InvalidRevisionPage(page=query.page, last=last)
    if query.per_page is None:
        return rows, total
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    return rows[start : start + query.per_page], total


def select_kept_meta(work: UnitOfWork, type_name: str, meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meta fields that a revision keeps: footnotes and the site's own."""
    names = {"footnotes", *(one.name for one in work.site.custom_fields.get(type_name, ()))}
    return {name: value for name, value in meta.items() if name in names}


def _collect_compared_texts(
    work: UnitOfWork, type: ContentType, of: Record | Revision
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return what two states are compared by: texts, in which blanks at the ends do not count, and own fields."""
    footnotes = meta.serialize_meta(work.site, type, of.meta).get("footnotes", "")
    own = {name: value for name, value in select_kept_meta(work, type.name, of.meta).items() if name != "footnotes"}
    return tuple(map(normalize_blanks, (of.title, of.content, of.excerpt, footnotes))), own


def normalize_blanks(text: str) -> str:
    """Return a text as it is compared: runs of blanks are one, those at the ends none."""
    return _BLANKS.sub(" ", text.strip())
