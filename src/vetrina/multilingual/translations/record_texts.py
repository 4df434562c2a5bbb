"""Records as texts of jobs: title, content, excerpt, slug, custom fields, and names of untranslated terms.

Content made of blocks is sent as the texts of its blocks, and comes back as the same blocks; other content is sent as a
whole. Not here: what a translation copies from its original (content/translations/copied_from_original.py), menu items
and files (multilingual/translations/menu_item_texts.py, multilingual/translations/file_texts.py). Rules:
docs/rules/translation_jobs.md, 10 and 13.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.blocks import grammar
from vetrina.content.records import model as record_model, rules as records
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.translations import (
    copied_from_original as translation_copies,
    duplicates as translation_duplicates,
    record_translations,
)
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import ATTACHMENT, MENU_ITEM
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.multilingual.jobs.impersonation import impersonate_author, sanitize_translation
from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField
from vetrina.multilingual.languages.preferences import SLUGS, TAKES_STATUS
from vetrina.multilingual.translations import (
    block_references,
    block_rules,
    custom_fields,
    file_texts,
    menu_item_texts,
    segments as translation_segments,
    term_texts,
)
from vetrina.multilingual.translations.link_replacement import translate_links
from vetrina.multilingual.translations.segments import ContentSegment
from vetrina.multilingual.translations.translatables import NotTranslatable, Translatable, TranslatableNotFound

_PACKAGE: Final = "package-string-"
_CONTENT: Final = "body"
_RULES: Final = "rules"


class _TranslatableRecords:
    """Records of every type."""

    def get_translatable(self, work: UnitOfWork, element_type: str, id: int) -> Translatable:
        type = work.site.types.get(element_type.removeprefix("post_"))
        one = record_model.find_record(work.tx, id) if type is not None and id > 0 else None
        if type is None or one is None or one.type != type.name or one.status in ("trash", "auto-draft"):
            raise TranslatableNotFound(element_type, id)
        if get_translation_mode(work, element_type) is TranslationMode.NOT_TRANSLATED:
            raise NotTranslatable(element_type)
        work.uses(type.name)
        title = one.title or (menu_item_texts.get_item_title(work, one) if type is MENU_ITEM else "") or f"#{one.id}"
        return Translatable("post", element_type, one.id, one.language, title, one)

    def texts(self, work: UnitOfWork, item: Translatable, language: str) -> list[TranslationJobField]:
        of: Record = item.of
        type = work.site.types[of.type]
        rules = block_rules.load_rules(work)
        out = [TranslationJobField("title", of.title, format="text")] if of.title else []
        out += _iterate_content_fields(of, rules)
        if of.excerpt:
            out.append(TranslationJobField("excerpt", of.excerpt))
        if of.slug and work.option(SLUGS) == "translate":
            out.append(TranslationJobField("URL", of.slug, format="text"))
        if type is ATTACHMENT:
            out += file_texts.iterate_file_texts(work, of)
        out += custom_fields.iterate_field_texts(work, build_element_name(type), of.meta, rules)
        out += _iterate_term_fields(work, type, of, language)
        out.append(TranslationJobField("original_id", str(of.id), wanted=False))
        return out

    def fingerprint(self, work: UnitOfWork, item: Translatable) -> str:
        of: Record = item.of
        type = work.site.types[of.type]
        held = term_store.list_terms_by_record(work.tx, [of.id])[of.id] if type.taxonomies else []
        slug = of.slug if work.option(SLUGS) == "translate" else ""
        fields = [
            f"{key}={of.meta[key]}"
            for key in custom_fields.list_translated_keys(work, build_element_name(type), of.meta)
        ]
        numbers = sorted(str(term.id) for term in held)
        parts = [of.title, of.content, of.excerpt, slug, ",".join(numbers), *fields]
        if type is ATTACHMENT:
            parts += [one.source for one in file_texts.iterate_file_texts(work, of)]
        return hashlib.md5(";".join(parts).encode(), usedforsecurity=False).hexdigest()

    def translation(self, work: UnitOfWork, item: Translatable, language: str) -> int:
        held = record_translations.load_record_group(work, item.of).get(language)
        return held.id if held is not None and held.status != "trash" else 0

    def apply(
        self, work: UnitOfWork, job: TranslationJob, texts: Sequence[TranslationJobField], *, draft: bool | None
    ) -> int:
        source: Record = self.get_translatable(work, job.element_type, job.element).of
        type = work.site.types[source.type]
        by_name = {
            one.name: sanitize_translation(work.user, one.source, one.target)
            for one in texts
            if one.wanted and one.target
        }
        language = job.target_language
        held = record_translations.load_record_group(work, source).get(language)
        if held is not None and held.status == "trash":
            held = None
        given = _build_members(work, source, texts, by_name, language)
        author = held.author if held is not None else source.author
        with impersonate_author(work, author, language):
            if type is MENU_ITEM:
                return menu_item_texts.apply_item_translation(work, source, held, given, language)
            if type is ATTACHMENT:
                return file_texts.apply_file_translation(work, source, held, given, by_name, language)
            translated = custom_fields.apply_field_translations(source.meta, texts, by_name)
            made = _write_translation(work, type, source, held, given, language, draft, translated)
            named = custom_fields.translate_reference_fields(work, build_element_name(type), source.meta, language)
            made = _write_custom_fields(work, made, {**translated, **named})
            _assign_terms(work, type, source, made, by_name, language)
            translation_copies.copy_to_translations(work, type, record_translations.find_original_record(work, source))
            work.tell(type.name, made.id, "translated")
            return made.id


RECORDS = _TranslatableRecords()


# -- reading


def _iterate_content_fields(record: Record, rules: block_rules.TranslationRules) -> Iterator[TranslationJobField]:
    """Yield the content: whole, or the texts of its blocks together with the content to insert them into."""
    if not record.content:
        return
    if not grammar.has_blocks(record.content):
        yield TranslationJobField(_CONTENT, record.content)
        return
    yield TranslationJobField(_CONTENT, record.content, wanted=False)
    yield TranslationJobField(_RULES, block_rules.encode_rules(rules), wanted=False)
    for at, one in enumerate(translation_segments.list_segments(record.content, rules)):
        wrap = one.where if one.kind is translation_segments.ContentSegmentKind.MARKUP else ""
        yield TranslationJobField(
            f"{_PACKAGE}{record.id}-{at + 1}", one.text, label=_build_segment_label(one, rules), wrap_tag=wrap
        )


def _build_segment_label(segment: ContentSegment, rules: block_rules.TranslationRules) -> str:
    own = rules.block(segment.block).label if segment.block else ""
    name = own or segment.block.removeprefix("core/") or "body"
    where = segment.where if segment.kind is not translation_segments.ContentSegmentKind.MARKUP else ""
    return f"{name}: {where}" if where else name


def _iterate_term_fields(
    work: UnitOfWork, type: ContentType, record: Record, language: str
) -> Iterator[TranslationJobField]:
    """Yield the names of a record's terms that have no translation yet; the others keep theirs."""
    if not type.taxonomies:
        return
    held = term_store.list_terms_by_record(work.tx, [record.id])[record.id]
    there = term_translations.translate_term_ids(work, [term.id for term in held], language)
    for term in held:
        translated = get_translation_mode(work, f"tax_{term.taxonomy}") is not TranslationMode.NOT_TRANSLATED
        if translated and term.language == record.language and term.id not in there:
            yield from term_texts.iterate_term_texts(work, term)


