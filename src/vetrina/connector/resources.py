"""The route modules of the connector's namespace."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.connector.connection import account_routes, handshake_routes, routes as connection_routes
from vetrina.connector.identity import routes as identity_routes
from vetrina.connector.sync import queue_routes as sync_queue_routes, routes as sync_routes
from vetrina.core.site_context import SiteContext
from vetrina.rest.route import Route

ROUTE_BUILDERS: dict[str, tuple[Callable[[SiteContext], tuple[Route, ...]], ...]] = {
    "connector/v4": (
        handshake_routes.build_routes,
        sync_routes.build_routes,
        sync_queue_routes.build_routes,
        identity_routes.build_routes,
        connection_routes.build_routes,
        account_routes.build_routes,
    )
}
