"""Who may call the connector's routes: administrators, and the service by the site's own token.

Offline, nobody connects anything. Rules: facts of the connector, 2.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.connector.connection import debugger
from vetrina.connector.connection import signatures as connection_signatures
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError, NoRoute, Refused
from vetrina.rest.call import Call

__all__ = [
    "AlreadyRegistered", "checking", "checking_heartbeat", "choosing_plugins", "comparing", "connecting", "deciding",
    "disconnecting", "fetching_user", "gone_with_owner", "linking", "may", "naming_owner", "provisioning",
    "reconnecting", "registering_remotely", "seeing_data", "signed", "syncing", "unlinking", "updating_token",
    "validating",
]  # fmt: skip


class ConnectorRefused(Refused):
    message = "Only an administrator, or the service with the site's own token, may do this."


class CannotProvision(ConnectorRefused):
    code = "invalid_permission_remote_provision"


class CannotConnectRemotely(ConnectorRefused):
    code = "invalid_permission_remote_connect"


class CannotCheck(ConnectorRefused):
    code = "invalid_permission_connection_check"


class CannotSeeHeartbeat(ConnectorRefused):
    code = "invalid_permission_heartbeat_data"


class CannotSeeData(ConnectorRefused):
    code = "invalid_user_permission_user_connection_data"
    message = "You may not connect your account here."


class CannotSeePlugins(ConnectorRefused):
    code = "invalid_user_permission_activate_plugins"
    message = "Only those who may activate plugins may see them."


class CannotDisconnect(ConnectorRefused):
    code = "invalid_user_permission_connector_disconnect"


class CannotConnect(ConnectorRefused):
    code = "invalid_user_permission_connector_connect"
    message = "Only administrators may connect the site, and nobody while no service is set."


class CannotUpdateToken(ConnectorRefused):
    code = "invalid_permission_update_user_token"


class CannotNameOwner(ConnectorRefused):
    code = "invalid_user_permission_set_connection_owner"


class CannotUnlink(ConnectorRefused):
    code = "invalid_user_permission_unlink_user"
    message = "Your account is not connected, or no service is set."


class CannotSync(ConnectorRefused):
    code = "invalid_user_permission_sync"


class CannotDecide(ConnectorRefused):
    code = "invalid_user_permission_identity_crisis"


class AlreadyRegistered(ApiError):
    """The connection has an owner; only the service itself may register the site anew."""

    status, code = 409, "already_registered"
    message = "The site is registered already, and its connection has an owner."


class Registered(ApiError):
    """Only a site that is not registered compares secrets."""

    status, code = 403, "invalid_connection_status"
    message = "The site is registered; it compares no secrets."


def signed(call: Call) -> bool:
    """Say whether the site's own token signed the request."""
    return call.request.signed == connection_signatures.SITE


def may(work: Work, what: str) -> bool:
    """Say whether the caller may connect, disconnect, connect_user or unlink_user."""
    user = work.user
    if what == "disconnect":
        return user.can("manage_options")
    if connection_state.is_offline(work.frame):
        return False
    if what == "unlink_user" or (what == "connect_user" and connection_state.has_owner(work)):
        return user.can("read")
    return user.can("manage_options")


def _permission(what: str, refusal: type[Refused], by_site: bool = False) -> Callable[[Call], None]:
    def allow(call: Call) -> None:
        # What a signature proves, it proves once; such an answer is nobody else's.
        call.work.passes()
        if by_site and signed(call):
            return
        work: Work = call.work
        if what == "site" or not (work.user.can(what) if what in _CAPABILITIES else may(work, what)):
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

fetching_user = _permission("site", CannotConnectRemotely, by_site=True)
checking = _permission("connect", CannotCheck, by_site=True)
checking_heartbeat = _permission("connect", CannotSeeHeartbeat, by_site=True)
seeing_data = _permission("connect_user", CannotSeeData)
disconnecting = _permission("disconnect", CannotDisconnect, by_site=True)
reconnecting = _permission("connect", CannotDisconnect)
connecting = _permission("connect", CannotConnect)
updating_token = _permission("site", CannotUpdateToken, by_site=True)
naming_owner = _permission("disconnect", CannotNameOwner)
syncing = _permission("manage_options", CannotSync, by_site=True)
deciding = _permission("disconnect", CannotDecide)
validating = _permission("site", CannotDecide, by_site=True)


def choosing_plugins(call: Call) -> None:
    """Those who activate modules (`activate_plugins`), and the service's debugger."""
    work: Work = call.work
    work.passes()
    if not work.user.can("activate_plugins") and not debugger.proves(work, call.request):
        raise CannotSeePlugins(bool(work.user))


def unlinking(call: Call) -> None:
    """Everybody who is signed in, for the connection of the own account."""
    work: Work = call.work
    work.passes()
    if not may(work, "unlink_user") or not connection_state.is_connected(work, work.user.id):
        raise CannotUnlink(bool(work.user))


def linking(call: Call) -> None:
    """Those who may connect their own account: everybody once the connection has an owner, administrators before."""
    seeing_data(call)


def provisioning(call: Call) -> None:
    """Those who may connect their own account, for that one; the service, for any."""
    call.work.passes()
    own = call.raw.get("local_user") in (None, "")
    if not signed(call) and not (own and may(call.work, "connect_user")):
        raise CannotProvision(bool(call.work.user))


def registering_remotely(call: Call) -> None:
    """Everybody while the connection has no owner; the service always."""
    call.work.passes()
    if not signed(call) and connection_state.has_owner(call.work):
        raise AlreadyRegistered


def gone_with_owner(call: Call) -> None:
    """Everybody, while the connection has no owner; afterwards the route is gone."""
    if connection_state.has_owner(call.work):
        raise NoRoute(method=call.request.method, path=call.request.path)


def comparing(call: Call) -> None:
    """Everybody, while the site is not registered."""
    if connection_state.is_registered(call.work):
        raise Registered
