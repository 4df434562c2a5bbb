"""An export file as the source of an import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO, Final
from xml.parsers import expat

from vetrina.content.types import registry
from vetrina.transfer.records import IdKind, Record, SourceDescription, SourceError

from .coupons import build_coupon
from .elements import ElementNames, ExportElement, parse_element
from .files import FileLocator
from .product_terms import (
    ATTRIBUTE_MEMBER,
    ATTRIBUTE_TERMS,
    ATTRIBUTES,
    GROUPING_PATHS,
    PRODUCT,
    REVIEWS,
    TYPE_PATHS,
    build_attribute,
    build_product_term,
    is_attribute,
    is_product_taxonomy,
)
from .products import ProductBuilder
from .records import FORMATS, SITE_TAXONOMIES, RecordBuilder, get_taxonomy_path, get_type_path
from .reviews import build_review, is_review_record
from .scanning import MAX_PART, ExportIndex, PartList, read_term_key, scan_export

_USERS: Final = "/cms/v2/users"
_COMMENTS: Final = "/cms/v2/comments"
_SETTINGS: Final = "/cms/v2/settings"
_TERM_KINDS: Final = {"category": ("category",), "post_tag": ("tag",)}  # other taxonomies: `term`
_CLOSING: Final = 80  # bytes within which a closing tag ends
# Types whose items a file names, though what they are of is in other tables of the original.
_WITHOUT_ITEMS: Final = {"shop_order": "/shop/v3/orders", "shop_order_refund": "/shop/v3/orders/{order_id}/refunds"}
_FIRST: Final = (registry.ATTACHMENT.name, registry.PAGE.name, registry.POST.name)  # types, before the others


class ExportFileSource:
    """Records of an export file. files: folder of its uploads, None to fetch them. allow_private: from any network."""

    def __init__(self, path: Path, files: Path | None = None, allow_private: bool = False) -> None:
        self._path, self._names = path, ElementNames()
        self._locator = FileLocator(files, allow_private)

    @cached_property
    def _index(self) -> ExportIndex:
        return scan_export(self._path)

    @cached_property
    def _builder(self) -> RecordBuilder:
        return RecordBuilder(self._index)

    @cached_property
    def _products(self) -> ProductBuilder:
        return ProductBuilder(self._builder, self._name_term)

    @property
    def key(self) -> str:
        """The site that the file was exported from, so that a later export of it is the same source."""
        site = self._index.site
        url = site.get("export:base_blog_url") or site.get("link")
        return f"wxr:{url.rstrip('/')}" if url else f"wxr:{self._path.resolve()}"

    def describe(self) -> SourceDescription:
        """Return what the file holds. Raises SourceError."""
        index = self._index
        named = (index.site.get(name, "") for name in ("export:base_blog_url", "export:base_site_url", "link"))
        urls = [url.rstrip("/") for url in (*index.upload_folders, *named) if url.startswith(("http://", "https://"))]
        types, taxonomies = self._types, self._taxonomies
        return SourceDescription(
            title=index.site.get("title", "") or self._path.name,
            urls=tuple(dict.fromkeys(urls)),
            resources=tuple(self._resources),
            types={name: _declare(name, TYPE_PATHS.get(name) or get_type_path(name)) for name in types},
            taxonomies={
                **{name: _declare(name, get_taxonomy_path(name)) for name in taxonomies},
                **{name: _declare(name, path) for name, path in GROUPING_PATHS.items() if path in self._resources},
            },
            languages=self._languages,
            unreadable={
                **{
                    path: f"{len(index.items[name]):,} are in the file, which has no place for what was ordered; the "
                    "site's address gives them"
                    for name, path in _WITHOUT_ITEMS.items() if name in index.items
                },
                **self._describe_too_large(),
                **self._describe_bad_bytes(),
            },
        )  # fmt: skip

    def _describe_too_large(self) -> dict[str, str]:
        """Return what is left out since one part of the file would fill the memory, by path."""
        found: dict[str, list[str]] = {}
        for kind, type, id in self._index.too_large:
            name = self._builder.translate_name(type or "post")
            found.setdefault((TYPE_PATHS.get(name) or get_type_path(name)) if kind == "item" else kind, []).append(id)
        return {
            path: f"all but {', '.join(ids)}: larger than {MAX_PART >> 20} MiB in the file"
            for path, ids in found.items()
        }

    def _describe_bad_bytes(self) -> dict[str, str]:
        count = self._index.bad_bytes
        return {self._path.name: f"{count:,} bytes that are no text; `?` stands for each"} if count else {}

    def find_greatest_ids(self) -> Mapping[IdKind, int]:
        """Return the greatest ids that the file names, by kind."""
        return self._index.greatest_ids

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        """Return how many records a collection has."""
        index = self._index
        if resource == _USERS:
            return len(index.parts.get("author", ())) + len(self._named_authors)
        if resource == _COMMENTS:
            return index.comments
        if resource == _SETTINGS:
            return 1
        if resource == REVIEWS:
            return index.reviews
        if resource == ATTRIBUTES:
            return len(self._attributes)
        if resource == ATTRIBUTE_TERMS:
            return sum(map(self._count_terms, self._attributes))
        what, name = self._resources[resource]
        return len(index.items[name]) if what == "type" else self._count_terms(name)

    def _count_terms(self, name: str) -> int:
        index = self._index
        known = sum(1 for taxonomy, _ in index.terms if taxonomy == name)
        return known + sum(1 for taxonomy, _ in index.named_terms if taxonomy == name)

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        """Yield the records of a collection; a file does not tell what changed. Raises SourceError."""
        try:
            with self._path.open("rb") as file:
                yield from self._read(file, resource)
        except OSError as error:
            raise SourceError(f"{self._path} cannot be read: {error.strerror or error}") from None
        except (expat.ExpatError, LookupError, ValueError):
            raise SourceError(f"{self._path} was changed while it was read") from None

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        """Put the original file of an attachment into a folder and return its path, None where it isn't to be had."""
        return self._locator.fetch(record, folder)

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        """The codes of the languages, that of the site first; none where parts tell none."""
        found, own = self._index.languages, self._index.site.get("language", "").lower()
        return tuple(sorted(found, key=lambda code: not own.startswith(code.lower())))

    @cached_property
    def _types(self) -> dict[str, str]:
        """The types of the items: their names in the file by the neutral ones, files and pages first."""
        found = {self._builder.translate_name(name): name for name in self._index.items if name not in _WITHOUT_ITEMS}
        order = {name: at for at, name in enumerate(_FIRST)}
        return dict(sorted(found.items(), key=lambda one: (order.get(one[0], len(order)), one[0])))

    @cached_property
    def _taxonomies(self) -> dict[str, str]:
        """The taxonomies: their names in the file by the neutral ones."""
        named = dict.fromkeys(taxonomy for taxonomy, _ in (*self._index.terms, *self._index.named_terms))
        neutral = {self._builder.translate_name(name): name for name in named if name and name != FORMATS}
        return {
            name: own for name, own in neutral.items()
            if name not in SITE_TAXONOMIES and not self._is_of_products(own)
        }  # fmt: skip

    @cached_property
    def _product_taxonomies(self) -> frozenset[str]:
        """The taxonomies of products that have terms."""
        named = {taxonomy for taxonomy, _ in (*self._index.terms, *self._index.named_terms)}
        return frozenset(filter(self._is_of_products, named))

    def _is_of_products(self, taxonomy: str) -> bool:
        # In a file without products another taxonomy may be called as those of attributes are.
        return is_product_taxonomy(taxonomy) and not (is_attribute(taxonomy) and PRODUCT not in self._index.items)

    @cached_property
    def _attributes(self) -> list[str]:
        """The taxonomies that are attributes of products."""
        return sorted(filter(is_attribute, self._product_taxonomies))

    @cached_property
    def _option_names(self) -> dict[tuple[str, str], str]:
        """The names of the declared values of attributes, by taxonomy and slug in the file."""
        with self._path.open("rb") as file:
            return {
                read_term_key("term", {one.name: one.text for one in part.children}): part.get("export:term_name")
                for part in self._read_parts(file, self._index.parts.get("term", PartList()))
                if is_attribute(part.get("export:term_taxonomy"))
            }

    def _name_term(self, taxonomy: str, slug: str) -> str:
        """Return the name of a value of an attribute; its slug where the file says none."""
        key = taxonomy, slug
        return self._option_names.get(key) or self._index.named_terms.get(key) or slug

    @cached_property
    def _resources(self) -> dict[str, tuple[str, str]]:
        """The collections in the order in which they come: what each is, and its name in the file."""
        out = {_USERS: ("users", "")}
        out |= {get_taxonomy_path(name): ("taxonomy", own) for name, own in self._taxonomies.items()}
        items = {get_type_path(name): ("type", own) for name, own in self._types.items() if name not in TYPE_PATHS}
        last = {path: items.pop(path) for path in (registry.MENU_ITEM.path,) if path in items}
        return {
            **out, **items, **self._shop_resources, _COMMENTS: ("comments", ""), **last, _SETTINGS: ("settings", ""),
        }  # fmt: skip

    @cached_property
    def _shop_resources(self) -> dict[str, tuple[str, str]]:
        """The collections of a shop, none for a file without one."""
        taxonomies = self._product_taxonomies
        out = {path: ("product terms", name) for name, path in GROUPING_PATHS.items() if name in taxonomies}
        if self._attributes:
            out |= {ATTRIBUTES: ("attributes", ""), ATTRIBUTE_TERMS: ("options", "")}
        out |= {path: ("type", name) for name, path in TYPE_PATHS.items() if name in self._index.items}
        return {**out, REVIEWS: ("reviews", "")} if self._index.reviews else out

    @cached_property
    def _named_authors(self) -> list[str]:
        return [login for login in self._index.creators if login not in self._index.authors]

    def _read(self, file: BinaryIO, resource: str) -> Iterator[Record]:
        index, builder = self._index, self._builder
        what, name = self._resources[resource]
        if what == "users":
            yield from map(builder.build_user, self._read_parts(file, index.parts.get("author", PartList())))
            yield from map(builder.build_named_user, self._named_authors)
        elif what == "taxonomy":
            yield from self._read_terms(file, name)
        elif what == "product terms":
            yield from map(build_product_term, self._read_terms(file, name))
        elif what == "attributes":
            yield from self._read_attributes(file)
        elif what == "options":
            yield from map(build_product_term, self._read_terms(file, *self._attributes))
        elif what == "type":
            build = self._builders.get(name, builder.build_item)
            yield from map(build, self._read_parts(file, index.items[name]))
        elif what == "comments":
            yield from self._read_comments(file, index.commented, reviews=False)
        elif what == "reviews":
            yield from map(build_review, self._read_comments(file, index.reviewed, reviews=True))
        else:
            yield builder.build_settings()

    @property
    def _builders(self) -> dict[str, Callable[[ExportElement], Record]]:
        """What builds the records of types that are a shop's."""
        products, coupon = self._products, partial(build_coupon, self._builder)
        return dict(zip(TYPE_PATHS, (products.build_product, products.build_variation, coupon), strict=True))

    def _read_comments(self, file: BinaryIO, places: PartList, reviews: bool) -> Iterator[Record]:
        for part in self._read_parts(file, places):
            type = part.get("export:post_type")
            yield from (one for one in self._builder.iterate_comments(part) if is_review_record(type, one) == reviews)

    def _read_attributes(self, file: BinaryIO) -> Iterator[Record]:
        told: dict[str, Any] = {}
        for part in self._read_parts(file, self._index.parts.get("term", PartList())):
            if is_attribute(taxonomy := part.get("export:term_taxonomy")):
                found = self._builder.build_term("term", part).values.get(ATTRIBUTE_MEMBER)
                if isinstance(found, dict):
                    told.setdefault(taxonomy, found)
        for taxonomy in self._attributes:
            yield build_attribute(taxonomy, told.get(taxonomy, {}))

    def _read_terms(self, file: BinaryIO, *taxonomies: str) -> Iterator[Record]:
        """Yield the terms of taxonomies: those declared in their own elements, in common ones, and by items only."""
        neutral = set(map(self._builder.translate_name, taxonomies))
        seen: set[Any] = set()
        for kind in (*(kind for name in taxonomies for kind in _TERM_KINDS.get(name, ())), "term"):
            for part in self._read_parts(file, self._index.parts.get(kind, PartList())):
                record = self._builder.build_term(kind, part)
                if record.values["taxonomy"] in neutral and record.id not in seen:
                    seen.add(record.id)
                    yield record
        for (of, slug), name in self._index.named_terms.items():
            if of in taxonomies:
                yield self._builder.build_named_term(of, slug, name)

    def _read_parts(self, file: BinaryIO, places: PartList) -> Iterator[ExportElement]:
        index = self._index
        for start, end in _iterate(places):
            file.seek(start)
            text = file.read(end - start + _CLOSING)
            # A part without anything in it may have no closing tag.
            closed = text.startswith(b"</", end - start)
            whole = text[: text.index(b">", end - start) + 1 if closed else end - start]
            yield parse_element(whole, self._names, index.encoding, index.namespaces)


def _declare(name: str, path: str) -> dict[str, str]:
    """Return what a site says of a type or taxonomy whose records are at a path."""
    _, space, version, base = path.split("/", 3)
    return {"slug": name, "rest_base": base, "rest_namespace": f"{space}/{version}"}


def _iterate(places: PartList) -> Iterable[tuple[int, int]]:
    return (places[at] for at in range(len(places)))
