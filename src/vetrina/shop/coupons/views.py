"""Coupons as the interface shows them.

Rules: docs/rules/coupons.md, 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vetrina.core.call import Call
from vetrina.kernel import money, times
from vetrina.rest.fields import Array
from vetrina.rest.serializer import MemberGetter, Serializer, read_attributes
from vetrina.shop import meta_data
from vetrina.shop.coupons import uses as coupon_uses
from vetrina.shop.coupons.schema import COUPON_FIELDS, PLAIN_FIELDS
from vetrina.shop.coupons.store import Coupon


class CouponView:
    """What serializing some coupons needs beside them."""

    def __init__(self, call: Call, coupons: Sequence[Coupon]) -> None:
        ids = [one.id for one in coupons]
        self.zone = call.work.zone
        self.used_by = coupon_uses.list_coupon_users(call.work, ids)
        self.metas = meta_data.load_meta_by_owner(call.work, "coupon", ids)

    def format_local_time(self, moment: int | None) -> str | None:
        """Return a time in the site's zone."""
        return None if moment is None else times.format_iso(self.zone.to_local(moment))


def _format_gmt_time(moment: int | None) -> str | None:
    return None if moment is None else times.format_iso(moment)


def _build_list_getter(field: str) -> MemberGetter:
    return lambda one, view: list(getattr(one, field))


COUPON_SERIALIZER: Final = Serializer(
    COUPON_FIELDS,
    {
        **read_attributes("id", "usage_count", **PLAIN_FIELDS),
        **{
            name: _build_list_getter(own)
            for name, own in PLAIN_FIELDS.items()
            if isinstance(COUPON_FIELDS[name], Array)
        },
        "amount": lambda one, view: money.format_amount(one.amount, 2),
        "minimum_amount": lambda one, view: money.format_amount(one.minimum or money.ZERO, 2),
        "maximum_amount": lambda one, view: money.format_amount(one.maximum or money.ZERO, 2),
        "date_created": lambda one, view: view.format_local_time(one.created),
        "date_created_gmt": lambda one, view: _format_gmt_time(one.created),
        "date_modified": lambda one, view: view.format_local_time(one.modified),
        "date_modified_gmt": lambda one, view: _format_gmt_time(one.modified),
        "date_expires": lambda one, view: view.format_local_time(one.expires),
        "date_expires_gmt": lambda one, view: _format_gmt_time(one.expires),
        "used_by": lambda one, view: view.used_by[one.id],
        "meta_data": lambda one, view: meta_data.serialize_meta(view.metas[one.id], hide_private=True),
    },
)
