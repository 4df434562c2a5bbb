"""The check of scopes, made in the dispatcher before each route's own permission.

Which routes a scope covers: access/tokens/scopes.py. Rules: docs/rules/tokens.md, 6.
"""

from __future__ import annotations

from vetrina.access.tokens.scopes import is_within_scopes
from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.route import Route


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
