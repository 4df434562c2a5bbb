"""Templates and template parts: the theme's files, and over them the site owner's own or changed ones.

A template is identified by theme and slug. A record with both takes precedence over the file; deleting it restores the
file. Theme files: design/themes/model.py. Fallbacks: design/templates/fallbacks.py. Rules:
docs/rules/templates.md, 1, 3, 4, 5 and 10; docs/rules/catalogue_pages.md, 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.access.users import rules as users
from vetrina.content.records import model as record_model, trash as record_trash
from vetrina.content.records.model import Record
from vetrina.content.records.rules import EmptyRecordContent, InvalidRecordAuthor
from vetrina.content.records.stored_texts import extract_raw_text
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.translations import record_translations
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design import site_records
from vetrina.design.templates.fallbacks import build_template_hierarchy
from vetrina.design.templates.kinds import DEFAULT_AREA, PART_AREAS, is_chosen_by_name
from vetrina.design.templates.languages import resolve_language, select_by_language
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import ThemeTemplateFile
from vetrina.design.themes.translations import translate_theme_markup
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure


class BlockTemplateNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_template_not_found"
    message = "There is no template {id!r}. An id is the theme's name, two strokes and the slug."


class TemplateIsThemeFile(ApiError):
    """The operation needs a record, and the template is a file of the theme."""

    code = "rest_invalid_template"
    message = "{id} is a file of the theme: it has no history and stays; change it, and a copy is kept instead of it."


@dataclass(frozen=True, slots=True)
class BlockTemplate:
    """A template or a part: a file, or a record over it.

    file: the theme's file of the same slug, None if there is none. stored: the record, None for a bare file.
    """

    theme: str
    slug: str
    title: str
    description: str
    content: str
    area: str
    file: ThemeTemplateFile | None
    stored: Record | None
    post_types: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id among all templates: theme and slug."""
        return f"{self.theme}//{self.slug}"

    @property
    def is_custom(self) -> bool:
        """Whether it is chosen by name, not found through the template hierarchy."""
        suggested = self.stored is not None and self.stored.meta.get("suggested", False)
        return is_chosen_by_name(self.slug, suggested=suggested, module=self.file.module if self.file else "")

    @property
    def origin(self) -> str | None:
        """The origin of a record, None for a file or a record that was not copied from one."""
        return self.stored.meta.get("origin") if self.stored else None


def find_template(work: UnitOfWork, type: ContentType, id: str) -> BlockTemplate | None:
    """Return the template or part with an id; a single slash between theme and slug is accepted."""
    theme, slug = _split_template_id(id)
    if not theme or not slug:
        return None
    stored = select_by_language(
        work,
        type,
        [row for row in site_records.list_entries_by_slug(work, type, slug) if _belongs_to_theme(row, theme)],
    )
    if stored is not None:
        return _record_to_template(work, type, stored)
    file = _find_theme_file(work, type, theme, slug)
    return _file_to_template(theme, file) if file else None


def get_template(work: UnitOfWork, type: ContentType, id: str) -> BlockTemplate:
    """Return the template or part with an id. Raises BlockTemplateNotFound."""
    found = find_template(work, type, id)
    if found is None:
        raise BlockTemplateNotFound(id=id)
    return found


def get_theme_template(work: UnitOfWork, type: ContentType, id: str) -> BlockTemplate:
    """Return the theme's own file with an id, ignoring records over it. Raises BlockTemplateNotFound."""
    theme, slug = _split_template_id(id)
    file = _find_theme_file(work, type, theme, slug)
    if file is None:
        raise BlockTemplateNotFound(id=id)
    return _file_to_template(theme, file)


def list_templates(
    work: UnitOfWork, type: ContentType, *, number: int | None = None, area: str | None = None, post_type: str = ""
) -> list[BlockTemplate]:
    """Return the templates or parts of the active theme: records first, the newest in front.

    number: id of a record; then only that one, whatever its area. area: of parts; None for all.
    post_type: only templates that its records may choose; parts are for all.
    """
    theme = active_theme.load_active_theme(work).name
    rows = [row for row in site_records.list_entries(work, type) if _belongs_to_theme(row, theme)]
    if number is not None:
        rows = [row for row in rows if row.id == number]
    else:
        named: dict[str, list[Record]] = {}
        for row in rows:
            named.setdefault(row.slug, []).append(row)
        rows = [row for row in rows if row is select_by_language(work, type, named[row.slug])]
    found = [_record_to_template(work, type, row) for row in rows]
    if number is None:
        taken = {one.slug for one in found}
        found += [
            _file_to_template(theme, file) for file in _get_theme_files(work, type).values() if file.slug not in taken
        ]
        if area is not None and type is TEMPLATE_PART:
            found = [one for one in found if one.area == area]
    if post_type and type is TEMPLATE:
        found = [one for one in found if one.is_custom and (not one.post_types or post_type in one.post_types)]
    return found


