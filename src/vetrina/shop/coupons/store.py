"""Coupons as they are kept, found by code and counted as used.

Not here: whether one may be used for an order (shop/coupons/rules.py), what it takes off (shop/coupons/discounts.py),
which ones a list shows (shop/coupons/listing.py). Rules: facts, "Coupons": a code is one in any letter case, and a
percentage is none above 100.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final, Literal

import msgspec
import orjson
from sqlalchemy import bindparam, delete, func, insert, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.orders import coupon as table
from vetrina.backends.tables.orders import coupon_use
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.coupons import discounts

__all__ = [
    "KINDS", "AlreadyTrashed", "CodeExists", "Coupon", "CouponUnknown", "EmptyCode", "InvalidAmount", "InvalidMaximum",
    "InvalidMinimum", "by_code", "by_id", "by_ids", "change", "count_use", "create", "existing", "give_back", "key_of",
    "of_row", "remove", "trash", "used_by", "uses_of",
]  # fmt: skip

KINDS: Final = (discounts.PERCENT, discounts.FIXED_CART, discounts.FIXED_PRODUCT)
_TRASH: Final = "trash"
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+|\*@[^@\s]+\.[^@\s.]+")
_HUNDRED: Final = Decimal(100)


class CouponUnknown(ApiError):
    """No coupon has the number."""

    status, code = 404, "shop_rest_shop_coupon_invalid_id"
    message = "There is no coupon with the number {id}."


class EmptyCode(ApiError):
    code = "shop_rest_empty_coupon_code"
    message = "A coupon needs a code."


class CodeExists(ApiError):
    code = "shop_rest_coupon_code_already_exists"
    message = "There is a coupon with this code."


class InvalidAmount(ApiError):
    code = "coupon_invalid_amount"
    message = "This amount is not possible: it may not be below zero, and a percentage not above 100."


class InvalidMaximum(ApiError):
    """No sum is as much as the least that is wanted and no more than the most."""

    code = "coupon_invalid_maximum_amount"
    message = "The most that an order may come to ({maximum}) is below the least ({minimum}); send a higher one."


class InvalidMinimum(ApiError):
    """The same, where only the least was written."""

    code = "coupon_invalid_minimum_amount"
    message = "The least that an order must come to ({minimum}) is above the most ({maximum}); send a lower one."


class AlreadyTrashed(ApiError):
    status, code = 410, "shop_rest_already_trashed"
    message = "This is in the trash already; send `force` as true to remove it for good."


class Coupon(msgspec.Struct, frozen=True):
    """One coupon. Moments are seconds since 1970; minimum, maximum: None where the sum of the order does not matter."""

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

    def counted(self) -> discounts.Coupon:
        """Return what counting needs of it."""
        return discounts.Coupon(
            self.code, self.kind, self.amount, frozenset(self.products), frozenset(self.excluded_products),
            frozenset(self.categories), frozenset(self.excluded_categories), self.exclude_sale_items, self.most_pieces,
        )  # fmt: skip


_NAMES: Final = Coupon.__struct_fields__
assert tuple(column.name for column in table.c) == _NAMES, "Coupon and its table name the same members"
_LISTS: Final = ("products", "excluded_products", "categories", "excluded_categories", "emails")
_AMOUNTS: Final = ("amount", "minimum", "maximum")
_FLAGS: Final = ("individual_use", "exclude_sale_items", "free_shipping")

_BY_ID = Statement(select(table).where(table.c.id == bindparam("id")))
_BY_IDS = Statement(select(table).where(Among(table.c.id, "ids")))
_BY_CODE = Statement(
    select(table).where(table.c.code_key == bindparam("key"), table.c.status == "publish").order_by(table.c.id.desc())
)
_TAKEN = Statement(
    select(table.c.id).where(
        table.c.code_key == bindparam("key"), table.c.status != _TRASH, table.c.id != bindparam("id")
    )
)
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _NAMES}))
_UPDATES = Shapes(most=128)
_COUNT = Statement(
    update(table).where(table.c.id == bindparam("of")).values(usage_count=table.c.usage_count + bindparam("by"))
)
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))
_USE = Statement(insert(coupon_use).values({column.name: bindparam(column.name) for column in coupon_use.c}))
_USES = Statement(
    select(coupon_use.c.coupon, coupon_use.c.by)
    .where(Among(coupon_use.c.coupon, "coupons"))
    .order_by(coupon_use.c.coupon, coupon_use.c.id)
)
_USES_BY = Statement(
    select(func.count()).where(coupon_use.c.coupon == bindparam("coupon"), Among(coupon_use.c.by, "names"))
)
_GIVE_BACK = Statement(
    delete(coupon_use)
    .where(coupon_use.c.order == bindparam("order"), coupon_use.c.coupon == bindparam("coupon"))
    .returning(coupon_use.c.id)
)


def key_of(code: str) -> str:
    """Return what a code is compared by."""
    return code.strip().lower()


def of_row(row: Row) -> Coupon:
    """Return the coupon of a row."""
    members = dict(zip(_NAMES, row, strict=True))
    for name in _LISTS:
        members[name] = tuple(orjson.loads(members[name]))
    for name in _AMOUNTS:
        members[name] = None if members[name] is None else money.loaded(members[name])
    for name in _FLAGS:
        members[name] = bool(members[name])
    return Coupon(**members)


def by_id(work: Work, id: int) -> Coupon | None:
    """Return the coupon with a number."""
    work.uses("coupon")
    row = work.tx.first(_BY_ID, id=id) if id > 0 else None
    return of_row(row) if row else None


def by_ids(work: Work, ids: Iterable[int]) -> dict[int, Coupon]:
    """Return the coupons with some numbers, by number; asks once."""
    work.uses("coupon")
    return {row[0]: of_row(row) for row in work.tx.all(_BY_IDS, ids=listed(ids))}


def existing(work: Work, id: Any) -> Coupon:
    """Return the coupon with a number. Raises CouponUnknown."""
    found = by_id(work, id) if isinstance(id, int) else None
    if found is None:
        raise CouponUnknown(id=id)
    return found


def by_code(work: Work, code: str) -> Coupon | None:
    """Return the published coupon with a code, in any letter case."""
    work.uses("coupon")
    row = work.tx.first(_BY_CODE, key=key_of(code))
    return of_row(row) if row else None


# -- writing


def create(work: Work, given: Mapping[str, Any]) -> Coupon:
    """Make a coupon; given: members by the names of Coupon. Raises EmptyCode, CodeExists, InvalidAmount …"""
    blank = Coupon(0, "", "", created=work.now, modified=work.now)
    new = _with(work, blank, given)
    if not new.code:
        raise EmptyCode
    new = msgspec.structs.replace(new, id=next_number(work.tx))
    work.tx.run(_INSERT, **_values(msgspec.structs.asdict(new)))
    work.note("coupon", new.id, "created")
    return new


def change(work: Work, old: Coupon, given: Mapping[str, Any]) -> Coupon:
    """Change members of a coupon. Raises CodeExists, InvalidAmount …"""
    return _store(work, old, _with(work, old, given))


def trash(work: Work, one: Coupon) -> Coupon:
    """Put a coupon into the trash. Raises AlreadyTrashed."""
    if one.status == _TRASH:
        raise AlreadyTrashed
    return _store(work, one, msgspec.structs.replace(one, status=_TRASH))


def remove(work: Work, one: Coupon) -> None:
    """Remove a coupon for good; orders that used it keep their discount."""
    meta_data.remove_of(work, "coupon", one.id)
    work.tx.run(_REMOVE, id=one.id)
    work.note("coupon", one.id, "removed")


# -- uses


def used_by(work: Work, ids: Iterable[int]) -> dict[int, list[str]]:
    """Return who used some coupons, by their numbers: the numbers of customers and addresses of guests."""
    found: dict[int, list[str]] = {id: [] for id in ids}
    if found:
        for coupon, by in work.tx.all(_USES, coupons=listed(found)):
            found[coupon].append(by)
    return found


def uses_of(work: Work, one: Coupon, names: Iterable[str]) -> int:
    """Return how often somebody, by any of their names, used a coupon."""
    return int(work.tx.value(_USES_BY, coupon=one.id, names=listed(names)))


def count_use(work: Work, id: int, order: int, by: str) -> None:
    """Note that an order uses a coupon."""
    work.tx.run(_USE, id=next_number(work.tx, "coupon_use"), coupon=id, order=order, by=by)
    work.tx.run(_COUNT, of=id, by=1)
    work.note("coupon", id, "changed")


def give_back(work: Work, id: int, order: int) -> None:
    """Note that an order does not use a coupon any more."""
    gone = work.tx.all(_GIVE_BACK, order=order, coupon=id)
    if gone:
        work.tx.run(_COUNT, of=id, by=-len(gone))
        work.note("coupon", id, "changed")


# --


def _with(work: Work, old: Coupon, given: Mapping[str, Any]) -> Coupon:
    members = dict(given)
    if "description" in members:
        members["description"] = allowed_text(work.user, members["description"])
    if "code" in members:
        members["code"] = key_of(allowed_text(work.user, members["code"]))
        members["code_key"] = members["code"]
        if members["code"] and work.tx.first(_TAKEN, key=members["code"], id=old.id):
            raise CodeExists
    if "emails" in members:
        told = (one.strip().lower() for one in members["emails"])
        members["emails"] = tuple(one for one in told if _ADDRESS.fullmatch(one))
    for name in ("products", "excluded_products", "categories", "excluded_categories"):
        if name in members:
            members[name] = tuple(dict.fromkeys(members[name]))
    new = msgspec.structs.replace(old, **members)
    if new.amount < 0 or (new.kind == discounts.PERCENT and new.amount > _HUNDRED):
        raise InvalidAmount
    if new.minimum and new.maximum and new.minimum > new.maximum and {"minimum", "maximum"} & given.keys():
        refused = InvalidMaximum if "maximum" in given else InvalidMinimum
        raise refused(minimum=money.text(new.minimum, 2), maximum=money.text(new.maximum, 2))
    return new


def _store(work: Work, old: Coupon, new: Coupon) -> Coupon:
    changed = {name: value for name in _NAMES if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return new
    new = msgspec.structs.replace(new, modified=work.now)
    changed["modified"] = work.now
    names = tuple(changed)
    statement = _UPDATES.get(
        names,
        lambda: update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in names}),
    )
    work.tx.run(statement, of=new.id, **_values(changed))
    work.note("coupon", new.id, "changed")
    if "status" in changed and _TRASH in (old.status, new.status):
        work.tell("coupon", new.id, "trashed" if new.status == _TRASH else "restored")
    return new


def _values(members: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(members)
    for name in _LISTS:
        if name in out:
            out[name] = orjson.dumps(out[name]).decode()
    for name in _AMOUNTS:
        if out.get(name) is not None:
            out[name] = money.stored(out[name])
    return out
