"""How a record is shown: its members, its links, what its reader may do with it.

Not here: which members there are and in which context (content/records/schema.py). Rules: docs/rules/markup.md, 16 and
18; docs/rules/rights.md, 4; docs/rules/kinds.md, 2; docs/rules/translated_content.md, 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from vetrina.access.roles.capabilities import (
    OwnedRecord,
    may_add_terms,
    may_assign_terms,
    may_delete_record,
    may_edit_others_records,
    may_edit_record,
    may_publish_records,
    may_write_unfiltered_html,
)
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.custom_fields import reference_links, views as custom_field_views
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.records import (
    ancestry,
    meta as record_meta,
    model as record_model,
    passwords as record_passwords,
    permalinks,
    slugs as record_slugs,
    visibility,
)
from vetrina.content.records.ancestry import RecordAncestor
from vetrina.content.records.content_form_views import build_requested_members
from vetrina.content.records.meta import SYNC_STATUS
from vetrina.content.records.model import Record
from vetrina.content.records.schema import build_record_fields, has_seo
from vetrina.content.seo.computed import ComputedSeo, ShareImage
from vetrina.content.seo.fields import get_seo_fields
from vetrina.content.seo.record_seo import RecordSeo
from vetrina.content.seo.schema import SEO_FIELD, serialize_seo
from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.absolute_addresses import has_relative_addresses, make_addresses_absolute
from vetrina.content.text.class_list import build_class_list
from vetrina.content.translations import language_schema, record_translations
from vetrina.content.translations.modes import (
    TranslationMode,
    build_element_name,
    get_translation_mode,
    list_configured_fields,
)
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.times import format_iso
from vetrina.media.attachments.store import MediaFile, build_file_url, load_media_files
from vetrina.media.images import srcset
from vetrina.rest.serializer import CURIES, AttributeGetter, RequestedMember, Serializer, build_link

Getter = Callable[[Record, "RecordView"], Any]
_SHARED_SIZE = "large"  # of the images that stand for a page


@dataclass(slots=True)
class RecordView:
    """What serializing the records of one response needs besides them.

    opened: ids of the records that the password of the request opens. excerpt_words: length of generated excerpts, None
    for the stored ones. above: ancestors, by the id of the parent. parents: parents of files, by id. records: those
    that are shown. groups: translation groups, by id, once needed. image_files: files that the texts show, by id, once
    needed. plain_texts: contents without markup, by id, once needed. seo: what search engines are told of them, once
    needed. own_fields: those of the site's own that the type has.
    is_translated: whether such records have a language. methods: what stands for those that the reader may use, where
    they are filled in later (content/records/fragment_responses.py). type_links: the links that all of them share.
    """

    work: UnitOfWork
    type: ContentType
    context: str
    terms: dict[int, list[Term]] = field(default_factory=dict)
    opened: frozenset[int] = frozenset()
    excerpt_words: int | None = None
    links: dict[int, str] = field(default_factory=dict)
    above: dict[int, list[RecordAncestor]] = field(default_factory=dict)
    parents: dict[int, Record] = field(default_factory=dict)
    records: Sequence[Record] = ()
    slugs: dict[int, str] = field(default_factory=dict)
    groups: dict[int, dict[str, dict[str, Any]]] | None = None
    image_files: dict[int, MediaFile] | None = None
    own_fields: tuple[CustomField, ...] = field(init=False)
    plain_texts: dict[int, str] = field(default_factory=dict)
    seo: RecordSeo | None = None
    methods: list[str] | None = None
    is_translated: bool = field(init=False)
    type_links: tuple[list[dict[str, Any]], list[dict[str, Any]]] = field(init=False)

    def __post_init__(self) -> None:
        work, type = self.work, self.type
        self.own_fields = work.site.custom_fields.get(type.name, ())
        self.is_translated = get_translation_mode(work, build_element_name(type)) is not TranslationMode.NOT_TRANSLATED
        self.type_links = [{"href": f"{work.root}{type.path}"}], [{"href": f"{work.root}/cms/v2/types/{type.name}"}]

    def complete_html(self, html: str, record: Record) -> str:
        """Return a text of a record with the sizes of its images and absolute addresses."""
        html = self._add_image_sources(html)
        return make_addresses_absolute(html, self.get_link(record)) if has_relative_addresses(html) else html

    def _add_image_sources(self, html: str) -> str:
        """Return a text with the sizes of its images; the files of all shown texts are read at once."""
        if srcset.MEDIA_CLASS_PREFIX not in html:
            return html
        if self.image_files is None:
            self.image_files = srcset.load_named_files(self.work, [html, *(one.content_html for one in self.records)])
        named = srcset.list_image_ids([html])
        self.work.uses_items("attachment", named)
        missing = [number for number in named if number not in self.image_files]
        if missing and any(one.dynamic for one in self.records):
            # The output of dynamic blocks is known only when they are rendered.
            self.image_files |= srcset.load_named_files(self.work, [html])
        return srcset.add_sources_from_files(self.work, html, self.image_files)

    def is_hidden(self, record: Record) -> bool:
        """Return whether the password hides the texts of a record from this reader."""
        return (
            record_passwords.is_password_protected(record) and record.id not in self.opened and self.context != "edit"
        )

    def may_edit(self, record: Record) -> bool:
        """Return whether this reader may edit a record."""
        return may_edit_record(self.work.user, self.type, record)

    def get_link(self, record: Record) -> str:
        found = self.links.get(record.id)
        if found is None:
            found = self.links[record.id] = permalinks.build_permalink(
                self.work, self.type, record, self.get_ancestors(record)
            )
        return found

    def get_ancestors(self, record: Record) -> list[RecordAncestor] | None:
        """Return the ancestors of a record, None if not loaded."""
        return self.above.get(record.parent) if record.parent else []

    def get_translations(self, record: Record) -> dict[str, dict[str, Any]]:
        """Return a record's translation group; the first call loads those of all shown records."""
        if self.groups is None:
            shown = [*self.records] or [record]
            links = {one.id: self.get_link(one) for one in shown}
            self.groups = language_schema.build_record_translations(self.work, self.type, shown, links)
        return self.groups.get(record.translations, {})

    def get_seo(self, record: Record) -> ComputedSeo:
        """Return what search engines are told of a record; the first call loads what that takes for all shown ones."""
        if self.seo is None:
            shown = [*self.records] or [record]
            self.seo = RecordSeo(self.work, self.type, shown, self.get_link, partial(load_share_images, self.work))
        return self.seo.compute(record)

    def get_generated_slug(self, record: Record) -> str:
        """Return the slug that the title would give a record; the first call computes those of all shown records."""
        if record.id not in self.slugs:
            self.slugs |= record_slugs.generate_slugs(self.work, self.type, [record, *self.records])
        return self.slugs[record.id]


