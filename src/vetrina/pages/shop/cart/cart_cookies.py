"""The cookie that tells the script `cart` how many pieces a visitor's cart has.

Pages are kept for all visitors, so that none of them can say it; the script reads this cookie and asks nobody. It names
no cart and opens none. Rules: docs/rules/cart_pages.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.access.sessions import cookies as session_cookies
from vetrina.rest.call import Request
from vetrina.shop.cart import tokens

COUNT_COOKIE: Final = "cms_cart_count"
_HIDDEN: Final = "; HttpOnly"


def list_count_cookies(request: Request, cart: Mapping[str, Any]) -> list[str]:
    """Return the header that tells the pieces of a cart to scripts of the site; none where it would say nothing new."""
    count, origin = int(cart["items_count"]), request.origin
    if not count and not request.cookie(session_cookies.format_cookie_name(origin, COUNT_COOKIE)):
        return []
    lifetime = tokens.TOKEN_LIFETIME if count else 0
    cookie = session_cookies.format_cookie(origin, COUNT_COOKIE, str(count or ""), lifetime)
    return [cookie.replace(_HIDDEN, "", 1)]
