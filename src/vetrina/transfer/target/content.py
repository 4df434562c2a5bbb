"""Posts, pages, records of own types, patterns and navigations of the source.

They are written as a save writes them (content/records/rules.py), but what a save would choose is as it was there: id,
dates, slug, status, author. Pages join no menu by themselves, for the menus come too. Files: media.py beside this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as replace_type
from functools import lru_cache
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select, union_all

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.tables.orders import coupon, shop_order, shop_refund
from vetrina.backends.tables.records import record as record_table, revision as revision_table
from vetrina.content.records import (
    ancestry,
    dates,
    model as record_model,
    permalinks,
    public_transitions,
    rules as records,
    saved_language,
    scheduling,
    slugs as record_slugs,
    trash as record_trash,
)
from vetrina.content.records.model import Record
from vetrina.content.redirects import record_moves
from vetrina.content.revisions import rules as revisions
from vetrina.content.terms import store as term_store
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import build_element_name
from vetrina.content.translations.record_translations import LanguageTaken
from vetrina.content.types.model import POST_FORMATS, ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs

from .addresses import rewrite_addresses, rewrite_content
from .extra_fields import merge_record_fields
from .former_addresses import keep_old_slugs
from .incoming_record import ANOTHER_TRANSLATION, IncomingRecord, RecordSkipped
from .journal import RECORD, TERM, USER
from .outcome import Written

_TRASHED_STATUS: Final = "_cms_trash_meta_status"
_TRASHED_SLUG: Final = "_cms_desired_post_slug"
_STATUSES: Final = ("publish", "future", "draft", "pending", "private", "trash")
_NUMBERED_TOGETHER: Final = (record_table, revision_table, shop_order, shop_refund, coupon)  # share one counter of ids
_TAKEN = Statement(
    union_all(*(select(table.c.id).where(table.c.id == bindparam("id")) for table in _NUMBERED_TOGETHER))
)


def write_content(one: IncomingRecord, type: ContentType, *, language: str = "") -> Written:
    """Write a record. language: if not that which it came in. Raises RecordSkipped, InvalidParam."""
    first = None if one.target else _find_first_record(one, type)
    old = find_earlier(one, type) or first
    language = old.language if old is not None else language or one.choose_language(build_element_name(type))
    base = old or records.build_blank_record(one.work, type, language)
    # As a draft, which needs nothing: what was there is kept even where the profile asks for more now.
    draft = msgspec.structs.replace(base, status="draft", sticky=False)
    texts = records.apply_members(one.work, _drop_demands(type), draft, _build_given(one, type), creating=True)
    new = _place(one, type, old, texts)
    if old is not None:
        new = update_placed(one, type, old, new, revise=first is None)
        keep_old_slugs(one, type, new)
        return Written(link_translations(one, new).id)
    new = msgspec.structs.replace(new, guid=get_guid(one) or permalinks.build_permalink(one.work, type, new))
    record_model.insert_record(one.work, new)
    assign_terms(one, type, new)
    scheduling.schedule_publication(one.work, None, new)
    published = {"transition": "published"} if new.status == "publish" else None
    one.work.note(type.name, new.id, "created", published)
    if published:
        one.work.tell(type.name, new.id, "published")
    keep_old_slugs(one, type, new)
    return Written(link_translations(one, new).id)


def find_earlier(one: IncomingRecord, type: ContentType) -> Record | None:
    """Return the record that an earlier run wrote, None where it is gone."""
    old = record_model.find_record(one.work.tx, one.target) if one.target else None
    return old if old is not None and old.type == type.name else None


def count_first_records(work: UnitOfWork) -> int:
    """Return how many records every site of the profile begins with."""
    return sum(module.count_first_records() for module in work.site.modules)


def _find_first_record(one: IncomingRecord, type: ContentType) -> Record | None:
    """Return the record that an empty site began with under the slug of this one, as the pages of a shop."""
    count = count_first_records(one.work) if one.keep_ids else 0
    slug, language = one.get_text("slug"), one.record.language or one.work.site.profile.default_language
    found = record_model.find_records(one.work.tx, range(1, count + 1)).values() if count and slug else ()
    return next((row for row in found if (row.type, row.slug, row.language) == (type.name, slug, language)), None)


def choose_record_id(one: IncomingRecord, own: int = 0) -> int:
    """Return the source's id where it is to be kept and is free here, else 0. own: it, where the record has two."""
    own = own or one.own_id
    if not (one.keep_ids and own):
        return 0
    if one.work.tx.first(_TAKEN, id=own) is not None:
        one.notes["another id than before: its own is taken"] += 1
        return 0
    return own


