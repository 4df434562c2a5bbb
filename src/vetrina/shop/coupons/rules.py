"""Coupons: create, change, trash and delete.

Not here: whether one may be used (shop/coupons/eligibility.py), its discount (shop/coupons/discounts.py). Rules:
docs/rules/coupons.md, 1 and 2: codes are compared without case, and a percentage above 100 is invalid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.tables.orders import coupon as table
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop import meta_data
from vetrina.shop.coupons import discounts
from vetrina.shop.coupons.store import STORE, TRASH, Coupon, normalize_coupon_code

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+|\*@[^@\s]+\.[^@\s.]+")
_HUNDRED: Final = Decimal(100)


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


_TAKEN = Statement(
    select(table.c.id).where(
        table.c.code_key == bindparam("key"), table.c.status != TRASH, table.c.id != bindparam("id")
    )
)


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
    if coupon.status == TRASH:
        raise CouponAlreadyTrashed
    return _save_coupon(work, coupon, msgspec.structs.replace(coupon, status=TRASH))


def delete_coupon(work: UnitOfWork, coupon: Coupon) -> None:
    """Delete a coupon for good; orders that used it keep their discount."""
    meta_data.delete_meta_of_owners(work, "coupon", coupon.id)
    STORE.delete(work.tx, coupon.id)
    work.note("coupon", coupon.id, "removed")


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
    if new.status != old.status and TRASH in (old.status, new.status):
        work.tell("coupon", new.id, "trashed" if new.status == TRASH else "restored")
    return new
