"""What the page of a term says in its head. Rules: docs/rules/seo.md, 3 to 5."""

from __future__ import annotations

from collections.abc import Mapping

from vetrina.content.seo.computed import ComputedSeo, SeoSubject, ShareImage, compute_seo, to_plain_text
from vetrina.content.seo.fields import get_seo_fields
from vetrina.content.seo.site_image import get_site_image_id
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork

_MAX_DEPTH = 20  # levels of a trail


def compute_term_seo(work: UnitOfWork, term: Term, link: str, images: Mapping[int, ShareImage]) -> ComputedSeo:
    """Return what the page of a term says; link: its URL. images: those that it may show, by id."""
    above: list[Term] = []
    parent, seen = term.parent, {term.id}
    while parent and parent not in seen and len(above) < _MAX_DEPTH:
        seen.add(parent)
        found = term_store.find_term(work.tx, parent)
        if found is None:
            break
        above.insert(0, found)
        parent = found.parent
    places = term_store.build_term_urls(work, above)
    written = get_seo_fields(term.meta)
    subject = SeoSubject(
        "CollectionPage", to_plain_text(term.name), link, term.language or work.language,
        to_plain_text(term.description), image=images.get(written.image),
        trail=[(to_plain_text(one.name), places[one.id]) for one in above], logo=images.get(get_site_image_id(work)),
    )  # fmt: skip
    return compute_seo(work, written, subject)