# -- writing


def _build_members(
    work: UnitOfWork, source: Record, texts: Sequence[TranslationJobField], by_name: Mapping[str, str], language: str
) -> dict[str, Any]:
    """Return the members of a translation to write."""
    known = {one.name: one for one in texts}
    given: dict[str, Any] = {"title": by_name.get("title", source.title)}
    body = known.get(_CONTENT)
    if body is not None and not body.wanted:
        # The rules when the job was sent: a configuration changed since then would segment the content differently.
        rules = block_rules.decode_rules(known[_RULES].source) if _RULES in known else block_rules.TranslationRules()
        places = _match_segments(translation_segments.list_segments(body.source, rules), texts, by_name)
        filled = translation_segments.fill_segments(body.source, rules, places)
        given["content"] = translate_links(
            work, block_references.translate_references(work, filled, rules, language), language
        )
    elif body is not None:
        filled = by_name.get(_CONTENT, body.source)
        rules = block_rules.load_rules(work)
        given["content"] = translate_links(
            work, block_references.translate_references(work, filled, rules, language), language
        )
    if "excerpt" in known:
        given["excerpt"] = by_name.get("excerpt", source.excerpt)
    if "URL" in by_name:
        given["slug"] = by_name["URL"]
    return given


def _match_segments(
    segments: Sequence[ContentSegment], texts: Sequence[TranslationJobField], by_name: Mapping[str, str]
) -> dict[int, str]:
    """Return the translations of block texts by their index in the content.

    A text that is not at the index the job has for it is found by its source text.
    """
    out: dict[int, str] = {}
    elsewhere: dict[str, list[int]] = {}
    for at, one in enumerate(segments):
        elsewhere.setdefault(one.text, []).append(at)
    for text in texts:
        number = parse_digits(text.name.rpartition("-")[2])
        if not text.name.startswith(_PACKAGE) or text.name not in by_name or number is None:
            continue
        at = number - 1
        if at >= len(segments) or segments[at].text != text.source:
            at = next((place for place in elsewhere.get(text.source, ()) if place not in out), -1)
        if at >= 0:
            out[at] = by_name[text.name]
    return out