def build_record_view(work: UnitOfWork, type: ContentType, records: Sequence[Record], context: str) -> RecordView:
    """Return the view of some records; their terms are read at once."""
    _expect_view_reads(work, type, records, context)
    held = terms.load_record_terms(work, [record.id for record in records]) if type.taxonomies and records else {}
    work.uses_pairs((term.taxonomy, term.id) for found in held.values() for term in found)
    above = ancestry.load_ancestor_trails(work, [record.parent for record in records]) if type.hierarchical else {}
    work.bear_witness({
        ("author", record.author): (type.name, record.id) for record in records if record.status == "publish"
    })  # fmt: skip
    return RecordView(work, type, context, held, above=above, records=records)


def _expect_view_reads(work: UnitOfWork, type: ContentType, records: Sequence[Record], context: str) -> None:
    """Expect what a view reads later of the records."""
    if not records or work.tx.kind == "sqlite":
        return
    languages = {one.language for one in records}
    shared = languages.pop() if len(languages) == 1 else ""
    record_translations.expect_light_groups(work, [one.translations for one in records], shared)
    if context == "edit":
        record_slugs.expect_generated_slugs(work, type, [records[0], *records])


def load_share_images(work: UnitOfWork, ids: Sequence[int]) -> dict[int, ShareImage]:
    """Return the images with these ids that everybody may see, as they are shown where a page is shared."""
    found = {id: one for id, one in load_media_files(work.tx, ids).items() if one.kind == "image"}
    records = record_model.find_records(work.tx, sorted(found))
    parents = visibility.load_parents(work, list(records.values()))
    out = {}
    for id, one in found.items():
        record = records.get(id)
        if record is None or not visibility.is_public(work, record, parents):
            continue
        size = one.sizes.get(_SHARED_SIZE)
        path = one.file if size is None else f"{one.file.rpartition('/')[0]}/{size.file}"
        width, height = (one.width, one.height) if size is None else (size.width, size.height)
        out[id] = ShareImage(build_file_url(work, path), width, height, one.alt_text)
    return out


