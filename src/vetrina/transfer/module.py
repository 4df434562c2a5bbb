"""Moving as a part of every site: imports and comparisons over the interface. What commands use of it stands beside."""

from __future__ import annotations

from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders


def _load_routes() -> RouteBuilders:
    from vetrina.transfer.comparison_job import routes as comparison_routes
    from vetrina.transfer.import_job import routes as import_routes

    return {"cms/v2": (import_routes.build_routes, comparison_routes.build_routes)}


def _load_background() -> BackgroundTasks:
    from vetrina.transfer import background_work

    return background_work.BACKGROUND


MODULE = Module("transfer", _load_routes, _load_background, audited_kinds=frozenset({"site_import"}))
