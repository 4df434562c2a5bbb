"""How a record is shown: its members, its links, what its reader may do with it.

Not here: which members there are and in which context (content/records/schema.py).
Rules: facts of the interface, "Rendered members" and "Who may do what".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vetrina.access.roles.capabilities import may_delete, may_edit, may_edit_others, may_publish, unfiltered
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import (
    ancestry,
    permalinks,
    visibility,
)
from vetrina.content.records import (
    meta as record_meta,
)
from vetrina.content.records import (
    passwords as record_passwords,
)
from vetrina.content.records.ancestry import Above
from vetrina.content.records.meta import SYNC_STATUS
from vetrina.content.records.model import Record
from vetrina.content.records.schema import record_fields
from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.class_list import class_list
from vetrina.content.translations import language_schema
from vetrina.content.translations.modes import Mode, configured_fields, element_of, mode
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.times import iso
from vetrina.media.attachments.store import Media
from vetrina.media.images import srcset
from vetrina.rest.serializer import CURIES, Member, Shape, link

__all__ = ["View", "links", "methods", "record_shape", "view_of"]

Getter = Callable[[Record, "View"], Any]


@dataclass(slots=True)
class View:
    """What showing records of one answer needs to know beside them.

    opened: the records, by number, that the password opens which came with the request.
    excerpt_words: for excerpts that are made, None for the stored ones.
    above: what stands above a parent that was looked at, by its number. records: those that are shown.
    pictures: files that their texts show, by number; None until one is asked for.
    spoken: whether such records have a language. of_type: the links that all of them have.
    """

    work: Work
    type: ContentType
    context: str
    terms: dict[int, list[Term]] = field(default_factory=dict)
    opened: frozenset[int] = frozenset()
    excerpt_words: int | None = None
    links: dict[int, str] = field(default_factory=dict)
    above: dict[int, list[Above]] = field(default_factory=dict)
    parents: dict[int, Record] = field(default_factory=dict)
    records: Sequence[Record] = ()
    slugs: dict[int, str] = field(default_factory=dict)
    groups: dict[int, dict[str, dict[str, Any]]] | None = None
    pictures: dict[int, Media] | None = None
    spoken: bool = field(init=False)
    of_type: tuple[list[dict[str, Any]], list[dict[str, Any]]] = field(init=False)

    def __post_init__(self) -> None:
        work, type = self.work, self.type
        self.spoken = mode(work, element_of(type)) is not Mode.NOT_TRANSLATED
        self.of_type = [{"href": f"{work.root}{type.path}"}], [{"href": f"{work.root}/cms/v2/types/{type.name}"}]

    def pictured(self, html: str) -> str:
        """Return a text with the sizes of its images; the files of all texts that are shown are read at once."""
        if srcset.MARK not in html:
            return html
        if self.pictures is None:
            self.pictures = srcset.known(self.work, [html, *(one.content_html for one in self.records)])
        missing = [number for number in srcset.named([html]) if number not in self.pictures]
        if missing and any(one.dynamic for one in self.records):
            # What live blocks show is known only when they are shown.
            self.pictures |= srcset.known(self.work, [html])
        return srcset.with_sources(self.work, html, self.pictures)

    def hidden(self, record: Record) -> bool:
        """Say whether the password keeps the texts of a record from this reader."""
        return record_passwords.protects(record) and record.id not in self.opened and self.context != "edit"

    def edits(self, record: Record) -> bool:
        """Say whether this reader may edit a record."""
        return may_edit(self.work.user, self.type, record)

    def link(self, record: Record) -> str:
        found = self.links.get(record.id)
        if found is None:
            found = self.links[record.id] = permalinks.link(self.work, self.type, record, self.trail(record))
        return found

    def trail(self, record: Record) -> list[Above] | None:
        """Return what stands above a record, None where nobody has looked."""
        return self.above.get(record.parent) if record.parent else []

    def translations(self, record: Record) -> dict[str, dict[str, Any]]:
        """Return a record's group; the first time it is asked for those of all that are shown."""
        if self.groups is None:
            shown = [*self.records] or [record]
            links = {one.id: self.link(one) for one in shown}
            self.groups = language_schema.translations_of(self.work, self.type, shown, links)
        return self.groups.get(record.translations, {})

    def generated_slug(self, record: Record) -> str:
        """Return the slug that the title would give a record; the first time it is asked for all that are shown."""
        if record.id not in self.slugs:
            self.slugs |= permalinks.generated_slugs(self.work, self.type, [record, *self.records])
        return self.slugs[record.id]


