"""The terms of a site: all are written before the items, and each item names those that it has.

An importer finds a term by taxonomy and slug. Where two languages have the same slug, the second one gets its language
behind it; the slug itself is a field of the term.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from vetrina.rest.dialects.names import DialectNames
from vetrina.transfer.records import Record, Source, SourceDescription
from vetrina.transfer.sources.address.collections import find_base
from vetrina.transfer.sources.wxr.extension_fields import TERM_MEMBERS
from vetrina.transfer.sources.wxr.product_terms import (
    ATTRIBUTE_MEMBER,
    ATTRIBUTE_MEMBERS,
    ATTRIBUTE_TERMS,
    ATTRIBUTES,
    GROUPING_PATHS,
)

from .extra_fields import select_language, select_members, select_own_fields, write_fields
from .xml_text import write_cdata, write_element

MENUS: Final = "nav_menu"
_SHOP: Final = {path: name for name, path in GROUPING_PATHS.items()}
_BODIES: Final[Mapping[str, tuple[str, str, str, str, str]]] = {
    # element: its slug, the slug above, its name, its description
    "category": ("wp:category", "category_nicename", "category_parent", "cat_name", "category_description"),
    "post_tag": ("wp:tag", "tag_slug", "", "tag_name", "tag_description"),
}
_TERM: Final = ("wp:term", "term_slug", "term_parent", "term_name", "term_description")


class ExportedTerm(NamedTuple):
    """A term as items name it. slug: the only one of its taxonomy in the file."""

    taxonomy: str
    slug: str
    name: str


class TermList:
    """The terms of a site. bases: members of records that hold their ids, by taxonomy, in neutral names."""

    def __init__(self, source: Source, description: SourceDescription, names: DialectNames) -> None:
        self._source, self._description, self._names = source, description, names
        self._several = len(description.languages) > 1
        self._terms: dict[tuple[str, Any], ExportedTerm] = {}
        self._by_name: dict[tuple[str, str], ExportedTerm] = {}
        self._taken: set[tuple[str, str]] = set()
        self._attributes: dict[Any, str] = {}  # taxonomies of the attributes of products
        self._told: dict[str, dict[str, Any]] = {}  # of them: what their first terms will say of them
        self.bases = {
            slug: str(one.get("rest_base") or slug)
            for slug, one in description.taxonomies.items()
            if find_base(one) in description.resources
        }

    def iterate_collections(self) -> Iterator[str]:
        """Give the collections of terms."""
        own = {find_base(one) for one in self._description.taxonomies.values()}
        for resource in self._description.resources:
            if resource in own or resource in _SHOP or resource == ATTRIBUTE_TERMS:
                yield resource

    def write_collection(self, resource: str) -> Iterator[str]:
        """Give the elements of the terms of a collection. Raises SourceError."""
        if resource == ATTRIBUTE_TERMS:
            for one in self._source.read_records(ATTRIBUTES):
                taxonomy = self._attributes[one.id] = str(one.values.get("slug") or "")
                self._told[taxonomy] = {name: one.values[name] for name in ATTRIBUTE_MEMBERS if name in one.values}
        by_path = {find_base(one): slug for slug, one in self._description.taxonomies.items()} | _SHOP
        for record in self._source.read_records(resource):
            taxonomy = self._attributes.get(record.parent, "") if resource == ATTRIBUTE_TERMS else by_path[resource]
            if taxonomy:
                yield self._write_term(taxonomy, record)

    def find(self, taxonomy: str, id: Any) -> ExportedTerm | None:
        """Return a term, None where the source didn't give it."""
        return self._terms.get((taxonomy, id)) if isinstance(id, int | str) else None

    def find_by_name(self, taxonomy: str, name: str) -> ExportedTerm | None:
        """Return the first term of a name, None where the source didn't give it."""
        return self._by_name.get((taxonomy, name))

    def get_attribute(self, id: Any) -> str:
        """Return the taxonomy of an attribute of products, empty where the source didn't give it."""
        return self._attributes.get(id, "")

    def _write_term(self, taxonomy: str, record: Record) -> str:
        values = record.values
        own, name = str(values.get("slug") or record.id), str(values.get("name") or "")
        term = self._terms[taxonomy, record.id] = ExportedTerm(taxonomy, self._choose_slug(taxonomy, own, record), name)
        self._by_name.setdefault((taxonomy, name), term)
        above = self.find(taxonomy, values.get("parent"))
        element, slug, parent, named, description = _BODIES.get(taxonomy, _TERM)
        members = {
            **values, "slug": own if own != term.slug else None, ATTRIBUTE_MEMBER: self._told.pop(taxonomy, None),
        }  # fmt: skip
        fields = [
            *select_own_fields(values), *_select_details(values), *select_language(record, self._several),
            *select_members(members, TERM_MEMBERS),
        ]  # fmt: skip
        return "".join([
            f"<{element}>", write_element("wp:term_id", record.id),
            write_cdata("wp:term_taxonomy", self._names.word(taxonomy)) if element == "wp:term" else "",
            write_cdata(f"wp:{slug}", term.slug),
            write_cdata(f"wp:{parent}", above.slug if above else "") if parent else "",
            write_cdata(f"wp:{named}", name),
            write_cdata(f"wp:{description}", str(values.get("description") or "")),
            *write_fields("termmeta", self._names, fields), f"</{element}>",
        ])  # fmt: skip

    def _choose_slug(self, taxonomy: str, slug: str, record: Record) -> str:
        """Return the slug of a term in the file, which no other term of its taxonomy has there."""
        language = str(record.values.get("lang") or record.language)
        for chosen in (slug, f"{slug}-{language}", f"{slug}-{record.id}"):
            if (taxonomy, chosen) not in self._taken:
                break
        self._taken.add((taxonomy, chosen))
        return chosen


def _select_details(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the members of a term of products that are extra fields where the original keeps them."""
    yield "order", values.get("menu_order")
    yield "display_type", "" if values.get("display") == "default" else values.get("display")
    image = values.get("image")
    yield "thumbnail_id", image.get("id") if isinstance(image, Mapping) else None
