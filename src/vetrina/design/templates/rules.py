"""Templates and template parts: the files of the theme, and over them what the site's owner made or changed.

A template is known by its theme and slug. A record of the same two stands before the file; removing it brings the file
back. Not here: the files (design/themes/rules.py), which template stands in for which
(design/templates/template_types.py), who may (the routes). Rules: facts of the interface, "Templates and template
parts".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.users import rules as users
from vetrina.content.records import languages as record_languages
from vetrina.content.records import model as record_model
from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.input import EmptyContent, InvalidAuthor, raw_text
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.content.translations import links as translation_links
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.unit_of_work import Work
from vetrina.design import site_records
from vetrina.design.templates.template_types import AREAS, DEFAULT_AREA, KINDS, hierarchy
from vetrina.design.themes import rules as themes
from vetrina.design.themes.rules import TemplateFile
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError

__all__ = [
    "Template", "TemplateUnknown", "ThemeFile", "change", "choices", "create", "find", "known", "known_file", "listed",
    "looked_up", "remove", "trash",
]  # fmt: skip


class TemplateUnknown(ApiError):
    status, code = 404, "rest_template_not_found"
    message = "There is no template {id!r}. An id is the theme's name, two strokes and the slug."


class ThemeFile(ApiError):
    """What only a record has or bears was asked of a file of the theme."""

    code = "rest_invalid_template"
    message = "{id} is a file of the theme: it has no history and stays; change it, and a copy is kept instead of it."


@dataclass(frozen=True, slots=True)
class Template:
    """A template or a part as readers see it: a file, or a record over it.

    file: the theme's file of the same slug, None where it has none. stored: the record, None for a bare file.
    """

    theme: str
    slug: str
    title: str
    description: str
    content: str
    area: str
    file: TemplateFile | None
    stored: Record | None
    post_types: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Return what names it among all templates."""
        return f"{self.theme}//{self.slug}"

    @property
    def is_custom(self) -> bool:
        """Say whether it is chosen by name, not looked for by the site itself."""
        suggested = self.stored is not None and self.stored.meta.get("suggested", False)
        return self.slug not in KINDS and not suggested

    @property
    def origin(self) -> str | None:
        """Return where the record was copied from, None for a file and for what was made anew."""
        return self.stored.meta.get("origin") if self.stored else None


def find(work: Work, type: ContentType, id: str) -> Template | None:
    """Return the template or part with an id; one stroke between theme and slug will do."""
    theme, slug = _parted(id)
    if not theme or not slug:
        return None
    stored = _spoken(work, type, [row for row in site_records.with_slug(work, type, slug) if _lives_in(row, theme)])
    if stored is not None:
        return _of_record(work, type, stored)
    file = _file(work, type, theme, slug)
    return _of_file(theme, file) if file else None


def known(work: Work, type: ContentType, id: str) -> Template:
    """Return the template or part with an id. Raises TemplateUnknown."""
    found = find(work, type, id)
    if found is None:
        raise TemplateUnknown(id=id)
    return found


def known_file(work: Work, type: ContentType, id: str) -> Template:
    """Return the theme's own file with an id, whatever was made over it. Raises TemplateUnknown."""
    theme, slug = _parted(id)
    file = _file(work, type, theme, slug)
    if file is None:
        raise TemplateUnknown(id=id)
    return _of_file(theme, file)


def listed(
    work: Work, type: ContentType, *, number: int | None = None, area: str | None = None, post_type: str = ""
) -> list[Template]:
    """Return the templates or parts of the active theme: those with a record first, the newest of them in front.

    number: of a record; then only that one, whatever its area. area: of parts; None for all.
    post_type: only those templates that its records may choose; parts are for all.
    """
    theme = themes.active(work.frame).name
    rows = [row for row in site_records.all_of(work, type) if _lives_in(row, theme)]
    if number is not None:
        rows = [row for row in rows if row.id == number]
    else:
        named: dict[str, list[Record]] = {}
        for row in rows:
            named.setdefault(row.slug, []).append(row)
        rows = [row for row in rows if row is _spoken(work, type, named[row.slug])]
    found = [_of_record(work, type, row) for row in rows]
    if number is None:
        taken = {one.slug for one in found}
        found += [_of_file(theme, file) for file in _files(work, type).values() if file.slug not in taken]
        if area is not None and type is TEMPLATE_PART:
            found = [one for one in found if one.area == area]
    if post_type and type is TEMPLATE:
        found = [one for one in found if one.is_custom and (not one.post_types or post_type in one.post_types)]
    return found


