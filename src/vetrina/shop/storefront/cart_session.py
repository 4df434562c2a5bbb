"""Cart sessions: the cart of a request, the proof that a write needs, and the headers of responses.

An account has one cart; a guest's cart is merged into it at sign-in. A guest's cart is named by the signed header
`Cart-Token`, or in a browser by a cookie with the same token; without either a new one begins. A write without that
header needs the header `Nonce`, which pages of other sites cannot know: a cookie proves nothing. Not here: signing
(shop/cart/tokens.py). Rules: docs/rules/cart.md, 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, Final

from vetrina.access.sessions import cookies as session_cookies
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure, WriteNeeded
from vetrina.kernel.keys import is_equal_secret
from vetrina.rest.call import Result
from vetrina.shop.cart import merging, store as cart, tokens
from vetrina.shop.cart.store import Cart

CART_HEADERS: Final = ("Cart-Token", "Nonce")  # name the cart, and prove that the page is ours
_TOKEN, _NONCE = (name.lower() for name in CART_HEADERS)
CART_COOKIE: Final = "cms_cart"
_EXPOSED_HEADERS = "Cart-Token, Cart-Hash, Nonce, Nonce-Timestamp, User-ID"


class MissingCartNonce(ApiError):
    failure, code = Failure.UNAUTHENTICATED, "shop_rest_missing_nonce"
    message = "Send the header `Cart-Token` or `Nonce`, as an answer to GET /shop/store/v1/cart gives them."


class InvalidCartNonce(ApiError):
    failure, code = Failure.FORBIDDEN, "shop_rest_invalid_nonce"
    message = "The header `Nonce` is not good any more; an answer to GET /shop/store/v1/cart has another."


class CartSession:
    """The cart session of one request."""

    def __init__(self, call: Call) -> None:
        work = call.work
        self.work, self.request = work, call.request
        account = work.user.id
        brought = tokens.decode_cart_token(work, self._get_header(_TOKEN))
        self.by_token = bool(brought)
        self._kept = self.request.cookie(session_cookies.format_cookie_name(self.request.origin, CART_COOKIE))
        brought = brought or self._read_cookie_key()
        self.key = tokens.build_account_cart_key(account) if account else brought or tokens.generate_cart_key()
        if brought and brought != self.key:
            self._merge_cart(brought)
        # A response is for this visitor alone, whatever the URL.
        work.mark_time_dependent()

    def _get_header(self, name: str) -> str:
        return str(self.request.headers.get(name) or "")

    def _read_cookie_key(self) -> str:
        """Return the cart key in the cookie, empty for none: browsers send it unasked, and stale ones too."""
        try:
            return tokens.decode_cart_token(self.work, self._kept)
        except TooManyGuesses:
            return ""

    def _merge_cart(self, brought: str) -> None:
        """Merge the guest's cart of the caller into the account's. Raises WriteNeeded."""
        if not cart.has_stored_cart(self.work, brought):
            return
        if not self.work.tx.writes:
            raise WriteNeeded
        self.cart = merging.merge_carts(self.work, self.cart, cart.load_cart(self.work, brought))

    @cached_property
    def cart(self) -> Cart:
        """Return the stored cart."""
        return cart.load_cart(self.work, self.key)

    @property
    def has_proof(self) -> bool:
        """Return whether a write has its proof; no page makes a browser send an access token."""
        if self.work.user.scopes:
            return True
        written = self._get_header(_NONCE)
        return self.by_token or (
            bool(written) and tokens.is_valid_nonce(self.work.site, self.work.user.id, self.work.now, written)
        )

    def require_proof(self) -> None:
        """Raise MissingCartNonce or InvalidCartNonce where a write lacks its proof."""
        if not self.has_proof:
            raise InvalidCartNonce if self._get_header(_NONCE) else MissingCartNonce

    def save(self, new: Cart) -> Cart:
        """Store the cart after a write."""
        self.cart = cart.save_cart(self.work, new)
        return self.cart

    def build_headers(self) -> dict[str, str]:
        """Return the headers of a response to this visitor."""
        work = self.work
        token = tokens.issue_cart_token(work.site, self.key, work.now)
        keeps = not self._get_header(_TOKEN) and not work.user.id and not is_equal_secret(token, self._kept)
        return {
            **({"Set-Cookie": self.build_cookie(token)} if keeps else {}),
            "Cart-Token": token,
            "Cart-Hash": cart.compute_cart_hash(self.cart),
            "Nonce": tokens.compute_nonce(work.site, work.user.id, work.now),
            "Nonce-Timestamp": str(work.now),
            "User-ID": str(work.user.id),
            "Cache-Control": "no-store",
            "Access-Control-Expose-Headers": _EXPOSED_HEADERS,
        }

    def forget_cart(self) -> None:
        """Forget the cached cart, which was changed elsewhere."""
        self.__dict__.pop("cart", None)

    def build_cookie(self, token: str) -> str:
        """Return the `Set-Cookie` header of a token, which expires with the token."""
        return session_cookies.format_cookie(self.request.origin, CART_COOKIE, token, tokens.TOKEN_LIFETIME)

    def build_forwarded_headers(self) -> dict[str, str]:
        """Return the headers that make a batch's inner requests use the same cart."""
        if self._get_header(_TOKEN) or self.work.user.id:
            return {}
        token = tokens.issue_cart_token(self.work.site, self.key, self.work.now)
        return {"cookie": f"{session_cookies.format_cookie_name(self.request.origin, CART_COOKIE)}={token}"}


CartHandler = Callable[[Call, CartSession], Result]


def wrap_read_handler(handler: CartHandler) -> Callable[[Call], Result]:
    """Return the handler of a route that reads a visitor's cart."""
    return _wrap_handler(handler, proved=False)


def wrap_write_handler(handler: CartHandler) -> Callable[[Call], Result]:
    """Return the handler of a route that changes a visitor's cart."""
    return _wrap_handler(handler, proved=True)


def _wrap_handler(handler: CartHandler, *, proved: bool) -> Callable[[Call], Result]:
    @wraps(handler)
    def handled(call: Call) -> Result:
        visit = CartSession(call)
        try:
            if proved:
                visit.require_proof()
            result = handler(call, visit)
        except ApiError as error:
            error.headers.update(visit.build_headers())
            raise
        headers: dict[str, Any] = visit.build_headers()
        result.headers = {**headers, **result.headers}
        return result

    return handled
