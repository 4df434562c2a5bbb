"""The reports of a shop; every site with a shop has them."""

from __future__ import annotations

from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders


def _load_routes() -> RouteBuilders:
    from vetrina.analytics import resources

    return {"shop-analytics": resources.ROUTE_BUILDERS}


def _load_background() -> BackgroundTasks:
    from vetrina.analytics import background_work

    return background_work.BACKGROUND


MODULE = Module("analytics", _load_routes, _load_background)
