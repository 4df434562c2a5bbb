"""Parts of an export file as records: the members that the interface has, under its names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import orjson

from vetrina.content.types import registry
from vetrina.rest.dialects.names import DialectNames, load_name_pairs
from vetrina.transfer.records import Record

from .elements import ExportElement
from .extension_fields import (
    COMMENT_MEMBERS,
    DIALECT,
    OWN_MEMBERS,
    RECORD_MEMBERS,
    TERM_MEMBERS,
    get_language_fields,
)
from .php_values import read_php_value
from .scanning import ExportIndex, read_item_term, read_term_key

_TYPES: Final = (
    registry.POST, registry.PAGE, registry.ATTACHMENT, registry.BLOCK, registry.NAVIGATION, registry.MENU_ITEM,
)  # fmt: skip
_SITE_RECORDS: Final = (registry.TEMPLATE, registry.TEMPLATE_PART, registry.GLOBAL_STYLES)
_TAXONOMIES: Final = (registry.CATEGORY, registry.POST_TAG, registry.MENU, registry.PATTERN_CATEGORY)
TYPE_PATHS: Final = {one.name: one.path for one in (*_TYPES, *_SITE_RECORDS)}
TAXONOMY_PATHS: Final = {one.name: one.path for one in _TAXONOMIES}
FORMATS: Final = "post_format"  # the taxonomy whose terms are the formats of posts
_FORMAT_PREFIX: Final = "post-format-"
_TAXONOMY_BASES: Final = {one.name: one.base for one in _TAXONOMIES}
_STATUSES: Final = {"1": "approved", "0": "hold"}
_ITEM: Final = "_menu_item_"  # prefix of the extra fields of menu items
_SETTINGS: Final = ("title", "description")
_NO_DATE: Final = "0000"
_SITE_TYPES: Final = tuple(one.name for one in _SITE_RECORDS)
_THEME: Final = "cms_theme"
_AREA: Final = "cms_template_part_area"
SITE_TAXONOMIES: Final = (_THEME, _AREA)  # whose terms say something of templates and styles


def get_type_path(type: str) -> str:
    """Return the path of the collection of a type; types that the site has on another one are found by their name."""
    return TYPE_PATHS.get(type, f"/cms/v2/{type}")


def get_taxonomy_path(taxonomy: str) -> str:
    """Return the path of the collection of a taxonomy's terms."""
    return TAXONOMY_PATHS.get(taxonomy, f"/cms/v2/{taxonomy}")