def build_record_serializer(site: SiteContext, type: ContentType) -> Serializer:
    """Return the serializer of records of a type."""
    getters: dict[str, Getter] = {
        "date": lambda r, v: format_iso(r.date),
        "date_gmt": lambda r, v: format_iso(r.date_gmt),
        "guid": lambda r, v: {"rendered": r.guid, "raw": r.guid},
        "id": AttributeGetter("id"),
        "link": lambda r, v: v.get_link(r),
        "modified": lambda r, v: format_iso(r.modified),
        "modified_gmt": lambda r, v: format_iso(r.modified_gmt),
        "slug": AttributeGetter("slug"),
        "status": AttributeGetter("status"),
        "type": AttributeGetter("type"),
        "password": AttributeGetter("password"),
        "permalink_template": lambda r, v: permalinks.build_permalink_template(v.work, v.type, r, v.get_ancestors(r)),
        "generated_slug": lambda r, v: v.get_generated_slug(r),
        "class_list": _list_class_names,
        "parent": AttributeGetter("parent"),
        "title": (lambda r, v: {"raw": r.title, "rendered": r.title_html}) if type.rendered else _serialize_raw_title,
        "content": _serialize_content,
        "author": AttributeGetter("author"),
        "excerpt": _serialize_excerpt,
        "featured_media": AttributeGetter("featured_media"),
        "comment_status": AttributeGetter("comment_status"),
        "ping_status": AttributeGetter("ping_status"),
        "menu_order": AttributeGetter("menu_order"),
        "format": AttributeGetter("format"),
        "meta": _serialize_meta,
        "ext": serialize_record_fields,
        "sticky": AttributeGetter("sticky"),
        "template": AttributeGetter("template"),
        "cms_pattern_sync_status": lambda r, v: r.meta.get(SYNC_STATUS, ""),
        "lang": lambda r, v: r.language if v.is_translated else "",
        "translations": lambda r, v: v.get_translations(r),
        "seo": lambda r, v: serialize_seo(get_seo_fields(r.meta), v.get_seo(r)),
    }
    for taxonomy in site.taxonomies_of(type):
        getters[taxonomy.base] = _make_terms_getter(taxonomy)
    fields, requested = build_record_fields(site, type), build_requested_members(type)
    if has_seo(type) and "seo" not in fields:
        requested["seo"] = RequestedMember(SEO_FIELD, getters["seo"])
    return Serializer(fields, getters, requested=requested)


def _serialize_raw_title(r: Record, v: RecordView) -> dict[str, Any]:
    return {"raw": r.title}


def _make_terms_getter(taxonomy: Taxonomy) -> Getter:
    name = taxonomy.name
    return lambda r, v: [term.id for term in v.terms.get(r.id, ()) if term.taxonomy == name]


def _serialize_content(r: Record, v: RecordView) -> dict[str, Any]:
    protected = record_passwords.is_password_protected(r)
    hidden, shows = protected and v.is_hidden(r), v.type.rendered
    # A pattern has no other text than the stored one, which everybody who writes posts may read.
    raw = v.context in v.type.raw_in and not (hidden and (shows or not v.may_edit(r)))
    out: dict[str, Any] = {"raw": text_rendering.prepare_raw_content(r.content, v.work.budget) if raw else ""}
    if shows:
        out["rendered"] = "" if hidden else v.complete_html(dynamic_rendering.render_record_content(v.work, r), r)
    return {**out, "protected": protected, "block_version": r.block_version}


def _serialize_excerpt(r: Record, v: RecordView) -> dict[str, Any]:
    protected = record_passwords.is_password_protected(r)
    if protected and v.is_hidden(r):
        raw = "" if v.type.rendered or not v.may_edit(r) else r.excerpt
        return {"raw": raw, "rendered": "", "protected": True}
    return {
        "raw": r.excerpt,
        "rendered": v.complete_html(dynamic_rendering.render_record_excerpt(v.work, r, v.excerpt_words), r),
        "protected": protected,
    }


def _serialize_meta(r: Record, v: RecordView) -> dict[str, Any]:
    site = v.work.site
    if v.is_hidden(r):
        out = record_meta.serialize_meta(site, v.type, r.meta)
        hidden = {"footnotes": ""} if "footnotes" in out else {}
        return {**out, **hidden, **serialize_record_fields(r, v)}
    configured = list_configured_fields(v.work, build_element_name(v.type)) if r.meta else ()
    out = record_meta.serialize_meta(site, v.type, r.meta, configured)
    return {**out, **serialize_record_fields(r, v)} if v.own_fields else out


