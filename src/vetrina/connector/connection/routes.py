"""The connection as administrators see and change it: its state, registration, owner, tokens, the heartbeat.

Rules: facts of the connector, 4, 6, 7, 9, 10 and 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import avatar
from vetrina.connector import permissions as connector_permissions
from vetrina.connector import responses as connector_responses
from vetrina.connector.connection import (
    accounts as connection_accounts,
)
from vetrina.connector.connection import (
    authorization,
    heartbeat,
    introduction,
    registration,
    remote_errors,
)
from vetrina.connector.connection import (
    remote as connection_remote,
)
from vetrina.connector.connection import (
    state as connection_state,
)
from vetrina.connector.connection.remote import Failed, Open
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault
from vetrina.kernel.integers import LARGEST, whole
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Asked, Boolean, Field, Integer, String, Untyped
from vetrina.rest.route import CHANGE, READ, Route, anyone

__all__ = ["routes"]


class DisconnectFailed(ApiError):
    code = "disconnect_failed"
    message = "The site is not registered with the service."


class OwnerNotAdmin(ApiError):
    code = "new_owner_not_admin"
    message = "The owner of the connection must be an administrator."


class OwnerAlready(ApiError):
    code = "new_owner_is_existing_owner"
    message = "This account owns the connection already."


class OwnerNotConnected(ApiError):
    code = "new_owner_not_connected"
    message = "This account is not connected. Let it authorise itself first."


class OwnerRefused(ApiError):
    status, code = 424, "error_setting_new_owner"
    message = "The service did not take the new owner: {reason}"


class TokenMalformed(ApiError):
    code = "invalid_argument_user_token"
    message = "A user token has three parts, the last of them the number of its account."


class TokenOfNobody(ApiError):
    code = "invalid_argument_user_id"
    message = "There is no account {id}."


class NotConnected(ApiError):
    code = "site_not_connected"
    message = "The site is not registered with the service."


class NothingToUnlink(ApiError):
    status, code = 404, "invalid_param"
    message = "Send linked: false to end the link of your account."


class UnlinkFailed(ApiError):
    code = "unlink_user_failed"
    message = "The owner of the connection cannot leave it; send disconnect-all-users to end all links."


def _exactly_false(value: Any, name: str, asked: Asked) -> Fault | None:
    if value is False:
        return None
    return Fault("rest_invalid_param", f"{name} can only be set to false; register connects.", {"status": 400})


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the connection."""
    path = "/connector/v4"

    def asking(
        name: str, allow: Callable[[Call], None], ask: Callable[[Call], Any], told: Field,
        args: dict[str, Any] | None = None, *errors: type[ApiError],
    ) -> Route:  # fmt: skip
        return Route(
            CHANGE, f"{path}/{name}", _told, args or {}, allow, slow=True, read=True, prepare=_asking(ask),
            errors=(Failed, *errors), answers=told, says=ask.__doc__ or "",
        )  # fmt: skip

    return (
        Route(
            READ,
            f"{path}/connection/check",
            _check,
            {},
            connector_permissions.checking,
            answers=connector_responses.STATUS,
        ),
        Route(READ, f"{path}/connection", _state, {}, anyone, answers=connector_responses.STATE),
        asking(
            "connection",
            connector_permissions.disconnecting,
            _disconnect,
            connector_responses.CODE,
            {
                "isActive": Untyped(
                    "Set to false to end the connection.", required=True, null="keep", check=_exactly_false
                )
            },
            DisconnectFailed,
        ),
        asking(
            "connection/user",
            connector_permissions.unlinking,
            _unlink,
            connector_responses.CODE,
            None,
            NothingToUnlink,
            UnlinkFailed,
        ),
        Route(
            READ,
            f"{path}/connection/data",
            _data,
            {},
            connector_permissions.seeing_data,
            slow=True,
            prepare=_asking(lambda call: connection_accounts.look_up(frame, _open(call), call.work.user)),
            answers=connector_responses.DATA,
        ),
        Route(
            READ,
            f"{path}/connection/plugins",
            _plugins,
            {},
            connector_permissions.choosing_plugins,
            answers=connector_responses.PLUGINS,
        ),
        asking(
            "connection/reconnect",
            connector_permissions.reconnecting,
            _reconnect,
            connector_responses.RECONNECTED,
            None,
            registration.NotRegistered,
        ),
        asking(
            "connection/register",
            connector_permissions.connecting,
            _register,
            connector_responses.REGISTERED,
            {
                "from": String("Where the registration was begun."),
                "redirect_uri": String("Where the browser goes after the authorisation."),
                "plugin_slug": String("The plugin that asks for the connection."),
                "registration_nonce": String("A nonce of the form; application passwords need none."),
            },
        ),
        Route(
            READ,
            f"{path}/connection/authorize_url",
            _authorize_url,
            {"redirect_uri": String("Where the browser goes after the authorisation.")},
            connector_permissions.linking,
            read=False,
            answers=connector_responses.AUTHORIZE,
        ),
        Route(
            CHANGE,
            f"{path}/user-token",
            _user_token,
            {
                "user_token": String("The token, with its account's number.", required=True),
                "is_connection_owner": Boolean("Whether the account owns the connection."),
            },
            connector_permissions.updating_token,
            errors=(TokenMalformed, TokenOfNobody, NotConnected),
            answers=connector_responses.SUCCESS,
        ),
        asking(
            "connection/owner",
            connector_permissions.naming_owner,
            _owner,
            connector_responses.CODE,
            {"owner": Integer("The number of the new owner.", required=True)},
            OwnerNotAdmin,
            OwnerAlready,
            OwnerNotConnected,
            OwnerRefused,
        ),
        Route(
            READ,
            f"{path}/heartbeat/data",
            _heartbeat,
            {"prefix": String("Put before every key.")},
            connector_permissions.checking_heartbeat,
            answers=connector_responses.HEARTBEAT,
        ),
    )