def view_of(work: Work, type: ContentType, records: Sequence[Record], context: str) -> View:
    """Return the view of some records; their terms are read at once."""
    held = terms.of_records(work.tx, [record.id for record in records]) if type.taxonomies and records else {}
    work.uses(*type.taxonomies)
    above = ancestry.trails(work.tx, [record.parent for record in records]) if type.hierarchical else {}
    for trail in above.values():
        # What stands above may be of another type; where nothing is found, any may come.
        work.uses(*({one.type for one in trail} or work.frame.types))
    return View(work, type, context, held, above=above, records=records)


def record_shape(frame: Frame, type: ContentType) -> Shape:
    """Return how records of a type are shown."""
    getters: dict[str, Getter] = {
        "date": lambda r, v: iso(r.date),
        "date_gmt": lambda r, v: iso(r.date_gmt),
        "guid": lambda r, v: {"rendered": r.guid, "raw": r.guid},
        "id": Member("id"),
        "link": lambda r, v: v.link(r),
        "modified": lambda r, v: iso(r.modified),
        "modified_gmt": lambda r, v: iso(r.modified_gmt),
        "slug": Member("slug"),
        "status": Member("status"),
        "type": Member("type"),
        "password": Member("password"),
        "permalink_template": lambda r, v: permalinks.template(v.work, v.type, r, v.trail(r)),
        "generated_slug": lambda r, v: v.generated_slug(r),
        "class_list": _class_list,
        "parent": Member("parent"),
        "title": (lambda r, v: {"raw": r.title, "rendered": r.title_html}) if type.rendered else _raw_title,
        "content": _content,
        "author": Member("author"),
        "excerpt": _excerpt,
        "featured_media": Member("featured_media"),
        "comment_status": Member("comment_status"),
        "ping_status": Member("ping_status"),
        "menu_order": Member("menu_order"),
        "format": Member("format"),
        "meta": _meta,
        "sticky": Member("sticky"),
        "template": Member("template"),
        "cms_pattern_sync_status": lambda r, v: r.meta.get(SYNC_STATUS, ""),
        "lang": lambda r, v: r.language if v.spoken else "",
        "translations": lambda r, v: v.translations(r),
    }
    for taxonomy in frame.taxonomies_of(type):
        getters[taxonomy.base] = _terms_getter(taxonomy)
    return Shape(record_fields(frame, type), getters)


def _raw_title(r: Record, v: View) -> dict[str, Any]:
    return {"raw": r.title}


def _terms_getter(taxonomy: Taxonomy) -> Getter:
    name = taxonomy.name
    return lambda r, v: [term.id for term in v.terms.get(r.id, ()) if term.taxonomy == name]


def _content(r: Record, v: View) -> dict[str, Any]:
    protected = record_passwords.protects(r)
    hidden, shows = protected and v.hidden(r), v.type.rendered
    # A pattern has no other text than the stored one, which those who write posts may read.
    raw = v.context in v.type.raw_in and not (hidden and (shows or not v.edits(r)))
    out: dict[str, Any] = {"raw": text_rendering.shown_raw(r.content, v.work.budget) if raw else ""}
    if shows:
        out["rendered"] = "" if hidden else v.pictured(dynamic_rendering.content_shown(v.work, r))
    return {**out, "protected": protected, "block_version": r.block_version}


def _excerpt(r: Record, v: View) -> dict[str, Any]:
    protected = record_passwords.protects(r)
    if protected and v.hidden(r):
        raw = "" if v.type.rendered or not v.edits(r) else r.excerpt
        return {"raw": raw, "rendered": "", "protected": True}
    return {
        "raw": r.excerpt,
        "rendered": dynamic_rendering.excerpt_shown(v.work, r, v.excerpt_words),
        "protected": protected,
    }


