"""The members of products and variations beyond their record, after a write: codes, prices, sales, files, stock.

Not here: their records and related rows (shop/products/rules.py, shop/variations/rules.py). Rules:
docs/rules/products.md, 1, 3 and 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.records import record as record_table
from vetrina.content.text import sanitizing
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import generate_uuid
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import prices as product_prices, product_types, stock as product_stock
from vetrina.shop.products.model import GROUPED, VARIABLE, Product

_NOT_ID_CHARACTER = re.compile(r"[^0-9-]")


class InvalidSku(ApiError):
    """Another product has the SKU."""

    code = "product_invalid_sku"
    message = "The SKU {sku!r} is that of product {owner}. {free!r} would be free."


class SkuInTrash(ApiError):
    """A trashed product has the SKU of a new one; restored, it would be a duplicate."""

    code = "shop_rest_product_not_created"
    message = "Product {owner}, which is in the trash, has the SKU {sku!r}: bring it back, or remove it for good."


class InvalidGlobalId(ApiError):
    """Another product has the global id (GTIN)."""

    code = "product_invalid_global_unique_id"
    message = "The global number {number!r} is that of product {owner}."


def _build_owner_statement(column: Any) -> Statement:
    """Return the statement that finds another product, outside the trash, with a value."""
    return Statement(
        select(table.c.record)
        .join(record_table, record_table.c.id == table.c.record)
        .where(column == bindparam("value"), table.c.record != bindparam("own"), record_table.c.status != "trash")
        .limit(1)
    )


_BY_SKU = _build_owner_statement(table.c.sku_key)
_TRASHED_BY_SKU = Statement(
    select(table.c.record)
    .join(record_table, record_table.c.id == table.c.record)
    .where(table.c.sku_key == bindparam("value"), record_table.c.status == "trash")
    .limit(1)
)
_BY_GLOBAL_ID = _build_owner_statement(table.c.global_unique_id)

_PLAIN_MEMBERS: Final = (
    "tax_status", "sold_individually", "virtual", "downloadable", "download_limit", "download_expiry", "featured",
)  # fmt: skip


def build_product_row_members(work: UnitOfWork, old: Product, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that products and variations share, after a write; old: with its new kind and record.

    Raises InvalidSku, InvalidGlobalId, CannotManageStock.
    """
    members: dict[str, Any] = {name: given[name] for name in _PLAIN_MEMBERS if given.get(name) is not None}
    members |= _build_code_members(work, old.id, given)
    for name in ("regular_price", "sale_price"):
        if given.get(name) is not None:
            members[name] = product_prices.normalize_price(given[name])
    _set_sale_dates(work, given, members)
    if given.get("tax_class") is not None:
        slug = sanitize_short_text(work.user, given["tax_class"])
        members["tax_class"] = "" if slug == "standard" else slug
    if given.get("virtual"):
        # A virtual product has neither weight nor dimensions; values sent for them are ignored.
        members |= dict.fromkeys(("weight", "length", "width", "height"), "")
    elif given.get("weight") is not None:
        members["weight"] = product_prices.normalize_price(given["weight"])
    if not given.get("virtual") and isinstance(given.get("dimensions"), Mapping):
        sides = given["dimensions"]
        members |= {
            name: product_prices.normalize_price(sides[name]) for name in ("length", "width", "height") if name in sides
        }
    if given.get("downloads") is not None:
        members["downloads"] = _parse_downloads(given["downloads"])
    return members | product_stock.build_stock_members(work, old, given)


def _build_code_members(work: UnitOfWork, own: int, given: Mapping[str, Any]) -> dict[str, str]:
    """Return SKU and global id after a write. Raises InvalidSku, InvalidGlobalId."""
    out: dict[str, str] = {}
    if given.get("sku") is not None:
        sku = sanitizing.sanitize_plain_text(given["sku"])
        owner = work.tx.value(_BY_SKU, value=sku.lower(), own=own) if sku else None
        if owner is not None:
            free = find_free_sku(work, sku)
            raise InvalidSku(sku=sku, owner=owner, free=free, data={"resource_id": owner, "unique_sku": free})
        out |= {"sku": sku, "sku_key": sku.lower()}
    if given.get("global_unique_id") is not None:
        number = _NOT_ID_CHARACTER.sub("", given["global_unique_id"])
        owner = work.tx.value(_BY_GLOBAL_ID, value=number, own=own) if number else None
        if owner is not None:
            raise InvalidGlobalId(number=number, owner=owner, data={"resource_id": owner})
        out["global_unique_id"] = number
    return out


def require_sku_not_trashed(work: UnitOfWork, sku: str) -> None:
    """Refuse the SKU of a trashed product for a new one. Raises SkuInTrash."""
    written = sanitizing.sanitize_plain_text(sku)
    owner = work.tx.value(_TRASHED_BY_SKU, value=written.lower()) if written else None
    if owner is not None:
        raise SkuInTrash(owner=owner, sku=written)


def find_free_sku(work: UnitOfWork, sku: str) -> str:
    """Return a free SKU, with a number appended."""
    number = 1
    while work.tx.value(_BY_SKU, value=f"{sku}-{number}".lower(), own=0) is not None:
        number += 1
    return f"{sku}-{number}"


def _set_sale_dates(work: UnitOfWork, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set the start and end of a sale; null leaves a date unchanged, an empty text clears it."""
    settles: tuple[tuple[str, Callable[[times.ParsedDateTime], tuple[int, int]]], ...] = (
        ("", work.zone.resolve_local),
        ("_gmt", work.zone.resolve_gmt),
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
                members[member] = settle(
                    times.parse_date_time(value if "T" in value or " " in value else f"{value}T00:00:00")
                )[1]
            except ValueError:
                continue


def _parse_downloads(given: Sequence[Any]) -> list[dict[str, str]]:
    """Return the files of a downloadable product; entries without a URL are dropped."""
    out = []
    for one in given:
        if isinstance(one, Mapping) and one.get("file"):
            address = str(one["file"])
            name = str(one.get("name") or "") or address.rpartition("/")[2]
            out.append(
                {
                    "id": str(one.get("id") or generate_uuid()),
                    "name": sanitizing.sanitize_plain_text(name),
                    "file": address,
                }
            )
    return out


def apply_written_price(work: UnitOfWork, new: Product) -> Product:
    """Return a product with the price that follows from the written one."""
    if new.kind in (VARIABLE, GROUPED):
        new = msgspec.structs.replace(new, regular_price="", sale_price="")
        return product_prices.apply_price_range(new, ()) if new.price_from is None else new
    sale, regular = product_prices.parse_price(new.sale_price), product_prices.parse_price(new.regular_price)
    if sale is not None and (regular is None or sale >= regular):
        new = msgspec.structs.replace(new, sale_price="")
    return product_prices.apply_active_price(work, new)


def parse_moment(given: Mapping[str, Any], name: str) -> int | None:
    """Return the instant in `name` or its `_gmt` variant, both read as GMT; None where neither is readable."""
    for key in (f"{name}_gmt", name):
        value = given.get(key)
        if isinstance(value, str) and value:
            try:
                written = times.parse_date_time(value)
            except ValueError:
                continue
            return written.local_seconds - (written.offset or 0)
    return None


def find_shipping_class_ids(work: UnitOfWork, slug: str) -> list[int]:
    """Return the id of the shipping class with a slug, in a list; an empty one for none."""
    name = product_types.SHIPPING_CLASS.name
    found = attributes.load_terms_by_slug(work, ((name, slug),)).get((name, slug)) if slug else None
    return [found.id] if found else []
