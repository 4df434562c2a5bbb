"""A shop that is not open yet: who may see it, and how everybody else is refused.

Once the owner has started it, public pages show the coming-soon page and the storefront API refuses, except for the
shop's own staff and for callers with the private link's key (as the parameter or the cookie `shop-share`). Not here:
the routes that start and end it (shop/admin/launch_routes.py), the page itself (pages/coming_soon_page.py). Rules:
docs/rules/shop_admin.md, 8 and 9.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, select

from vetrina.access.sessions import cookies as session_cookies
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import PermissionDenied
from vetrina.kernel.keys import generate_letters
from vetrina.shop import rights as shop_rights
from vetrina.shop.onboarding import PAGES
from vetrina.shop.orders.listing import OrderQuery, count_orders
from vetrina.shop.products.product_types import PRODUCT, TAXONOMIES, TYPES

COMING_SOON_OPTION: Final = "shop_coming_soon"
SHARE_NAME: Final = "shop-share"  # name of the parameter and of the cookie that carry the private link's key
_PRIVATE: Final = "shop_private_link"
_KEY: Final = "shop_share_key"
_PAGES_ONLY: Final = "shop_store_pages_only"
_LETTERS: Final = 32
_YES: Final = "yes"
_COOKIE_SECONDS: Final = 90 * 24 * 3600

_ANY_PRODUCT = Statement(select(record.c.id).where(record.c.type == bindparam("type")).limit(1))


class ShopComingSoon(PermissionDenied):
    code = "shop_rest_coming_soon"
    message = "The shop is not open yet. Whoever has its private link can look around."


def is_coming_soon(work: UnitOfWork) -> bool:
    """Return whether the shop is closed to the public."""
    return bool(work.stored_option(COMING_SOON_OPTION) == _YES)


def is_whole_site_closed(work: UnitOfWork) -> bool:
    """Return whether all public pages are closed with it, not only those of the shop."""
    return bool(work.stored_option(_PAGES_ONLY) != _YES)


def close_shop(work: UnitOfWork) -> None:
    """Close the shop until it is launched, and make the key of its private link."""
    first = {
        _PRIVATE: "no",
        _KEY: generate_letters(_LETTERS),
        _PAGES_ONLY: "no" if _is_fresh_site(work) else _YES,
    }
    for name, value in first.items():
        if work.stored_option(name) is None:
            work.set_option(name, value)
    if not is_coming_soon(work):
        work.set_option(COMING_SOON_OPTION, _YES)


def _is_fresh_site(work: UnitOfWork) -> bool:
    """Return whether nothing was ever sold here: nobody knows any page of such a site yet."""
    work.uses(PRODUCT.name)
    return work.tx.value(_ANY_PRODUCT, type=PRODUCT.name) is None and not count_orders(work, OrderQuery(limit=1))


def is_closed_to(work: UnitOfWork, user: User, share_key: object) -> bool:
    """Return whether the shop is closed to a caller; share_key: what they sent as such. Raises TooManyGuesses."""
    if not is_coming_soon(work) or shop_rights.may_manage_shop(user):
        return False
    if work.stored_option(_PRIVATE) != _YES:
        return True
    return not _is_share_key(work, share_key)


def _is_share_key(work: UnitOfWork, given: object) -> bool:
    key = str(work.stored_option(_KEY) or "")
    return (
        bool(key)
        and isinstance(given, str)
        and guess_limiter.matches_secret(work, SecretKind.SHOP_LINK, None, given, key)
    )


def build_share_cookie(work: UnitOfWork, origin: str, share_key: object) -> str:
    """Return the header that stores the private link's key in the browser; empty where it is not the key."""
    on = is_coming_soon(work) and work.stored_option(_PRIVATE) == _YES
    return (
        session_cookies.format_cookie(origin, SHARE_NAME, str(share_key), _COOKIE_SECONDS)
        if on and _is_share_key(work, share_key)
        else ""
    )


def require_open_shop(work: UnitOfWork, share_key: object) -> None:
    """Refuse a visitor while the shop is closed. Raises ShopComingSoon."""
    if is_closed_to(work, work.user, share_key):
        raise ShopComingSoon(bool(work.user))


def list_hidden_types(work: UnitOfWork, user: User, share_key: object) -> frozenset[str]:
    """Return the types and taxonomies that the closed shop hides from a caller; none while it is open."""
    if not is_coming_soon(work):
        return frozenset()
    # Responses differ between callers, so they must not be shared.
    work.mark_time_dependent()
    return frozenset((*TYPES, *TAXONOMIES)) if is_closed_to(work, user, share_key) else frozenset()


def list_shop_pages(work: UnitOfWork) -> frozenset[int]:
    """Return the ids of the shop's own pages."""
    return frozenset(int(work.stored_option(name) or 0) for name in PAGES) - {0}