def get_guid(one: IncomingRecord) -> str:
    """Return the permanent identifier that the record had."""
    return one.get_text("guid")


def resolve_author(one: IncomingRecord) -> int:
    """Return the author here; whoever imports where the source does not say."""
    if "author" not in one.values:
        return one.work.user.id
    return one.resolve(USER, one.values["author"], "author") or one.work.user.id


def build_dates(one: IncomingRecord, status: str, old: Record | None) -> dict[str, Any]:
    """Return the members of a record's dates."""
    work = one.work
    now = work.local_now, work.now
    before = (old.date, old.date_gmt) if old else now
    date, date_gmt = one.read_dates("date") or before
    modified, modified_gmt = one.read_dates("modified") or (date, date_gmt)
    floating = status in dates.FLOATING_STATUSES and not one.values.get("date_gmt")
    return {
        "date": date, "date_gmt": date_gmt, "modified": modified, "modified_gmt": modified_gmt, "floating": floating,
    }  # fmt: skip


def assign_terms(one: IncomingRecord, type: ContentType, of: Record) -> bool:
    """Assign the terms of the source, the default one where it doesn't say or none came; return whether that changed.

    A record may have none there, which its empty list says.
    """
    changed = False
    for taxonomy in one.work.site.taxonomies_of(type):
        wanted: list[int] = []
        for name in dict.fromkeys((taxonomy.base, taxonomy.name)):
            found = [one.resolve(TERM, id, taxonomy.singular.lower()) for id in one.list_ids(name)]
            wanted += [id for id in found if id]
        has_none = [] in (one.values.get(taxonomy.base), one.values.get(taxonomy.name))
        if not (wanted or has_none) and taxonomy.default_option and of.status not in record_slugs.UNNAMED_STATUSES:
            option, language = taxonomy.default_option, of.language
            wanted = [saved_language.get_default_term_id(one.work, option, taxonomy.name, language)]
        changed |= term_store.assign_terms(one.work, of.id, taxonomy, wanted)
    return changed


def link_translations(one: IncomingRecord, new: Record) -> Record:
    """Put a record into the group of those of its translations that have come; one that it is in already stays."""
    for other in one.list_translations(RECORD):
        found = record_model.find_record(one.work.tx, other)
        if found is None or (found.type, found.translations) == (new.type, new.translations):
            continue
        if found.type == new.type and found.language != new.language:
            try:
                return record_translations.join_record_group(one.work, new, found.translations, one.source_language)
            except LanguageTaken:
                one.notes[ANOTHER_TRANSLATION] += 1
    return new


def update_placed(one: IncomingRecord, type: ContentType, old: Record, new: Record, *, revise: bool = True) -> Record:
    """Write what differs between two states of a record, with its terms, and return the new state.

    revise: whether other texts make a revision, where the type has them.
    """
    work = one.work
    if revise and type.has("revisions") and _has_other_texts(old, new) and not one.settling:
        new = revisions.save_revision(work, type, new)
    before = public_transitions.describe_saved_record(work, type, old, new)
    record_model.update_record_row(work, old, new)
    if before is not None and before["transition"] == "moved" and not one.settling:
        record_moves.remember_old_address(work, type, new, before["link"])
    changed = assign_terms(one, type, new)
    if new == old and not changed:
        return old
    if (old.status == "publish") != (new.status == "publish"):
        work.tell(type.name, new.id, "published" if new.status == "publish" else "unpublished")
        held = term_store.list_terms_by_record(work.tx, [new.id])[new.id]
        term_store.recount_terms(work, [term.id for term in held])
    scheduling.schedule_publication(work, old, new)
    work.note(type.name, new.id, "changed", before)
    return msgspec.structs.replace(new, version=old.version + (new != old))


