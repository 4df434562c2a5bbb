"""SKUs and global numbers (GTIN, EAN, ISBN) of products: how they are written, and that no two products share one.

Rules: docs/rules/products.md, 4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.records import record as record_table
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

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


def build_code_members(work: UnitOfWork, own: int, given: Mapping[str, Any]) -> dict[str, str]:
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
