"""What a token lets a request do: scopes, checked before each route's own permission, and cookies of own pages alone.

Which routes a scope covers: access/tokens/scopes.py. Rules: docs/rules/tokens.md, 5 and 6.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.tokens.scopes import is_within_scopes
from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Request
from vetrina.rest.route import Route

_PAGE_HEADER: Final = "x-requested-with"  # no page of another origin may send it


class NotFromOwnPage(ApiError):
    """A cookie is sent by the browser, whoever made it send the request."""

    failure, code = Failure.FORBIDDEN, "rest_not_from_own_page"
    message = "The cookie counts for pages of this site alone. Send the header X-Requested-With, or the token itself."


class InsufficientScope(ApiError):
    """The access token was given for less than this route."""

    failure, code = Failure.FORBIDDEN, "rest_insufficient_scope"
    message = "The access token was given for {scopes} and does not cover {path}. Sign in with a scope that does."

    def __init__(self, scopes: tuple[str, ...], path: str) -> None:
        super().__init__(scopes=", ".join(scopes), path=path)
        self.headers["WWW-Authenticate"] = 'Bearer error="insufficient_scope"'


def require_scope(route: Route, call: Call) -> None:
    """Check that a route is within the scopes of the caller's token. Raises InsufficientScope."""
    scopes = call.work.user.scopes
    if scopes and not is_within_scopes(scopes, route.path, route.methods):
        raise InsufficientScope(scopes, call.request.path)


def require_own_page(request: Request) -> None:
    """Refuse what a page of another origin may have sent. Raises NotFromOwnPage."""
    site = request.headers.get("sec-fetch-site")
    if site != "same-origin" if site is not None else not request.headers.get(_PAGE_HEADER):
        raise NotFromOwnPage
