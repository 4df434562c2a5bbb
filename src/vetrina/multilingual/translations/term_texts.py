"""Terms as texts of jobs: name, description and translated extra fields.

A term is a thing of its own, or comes along with a record that has it. Rules: facts of the multilingual layer, 6.7.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import orjson
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import term as table
from vetrina.content.terms import rules as term_rules
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations
from vetrina.content.terms.rules import TermExists
from vetrina.content.terms.store import Term
from vetrina.content.translations.modes import FieldMode, Mode, fields_of, mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.multilingual.jobs.impersonation import allowed, trusted
from vetrina.multilingual.jobs.model import Job, JobField
from vetrina.multilingual.translations.translatables import ItemUnknown, NotTranslatable, Thing
from vetrina.multilingual.translations.word_count import has_words

__all__ = ["TERMS", "names", "put", "texts_of"]


class _Terms:
    """Terms of every taxonomy, menus among them."""

    def found(self, work: Work, element_type: str, id: int) -> Thing:
        name = element_type.removeprefix("tax_")
        taxonomy = work.frame.taxonomies.get(name)
        one = term_store.by_id(work.tx, id) if taxonomy is not None and id > 0 else None
        if one is None or one.taxonomy != name:
            raise ItemUnknown(element_type, id)
        if mode(work, element_type) is Mode.NOT_TRANSLATED:
            raise NotTranslatable(element_type)
        work.uses(name)
        return Thing("tax", element_type, one.id, one.language, html.unescape(one.name), one)

    def texts(self, work: Work, thing: Thing, language: str) -> list[JobField]:
        return list(texts_of(work, thing.of))

    def fingerprint(self, work: Work, thing: Thing) -> str:
        parts = [one.source for one in texts_of(work, thing.of)]
        return hashlib.md5(";".join(parts).encode(), usedforsecurity=False).hexdigest()

    def translation(self, work: Work, thing: Thing, language: str) -> int:
        held = translations.members(work, thing.of).get(language)
        return held.id if held is not None else 0

    def apply(self, work: Work, job: Job, texts: Sequence[JobField], *, draft: bool | None) -> int:
        source: Term = self.found(work, job.element_type, job.element).of
        by_name = {one.name: allowed(work.user, one.source, one.target) for one in texts if one.wanted and one.target}
        with trusted(work, work.user.id, job.target_language):
            return put(work, source, by_name, job.target_language).id


TERMS = _Terms()
_META = Statement(update(table).where(table.c.id == bindparam("of")).values(meta=bindparam("extra")))


def texts_of(work: Work, term: Term) -> Iterator[JobField]:
    """Yield the texts of a term."""
    yield JobField(f"t_{term.id}", html.unescape(term.name), label=term.taxonomy, format="text")
    if term.description:
        yield JobField(f"tdesc_{term.id}", term.description, label=f"{term.taxonomy}-description")
    for key, how in fields_of(work, f"tax_{term.taxonomy}", term.meta).items():
        value = term.meta[key]
        if how is FieldMode.TRANSLATE and isinstance(value, str) and has_words(value):
            yield JobField(f"tfield-{key}-{term.id}", value, label=f"{term.taxonomy}-{key}")


def names(term: Term, texts: Mapping[str, str]) -> bool:
    """Say whether some translations hold the name of a term."""
    return bool(texts.get(f"t_{term.id}"))


def put(work: Work, source: Term, texts: Mapping[str, str], language: str) -> Term:
    """Write a term's translation and return it: made, renamed, or the namesake that nobody linked yet.

    texts: by the names of the fields. The work writes in the language already.
    """
    taxonomy = work.frame.taxonomies[source.taxonomy]
    held = translations.members(work, source).get(language)
    name = texts.get(f"t_{source.id}") or html.unescape(held.name if held is not None else source.name)
    description = texts.get(f"tdesc_{source.id}", held.description if held is not None else source.description)
    if held is not None:
        return term_rules.change(work, taxonomy, held, name=name, description=description)
    parent = translations.in_languages(work, (source.parent,), language).get(source.parent, 0)
    made = _made(work, taxonomy, source, name, description, parent, language)
    fields = {key: texts.get(f"tfield-{key}-{source.id}", value) for key, value in source.meta.items()}
    if fields:
        work.tx.run(_META, of=made.id, extra=orjson.dumps(fields).decode())
        made = msgspec.structs.replace(made, meta=fields)
    return translations.join(work, made, source.translations, source.language)


def _made(
    work: Work, taxonomy: Taxonomy, source: Term, name: str, description: str, parent: int, language: str
) -> Term:
    try:
        return term_rules.create(work, taxonomy, name, description=description, parent=parent, language=language)
    except TermExists as error:
        namesake = term_store.by_id(work.tx, error.data["term_id"])
        group = translations.members(work, namesake) if namesake is not None else {}
        if namesake is not None and source.language not in group:
            return namesake
    # The namesake is the translation of something else: told apart by its slug.
    slug = f"{source.slug}-{language}"
    return term_rules.create(work, taxonomy, name, slug=slug, description=description, parent=parent, language=language)
