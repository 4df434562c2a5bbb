"""Routes for the mobile app: an index of the shop's data, and a link to sign in with, which is refused.

Rules: docs/rules/shop_admin.md, 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.route import READ, Route
from vetrina.shop.admin import (
    connections,
    permissions as admin_permissions,
    responses as admin_responses,
)

_APP: Final = "/shop-admin/mobile-app"
_APP_ROUTES: Final = {
    "continents": "Continents with their countries and what is usual there.",
    "countries": "Countries with their states.",
    "currencies": "Currencies with their names and signs.",
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes for the mobile app."""
    return (
        Route(READ, _APP, _list_app_routes, {}, admin_permissions.require_view_permission, answers=admin_responses.APP),
        Route(
            READ, f"{_APP}/send-magic-link", _send_magic_link, {}, admin_permissions.require_view_permission,
            errors=(connections.ConnectorNotConnected,), answers=admin_responses.SUCCESS,
        ),
    )  # fmt: skip


def _list_app_routes(call: Call) -> Result:
    """List the routes for the mobile app."""
    api = call.work.api
    body: list[dict[str, Any]] = [
        {
            "slug": slug,
            "description": text,
            "_links": {"self": [{"href": api(f"{_APP}/{slug}")}], "collection": [{"href": api(_APP)}]},
        }
        for slug, text in _APP_ROUTES.items()
    ]
    return Result(body)


def _send_magic_link(call: Call) -> Result:
    """Report that no link can be mailed while the site is not connected."""
    raise connections.ConnectorNotConnected