def choices(work: Work, type: ContentType) -> list[str]:
    """Return the slugs of the templates that a record of a type may choose."""
    return [template.slug for template in listed(work, TEMPLATE, post_type=type.name)]


def looked_up(
    work: Work, type: ContentType, slug: str, *, is_custom: bool = False, prefix: str = ""
) -> Template | None:
    """Return the template that shows what `slug` names: the nearest of its hierarchy that has content."""
    if not slug:
        return None
    theme = themes.active(work.frame).name
    frame = work.frame
    chain = hierarchy(slug, is_custom=is_custom, prefix=prefix, types=frame.types, taxonomies=frame.taxonomies)
    last = None
    for name in chain:
        last = find(work, type, f"{theme}//{name}") or last
        if last is not None and last.content:
            return last
    return last


def create(work: Work, type: ContentType, given: Mapping[str, Any]) -> Template:
    """Store a new template or part and return it.

    given: slug, theme, title, content, description, author, area; titles and contents as text or with `raw`;
      `is_wp_suggestion` where the site looks for the slug itself, as for one page, so that no record chooses it.
    Raises EmptyContent and InvalidAuthor.
    """
    texts = _texts(work, given, ("", "", ""))
    if not any(texts):
        raise EmptyContent
    meta: dict[str, Any] = {"theme": given.get("theme") or themes.active(work.frame).name}
    if type is TEMPLATE_PART:
        meta["area"] = _area(given.get("area"))
    elif given.get("is_wp_suggestion"):
        meta["suggested"] = True
    language = _language(work, type, given)
    author = _author(work, given, work.user.id)
    new = site_records.blank(work, type, author=author, meta=meta, language=language, **_members(work, texts))
    slug = slugs.slugify(given["slug"]) or slugs.slugify(texts[0]) or type.singular.lower().replace(" ", "-")
    slug = _free(work, type, slug, meta["theme"], language)
    return _of_record(work, type, _added(work, type, msgspec.structs.replace(new, slug=slug)))


def change(work: Work, type: ContentType, old: Template, given: Mapping[str, Any]) -> Template:
    """Store the given members, in a copy where the template was a file, and return the new state.

    Raises InvalidAuthor.
    """
    texts = _texts(work, given, (old.title, old.content, old.description))
    stored = old.stored
    language = _language(work, type, given)
    if stored is not None and given.get("lang") and stored.language != language:
        new = site_records.blank(
            work, type, slug=old.slug, author=_author(work, given, work.user.id), meta=stored.meta, language=language,
            **_members(work, texts),
        )  # fmt: skip
        return _of_record(work, type, _added(work, type, new))
    if stored is None:
        meta = {"theme": old.theme, "origin": "theme", **({"area": old.area} if type is TEMPLATE_PART else {})}
        if type is TEMPLATE_PART and "area" in given:
            meta["area"] = _area(given["area"])
        new = site_records.blank(
            work, type, slug=old.slug, author=_author(work, given, work.user.id), meta=meta, language=language,
            **_members(work, texts),
        )  # fmt: skip
        return _of_record(work, type, _added(work, type, new))
    meta = stored.meta
    if type is TEMPLATE_PART and "area" in given:
        meta = {**meta, "area": _area(given["area"])}
    author = _author(work, given, stored.author)
    return _of_record(
        work, type, site_records.change(work, type, stored, author=author, meta=meta, **_members(work, texts))
    )


def remove(work: Work, type: ContentType, old: Template) -> None:
    """Remove a record for good, an original with its translations; the theme's file of the slug is seen again.

    Raises ThemeFile for a bare file.
    """
    if old.stored is None:
        raise ThemeFile(id=old.id)
    group = record_translations.members(work, old.stored)
    for one in [old.stored] if old.stored.source_language else list(group.values()):
        site_records.remove(work, type, one)


def trash(work: Work, type: ContentType, old: Template) -> Template:
    """Take a record out of sight and return it; its slug is free again. Raises ThemeFile for a bare file."""
    if old.stored is None:
        raise ThemeFile(id=old.id)
    row = old.stored
    new = msgspec.structs.replace(
        row, status="trash", trashed_status=row.status, trashed_slug=row.slug,
        slug=_free(work, type, record_slugs.trashed(row.slug), old.theme, row.language),
    )  # fmt: skip
    record_model.store(work.tx, row, new)
    work.note(type.name, row.id, "changed")
    return Template(old.theme, old.slug, old.title, old.description, old.content, old.area, old.file, new)


