"""Records of every type: create, change, trash, bring back, remove.

One call is one save: slug, date, status, markup, terms and the revision follow from each other here and nowhere else.
Not here: what becomes of the given members (content/records/input.py), who may (the routes ask
access/roles/capabilities.py), which records a list shows (content/records/listing.py). Rules: facts of the interface,
"Records: writing".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.roles.capabilities import may_publish
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.core import record as record_table
from vetrina.content.comments import rules as comments
from vetrina.content.menus import item_links, item_rules
from vetrina.content.records import (
    ancestry,
    lifecycle,
    permalinks,
)
from vetrina.content.records import (
    input as record_input,
)
from vetrina.content.records import (
    languages as record_languages,
)
from vetrina.content.records import (
    model as record_model,
)
from vetrina.content.records import (
    slugs as record_slugs,
)
from vetrina.content.records.model import Record
from vetrina.content.revisions import rules as revisions
from vetrina.content.terms import store as term_store  # fmt: skip
from vetrina.content.translations import (
    copies as translation_copies,
)
from vetrina.content.translations import (
    groups as translation_groups,
)
from vetrina.content.translations import (
    record_translations,
)
from vetrina.content.translations.copies import DUPLICATE_OF
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError

__all__ = ["RecordUnknown", "change", "create", "existing", "publish", "reassign", "remove", "trash", "trash_of"]


class RecordUnknown(ApiError):
    """No record of this type has the number."""

    status, code = 404, "rest_post_invalid_id"
    message = "Invalid post ID."


_OF_AUTHOR = Statement(select(record_table).where(record_table.c.author == bindparam("author")))
_FEATURED = Statement(select(record_table).where(record_table.c.featured_media == bindparam("media")))
_WRITTEN_TEXTS = ("title", "content", "excerpt")
_NAMING_RECORDS = ("page_on_front", "page_for_posts", "site_logo", "site_icon")


def existing(work: Work, type: ContentType, id: int) -> Record:
    """Return the record of a type with a number. Raises RecordUnknown."""
    found = record_model.by_id(work.tx, id) if id > 0 else None
    if found is None or found.type != type.name:
        raise RecordUnknown
    work.uses(type.name)
    return found


def create(work: Work, type: ContentType, given: Mapping[str, Any], *, guid: str = "", language: str = "") -> Record:
    """Store a new record and return it.

    given: the written members, typed; those that the type does not have are passed over.
    guid: what names it for ever, where that is not its first address. language: where it is not that of the request.
    Raises CannotPublish, InvalidAuthor, InvalidField, ParentUnknown, EmptyContent, InvalidDate, InvalidMeta.
    """
    new = record_input.blank(work, type, record_languages.of_new(work, type, given, language))
    new = record_input.written(work, type, new, given, creating=True)
    new = msgspec.structs.replace(new, id=next_number(work.tx))
    new = msgspec.structs.replace(new, translations=new.id, slug=_slug(work, type, None, new, given))
    new = msgspec.structs.replace(new, guid=guid or permalinks.link(work, type, new))
    record_model.insert_new(work.tx, new)
    _assign_terms(work, type, new, given)
    lifecycle.await_date(work, None, new)
    work.note(type.name, new.id, "created")
    new = record_languages.linked(work, type, new, given)
    _join_menus(work, type, None, new)
    return new


def change(work: Work, type: ContentType, old: Record, given: Mapping[str, Any]) -> Record:
    """Store the given members of a record, keep a revision where its text changed, and return the new state.

    Raises what create raises.
    """
    old = record_languages.linked(work, type, record_languages.moved(work, type, old, given), given)
    new = record_input.written(work, type, old, given, creating=False)
    restored = old.status == "trash" and new.status != "trash"
    new = msgspec.structs.replace(new, slug=_slug(work, type, old, new, given))
    if restored:
        new = msgspec.structs.replace(new, trashed_status="", trashed_slug="")
        comments.unshelve_of(work, old.id)
        work.tell(type.name, old.id, "restored")
    return _saved(work, type, old, new, given)


def publish(work: Work, type: ContentType, old: Record) -> Record:
    """Publish a record that waited for its date, as it stands: text, date and `modified` stay what they were."""
    return _saved(work, type, old, msgspec.structs.replace(old, status="publish"), {})


def trash(work: Work, type: ContentType, old: Record) -> Record:
    """Move a record to the trash, where it frees its slug; its translations too where they go together.

    Raises AlreadyTrashed.
    """
    if old.status == "trash":
        raise lifecycle.AlreadyTrashed
    together = record_translations.going_with(work, type, old)
    trashed = _trash(work, type, old)
    for one in together:
        if one.status != "trash":
            _trash(work, type, one)
    return trashed


def _trash(work: Work, type: ContentType, old: Record) -> Record:
    slug = record_slugs.free(
        work.tx, type, record_slugs.trashed(old.slug), language=old.language, parent=old.parent, id=old.id
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
    comments.shelve_of(work, old.id)
    _forget_settings(work, old)
    work.tell(type.name, old.id, "trashed")
    return _saved(work, type, old, new, {})


def remove(work: Work, type: ContentType, old: Record) -> None:
    """Remove a record for good, with its revisions; its children move up to its parent, where a taken slug changes.

    Its translations are removed too where they go together.
    """
    together = record_translations.going_with(work, type, old)
    _remove(work, type, old)
    for one in together:
        _remove(work, type, one)


def _remove(work: Work, type: ContentType, old: Record) -> None:
    held = term_store.of_records(work.tx, [old.id]).get(old.id, [])
    children = ancestry.children(work.tx, old.id)
    comments.remove_of(work, old.id)
    item_links.drop_items_of(work, "post_type", old.id)
    record_model.erase(work.tx, old)
    record_translations.after_removal(work, old)
    _forget_featured(work, old.id)
    _forget_settings(work, old)
    for child in children:
        _lift(work, child, old.parent)
    if held:
        term_store.recount(work, [term.id for term in held])
    work.note(type.name, old.id, "removed")


def _forget_featured(work: Work, media: int) -> None:
    """Take an image that goes from the records that show it."""
    for row in work.tx.all(_FEATURED, media=media):
        old = record_model.of_row(row)
        record_model.store(work.tx, old, msgspec.structs.replace(old, featured_media=0))
        work.note(old.type, old.id, "changed")


def _forget_settings(work: Work, gone: Record) -> None:
    """Take a record that goes from the settings of the site that name it: its front, its signs.

    A translation that readers see takes its place.
    """
    named = [name for name in _NAMING_RECORDS if work.option(name) == gone.id]
    if not named:
        return
    work.memo.clear()
    left = translation_groups.in_order(work, record_translations.published(work, gone).values())
    heir = next((one.id for one in left if one.id != gone.id), 0)
    if "page_on_front" in named and not heir and work.option("show_on_front") == "page":
        work.set_option("show_on_front", "posts")
    for name in named:
        work.set_option(name, heir or (None if name == "site_logo" else 0))


def _lift(work: Work, child: Record, parent: int) -> None:
    type = work.frame.types.get(child.type)
    slug = child.slug
    if type is not None:
        types = work.frame.types
        slug = record_slugs.free(work.tx, type, slug, language=child.language, parent=parent, id=child.id, types=types)
    record_model.store(work.tx, child, msgspec.structs.replace(child, parent=parent, slug=slug))
    work.note(child.type, child.id, "changed")


def reassign(work: Work, from_id: int, to_id: int) -> None:
    """Give every record of one author to another."""
    for row in work.tx.all(_OF_AUTHOR, author=from_id):
        old = record_model.of_row(row)
        record_model.store(work.tx, old, msgspec.structs.replace(old, author=to_id))
        work.note(old.type, old.id, "changed")


def trash_of(work: Work, author_id: int) -> None:
    """Move every record of an author to the trash; those that know none pass to the caller."""
    for row in work.tx.all(_OF_AUTHOR, author=author_id):
        old = record_model.of_row(row)
        type = work.frame.types.get(old.type)
        if type is not None and not type.trash:
            record_model.store(work.tx, old, msgspec.structs.replace(old, author=work.user.id))
            work.note(old.type, old.id, "changed")
        elif type is not None and old.status != "trash":
            trash(work, type, old)


# -- one save


def _slug(work: Work, type: ContentType, old: Record | None, new: Record, given: Mapping[str, Any]) -> str:
    """Return the slug after a save."""
    slug = given.get("slug", new.slug)
    if old is not None and old.status == "trash" and new.status != "trash" and old.trashed_slug:
        slug = old.trashed_slug
    if new.status == "pending" and not may_publish(work.user, type):
        slug = ""
    slug = slugs.slugify(slug)
    if not slug and new.status not in record_slugs.UNNAMED:
        slug = slugs.slugify(new.title) or str(new.id)
    if old is not None and slug == old.slug and new.parent == old.parent and new.type == old.type:
        return slug
    types = work.frame.types
    return record_slugs.free(work.tx, type, slug, language=new.language, parent=new.parent, id=new.id, types=types)


def _saved(work: Work, type: ContentType, old: Record, new: Record, given: Mapping[str, Any]) -> Record:
    """Write a changed record with its terms and its revision."""
    # A record's first address is plain where it is made, and as it stands in markup from the first change on.
    if "&p=" in new.guid:
        new = msgspec.structs.replace(new, guid=new.guid.replace("&p=", "&#038;p="))
    if DUPLICATE_OF in new.meta and any(getattr(old, name) != getattr(new, name) for name in _WRITTEN_TEXTS):
        # Whoever writes into a copy of another language makes a translation of it, which nothing overwrites.
        new = msgspec.structs.replace(new, meta={key: one for key, one in new.meta.items() if key != DUPLICATE_OF})
    if type.has("revisions"):
        new = revisions.keep(work, type, new)
    record_model.store(work.tx, old, new)
    new = msgspec.structs.replace(new, version=old.version + 1)
    _assign_terms(work, type, new, given)
    if (old.status == "publish") != (new.status == "publish"):
        held = term_store.of_records(work.tx, [new.id]).get(new.id, [])
        term_store.recount(work, [term.id for term in held])
    lifecycle.await_date(work, old, new)
    work.note(type.name, new.id, "changed")
    work.memo.clear()
    translation_copies.follow(work, type, new, old)
    _join_menus(work, type, old, new)
    return new


def _join_menus(work: Work, type: ContentType, old: Record | None, new: Record) -> None:
    """Put a page at the top of the tree into the menus that take new pages, when it is published."""
    published = new.status == "publish" and (old is None or old.status != "publish")
    if published and type.address == "tree" and not new.parent:
        item_rules.add_page(work, new)


def _assign_terms(work: Work, type: ContentType, of: Record, given: Mapping[str, Any]) -> None:
    """Assign the given terms; a record that names none gets the default of a taxonomy that has one."""
    for taxonomy in work.frame.taxonomies_of(type):
        if taxonomy.base in given:
            term_store.assign(work, of.id, taxonomy, given[taxonomy.base])
        elif taxonomy.default_option:
            held = term_store.of_records(work.tx, [of.id]).get(of.id, [])
            if not any(term.taxonomy == taxonomy.name for term in held):
                default = record_languages.default_term(work, taxonomy.default_option, taxonomy.name, of.language)
                term_store.assign(work, of.id, taxonomy, [default])
