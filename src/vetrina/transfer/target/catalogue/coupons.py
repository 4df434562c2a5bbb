"""Coupons of the source, with what they were used for so far."""

from __future__ import annotations

from typing import Any, Final

from vetrina.kernel import money
from vetrina.shop.coupons import rules as coupon_rules, store as coupons, uses as coupon_uses
from vetrina.shop.coupons.store import DISCOUNT_TYPES
from vetrina.transfer.target.content import choose_record_id
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import RECORD, TERM, USER
from vetrina.transfer.target.member_values import choose_value, list_texts, read_flag, read_number, read_text
from vetrina.transfer.target.outcome import Written

from .extra_data import write_extra_data

_MAX_UNNAMED_USES: Final = 1_000_000  # each is a row
_STATUSES: Final = ("publish", "draft", "pending", "private", "future", "trash")
_FLAGS: Final = ("individual_use", "exclude_sale_items", "free_shipping")
_LIMITS: Final = {
    "usage_limit": "usage_limit", "usage_limit_per_user": "usage_limit_per_user",
    "limit_usage_to_x_items": "most_pieces",
}  # fmt: skip
_THINGS: Final = {
    "product_ids": ("products", RECORD), "excluded_product_ids": ("excluded_products", RECORD),
    "product_categories": ("categories", TERM), "excluded_product_categories": ("excluded_categories", TERM),
}  # fmt: skip


def write_coupon(one: IncomingRecord) -> Written:
    """Write a coupon; one that has the code here already is found again. Raises RecordSkipped, InvalidCouponAmount …"""
    work = one.work
    given = _build_given(one)
    old = coupons.find_coupon(work, one.target) if one.target else None
    if old is None:
        twin = coupons.find_coupon_by_code(work, given["code"])
        if twin is not None and given["status"] != "trash":
            return Written(twin.id, adopted=True)
        own = choose_record_id(one)
        new = coupon_rules.create_coupon(work, given, id=0 if own and coupons.find_coupon(work, own) else own)
    else:
        new = coupon_rules.update_coupon(work, old, given)
    write_extra_data(one, "coupon", new.id)
    coupon_uses.record_earlier_uses(work, new.id, _list_users(one))
    return Written(new.id)


def _build_given(one: IncomingRecord) -> dict[str, Any]:
    """Return the values of a coupon by fields of Coupon. Raises RecordSkipped."""
    values = one.values
    kind = read_text(values.get("discount_type")) or DISCOUNT_TYPES[1]
    if kind not in DISCOUNT_TYPES:
        raise RecordSkipped(f"there are no discounts of the type {kind!r} here")
    out: dict[str, Any] = {name: read_flag(values.get(name)) for name in _FLAGS}
    for member, own in _LIMITS.items():
        out[own] = read_number(values.get(member)) or None
    for member, (own, of) in _THINGS.items():
        found = [one.resolve(of, id, own) for id in one.list_ids(member)]
        out[own] = tuple(id for id in found if id)
    for member, own in (("minimum_amount", "minimum"), ("maximum_amount", "maximum")):
        out[own] = _parse_amount(values.get(member)) or None
    if (created := one.read_dates("date_created")) is not None:
        out["created"] = created[1]
    if (modified := one.read_dates("date_modified")) is not None:
        out["modified"] = modified[1]
    expires = one.read_dates("date_expires")
    return {
        **out, "code": read_text(values.get("code")), "kind": kind, "amount": _parse_amount(values.get("amount")),
        "status": choose_value(one, "status", _STATUSES, "draft") if values.get("status") else "publish",
        "description": one.get_text("description"), "expires": expires[1] if expires else None,
        "emails": tuple(list_texts(values.get("email_restrictions"))),
    }  # fmt: skip


def _parse_amount(value: Any) -> Any:
    return money.parse_amount(read_text(value)) or money.ZERO


def _list_users(one: IncomingRecord) -> list[str]:
    """Return who used a coupon, for each use one: the id of an account here, an address, nothing for nobody known."""
    users = [_find_user(one, by) for by in list_texts(one.values.get("used_by"))]
    count = read_number(one.values.get("usage_count"))
    if count < len(users):
        one.notes["counts fewer uses than it names: counts those"] += 1
    if count - len(users) > _MAX_UNNAMED_USES:
        one.notes["counts more uses than there can be: counts those that it names"] += 1
        return users
    return [*users, *[""] * (count - len(users))]


def _find_user(one: IncomingRecord, by: str) -> str:
    if not by.isdecimal():
        return by.strip().lower()
    found = one.journal.find_target(one.work.tx, USER, by)
    # An account that is gone there must not become another one here.
    return str(found) if found else by if one.keep_ids else ""