def find_slug(one: IncomingRecord, type: ContentType, of: Record, fallback: str) -> str:
    """Return the slug of the source, with a number where another record has it here."""
    slug = slugs.slugify(one.get_text("slug")) or fallback
    return record_slugs.find_free_slug(
        one.work.tx, type, slug, language=of.language, parent=of.parent, id=of.id, types=one.work.site.types
    )


def _build_given(one: IncomingRecord, type: ContentType) -> dict[str, Any]:
    """Return the members that are written as a client would write them."""
    values = one.values
    given: dict[str, Any] = {"title": one.get_text("title")}
    given["content"] = rewrite_content(one, one.get_text("content"))
    given["excerpt"] = rewrite_addresses(one, one.get_text("excerpt"))
    for name in ("comment_status", "ping_status"):
        if values.get(name) in ("open", "closed"):
            given[name] = values[name]
    given["format"] = values["format"] if values.get("format") in POST_FORMATS else POST_FORMATS[0]
    given["template"] = one.get_text("template")
    given["menu_order"] = one.get_number("menu_order")
    given["password"] = one.get_text("password")
    if isinstance(values.get("seo"), Mapping):
        seo = dict(values["seo"])
        if "image" in seo:
            seo["image"] = one.resolve(RECORD, seo["image"], "share image")
        given["seo"] = seo
    return given


def _place(one: IncomingRecord, type: ContentType, old: Record | None, texts: Record) -> Record:
    """Return a record with everything that is as it was in the source."""
    work, values = one.work, one.values
    status = one.get_text("status") or "publish"
    if status not in _STATUSES:
        if status in ("auto-draft", "inherit"):
            raise RecordSkipped(f"it is no record of its own ({status})")
        one.notes[f"the status {status!r} is not known here: drafts"] += 1
        status = "draft"
    dates = build_dates(one, status, old)
    status = scheduling.resolve_status(status, dates["date_gmt"], work.now)
    parent = _resolve_parent(one, old) if type.has("page-attributes") else 0
    featured = one.resolve(RECORD, values.get("featured_media"), "image") if type.has("thumbnail") else 0
    id = old.id if old else claim_id(work.tx, choose_record_id(one))
    password = "" if status == "private" else texts.password
    new = msgspec.structs.replace(
        texts, **dates, id=id, translations=old.translations if old else id, status=status, parent=parent,
        featured_media=featured, author=resolve_author(one), password=password,
        sticky=bool(values.get("sticky")) and type.has("sticky") and not password and status != "trash",
        meta=merge_record_fields(one, type, texts.meta),
    )  # fmt: skip
    unnamed = status in record_slugs.UNNAMED_STATUSES
    slug = find_slug(one, type, new, "" if unnamed else slugs.slugify(new.title) or str(id))
    trashed = {"trashed_status": "", "trashed_slug": ""}
    if status == "trash":
        before = one.meta.get(_TRASHED_STATUS)
        trashed["trashed_status"] = before if before in _STATUSES and before != "trash" else "draft"
        named = one.meta.get(_TRASHED_SLUG)
        trashed["trashed_slug"] = slugs.slugify(str(named)) if named else slug.removesuffix(record_trash.TRASHED_SUFFIX)
    return msgspec.structs.replace(new, slug=slug, **trashed)


def _resolve_parent(one: IncomingRecord, old: Record | None) -> int:
    """Return the parent here; 0 where the record would be above itself."""
    parent = one.resolve(RECORD, one.values.get("parent"), "parent")
    if parent and old is not None and old.id in (parent, *ancestry.list_ancestor_ids(one.work.tx, parent)):
        one.notes["it is below itself: put at the top"] += 1
        return 0
    return parent


@lru_cache(maxsize=256)
def _drop_demands(type: ContentType) -> ContentType:
    """Return a type whose records may be empty, as some of an old site are."""
    return replace_type(type, needs_text=False)


def _has_other_texts(old: Record, new: Record) -> bool:
    return (old.title, old.content, old.excerpt) != (new.title, new.content, new.excerpt)