def _meta(r: Record, v: View) -> dict[str, Any]:
    if v.hidden(r):
        out = record_meta.shown(v.type, r.meta)
        return {**out, "footnotes": ""} if "footnotes" in out else out
    return record_meta.shown(v.type, r.meta, configured_fields(v.work, element_of(v.type)) if r.meta else ())


def _class_list(r: Record, v: View) -> list[str]:
    return class_list(v.work.frame, v.type, r, v.terms.get(r.id, ()))


def methods(work: Work, type: ContentType, record: Record, parents: Mapping[int, Record] | None = None) -> list[str]:
    """Return the methods that the reader may use on a record; parents: what such records hang on, where it is known."""
    user = work.user
    out = ["GET"] if visibility.readable(work, type, record, parents) else []
    if user and may_edit(user, type, record):
        out += ["POST", "PUT", "PATCH"]
    if user and may_delete(user, type, record):
        out.append("DELETE")
    return out


def links(view: View, record: Record) -> dict[str, Any]:
    """Return the `_links` of a record."""
    work, type = view.work, view.type
    api, path = work.root, f"{type.path}/{record.id}"
    self_href = f"{api}{path}"
    collection, about = view.of_type
    out: dict[str, Any] = {
        "self": [{"href": self_href, "targetHints": {"allow": methods(work, type, record, view.parents)}}],
        "collection": collection,
        "about": about,
    }
    if type.has("author") and record.author:
        out["author"] = [link(f"{api}/cms/v2/users/{record.author}", embeddable=True)]
    if type.has("comments"):
        out["replies"] = [link(f"{api}/cms/v2/comments?post={record.id}", embeddable=True)]
    if type.has("revisions"):
        out["version-history"] = [{"count": record.revisions, "href": f"{self_href}/revisions"}]
        if record.revisions:
            out["predecessor-version"] = [
                {"id": record.last_revision, "href": f"{self_href}/revisions/{record.last_revision}"}
            ]
    if type.hierarchical and record.parent:
        out["up"] = [link(_parent_address(view, record), embeddable=True)]
    if record.featured_media:
        out["cms:featuredmedia"] = [link(f"{api}/cms/v2/media/{record.featured_media}", embeddable=True)]
    out["cms:attachment"] = [{"href": f"{api}/cms/v2/media?parent={record.id}"}]
    taxonomies = work.frame.taxonomies_of(type)
    if taxonomies:
        out["cms:term"] = [
            {"taxonomy": one.name, "embeddable": True, "href": f"{api}{one.path}?post={record.id}"}
            for one in taxonomies
        ]
    if view.context == "edit":
        out.update({f"cms:action-{action}": [{"href": self_href}] for action in _actions(view, record, taxonomies)})
    out["curies"] = CURIES
    return out


def _parent_address(view: View, record: Record) -> str:
    """Return the address of the record above, which may be of another type."""
    trail = view.trail(record)
    type = view.work.frame.types.get(trail[0].type) if trail else None
    return f"{view.work.root}{(type or view.type).path}/{record.parent}"


def _actions(view: View, record: Record, taxonomies: Sequence[Taxonomy]) -> list[str]:
    """Return what the reader may do beyond the plain methods, as clients ask for it."""
    user, kind = view.work.user, view.type
    out = []
    if may_publish(user, kind):
        out.append("publish")
    if unfiltered(user):
        out.append("unfiltered-html")
    if view.type.has("sticky") and may_edit_others(user, kind) and may_publish(user, kind):
        out.append("sticky")
    if view.type.has("author") and may_edit_others(user, kind):
        out.append("assign-author")
    for taxonomy in taxonomies:
        if user.can(taxonomy.edit if taxonomy.hierarchical else taxonomy.assign):
            out.append(f"create-{taxonomy.base}")
        if user.can(taxonomy.assign):
            out.append(f"assign-{taxonomy.base}")
    return out
