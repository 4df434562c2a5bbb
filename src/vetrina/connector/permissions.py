"""Permissions of the connector's routes: administrators, and the service with the site's own token.

Offline, nothing can be connected. Rules: docs/rules/connector.md, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.connector.connection import debugger, signature_checks, state as connection_state
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, NoRoute, PermissionDenied


class ConnectorRefused(PermissionDenied):
    message = "Only an administrator, or the service with the site's own token, may do this."


class CannotProvisionAccount(ConnectorRefused):
    code = "invalid_permission_remote_provision"


class CannotConnectRemotely(ConnectorRefused):
    code = "invalid_permission_remote_connect"


class CannotCheckConnection(ConnectorRefused):
    code = "invalid_permission_connection_check"


class CannotSeeHeartbeat(ConnectorRefused):
    code = "invalid_permission_heartbeat_data"


class CannotSeeConnectionData(ConnectorRefused):
    code = "invalid_user_permission_user_connection_data"
    message = "You may not connect your account here."


class CannotSeeConnectorPlugins(ConnectorRefused):
    code = "invalid_user_permission_activate_plugins"
    message = "Only those who may activate plugins may see them."


class CannotDisconnectSite(ConnectorRefused):
    code = "invalid_user_permission_connector_disconnect"


class CannotConnectSite(ConnectorRefused):
    code = "invalid_user_permission_connector_connect"
    message = "Only administrators may connect the site, and nobody while no service is set."


class CannotUpdateUserToken(ConnectorRefused):
    code = "invalid_permission_update_user_token"


class CannotSetConnectionOwner(ConnectorRefused):
    code = "invalid_user_permission_set_connection_owner"


class CannotUnlinkAccount(ConnectorRefused):
    code = "invalid_user_permission_unlink_user"
    message = "Your account is not connected, or no service is set."


class CannotSyncSite(ConnectorRefused):
    code = "invalid_user_permission_sync"


class CannotResolveCrisis(ConnectorRefused):
    code = "invalid_user_permission_identity_crisis"


class SiteAlreadyRegistered(ApiError):
    """The connection has an owner; only the service may register the site again."""

    failure, code = Failure.CONFLICT, "already_registered"
    message = "The site is registered already, and its connection has an owner."


class SiteIsRegistered(ApiError):
    """Only a site that is not registered compares secrets."""

    failure, code = Failure.FORBIDDEN, "invalid_connection_status"
    message = "The site is registered; it compares no secrets."


def is_signed_by_site(call: Call) -> bool:
    """Say whether the site's own token signed the request."""
    return call.request.signed == signature_checks.SITE


def may_use_connection(work: UnitOfWork, what: str) -> bool:
    """Say whether the caller may connect, disconnect, connect_user or unlink_user."""
    user = work.user
    if what == "disconnect":
        return user.can("manage_options")
    if connection_state.is_offline(work.site):
        return False
    if what == "unlink_user" or (what == "connect_user" and connection_state.has_owner(work)):
        return user.can("read")
    return user.can("manage_options")


def _build_permission(what: str, refusal: type[PermissionDenied], by_site: bool = False) -> Callable[[Call], None]:
    def allow(call: Call) -> None:
        # A signature is valid once, so the response must not be cached for others.
        call.work.mark_time_dependent()
        if by_site and is_signed_by_site(call):
            return
        work = call.work
        if what == "site" or not (work.user.can(what) if what in _CAPABILITIES else may_use_connection(work, what)):
            raise refusal(bool(work.user))

    service = "the service with the site's own token"
    people = _PEOPLE[what]
    allow.__doc__ = f"{people}, and {service}." if people and by_site else f"{people or service.capitalize()}."
    return allow


_PEOPLE = {
    "site": "",
    "manage_options": "Administrators (`manage_options`)",
    "disconnect": "Administrators (`manage_options`)",
    "connect": "Administrators (`manage_options`) where a service is set",
    "connect_user": "Those who may connect their own account: everybody once the connection has an owner",
}
_CAPABILITIES = frozenset({"manage_options"})

require_remote_connect_permission = _build_permission("site", CannotConnectRemotely, by_site=True)
require_connection_check_permission = _build_permission("connect", CannotCheckConnection, by_site=True)
require_heartbeat_permission = _build_permission("connect", CannotSeeHeartbeat, by_site=True)
require_data_permission = _build_permission("connect_user", CannotSeeConnectionData)
require_disconnect_permission = _build_permission("disconnect", CannotDisconnectSite, by_site=True)
require_reconnect_permission = _build_permission("connect", CannotDisconnectSite)
require_connect_permission = _build_permission("connect", CannotConnectSite)
require_token_update_permission = _build_permission("site", CannotUpdateUserToken, by_site=True)
require_owner_change_permission = _build_permission("disconnect", CannotSetConnectionOwner)
require_sync_permission = _build_permission("manage_options", CannotSyncSite, by_site=True)
require_crisis_decision_permission = _build_permission("disconnect", CannotResolveCrisis)
require_crisis_validation_permission = _build_permission("site", CannotResolveCrisis, by_site=True)


def require_plugin_permission(call: Call) -> None:
    """Those who may activate plugins (`activate_plugins`), and the service's debugger."""
    work = call.work
    work.mark_time_dependent()
    if not work.user.can("activate_plugins") and not debugger.is_signed_by_debugger(
        work, call.request.target, call.request.path
    ):
        raise CannotSeeConnectorPlugins(bool(work.user))


def require_unlink_permission(call: Call) -> None:
    """Everybody who is signed in, for the connection of their own account."""
    work = call.work
    work.mark_time_dependent()
    if not may_use_connection(work, "unlink_user") or not connection_state.is_connected(work, work.user.id):
        raise CannotUnlinkAccount(bool(work.user))


def require_link_permission(call: Call) -> None:
    """Those who may connect their own account: everybody once the connection has an owner, administrators before."""
    require_data_permission(call)


def require_provision_permission(call: Call) -> None:
    """Those who may connect their own account, for that one; the service, for any."""
    call.work.mark_time_dependent()
    own = call.raw.get("local_user") in (None, "")
    if not is_signed_by_site(call) and not (own and may_use_connection(call.work, "connect_user")):
        raise CannotProvisionAccount(bool(call.work.user))


def require_remote_register_permission(call: Call) -> None:
    """Everybody while the connection has no owner; the service at any time."""
    call.work.mark_time_dependent()
    if not is_signed_by_site(call) and connection_state.has_owner(call.work):
        raise SiteAlreadyRegistered


def require_no_owner(call: Call) -> None:
    """Everybody, while the connection has no owner; afterwards the route does not exist."""
    if connection_state.has_owner(call.work):
        raise NoRoute(method=call.request.method, path=call.request.path)


def require_unregistered(call: Call) -> None:
    """Everybody, while the site is not registered."""
    if connection_state.is_registered(call.work):
        raise SiteIsRegistered