def parse_id(text: str) -> int | str:
    """Return an id as a number where it is one."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else text


class RecordBuilder:
    """Makes records of the parts of a file. index: what the file holds."""

    def __init__(self, index: ExportIndex) -> None:
        self._index = index

    @cached_property
    def _names(self) -> DialectNames:
        return DialectNames(load_name_pairs(DIALECT))

    def translate_name(self, name: str) -> str:
        """Return the neutral name of a type, a taxonomy or an extra field."""
        return self._names.word(name)

    def build_user(self, part: ExportElement) -> Record:
        """Return the record of an author."""
        login = part.get("export:author_login")
        values = {
            "username": login, "email": part.get("export:author_email"), "name": part.get("export:author_display_name"),
            "first_name": part.get("export:author_first_name"), "last_name": part.get("export:author_last_name"),
        }  # fmt: skip
        return Record("/cms/v2/users", self.find_author(login), values)

    def build_named_user(self, login: str) -> Record:
        """Return the record of an author whom only items name."""
        return Record("/cms/v2/users", login, {"username": login})

    def build_term(self, kind: str, part: ExportElement) -> Record:
        """Return the record of a term. kind: category, tag or term."""
        taxonomy, slug = read_term_key(kind, {one.name: one.text for one in part.children})
        prefix, name, parent, description = {
            "category": ("category", "cat_name", "category_parent", "category_description"),
            "tag": ("tag", "tag_name", "", "tag_description"),
            "term": ("term", "term_name", "term_parent", "term_description"),
        }[kind]
        values = {
            "taxonomy": self.translate_name(taxonomy), "slug": slug,
            "name": part.get(f"export:{name}") or slug, "description": part.get(f"export:{description}"),
            "parent": self.find_term(taxonomy, part.get(f"export:{parent}")) if parent else 0,
            "meta": self._read_meta(part, f"export:{prefix}meta" if prefix == "term" else "export:termmeta"),
        }  # fmt: skip
        id = self.find_term(taxonomy, slug)
        language = self.take_language("term", id, values)
        _take_members(values, TERM_MEMBERS)
        return Record(get_taxonomy_path(self.translate_name(taxonomy)), id, values, language)

    def build_named_term(self, taxonomy: str, slug: str, name: str) -> Record:
        """Return the record of a term that only items name."""
        neutral = self.translate_name(taxonomy)
        values = {"taxonomy": neutral, "slug": slug, "name": name or slug}
        return Record(get_taxonomy_path(neutral), f"{taxonomy}:{slug}", values)

    def build_item(self, part: ExportElement) -> Record:
        """Return the record of an item: content, a file or a menu item."""
        type = self.translate_name(part.get("export:post_type") or "post")
        meta = self._read_meta(part, "export:postmeta")
        values = self._build_content(part, type, meta)
        id = parse_id(part.get("export:post_id"))
        language = self.take_language("record", id, values)
        _take_members(values, RECORD_MEMBERS)
        if type in _SITE_TYPES:
            values |= _build_site_record(part, type)
        elif type == registry.ATTACHMENT.name:
            values |= _build_file(part, meta)
        elif type == registry.MENU_ITEM.name:
            values |= self._build_menu_item(part, meta)
        return Record(get_type_path(type), id, values, language)

    def iterate_comments(self, part: ExportElement) -> Iterator[Record]:
        """Yield the records of an item's comments."""
        post = parse_id(part.get("export:post_id"))
        known = set(self._index.authors.values())
        for one in part.iterate("export:comment"):
            author = one.get("export:comment_user_id").strip()
            status = one.get("export:comment_approved").strip()
            values = {
                "post": post, "parent": parse_id(one.get("export:comment_parent")) or 0,
                "author": parse_id(author) if author in known else 0,
                "author_name": one.get("export:comment_author"),
                "author_email": one.get("export:comment_author_email").strip(),
                "author_url": one.get("export:comment_author_url").strip(),
                "author_ip": one.get("export:comment_author_IP").strip(),
                "date": read_date(one.get("export:comment_date")),
                "date_gmt": read_date(one.get("export:comment_date_gmt")),
                "content": {"raw": one.get("export:comment_content")},
                "status": _STATUSES.get(status, status),
                "type": one.get("export:comment_type").strip() or "comment",
                "meta": self._read_meta(one, "export:commentmeta"),
            }  # fmt: skip
            _take_members(values, COMMENT_MEMBERS)
            yield Record("/cms/v2/comments", parse_id(one.get("export:comment_id")), values)

    def build_settings(self) -> Record:
        """Return the settings that a file has."""
        named: dict[str, Any] = {
            name: self._index.site[name] for name in ("title", "description") if name in self._index.site
        }
        return Record("/cms/v2/settings", "settings", named)

    def find_author(self, login: str) -> int | str:
        """Return the id of an author."""
        return parse_id(self._index.authors.get(login, login))

    def find_term(self, taxonomy: str, slug: str) -> int | str:
        """Return the id of a term, 0 for no slug."""
        return parse_id(self._index.terms.get((taxonomy, slug), f"{taxonomy}:{slug}")) if slug else 0

    def take_language(self, kind: str, id: int | str, values: dict[str, Any]) -> str:
        """Return the language that the extra fields of a record or term tell, and put its translations into `values`.

        The fields are taken out of `meta` there. kind: of the journal.
        """
        fields, meta = get_language_fields(), values["meta"]
        code, group, origin = (str(meta.pop(name, "") or "") for name in fields)
        if not code:
            return ""
        others = self._index.groups.get((kind, group), ()) if group else ()
        values |= {"lang": code, "translations": {str(one): parse_id(one) for one in others if one != str(id)}}
        if origin:
            values["source_language"] = origin
        return code

    def _build_content(self, part: ExportElement, type: str, meta: dict[str, Any]) -> dict[str, Any]:
        template = str(meta.get("_cms_page_template", ""))
        creator = part.get("dc:creator").strip()
        values: dict[str, Any] = {
            "type": type, "status": part.get("export:status").strip(), "slug": part.get("export:post_name").strip(),
            "link": part.get("link").strip(), "guid": {"raw": part.get("guid").strip()},
            "title": {"raw": part.get("title")}, "content": {"raw": part.get("content:encoded")},
            "excerpt": {"raw": part.get("excerpt:encoded")},
            "parent": parse_id(part.get("export:post_parent")) or 0,
            "menu_order": parse_id(part.get("export:menu_order")) or 0,
            "password": part.get("export:post_password"),
            "comment_status": part.get("export:comment_status").strip(),
            "ping_status": part.get("export:ping_status").strip(),
            "sticky": part.get("export:is_sticky").strip() == "1",
            "template": "" if template == "default" else template,
            "featured_media": parse_id(str(meta.get("_thumbnail_id", "")).partition(".")[0]) or 0,
            "meta": meta,
        }  # fmt: skip
        if creator:
            values["author"] = self.find_author(creator)
        values |= read_dates(part, {"date": "date", "modified": "modified"})
        for one in part.iterate("category"):
            key = read_item_term(one.attributes)
            if key is None:
                continue
            taxonomy, slug = key
            if taxonomy == FORMATS:
                values["format"] = slug.removeprefix(_FORMAT_PREFIX)
                continue
            neutral = self.translate_name(taxonomy)
            if neutral in SITE_TAXONOMIES:
                continue
            held = values.setdefault(_TAXONOMY_BASES.get(neutral, neutral), [])
            held.append(self.find_term(taxonomy, slug))
        return values

    def _build_menu_item(self, part: ExportElement, meta: dict[str, Any]) -> dict[str, Any]:
        def get(name: str) -> str:
            value = meta.get(_ITEM + name, "")
            return value if isinstance(value, str) else ""

        classes = meta.get(f"{_ITEM}classes")
        return {
            "type": get("type") or "custom", "object": self.translate_name(get("object")),
            "object_id": parse_id(get("object_id")) or 0, "parent": parse_id(get("menu_item_parent")) or 0,
            "url": get("url"), "target": get("target"), "xfn": get("xfn").split(),
            "classes": [str(one) for one in classes] if isinstance(classes, list) else [],
            "attr_title": part.get("excerpt:encoded"), "description": part.get("content:encoded"), "meta": {},
        }  # fmt: skip

    def list_fields(self, part: ExportElement, name: str = "export:postmeta") -> list[tuple[str, Any]]:
        """Return the extra fields of a part in their order, under neutral names. name: of their elements."""
        return [
            (self.translate_name(one.get("export:meta_key").strip()), read_php_value(one.get("export:meta_value")))
            for one in part.iterate(name)
        ]

    def _read_meta(self, part: ExportElement, name: str) -> dict[str, Any]:
        """Return the extra fields of a part; one that is there several times is a list."""
        found: dict[str, list[Any]] = {}
        for key, value in self.list_fields(part, name):
            found.setdefault(key, []).append(value)
        return {key: values[0] if len(values) == 1 else values for key, values in found.items()}


