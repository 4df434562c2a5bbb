"""A visitor's cart: what `shop/store/v1` answers, with the token that names the cart kept from answer to answer.

What a method gives is up to who sends. Rules: docs/store.md.
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
    """A visitor's cart; each method gives the cart as it is then, but `checkout`, which gives the order.

    token: what names it; keep it to open the cart again.
    """

    def __init__(self, token: str, give: Callable[[Ask[dict[str, Any]]], A]) -> None:
        self.token, self._give = token, give

    def get(self) -> A:
        """Give the cart."""
        return self._sent("GET", "/cart")

    def add(self, id: int, quantity: int = 1, variation: Sequence[Mapping[str, str]] = ()) -> A:
        """Put a product in. variation: what was chosen, as `{"attribute": "Size", "value": "L"}`."""
        return self._sent("POST", "/cart/add-item", {"id": id, "quantity": quantity, "variation": list(variation)})

    def update(self, key: str, quantity: int) -> A:
        """Change how many of a line there are; key: of the line."""
        return self._sent("POST", "/cart/update-item", {"key": key, "quantity": quantity})

    def remove(self, key: str) -> A:
        """Take a line out."""
        return self._sent("POST", "/cart/remove-item", {"key": key})

    def apply_coupon(self, code: str) -> A:
        """Use a coupon."""
        return self._sent("POST", "/cart/apply-coupon", {"code": code})

    def remove_coupon(self, code: str) -> A:
        """Use a coupon no more."""
        return self._sent("POST", "/cart/remove-coupon", {"code": code})

    def update_customer(self, **addresses: Mapping[str, str]) -> A:
        """Say who buys, and where it goes: `billing_address`, `shipping_address`."""
        return self._sent("POST", "/cart/update-customer", addresses)

    def select_shipping(self, rate: str, package: int | str = 0) -> A:
        """Choose one of the cart's ways of shipping."""
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
    """Return the ask that opens a cart, or begins one, and gives its token; token: empty for a new one."""

    def read(reply: Reply) -> str:
        read_value(reply)
        return _token(reply, token)

    return Ask(Call("GET", f"{_STORE}/cart", headers={_TOKEN: token} if token else {}), read)


def _token(reply: Reply, before: str) -> str:
    return reply.headers.get(_TOKEN.lower(), before)
