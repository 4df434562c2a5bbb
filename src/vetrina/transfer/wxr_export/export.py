"""Writing a source into an export file, one record after the other, so that a site of any size needs little memory.

The same site gives the same bytes: the file has no time of its export.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from vetrina.content.types import registry
from vetrina.rest.dialects.names import DialectNames, load_name_pairs
from vetrina.transfer.records import Record, Source, SourceDescription
from vetrina.transfer.sources.address.collections import find_base
from vetrina.transfer.sources.wxr.extension_fields import DIALECT
from vetrina.transfer.sources.wxr.product_terms import ATTRIBUTES, PRODUCT, PRODUCTS, REVIEWS, VARIATION, VARIATIONS
from vetrina.transfer.target.design import is_theme_file

from .comment_spool import CommentSpool
from .items import ItemWriter
from .products import build_record_values, build_review_values, describe_product, describe_variation
from .terms import TermList
from .xml_text import write_cdata, write_element

_USERS: Final = "/cms/v2/users"
_COMMENTS: Final = "/cms/v2/comments"
_SETTINGS: Final = "/cms/v2/settings"
_VERSION: Final = "1.2"
_HEAD: Final = f"""<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/{_VERSION}/excerpt/"
\txmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"
\txmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/{_VERSION}/">
<channel>
"""
_FOOT: Final = "</channel>\n</rss>\n"
# Types of which a file has nothing: fonts are files, of which it names none.
_LEFT_OUT_TYPES: Final = frozenset({registry.FONT_FAMILY.name, registry.FONT_FACE.name})
_BUYERS: Final = ["customer"]  # roles of whoever writes nothing
# What a file says in its head, or inside of something else.
_TAKEN_UP: Final = frozenset({
    _USERS, _COMMENTS, _SETTINGS, "/cms/v2/menu-locations", PRODUCTS, VARIATIONS, REVIEWS,
    ATTRIBUTES,
})  # fmt: skip
_SHOP_ITEMS: Final = (
    (PRODUCT, PRODUCTS, describe_product), (VARIATION, VARIATIONS, describe_variation),
)  # fmt: skip


@dataclass
class WxrTotals:
    """What an export file holds. items: by type, in neutral names. left_out: collections that it can't hold."""

    authors: int = 0
    terms: int = 0
    comments: int = 0
    items: dict[str, int] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def export_to_wxr(
    source: Source, path: Path, *, tell: Callable[[str, int, int | None], None] = lambda resource, done, total: None
) -> WxrTotals:
    """Write all of a source that an export file can hold into a file, and return what that was.

    The file is there whole or not at all. tell: (collection, records done, records there or None). Raises SourceError,
    OSError.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as out:
            totals = _WxrExport(source, out, tell).run()
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return totals


class _WxrExport:
    """One run of an export."""

    def __init__(self, source: Source, out: IO[str], tell: Callable[[str, int, int | None], None]) -> None:
        self._source, self._out, self._tell = source, out, tell
        self._names = DialectNames(load_name_pairs(DIALECT))
        self._description: SourceDescription = source.describe()
        self._several = len(self._description.languages) > 1
        self._logins: dict[Any, str] = {}
        self._totals = WxrTotals()

    def run(self) -> WxrTotals:
        """Write the file and return what is in it."""
        out, totals = self._out, self._totals
        terms = TermList(self._source, self._description, self._names)
        out.write(_HEAD)
        self._write_site()
        self._write_authors()
        for resource in terms.iterate_collections():
            for element in terms.write_collection(resource):
                out.write(f"{element}\n")
                totals.terms += 1
        types = self._list_types()
        writer = ItemWriter(self._names, self._logins, terms, self._several)
        with CommentSpool() as comments:
            self._collect_comments(comments)
            for resource, type in types.items():
                for record in self._read(resource):
                    if _is_own(type, record):
                        self._add_item(type, writer.write_record(type, record, comments.load(record.id)))
            for type, resource, describe in _SHOP_ITEMS:
                for record in self._read(resource):
                    item, values = describe(record, terms, self._several), build_record_values(record.values)
                    self._add_item(type, writer.write_item(item, values, comments.load(record.id)))
        out.write(_FOOT)
        written = {*types, *terms.iterate_collections(), *_TAKEN_UP}
        totals.left_out += [one for one in self._description.resources if one not in written]
        return totals

    def _add_item(self, type: str, element: str) -> None:
        self._out.write(f"{element}\n")
        self._totals.items[type] = self._totals.items.get(type, 0) + 1

    def _read(self, resource: str) -> Iterator[Record]:
        """Give the records of a collection, none where the source has no such one."""
        if resource not in self._description.resources:
            return
        count = self._source.count_records(resource)
        for done, record in enumerate(self._source.read_records(resource), 1):
            yield record
            self._tell(resource, done, count)

    def _list_types(self) -> dict[str, str]:
        """Return the types whose records are items, by their collections."""
        types = {find_base(one): slug for slug, one in self._description.types.items() if slug not in _LEFT_OUT_TYPES}
        return {one: types[one] for one in self._description.resources if one in types}

    def _write_site(self) -> None:
        description, url = self._description, next(iter(self._description.urls), "")
        settings: dict[str, Any] = next((one.values for one in self._read(_SETTINGS)), {})
        language = str(settings.get("language") or next(iter(description.languages), ""))
        self._out.write("\n".join([
            write_element("title", settings.get("title") or description.title), write_element("link", url),
            write_element("description", settings.get("description") or ""),
            write_element("language", language.replace("_", "-")), write_element("wp:wxr_version", _VERSION),
            write_element("wp:base_site_url", url), write_element("wp:base_blog_url", url), "",
        ]))  # fmt: skip

    def _write_authors(self) -> None:
        for record in self._read(_USERS):
            values = record.values
            login = str(values.get("username") or values.get("slug") or record.id)
            self._logins[record.id] = login
            if values.get("roles") == _BUYERS:
                continue
            texts = {
                "login": login, "email": values.get("email"), "display_name": values.get("name"),
                "first_name": values.get("first_name"), "last_name": values.get("last_name"),
            }  # fmt: skip
            named = "".join(write_cdata(f"wp:author_{name}", str(text or "")) for name, text in texts.items())
            self._out.write(f"<wp:author>{write_element('wp:author_id', record.id)}{named}</wp:author>\n")
            self._totals.authors += 1

    def _collect_comments(self, spool: CommentSpool) -> None:
        for record in self._read(_COMMENTS):
            spool.add(record.values.get("post") or 0, record.values)
            self._totals.comments += 1
        for record in self._read(REVIEWS):
            spool.add(record.values.get("product_id") or 0, build_review_values(record.values))
            self._totals.comments += 1


def _is_own(type: str, record: Record) -> bool:
    """Return whether a record is the site's: no template of the theme's, nor styles in which nothing is set."""
    if type == registry.GLOBAL_STYLES.name:
        return bool(record.values.get("settings") or record.values.get("styles"))
    return not is_theme_file(record)
