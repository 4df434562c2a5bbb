"""Product data besides the record, as one row per product of a table that checksums compare.

Not here: the record (connector/sync/objects.py), orders (connector/sync/shop_objects.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.catalogue import product
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.products import product_types

TYPES: Final = frozenset((product_types.PRODUCT.name, product_types.VARIATION.name))
FIELDS: Final = (
    "product_id", "sku", "virtual", "downloadable", "min_price", "max_price", "onsale", "stock_quantity",
    "stock_status", "rating_count", "average_rating", "total_sales", "tax_status", "tax_class",
)  # fmt: skip

_COLUMNS = (
    product.c.record, product.c.sku, product.c.virtual, product.c.downloadable, product.c.price_from,
    product.c.price_to, product.c.on_sale, product.c.stock_quantity, product.c.stock_status, product.c.rating_count,
    product.c.rating, product.c.total_sales, product.c.tax_status, product.c.tax_class,
)  # fmt: skip
_OF_RECORDS = Statement(select(*_COLUMNS).where(InList(product.c.record, "ids")))
_BETWEEN = Statement(
    select(*_COLUMNS)
    .where(product.c.record >= bindparam("first"), product.c.record <= bindparam("last"))
    .order_by(product.c.record)
)


def load_product_details(work: UnitOfWork, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the rows of products, by record id."""
    return {row[0]: _serialize_product(row) for row in work.tx.all(_OF_RECORDS, ids=encode_list(ids))} if ids else {}


def load_products_between(work: UnitOfWork, first: int, last: int) -> list[dict[str, Any]]:
    """Return the rows of products in a range of ids."""
    return [_serialize_product(row) for row in work.tx.all(_BETWEEN, first=first, last=last)]


def format_amount(amount: int | None) -> str | None:
    """Return an amount in millionths as a decimal number with eight places."""
    if amount is None:
        return None
    sign, whole = "-" if amount < 0 else "", abs(amount)
    return f"{sign}{whole // 1_000_000}.{whole % 1_000_000:06d}00"


def _serialize_product(row: Row) -> dict[str, Any]:
    rating = f"{row[10] // 100}.{row[10] % 100:02d}"
    values = (
        row[0],
        row[1],
        int(row[2]),
        int(row[3]),
        format_amount(row[4]),
        format_amount(row[5]),
        int(row[6]),
        row[7],
        row[8],
        row[9],
        rating,
        row[11],
        row[12],
        row[13],
    )
    return dict(zip(FIELDS, values, strict=True))
