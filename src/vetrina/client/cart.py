"""A visitor's cart: the responses of `shop/store/v1`, with the cart's token carried from call to call.

What a method returns depends on the sender: a value or an awaitable. Rules: docs/store.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

from .exchange import Ask, Call, Reply, read_value

__all__ = ["Cart", "cart_of"]

A = TypeVar("A")

_STORE: Final = "/shop/store/v1"
_TOKEN: Final = "Cart-Token"


class Cart(Generic[A]):
    """A visitor's cart; each method returns the updated cart, except `checkout`, which returns the order.

    token: identifies the cart; keep it to open the cart again.
    """

    def __init__(self, token: str, give: Callable[[Ask[dict[str, Any]]], A]) -> None:
        self.token, self._give = token, give

    def get(self) -> A:
        """Return the cart."""
        return self._sent("GET", "/cart")

    def add(self, id: int, quantity: int = 1, variation: Sequence[Mapping[str, str]] = ()) -> A:
        """Add a product. variation: the chosen attributes, as `{"attribute": "Size", "value": "L"}`."""
        return self._sent("POST", "/cart/add-item", {"id": id, "quantity": quantity, "variation": list(variation)})

    def update(self, key: str, quantity: int) -> A:
        """Set the quantity of a line; key: of the line."""
        return self._sent("POST", "/cart/update-item", {"key": key, "quantity": quantity})

    def remove(self, key: str) -> A:
        """Remove a line."""
        return self._sent("POST", "/cart/remove-item", {"key": key})

    def apply_coupon(self, code: str) -> A:
        """Apply a coupon."""
        return self._sent("POST", "/cart/apply-coupon", {"code": code})

    def remove_coupon(self, code: str) -> A:
        """Remove a coupon."""
        return self._sent("POST", "/cart/remove-coupon", {"code": code})

    def update_customer(self, **addresses: Mapping[str, str]) -> A:
        """Set the customer's addresses: `billing_address`, `shipping_address`."""
        return self._sent("POST", "/cart/update-customer", addresses)

    def select_shipping(self, rate: str, package: int | str = 0) -> A:
        """Select one of the cart's shipping rates."""
        return self._sent("POST", "/cart/select-shipping-rate", {"package_id": package, "rate_id": rate})

    def checkout(self, payment_method: str, **members: Any) -> A:
        """Place the order. members: `billing_address`, `shipping_address`, `customer_note` …"""
        return self._sent("POST", "/checkout", {"payment_method": payment_method, **members})

    def _sent(self, method: str, path: str, body: Any = None) -> A:
        def read(reply: Reply) -> Any:
            self.token = _token(reply, self.token)
            return read_value(reply)

        return self._give(Ask(Call(method, _STORE + path, body=body, headers={_TOKEN: self.token}), read))


def cart_of(token: str) -> Ask[str]:
    """Return the call that opens or creates a cart, and returns its token; token: empty for a new one."""

    def read(reply: Reply) -> str:
        read_value(reply)
        return _token(reply, token)

    return Ask(Call("GET", f"{_STORE}/cart", headers={_TOKEN: token} if token else {}), read)


def _token(reply: Reply, before: str) -> str:
    return reply.headers.get(_TOKEN.lower(), before)
