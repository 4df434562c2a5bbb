"""Storage of coupons: rows, and lookup by id and code.

Not here: creating and changing them (shop/coupons/rules.py), their uses (shop/coupons/uses.py), lists
(shop/coupons/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.store import FLAG, JSON_TUPLE, MONEY, Store
from vetrina.backends.tables.orders import coupon as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.coupons import discounts

DISCOUNT_TYPES: Final = (discounts.PERCENT, discounts.FIXED_CART, discounts.FIXED_PRODUCT)
TRASH: Final = "trash"


class CouponNotFound(ApiError):
    """No coupon has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_shop_coupon_invalid_id"
    message = "There is no coupon with the number {id}."


class Coupon(msgspec.Struct, frozen=True):
    """One coupon. Times are seconds since 1970; minimum, maximum: order total, None for no limit."""

    id: int
    code: str
    code_key: str
    status: str = "publish"
    description: str = ""
    kind: Literal["percent", "fixed_cart", "fixed_product"] = "fixed_cart"
    amount: Decimal = money.ZERO
    created: int = 0
    modified: int = 0
    expires: int | None = None
    individual_use: bool = False
    exclude_sale_items: bool = False
    free_shipping: bool = False
    products: tuple[int, ...] = ()
    excluded_products: tuple[int, ...] = ()
    categories: tuple[int, ...] = ()
    excluded_categories: tuple[int, ...] = ()
    emails: tuple[str, ...] = ()
    usage_limit: int | None = None
    usage_limit_per_user: int | None = None
    most_pieces: int | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    usage_count: int = 0

    def to_discount(self) -> discounts.CouponDiscount:
        """Return the part of it that discounts are computed from."""
        return discounts.CouponDiscount(
            self.code, self.kind, self.amount, frozenset(self.products), frozenset(self.excluded_products),
            frozenset(self.categories), frozenset(self.excluded_categories), self.exclude_sale_items, self.most_pieces,
        )  # fmt: skip


STORE: Final = Store(
    table,
    Coupon,
    {
        **dict.fromkeys(("products", "excluded_products", "categories", "excluded_categories", "emails"), JSON_TUPLE),
        **dict.fromkeys(("amount", "minimum", "maximum"), MONEY),
        **dict.fromkeys(("individual_use", "exclude_sale_items", "free_shipping"), FLAG),
    },
)
_BY_CODE = Statement(
    select(*STORE.columns)
    .where(table.c.code_key == bindparam("key"), table.c.status == "publish")
    .order_by(table.c.id.desc())
)


def normalize_coupon_code(code: str) -> str:
    """Return the form of a code that comparisons use."""
    return code.strip().lower()


def find_coupon(work: UnitOfWork, id: int) -> Coupon | None:
    """Return the coupon with an id."""
    work.uses("coupon")
    return STORE.find(work.tx, id)


def load_coupons_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Coupon]:
    """Return the coupons with some ids, by id, in one query."""
    work.uses("coupon")
    return STORE.load_by_ids(work.tx, ids)


def get_coupon(work: UnitOfWork, id: Any) -> Coupon:
    """Return the coupon with an id. Raises CouponNotFound."""
    found = find_coupon(work, id) if isinstance(id, int) else None
    if found is None:
        raise CouponNotFound(id=id)
    return found


def find_coupon_by_code(work: UnitOfWork, code: str) -> Coupon | None:
    """Return the published coupon with a code, ignoring case."""
    work.uses("coupon")
    row = work.tx.first(_BY_CODE, key=normalize_coupon_code(code))
    return STORE.of_row(row) if row else None