def serialize_record_fields(r: Record, v: RecordView) -> dict[str, Any]:
    """Return the site's own fields of a record; a password hides what was written in them, as it hides texts."""

    def render(raw: str) -> str:
        return v.complete_html(dynamic_rendering.render_live_content(v.work, raw, r), r)

    stored = {} if v.is_hidden(r) else r.meta
    return custom_field_views.serialize_field_values(v.work, v.own_fields, stored, v.context, render)


def _list_class_names(r: Record, v: RecordView) -> list[str]:
    return build_class_list(v.work.site, v.type, r, v.terms.get(r.id, ()))


def list_allowed_methods(
    work: UnitOfWork, type: ContentType, record: Record, parents: Mapping[int, Record] | None = None
) -> list[str]:
    """Return the methods that the reader may use on a record; parents: the parents of files, if loaded."""
    seen = ["GET"] if visibility.may_view_record(work, type, record, parents) else []
    return seen + list_writing_methods(work.user, type, record)


def list_writing_methods(user: User, type: ContentType, record: OwnedRecord) -> list[str]:
    """Return the methods that a caller may change a record with."""
    out = ["POST", "PUT", "PATCH"] if may_edit_record(user, type, record) else []
    return [*out, "DELETE"] if may_delete_record(user, type, record) else out


def build_record_links(view: RecordView, record: Record) -> dict[str, Any]:
    """Return the `_links` of a record."""
    work, type = view.work, view.type
    api, path = work.root, f"{type.path}/{record.id}"
    self_href = f"{api}{path}"
    collection, about = view.type_links
    methods = view.methods or list_allowed_methods(work, type, record, view.parents)
    out: dict[str, Any] = {
        "self": [{"href": self_href, "targetHints": {"allow": methods}}],
        "collection": collection,
        "about": about,
    }
    if type.has("author") and record.author:
        out["author"] = [build_link(f"{api}/cms/v2/users/{record.author}", embeddable=True)]
    if type.has("comments"):
        out["replies"] = [build_link(f"{api}/cms/v2/comments?post={record.id}", embeddable=True)]
    if type.has("revisions"):
        out["version-history"] = [{"count": record.revisions, "href": f"{self_href}/revisions"}]
        if record.revisions:
            out["predecessor-version"] = [
                {"id": record.last_revision, "href": f"{self_href}/revisions/{record.last_revision}"}
            ]
    if type.hierarchical and record.parent:
        out["up"] = [build_link(_build_parent_url(view, record), embeddable=True)]
    if record.featured_media:
        out["cms:featuredmedia"] = [build_link(f"{api}/cms/v2/media/{record.featured_media}", embeddable=True)]
    out["cms:attachment"] = [{"href": f"{api}/cms/v2/media?parent={record.id}"}]
    if view.own_fields and not view.is_hidden(record):
        out.update(reference_links.build_reference_links(work, view.own_fields, record.meta))
    taxonomies = work.site.taxonomies_of(type)
    if taxonomies:
        out["cms:term"] = [
            {"taxonomy": one.name, "embeddable": True, "href": f"{api}{one.path}?post={record.id}"}
            for one in taxonomies
        ]
    if view.context == "edit":
        out.update(
            {f"cms:action-{action}": [{"href": self_href}] for action in _list_actions(view, record, taxonomies)}
        )
    out["curies"] = CURIES
    return out


def _build_parent_url(view: RecordView, record: Record) -> str:
    """Return the URL of the parent, which may be of another type."""
    trail = view.get_ancestors(record)
    type = view.work.site.types.get(trail[0].type) if trail else None
    return f"{view.work.root}{(type or view.type).path}/{record.parent}"


def _list_actions(view: RecordView, record: Record, taxonomies: Sequence[Taxonomy]) -> list[str]:
    """Return what the reader may do beyond the plain methods, as link relations that clients look for."""
    user, kind = view.work.user, view.type
    out = []
    language = record.language
    if may_publish_records(user, kind, language):
        out.append("publish")
    if may_write_unfiltered_html(user):
        out.append("unfiltered-html")
    others = may_edit_others_records(user, kind, language)
    if view.type.has("sticky") and others and may_publish_records(user, kind, language):
        out.append("sticky")
    if view.type.has("author") and others:
        out.append("assign-author")
    for taxonomy in taxonomies:
        if may_add_terms(user, taxonomy, language, as_tree=taxonomy.hierarchical):
            out.append(f"create-{taxonomy.base}")
        if may_assign_terms(user, taxonomy, kind.name, language):
            out.append(f"assign-{taxonomy.base}")
    return out
