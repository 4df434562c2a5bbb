"""How a record is shown: its members, its links, what its reader may do with it.

Not here: which members there are and in which context (record_schema.py).
Rules: facts of the interface, "Rendered members" and "Who may do what".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from vetrina.declare.present import CURIES, Shape, link
from vetrina.domain.access.capabilities import may_delete, may_edit, may_edit_others, may_publish, may_read, unfiltered
from vetrina.domain.content import meta, permalinks, rendering, terms
from vetrina.domain.content.meta import SYNC_STATUS
from vetrina.domain.content.record import Record
from vetrina.domain.content.terms import Term
from vetrina.domain.content.types import ContentType, Taxonomy
from vetrina.domain.work import Frame, Work
from vetrina.kernel.times import iso

from .record_schema import record_fields

__all__ = ["View", "links", "methods", "record_shape", "view_of"]

Getter = Callable[[Record, "View"], Any]


@dataclass(slots=True)
class View:
    """What showing records of one answer needs to know beside them.

    password: what came with the request; it opens the records that have it.
    excerpt_words: for excerpts that are made, None for the stored ones.
    """

    work: Work
    type: ContentType
    context: str
    terms: dict[int, list[Term]] = field(default_factory=dict)
    password: str = ""
    excerpt_words: int | None = None
    links: dict[int, str] = field(default_factory=dict)

    def hidden(self, record: Record) -> bool:
        """Say whether the password keeps the texts of a record from this reader."""
        return protected(record) and record.password != self.password and self.context != "edit"

    def link(self, record: Record) -> str:
        found = self.links.get(record.id)
        if found is None:
            found = self.links[record.id] = permalinks.link(self.work, self.type, record)
        return found


def protected(record: Record) -> bool:
    """Say whether a record has a password that protects; "0" is kept but protects nothing."""
    return record.password not in ("", "0")


def view_of(work: Work, type: ContentType, records: Sequence[Record], context: str) -> View:
    """Return the view of some records; their terms are read at once."""
    held = terms.of_records(work.tx, [record.id for record in records]) if type.taxonomies and records else {}
    work.uses(*type.taxonomies)
    return View(work, type, context, held)


def record_shape(frame: Frame, type: ContentType) -> Shape:
    """Return how records of a type are shown."""
    getters: dict[str, Getter] = {
        "date": lambda r, v: iso(r.date),
        "date_gmt": lambda r, v: iso(r.date_gmt),
        "guid": lambda r, v: {"rendered": r.guid, "raw": r.guid},
        "id": lambda r, v: r.id,
        "link": lambda r, v: v.link(r),
        "modified": lambda r, v: iso(r.modified),
        "modified_gmt": lambda r, v: iso(r.modified_gmt),
        "slug": lambda r, v: r.slug,
        "status": lambda r, v: r.status,
        "type": lambda r, v: r.type,
        "password": lambda r, v: r.password,
        "permalink_template": lambda r, v: permalinks.template(v.work, v.type, r),
        "generated_slug": lambda r, v: permalinks.generated_slug(v.work, v.type, r),
        "class_list": _class_list,
        "parent": lambda r, v: r.parent,
        "title": lambda r, v: {"raw": r.title, "rendered": r.title_html},
        "content": _content,
        "author": lambda r, v: r.author,
        "excerpt": _excerpt,
        "featured_media": lambda r, v: r.featured_media,
        "comment_status": lambda r, v: r.comment_status,
        "ping_status": lambda r, v: r.ping_status,
        "menu_order": lambda r, v: r.menu_order,
        "format": lambda r, v: r.format,
        "meta": _meta,
        "sticky": lambda r, v: r.sticky,
        "template": lambda r, v: r.template,
        "cms_pattern_sync_status": lambda r, v: r.meta.get(SYNC_STATUS, ""),
    }
    for taxonomy in frame.taxonomies_of(type):
        getters[taxonomy.base] = _terms_getter(taxonomy)
    return Shape(record_fields(frame, type), getters)


def _terms_getter(taxonomy: Taxonomy) -> Getter:
    name = taxonomy.name
    return lambda r, v: [term.id for term in v.terms.get(r.id, ()) if term.taxonomy == name]


def _content(r: Record, v: View) -> dict[str, Any]:
    return {
        "raw": rendering.shown_raw(r.content) if v.context in v.type.raw_in else "",
        "rendered": "" if v.hidden(r) else r.content_html,
        "protected": protected(r),
        "block_version": r.block_version,
    }


def _excerpt(r: Record, v: View) -> dict[str, Any]:
    if v.hidden(r):
        rendered = ""
    elif v.excerpt_words is not None:
        rendered = rendering.excerpt(r.excerpt, r.content, v.excerpt_words)
    else:
        rendered = r.excerpt_html
    return {"raw": r.excerpt, "rendered": rendered, "protected": protected(r)}


def _meta(r: Record, v: View) -> dict[str, Any]:
    out = meta.shown(v.type, r.meta)
    if "footnotes" in out and v.hidden(r):
        out["footnotes"] = ""
    return out


def _class_list(r: Record, v: View) -> list[str]:
    out = [f"post-{r.id}", r.type, f"type-{r.type}", f"status-{r.status}"]
    if v.type.has("post-formats"):
        out.append(f"format-{r.format}")
    if protected(r):
        out.append("post-password-required" if v.hidden(r) or v.context == "edit" else "post-password-protected")
    if r.featured_media:
        out.append("has-post-thumbnail")
    out.append("hentry")
    frame = v.work.frame
    for term in v.terms.get(r.id, ()):
        prefix = {"post_tag": "tag"}.get(term.taxonomy, term.taxonomy)
        if term.taxonomy in frame.taxonomies:
            out.append(f"{prefix}-{term.slug}")
    if v.type.has("post-formats") and r.format != "standard":
        out.append(f"post_format-post-format-{r.format}")
    return out


def methods(work: Work, type: ContentType, record: Record) -> list[str]:
    """Return the methods that the reader may use on a record."""
    user = work.user
    out = ["GET"] if may_read(user, type, record) else []
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
    out: dict[str, Any] = {
        "self": [{"href": self_href, "targetHints": {"allow": methods(work, type, record)}}],
        "collection": [{"href": f"{api}{type.path}"}],
        "about": [{"href": f"{api}/cms/v2/types/{type.name}"}],
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
        out["up"] = [link(_parent_address(view, record.parent), embeddable=True)]
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


def _parent_address(view: View, parent: int) -> str:
    """Return the address of the record above, which may be of another type."""
    from vetrina.domain.content.record import by_id

    found = by_id(view.work.tx, parent)
    type = view.work.frame.types.get(found.type) if found else None
    view.work.uses(*((found.type,) if found else view.work.frame.types))
    return f"{view.work.root}{(type or view.type).path}/{parent}"


def _actions(view: View, record: Record, taxonomies: list[Taxonomy]) -> list[str]:
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
