"""Records as texts of jobs: title, content, excerpt, slug, custom fields, and the names of terms that need one.

Content made of blocks travels as the texts of its blocks, and comes back as the same blocks; other content as a whole.
What a translation takes over from its original is content/translations/copies.py's; menu items and files have ways of
their own beside (multilingual/translations/menu_item_texts.py, multilingual/translations/file_texts.py).
Rules: facts of the multilingual layer, 6.5 and 6.7.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.blocks import grammar
from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.translations import (
    copies as translation_copies,
)
from vetrina.content.translations import (
    duplicates as translation_duplicates,
)
from vetrina.content.translations import (
    record_translations,
)
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import ATTACHMENT, MENU_ITEM
from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.multilingual.jobs.impersonation import allowed, trusted
from vetrina.multilingual.jobs.model import Job, JobField
from vetrina.multilingual.languages.preferences import SLUGS, TAKES_STATUS
from vetrina.multilingual.translations import (
    block_references,
    block_rules,
    custom_fields,
    file_texts,
    menu_item_texts,
    term_texts,
)
from vetrina.multilingual.translations import (
    segments as translation_segments,
)
from vetrina.multilingual.translations.links import in_language
from vetrina.multilingual.translations.segments import Segment
from vetrina.multilingual.translations.translatables import ItemUnknown, NotTranslatable, Thing

__all__ = ["RECORDS"]

_PACKAGE: Final = "package-string-"
_CONTENT: Final = "body"
_RULES: Final = "rules"


class _Records:
    """Records of every type."""

    def found(self, work: Work, element_type: str, id: int) -> Thing:
        type = work.frame.types.get(element_type.removeprefix("post_"))
        one = record_model.by_id(work.tx, id) if type is not None and id > 0 else None
        if type is None or one is None or one.type != type.name or one.status in ("trash", "auto-draft"):
            raise ItemUnknown(element_type, id)
        if mode(work, element_type) is Mode.NOT_TRANSLATED:
            raise NotTranslatable(element_type)
        work.uses(type.name)
        title = one.title or (menu_item_texts.title(work, one) if type is MENU_ITEM else "") or f"#{one.id}"
        return Thing("post", element_type, one.id, one.language, title, one)

    def texts(self, work: Work, thing: Thing, language: str) -> list[JobField]:
        of: Record = thing.of
        type = work.frame.types[of.type]
        rules = block_rules.of_site(work)
        out = [JobField("title", of.title, format="text")] if of.title else []
        out += _content(of, rules)
        if of.excerpt:
            out.append(JobField("excerpt", of.excerpt))
        if of.slug and work.option(SLUGS) == "translate":
            out.append(JobField("URL", of.slug, format="text"))
        if type is ATTACHMENT:
            out += file_texts.texts(work, of)
        out += custom_fields.texts(work, element_of(type), of.meta, rules)
        out += _terms(work, type, of, language)
        out.append(JobField("original_id", str(of.id), wanted=False))
        return out

    def fingerprint(self, work: Work, thing: Thing) -> str:
        of: Record = thing.of
        type = work.frame.types[of.type]
        held = term_store.of_records(work.tx, [of.id])[of.id] if type.taxonomies else []
        slug = of.slug if work.option(SLUGS) == "translate" else ""
        fields = [f"{key}={of.meta[key]}" for key in custom_fields.translated(work, element_of(type), of.meta)]
        numbers = sorted(str(term.id) for term in held)
        parts = [of.title, of.content, of.excerpt, slug, ",".join(numbers), *fields]
        if type is ATTACHMENT:
            parts += [one.source for one in file_texts.texts(work, of)]
        return hashlib.md5(";".join(parts).encode(), usedforsecurity=False).hexdigest()

    def translation(self, work: Work, thing: Thing, language: str) -> int:
        held = record_translations.members(work, thing.of).get(language)
        return held.id if held is not None and held.status != "trash" else 0

    def apply(self, work: Work, job: Job, texts: Sequence[JobField], *, draft: bool | None) -> int:
        source: Record = self.found(work, job.element_type, job.element).of
        type = work.frame.types[source.type]
        by_name = {one.name: allowed(work.user, one.source, one.target) for one in texts if one.wanted and one.target}
        language = job.target_language
        held = record_translations.members(work, source).get(language)
        if held is not None and held.status == "trash":
            held = None
        given = _given(work, source, texts, by_name, language)
        author = held.author if held is not None else source.author
        with trusted(work, author, language):
            if type is MENU_ITEM:
                return menu_item_texts.apply(work, source, held, given, language)
            if type is ATTACHMENT:
                return file_texts.apply(work, source, held, given, by_name, language)
            made = _written(work, type, source, held, given, language, draft)
            named = custom_fields.named(work, element_of(type), source.meta, language)
            made = _with_fields(work, made, {**custom_fields.applied(source.meta, texts, by_name), **named})
            _name_terms(work, type, source, made, by_name, language)
            translation_copies.follow(work, type, record_translations.original(work, source))
            return made.id


RECORDS = _Records()


# -- out


def _content(of: Record, rules: block_rules.Rules) -> Iterator[JobField]:
    """Yield the content: whole, or the texts of its blocks with the content itself to put them into."""
    if not of.content:
        return
    if not grammar.has_blocks(of.content):
        yield JobField(_CONTENT, of.content)
        return
    yield JobField(_CONTENT, of.content, wanted=False)
    yield JobField(_RULES, block_rules.written(rules), wanted=False)
    for at, one in enumerate(translation_segments.segments(of.content, rules)):
        wrap = one.where if one.kind is translation_segments.SegmentKind.MARKUP else ""
        yield JobField(f"{_PACKAGE}{of.id}-{at + 1}", one.text, label=_label(one, rules), wrap_tag=wrap)


def _label(one: Segment, rules: block_rules.Rules) -> str:
    own = rules.block(one.block).label if one.block else ""
    name = own or one.block.removeprefix("core/") or "body"
    where = one.where if one.kind is not translation_segments.SegmentKind.MARKUP else ""
    return f"{name}: {where}" if where else name


def _terms(work: Work, type: ContentType, of: Record, language: str) -> Iterator[JobField]:
    """Yield the names of a record's terms that have no translation yet; those that have one keep it."""
    if not type.taxonomies:
        return
    held = term_store.of_records(work.tx, [of.id])[of.id]
    there = term_translations.in_languages(work, [term.id for term in held], language)
    for term in held:
        translated = mode(work, f"tax_{term.taxonomy}") is not Mode.NOT_TRANSLATED
        if translated and term.language == of.language and term.id not in there:
            yield from term_texts.texts_of(work, term)


