"""The language members of a response: `lang`, and `translations` with the same record or term in other languages.

Both are written as they are read: `lang` moves an item to a language, `translations` links it, by ids or by objects as
in a response; 0 or null removes the member of that language. Not here: what writing them does
(content/translations/translation_links.py). Rules: docs/rules/content_languages.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vetrina.content.records import ancestry, permalinks, visibility
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.rest import coercion
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Object, String
from vetrina.rest.serializer import MemberGetter

MEMBERS = ("lang", "translations")

TranslationMembers = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class _TranslationField(Field):
    """One translation: its id, or an object with its `id`; 0 or null for none."""

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
        number = coercion.coerce_integer(value)
        if number is None:
            return coercion.build_type_fault(name, "integer")
        return coercion.find_bounds_fault(number, name, 0, None)

    def clean(self, value: Any) -> int:
        number = value["id"] if isinstance(value, Mapping) else value
        return 0 if number is None else coercion.coerce_integer(number) or 0


def build_language_fields(languages: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return the members of a response; languages: the codes of the site, where known."""
    return {
        "lang": String(
            "Code of its language; empty for what is the same in all.",
            enum=languages,
            context=(VIEW, EDIT, EMBED),
            values=(*languages, "") if languages else (),
        ),
        "translations": Object(
            "The same in each language, itself among them, by the codes of the languages.",
            properties={
                code: _TranslationField(f"Its translation in the language {code}.", optional=True) for code in languages
            },
            additional=False if languages else _TranslationField("Its translation in the language."),
            context=(VIEW, EDIT),
        ),
    }


def build_untranslated_argument(languages: tuple[str, ...]) -> dict[str, Field]:
    """Return the argument that lists what lacks a translation; none where the site has one language.

    The index of the reference has no such argument, so that ours does not tell it.
    """
    if len(languages) < 2:
        return {}
    help = "Only those without a translation in this language."
    return {"untranslated_in": String(help, enum=languages, null="keep", in_index=False)}


def build_language_arguments(languages: tuple[str, ...] = ()) -> dict[str, Field]:
    """Return the arguments that write them."""
    return {
        name: field.replace(context=(), early=True, null="keep")
        for name, field in build_language_fields(languages).items()
    }


def remove_language_arguments(arguments: Mapping[str, Field]) -> dict[str, Field]:
    """Return arguments without those of languages: autosaves and the like have no language of their own."""
    return {name: field for name, field in arguments.items() if name not in MEMBERS}


def build_record_translations(
    work: UnitOfWork, type: ContentType, records: Sequence[Record], links: Mapping[int, str]
) -> dict[int, TranslationMembers]:
    """Return the serialized groups of some records, by group id; one statement.

    links: known URLs, by record id. Translations that the caller may not see are left out.
    """
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return {}
    groups = record_translations.load_light_groups(work, records)
    found = [one for group in groups.values() for one in group.values()]
    unknown = [one for one in found if one.id not in links]
    parents: dict[int, Record] = {}
    if type.address == "attached":
        parents = visibility.load_parents(work, found)
    above = ancestry.load_ancestor_trails(work, [one.parent for one in unknown]) if type.hierarchical else {}

    def address(one: Record) -> str:
        if one.id in links:
            return links[one.id]
        if type.address == "attached":
            hung = permalinks.find_parent_url(work, parents.get(one.parent)) if one.parent else ""
            return permalinks.build_attached_url(work, one, hung)
        return permalinks.build_permalink(work, type, one, above.get(one.parent, []) if one.parent else [])

    languages = work.site.profile.languages
    return {
        number: {
            code: {"id": one.id, "status": one.status, "link": address(one)}
            for code in languages
            if (one := group.get(code)) is not None and visibility.may_view_record(work, type, one, parents or None)
        }
        for number, group in groups.items()
    }


def build_term_translations(
    work: UnitOfWork, taxonomy: Taxonomy, found: Sequence[Term]
) -> dict[int, TranslationMembers]:
    """Return the serialized groups of some terms, by group id; one statement."""
    if get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED:
        return {}
    groups = term_translations.load_term_groups(work, found)
    links = term_store.build_term_urls(work, [one for group in groups.values() for one in group.values()])
    languages = work.site.profile.languages
    return {
        number: {
            code: {"id": group[code].id, "status": "publish", "link": links[group[code].id]}
            for code in languages
            if code in group
        }
        for number, group in groups.items()
    }


def _get_term_language(term: Term, view: Any) -> str:
    taxonomy = view.work.site.taxonomies[term.taxonomy]
    return (
        ""
        if get_translation_mode(view.work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED
        else term.language
    )


# The view must have `work` and `get_translations(term)`.
TERM_GETTERS: dict[str, MemberGetter] = {
    "lang": _get_term_language,
    "translations": lambda term, view: view.get_translations(term),
}
