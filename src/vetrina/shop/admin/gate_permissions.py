"""The gate of a shop that is not open yet, for those who have a request: its private link's key is read from it.

Not here: when the shop is closed, and to whom (shop/admin/coming_soon.py). Rules: docs/rules/shop_admin.md, 9.
"""

from __future__ import annotations

from vetrina.access.sessions import cookies as session_cookies
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.rest.call import Request
from vetrina.shop.admin import coming_soon

cookie = coming_soon.SHARE_NAME


def get_share_key(request: Request) -> object:
    """Return what a request sends as the key of the private link, as a parameter or a cookie."""
    name = session_cookies.format_cookie_name(request.origin, coming_soon.SHARE_NAME)
    return request.query.get(coming_soon.SHARE_NAME) or request.cookie(name)


def list_hidden_types(work: UnitOfWork, user: User, request: Request) -> frozenset[str]:
    """Return the types and taxonomies that the closed shop hides from a caller; none while it is open."""
    return coming_soon.list_hidden_types(work, user, get_share_key(request))
