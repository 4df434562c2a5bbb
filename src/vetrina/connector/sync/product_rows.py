"""What a product is beside its record, as a table of the service has it: one row, compared by checksums.

Not here: the record (connector/sync/objects.py), orders (connector/sync/shop_objects.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.catalogue import product
from vetrina.core.unit_of_work import Work
from vetrina.shop.products import product_types

__all__ = ["FIELDS", "TYPES", "between", "details", "money_text"]

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
_OF_RECORDS = Statement(select(*_COLUMNS).where(Among(product.c.record, "ids")))
_BETWEEN = Statement(
    select(*_COLUMNS)
    .where(product.c.record >= bindparam("first"), product.c.record <= bindparam("last"))
    .order_by(product.c.record)
)


def details(work: Work, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the rows of products, by their records."""
    return {row[0]: _shown(row) for row in work.tx.all(_OF_RECORDS, ids=listed(ids))} if ids else {}


def between(work: Work, first: int, last: int) -> list[dict[str, Any]]:
    """Return the rows of the products whose numbers lie in a range."""
    return [_shown(row) for row in work.tx.all(_BETWEEN, first=first, last=last)]


def money_text(amount: int | None) -> str | None:
    """Return an amount of millionths as a decimal number of eight places."""
    if amount is None:
        return None
    sign, whole = "-" if amount < 0 else "", abs(amount)
    return f"{sign}{whole // 1_000_000}.{whole % 1_000_000:06d}00"


def _shown(row: Row) -> dict[str, Any]:
    rating = f"{row[10] // 100}.{row[10] % 100:02d}"
    values = (
        row[0], row[1], int(row[2]), int(row[3]), money_text(row[4]), money_text(row[5]), int(row[6]), row[7], row[8],
        row[9], rating, row[11], row[12], row[13],
    )  # fmt: skip
    return dict(zip(FIELDS, values, strict=True))
