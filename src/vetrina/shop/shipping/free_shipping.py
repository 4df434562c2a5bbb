"""When free shipping is to be had: with a coupon, from an amount, or always.

Not here: what other shipping costs (shop/shipping/costs.py). Rules: docs/rules/shipping.md, 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.kernel import money
from vetrina.shop.shipping.costs import ShippingParcel


def is_free_shipping_available(values: Mapping[str, Any], parcel: ShippingParcel) -> bool:
    """Return whether free shipping is available; values: the method's settings."""
    requires = values.get("requires") or ""
    spent = parcel.before if values.get("ignore_discounts") == "yes" else parcel.after
    reached = spent >= (money.parse_amount(str(values.get("min_amount") or "0")) or money.ZERO)
    match requires:
        case "coupon":
            return parcel.coupon
        case "min_amount":
            return reached
        case "either":
            return reached or parcel.coupon
        case "both":
            return reached and parcel.coupon
        case _:
            return True
