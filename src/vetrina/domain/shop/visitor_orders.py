"""Orders that visitors may see: those whose key and mail address they know.

Keys and addresses are compared in constant time. Rules: facts, "Visitors' interface".
"""

from __future__ import annotations

from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.ids import same

from . import order, order_statuses
from .order import Order

__all__ = ["InvalidOrder", "WrongAddress", "opened"]


class InvalidOrder(ApiError):
    """401 for a wrong key, 404 where there is no such order: `answer_status` says which."""

    status, code = 401, "shop_rest_invalid_order"
    statuses = (401, 404)
    message = "There is no order with this number and key."


class WrongAddress(ApiError):
    status, code = 401, "shop_rest_invalid_billing_email"
    message = "Send `billing_email`: the mail address that the order was placed with."


def opened(work: Work, id: int, key: str, email: str) -> Order:
    """Return the order that a key and an address open. Raises InvalidOrder, WrongAddress."""
    one = order.by_id(work, id)
    if one is None or one.status == order_statuses.TRASH:
        error = InvalidOrder()
        error.answer_status = 404
        raise error
    if not key or not one.order_key or not same(key, one.order_key):
        raise InvalidOrder
    own = bool(one.customer) and one.customer == work.user.id
    known = one.billing.get("email", "").strip().lower()
    if known and not own and not same(email.strip().lower(), known):
        raise WrongAddress
    return one
