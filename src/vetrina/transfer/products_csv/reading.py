"""Rows of a file of products as records of a shop, with names where the interface has numbers.

Categories, tags, brands, classes and attributes have their names as ids, pictures their addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import orjson

from vetrina.kernel.integers import parse_digits

from .cells import decode_text, parse_yes, split_list, unguard_cell
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
    normalize_heading,
    parse_numbered_column,
)

VARIATION: Final = "variation"
PATH_SIGN: Final = ">"  # between a category and those below it
_KINDS: Final = ("virtual", "downloadable")  # what a type says beside it
_LISTS: Final = {"categories": "category", "tags": "tag", "brands": "brand"}  # member → word of its ids


def _normalize(names: Mapping[str, str]) -> dict[str, str]:
    return {normalize_heading(heading): member for heading, member in names.items()}


def _invert(words: Mapping[str, str]) -> dict[str, str]:
    return {said: value for value, said in words.items()}


_TEXTS, _LONG_TEXTS, _FLAGS, _TIMES, _LINKS, _SIDES = map(_normalize, (TEXTS, LONG_TEXTS, FLAGS, TIMES, LINKS, SIDES))
_WEIGHT: Final = normalize_heading(WEIGHT)
_PUBLISHED, _IN_STOCK, _BACKORDERS = map(_invert, (PUBLISHED, IN_STOCK, BACKORDERS))
KNOWN_HEADINGS: Final = frozenset(
    {"id", "type", "published", *_TEXTS, *_LONG_TEXTS, *_FLAGS, *_TIMES, *_LINKS, *_SIDES}
)

Row = Mapping[str, str]  # cells by their recognised headings
ReferenceReader = Callable[[str], Any]  # what names a product in a cell → its id


def read_cells(headings: Iterable[str], cells: Iterable[str]) -> dict[str, str]:
    """Return the cells of a row by their headings. headings: recognised ones."""
    return {heading: unguard_cell(cell.strip()) for heading, cell in zip(headings, cells, strict=False)}


def name_term(word: str, name: str) -> str:
    """Return the id of a category, tag, brand or class. word: which of them it is."""
    return f"{word}:{name}"


def split_path(path: str) -> list[str]:
    """Return the names of a category and those above it, from the top."""
    return [part for one in path.split(PATH_SIGN) if (part := one.strip())]


def join_path(names: Iterable[str]) -> str:
    """Return what `split_path` reads."""
    return f" {PATH_SIGN} ".join(names)


def get_type(row: Row) -> str:
    """Return the type of a row's product."""
    words = [word.lower() for word in split_list(row.get("type", ""))]
    found = next((word for word in words if word not in _KINDS), "")
    return found or (VARIATION if row.get("parent") and "type" not in row else "simple")


def read_id(row: Row, line: int) -> int | str:
    """Return the id of a row: its number, or else what names it."""
    number, sku = parse_digits(row.get("id", "")), row.get("sku", "")
    if number:
        return number
    return f"sku:{sku.lower()}" if sku else f"row:{line}"


def read_attributes(row: Row) -> list[dict[str, str]]:
    """Return what a row says of each attribute that it names, by the parts of its columns."""
    return [parts for parts in _read_numbered(row, "attribute") if parts.get("name")]


