"""Routes of connected accounts: how the caller's is connected, linking and unlinking it, tokens, the owner.

Rules: docs/rules/connector.md, 9 and docs/rules/connector_registration.md, 6.
"""

from __future__ import annotations

from vetrina.access.users.avatars import build_avatar_url
from vetrina.connector import permissions as connector_permissions, responses as connector_responses
from vetrina.connector.connection import (
    account_details,
    accounts,
    authorization,
    state as connection_state,
)
from vetrina.connector.connection.accounts import (
    AlreadyConnectionOwner,
    NothingToUnlink,
    OwnerNotAdmin,
    OwnerNotConnected,
    OwnerRefused,
    SiteNotConnected,
    TokenAccountNotFound,
    UnlinkFailed,
    UserTokenMalformed,
)
from vetrina.connector.connection.routes import PATH, build_asking_route, build_asking_step, get_open
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Integer, String
from vetrina.rest.route import CHANGE, READ, Route


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of connected accounts."""
    return (
        Route(
            READ, f"{PATH}/connection/data", _read_data, {}, connector_permissions.require_data_permission, slow=True,
            prepare=build_asking_step(
                lambda call: account_details.fetch_account_details(call.work.site, get_open(call), call.work.user)
            ),
            answers=connector_responses.CONNECTION_DATA,
        ),
        build_asking_route(
            "connection/user",
            connector_permissions.require_unlink_permission,
            _unlink_account,
            connector_responses.CODE,
            None,
            NothingToUnlink,
            UnlinkFailed,
        ),
        Route(
            READ, f"{PATH}/connection/authorize_url", _read_authorize_url,
            {"redirect_uri": String("Where the browser goes after the authorisation.")},
            connector_permissions.require_link_permission, read=False, answers=connector_responses.AUTHORIZE,
        ),
        Route(
            CHANGE, f"{PATH}/user-token", _update_user_token,
            {
                "user_token": String("The token, with its account's number.", required=True),
                "is_connection_owner": Boolean("Whether the account owns the connection."),
            },
            connector_permissions.require_token_update_permission,
            errors=(UserTokenMalformed, TokenAccountNotFound, SiteNotConnected), answers=connector_responses.SUCCESS,
        ),
        build_asking_route(
            "connection/owner",
            connector_permissions.require_owner_change_permission,
            _update_owner,
            connector_responses.CODE,
            {"owner": Integer("The number of the new owner.", required=True)},
            OwnerNotAdmin,
            AlreadyConnectionOwner,
            OwnerNotConnected,
            OwnerRefused,
        ),
    )  # fmt: skip


def _read_data(call: Call) -> Result:
    """Read how the caller's account is connected, and what it may do with the connection."""
    work = call.work
    user, owner = work.user, connection_state.find_owner(work)
    names = ("connect", "connect_user", "unlink_user", "disconnect")
    permissions = {name: connector_permissions.may_use_connection(work, name) for name in names}
    return Result(
        {
            "currentUser": {
                "isConnected": connection_state.is_connected(work, user.id),
                "isMaster": owner is not None and owner.id == user.id,
                "username": user.login,
                "id": user.id,
                "blogId": connection_state.find_site_id(work) or False,
                "wpcomUser": account_details.serialize_connected_account(work, user),
                "gravatar": build_avatar_url(user.email, 96),
                "permissions": {**permissions, "manage_options": user.can("manage_options")},
                "possibleAccountErrors": account_details.list_account_errors(work, user),
            },
            "connectionOwner": owner.name if owner is not None else None,
            "isRegistered": connection_state.is_registered(work),
        }
    )


def _unlink_account(call: Call) -> dict[str, str]:
    """End the connection of the caller's own account."""
    if call.raw.get("linked") is not False:
        raise NothingToUnlink
    with get_open(call)(False) as work:
        accounts.unlink_own_account(work, everybody=bool(call.raw.get("disconnect-all-users")))
    return {"code": "success"}


def _read_authorize_url(call: Call) -> Result:
    """Return the URL at the service where the caller connects the account."""
    work = call.work
    address = authorization.build_authorize_url(work, work.user, call.args.get("redirect_uri") or "")
    return Result({"authorizeUrl": address})


def _update_user_token(call: Call) -> Result:
    """Store the token of an account that the service sends."""
    accounts.replace_user_token(call.work, call.args["user_token"], as_owner=bool(call.args.get("is_connection_owner")))
    return Result({"success": True})


def _update_owner(call: Call) -> dict[str, str]:
    """Make another connected administrator the owner of the connection."""
    accounts.change_owner(call.work.site, get_open(call), call.args["owner"])
    return {"code": "success"}
