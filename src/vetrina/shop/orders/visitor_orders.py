"""Orders that visitors may read, by their key and mail address, and for how long by the key alone.

Rules: docs/rules/checkout.md, 6 and 7; docs/rules/cart_pages.md, 8.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import compute_digest, is_equal_secret
from vetrina.shop.orders import model as order_model, statuses as order_statuses
from vetrina.shop.orders.model import Order

_GRACE_SECONDS: Final = 600  # after an order, in which its key alone proves whose it is


class InvalidVisitorOrder(ApiError):
    """The key is wrong, or there is no such order."""

    failure, code = Failure.UNAUTHENTICATED, "shop_rest_invalid_order"
    failures = (Failure.UNAUTHENTICATED, Failure.NOT_FOUND)
    message = "There is no order with this number and key."


class WrongBillingEmail(ApiError):
    failure, code = Failure.UNAUTHENTICATED, "shop_rest_invalid_billing_email"
    message = "Send `billing_email`: the mail address that the order was placed with."


def get_visitor_order(work: UnitOfWork, id: int, key: str, email: str) -> Order:
    """Return the order with a key and mail address. Raises InvalidVisitorOrder, WrongBillingEmail, TooManyGuesses."""
    order = order_model.find_order(work, id)
    email = email.strip().lower()

    def is_right() -> bool:
        # Clients also send the key alone, to learn that a mail address is needed.
        return order is not None and _is_order_key(order, key) and (not email or _is_billed_to(work, order, email))

    if key:
        guess_limiter.is_right_guess(work, SecretKind.ORDER, id, f"{key}\n{email}", is_right)
    if order is None or order.status == order_statuses.TRASH:
        error = InvalidVisitorOrder()
        error.failure = Failure.NOT_FOUND
        raise error
    if not _is_order_key(order, key):
        raise InvalidVisitorOrder
    if not _is_billed_to(work, order, email):
        raise WrongBillingEmail
    return order


def find_order_with_key(work: UnitOfWork, id: int, key: str) -> Order | None:
    """Return the order opened by its key alone, as on the confirmation page; None for none. Raises TooManyGuesses."""
    one = order_model.find_order(work, id)
    right = guess_limiter.is_right_guess(
        work, SecretKind.ORDER, id, key, lambda: one is not None and _is_order_key(one, key)
    )
    return one if right and one is not None and one.status != order_statuses.TRASH else None


def has_order_proof(work: UnitOfWork, order: Order, proof: str) -> bool:
    """Return whether a visitor who has an order's key has proved to be its customer, too. proof: empty for none."""
    if not order.billing.get("email") or work.now - order.created < _GRACE_SECONDS:
        return True
    if order.customer and order.customer == work.user.id:
        return True
    return bool(proof) and is_equal_secret(proof, compute_order_proof(work, order))


def compute_order_proof(work: UnitOfWork, order: Order) -> str:
    """Return what proves that a visitor knows the mail address of an order."""
    email = order.billing.get("email", "").strip().lower()
    return compute_digest(work.site.settings.secret, f"order\n{order.id}\n{order.order_key}\n{email}")


def _is_order_key(order: Order, key: str) -> bool:
    return bool(key and order.order_key) and is_equal_secret(key, order.order_key)


def _is_billed_to(work: UnitOfWork, order: Order, email: str) -> bool:
    """Return whether a mail address is the order's; its signed-in customer needs none."""
    own = bool(order.customer) and order.customer == work.user.id
    known = order.billing.get("email", "").strip().lower()
    return own or not known or is_equal_secret(email, known)
