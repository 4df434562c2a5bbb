"""Which rooms the connector's namespace has: read this to know where a route is."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import connection, handshake, identity_crisis, sync

__all__ = ["ROOMS"]

ROOMS: dict[str, tuple[Callable[[Frame], tuple[Route, ...]], ...]] = {
    "connector/v4": (handshake.routes, sync.routes, identity_crisis.routes, connection.routes),
}
