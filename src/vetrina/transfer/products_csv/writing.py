"""Products and variations as rows of a file of products: what `reading.py` reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import orjson

from .cells import encode_text, guard_cell, join_list
from .columns import (
    BACKORDERS,
    FLAGS,
    ID_MARK,
    IN_STOCK,
    LINKS,
    LONG_TEXTS,
    META,
    PARENT,
    PUBLISHED,
    SIDES,
    TEXTS,
    TIMES,
    WEIGHT,
    name_attribute_columns,
    name_download_columns,
)
from .reading import VARIATION, join_path


@dataclass
class NameTables:
    """Names of what products name by numbers. categories: name and parent. skus: article numbers of products."""

    categories: dict[Any, tuple[str, Any]] = field(default_factory=dict)
    classes: dict[Any, str] = field(default_factory=dict)
    skus: dict[Any, str] = field(default_factory=dict)

    def build_path(self, id: Any, name: str) -> str:
        """Return the path of a category. name: what it is called where it is not known."""
        names: list[str] = []
        passed: set[Any] = set()
        while id in self.categories and id not in passed:
            passed.add(id)
            own, id = self.categories[id]
            names.insert(0, own)
        return join_path(unescape(one) for one in names or [name])

    def name_product(self, id: Any) -> str:
        """Return what names a product: its article number, or else its number."""
        return self.skus.get(id) or f"{ID_MARK}{id}"


def build_row(values: Mapping[str, Any], id: Any, parent: Any, names: NameTables) -> dict[str, str]:
    """Return the cells of a product or variation by their headings, without empty ones. parent: of a variation."""
    is_variation = bool(parent)
    kinds = [kind for kind in ("virtual", "downloadable") if values.get(kind)]
    row: dict[str, Any] = {
        "ID": id, "Type": join_list([VARIATION if is_variation else str(values.get("type") or "simple"), *kinds]),
        "Published": PUBLISHED.get(str(values.get("status")), "-1"),
        "In stock?": IN_STOCK.get(str(values.get("stock_status")), "1"), "Stock": _write_stock(values),
        "Backorders allowed?": BACKORDERS.get(str(values.get("backorders")), ""),
        WEIGHT: values.get("weight"), "Images": join_list(_list_images(values)),
        "Shipping class": unescape(names.classes.get(values.get("shipping_class_id"), "")),
        "Parent": names.name_product(parent) if is_variation else "",
        "Categories": join_list(
            names.build_path(one.get("id"), str(one.get("name"))) for one in _list(values, "categories")
        ),
    }  # fmt: skip
    for heading, member in (("Tags", "tags"), ("Brands", "brands")):
        row[heading] = join_list(unescape(str(one.get("name"))) for one in _list(values, member))
    row |= {heading: values.get(member) for heading, member in TEXTS.items()}
    row |= {heading: encode_text(str(values.get(member) or "")) for heading, member in LONG_TEXTS.items()}
    row |= {heading: str(int(bool(values[member]))) for heading, member in FLAGS.items() if member in values}
    row |= {heading: str(values.get(member) or "").replace("T", " ") for heading, member in TIMES.items()}
    row |= {heading: (values.get("dimensions") or {}).get(side) for heading, side in SIDES.items()}
    row |= {
        heading: join_list(names.name_product(one) for one in values.get(member) or ())
        for heading, member in LINKS.items()
    }
    row |= _write_attributes(values) | _write_downloads(values) | _write_meta(values)
    # That of a variation follows from what is chosen.
    row["Name"] = "" if is_variation else unescape(str(values.get("name") or ""))
    return {heading: guard_cell(str(cell)) for heading, cell in row.items() if cell not in (None, "")}


def _list(values: Mapping[str, Any], member: str) -> Iterable[Mapping[str, Any]]:
    return [one for one in values.get(member) or () if isinstance(one, Mapping)]


def _list_images(values: Mapping[str, Any]) -> list[str]:
    own = values.get("image")
    images = [own] if isinstance(own, Mapping) else _list(values, "images")
    return [str(one.get("src") or "") for one in images]


def _write_stock(values: Mapping[str, Any]) -> str:
    manages = values.get("manage_stock")
    if manages == PARENT:
        return PARENT
    return str(values.get("stock_quantity") or 0) if manages else ""


def _write_attributes(values: Mapping[str, Any]) -> dict[str, str]:
    chosen = {(one.get("id"), one.get("name")): one.get("option") for one in _list(values, "default_attributes")}
    out: dict[str, str] = {}
    for number, one in enumerate(_list(values, "attributes"), 1):
        options = one.get("options", [one.get("option")])
        cells = {
            "name": unescape(str(one.get("name") or "")),
            "value(s)": join_list(unescape(str(option)) for option in options if option),
            "global": str(int(bool(one.get("id")))),
            "default": unescape(str(chosen.get((one.get("id"), one.get("name"))) or "")),
        }  # fmt: skip
        if "visible" in one:
            cells["visible"] = str(int(bool(one["visible"])))
        headings = name_attribute_columns(number)
        out |= {headings[part]: cell for part, cell in cells.items()}
    return out


def _write_downloads(values: Mapping[str, Any]) -> dict[str, str]:
    out: dict[str, str] = {}
    for number, one in enumerate(_list(values, "downloads"), 1):
        cells = {"id": one.get("id"), "name": one.get("name"), "url": one.get("file")}
        headings = name_download_columns(number)
        out |= {headings[part]: str(cell or "") for part, cell in cells.items()}
    return out


def _write_meta(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of extra fields; those that begin with `_` are the business of who stores them."""
    fields = ((str(one.get("key") or ""), one.get("value")) for one in _list(values, "meta_data"))
    return {
        META + name: value if isinstance(value, str) else orjson.dumps(value).decode()
        for name, value in fields if name and not name.startswith("_")
    }  # fmt: skip
