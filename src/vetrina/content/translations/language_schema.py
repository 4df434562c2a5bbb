"""The members of an answer that say its language: `lang`, and `translations` with what is the same in others.

Both are written as they are read: `lang` moves a thing to a language, `translations` links it, by numbers or by what
an answer shows; 0 or null takes the member of that language out. Not here: what writing them does (domain/content).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vetrina.content.records import ancestry, permalinks, visibility
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Fault
from vetrina.rest import coercion
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Object, String
from vetrina.rest.serializer import Getter

__all__ = [
    "MEMBERS",
    "TERM_GETTERS",
    "arguments",
    "fields",
    "translations_of",
    "translations_of_terms",
    "without_languages",
]

MEMBERS = ("lang", "translations")

Shown = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class _Link(Field):
    """One translation: its number, or an object with its `id`; 0 or null for none."""

    kind = "object"

    def _keywords(self) -> dict[str, Any]:
        return {
            "type": ["object", "integer", "null"],
            "properties": {
                "id": {"type": "integer", "description": "Number of the translation."},
                "status": {"type": "string", "description": "Its status.", "readonly": True},
                "link": {"type": "string", "format": "uri", "description": "Its address.", "readonly": True},
            },
        }

    def _fault(self, value: Any, name: str) -> Fault | None:
        if value is None:
            return None
        if isinstance(value, Mapping):
            if "id" not in value:
                return Fault("rest_property_required", f"id is a required property of {name}.")
            value, name = value["id"], f"{name}[id]"
        number = coercion.integer(value)
        if number is None:
            return coercion.wrong_type(name, "integer")
        return coercion.bounds_fault(number, name, 0, None)

    def clean(self, value: Any) -> int:
        number = value["id"] if isinstance(value, Mapping) else value
        return 0 if number is None else coercion.integer(number) or 0


def fields(languages: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return the members of an answer; languages: the codes of the site's, where they are known."""
    return {
        "lang": String(
            "Code of its language; empty for what is the same in all.", enum=languages, context=(VIEW, EDIT, EMBED)
        ),
        "translations": Object(
            "The same in each language, itself among them, by the codes of the languages.",
            properties={code: _Link(f"Its translation in the language {code}.") for code in languages},
            additional=False if languages else _Link("Its translation in the language."),
            context=(VIEW, EDIT),
        ),
    }


def arguments(languages: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return the arguments that write them."""
    return {name: field.but(context=(), early=True, null="keep") for name, field in fields(languages).items()}


def without_languages(arguments: Mapping[str, Field]) -> dict[str, Field]:
    """Return arguments without those that write languages: what is kept beside a record has none of its own."""
    return {name: field for name, field in arguments.items() if name not in MEMBERS}


def translations_of(
    work: Work, type: ContentType, records: Sequence[Record], links: Mapping[int, str]
) -> dict[int, Shown]:
    """Return what answers show of the groups of some records, by the numbers of the groups; asks once.

    links: addresses that are known. What the caller may not see is left out.
    """
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return {}
    groups = record_translations.seen(work, records)
    found = [one for group in groups.values() for one in group.values()]
    unknown = [one for one in found if one.id not in links]
    parents: dict[int, Record] = {}
    if type.address == "attached":
        parents = visibility.parents_of(work, found)
    above = ancestry.trails(work.tx, [one.parent for one in unknown]) if type.hierarchical else {}

    def address(one: Record) -> str:
        if one.id in links:
            return links[one.id]
        if type.address == "attached":
            hung = permalinks.above(work, parents.get(one.parent)) if one.parent else ""
            return permalinks.attached(work, one, hung)
        return permalinks.link(work, type, one, above.get(one.parent, []) if one.parent else [])

    languages = work.frame.profile.languages
    return {
        number: {
            code: {"id": one.id, "status": one.status, "link": address(one)}
            for code in languages
            if (one := group.get(code)) is not None and visibility.readable(work, type, one, parents or None)
        }
        for number, group in groups.items()
    }


def translations_of_terms(work: Work, taxonomy: Taxonomy, found: Sequence[Term]) -> dict[int, Shown]:
    """Return what answers show of the groups of some terms, by the numbers of the groups; asks once."""
    if mode(work, element_of(taxonomy)) is Mode.NOT_TRANSLATED:
        return {}
    groups = term_translations.members_of(work, found)
    links = term_store.addresses(work, [one for group in groups.values() for one in group.values()])
    languages = work.frame.profile.languages
    return {
        number: {
            code: {"id": group[code].id, "status": "publish", "link": links[group[code].id]}
            for code in languages
            if code in group
        }
        for number, group in groups.items()
    }


def _language_of_term(term: Term, view: Any) -> str:
    taxonomy = view.work.frame.taxonomies[term.taxonomy]
    return "" if mode(view.work, element_of(taxonomy)) is Mode.NOT_TRANSLATED else term.language


# view: what has the work, and `translations(term)`.
TERM_GETTERS: dict[str, Getter] = {
    "lang": _language_of_term,
    "translations": lambda term, view: view.translations(term),
}
