"""Which rooms the connector's namespace has: read this to know where a route is."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.connector.connection import handshake_routes
from vetrina.connector.connection import routes as connection_routes
from vetrina.connector.identity import routes as identity_routes
from vetrina.connector.sync import routes as sync_routes
from vetrina.core.unit_of_work import Frame
from vetrina.rest.route import Route

__all__ = ["ROOMS"]

ROOMS: dict[str, tuple[Callable[[Frame], tuple[Route, ...]], ...]] = {
    "connector/v4": (handshake_routes.routes, sync_routes.routes, identity_routes.routes, connection_routes.routes),
}
