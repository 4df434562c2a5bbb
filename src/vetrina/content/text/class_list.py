"""The class names of the element around a record, by which style sheets tell records apart.

Rules: facts of the interface, "Rendered members".
"""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.content.records.model import Record
from vetrina.content.terms.store import Term
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Frame

__all__ = ["class_list"]

_PREFIXES = {"post_tag": "tag"}


def class_list(frame: Frame, type: ContentType, record: Record, terms: Iterable[Term]) -> list[str]:
    """Return the class names; those of terms stand in the order of the type's taxonomies.

    A protected record says so to everybody, to those too who know the password.
    """
    out = [f"post-{record.id}", record.type, f"type-{record.type}", f"status-{record.status}"]
    if type.has("post-formats"):
        out.append(f"format-{record.format}")
    if record.password not in ("", "0"):
        out.append("post-password-required")
    if record.featured_media:
        out.append("has-post-thumbnail")
    out.append("hentry")
    terms = list(terms)
    out += [
        f"{_PREFIXES.get(term.taxonomy, term.taxonomy)}-{term.slug}"
        for taxonomy in frame.taxonomies_of(type)
        for term in terms
        if term.taxonomy == taxonomy.name
    ]
    if type.has("post-formats") and record.format != "standard":
        out.append(f"post_format-post-format-{record.format}")
    return out
