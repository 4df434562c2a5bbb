"""Records that belong to the site as a whole, not to a language or a reader: templates, styles, fonts.

They live in the table of all records, under the site's own language, and are found whatever language a request selects
by. Not here: what each of them means (design/templates/rules.py, design/styles/rules.py, design/fonts/rules.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import account
from vetrina.backends.tables.core import record as table
from vetrina.content.feeds import rules as feeds
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.revisions import rules as revisions
from vetrina.content.translations import record_translations
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import sort_key

__all__ = ["add", "all_of", "authors", "blank", "by_id", "change", "children", "remove", "with_slug"]

_ALL = Statement(
    select(table).where(table.c.type == bindparam("type")).order_by(table.c.date_gmt.desc(), table.c.id.desc())
)
_WITH_SLUG = Statement(select(table).where(table.c.type == bindparam("type"), table.c.slug == bindparam("slug")))
_CHILDREN = Statement(
    select(table).where(table.c.type == bindparam("type"), table.c.parent == bindparam("parent")).order_by(table.c.id)
)

_AUTHORS = Statement(select(account.c.id, account.c.name).where(Among(account.c.id, "ids")))


def blank(work: Work, type: ContentType, **members: Any) -> Record:
    """Return a new record of the site, not stored yet, with some of its members."""
    now, local = work.now, work.local_now
    empty = Record(
        id=0, type=type.name, status="publish", language=work.frame.profile.default_language, translations=0, slug="",
        author=work.user.id, parent=0, menu_order=0, date=local, date_gmt=now, modified=local, modified_gmt=now,
        title="", title_key="", title_html="", content="", content_html="", block_version=0, excerpt="",
        excerpt_html="", renderer=0, password="", comment_status="closed", ping_status="closed", format="standard",
        template="", featured_media=0, guid="", trashed_status="", trashed_slug="", revisions=0, last_revision=0,
        version=1, meta={}, floating=False, sticky=False,
    )  # fmt: skip
    return msgspec.structs.replace(empty, **members)


def add(work: Work, type: ContentType, new: Record) -> Record:
    """Store a new record and return it with its number."""
    number = next_number(work.tx)
    new = msgspec.structs.replace(
        new,
        id=number,
        translations=number,
        title_key=sort_key(new.title),
        guid=f"{work.home(new.language)}/?p={number}",
    )
    record_model.insert_new(work.tx, new)
    feeds.wanted(work, new.content)
    work.note(type.name, new.id, "created")
    return new


def change(work: Work, type: ContentType, old: Record, **members: Any) -> Record:
    """Store members of a record, keep a revision where its type has them, and return the new state."""
    new = msgspec.structs.replace(old, modified=work.local_now, modified_gmt=work.now, **members)
    new = msgspec.structs.replace(new, title_key=sort_key(new.title))
    if type.has("revisions"):
        new = revisions.keep(work, type, new)
    record_model.store(work.tx, old, new)
    feeds.wanted(work, new.content)
    work.note(type.name, new.id, "changed")
    return msgspec.structs.replace(new, version=old.version + 1)


def remove(work: Work, type: ContentType, old: Record) -> None:
    """Remove a record for good, with its revisions."""
    record_model.erase(work.tx, old)
    record_translations.after_removal(work, old)
    work.note(type.name, old.id, "removed")


def by_id(work: Work, type: ContentType, id: int) -> Record | None:
    """Return the record of a type with a number, whatever its status."""
    work.uses(type.name)
    found = record_model.by_id(work.tx, id) if id > 0 else None
    return found if found is not None and found.type == type.name else None


def all_of(work: Work, type: ContentType) -> list[Record]:
    """Return every record of a type, the newest first."""
    work.uses(type.name)
    return [record_model.of_row(row) for row in work.tx.all(_ALL, type=type.name)]


def with_slug(work: Work, type: ContentType, slug: str) -> list[Record]:
    """Return the records of a type with a slug; those of several themes may share one."""
    work.uses(type.name)
    return [record_model.of_row(row) for row in work.tx.all(_WITH_SLUG, type=type.name, slug=slug)]


def authors(work: Work, ids: Iterable[int]) -> dict[int, str]:
    """Return what the accounts with some numbers are called; those that are gone are left out."""
    work.uses("user")
    wanted = sorted(set(ids))
    return {row[0]: row[1] for row in work.tx.all(_AUTHORS, ids=listed(wanted))} if wanted else {}


def children(work: Work, type: ContentType, parent: int) -> list[Record]:
    """Return the records of a type below another, the oldest first."""
    work.uses(type.name)
    return [record_model.of_row(row) for row in work.tx.all(_CHILDREN, type=type.name, parent=parent)]
