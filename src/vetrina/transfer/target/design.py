"""The site's own templates, parts and styles of the source, which become those of the theme that is active here."""

from __future__ import annotations

from typing import Any

import msgspec

from vetrina.content.records import model as record_model
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import GLOBAL_STYLES, TEMPLATE_PART
from vetrina.design.styles import rules as styles
from vetrina.design.templates import rules as templates
from vetrina.design.templates.kinds import TEMPLATE_KINDS
from vetrina.design.themes import active_theme
from vetrina.transfer.records import Record

from .addresses import rewrite_content, rewrite_value
from .content import build_dates, choose_record_id, find_earlier, resolve_author
from .incoming_record import IncomingRecord, RecordSkipped
from .outcome import Written


def is_theme_file(record: Record) -> bool:
    """Return whether a template of the source is a file of its theme, which nobody has changed."""
    return record.values.get("source") == "theme" and not record.values.get("wp_id")


def write_template(one: IncomingRecord, type: ContentType) -> Written:
    """Write a template or part. Raises RecordSkipped, EmptyRecordContent."""
    work, slug = one.work, one.get_text("slug")
    if not slug:
        raise RecordSkipped("it has no slug")
    given: dict[str, Any] = {
        "slug": slug, "title": one.get_text("title"), "content": rewrite_content(one, one.get_text("content")),
        "description": one.get_text("description"), "author": resolve_author(one),
        "is_wp_suggestion": slug not in TEMPLATE_KINDS and one.values.get("is_custom") is False,
    }  # fmt: skip
    if type.name == TEMPLATE_PART.name:
        given["area"] = one.get_text("area")
    if get_translation_mode(work, build_element_name(type)) is not TranslationMode.NOT_TRANSLATED:
        given["lang"] = one.choose_language(build_element_name(type))
    here = find_earlier(one, type)
    theme = active_theme.get_active_theme(work.site).name
    old = templates.find_template(work, type, f"{theme}//{here.slug if here else slug}")
    own = choose_record_id(one, one.get_number("wp_id")) if here is None else 0
    if old is not None and (here is not None or old.stored is None):
        new = templates.update_template(work, type, old, given, id=own)
    else:
        new = templates.create_template(work, type, given, id=own)
    stored = new.stored
    assert stored is not None, "it was just written"
    record_model.update_record_row(
        work, stored, msgspec.structs.replace(stored, **{**build_dates(one, stored.status, stored), "floating": False})
    )
    return Written(stored.id)


def write_styles(one: IncomingRecord) -> Written:
    """Write the site's styles over those of the theme. Raises IllegalCssMarkup."""
    work = one.work
    old = find_earlier(one, work.site.types[GLOBAL_STYLES.name])
    if old is None:
        old = styles.ensure_site_styles(work, id=choose_record_id(one, one.own_id))
    given = {
        "title": one.get_text("title") or old.title,
        **{name: rewrite_value(one, one.values.get(name)) for name in ("settings", "styles")},
    }
    return Written(styles.update_styles(work, old, given).id)
