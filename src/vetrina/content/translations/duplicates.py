"""Duplicates: translations that say the same as their original and are rewritten with it, until they are set free.

Comments stay with the record that they were written under. Not here: the rewriting (content/translations/copies.py),
jobs (domain/mlang). Rules: facts of the multilingual layer, 5.7.
"""

from __future__ import annotations

import msgspec

from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.translations import copies as translation_copies
from vetrina.content.translations import record_translations
from vetrina.content.translations.copies import DUPLICATE_OF
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs

__all__ = ["independent", "is_duplicate", "make"]


def is_duplicate(of: Record) -> bool:
    """Say whether a record is a duplicate."""
    return bool(of.meta.get(DUPLICATE_OF))


def make(work: Work, type: ContentType, of: Record, language: str) -> Record:
    """Return the duplicate of an original in a language: a new record, or the translation that is there, rewritten.

    Raises LanguageUnknown.
    """
    record_translations.known(work, language)
    held = record_translations.members(work, of).get(language)
    if held is None:
        held = records.create(
            work, type, {"title": of.title, "content": of.content, "excerpt": of.excerpt, "status": "draft"},
            language=language,
        )  # fmt: skip
        held = record_translations.join(work, held, of.translations, of.language)
        for taxonomy in work.frame.taxonomies_of(type):
            own = [term.id for term in term_store.of_records(work.tx, [of.id])[of.id] if term.taxonomy == taxonomy.name]
            if mode(work, element_of(taxonomy)) is not Mode.NOT_TRANSLATED:
                own = list(term_translations.in_languages(work, own, language).values())
            if own:
                term_store.assign(work, held.id, taxonomy, own)
    marked = msgspec.structs.replace(held, meta={**held.meta, DUPLICATE_OF: of.id})
    new = msgspec.structs.replace(marked, **translation_copies.taken_over(work, type, of, marked))
    if not new.slug and new.status not in record_slugs.UNNAMED:
        slug = slugs.slugify(of.slug or new.title) or str(new.id)
        slug = record_slugs.free(
            work.tx, type, slug, language=language, parent=new.parent, id=new.id, types=work.frame.types
        )
        new = msgspec.structs.replace(new, slug=slug)
    record_model.store(work.tx, held, new)
    term_store.recount(work, [term.id for term in term_store.of_records(work.tx, [new.id])[new.id]])
    work.note(type.name, new.id, "changed")
    return msgspec.structs.replace(new, version=held.version + 1)


def independent(work: Work, type: ContentType, of: Record) -> Record:
    """Set a duplicate free: it keeps what it says and follows nobody any more."""
    if not is_duplicate(of):
        return of
    new = msgspec.structs.replace(of, meta={key: value for key, value in of.meta.items() if key != DUPLICATE_OF})
    record_model.store(work.tx, of, new)
    work.note(type.name, of.id, "changed")
    return msgspec.structs.replace(new, version=of.version + 1)
