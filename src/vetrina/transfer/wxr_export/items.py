"""Items of an export file: records of every type with their terms, extra fields and comments.

A record is written as the interface shows it; what its type adds (a file's address, a menu item's object, a template's
theme) is here, too. Products: transfer/wxr_export/products.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Final, NamedTuple

import orjson

from vetrina.content.types import registry
from vetrina.kernel import slugs
from vetrina.rest.dialects.names import DialectNames
from vetrina.transfer.records import Record
from vetrina.transfer.sources.wxr.extension_fields import RECORD_MEMBERS

from .comments import write_comment
from .extra_fields import select_language, select_members, select_own_fields, write_fields
from .terms import MENUS, ExportedTerm, TermList
from .xml_text import read_text, write_cdata, write_date, write_element

_THEME: Final = "cms_theme"  # the taxonomy that says which theme a template or style belongs to
_AREA: Final = "cms_template_part_area"
_STYLES_VERSION: Final = 3
_SITE_TYPES: Final = {registry.TEMPLATE.name, registry.TEMPLATE_PART.name, registry.GLOBAL_STYLES.name}


class Item(NamedTuple):
    """What the element of an item holds beside what every record has.

    terms, fields: in neutral names. attachment: address of its file, empty for none.
    """

    id: Any
    type: str
    slug: str
    title: str
    content: str
    excerpt: str
    parent: Any
    terms: tuple[ExportedTerm, ...]
    fields: tuple[tuple[str, Any], ...]
    attachment: str = ""


class ItemWriter:
    """Writes the items of a site. logins: of accounts, by id. several: whether it has more than one language."""

    def __init__(self, names: DialectNames, logins: Mapping[Any, str], terms: TermList, several: bool) -> None:
        self._names, self._logins, self._terms, self._several = names, logins, terms, several
        self._theme = ""

    def write_record(self, type: str, record: Record, comments: Iterable[Mapping[str, Any]]) -> str:
        """Return the element of a record. type: its neutral name."""
        values = record.values
        if type == registry.MENU_ITEM.name:
            item = self._describe_menu_item(record)
        elif type in _SITE_TYPES:
            item = self._describe_site_record(type, record)
        else:
            item = self._describe_content(type, record)
        return self.write_item(item, values, comments)

    def write_item(self, item: Item, values: Mapping[str, Any], comments: Iterable[Mapping[str, Any]]) -> str:
        """Return an element. values: the record's, with dates, author, status and the like. comments: their values."""
        guid = read_text(values.get("guid"))
        # A line for each, as simple readers expect.
        lines = [
            "<item>", write_cdata("title", item.title), write_element("link", values.get("link") or ""),
            write_element("pubDate", _write_feed_date(values.get("date_gmt"))),
            write_cdata("dc:creator", self._logins.get(values.get("author"), "")),
            write_element("guid", guid).replace("<guid>", '<guid isPermaLink="false">', 1),
            "<description></description>",
            write_cdata("content:encoded", item.content), write_cdata("excerpt:encoded", item.excerpt),
            write_element("wp:post_id", item.id),
            *(write_cdata(f"wp:post_{name}", write_date(values.get(name))) for name in (
                "date", "date_gmt", "modified", "modified_gmt",
            )),
            write_cdata("wp:comment_status", str(values.get("comment_status") or "closed")),
            write_cdata("wp:ping_status", str(values.get("ping_status") or "closed")),
            write_cdata("wp:post_name", item.slug),
            write_cdata("wp:status", str(values.get("status") or "publish")),
            write_element("wp:post_parent", item.parent or 0),
            write_element("wp:menu_order", values.get("menu_order") or 0),
            write_cdata("wp:post_type", self._names.word(item.type)),
            write_cdata("wp:post_password", str(values.get("password") or "")),
            write_element("wp:is_sticky", 1 if values.get("sticky") else 0),
            write_cdata("wp:attachment_url", item.attachment) if item.attachment else "",
            *map(self._write_term, item.terms),
            *write_fields("postmeta", self._names, item.fields),
            *(write_comment(self._names, one) for one in comments), "</item>",
        ]  # fmt: skip
        return "\n".join(filter(None, lines))

    def _write_term(self, term: ExportedTerm) -> str:
        return write_cdata("category", term.name, domain=self._names.word(term.taxonomy), nicename=term.slug)

    # -- kinds of records

    def _describe_content(self, type: str, record: Record) -> Item:
        values = record.values
        is_file = type == registry.ATTACHMENT.name
        content, excerpt = ("description", "caption") if is_file else ("content", "excerpt")
        fields = [
            *select_own_fields(values), *select_language(record, self._several),
            *select_members(values, RECORD_MEMBERS), *_select_stored(values),
            *(_select_file(values) if is_file else ()),
        ]  # fmt: skip
        return Item(
            record.id, type, str(values.get("slug") or ""), read_text(values.get("title")),
            read_text(values.get(content)), read_text(values.get(excerpt)),
            values.get("post") or values.get("parent"), tuple(self._find_terms(values)), tuple(fields),
            str(values.get("source_url") or "") if is_file else "",
        )  # fmt: skip

    def _find_terms(self, values: Mapping[str, Any]) -> Iterator[ExportedTerm]:
        for taxonomy, base in self._terms.bases.items():
            held = values.get(base)
            found = (self._terms.find(taxonomy, id) for id in (held if isinstance(held, list) else ()))
            yield from (one for one in found if one is not None)
        form = values.get("format")
        if form not in (None, "", "standard"):
            yield ExportedTerm("post_format", f"post-format-{form}", str(form).capitalize())

    def _describe_menu_item(self, record: Record) -> Item:
        values = record.values
        kind = str(values.get("type") or "custom")
        own = {
            "type": kind, "menu_item_parent": values.get("parent") or 0,
            "object_id": record.id if kind == "custom" else values.get("object_id") or 0,
            "object": self._names.word(str(values.get("object") or kind)), "target": values.get("target"),
            "classes": values.get("classes") or [""], "xfn": " ".join(values.get("xfn") or ()),
            "url": values.get("url") if kind == "custom" else "",
        }  # fmt: skip
        menu = self._terms.find(MENUS, values.get("menus"))
        fields = [
            *((f"_menu_item_{name}", value) for name, value in own.items()), *select_own_fields(values),
            *select_language(record, self._several),
        ]  # fmt: skip
        return Item(
            record.id, registry.MENU_ITEM.name, str(values.get("slug") or record.id), read_text(values.get("title")),
            str(values.get("description") or ""), str(values.get("attr_title") or ""), 0,
            (menu,) if menu else (), tuple(fields),
        )  # fmt: skip

    def _describe_site_record(self, type: str, record: Record) -> Item:
        values = record.values
        content, id = read_text(values.get("content")), values.get("wp_id") or record.id
        self._theme = str(values.get("theme") or self._theme)
        slug = str(values.get("slug") or f"cms-global-styles-{slugs.slugify(self._theme)}")
        if type == registry.GLOBAL_STYLES.name:
            # Members in one order, so that the same styles are the same bytes.
            content = orjson.dumps(
                {
                    "version": _STYLES_VERSION, "isGlobalStylesUserThemeJSON": True,
                    "settings": values.get("settings") or {}, "styles": values.get("styles") or {},
                },
                option=orjson.OPT_SORT_KEYS,
            ).decode()  # fmt: skip
        terms = [ExportedTerm(_THEME, self._theme, self._theme)] if self._theme else []
        if area := values.get("area"):
            terms.append(ExportedTerm(_AREA, str(area), str(area)))
        return Item(
            id, type, self._names.word(slug), read_text(values.get("title")), content,
            str(values.get("description") or ""), 0, tuple(terms), tuple(select_language(record, self._several)),
        )  # fmt: skip


def _select_stored(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the members that are extra fields where the original keeps them."""
    yield "_thumbnail_id", values.get("featured_media") or None
    yield "_cms_page_template", values.get("template")
    yield "cms_pattern_sync_status", values.get("cms_pattern_sync_status")


def _select_file(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the extra fields of a file of the library."""
    yield "_cms_attachment_image_alt", values.get("alt_text")
    details = values.get("media_details")
    if isinstance(details, Mapping) and details.get("file"):
        yield "_cms_attached_file", details["file"]
        yield "_cms_attachment_metadata", _build_metadata(details)


def _build_metadata(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a picture as the original stores them: sizes without addresses, nor the whole."""
    found = {name: value for name, value in details.items() if value is not None}
    sizes = found.get("sizes")
    if isinstance(sizes, Mapping):
        found["sizes"] = {
            name: {"mime-type" if key == "mime_type" else key: item for key, item in one.items() if key != "source_url"}
            for name, one in sizes.items()
            if name != "full" and isinstance(one, Mapping)
        }
    return found


def _write_feed_date(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    try:
        return format_datetime(datetime.fromisoformat(value[:19] + "+00:00"))
    except ValueError:
        return ""
