"""Which rooms `shop-analytics` has, in the order of the index."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import customers, imports, indicators, leaderboards, lists, mirrors, notes, orders, stats

__all__ = ["ROOMS"]

ROOMS: tuple[Callable[[Frame], tuple[Route, ...]], ...] = (
    customers.routes,
    leaderboards.routes,
    indicators.routes,
    lists.routes,
    stats.routes,
    orders.routes,
    imports.routes,
    notes.routes,
    mirrors.routes,
)
