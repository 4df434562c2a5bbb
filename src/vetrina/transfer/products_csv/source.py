"""A file of products as the source of an import.

It is read twice: first for what its rows name, then for the rows themselves, which are never all in memory.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from vetrina.transfer.records import IdKind, Record, SourceDescription, SourceError
from vetrina.transfer.sources.wxr.files import FileLocator

from .cells import parse_yes, split_list
from .columns import normalize_heading
from .reading import (
    KNOWN_HEADINGS,
    VARIATION,
    Row,
    build_values,
    get_type,
    join_path,
    name_term,
    parse_reference,
    read_attributes,
    read_cells,
    read_id,
    split_path,
)

_PRODUCTS: Final = "/shop/v3/products"
_VARIATIONS: Final = f"{_PRODUCTS}/{{product_id}}/variations"
_MEDIA: Final = "/cms/v2/media"
_ATTRIBUTES: Final = f"{_PRODUCTS}/attributes"
_NAMED: Final = {  # collection → column and word of its ids
    f"{_PRODUCTS}/shipping_classes": ("shipping class", "class"), f"{_PRODUCTS}/tags": ("tags", "tag"),
    f"{_PRODUCTS}/brands": ("brands", "brand"),
}  # fmt: skip
_CATEGORIES: Final = f"{_PRODUCTS}/categories"
_SIGNS: Final = ",;\t"  # between cells
_MOST_OF_CELL: Final = 16 << 20  # characters
_HEAD: Final = 65_536  # bytes among which the first line is


@dataclass
class _FileIndex:
    """What the rows of a file name.

    skus: ids of rows by their article numbers in small letters. categories: paths, those above first. varied: names of
    attributes by what names the product whose variations differ in them. greatest: of the ids that are numbers.
    """

    skus: dict[str, int | str] = field(default_factory=dict)
    categories: dict[str, None] = field(default_factory=dict)
    named: dict[str, dict[str, None]] = field(default_factory=lambda: {path: {} for path in _NAMED})
    attributes: dict[str, None] = field(default_factory=dict)
    images: dict[str, None] = field(default_factory=dict)
    varied: dict[int | str, set[str]] = field(default_factory=dict)
    products: int = 0
    variations: int = 0
    greatest: int = 0

    def note(self, row: Row, id: int | str) -> None:
        """Take up what a row names."""
        if row.get("sku"):
            self.skus[row["sku"].lower()] = id
        if isinstance(id, int):
            self.greatest = max(self.greatest, id)
        for path in split_list(row.get("categories", "")):
            names = split_path(path)
            self.categories |= dict.fromkeys(join_path(names[: at + 1]) for at in range(len(names)))
        for resource, (column, _) in _NAMED.items():
            # The name of a class is the whole cell.
            cell = row.get(column, "")
            self.named[resource] |= dict.fromkeys(
                split_list(cell) if column != "shipping class" else [cell] * bool(cell)
            )
        self.images |= dict.fromkeys(split_list(row.get("images", "")))
        attributes = read_attributes(row)
        self.attributes |= dict.fromkeys(one["name"] for one in attributes if parse_yes(one.get("global", "")))
        if get_type(row) == VARIATION:
            self.variations += 1
            varied = self.varied.setdefault(parse_reference(row.get("parent", "")), set())
            varied.update(one["name"].lower() for one in attributes)
        else:
            self.products += 1


class ProductFileSource:
    """Products of a file. files: folder of their pictures, None to fetch them. allow_private: from any network."""

    def __init__(self, path: Path, files: Path | None = None, allow_private: bool = False) -> None:
        self._path = path
        self._locator = FileLocator(files, allow_private)

    @property
    def key(self) -> str:
        """The place of the file."""
        return f"csv:{self._path.resolve()}"

    @cached_property
    def _index(self) -> _FileIndex:
        index = _FileIndex()
        for row, id in self._iterate_rows():
            index.note(row, id)
        return index

    @cached_property
    def _counts(self) -> dict[str, int]:
        index = self._index
        named = {resource: len(names) for resource, names in index.named.items()}
        return {
            _MEDIA: len(index.images), **named, _CATEGORIES: len(index.categories), _ATTRIBUTES: len(index.attributes),
            _PRODUCTS: index.products, _VARIATIONS: index.variations,
        }  # fmt: skip

    def describe(self) -> SourceDescription:
        """Return what the file holds. Raises SourceError."""
        resources = tuple(resource for resource, count in self._counts.items() if count)
        return SourceDescription(self._path.name, (), resources, {}, {})

    def find_greatest_ids(self) -> Mapping[IdKind, int]:
        """Return the greatest id of the rows that have one. Raises SourceError."""
        return {"record": self._index.greatest} if self._index.greatest else {}

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        """Return how many records a collection has."""
        return self._counts[resource]

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        """Give the records of a collection. Raises SourceError."""
        index = self._index
        if resource in _NAMED:
            for name in index.named[resource]:
                yield Record(resource, name_term(_NAMED[resource][1], name), {"name": name})
        elif resource == _CATEGORIES:
            for path in index.categories:
                *above, name = split_path(path)
                parent = name_term("category", join_path(above)) if above else 0
                yield Record(resource, name_term("category", path), {"name": name, "parent": parent})
        elif resource == _ATTRIBUTES:
            yield from (Record(resource, name, {"name": name}) for name in index.attributes)
        elif resource == _MEDIA:
            for url in index.images:
                title = PurePosixPath(unquote(urlsplit(url).path)).stem
                yield Record(resource, url, {"source_url": url, "title": title})
        else:
            yield from self._read_products(resource)

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        """Put a picture into a folder; None where it isn't to be had."""
        return self._locator.fetch(record, folder)

    def _read_products(self, resource: str) -> Iterator[Record]:
        for row, id in self._iterate_rows():
            if (get_type(row) == VARIATION) != (resource == _VARIATIONS):
                continue
            names = {id, parse_reference(row.get("sku", ""))} - {""}
            varied = frozenset[str]().union(*(self._index.varied.get(name, ()) for name in names))
            parent = self._find(row.get("parent", ""))
            values = build_values(row, self._find, varied)
            if resource == _VARIATIONS:
                yield Record(resource, id, values, parent=parent)
            else:
                yield Record(resource, id, {**values, "parent_id": 0})

    def _find(self, cell: str) -> int | str:
        """Return the id of the row that a cell names; one that the file doesn't have by that name."""
        named = parse_reference(cell)
        return self._index.skus.get(named, named) if isinstance(named, str) else named

    def _iterate_rows(self) -> Iterator[tuple[Row, int | str]]:
        """Give the rows by their headings, each with its id; empty ones are passed over. Raises SourceError."""
        csv.field_size_limit(_MOST_OF_CELL)
        try:
            with self._path.open(encoding="utf-8-sig", newline="") as file:
                first = file.read(_HEAD).partition("\n")[0]
                file.seek(0)
                table = csv.reader(file, delimiter=max(_SIGNS, key=first.count))
                headings = [normalize_heading(heading) for heading in next(table, [])]
                if KNOWN_HEADINGS.isdisjoint(headings):
                    raise SourceError(f"{self._path} is no file of products: its first line names no column of theirs")
                for cells in table:
                    if any(cells):
                        row = read_cells(headings, cells)
                        yield row, read_id(row, table.line_num)
        except OSError as error:
            raise SourceError(f"{self._path} can't be read: {error.strerror}") from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise SourceError(f"{self._path} can't be read as a table in UTF-8: {error}") from None
