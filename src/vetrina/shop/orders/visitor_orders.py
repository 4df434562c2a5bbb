"""Orders that visitors may see: those whose key and mail address they know.

Rules: facts, "Visitors' interface".
"""

from __future__ import annotations

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import same
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import Order

__all__ = ["InvalidOrder", "WrongAddress", "opened", "opened_by_key"]


class InvalidOrder(ApiError):
    """401 for a wrong key, 404 where there is no such order: `answer_status` says which."""

    status, code = 401, "shop_rest_invalid_order"
    statuses = (401, 404)
    message = "There is no order with this number and key."


class WrongAddress(ApiError):
    status, code = 401, "shop_rest_invalid_billing_email"
    message = "Send `billing_email`: the mail address that the order was placed with."


def opened(work: Work, id: int, key: str, email: str) -> Order:
    """Return the order that a key and an address open. Raises InvalidOrder, WrongAddress, TooManyGuesses."""
    one = order_model.by_id(work, id)
    email = email.strip().lower()

    def is_right() -> bool:
        # The key alone is asked about too, by clients that learn so that they must send an address.
        return one is not None and _has_key(one, key) and (not email or _is_billed_to(work, one, email))

    if key:
        guess_limiter.is_right(work, Secret.ORDER, id, f"{key}\n{email}", is_right)
    if one is None or one.status == order_statuses.TRASH:
        error = InvalidOrder()
        error.answer_status = 404
        raise error
    if not _has_key(one, key):
        raise InvalidOrder
    if not _is_billed_to(work, one, email):
        raise WrongAddress
    return one


def opened_by_key(work: Work, id: int, key: str) -> Order | None:
    """Return the order that its key alone opens, as thanks are said for it; None for none. Raises TooManyGuesses."""
    one = order_model.by_id(work, id)
    right = guess_limiter.is_right(work, Secret.ORDER, id, key, lambda: one is not None and _has_key(one, key))
    return one if right and one is not None and one.status != order_statuses.TRASH else None


def _has_key(one: Order, key: str) -> bool:
    return bool(key and one.order_key) and same(key, one.order_key)


def _is_billed_to(work: Work, one: Order, email: str) -> bool:
    """Say whether an address is the order's; its customer who signed in needs none."""
    own = bool(one.customer) and one.customer == work.user.id
    known = one.billing.get("email", "").strip().lower()
    return own or not known or same(email, known)