# -- in


def _given(
    work: Work, source: Record, texts: Sequence[JobField], by_name: Mapping[str, str], language: str
) -> dict[str, Any]:
    """Return the written members of a translation."""
    known = {one.name: one for one in texts}
    given: dict[str, Any] = {"title": by_name.get("title", source.title)}
    body = known.get(_CONTENT)
    if body is not None and not body.wanted:
        # Those that held when the job was sent: another configuration since would count other texts.
        rules = block_rules.read(known[_RULES].source) if _RULES in known else block_rules.Rules()
        places = _places(translation_segments.segments(body.source, rules), texts, by_name)
        filled = translation_segments.filled(body.source, rules, places)
        given["content"] = in_language(work, block_references.in_language(work, filled, rules, language), language)
    elif body is not None:
        filled = by_name.get(_CONTENT, body.source)
        rules = block_rules.of_site(work)
        given["content"] = in_language(work, block_references.in_language(work, filled, rules, language), language)
    if "excerpt" in known:
        given["excerpt"] = by_name.get("excerpt", source.excerpt)
    if "URL" in by_name:
        given["slug"] = by_name["URL"]
    return given


def _places(found: Sequence[Segment], texts: Sequence[JobField], by_name: Mapping[str, str]) -> dict[int, str]:
    """Return the translations of block texts by the places of these in the content.

    A text that is not where the job has it is looked for by what it says.
    """
    out: dict[int, str] = {}
    elsewhere: dict[str, list[int]] = {}
    for at, one in enumerate(found):
        elsewhere.setdefault(one.text, []).append(at)
    for text in texts:
        number = whole(text.name.rpartition("-")[2])
        if not text.name.startswith(_PACKAGE) or text.name not in by_name or number is None:
            continue
        at = number - 1
        if at >= len(found) or found[at].text != text.source:
            at = next((place for place in elsewhere.get(text.source, ()) if place not in out), -1)
        if at >= 0:
            out[at] = by_name[text.name]
    return out


def _written(
    work: Work, type: ContentType, source: Record, held: Record | None, given: dict[str, Any], language: str,
    draft: bool | None,
) -> Record:  # fmt: skip
    """Write the translation itself, linked with its source."""
    if held is not None:
        if draft is None and held.status == "draft":
            given["status"] = source.status
        return records.change(work, type, translation_duplicates.independent(work, type, held), given)
    if work.option(SLUGS) == "copy-encoded":
        given["slug"] = source.slug
    status = source.status if source.status not in ("trash", "auto-draft") and work.option(TAKES_STATUS) else "draft"
    given |= {
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
        given["parent"] = record_translations.in_languages(work, (source.parent,), language).get(source.parent, 0)
    made = records.create(work, type, given, language=language)
    made = record_translations.join(work, made, source.translations, source.language)
    if not source.floating and made.floating:
        dated = msgspec.structs.replace(made, date=source.date, date_gmt=source.date_gmt, floating=False)
        record_model.store(work.tx, made, dated)
        made = msgspec.structs.replace(dated, version=made.version + 1)
    return made


def _with_fields(work: Work, of: Record, fields: Mapping[str, Any]) -> Record:
    """Write the custom fields of a translation; they need not be registered, as those of its source."""
    meta = {**of.meta, **fields}
    if meta == of.meta:
        return of
    record_model.store(work.tx, of, msgspec.structs.replace(of, meta=meta))
    work.note(of.type, of.id, "changed")
    return msgspec.structs.replace(of, meta=meta, version=of.version + 1)


def _name_terms(
    work: Work, type: ContentType, source: Record, made: Record, by_name: Mapping[str, str], language: str
) -> None:
    """Give a translation the terms of its source in its language, made where the job names them."""
    held = term_store.of_records(work.tx, [source.id])[source.id] if type.taxonomies else []
    for term in held:
        if term_texts.names(term, by_name):
            term_texts.put(work, term, by_name, language)
    for taxonomy in work.frame.taxonomies_of(type):
        theirs = [term.id for term in held if term.taxonomy == taxonomy.name]
        if mode(work, element_of(taxonomy)) is not Mode.NOT_TRANSLATED:
            theirs = list(term_translations.in_languages(work, theirs, language).values())
        if theirs:
            term_store.assign(work, made.id, taxonomy, theirs)
