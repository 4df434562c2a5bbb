"""What products and variations have beside their record, after a write: codes, prices, dates of sales, files, stock.

Not here: their records, and what hangs on them (shop/products/rules.py, shop/variations/rules.py).
Rules: facts, "Create and defaults".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.core import record as record_table
from vetrina.content.text import sanitizing
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import new_uuid
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products import product_types
from vetrina.shop.products import stock as product_stock
from vetrina.shop.products.model import GROUPED, VARIABLE, Product

__all__ = [
    "InvalidGlobalId", "InvalidSku", "SkuInTrash", "change_row", "free_sku", "moments", "refuse_trashed_sku", "settle",
    "shipping_class",
]  # fmt: skip

_NO_ID = re.compile(r"[^0-9-]")


class InvalidSku(ApiError):
    """Another product has the stock number."""

    code = "product_invalid_sku"
    message = "The SKU {sku!r} is that of product {owner}. {free!r} would be free."


class SkuInTrash(ApiError):
    """A product in the trash has the stock number of a new one; brought back, it would be a second with it."""

    code = "shop_rest_product_not_created"
    message = "Product {owner}, which is in the trash, has the SKU {sku!r}: bring it back, or remove it for good."


class InvalidGlobalId(ApiError):
    """Another product has the global number."""

    code = "product_invalid_global_unique_id"
    message = "The global number {number!r} is that of product {owner}."


def _owner(column: Any) -> Statement:
    """Return the statement that finds another product, outside the trash, with a value."""
    return Statement(
        select(table.c.record)
        .join(record_table, record_table.c.id == table.c.record)
        .where(column == bindparam("value"), table.c.record != bindparam("own"), record_table.c.status != "trash")
        .limit(1)
    )


_BY_SKU = _owner(table.c.sku_key)
_TRASHED = Statement(
    select(table.c.record)
    .join(record_table, record_table.c.id == table.c.record)
    .where(table.c.sku_key == bindparam("value"), record_table.c.status == "trash")
    .limit(1)
)
_BY_GLOBAL_ID = _owner(table.c.global_unique_id)

_PLAIN: Final = (
    "tax_status", "sold_individually", "virtual", "downloadable", "download_limit", "download_expiry", "featured",
)  # fmt: skip


def change_row(work: Work, old: Product, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that products and variations share, after a write; old: with its new kind and record.

    Raises InvalidSku, InvalidGlobalId, CannotManageStock.
    """
    members: dict[str, Any] = {name: given[name] for name in _PLAIN if given.get(name) is not None}
    members |= _codes(work, old.id, given)
    for name in ("regular_price", "sale_price"):
        if given.get(name) is not None:
            members[name] = product_prices.written(given[name])
    _put_sale_dates(work, given, members)
    if given.get("tax_class") is not None:
        slug = allowed_text(work.user, given["tax_class"])
        members["tax_class"] = "" if slug == "standard" else slug
    if given.get("virtual"):
        # What is no thing has neither weight nor size; what was sent of them with it is passed over.
        members |= dict.fromkeys(("weight", "length", "width", "height"), "")
    elif given.get("weight") is not None:
        members["weight"] = product_prices.written(given["weight"])
    if not given.get("virtual") and isinstance(given.get("dimensions"), Mapping):
        sides = given["dimensions"]
        members |= {
            name: product_prices.written(sides[name]) for name in ("length", "width", "height") if name in sides
        }
    if given.get("downloads") is not None:
        members["downloads"] = _downloads(given["downloads"])
    return members | product_stock.written(work, old, given)


def _codes(work: Work, own: int, given: Mapping[str, Any]) -> dict[str, str]:
    """Return stock number and global number after a write. Raises InvalidSku, InvalidGlobalId."""
    out: dict[str, str] = {}
    if given.get("sku") is not None:
        sku = sanitizing.plain(given["sku"])
        owner = work.tx.value(_BY_SKU, value=sku.lower(), own=own) if sku else None
        if owner is not None:
            free = free_sku(work, sku)
            raise InvalidSku(sku=sku, owner=owner, free=free, data={"resource_id": owner, "unique_sku": free})
        out |= {"sku": sku, "sku_key": sku.lower()}
    if given.get("global_unique_id") is not None:
        number = _NO_ID.sub("", given["global_unique_id"])
        owner = work.tx.value(_BY_GLOBAL_ID, value=number, own=own) if number else None
        if owner is not None:
            raise InvalidGlobalId(number=number, owner=owner, data={"resource_id": owner})
        out["global_unique_id"] = number
    return out


def refuse_trashed_sku(work: Work, sku: str) -> None:
    """Refuse the stock number of what is in the trash for something new. Raises SkuInTrash."""
    written = sanitizing.plain(sku)
    owner = work.tx.value(_TRASHED, value=written.lower()) if written else None
    if owner is not None:
        raise SkuInTrash(owner=owner, sku=written)


def free_sku(work: Work, sku: str) -> str:
    """Return a stock number with a number behind it that nobody has."""
    number = 1
    while work.tx.value(_BY_SKU, value=f"{sku}-{number}".lower(), own=0) is not None:
        number += 1
    return f"{sku}-{number}"


def _put_sale_dates(work: Work, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set when a sale begins and ends; null leaves a date as it is, an empty text takes it away."""
    settles: tuple[tuple[str, Callable[[times.Written], tuple[int, int]]], ...] = (
        ("", work.zone.settle),
        ("_gmt", work.zone.settle_gmt),
    )
    for name, member in (("date_on_sale_from", "sale_from"), ("date_on_sale_to", "sale_to")):
        for ending, settle in settles:
            value = given.get(name + ending)
            if not isinstance(value, str):
                continue
            if not value:
                members[member] = None
                continue
            try:
                members[member] = settle(times.parse(value if "T" in value or " " in value else f"{value}T00:00:00"))[1]
            except ValueError:
                continue


def _downloads(given: Sequence[Any]) -> list[dict[str, str]]:
    """Return the files of a downloadable product; one without an address is none."""
    out = []
    for one in given:
        if isinstance(one, Mapping) and one.get("file"):
            address = str(one["file"])
            name = str(one.get("name") or "") or address.rpartition("/")[2]
            out.append({"id": str(one.get("id") or new_uuid()), "name": sanitizing.plain(name), "file": address})
    return out


def settle(work: Work, new: Product) -> Product:
    """Return a product whose price follows from what was written."""
    if new.kind in (VARIABLE, GROUPED):
        new = msgspec.structs.replace(new, regular_price="", sale_price="")
        return product_prices.with_parts(new, ()) if new.price_from is None else new
    sale, regular = product_prices.amount(new.sale_price), product_prices.amount(new.regular_price)
    if sale is not None and (regular is None or sale >= regular):
        new = msgspec.structs.replace(new, sale_price="")
    return product_prices.settled(work, new)


def moments(given: Mapping[str, Any], name: str) -> int | None:
    """Return the instant that `name` or its `_gmt` says, both read as GMT; None where neither is readable."""
    for key in (f"{name}_gmt", name):
        value = given.get(key)
        if isinstance(value, str) and value:
            try:
                written = times.parse(value)
            except ValueError:
                continue
            return written.local_seconds - (written.offset or 0)
    return None


def shipping_class(work: Work, slug: str) -> list[int]:
    """Return the number of the shipping class with a slug, in a list; an empty one for none."""
    name = product_types.SHIPPING_CLASS.name
    found = attributes.terms_by_slug(work, ((name, slug),)).get((name, slug)) if slug else None
    return [found.id] if found else []
