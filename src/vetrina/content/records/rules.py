"""Records of every type: create, change, publish; what a write makes of each member, and what else it changes.

One call is one save: author, status, password, slug, date, texts, terms and the revision follow from each other here
and nowhere else. Not here: trash and deletion (content/records/trash.py, content/records/deletion.py), who may call
(content/records/permissions.py); of a save: parents (content/records/ancestry.py), dates (content/records/dates.py),
slugs (content/records/slugs.py), own fields (content/records/meta.py), texts (content/records/stored_texts.py). Rules:
docs/rules/records.md, 1 and 4 to 10; docs/rules/markup.md, 1; docs/rules/passwords.md, 4 and 5; docs/rules/kinds.md, 3
and 5; docs/rules/custom_types.md, 2; docs/rules/statuses.md, 7 and 10; docs/rules/rights.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.access.users import rules as users
from vetrina.backends.id_sequences import claim_id
from vetrina.content.custom_fields import field_values
from vetrina.content.feeds import rules as feeds
from vetrina.content.menus import item_rules
from vetrina.content.records import (
    ancestry,
    dates,
    meta as record_meta,
    model as record_model,
    permalinks,
    public_transitions,
    saved_language,
    scheduling,
    slugs as record_slugs,
    statuses,
    stored_texts,
    trash,
    visibility,
)
from vetrina.content.records.model import Record
from vetrina.content.redirects import record_moves
from vetrina.content.revisions import rules as revisions
from vetrina.content.seo import fields as seo_fields
from vetrina.content.terms import store as term_store  # fmt: skip
from vetrina.content.translations import (
    copied_from_original as translation_copies,
    modes as translation_modes,
    record_translations,
    shared_custom_fields,
)
from vetrina.content.translations.copied_from_original import DUPLICATE_OF
from vetrina.content.types.model import POST_FORMATS, ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure


class RecordNotFound(ApiError):
    """No record of this type has the id."""

    failure, code = Failure.NOT_FOUND, "rest_post_invalid_id"
    message = "Invalid post ID."


class InvalidRecordAuthor(ApiError):
    code = "rest_invalid_author"
    message = "There is no user with the number {id} who could be the author."


class StickyWithPassword(ApiError):
    code = "rest_invalid_field"
    message = "A record cannot be sticky and have a password."


class EmptyRecordContent(ApiError):
    code = "empty_content"
    message = "Title, content and excerpt are all empty; give at least one of them."


_WRITTEN_TEXTS = ("title", "content", "excerpt")


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
    is_expected: bool = False,
) -> Record:
    """Store a new record and return it.

    given: the written members, typed; those that the type does not have are ignored.
    guid: its permanent identifier, if not its first URL. language: if not that of the request. fields: the stored
    values of the site's own fields that it starts with. id: a free one that it takes, 0 for the next one.
    is_expected: whether `expect_creation_reads` was called for it.
    Raises CannotPublishRecord, InvalidRecordAuthor, InvalidFeaturedMedia, ParentNotFound, EmptyRecordContent,
    InvalidDate, InvalidMeta.
    """
    if not is_expected:
        # Twice expected, the slug would be read once more in vain after the record is written.
        expect_creation_reads(work, type, given, language)
        # A server finds it out while the texts are rendered.
        work.tx.send_expected()
    has_new_id = not id
    # Without a record yet, which would be no rival of its own slug.
    id = claim_id(work.tx, id)
    new = build_blank_record(work, type, saved_language.choose_record_language(work, type, given, language))
    new = apply_members(work, type, msgspec.structs.replace(new, meta={**(fields or {})}), given, creating=True)
    new = msgspec.structs.replace(new, id=id, translations=id)
    new = msgspec.structs.replace(new, slug=record_slugs.resolve_slug(work, type, None, new, given))
    new = msgspec.structs.replace(new, guid=guid or permalinks.build_permalink(work, type, new))
    record_model.insert_record(work, new)
    _assign_first_terms(work, type, new, given)
    scheduling.schedule_publication(work, None, new)
    published = {"transition": "published"} if new.status == "publish" else None
    if not given.get("translations"):
        record_translations.remember_new_group(work, new)
    work.note(type.name, new.id, "created", published)
    if has_new_id and not given.get("translations"):
        work.tell(type.name, new.id, "alone")
    if published:
        work.tell(type.name, new.id, "published")
        work.describe(type.name, new.id, new.title)
    shared = _select_shared_values(work, type, new, given)
    if given.get("translations"):
        new = saved_language.link_record(work, type, new, given)
    new = shared_custom_fields.spread_record_values(work, new, shared)
    _add_to_menus(work, type, None, new)
    return new


def update_record(work: UnitOfWork, type: ContentType, old: Record, given: Mapping[str, Any]) -> Record:
    """Store the given members of a record, keep a revision where its text changed, and return the new state.

    Raises what `create_record` raises.
    """
    shown = old
    old = saved_language.link_record(work, type, saved_language.move_record_language(work, type, old, given), given)
    new = apply_members(work, type, old, given, creating=False)
    restored = trash.get_restored_slug(old, new)
    new = msgspec.structs.replace(new, slug=record_slugs.resolve_slug(work, type, old, new, given, restored))
    if trash.is_restored(old, new):
        new = trash.leave_trash(work, type, old, new)
    new = save_record(work, type, old, new, given, shown)
    return shared_custom_fields.spread_record_values(work, new, _select_shared_values(work, type, new, given))


def _select_shared_values(work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]) -> dict[str, Any]:
    if type.name not in work.site.custom_fields:
        return {}
    return shared_custom_fields.select_shared_values(work, type.name, of.meta, field_values.collect_given_values(given))


def publish_record(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    """Publish a scheduled record as it stands: text, date and `modified` do not change."""
    return save_record(work, type, old, msgspec.structs.replace(old, status="publish"), {})


# -- saving


def trash_record(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    """Move a record to the trash and return it; its translations too where they go together.

    Raises RecordAlreadyTrashed.
    """
    if old.status == "trash":
        raise trash.RecordAlreadyTrashed
    together = record_translations.list_joint_removals(work, type, old)
    trashed = save_record(work, type, old, trash.move_to_trash(work, type, old), {})
    for one in together:
        if one.status != "trash":
            save_record(work, type, one, trash.move_to_trash(work, type, one), {})
    return trashed


def expect_creation_reads(work: UnitOfWork, type: ContentType, given: Mapping[str, Any], language: str = "") -> None:
    """Expect what the usual creation of a record reads."""
    if work.tx.kind == "sqlite":
        # It saves trips to a server; finding out what will be asked takes longer than asking here.
        return
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


def save_record(
    work: UnitOfWork, type: ContentType, old: Record, new: Record, given: Mapping[str, Any], shown: Record | None = None
) -> Record:
    """Write a changed record with its terms and its revision. shown: as it was before it moved to another language."""
    if "&p=" in new.guid:
        new = msgspec.structs.replace(new, guid=permalinks.escape_guid(new.guid))
    if DUPLICATE_OF in new.meta and any(getattr(old, name) != getattr(new, name) for name in _WRITTEN_TEXTS):
        # Writing into a copy for another language makes it a translation, which nothing overwrites.
        new = msgspec.structs.replace(new, meta={key: one for key, one in new.meta.items() if key != DUPLICATE_OF})
    if type.has("revisions"):
        new = revisions.save_revision(work, type, new)
    before = public_transitions.describe_saved_record(work, type, shown or old, new)
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


def _assign_terms(work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]) -> None:
    """Assign the given terms; a record without any gets the default of a taxonomy that has one."""
    for taxonomy in work.site.taxonomies_of(type):
        if taxonomy.base in given:
            term_store.assign_terms(work, of.id, taxonomy, given[taxonomy.base])
        elif taxonomy.default_option:
            held = term_store.list_terms_by_record(work.tx, [of.id]).get(of.id, [])
            if not any(term.taxonomy == taxonomy.name for term in held):
                default = saved_language.get_default_term_id(work, taxonomy.default_option, taxonomy.name, of.language)
                term_store.assign_terms(work, of.id, taxonomy, [default])


def _assign_first_terms(work: UnitOfWork, type: ContentType, new: Record, given: Mapping[str, Any]) -> None:
    """Assign the given terms, or the defaults, to a record that has just been inserted."""
    held: list[term_store.Term] = []
    for taxonomy in work.site.taxonomies_of(type):
        if taxonomy.base in given:
            held += term_store.assign_first_terms(work, new, taxonomy, given[taxonomy.base])
        elif taxonomy.default_option:
            default = saved_language.get_default_term_id(work, taxonomy.default_option, taxonomy.name, new.language)
            held += term_store.assign_first_terms(work, new, taxonomy, [default])
    term_store.remember_terms(work, new, held)


# -- what a write makes of the members


def build_blank_record(work: UnitOfWork, type: ContentType, language: str) -> Record:
    """Return a new record with default values."""
    comment_status = work.option("default_comment_status") if type.comments == "open" else "closed"
    ping_status = work.option("default_ping_status") if type.comments == "open" and type.has("trackbacks") else "closed"
    default_format = work.option("default_post_format") if type.has("post-formats") else ""
    post_format = default_format if default_format in POST_FORMATS else POST_FORMATS[0]
    return Record(
        id=0, type=type.name, status="draft", language=language, translations=0, slug="", author=work.user.id,
        parent=0, menu_order=0, date=0, date_gmt=0, modified=0, modified_gmt=0, title="", title_key="", title_html="",
        content="", content_html="", block_version=0, excerpt="", excerpt_html="", renderer=0, password="",
        comment_status=comment_status, ping_status=ping_status, format=post_format, template="", featured_media=0,
        guid="", trashed_status="", trashed_slug="", revisions=0, last_revision=0, version=1, meta={}, floating=True,
        sticky=False,
    )  # fmt: skip


def apply_members(work: UnitOfWork, type: ContentType, old: Record, given: Mapping[str, Any], creating: bool) -> Record:
    """Return the record with the given members applied; the slug is still to be resolved."""
    status = given.get("status", old.status) or "draft"
    if "status" in given and status != old.status:
        statuses.require_status(work, type, status, old.language)
    members: dict[str, Any] = {}
    _put_author(work, type, given, members)
    _put_protection(type, old, given, members)
    if type.has("page-attributes") and "parent" in given:
        members["parent"] = ancestry.validate_parent(work, old, given["parent"])
    if type.address == "attached" and "parent" in given:
        members["parent"] = max(0, given["parent"])
    if type.has("thumbnail") and "featured_media" in given:
        members["featured_media"] = _validate_featured_media(work, old, given["featured_media"])
    for name in ("menu_order", "template"):
        if name in given and (name == "template" or type.has("page-attributes")):
            members[name] = given[name]
    if type.has("comments"):
        members.update({name: given[name] for name in ("comment_status", "ping_status") if name in given})
    if type.has("post-formats") and "format" in given:
        members["format"] = given["format"]
    _put_texts(work, type, old, given, members)
    configured = translation_modes.list_configured_fields(work, translation_modes.build_element_name(type))
    required = record_meta.list_required_fields(work, type, old, status, given, creating)
    members["meta"] = record_meta.merge_meta(work, type, old.meta, given, configured, required)
    if isinstance(given.get("seo"), Mapping):
        members["meta"] = seo_fields.merge_seo_fields(work, members["meta"], given["seo"])
    date, date_gmt, floating = dates.resolve_dates(work, given, None if creating else old, status)
    status = scheduling.resolve_status(status, date_gmt, work.now)
    if status == "private":
        members["password"] = ""
    fixed = creating and ("date" in given or "date_gmt" in given)
    return msgspec.structs.replace(
        old, **members, status=status, date=date, date_gmt=date_gmt, floating=floating,
        modified=date if fixed else work.local_now, modified_gmt=date_gmt if fixed else work.now,
    )  # fmt: skip


def _put_author(work: UnitOfWork, type: ContentType, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    author = given.get("author")
    if not author or not type.has("author"):
        return
    if author != work.user.id and (author < 0 or users.find_user(work.tx, author) is None):
        raise InvalidRecordAuthor(id=author)
    members["author"] = author


def _put_protection(type: ContentType, old: Record, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set password and stickiness, which exclude each other."""
    password = given.get("password")
    if type.has("sticky"):
        sticky = given.get("sticky")
        if password and (sticky or old.sticky):
            raise StickyWithPassword
        if sticky and (password or old.password):
            raise StickyWithPassword
        if sticky is not None:
            members["sticky"] = sticky
    if password is not None:
        members["password"] = password


