"""What translations copy from their original when it is saved.

That is settings (named in the option `translation_copies`), custom fields by their modes, the parent, the terms in each
language, the image. Texts belong to each language, but duplicates are rewritten as a whole. Not here: when a
translation needs an update (multilingual/). Rules: docs/rules/translated_content.md, 7, 11, 14 and 18;
docs/rules/content_languages.md, 7 to 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.records import model as record_model, public_transitions, scheduling, slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import ids_in_values, record_translations
from vetrina.content.translations.modes import (
    FieldTranslationMode,
    TranslationMode,
    build_element_name,
    get_field_modes,
    get_reference_kind,
    get_translation_mode,
)
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import UnitOfWork

DUPLICATE_OF: Final = "_icl_lang_duplicate_of"  # meta key of a duplicate: the id of its original

_PLAIN: Final = ("menu_order", "template", "ping_status", "comment_status", "sticky", "password", "format")
_TEXTS: Final = (
    "title", "title_key", "title_html", "content", "content_html", "block_version", "excerpt", "excerpt_html",
    "renderer", "dynamic", "menu_order", "template", "ping_status", "comment_status", "sticky", "password", "format",
    "date", "date_gmt", "floating", "status", "author",
)  # fmt: skip


def copy_to_translations(work: UnitOfWork, type: ContentType, of: Record, before: Record | None = None) -> None:
    """Write what the translations of an original copy from it; before: the original before the save."""
    if of.source_language or of.status == "trash" or type.address == "attached":
        return
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return
    others = [
        one
        for one in record_translations.load_record_group(work, of).values()
        if one.id != of.id and one.status != "trash"
    ]
    if not others:
        return
    held = term_store.list_terms_by_record(work.tx, [of.id, *(one.id for one in others)]) if type.taxonomies else {}
    for one in others:
        new = msgspec.structs.replace(one, **build_copied_members(work, type, of, one, before))
        if new != one:
            new = _save_translation(work, type, one, new, held.get(one.id, ()))
        if held and "terms" in work.option("translation_copies"):
            _copy_terms(work, type, of, new, held)


def build_copied_members(
    work: UnitOfWork, type: ContentType, of: Record, one: Record, before: Record | None = None
) -> dict[str, Any]:
    """Return the members that a translation gets from its original."""
    wanted = frozenset(work.option("translation_copies"))
    out: dict[str, Any] = {name: getattr(of, name) for name in _PLAIN if name in wanted}
    duplicate = one.meta.get(DUPLICATE_OF) == of.id
    if duplicate:
        out = {name: getattr(of, name) for name in _TEXTS}
    elif "date" in wanted and not of.floating:
        out |= {"date": of.date, "date_gmt": of.date_gmt, "floating": False}
    if "private" in wanted and not duplicate:
        out["status"] = _resolve_status(of, one)
    status = out.get("status", one.status)
    out["status"] = scheduling.resolve_status(status, out.get("date_gmt", one.date_gmt), work.now)
    if "parent" in wanted and type.hierarchical:
        out["parent"] = record_translations.translate_record_ids(work, (of.parent,), one.language).get(of.parent, 0)
        if out["parent"] != one.parent:
            out["slug"] = record_slugs.find_free_slug(
                work.tx, type, one.slug, language=one.language, parent=out["parent"], id=one.id, types=work.site.types
            )
    if "featured_media" in wanted and type.has("thumbnail"):
        out["featured_media"] = _resolve_image(work, of, one, before)
    out["meta"] = _merge_fields(work, type, of.meta, one.meta, one.language, duplicate)
    return out


def _resolve_status(original: Record, translation: Record) -> str:
    """Return the status of a translation when its original becomes private, or is no longer so."""
    if original.status == "private" and translation.status in ("publish", "future"):
        return "private"
    if original.status in ("publish", "future") and translation.status == "private":
        return original.status
    return translation.status


def _resolve_image(work: UnitOfWork, original: Record, translation: Record, before: Record | None) -> int:
    """Return the image of a translation: its original's image in that language, unless it has one of its own."""
    own = record_translations.translate_record_id(work, original.featured_media, translation.language)
    known = {0, original.featured_media, own}
    if before is not None and before.featured_media:
        known |= {
            before.featured_media,
            record_translations.translate_record_id(work, before.featured_media, translation.language),
        }
    return own if translation.featured_media in known else translation.featured_media


def _merge_fields(
    work: UnitOfWork, type: ContentType, of: Mapping[str, Any], one: Mapping[str, Any], language: str, duplicate: bool
) -> dict[str, Any]:
    """Return the custom fields of a translation; ids in them become those of its language."""
    if duplicate:
        return {**of, DUPLICATE_OF: one[DUPLICATE_OF]}
    out = dict(one)
    for key, how in get_field_modes(work, build_element_name(type), {**of, **one}).items():
        if how is FieldTranslationMode.COPY:
            out.pop(key, None)
        if key in of and (
            how is FieldTranslationMode.COPY or (how is FieldTranslationMode.COPY_ONCE and key not in one)
        ):
            kind = get_reference_kind(work, build_element_name(type), key)
            out[key] = ids_in_values.translate_references(work, kind, of[key], language) if kind else of[key]
    return out


def _save_translation(work: UnitOfWork, type: ContentType, old: Record, new: Record, held: Sequence[Term]) -> Record:
    before = public_transitions.describe_saved_record(work, type, old, new)
    record_model.update_record_row(work, old, new)
    work.lookups.clear()
    if (old.status == "publish") != (new.status == "publish"):
        term_store.recount_terms(work, [term.id for term in held])
    scheduling.schedule_publication(work, old, new)
    work.note(type.name, old.id, "changed", before)
    return msgspec.structs.replace(new, version=old.version + 1)


def _copy_terms(
    work: UnitOfWork, type: ContentType, of: Record, one: Record, held: Mapping[int, Sequence[Term]]
) -> None:
    """Give a translation the terms of its original in its own language; terms without a counterpart there stay."""
    for taxonomy in work.site.taxonomies_of(type):
        theirs = [term.id for term in held[of.id] if term.taxonomy == taxonomy.name]
        own = [term.id for term in held[one.id] if term.taxonomy == taxonomy.name]
        wanted = _resolve_terms(work, taxonomy, of, one, theirs, own)
        if wanted != set(own) and term_store.assign_terms(work, one.id, taxonomy, sorted(wanted)):
            work.note(type.name, one.id, "changed")


def _resolve_terms(
    work: UnitOfWork, taxonomy: Taxonomy, of: Record, one: Record, theirs: Sequence[int], own: Sequence[int]
) -> set[int]:
    if get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED:
        return set(theirs)
    mapped = set(term_translations.translate_term_ids(work, theirs, one.language).values())
    known = term_translations.translate_term_ids(work, own, of.language)
    wanted = mapped | {id for id in own if id not in known}
    if not wanted and taxonomy.default_option:
        return set(own)
    return wanted
