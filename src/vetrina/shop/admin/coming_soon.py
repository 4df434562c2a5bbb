"""A shop that is not open yet: who may look at it, and what they are told who may not.

Once the owner began with it, public pages show a page of its own and the visitors' interface refuses, except to the
shop's own people and to those who bring the private link's key (as the parameter or the cookie `shop-share`).
Not here: the routes that begin and end it (namespaces/shop_admin), the page itself (pages/coming_soon_page.py).
Rules: issue 9; facts, "Launching".
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, select

from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.access.users.model import User
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Refused
from vetrina.kernel.keys import random_letters
from vetrina.rest.call import Request
from vetrina.shop import rights as shop_rights
from vetrina.shop.onboarding import PAGES
from vetrina.shop.orders.listing import OrderQuery, total
from vetrina.shop.products.product_types import PRODUCT, TAXONOMIES, TYPES

__all__ = [
    "ON", "SHARE", "ComingSoon", "begin", "closed_to", "closes_all", "cookie", "hidden_kinds", "is_on", "let_in",
    "pages",
]  # fmt: skip

ON: Final = "shop_coming_soon"
SHARE: Final = "shop-share"  # name of the parameter and of the cookie that carry the private link's key
_PRIVATE: Final = "shop_private_link"
_KEY: Final = "shop_share_key"
_PAGES_ONLY: Final = "shop_store_pages_only"
_LETTERS: Final = 32
_YES: Final = "yes"
_COOKIE_SECONDS: Final = 90 * 24 * 3600

_ANY_PRODUCT = Statement(select(record.c.id).where(record.c.type == bindparam("type")).limit(1))


class ComingSoon(Refused):
    code = "shop_rest_coming_soon"
    message = "The shop is not open yet. Whoever has its private link can look around."


def is_on(work: Work) -> bool:
    """Say whether the shop is closed to the public."""
    return bool(work.stored_option(ON) == _YES)


def closes_all(work: Work) -> bool:
    """Say whether all public pages are closed with it, not those of the shop alone."""
    return bool(work.stored_option(_PAGES_ONLY) != _YES)


def begin(work: Work) -> None:
    """Close the shop until it is launched, and make the key of its private link."""
    first = {
        _PRIVATE: "no",
        _KEY: random_letters(_LETTERS),
        _PAGES_ONLY: "no" if _is_fresh(work) else _YES,
    }
    for name, value in first.items():
        if work.stored_option(name) is None:
            work.set_option(name, value)
    if not is_on(work):
        work.set_option(ON, _YES)


def _is_fresh(work: Work) -> bool:
    """Say whether nothing was ever sold here: of such a site nobody knows any page yet."""
    work.uses(PRODUCT.name)
    return work.tx.value(_ANY_PRODUCT, type=PRODUCT.name) is None and not total(work, OrderQuery(limit=1))


def closed_to(work: Work, user: User, request: Request) -> bool:
    """Say whether the shop is closed to a caller. Raises TooManyGuesses."""
    if not is_on(work) or shop_rights.may_manage(user):
        return False
    if work.stored_option(_PRIVATE) != _YES:
        return True
    given = request.query.get(SHARE) or request.cookie(sessions.named(request, SHARE))
    return not _is_key(work, given)


def _is_key(work: Work, given: object) -> bool:
    key = str(work.stored_option(_KEY) or "")
    return bool(key) and isinstance(given, str) and guess_limiter.opens(work, Secret.SHOP_LINK, None, given, key)


def cookie(work: Work, request: Request) -> str:
    """Return the header that keeps the private link's key in the browser; empty where a request brings none anew."""
    given = request.query.get(SHARE)
    on = is_on(work) and work.stored_option(_PRIVATE) == _YES
    return sessions.cookie(request, SHARE, str(given), _COOKIE_SECONDS) if on and _is_key(work, given) else ""


def let_in(work: Work, request: Request) -> None:
    """Refuse a visitor while the shop is closed. Raises ComingSoon."""
    if closed_to(work, work.user, request):
        raise ComingSoon(bool(work.user))


def hidden_kinds(work: Work, user: User, request: Request) -> frozenset[str]:
    """Return the names of the types and taxonomies that the closed shop keeps from a caller; none while it is open."""
    if not is_on(work):
        return frozenset()
    # Some see it and others do not, so nobody gets what was made for somebody else.
    work.passes()
    return frozenset((*TYPES, *TAXONOMIES)) if closed_to(work, user, request) else frozenset()


def pages(work: Work) -> frozenset[int]:
    """Return the numbers of the shop's own pages."""
    return frozenset(int(work.stored_option(name) or 0) for name in PAGES) - {0}
