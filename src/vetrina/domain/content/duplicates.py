"""Duplicates: translations that say the same as their original and are rewritten with it, until they are set free.

Comments stay with the record that they were written under. Not here: the rewriting (translation_copies.py), jobs
(domain/mlang). Rules: facts of the multilingual layer, 5.7.
"""

from __future__ import annotations

import msgspec

from vetrina.domain.content.taxonomy import term_translations, terms
from vetrina.domain.work import Work
from vetrina.kernel import slugs

from . import naming, record, records, translation_copies, translations
from .modes import Mode, element_of, mode
from .record import Record
from .translation_copies import DUPLICATE_OF
from .types import ContentType

__all__ = ["independent", "is_duplicate", "make"]


def is_duplicate(of: Record) -> bool:
    """Say whether a record is a duplicate."""
    return bool(of.meta.get(DUPLICATE_OF))


def make(work: Work, type: ContentType, of: Record, language: str) -> Record:
    """Return the duplicate of an original in a language: a new record, or the translation that is there, rewritten.

    Raises LanguageUnknown.
    """
    translations.known(work, language)
    held = translations.members(work, of).get(language)
    if held is None:
        held = records.create(
            work, type, {"title": of.title, "content": of.content, "excerpt": of.excerpt, "status": "draft"},
            language=language,
        )  # fmt: skip
        held = translations.join(work, held, of.translations, of.language)
        for taxonomy in work.frame.taxonomies_of(type):
            own = [term.id for term in terms.of_records(work.tx, [of.id])[of.id] if term.taxonomy == taxonomy.name]
            if mode(work, element_of(taxonomy)) is not Mode.NOT_TRANSLATED:
                own = list(term_translations.in_languages(work, own, language).values())
            if own:
                terms.assign(work, held.id, taxonomy, own)
    marked = msgspec.structs.replace(held, meta={**held.meta, DUPLICATE_OF: of.id})
    new = msgspec.structs.replace(marked, **translation_copies.taken_over(work, type, of, marked))
    if not new.slug and new.status not in naming.UNNAMED:
        slug = slugs.slugify(of.slug or new.title) or str(new.id)
        slug = naming.free(work.tx, type, slug, language=language, parent=new.parent, id=new.id, types=work.frame.types)
        new = msgspec.structs.replace(new, slug=slug)
    record.store(work.tx, held, new)
    terms.recount(work, [term.id for term in terms.of_records(work.tx, [new.id])[new.id]])
    work.note(type.name, new.id, "changed")
    return msgspec.structs.replace(new, version=held.version + 1)


def independent(work: Work, type: ContentType, of: Record) -> Record:
    """Set a duplicate free: it keeps what it says and follows nobody any more."""
    if not is_duplicate(of):
        return of
    new = msgspec.structs.replace(of, meta={key: value for key, value in of.meta.items() if key != DUPLICATE_OF})
    record.store(work.tx, of, new)
    work.note(type.name, of.id, "changed")
    return msgspec.structs.replace(new, version=of.version + 1)
