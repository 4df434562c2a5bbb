"""Duplicates: translations with the texts of their original, rewritten at each of its saves until they are detached.

Comments stay with the record that they were written on. Not here: the rewriting
(content/translations/copied_from_original.py), translation jobs (multilingual/). Rules:
docs/rules/translated_content.md, 18.
"""

from __future__ import annotations

import msgspec

from vetrina.content.records import model as record_model, rules as records, slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.translations import copied_from_original as translation_copies, record_translations
from vetrina.content.translations.copied_from_original import DUPLICATE_OF
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs


def is_duplicate(of: Record) -> bool:
    """Return whether a record is a duplicate."""
    return bool(of.meta.get(DUPLICATE_OF))


def create_duplicate(work: UnitOfWork, type: ContentType, of: Record, language: str) -> Record:
    """Return the duplicate of an original in a language: a new record, or the existing translation, rewritten.

    Raises LanguageUnknown.
    """
    record_translations.require_language(work, language)
    held = record_translations.load_record_group(work, of).get(language)
    if held is None:
        held = records.create_record(
            work, type, {"title": of.title, "content": of.content, "excerpt": of.excerpt, "status": "draft"},
            language=language,
        )  # fmt: skip
        held = record_translations.join_record_group(work, held, of.translations, of.language)
        for taxonomy in work.site.taxonomies_of(type):
            own = [
                term.id
                for term in term_store.list_terms_by_record(work.tx, [of.id])[of.id]
                if term.taxonomy == taxonomy.name
            ]
            if get_translation_mode(work, build_element_name(taxonomy)) is not TranslationMode.NOT_TRANSLATED:
                own = list(term_translations.translate_term_ids(work, own, language).values())
            if own:
                term_store.assign_terms(work, held.id, taxonomy, own)
    marked = msgspec.structs.replace(held, meta={**held.meta, DUPLICATE_OF: of.id})
    new = msgspec.structs.replace(marked, **translation_copies.build_copied_members(work, type, of, marked))
    if not new.slug and new.status not in record_slugs.UNNAMED_STATUSES:
        slug = slugs.slugify(of.slug or new.title) or str(new.id)
        slug = record_slugs.find_free_slug(
            work.tx, type, slug, language=language, parent=new.parent, id=new.id, types=work.site.types
        )
        new = msgspec.structs.replace(new, slug=slug)
    record_model.update_record_row(work, held, new)
    term_store.recount_terms(work, [term.id for term in term_store.list_terms_by_record(work.tx, [new.id])[new.id]])
    work.note(type.name, new.id, "changed")
    return msgspec.structs.replace(new, version=held.version + 1)


def detach_duplicate(work: UnitOfWork, type: ContentType, of: Record) -> Record:
    """Detach a duplicate from its original: it keeps its texts and is no longer rewritten."""
    if not is_duplicate(of):
        return of
    new = msgspec.structs.replace(of, meta={key: value for key, value in of.meta.items() if key != DUPLICATE_OF})
    record_model.update_record_row(work, of, new)
    work.note(type.name, of.id, "changed")
    return msgspec.structs.replace(new, version=of.version + 1)
