"""Records that belong to the site as a whole, not to a language or a user: templates, styles, fonts.

They are rows of the record table under the site's own language, and are found whatever language a request selects. Each
subject: design/templates/rules.py, design/styles/rules.py, design/fonts/rules.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.records import record as table
from vetrina.content.feeds import rules as feeds
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.revisions import rules as revisions
from vetrina.content.translations import record_translations
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import build_sort_key

_ALL = Statement(
    select(table).where(table.c.type == bindparam("type")).order_by(table.c.date_gmt.desc(), table.c.id.desc())
)
_WITH_SLUG = Statement(select(table).where(table.c.type == bindparam("type"), table.c.slug == bindparam("slug")))
_CHILDREN = Statement(
    select(table).where(table.c.type == bindparam("type"), table.c.parent == bindparam("parent")).order_by(table.c.id)
)

_AUTHORS = Statement(select(account.c.id, account.c.name).where(InList(account.c.id, "ids")))


def build_entry(work: UnitOfWork, type: ContentType, **members: Any) -> Record:
    """Return a new record of the site, not stored yet, with the given fields."""
    now, local = work.now, work.local_now
    empty = Record(
        id=0, type=type.name, status="publish", language=work.site.profile.default_language, translations=0, slug="",
        author=work.user.id, parent=0, menu_order=0, date=local, date_gmt=now, modified=local, modified_gmt=now,
        title="", title_key="", title_html="", content="", content_html="", block_version=0, excerpt="",
        excerpt_html="", renderer=0, password="", comment_status="closed", ping_status="closed", format="standard",
        template="", featured_media=0, guid="", trashed_status="", trashed_slug="", revisions=0, last_revision=0,
        version=1, meta={}, floating=False, sticky=False,
    )  # fmt: skip
    return msgspec.structs.replace(empty, **members)


def insert_entry(work: UnitOfWork, type: ContentType, new: Record) -> Record:
    """Store a new record and return it with its id, its own where it has one already."""
    number = claim_id(work.tx, new.id)
    new = msgspec.structs.replace(
        new,
        id=number,
        translations=number,
        title_key=build_sort_key(new.title),
        guid=f"{work.home(new.language)}/?p={number}",
    )
    record_model.insert_record(work, new)
    feeds.request_feeds(work, new.content)
    work.note(type.name, new.id, "created")
    return new


def update_entry(work: UnitOfWork, type: ContentType, old: Record, **members: Any) -> Record:
    """Store fields of a record, add a revision if its type has them, and return the new state."""
    new = msgspec.structs.replace(old, modified=work.local_now, modified_gmt=work.now, **members)
    new = msgspec.structs.replace(new, title_key=build_sort_key(new.title))
    if type.has("revisions"):
        new = revisions.save_revision(work, type, new)
    record_model.update_record_row(work, old, new)
    feeds.request_feeds(work, new.content)
    work.note(type.name, new.id, "changed")
    return msgspec.structs.replace(new, version=old.version + 1)


def delete_entry(work: UnitOfWork, type: ContentType, old: Record) -> None:
    """Delete a record for good, with its revisions."""
    record_model.delete_record_row(work.tx, old)
    record_translations.promote_next_original_record(work, old)
    work.note(type.name, old.id, "removed")


def find_entry(work: UnitOfWork, type: ContentType, id: int) -> Record | None:
    """Return the record of a type with an id, whatever its status."""
    work.uses(type.name)
    found = record_model.find_record(work.tx, id) if id > 0 else None
    return found if found is not None and found.type == type.name else None


def list_entries(work: UnitOfWork, type: ContentType) -> list[Record]:
    """Return every record of a type, the newest first."""
    work.uses(type.name)
    return [record_model.row_to_record(row) for row in work.tx.all(_ALL, type=type.name)]


def list_entries_by_slug(work: UnitOfWork, type: ContentType, slug: str) -> list[Record]:
    """Return the records of a type with a slug; several themes may use the same one."""
    work.uses(type.name)
    return [record_model.row_to_record(row) for row in work.tx.all(_WITH_SLUG, type=type.name, slug=slug)]


def load_author_names(work: UnitOfWork, ids: Iterable[int]) -> dict[int, str]:
    """Return the display names of accounts by id; deleted accounts are left out."""
    work.uses("user")
    wanted = sorted(set(ids))
    return {row[0]: row[1] for row in work.tx.all(_AUTHORS, ids=encode_list(wanted))} if wanted else {}


def list_child_entries(work: UnitOfWork, type: ContentType, parent: int) -> list[Record]:
    """Return the records of a type below a parent, the oldest first."""
    work.uses(type.name)
    return [record_model.row_to_record(row) for row in work.tx.all(_CHILDREN, type=type.name, parent=parent)]