def list_template_choices(work: UnitOfWork, type: ContentType) -> list[str]:
    """Return the slugs of the templates that a record of a type may choose."""
    return [template.slug for template in list_templates(work, TEMPLATE, post_type=type.name)]


def look_up_template(
    work: UnitOfWork, type: ContentType, slug: str, *, is_custom: bool = False, prefix: str = ""
) -> BlockTemplate | None:
    """Return the template that renders `slug`: the most specific of its hierarchy that has content."""
    if not slug:
        return None
    theme = active_theme.load_active_theme(work).name
    site = work.site
    chain = build_template_hierarchy(
        slug, is_custom=is_custom, prefix=prefix, types=site.types, taxonomies=site.taxonomies
    )
    last = None
    for name in chain:
        last = find_template(work, type, f"{theme}//{name}") or last
        if last is not None and last.content:
            return last
    return last


def get_translated_content(work: UnitOfWork, template: BlockTemplate) -> str:
    """Return the content of a template for a page in the current language: texts of a theme's file are translated."""
    if template.stored is not None:
        return template.content
    return translate_theme_markup(active_theme.load_active_theme(work), work.language, template.content)


def create_template(work: UnitOfWork, type: ContentType, given: Mapping[str, Any], *, id: int = 0) -> BlockTemplate:
    """Create a template or part and return it.

    given: slug, theme, title, content, description, author, area; titles and contents as text or with `raw`;
      `is_wp_suggestion` for a slug of the template hierarchy, such as one page's, so that no record chooses it.
    id: a free one that it takes, 0 for the next one.
    Raises EmptyRecordContent and InvalidRecordAuthor.
    """
    texts = _merge_texts(work, given, ("", "", ""))
    if not any(texts):
        raise EmptyRecordContent
    meta: dict[str, Any] = {"theme": given.get("theme") or active_theme.load_active_theme(work).name}
    if type is TEMPLATE_PART:
        meta["area"] = _normalize_area(given.get("area"))
    elif given.get("is_wp_suggestion"):
        meta["suggested"] = True
    language = resolve_language(work, type, given)
    author = _resolve_author(work, given, work.user.id)
    new = site_records.build_entry(
        work, type, id=id, author=author, meta=meta, language=language, **_build_record_members(work, texts)
    )
    slug = slugs.slugify(given["slug"]) or slugs.slugify(texts[0]) or type.singular.lower().replace(" ", "-")
    slug = _find_free_slug(work, type, slug, meta["theme"], language)
    return _record_to_template(work, type, _insert_translated(work, type, msgspec.structs.replace(new, slug=slug)))


def update_template(
    work: UnitOfWork, type: ContentType, old: BlockTemplate, given: Mapping[str, Any], *, id: int = 0
) -> BlockTemplate:
    """Store the given fields, in a copy if the template was a file, and return the new state.

    id: a free one that the copy takes, 0 for the next one.

    Raises InvalidRecordAuthor.
    """
    texts = _merge_texts(work, given, (old.title, old.content, old.description))
    stored = old.stored
    language = resolve_language(work, type, given)
    if stored is not None and given.get("lang") and stored.language != language:
        new = site_records.build_entry(
            work,
            type,
            slug=old.slug,
            author=_resolve_author(work, given, work.user.id),
            meta=stored.meta,
            language=language,
            **_build_record_members(work, texts),
        )
        return _record_to_template(work, type, _insert_translated(work, type, new))
    if stored is None:
        meta = {"theme": old.theme, "origin": "theme", **({"area": old.area} if type is TEMPLATE_PART else {})}
        if type is TEMPLATE_PART and "area" in given:
            meta["area"] = _normalize_area(given["area"])
        new = site_records.build_entry(
            work, type, id=id, slug=old.slug, author=_resolve_author(work, given, work.user.id), meta=meta,
            language=language, **_build_record_members(work, texts),
        )  # fmt: skip
        return _record_to_template(work, type, _insert_translated(work, type, new))
    meta = stored.meta
    if type is TEMPLATE_PART and "area" in given:
        meta = {**meta, "area": _normalize_area(given["area"])}
    author = _resolve_author(work, given, stored.author)
    return _record_to_template(
        work,
        type,
        site_records.update_entry(work, type, stored, author=author, meta=meta, **_build_record_members(work, texts)),
    )


def delete_template(work: UnitOfWork, type: ContentType, old: BlockTemplate) -> None:
    """Delete a record for good, an original with its translations; the theme's file of the slug is used again.

    Raises TemplateIsThemeFile for a bare file.
    """
    if old.stored is None:
        raise TemplateIsThemeFile(id=old.id)
    group = record_translations.load_record_group(work, old.stored)
    for one in [old.stored] if old.stored.source_language else list(group.values()):
        site_records.delete_entry(work, type, one)


