"""Storage of coupons: rows, lookup by code, recorded uses.

Not here: whether one may be used (shop/coupons/rules.py), discounts (shop/coupons/discounts.py), lists
(shop/coupons/listing.py). Rules: docs/rules/coupons.md, 1 and 2: codes are compared without case, and a percentage
above 100 is invalid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, allocate_ids, claim_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import FLAG, JSON_TUPLE, MONEY, Store
from vetrina.backends.tables.orders import coupon as table, coupon_use
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop import meta_data
from vetrina.shop.coupons import discounts

DISCOUNT_TYPES: Final = (discounts.PERCENT, discounts.FIXED_CART, discounts.FIXED_PRODUCT)
_TRASH: Final = "trash"
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+|\*@[^@\s]+\.[^@\s.]+")
_HUNDRED: Final = Decimal(100)


class CouponNotFound(ApiError):
    """No coupon has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_shop_coupon_invalid_id"
    message = "There is no coupon with the number {id}."


class EmptyCouponCode(ApiError):
    code = "shop_rest_empty_coupon_code"
    message = "A coupon needs a code."


class CouponCodeExists(ApiError):
    code = "shop_rest_coupon_code_already_exists"
    message = "There is a coupon with this code."


class InvalidCouponAmount(ApiError):
    code = "coupon_invalid_amount"
    message = "This amount is not possible: it may not be below zero, and a percentage not above 100."


class InvalidCouponMaximum(ApiError):
    """The minimum and maximum amounts exclude every total."""

    code = "coupon_invalid_maximum_amount"
    message = "The most that an order may come to ({maximum}) is below the least ({minimum}); send a higher one."


class InvalidCouponMinimum(ApiError):
    """The same, where only the minimum was sent."""

    code = "coupon_invalid_minimum_amount"
    message = "The least that an order must come to ({minimum}) is above the most ({maximum}); send a lower one."


class CouponAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "shop_rest_already_trashed"
    message = "This is in the trash already; send `force` as true to remove it for good."


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
_TAKEN = Statement(
    select(table.c.id).where(
        table.c.code_key == bindparam("key"), table.c.status != _TRASH, table.c.id != bindparam("id")
    )
)
_COUNT = Statement(
    update(table).where(table.c.id == bindparam("of")).values(usage_count=table.c.usage_count + bindparam("by"))
)
_USE = Statement(insert(coupon_use).values({column.name: bindparam(column.name) for column in coupon_use.c}))
_USES = Statement(
    select(coupon_use.c.coupon, coupon_use.c.by)
    # What came with a coupon from another site may be counted there, and of nobody.
    .where(InList(coupon_use.c.coupon, "coupons"), or_(coupon_use.c.order != 0, coupon_use.c.by != ""))
    .order_by(coupon_use.c.coupon, coupon_use.c.id)
)
_USES_BY = Statement(
    select(func.count()).where(coupon_use.c.coupon == bindparam("coupon"), InList(coupon_use.c.by, "names"))
)
_USES_OF = Statement(
    select(coupon_use.c.id, coupon_use.c.order, coupon_use.c.by)
    .where(coupon_use.c.coupon == bindparam("coupon"))
    .order_by(coupon_use.c.id)
)
_USE_OF_ORDER = Statement(
    select(coupon_use.c.id).where(coupon_use.c.order == bindparam("order"), coupon_use.c.coupon == bindparam("coupon"))
)
_UNCLAIMED = Statement(
    select(coupon_use.c.id)
    .where(coupon_use.c.order == 0, coupon_use.c.coupon == bindparam("coupon"), coupon_use.c.by == bindparam("by"))
    .order_by(coupon_use.c.id)
    .limit(1)
)
_UNCLAIMED_OF_ANYBODY = Statement(
    select(coupon_use.c.id)
    .where(coupon_use.c.order == 0, coupon_use.c.coupon == bindparam("coupon"))
    .order_by(coupon_use.c.id)
    .limit(1)
)
_DROP_USES = Statement(delete(coupon_use).where(InList(coupon_use.c.id, "ids")))
_CLAIM = Statement(update(coupon_use).where(coupon_use.c.id == bindparam("use")).values(order=bindparam("claimed_by")))
_GIVE_BACK = Statement(
    delete(coupon_use)
    .where(coupon_use.c.order == bindparam("order"), coupon_use.c.coupon == bindparam("coupon"))
    .returning(coupon_use.c.id)
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


# -- writing


def create_coupon(work: UnitOfWork, given: Mapping[str, Any], *, id: int = 0) -> Coupon:
    """Create a coupon; given: values by fields of Coupon. id: a free one that it takes, 0 for the next one.

    Raises EmptyCouponCode, CouponCodeExists, InvalidCouponAmount …
    """
    blank = Coupon(0, "", "", created=work.now, modified=work.now)
    new = _apply_members(work, blank, given)
    if not new.code:
        raise EmptyCouponCode
    new = msgspec.structs.replace(new, id=claim_id(work.tx, id))
    STORE.insert(work.tx, new)
    work.note("coupon", new.id, "created")
    return new


def update_coupon(work: UnitOfWork, old: Coupon, given: Mapping[str, Any]) -> Coupon:
    """Change fields of a coupon. Raises CouponCodeExists, InvalidCouponAmount …"""
    return _save_coupon(work, old, _apply_members(work, old, given))


def trash_coupon(work: UnitOfWork, coupon: Coupon) -> Coupon:
    """Move a coupon to the trash. Raises CouponAlreadyTrashed."""
    if coupon.status == _TRASH:
        raise CouponAlreadyTrashed
    return _save_coupon(work, coupon, msgspec.structs.replace(coupon, status=_TRASH))


def delete_coupon(work: UnitOfWork, coupon: Coupon) -> None:
    """Delete a coupon for good; orders that used it keep their discount."""
    meta_data.delete_meta_of_owners(work, "coupon", coupon.id)
    STORE.delete(work.tx, coupon.id)
    work.note("coupon", coupon.id, "removed")


# -- uses


def list_coupon_users(work: UnitOfWork, ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the users of some coupons, by coupon id: account ids, and mail addresses of guests."""
    users: dict[int, list[str]] = {id: [] for id in ids}
    if users:
        for coupon, by in work.tx.all(_USES, coupons=encode_list(users)):
            users[coupon].append(by)
    return users


def count_coupon_uses(work: UnitOfWork, coupon: Coupon, names: Iterable[str]) -> int:
    """Return how often a buyer, under any of their names, used a coupon."""
    return int(work.tx.value(_USES_BY, coupon=coupon.id, names=encode_list(names)))


def record_coupon_use(work: UnitOfWork, id: int, order: int, by: str) -> None:
    """Record that an order uses a coupon; nothing where the coupon was deleted meanwhile."""
    if not work.tx.run_and_count(_COUNT, of=id, by=1):
        return
    work.tx.run(_USE, id=allocate_id(work.tx, "coupon_use"), coupon=id, order=order, by=by)
    work.note("coupon", id, "changed")


def record_earlier_uses(work: UnitOfWork, id: int, users: Sequence[str]) -> None:
    """Have exactly these users among the uses of a coupon, beside those of orders that are not among them.

    What is new of them is of no order yet (`claim_coupon_use`). users: as `list_coupon_users` returns them, for each
    use one.
    """
    wanted = Counter(users)
    held = work.tx.all(_USES_OF, coupon=id)
    gone = []
    for use, order, by in held:
        if wanted[by]:
            wanted[by] -= 1
        elif not order:
            gone.append(use)
    if gone:
        work.tx.run(_DROP_USES, ids=encode_list(gone))
    # In the order in which they were named: the last ones of a name are those that are missing.
    new: list[str] = []
    for by in reversed(users):
        if wanted[by]:
            wanted[by] -= 1
            new.append(by)
    for use, by in zip(allocate_ids(work.tx, len(new), "coupon_use"), reversed(new), strict=True):
        work.tx.run(_USE, id=use, coupon=id, order=0, by=by)
    if change := len(new) - len(gone):
        work.tx.run(_COUNT, of=id, by=change)
        work.note("coupon", id, "changed")


def claim_coupon_use(work: UnitOfWork, id: int, order: int, by: str | None = None) -> bool:
    """Say that a use which came with its coupon is that of an order; return whether the order uses it by now.

    by: whose use it is; None for anybody's.
    """
    if work.tx.first(_USE_OF_ORDER, coupon=id, order=order):
        return True
    if by is None:
        unclaimed = work.tx.value(_UNCLAIMED_OF_ANYBODY, coupon=id)
    else:
        unclaimed = work.tx.value(_UNCLAIMED, coupon=id, by=by)
    if unclaimed is not None:
        work.tx.run(_CLAIM, use=unclaimed, claimed_by=order)
    return unclaimed is not None


def release_coupon_use(work: UnitOfWork, id: int, order: int) -> None:
    """Record that an order does not use a coupon any more."""
    gone = work.tx.all(_GIVE_BACK, order=order, coupon=id)
    if gone:
        work.tx.run(_COUNT, of=id, by=-len(gone))
        work.note("coupon", id, "changed")


# --


def _apply_members(work: UnitOfWork, old: Coupon, given: Mapping[str, Any]) -> Coupon:
    members = dict(given)
    if "description" in members:
        members["description"] = sanitize_short_text(work.user, members["description"])
    if "code" in members:
        members["code"] = normalize_coupon_code(sanitize_short_text(work.user, members["code"]))
        members["code_key"] = members["code"]
        if members["code"] and work.tx.first(_TAKEN, key=members["code"], id=old.id):
            raise CouponCodeExists
    if "emails" in members:
        emails = (one.strip().lower() for one in members["emails"])
        members["emails"] = tuple(one for one in emails if _ADDRESS.fullmatch(one))
    for name in ("products", "excluded_products", "categories", "excluded_categories"):
        if name in members:
            members[name] = tuple(dict.fromkeys(members[name]))
    new = msgspec.structs.replace(old, **members)
    if new.amount < 0 or (new.kind == discounts.PERCENT and new.amount > _HUNDRED):
        raise InvalidCouponAmount
    if new.minimum and new.maximum and new.minimum > new.maximum and {"minimum", "maximum"} & given.keys():
        refused = InvalidCouponMaximum if "maximum" in given else InvalidCouponMinimum
        raise refused(minimum=money.format_amount(new.minimum, 2), maximum=money.format_amount(new.maximum, 2))
    return new


def _save_coupon(work: UnitOfWork, old: Coupon, new: Coupon) -> Coupon:
    if new == old:
        return new
    if new.modified == old.modified:
        new = msgspec.structs.replace(new, modified=work.now)
    STORE.update(work.tx, old, new)
    work.note("coupon", new.id, "changed")
    if new.status != old.status and _TRASH in (old.status, new.status):
        work.tell("coupon", new.id, "trashed" if new.status == _TRASH else "restored")
    return new