def _told(call: Call) -> Result:
    return Result(call.prepared)


def _asking(ask: Callable[[Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    @contextmanager
    def asked(call: Call) -> Iterator[Any]:
        yield ask(call)

    return asked


def _open(call: Call) -> Open:
    assert call.open is not None
    return call.open


# -- what it is


def _check(call: Call) -> Result:
    """Say that the site is reached; the service asks this to know whether it can call."""
    return Result({"status": "success"})


def _state(call: Call) -> Result:
    """Tell the state of the connection: registered, connected, owned, offline."""
    work: Work = call.work
    offline, owned = connection_state.is_offline(work.frame), connection_state.has_owner(work)
    work.uses("user", "option")
    return Result({
        "isActive": owned, "isStaging": identity.in_crisis(work), "isRegistered": connection_state.is_registered(work),
        "isUserConnected": connection_state.is_connected(work, work.user.id), "hasConnectedOwner": owned,
        "offlineMode": {
            "isActive": offline, "constant": False, "url": offline, "filter": False, "wpLocalConstant": False,
            "option": False,
        },
        "isPublic": bool(work.option("blog_public")),
    })  # fmt: skip


def _data(call: Call) -> Result:
    """Tell how the caller's account is connected, and what it may do with the connection."""
    work: Work = call.work
    user, owner = work.user, connection_state.owner(work)
    names = ("connect", "connect_user", "unlink_user", "disconnect")
    permissions = {name: connector_permissions.may(work, name) for name in names}
    return Result(
        {
            "currentUser": {
                "isConnected": connection_state.is_connected(work, user.id),
                "isMaster": owner is not None and owner.id == user.id,
                "username": user.login,
                "id": user.id,
                "blogId": connection_state.site_id(work) or False,
                "wpcomUser": connection_accounts.shown(work, user),
                "gravatar": avatar(user.email, 96),
                "permissions": {**permissions, "manage_options": user.can("manage_options")},
                "possibleAccountErrors": connection_accounts.errors(work, user),
            },
            "connectionOwner": owner.name if owner is not None else None,
            "isRegistered": connection_state.is_registered(work),
        }
    )


def _plugins(call: Call) -> Result:
    """List the plugins that use the connection."""
    return Result([{"name": name, "slug": slug} for slug, name in introduction.PLUGINS])


def _heartbeat(call: Call) -> Result:
    """Tell the figures of the site that the service gathers once a day."""
    work: Work = call.work
    return Result(heartbeat.numbers(work, call.args.get("prefix") or "") or [])


# -- changing it


def _disconnect(call: Call) -> dict[str, str]:
    """End the site's connection to the service."""
    open = _open(call)
    with open(True) as work:
        if not connection_state.is_registered(work):
            raise DisconnectFailed
    registration.deregister(call.work.frame, open)
    with open(False) as work:
        registration.disconnect(work)
    return {"code": "success"}


def _unlink(call: Call) -> dict[str, str]:
    """End the connection of the caller's own account."""
    if call.raw.get("linked") is not False:
        raise NothingToUnlink
    with _open(call)(False) as work:
        user = work.user
        if user.id == connection_state.owner_id(work):
            if not call.raw.get("disconnect-all-users"):
                raise UnlinkFailed
            authorization.unlink(work, user.id, everybody=True)
        else:
            authorization.unlink(work, user.id)
    return {"code": "success"}


def _reconnect(call: Call) -> dict[str, Any]:
    """Mend the connection: register anew, or ask for a new token, as its state demands."""
    return registration.reconnect(call.work.frame, _open(call), call.work.user)


def _register(call: Call) -> dict[str, Any]:
    """Register the site with the service, and tell where the caller connects the account."""
    open, args = _open(call), call.args
    registration.register(
        call.work.frame, open, call.work.user, source=args.get("from") or "", plugin=args.get("plugin_slug") or ""
    )
    with open(False) as work:
        address = authorization.authorize_url(work, work.user, args.get("redirect_uri") or "", args.get("from") or "")
        return {"alternateAuthorizeUrl": connection_state.get(work, "alternate_url", ""), "authorizeUrl": address}


def _authorize_url(call: Call) -> Result:
    """Tell the address at the service where the caller connects the account."""
    work: Work = call.work
    address = authorization.authorize_url(work, work.user, call.args.get("redirect_uri") or "")
    return Result({"authorizeUrl": address})


def _user_token(call: Call) -> Result:
    """Keep the token of an account that the service sends."""
    work: Work = call.work
    parts = call.args["user_token"].split(".")
    number = whole(parts[-1])
    if len(parts) != 3 or not all(parts) or not number:
        raise TokenMalformed
    account = users.by_id(work.tx, number, users.has_shop(work.frame))
    if account is None:
        raise TokenOfNobody(id=parts[2])
    if not connection_state.is_registered(work):
        raise NotConnected
    connection_state.set_user_token(work, account.id, call.args["user_token"])
    if call.args.get("is_connection_owner"):
        connection_state.put(work, "master_user", account.id)
    connection_accounts.forget(work, account.id)
    remote_errors.clear(work)
    return Result({"success": True})


def _owner(call: Call) -> dict[str, str]:
    """Make another connected administrator the owner of the connection."""
    open, wanted = _open(call), call.args["owner"]
    with open(True) as work:
        found = users.by_id(work.tx, wanted, users.has_shop(work.frame)) if 0 < wanted <= LARGEST else None
        if found is None or not found.can("manage_options"):
            raise OwnerNotAdmin
        if connection_state.owner_id(work) == found.id:
            raise OwnerAlready
        if not connection_state.is_connected(work, found.id):
            raise OwnerNotConnected
        caller = work.user.id
    try:
        connection_remote.ask(call.work.frame, open, "/switch-owner", {"new_owner": found.id}, user=caller)
    except Failed as error:
        raise OwnerRefused(reason=error.text) from error
    with open(False) as work:
        connection_state.put(work, "master_user", found.id)
    return {"code": "success"}
