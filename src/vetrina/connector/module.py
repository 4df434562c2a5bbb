"""The module `connector`: what is told to an outside service, and what it asks."""

from __future__ import annotations

from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders, SignInMethod


def _load_routes() -> RouteBuilders:
    from vetrina.connector import resources as connector_resources

    return connector_resources.ROUTE_BUILDERS


def _load_background() -> BackgroundTasks:
    from vetrina.connector import background_work

    return background_work.BACKGROUND


def _load_sign_in() -> SignInMethod:
    from vetrina.connector.connection.signature_checks import sign_in_service

    return sign_in_service


MODULE = Module(
    "connector", _load_routes, _load_background, load_last_sign_in=_load_sign_in, audited_kinds=frozenset({"connector"})
)