def build_values(row: Row, find: ReferenceReader, varied: frozenset[str]) -> dict[str, Any]:
    """Return the members of a product or variation as the interface has them.

    varied: names in small letters of the attributes that the product's variations differ in.
    """
    out: dict[str, Any] = {"type": get_type(row), "status": _read_status(row)}
    kinds = [word.lower() for word in split_list(row.get("type", ""))]
    out |= {kind: kind in kinds for kind in _KINDS}
    out |= {member: row[heading] for heading, member in _TEXTS.items() if heading in row}
    out |= {member: decode_text(row[heading]) for heading, member in _LONG_TEXTS.items() if heading in row}
    out |= {member: parse_yes(row[heading]) for heading, member in _FLAGS.items() if row.get(heading)}
    out |= {member: row[heading].replace(" ", "T") for heading, member in _TIMES.items() if heading in row}
    out |= {member: [find(one) for one in split_list(row.get(heading, ""))] for heading, member in _LINKS.items()}
    for member, word in _LISTS.items():
        out[member] = [{"id": name_term(word, one)} for one in _read_terms(row, member)]
    if row.get("shipping class"):
        out["shipping_class_id"] = name_term("class", row["shipping class"])
    out |= {"weight": row.get(_WEIGHT, ""), "dimensions": {side: row.get(name, "") for name, side in _SIDES.items()}}
    images = [{"id": url} for url in split_list(row.get("images", ""))]
    out |= {"images": images, "image": images[0] if images else None}
    return {
        **out, **_read_stock(row), **_read_attribute_members(row, out["type"], varied),
        "downloads": [
            {"id": parts.get("id", ""), "name": parts.get("name", ""), "file": parts["url"]}
            for parts in _read_numbered(row, "download") if parts.get("url")
        ],
        "meta_data": [
            {"key": heading.removeprefix(META), "value": _read_meta(cell)}
            for heading, cell in row.items() if heading.startswith(META) and cell
        ],
    }  # fmt: skip


def parse_reference(cell: str) -> int | str:
    """Return what names a product: its number, or its article number in small letters."""
    text = cell.strip().lower()
    number = parse_digits(text.removeprefix(ID_MARK)) if text.startswith(ID_MARK) else None
    return text if number is None else number


def _read_terms(row: Row, member: str) -> list[str]:
    names = split_list(row.get(member, ""))
    return [join_path(split_path(name)) for name in names] if member == "categories" else names


def _read_status(row: Row) -> str:
    said = row.get("published", "").lower()
    return _PUBLISHED.get(said, said) or "publish"


def _read_stock(row: Row) -> dict[str, Any]:
    stock = row.get("stock", "").lower()
    backorders = row.get("backorders allowed?", "").lower()
    return {
        "manage_stock": PARENT if stock == PARENT else bool(stock),
        "stock_quantity": stock,
        "stock_status": _IN_STOCK.get(row.get("in stock?", "1").lower(), "instock"),
        "backorders": _BACKORDERS.get(backorders, backorders),
    }


def _read_attribute_members(row: Row, type: str, varied: frozenset[str]) -> dict[str, Any]:
    found = [(_name_attribute(parts), parts) for parts in read_attributes(row)]
    if type == VARIATION:
        chosen = [(name, split_list(parts.get("value(s)", ""))) for name, parts in found]
        return {"attributes": [{**name, "option": options[0]} for name, options in chosen if options]}
    own = [
        {
            **name, "position": position, "options": split_list(parts.get("value(s)", "")),
            "visible": parse_yes(parts.get("visible") or "1"),
            "variation": parts["name"].lower() in varied or bool(parts.get("default")),
        }
        for position, (name, parts) in enumerate(found)
    ]  # fmt: skip
    defaults = [{**name, "option": parts["default"]} for name, parts in found if parts.get("default")]
    return {"attributes": own, "default_attributes": defaults}


def _name_attribute(parts: Mapping[str, str]) -> dict[str, Any]:
    """Return id and name of an attribute; one that products share has its name as its id."""
    return {"id": parts["name"] if parse_yes(parts.get("global", "")) else 0, "name": parts["name"]}


def _read_numbered(row: Row, of: str) -> list[dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for heading, cell in row.items():
        column = parse_numbered_column(heading)
        if column is not None and column.of == of:
            found.setdefault(column.number, {})[column.part] = cell
    return [found[number] for number in sorted(found)]


def _read_meta(cell: str) -> Any:
    """Return the value of an extra field: lists and objects are written as JSON."""
    if cell.startswith(("{", "[")):
        try:
            return orjson.loads(cell)
        except orjson.JSONDecodeError:
            return cell
    return cell