def _validate_featured_media(work: UnitOfWork, old: Record, media: int) -> int:
    """Return the featured image of a record after a write; an unknown id changes nothing."""
    if media == 0:
        return 0
    found = record_model.find_record(work.tx, media) if media > 0 else None
    if found is None or (media != old.featured_media and not visibility.may_name_record(work, found)):
        return old.featured_media
    return media if seo_fields.is_image(work.tx, media) else 0


def _put_texts(
    work: UnitOfWork, type: ContentType, old: Record, given: Mapping[str, Any], members: dict[str, Any]
) -> None:
    """Set title, content and excerpt, with what is rendered from them."""
    texts: dict[str, str] = {}
    for name, feature in (("title", "title"), ("content", "editor"), ("excerpt", "excerpt")):
        if (type.has(feature) or name in type.texts) and name in given:
            text = stored_texts.extract_raw_text(name, given[name])
            if text is not None:
                texts[name] = text
    title, content, excerpt = (texts.get(name, getattr(old, name)) for name in ("title", "content", "excerpt"))
    if type.needs_text and not title and not content and not excerpt:
        raise EmptyRecordContent
    free = may_write_unfiltered_html(work.user)
    if free and stored_texts.has_same_texts(old, title.strip(), content, excerpt):
        return
    budget = work.budget.build_save_budget(title, content, excerpt)
    made = work.run_before_write(
        (old.id, old.version, title, content, excerpt, free), len(title) + len(content) + len(excerpt),
        lambda: stored_texts.render_texts(work.site, budget, old, title, content, excerpt, free),
    )  # fmt: skip
    if "content_html" in made:
        feeds.request_feeds(work, made["content"])
    members.update(made)
