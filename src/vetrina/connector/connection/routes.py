"""Routes of the site's connection: its state, registering, ending and repairing it, heartbeat.

Not here: the accounts that are connected (connector/connection/account_routes.py).
Rules: docs/rules/connector.md, 8, 10 and 11 and docs/rules/connector_registration.md, 1 and 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.connector import permissions as connector_permissions, responses as connector_responses, stored_values
from vetrina.connector.connection import authorization, heartbeat, introduction, registration, state as connection_state
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.connector.identity import rules as identity
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure, Fault
from vetrina.rest.call import Result
from vetrina.rest.fields import Field, String, Untyped, ValidationContext
from vetrina.rest.route import CHANGE, READ, Route, allow_anyone

PATH: Final = "/connector/v4"


class DisconnectFailed(ApiError):
    code = "disconnect_failed"
    message = "The site is not registered with the service."


def _check_exactly_false(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    if value is False:
        return None
    return Fault(
        "rest_invalid_param", f"{name} can only be set to false; register connects.", {"status": Failure.INVALID}
    )


def build_asking_route(
    name: str, allow: Callable[[Call], None], ask: Callable[[Call], Any], told: Field,
    args: dict[str, Any] | None = None, *errors: type[ApiError],
) -> Route:  # fmt: skip
    """Return a route whose answer `ask` computes before the transaction is opened, since it may call the service."""
    return Route(
        CHANGE, f"{PATH}/{name}", _return_prepared, args or {}, allow, slow=True, read=True,
        prepare=build_asking_step(ask), errors=(ConnectorServiceFailed, *errors), answers=told,
        summary=ask.__doc__ or "",
    )  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the connection."""
    return (
        Route(
            READ, f"{PATH}/connection/check", _check_connection, {},
            connector_permissions.require_connection_check_permission, answers=connector_responses.STATUS,
        ),
        Route(READ, f"{PATH}/connection", _read_state, {}, allow_anyone, answers=connector_responses.STATE),
        build_asking_route(
            "connection",
            connector_permissions.require_disconnect_permission,
            _disconnect_site,
            connector_responses.CODE,
            {
                "isActive": Untyped(
                    "Set to false to end the connection.", required=True, null="keep", check=_check_exactly_false
                )
            },
            DisconnectFailed,
        ),
        Route(
            READ, f"{PATH}/connection/plugins", _list_plugins, {}, connector_permissions.require_plugin_permission,
            answers=connector_responses.PLUGINS,
        ),
        build_asking_route(
            "connection/reconnect",
            connector_permissions.require_reconnect_permission,
            _reconnect_site,
            connector_responses.RECONNECTED,
            None,
            registration.SiteNotRegistered,
        ),
        build_asking_route(
            "connection/register",
            connector_permissions.require_connect_permission,
            _register_site,
            connector_responses.REGISTERED,
            {
                "from": String("Where the registration was begun."),
                "redirect_uri": String("Where the browser goes after the authorisation."),
                "plugin_slug": String("The plugin that asks for the connection."),
                "registration_nonce": String("A nonce of the form; application passwords need none."),
            },
        ),
        Route(
            READ, f"{PATH}/heartbeat/data", _read_heartbeat, {"prefix": String("Put before every key.")},
            connector_permissions.require_heartbeat_permission, answers=connector_responses.HEARTBEAT,
        ),
    )  # fmt: skip


def _return_prepared(call: Call) -> Result:
    return Result(call.prepared)


def build_asking_step(ask: Callable[[Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    """Return `ask` as the `prepare` of a route."""

    @contextmanager
    def asked(call: Call) -> Iterator[Any]:
        yield ask(call)

    return asked


def get_open(call: Call) -> OpenUnitOfWork:
    """Return what opens a unit of work before the transaction of a route is opened."""
    assert call.open is not None
    return call.open


# -- reading


def _check_connection(call: Call) -> Result:
    """Confirm that the site can be reached; the service calls this before others."""
    return Result({"status": "success"})


def _read_state(call: Call) -> Result:
    """Read the state of the connection: registered, connected, owned, offline."""
    work = call.work
    offline, owned = connection_state.is_offline(work.site), connection_state.has_owner(work)
    work.uses("user", "option")
    return Result(
        {
            "isActive": owned,
            "isStaging": identity.is_in_crisis(work),
            "isRegistered": connection_state.is_registered(work),
            "isUserConnected": connection_state.is_connected(work, work.user.id),
            "hasConnectedOwner": owned,
            "offlineMode": {
                "isActive": offline,
                "constant": False,
                "url": offline,
                "filter": False,
                "wpLocalConstant": False,
                "option": False,
            },
            "isPublic": bool(work.option("blog_public")),
        }
    )


def _list_plugins(call: Call) -> Result:
    """List the plugins that use the connection."""
    return Result([{"name": name, "slug": slug} for slug, name in introduction.PLUGINS])


def _read_heartbeat(call: Call) -> Result:
    """Read the figures of the site that the service collects once a day."""
    work = call.work
    return Result(heartbeat.collect_heartbeat_figures(work, call.args.get("prefix") or "") or [])


# -- changing


def _disconnect_site(call: Call) -> dict[str, str]:
    """End the site's connection to the service."""
    open = get_open(call)
    with open(True) as work:
        if not connection_state.is_registered(work):
            raise DisconnectFailed
    registration.deregister_site(call.work.site, open)
    with open(False) as work:
        registration.disconnect_site(work)
    return {"code": "success"}


def _reconnect_site(call: Call) -> dict[str, Any]:
    """Repair the connection: register again, or request a new token, as its state requires."""
    return registration.reconnect_site(call.work.site, get_open(call), call.work.user)


def _register_site(call: Call) -> dict[str, Any]:
    """Register the site with the service, and return the URL at which the caller connects the account."""
    open, args = get_open(call), call.args
    registration.register_site(
        call.work.site, open, call.work.user, source=args.get("from") or "", plugin=args.get("plugin_slug") or ""
    )
    with open(False) as work:
        address = authorization.build_authorize_url(
            work, work.user, args.get("redirect_uri") or "", args.get("from") or ""
        )
        return {"alternateAuthorizeUrl": stored_values.get_value(work, "alternate_url", ""), "authorizeUrl": address}