def _write_translation(
    work: UnitOfWork, type: ContentType, source: Record, existing: Record | None, members: dict[str, Any],
    language: str, draft: bool | None, fields: Mapping[str, Any],
) -> Record:  # fmt: skip
    """Write the translation itself, linked to its source. fields: the translated ones of its meta."""
    own = {one.name for one in work.site.custom_fields.get(type.name, ())}
    translated = {name: value for name, value in fields.items() if name in own}
    if existing is not None:
        # Before the rest: a record that becomes public needs its fields.
        existing = _write_custom_fields(work, existing, translated)
        if draft is None and existing.status == "draft":
            members["status"] = source.status
        return records.update_record(work, type, translation_duplicates.detach_duplicate(work, type, existing), members)
    if work.option(SLUGS) == "copy-encoded":
        members["slug"] = source.slug
    status = source.status if source.status not in ("trash", "auto-draft") and work.option(TAKES_STATUS) else "draft"
    members |= {
        "status": "draft" if draft else status,
        "author": source.author,
        "menu_order": source.menu_order,
        "template": source.template,
        "comment_status": source.comment_status,
        "ping_status": source.ping_status,
        "password": source.password,
        "format": source.format,
    }
    if source.parent and type.hierarchical:
        members["parent"] = record_translations.translate_record_ids(work, (source.parent,), language).get(
            source.parent, 0
        )
    starting = custom_fields.build_starting_values(work, build_element_name(type), source.meta, language)
    made = records.create_record(work, type, members, language=language, fields={**starting, **translated})
    made = record_translations.join_record_group(work, made, source.translations, source.language)
    if not source.floating and made.floating:
        dated = msgspec.structs.replace(made, date=source.date, date_gmt=source.date_gmt, floating=False)
        record_model.update_record_row(work, made, dated)
        made = msgspec.structs.replace(dated, version=made.version + 1)
    return made


def _write_custom_fields(work: UnitOfWork, record: Record, fields: Mapping[str, Any]) -> Record:
    """Write the custom fields of a translation; like those of its source, they need not be registered."""
    meta = {**record.meta, **fields}
    if meta == record.meta:
        return record
    record_model.update_record_row(work, record, msgspec.structs.replace(record, meta=meta))
    work.note(record.type, record.id, "changed")
    return msgspec.structs.replace(record, meta=meta, version=record.version + 1)


def _assign_terms(
    work: UnitOfWork, type: ContentType, source: Record, translation: Record, by_name: Mapping[str, str], language: str
) -> None:
    """Assign a translation the terms of its source in its language, created where the job has their names."""
    held = term_store.list_terms_by_record(work.tx, [source.id])[source.id] if type.taxonomies else []
    for term in held:
        if term_texts.has_term_name(term, by_name):
            term_texts.save_term_translation(work, term, by_name, language)
    for taxonomy in work.site.taxonomies_of(type):
        theirs = [term.id for term in held if term.taxonomy == taxonomy.name]
        if get_translation_mode(work, build_element_name(taxonomy)) is not TranslationMode.NOT_TRANSLATED:
            theirs = list(term_translations.translate_term_ids(work, theirs, language).values())
        if theirs:
            term_store.assign_terms(work, translation.id, taxonomy, theirs)
