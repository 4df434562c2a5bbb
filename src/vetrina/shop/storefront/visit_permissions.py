"""Who visits: the cart that a request is about, the proof that a write needs, and the headers that answers carry.

An account has one cart; the one that it filled as a stranger is poured into it when it signs in. A stranger's is named
by the signed header `Cart-Token`, or in a browser by a cookie that holds the same; who has neither gets a new one. A
write without that header needs the header `Nonce`, which pages of other sites do not have: a cookie proves nothing.
Not here: signing (shop/cart/tokens.py). Rules: facts, "Visitors' interface".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Final

from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError, WriteNeeded
from vetrina.kernel.keys import same
from vetrina.rest.call import Call, Result
from vetrina.shop.cart import merging, tokens
from vetrina.shop.cart import store as cart
from vetrina.shop.cart.store import Cart

__all__ = ["HEADERS", "InvalidNonce", "MissingNonce", "Visit", "reading", "writing"]

HEADERS: Final = ("Cart-Token", "Nonce")  # by which a visitor says whose cart is meant, and that the page is ours
_TOKEN, _NONCE = (name.lower() for name in HEADERS)
_COOKIE: Final = "cms_cart"
_EXPOSED = "Cart-Token, Cart-Hash, Nonce, Nonce-Timestamp, User-ID"


class MissingNonce(ApiError):
    status, code = 401, "shop_rest_missing_nonce"
    message = "Send the header `Cart-Token` or `Nonce`, as an answer to GET /shop/store/v1/cart gives them."


class InvalidNonce(ApiError):
    status, code = 403, "shop_rest_invalid_nonce"
    message = "The header `Nonce` is not good any more; an answer to GET /shop/store/v1/cart has another."


class Visit:
    """One request of a visitor."""

    def __init__(self, call: Call) -> None:
        work: Work = call.work
        self.work, self.request = work, call.request
        account = work.user.id
        brought = tokens.key_of(work, self._told(_TOKEN))
        self.by_token = bool(brought)
        self._kept = self.request.cookie(sessions.named(self.request, _COOKIE))
        brought = brought or self._of_cookie()
        self.key = tokens.of_account(account) if account else brought or tokens.new_key()
        if brought and brought != self.key:
            self._pour(brought)
        # An answer is for this visitor alone, whatever the address says.
        work.passes()

    def _told(self, name: str) -> str:
        return str(self.request.headers.get(name) or "")

    def _of_cookie(self) -> str:
        """Return the key that the cookie names, empty for none: a browser sends it by itself, and stale ones too."""
        try:
            return tokens.key_of(self.work, self._kept)
        except TooManyGuesses:
            return ""

    def _pour(self, brought: str) -> None:
        """Pour the cart that the caller had as a stranger into that of the account. Raises WriteNeeded."""
        if not cart.is_kept(self.work, brought):
            return
        if not self.work.tx.writes:
            raise WriteNeeded
        self.cart = merging.merged(self.work, self.cart, cart.of_key(self.work, brought))

    @cached_property
    def cart(self) -> Cart:
        """Return the cart as it is stored."""
        return cart.of_key(self.work, self.key)

    @property
    def proved(self) -> bool:
        """Say whether a write has a proof."""
        written = self._told(_NONCE)
        return self.by_token or (
            bool(written) and tokens.is_nonce(self.work.frame, self.work.user.id, self.work.now, written)
        )

    def prove(self) -> None:
        """Raise MissingNonce, InvalidNonce where a write has no proof."""
        if not self.proved:
            raise InvalidNonce if self._told(_NONCE) else MissingNonce

    def save(self, new: Cart) -> Cart:
        """Store the cart after a write."""
        self.cart = cart.save(self.work, new)
        return self.cart

    def headers(self) -> dict[str, str]:
        """Return the headers of an answer to this visitor."""
        work = self.work
        token = tokens.token(work.frame, self.key, work.now)
        keeps = not self._told(_TOKEN) and not work.user.id and not same(token, self._kept)
        return {
            **({"Set-Cookie": self.cookie(token)} if keeps else {}),
            "Cart-Token": token,
            "Cart-Hash": cart.hash_of(self.cart),
            "Nonce": tokens.nonce(work.frame, work.user.id, work.now),
            "Nonce-Timestamp": str(work.now),
            "User-ID": str(work.user.id),
            "Cache-Control": "no-store",
            "Access-Control-Expose-Headers": _EXPOSED,
        }

    def forget_cart(self) -> None:
        """Forget the cart as it was read: others have changed it."""
        self.__dict__.pop("cart", None)

    def cookie(self, token: str) -> str:
        """Return the header by which a browser keeps a token, as long as it is good."""
        return sessions.cookie(self.request, _COOKIE, token, tokens.LIFE)

    def passed_on(self) -> dict[str, str]:
        """Return the headers by which the requests that this one carries are about the same cart."""
        if self._told(_TOKEN) or self.work.user.id:
            return {}
        token = tokens.token(self.work.frame, self.key, self.work.now)
        return {"cookie": f"{sessions.named(self.request, _COOKIE)}={token}"}


Handler = Callable[[Call, Visit], Result]


def reading(handler: Handler) -> Callable[[Call], Result]:
    """Return the handler of a route that reads a visitor's cart."""
    return _visited(handler, proved=False)


def writing(handler: Handler) -> Callable[[Call], Result]:
    """Return the handler of a route that changes a visitor's cart."""
    return _visited(handler, proved=True)


def _visited(handler: Handler, *, proved: bool) -> Callable[[Call], Result]:
    @wraps(handler)
    def handled(call: Call) -> Result:
        visit = Visit(call)
        try:
            if proved:
                visit.prove()
            result = handler(call, visit)
        except ApiError as error:
            error.headers.update(visit.headers())
            raise
        headers: dict[str, Any] = visit.headers()
        result.headers = {**headers, **result.headers}
        return result

    return handled
