"""What translations take over from their original at each of its saves.

Settings (the option `translation_copies` names them), custom fields by their modes, the place in a tree, the terms in
each language, the image. What is text stays each language's own, but for duplicates, which are rewritten whole.
Not here: when a translation needs work (domain/mlang). Rules: facts of the multilingual layer, 4, 5.2, 5.3, 5.5, 5.7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.records import lifecycle
from vetrina.content.records import model as record_model
from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations, references
from vetrina.content.translations.modes import FieldMode, Mode, element_of, fields_of, mode, named_by
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import Work

__all__ = ["DUPLICATE_OF", "follow", "taken_over"]

DUPLICATE_OF: Final = "_icl_lang_duplicate_of"  # the meta of a duplicate: the number of its original

_PLAIN: Final = ("menu_order", "template", "ping_status", "comment_status", "sticky", "password", "format")
_TEXTS: Final = (
    "title", "title_key", "title_html", "content", "content_html", "block_version", "excerpt", "excerpt_html",
    "renderer", "dynamic", "menu_order", "template", "ping_status", "comment_status", "sticky", "password", "format",
    "date", "date_gmt", "floating", "status", "author",
)  # fmt: skip


def follow(work: Work, type: ContentType, of: Record, before: Record | None = None) -> None:
    """Write what the translations of an original take over from it; before: the original as it was."""
    if of.source_language or of.status == "trash" or type.address == "attached":
        return
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return
    others = [
        one for one in record_translations.members(work, of).values() if one.id != of.id and one.status != "trash"
    ]
    if not others:
        return
    held = term_store.of_records(work.tx, [of.id, *(one.id for one in others)]) if type.taxonomies else {}
    for one in others:
        new = msgspec.structs.replace(one, **taken_over(work, type, of, one, before))
        if new != one:
            new = _stored(work, type, one, new, held.get(one.id, ()))
        if held and "terms" in work.option("translation_copies"):
            _copy_terms(work, type, of, new, held)


def taken_over(work: Work, type: ContentType, of: Record, one: Record, before: Record | None = None) -> dict[str, Any]:
    """Return the members that a translation gets from its original."""
    wanted = frozenset(work.option("translation_copies"))
    out: dict[str, Any] = {name: getattr(of, name) for name in _PLAIN if name in wanted}
    duplicate = one.meta.get(DUPLICATE_OF) == of.id
    if duplicate:
        out = {name: getattr(of, name) for name in _TEXTS}
    elif "date" in wanted and not of.floating:
        out |= {"date": of.date, "date_gmt": of.date_gmt, "floating": False}
    if "private" in wanted and not duplicate:
        out["status"] = _status(of, one)
    status = out.get("status", one.status)
    out["status"] = lifecycle.settled(status, out.get("date_gmt", one.date_gmt), work.now)
    if "parent" in wanted and type.hierarchical:
        out["parent"] = record_translations.in_languages(work, (of.parent,), one.language).get(of.parent, 0)
        if out["parent"] != one.parent:
            out["slug"] = record_slugs.free(
                work.tx, type, one.slug, language=one.language, parent=out["parent"], id=one.id, types=work.frame.types
            )
    if "featured_media" in wanted and type.has("thumbnail"):
        out["featured_media"] = _image(work, of, one, before)
    out["meta"] = _fields(work, type, of.meta, one.meta, one.language, duplicate)
    return out


def _status(of: Record, one: Record) -> str:
    """Return the status of a translation where that of its original is private, or is so no longer."""
    if of.status == "private" and one.status in ("publish", "future"):
        return "private"
    if of.status in ("publish", "future") and one.status == "private":
        return of.status
    return one.status


def _image(work: Work, of: Record, one: Record, before: Record | None) -> int:
    """Return the image of a translation: that of its original in its language, unless it has one of its own."""
    own = record_translations.in_language(work, of.featured_media, one.language)
    known = {0, of.featured_media, own}
    if before is not None and before.featured_media:
        known |= {before.featured_media, record_translations.in_language(work, before.featured_media, one.language)}
    return own if one.featured_media in known else one.featured_media


def _fields(
    work: Work, type: ContentType, of: Mapping[str, Any], one: Mapping[str, Any], language: str, duplicate: bool
) -> dict[str, Any]:
    """Return the custom fields of a translation; what they name by numbers becomes that of its language."""
    if duplicate:
        return {**of, DUPLICATE_OF: one[DUPLICATE_OF]}
    out = dict(one)
    for key, how in fields_of(work, element_of(type), {**of, **one}).items():
        if how is FieldMode.COPY:
            out.pop(key, None)
        if key in of and (how is FieldMode.COPY or (how is FieldMode.COPY_ONCE and key not in one)):
            kind = named_by(work, element_of(type), key)
            out[key] = references.in_language(work, kind, of[key], language) if kind else of[key]
    return out


def _stored(work: Work, type: ContentType, old: Record, new: Record, held: Sequence[Term]) -> Record:
    record_model.store(work.tx, old, new)
    work.memo.clear()
    if (old.status == "publish") != (new.status == "publish"):
        term_store.recount(work, [term.id for term in held])
    lifecycle.await_date(work, old, new)
    work.note(type.name, old.id, "changed")
    return msgspec.structs.replace(new, version=old.version + 1)


def _copy_terms(work: Work, type: ContentType, of: Record, one: Record, held: Mapping[int, Sequence[Term]]) -> None:
    """Give a translation the terms of its original in its own language; terms that only it can have stay."""
    for taxonomy in work.frame.taxonomies_of(type):
        theirs = [term.id for term in held[of.id] if term.taxonomy == taxonomy.name]
        own = [term.id for term in held[one.id] if term.taxonomy == taxonomy.name]
        wanted = _terms_for(work, taxonomy, of, one, theirs, own)
        if wanted != set(own) and term_store.assign(work, one.id, taxonomy, sorted(wanted)):
            work.note(type.name, one.id, "changed")


def _terms_for(
    work: Work, taxonomy: Taxonomy, of: Record, one: Record, theirs: Sequence[int], own: Sequence[int]
) -> set[int]:
    if mode(work, element_of(taxonomy)) is Mode.NOT_TRANSLATED:
        return set(theirs)
    mapped = set(term_translations.in_languages(work, theirs, one.language).values())
    known = term_translations.in_languages(work, own, of.language)
    wanted = mapped | {id for id in own if id not in known}
    if not wanted and taxonomy.default_option:
        return set(own)
    return wanted
