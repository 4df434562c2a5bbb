"""Terms as texts of jobs: name, description and translated custom fields.

A term is an item of its own, or is sent along with a record that has it. Rules: docs/rules/translation_jobs.md, 13.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import orjson
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.terms import term as table
from vetrina.content.terms import rules as term_rules, store as term_store, translations
from vetrina.content.terms.rules import TermExists
from vetrina.content.terms.store import Term
from vetrina.content.translations.modes import (
    FieldTranslationMode,
    TranslationMode,
    get_field_modes,
    get_translation_mode,
)
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs.impersonation import impersonate_author, sanitize_translation
from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField
from vetrina.multilingual.translations.translatables import NotTranslatable, Translatable, TranslatableNotFound
from vetrina.multilingual.translations.word_count import has_words


class _TranslatableTerms:
    """Terms of every taxonomy, menus included."""

    def get_translatable(self, work: UnitOfWork, element_type: str, id: int) -> Translatable:
        name = element_type.removeprefix("tax_")
        taxonomy = work.site.taxonomies.get(name)
        one = term_store.find_term(work.tx, id) if taxonomy is not None and id > 0 else None
        if one is None or one.taxonomy != name:
            raise TranslatableNotFound(element_type, id)
        if get_translation_mode(work, element_type) is TranslationMode.NOT_TRANSLATED:
            raise NotTranslatable(element_type)
        work.uses(name)
        return Translatable("tax", element_type, one.id, one.language, html.unescape(one.name), one)

    def texts(self, work: UnitOfWork, item: Translatable, language: str) -> list[TranslationJobField]:
        return list(iterate_term_texts(work, item.of))

    def fingerprint(self, work: UnitOfWork, item: Translatable) -> str:
        parts = [one.source for one in iterate_term_texts(work, item.of)]
        return hashlib.md5(";".join(parts).encode(), usedforsecurity=False).hexdigest()

    def translation(self, work: UnitOfWork, item: Translatable, language: str) -> int:
        held = translations.load_term_group(work, item.of).get(language)
        return held.id if held is not None else 0

    def apply(
        self, work: UnitOfWork, job: TranslationJob, texts: Sequence[TranslationJobField], *, draft: bool | None
    ) -> int:
        source: Term = self.get_translatable(work, job.element_type, job.element).of
        by_name = {
            one.name: sanitize_translation(work.user, one.source, one.target)
            for one in texts
            if one.wanted and one.target
        }
        with impersonate_author(work, work.user.id, job.target_language):
            return save_term_translation(work, source, by_name, job.target_language).id


TERMS = _TranslatableTerms()
_META = Statement(update(table).where(table.c.id == bindparam("of")).values(meta=bindparam("extra")))


def iterate_term_texts(work: UnitOfWork, term: Term) -> Iterator[TranslationJobField]:
    """Yield the texts of a term."""
    yield TranslationJobField(f"t_{term.id}", html.unescape(term.name), label=term.taxonomy, format="text")
    if term.description:
        yield TranslationJobField(f"tdesc_{term.id}", term.description, label=f"{term.taxonomy}-description")
    for key, how in get_field_modes(work, f"tax_{term.taxonomy}", term.meta).items():
        value = term.meta[key]
        if how is FieldTranslationMode.TRANSLATE and isinstance(value, str) and has_words(value):
            yield TranslationJobField(f"tfield-{key}-{term.id}", value, label=f"{term.taxonomy}-{key}")


def has_term_name(term: Term, texts: Mapping[str, str]) -> bool:
    """Say whether some translations contain the name of a term."""
    return bool(texts.get(f"t_{term.id}"))


def save_term_translation(work: UnitOfWork, source: Term, texts: Mapping[str, str], language: str) -> Term:
    """Write a term's translation and return it: created, renamed, or an unlinked term of the same name.

    texts: by field name. The work writes in the language already.
    """
    taxonomy = work.site.taxonomies[source.taxonomy]
    held = translations.load_term_group(work, source).get(language)
    name = texts.get(f"t_{source.id}") or html.unescape(held.name if held is not None else source.name)
    description = texts.get(f"tdesc_{source.id}", held.description if held is not None else source.description)
    if held is not None:
        own = [one.name for one in work.site.custom_fields.get(taxonomy.name, ())]
        translated = {key: texts[named] for key in own if (named := f"tfield-{key}-{source.id}") in texts}
        meta = {**held.meta, **translated} if translated else None
        return term_rules.update_term(work, taxonomy, held, name=name, description=description, meta=meta)
    parent = translations.find_translated_parent(work, source, language)
    made = _create_term_translation(work, taxonomy, source, name, description, parent, language)
    fields = {key: texts.get(f"tfield-{key}-{source.id}", value) for key, value in source.meta.items()}
    if fields:
        work.tx.run(_META, of=made.id, extra=orjson.dumps(fields).decode())
        made = msgspec.structs.replace(made, meta=fields)
    return translations.join_term_group(work, made, source.translations, source.language)


def _create_term_translation(
    work: UnitOfWork, taxonomy: Taxonomy, source: Term, name: str, description: str, parent: int, language: str
) -> Term:
    try:
        return term_rules.create_term(work, taxonomy, name, description=description, parent=parent, language=language)
    except TermExists as error:
        namesake = term_store.find_term(work.tx, error.data["term_id"])
        group = translations.load_term_group(work, namesake) if namesake is not None else {}
        if namesake is not None and source.language not in group:
            return namesake
    # The term of that name is the translation of another one, so this one gets a different slug.
    slug = f"{source.slug}-{language}"
    return term_rules.create_term(
        work, taxonomy, name, slug=slug, description=description, parent=parent, language=language
    )
