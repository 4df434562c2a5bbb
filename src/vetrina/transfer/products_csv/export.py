"""Writing the products of a source into a file of products.

Which columns there are is known when all products are read; their rows wait on disk.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

import orjson

from vetrina.transfer.records import Source, SourceError

from .columns import (
    META,
    ORDER,
    name_attribute_columns,
    name_download_columns,
    normalize_heading,
    parse_numbered_column,
)
from .writing import NameTables, build_row

_PRODUCTS: Final = "/shop/v3/products"
_VARIATIONS: Final = f"{_PRODUCTS}/{{product_id}}/variations"
_LEFT_OUT: Final = "trash"  # the status of what is not written

_Tell = Callable[[str, int, int | None], None]


def export_products(
    source: Source, path: Path, *, tell: _Tell = lambda resource, done, total: None
) -> int:  # fmt: skip
    """Write all products of a source with their variations into a file, and return how many rows it has.

    tell: (collection, records done, records there or None). Raises SourceError, OSError.
    """
    resources = source.describe().resources
    if _PRODUCTS not in resources:
        raise SourceError("there are no products, or they aren't shown")
    names = _load_names(source, resources)
    with tempfile.TemporaryFile() as spool:
        rows = 0
        headings: set[str] = set()
        for resource in (_PRODUCTS, _VARIATIONS):
            if resource not in resources:
                continue
            count = source.count_records(resource)
            for done, record in enumerate(source.read_records(resource), 1):
                names.skus[record.id] = str(record.values.get("sku") or "")
                if record.values.get("status") != _LEFT_OUT:
                    parent = (record.parent or record.values.get("parent_id")) if resource == _VARIATIONS else 0
                    spool.write(orjson.dumps([record.id, parent, record.values]) + b"\n")
                    headings |= build_row(record.values, record.id, parent, names).keys()
                    rows += 1
                tell(resource, done, count)
        _write_table(path, _order_headings(headings), _iterate_rows(spool, names))
    return rows


def _load_names(source: Source, resources: tuple[str, ...]) -> NameTables:
    names = NameTables()
    if f"{_PRODUCTS}/categories" in resources:
        for one in source.read_records(f"{_PRODUCTS}/categories"):
            names.categories[one.id] = str(one.values.get("name") or ""), one.values.get("parent")
    if f"{_PRODUCTS}/shipping_classes" in resources:
        for one in source.read_records(f"{_PRODUCTS}/shipping_classes"):
            names.classes[one.id] = str(one.values.get("name") or "")
    return names


def _iterate_rows(spool: IO[bytes], names: NameTables) -> Iterator[dict[str, str]]:
    """Give the rows again, with the article numbers of all products known."""
    spool.seek(0)
    for line in spool:
        id, parent, values = orjson.loads(line)
        yield build_row(values, id, parent, names)


def _order_headings(found: set[str]) -> list[str]:
    """Return the headings of a file: the usual ones, and those of the attributes, files and extra fields there are."""
    columns = [column for heading in found if (column := parse_numbered_column(normalize_heading(heading)))]
    most = {
        of: max((column.number for column in columns if column.of == of), default=0) for of in ("attribute", "download")
    }
    return [
        *ORDER,
        *(heading for at in range(most["attribute"]) for heading in name_attribute_columns(at + 1).values()),
        *(heading for at in range(most["download"]) for heading in name_download_columns(at + 1).values()),
        *sorted(heading for heading in found if heading.startswith(META)),
    ]


def _write_table(path: Path, headings: list[str], rows: Iterator[dict[str, str]]) -> None:
    """Write a table in place of a file, which is whole at every moment."""
    beside = path.with_name(f"{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, headings, restval="")
            table.writeheader()
            table.writerows(rows)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
