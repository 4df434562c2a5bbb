"""Deleting a record for good, and what goes with it or moves up; what named it forgets it.

Not here: the trash (content/records/trash.py). Rules: docs/rules/statuses.md, 7 and 11; docs/rules/records.md, 7.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record as record_table
from vetrina.content.comments import rules as comments
from vetrina.content.menus import item_links
from vetrina.content.records import (
    ancestry,
    model as record_model,
    permalinks,
    public_transitions,
    slugs as record_slugs,
)
from vetrina.content.records.model import Record
from vetrina.content.redirects import record_moves
from vetrina.content.terms import store as term_store  # fmt: skip
from vetrina.content.translations import (
    groups as translation_groups,
    record_translations,
)
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork

_FEATURED = Statement(select(record_table).where(record_table.c.featured_media == bindparam("media")))
_NAMING_RECORDS = ("page_on_front", "page_for_posts", "site_logo", "site_icon")


def delete_record(work: UnitOfWork, type: ContentType, old: Record) -> None:
    """Delete a record for good, with its revisions; its children move up to its parent, where a taken slug changes.

    Its translations are deleted too where they go together.
    """
    together = record_translations.list_joint_removals(work, type, old)
    _delete_one(work, type, old)
    for one in together:
        _delete_one(work, type, one)


def _delete_one(work: UnitOfWork, type: ContentType, old: Record) -> None:
    before = public_transitions.describe_removed_record(work, type, old)
    held = term_store.list_terms_by_record(work.tx, [old.id]).get(old.id, [])
    children = ancestry.list_child_records(work.tx, old.id)
    links = _build_public_links(work, children)
    comments.note_removed_comments(work, old.id)
    item_links.delete_items_of_original(work, "post_type", old.id)
    record_model.delete_record_row(work.tx, old)
    record_translations.promote_next_original_record(work, old)
    _forget_featured(work, old.id)
    forget_settings(work, old)
    record_moves.forget_addresses(work, old.id)
    for child in children:
        _move_child_up(work, child, old.parent, links.get(child.id, ""))
    if held:
        term_store.recount_terms(work, [term.id for term in held])
    work.note(type.name, old.id, "removed", before)
    work.describe(type.name, old.id, old.title)


def _forget_featured(work: UnitOfWork, media: int) -> None:
    """Remove an image that is being deleted from the records that feature it."""
    for row in work.tx.all(_FEATURED, media=media):
        old = record_model.row_to_record(row)
        record_model.update_record_row(work, old, msgspec.structs.replace(old, featured_media=0))
        work.note(old.type, old.id, "changed")


def forget_settings(work: UnitOfWork, deleted: Record) -> None:
    """Remove a record that is being deleted from the site settings that name it (front page, posts page, logo, icon).

    A translation that readers see takes its place.
    """
    named = [name for name in _NAMING_RECORDS if work.option(name) == deleted.id]
    if not named:
        return
    work.lookups.clear()
    left = translation_groups.sort_by_language(
        work, record_translations.load_published_translations(work, deleted).values()
    )
    heir = next((one.id for one in left if one.id != deleted.id), 0)
    if "page_on_front" in named and not heir and work.option("show_on_front") == "page":
        work.set_option("show_on_front", "posts")
    for name in named:
        work.set_option(name, heir or (None if name == "site_logo" else 0))


def _build_public_links(work: UnitOfWork, records: Iterable[Record]) -> dict[int, str]:
    """Return the URLs of those records that everybody sees, by id."""
    types = work.site.types
    return {
        one.id: permalinks.build_permalink(work, types[one.type], one)
        for one in records
        if one.type in types and types[one.type].public and one.status == "publish"
    }


def _move_child_up(work: UnitOfWork, child: Record, parent: int, link: str) -> None:
    """Move a record whose parent is being deleted to that one's parent; link: its public URL so far, empty for none."""
    type = work.site.types.get(child.type)
    slug = child.slug
    if type is not None:
        types = work.site.types
        slug = record_slugs.find_free_slug(
            work.tx, type, slug, language=child.language, parent=parent, id=child.id, types=types
        )
    record_model.update_record_row(work, child, msgspec.structs.replace(child, parent=parent, slug=slug))
    if link and type is not None:
        record_moves.remember_old_address(work, type, child, link)
    work.note(child.type, child.id, "changed")