def _build_file(part: ExportElement, meta: dict[str, Any]) -> dict[str, Any]:
    return {
        "source_url": part.get("export:attachment_url").strip(),
        "post": parse_id(part.get("export:post_parent")) or 0,
        "caption": {"raw": part.get("excerpt:encoded")},
        "description": {"raw": part.get("content:encoded")},
        "alt_text": str(meta.get("_cms_attachment_image_alt", "")),
    }


def _build_site_record(part: ExportElement, type: str) -> dict[str, Any]:
    """Return the members of a template, a part or the styles that records of other types don't have."""
    if type == registry.GLOBAL_STYLES.name:
        try:
            found = orjson.loads(part.get("content:encoded"))
        except orjson.JSONDecodeError:
            found = None
        styles = found if isinstance(found, dict) else {}
        return {name: styles.get(name) or {} for name in ("settings", "styles")}
    terms = filter(None, (read_item_term(one.attributes) for one in part.iterate("category")))
    area = next((slug for taxonomy, slug in terms if taxonomy.endswith("template_part_area")), "")
    return {"description": part.get("excerpt:encoded"), **({"area": area} if area else {})}


def _take_members(values: dict[str, Any], names: tuple[str, ...]) -> None:
    """Put the members that a file of ours has in an extra field where they belong."""
    found = values["meta"].pop(OWN_MEMBERS, None)
    if isinstance(found, dict):
        values |= {name: found[name] for name in names if name in found}


def read_dates(part: ExportElement, names: Mapping[str, str]) -> dict[str, str | None]:
    """Return the dates of an item that the file says, local ones and GMT. names: of their members, by `date` …"""
    return {
        member + ending: read_date(text)
        for name, member in names.items()
        for ending in ("", "_gmt")
        if (text := part.get(f"export:post_{name}{ending}"))
    }


def read_date(text: str) -> str | None:
    """Return a date in the form of the interface, None for a record without one."""
    text = text.strip()
    return None if not text or text.startswith(_NO_DATE) else text.replace(" ", "T")
