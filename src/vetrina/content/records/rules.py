"""Records of every type: create, change, trash, restore, delete.

One call is one save: slug, date, status, markup, terms and the revision follow from each other here and nowhere else.
Not here: what becomes of the given members (content/records/input.py), permissions (content/records/routes.py).
Rules: docs/rules/records.md, 1, 7, 9 and 14; docs/rules/statuses.md, 6, 7, 10 and 11; docs/rules/kinds.md, 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.roles.capabilities import may_publish_records
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.tables.records import record as record_table
from vetrina.content.comments import rules as comments
from vetrina.content.custom_fields import field_values
from vetrina.content.menus import item_links, item_rules
from vetrina.content.records import (
    ancestry,
    input as record_input,
    languages as record_languages,
    model as record_model,
    permalinks,
    public_state,
    scheduling,
    slugs as record_slugs,
    statuses,
)
from vetrina.content.records.model import Record
from vetrina.content.redirects import moves as record_moves
from vetrina.content.revisions import rules as revisions
from vetrina.content.terms import store as term_store  # fmt: skip
from vetrina.content.translations import (
    copies as translation_copies,
    groups as translation_groups,
    record_translations,
    shared_fields,
)
from vetrina.content.translations.copies import DUPLICATE_OF
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure


class RecordNotFound(ApiError):
    """No record of this type has the id."""

    failure, code = Failure.NOT_FOUND, "rest_post_invalid_id"
    message = "Invalid post ID."


_OF_AUTHOR = Statement(select(record_table).where(record_table.c.author == bindparam("author")))
_FEATURED = Statement(select(record_table).where(record_table.c.featured_media == bindparam("media")))
_WRITTEN_TEXTS = ("title", "content", "excerpt")
_NAMING_RECORDS = ("page_on_front", "page_for_posts", "site_logo", "site_icon")


def get_record(work: UnitOfWork, type: ContentType, id: int) -> Record:
    """Return the record of a type with this id. Raises RecordNotFound."""
    found = record_model.find_record(work.tx, id) if id > 0 else None
    if found is None or found.type != type.name:
        raise RecordNotFound
    work.uses_items(type.name, (id,))
    return found


def create_record(
    work: UnitOfWork,
    type: ContentType,
    given: Mapping[str, Any],
    *,
    guid: str = "",
    language: str = "",
    fields: Mapping[str, Any] | None = None,
    id: int = 0,
) -> Record:
    """Store a new record and return it.

    given: the written members, typed; those that the type does not have are ignored.
    guid: its permanent identifier, if not its first URL. language: if not that of the request. fields: the stored
    values of the site's own fields that it starts with. id: a free one that it takes, 0 for the next one.
    Raises CannotPublishRecord, InvalidRecordAuthor, InvalidFeaturedMedia, ParentNotFound, EmptyRecordContent,
    InvalidDate, InvalidMeta.
    """
    expect_creation_reads(work, type, given, language)
    # Without a record yet, which would be no rival of its own slug.
    id = claim_id(work.tx, id)
    new = record_input.build_blank_record(
        work, type, record_languages.choose_record_language(work, type, given, language)
    )
    new = record_input.apply_members(
        work, type, msgspec.structs.replace(new, meta={**(fields or {})}), given, creating=True
    )
    new = msgspec.structs.replace(new, id=id, translations=id)
    new = msgspec.structs.replace(new, slug=_resolve_slug(work, type, None, new, given))
    new = msgspec.structs.replace(new, guid=guid or permalinks.build_permalink(work, type, new))
    record_model.insert_record(work, new)
    _assign_terms(work, type, new, given, is_new=True)
    scheduling.schedule_publication(work, None, new)
    published = {"transition": "published"} if new.status == "publish" else None
    work.note(type.name, new.id, "created", published)
    if published:
        work.tell(type.name, new.id, "published")
        work.describe(type.name, new.id, new.title)
    shared = _select_shared_values(work, type, new, given)
    new = record_languages.link_record(work, type, new, given)
    new = shared_fields.spread_record_values(work, new, shared)
    _add_to_menus(work, type, None, new)
    return new


def update_record(work: UnitOfWork, type: ContentType, old: Record, given: Mapping[str, Any]) -> Record:
    """Store the given members of a record, keep a revision where its text changed, and return the new state.

    Raises what `create_record` raises.
    """
    shown = old
    old = record_languages.link_record(work, type, record_languages.move_record_language(work, type, old, given), given)
    new = record_input.apply_members(work, type, old, given, creating=False)
    restored = old.status == "trash" and new.status != "trash"
    new = msgspec.structs.replace(new, slug=_resolve_slug(work, type, old, new, given))
    if restored:
        new = msgspec.structs.replace(new, trashed_status="", trashed_slug="")
        comments.unshelve_comments(work, old.id)
        work.tell(type.name, old.id, "restored")
        work.describe(type.name, old.id, new.title)
    new = _save_record(work, type, old, new, given, shown)
    return shared_fields.spread_record_values(work, new, _select_shared_values(work, type, new, given))


def _select_shared_values(work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]) -> dict[str, Any]:
    if type.name not in work.site.custom_fields:
        return {}
    return shared_fields.select_shared_values(work, type.name, of.meta, field_values.collect_given_values(given))


def publish_record(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    """Publish a scheduled record as it stands: text, date and `modified` do not change."""
    return _save_record(work, type, old, msgspec.structs.replace(old, status="publish"), {})


def trash_record(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    """Move a record to the trash, where it frees its slug; its translations too where they go together.

    Raises RecordAlreadyTrashed.
    """
    if old.status == "trash":
        raise statuses.RecordAlreadyTrashed
    together = record_translations.list_joint_removals(work, type, old)
    trashed = _trash_one(work, type, old)
    for one in together:
        if one.status != "trash":
            _trash_one(work, type, one)
    return trashed


def _trash_one(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    slug = record_slugs.find_free_slug(
        work.tx, type, record_slugs.build_trashed_slug(old.slug), language=old.language, parent=old.parent, id=old.id
    )
    new = msgspec.structs.replace(
        old,
        status="trash",
        trashed_status=old.status,
        trashed_slug=old.slug,
        slug=slug,
        sticky=False,
        modified=work.local_now,
        modified_gmt=work.now,
    )
    comments.shelve_comments(work, old.id)
    _forget_settings(work, old)
    work.tell(type.name, old.id, "trashed")
    work.describe(type.name, old.id, old.title)
    return _save_record(work, type, old, new, {})


def delete_record(work: UnitOfWork, type: ContentType, old: Record) -> None:
    """Delete a record for good, with its revisions; its children move up to its parent, where a taken slug changes.

    Its translations are deleted too where they go together.
    """
    together = record_translations.list_joint_removals(work, type, old)
    _delete_one(work, type, old)
    for one in together:
        _delete_one(work, type, one)


def _delete_one(work: UnitOfWork, type: ContentType, old: Record) -> None:
    before = public_state.describe_removed_record(work, type, old)
    held = term_store.list_terms_by_record(work.tx, [old.id]).get(old.id, [])
    children = ancestry.list_child_records(work.tx, old.id)
    links = _build_public_links(work, children)
    comments.note_removed_comments(work, old.id)
    item_links.delete_items_of_original(work, "post_type", old.id)
    record_model.delete_record_row(work.tx, old)
    record_translations.promote_next_original_record(work, old)
    _forget_featured(work, old.id)
    _forget_settings(work, old)
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


def _forget_settings(work: UnitOfWork, deleted: Record) -> None:
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


def reassign_records(work: UnitOfWork, from_id: int, to_id: int) -> None:
    """Give every record of one author to another."""
    for row in work.tx.all(_OF_AUTHOR, author=from_id):
        old = record_model.row_to_record(row)
        record_model.update_record_row(work, old, msgspec.structs.replace(old, author=to_id))
        work.note(old.type, old.id, "changed")


def trash_records_of_author(work: UnitOfWork, author_id: int) -> None:
    """Move every record of an author to the trash; those of types without a trash pass to the caller."""
    for row in work.tx.all(_OF_AUTHOR, author=author_id):
        old = record_model.row_to_record(row)
        type = work.site.types.get(old.type)
        if type is not None and not type.trash:
            record_model.update_record_row(work, old, msgspec.structs.replace(old, author=work.user.id))
            work.note(old.type, old.id, "changed")
        elif type is not None and old.status != "trash":
            trash_record(work, type, old)


# -- saving


def _resolve_slug(
    work: UnitOfWork, type: ContentType, old: Record | None, new: Record, given: Mapping[str, Any]
) -> str:
    """Return the slug after a save."""
    slug = given.get("slug", new.slug)
    if old is not None and old.status == "trash" and new.status != "trash" and old.trashed_slug:
        slug = old.trashed_slug
    if new.status == "pending" and not may_publish_records(work.user, type, new.language):
        slug = ""
    slug = slugs.slugify(slug)
    if not slug and new.status not in record_slugs.UNNAMED_STATUSES:
        slug = slugs.slugify(new.title) or str(new.id)
    if old is not None and slug == old.slug and new.parent == old.parent and new.type == old.type:
        return slug
    types = work.site.types
    return record_slugs.find_free_slug(
        work.tx, type, slug, language=new.language, parent=new.parent, id=new.id if old else 0, types=types
    )


def expect_creation_reads(work: UnitOfWork, type: ContentType, given: Mapping[str, Any], language: str = "") -> None:
    """Expect what the usual creation of a record reads."""
    title = given.get("title")
    raw = title.get("raw") if isinstance(title, Mapping) else title
    slug = slugs.slugify(given.get("slug") or "") or slugs.slugify(raw if isinstance(raw, str) else "")
    record_slugs.expect_free_slug(
        work.tx, type, slug, language=given.get("lang") or language or work.language, parent=given.get("parent") or 0,
        types=work.site.types,
    )  # fmt: skip
    for taxonomy in work.site.taxonomies_of(type):
        if ids := given.get(taxonomy.base):
            term_store.expect_known_terms(work.tx, taxonomy, ids)


def _save_record(
    work: UnitOfWork, type: ContentType, old: Record, new: Record, given: Mapping[str, Any], shown: Record | None = None
) -> Record:
    """Write a changed record with its terms and its revision. shown: as it was before it moved to another language."""
    # The first URL is stored plain on creation, and escaped as in markup from the first change on.
    if "&p=" in new.guid:
        new = msgspec.structs.replace(new, guid=new.guid.replace("&p=", "&#038;p="))
    if DUPLICATE_OF in new.meta and any(getattr(old, name) != getattr(new, name) for name in _WRITTEN_TEXTS):
        # Writing into a copy for another language makes it a translation, which nothing overwrites.
        new = msgspec.structs.replace(new, meta={key: one for key, one in new.meta.items() if key != DUPLICATE_OF})
    if type.has("revisions"):
        new = revisions.save_revision(work, type, new)
    before = public_state.describe_saved_record(work, type, shown or old, new)
    record_model.update_record_row(work, old, new)
    if before is not None and before["transition"] == "moved":
        record_moves.remember_old_address(work, type, new, before["link"])
    new = msgspec.structs.replace(new, version=old.version + 1)
    _assign_terms(work, type, new, given)
    if (old.status == "publish") != (new.status == "publish"):
        work.tell(type.name, new.id, "published" if new.status == "publish" else "unpublished")
        work.describe(type.name, new.id, new.title)
        held = term_store.list_terms_by_record(work.tx, [new.id]).get(new.id, [])
        term_store.recount_terms(work, [term.id for term in held])
    scheduling.schedule_publication(work, old, new)
    work.note(type.name, new.id, "changed", before)
    work.lookups.clear()
    translation_copies.copy_to_translations(work, type, new, old)
    _add_to_menus(work, type, old, new)
    return new


def _add_to_menus(work: UnitOfWork, type: ContentType, old: Record | None, new: Record) -> None:
    """Add a page at the top of the tree to the menus that take new pages, when it is published."""
    published = new.status == "publish" and (old is None or old.status != "publish")
    if published and type.address == "tree" and not new.parent:
        item_rules.add_page_to_menus(work, new)


def _assign_terms(
    work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any], *, is_new: bool = False
) -> None:
    """Assign the given terms; a record without any gets the default of a taxonomy that has one."""
    for taxonomy in work.site.taxonomies_of(type):
        if taxonomy.base in given:
            term_store.assign_terms(work, of.id, taxonomy, given[taxonomy.base], is_new=is_new)
        elif taxonomy.default_option:
            held = [] if is_new else term_store.list_terms_by_record(work.tx, [of.id]).get(of.id, [])
            if not any(term.taxonomy == taxonomy.name for term in held):
                default = record_languages.get_default_term_id(
                    work, taxonomy.default_option, taxonomy.name, of.language
                )
                term_store.assign_terms(work, of.id, taxonomy, [default])