def trash_template(work: UnitOfWork, type: ContentType, old: BlockTemplate) -> BlockTemplate:
    """Move a record to the trash and return it; its slug is free again. Raises TemplateIsThemeFile for a bare file."""
    if old.stored is None:
        raise TemplateIsThemeFile(id=old.id)
    row = old.stored
    new = msgspec.structs.replace(
        row, status="trash", trashed_status=row.status, trashed_slug=row.slug,
        slug=_find_free_slug(work, type, record_trash.build_trashed_slug(row.slug), old.theme, row.language),
    )  # fmt: skip
    record_model.update_record_row(work, row, new)
    work.note(type.name, row.id, "changed")
    return BlockTemplate(old.theme, old.slug, old.title, old.description, old.content, old.area, old.file, new)


def _insert_translated(work: UnitOfWork, type: ContentType, new: Record) -> Record:
    """Store a new record, in the translation group of records with its name, and return it."""
    theme = new.meta.get("theme", "")
    others = [row for row in site_records.list_entries_by_slug(work, type, new.slug) if _belongs_to_theme(row, theme)]
    added = site_records.insert_entry(work, type, new)
    return record_translations.join_record_group(work, added, others[0].translations) if others else added


# -- conversion from records and files


def _record_to_template(work: UnitOfWork, type: ContentType, row: Record) -> BlockTemplate:
    theme = row.meta.get("theme", "")
    file = _find_theme_file(work, type, theme, row.slug)
    area = row.meta.get("area", DEFAULT_AREA) if type is TEMPLATE_PART else ""
    texts = (row.title, row.excerpt, row.content)
    return BlockTemplate(theme, row.slug, *texts, area, file, row, file.post_types if file else ())


def _file_to_template(theme: str, file: ThemeTemplateFile) -> BlockTemplate:
    texts = (file.title, file.description, file.content)
    return BlockTemplate(theme, file.slug, *texts, file.area, file, None, file.post_types)


def _get_theme_files(work: UnitOfWork, type: ContentType) -> Mapping[str, ThemeTemplateFile]:
    """Return the files of the theme by slug, without those of modules that the site lacks."""
    theme = active_theme.load_active_theme(work)
    if type is TEMPLATE_PART:
        return theme.parts
    modules = {"", *(module.name for module in work.site.modules)}
    return {slug: file for slug, file in theme.templates.items() if file.module in modules}


def _find_theme_file(work: UnitOfWork, type: ContentType, theme: str, slug: str) -> ThemeTemplateFile | None:
    return _get_theme_files(work, type).get(slug) if theme == active_theme.load_active_theme(work).name else None


def _belongs_to_theme(row: Record, theme: str) -> bool:
    return row.meta.get("theme") == theme and row.status != "trash"


def _split_template_id(id: str) -> tuple[str, str]:
    """Return theme and slug of an id, the slug as stored: non-ASCII characters of a URL come decoded."""
    theme, _, slug = id.rpartition("/")
    return theme.removesuffix("/"), slug if slug.isascii() else slugs.slugify(slug)


# -- values of a write


def _merge_texts(work: UnitOfWork, given: Mapping[str, Any], old: tuple[str, str, str]) -> tuple[str, str, str]:
    """Return title, content and description after a write."""
    texts = []
    for name, before in zip(("title", "content", "description"), old, strict=True):
        text = extract_raw_text(name, given[name]) if name in given else None
        texts.append(before if text is None else text)
    title, content, description = texts
    if not may_write_unfiltered_html(work.user):
        title, content, description = (
            sanitizing.sanitize_title(title),
            sanitizing.sanitize_content(content),
            sanitizing.sanitize_excerpt(description),
        )
    return title.strip(), content, description


def _build_record_members(work: UnitOfWork, texts: tuple[str, str, str]) -> dict[str, Any]:
    title, content, description = texts
    return {
        "title": title,
        "title_html": text_rendering.render_title(title, work.budget),
        "content": content,
        "excerpt": description,
        "block_version": text_rendering.compute_block_version(content),
    }


def _resolve_author(work: UnitOfWork, given: Mapping[str, Any], before: int) -> int:
    author = given.get("author")
    if not author:
        return before
    if author < 0 or users.find_user(work.tx, author) is None:
        raise InvalidRecordAuthor(id=author)
    return int(author)


def _normalize_area(area: Any) -> str:
    return area if area in PART_AREAS else DEFAULT_AREA


def _find_free_slug(work: UnitOfWork, type: ContentType, slug: str, theme: str, language: str) -> str:
    """Return the slug, with a numeric suffix if another record of the theme has it in the language."""

    def is_taken(candidate: str) -> bool:
        rows = site_records.list_entries_by_slug(work, type, candidate)
        return any(row.meta.get("theme") == theme and row.language == language for row in rows)

    return slugs.find_free_slug(slug, is_taken)
