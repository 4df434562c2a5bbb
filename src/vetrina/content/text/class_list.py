"""The class names of a record's outer element, for style sheets.

Rules: docs/rules/markup.md, 17; docs/rules/kinds.md, 9.
"""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.content.records.model import Record
from vetrina.content.terms.store import Term
from vetrina.content.types.model import ContentType
from vetrina.core.site_context import SiteContext

_PREFIXES = {"post_tag": "tag"}


def build_class_list(site: SiteContext, type: ContentType, record: Record, terms: Iterable[Term]) -> list[str]:
    """Return the class names; those of terms are in the order of the type's taxonomies.

    The class of a protected record is there for everybody, including those who know the password.
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
        for taxonomy in site.taxonomies_of(type)
        for term in terms
        if term.taxonomy == taxonomy.name
    ]
    if type.has("post-formats") and record.format != "standard":
        out.append(f"post_format-post-format-{record.format}")
    return out