# -- in several languages


def _spoken(work: Work, type: ContentType, rows: Sequence[Record]) -> Record | None:
    """Return which of the records of one name is shown: that in the language of the work, or in the default one."""
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return rows[0] if rows else None
    wanted = (work.language, work.frame.profile.default_language)
    return next((row for language in wanted for row in rows if row.language == language), None)


def _language(work: Work, type: ContentType, given: Mapping[str, Any]) -> str:
    """Return the language that is written; the default one, which is shown where there is no other, when none is."""
    record_languages.require_translated(work, type, given)
    language: str = given.get("lang") or work.frame.profile.default_language
    translation_links.placed(lambda: record_translations.known(work, language))
    return language


def _added(work: Work, type: ContentType, new: Record) -> Record:
    """Store a new record, in the group of those that have its name in other languages, and return it."""
    theme = new.meta.get("theme", "")
    others = [row for row in site_records.with_slug(work, type, new.slug) if _lives_in(row, theme)]
    added = site_records.add(work, type, new)
    return record_translations.join(work, added, others[0].translations) if others else added


# -- from records and files


def _of_record(work: Work, type: ContentType, row: Record) -> Template:
    theme = row.meta.get("theme", "")
    file = _file(work, type, theme, row.slug)
    area = row.meta.get("area", DEFAULT_AREA) if type is TEMPLATE_PART else ""
    shown = (row.title, row.excerpt, row.content)
    return Template(theme, row.slug, *shown, area, file, row, file.post_types if file else ())


def _of_file(theme: str, file: TemplateFile) -> Template:
    shown = (file.title, file.description, file.content)
    return Template(theme, file.slug, *shown, file.area, file, None, file.post_types)


def _files(work: Work, type: ContentType) -> Mapping[str, TemplateFile]:
    theme = themes.active(work.frame)
    return theme.parts if type is TEMPLATE_PART else theme.templates


def _file(work: Work, type: ContentType, theme: str, slug: str) -> TemplateFile | None:
    return _files(work, type).get(slug) if theme == themes.active(work.frame).name else None


def _lives_in(row: Record, theme: str) -> bool:
    return row.meta.get("theme") == theme and row.status != "trash"


def _parted(id: str) -> tuple[str, str]:
    """Return theme and slug of an id, the slug as it is stored: letters of an address come without percent octets."""
    theme, _, slug = id.rpartition("/")
    return theme.removesuffix("/"), slug if slug.isascii() else slugs.slugify(slug)


# -- what a write gives


def _texts(work: Work, given: Mapping[str, Any], old: tuple[str, str, str]) -> tuple[str, str, str]:
    """Return title, content and description after a write."""
    texts = []
    for name, before in zip(("title", "content", "description"), old, strict=True):
        text = raw_text(name, given[name]) if name in given else None
        texts.append(before if text is None else text)
    title, content, description = texts
    if not unfiltered(work.user):
        title, content, description = (
            sanitizing.title(title),
            sanitizing.content(content),
            sanitizing.excerpt(description),
        )
    return title.strip(), content, description


def _members(work: Work, texts: tuple[str, str, str]) -> dict[str, Any]:
    title, content, description = texts
    return {
        "title": title,
        "title_html": text_rendering.title(title, work.budget),
        "content": content,
        "excerpt": description,
        "block_version": text_rendering.block_version(content),
    }


def _author(work: Work, given: Mapping[str, Any], before: int) -> int:
    author = given.get("author")
    if not author:
        return before
    if author < 0 or users.by_id(work.tx, author) is None:
        raise InvalidAuthor(id=author)
    return int(author)


def _area(asked: Any) -> str:
    return asked if asked in AREAS else DEFAULT_AREA


def _free(work: Work, type: ContentType, slug: str, theme: str, language: str) -> str:
    """Return a slug, with a number behind it when another record of the theme has it in the language."""
    found, number = slug, 1
    while any(
        row.meta.get("theme") == theme and row.language == language for row in site_records.with_slug(work, type, found)
    ):
        number += 1
        found = slugs.numbered(slug, number)
    return found
