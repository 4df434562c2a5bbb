"""Routes of connected accounts: how the caller's is connected, linking and unlinking it, tokens, the owner.

Rules: docs/rules/connector.md, 9 and docs/rules/connector_registration.md, 6 and 10.
"""

from __future__ import annotations

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import build_avatar_url
from vetrina.connector import permissions as connector_permissions, responses as connector_responses, stored_values
from vetrina.connector.connection import (
    account_details,
    authorization,
    remote as connection_remote,
    signature_errors,
    state as connection_state,
)
from vetrina.connector.connection.remote import ConnectorServiceFailed
from vetrina.connector.connection.routes import PATH, build_asking_route, build_asking_step, get_open
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.integers import MAX_SAFE_INTEGER, parse_digits
from vetrina.rest.call import Result
from vetrina.rest.fields import Boolean, Integer, String
from vetrina.rest.route import CHANGE, READ, Route


class OwnerNotAdmin(ApiError):
    code = "new_owner_not_admin"
    message = "The owner of the connection must be an administrator."


class AlreadyConnectionOwner(ApiError):
    code = "new_owner_is_existing_owner"
    message = "This account owns the connection already."


class OwnerNotConnected(ApiError):
    code = "new_owner_not_connected"
    message = "This account is not connected. Let it authorise itself first."


class OwnerRefused(ApiError):
    failure, code = Failure.DEPENDENCY_FAILED, "error_setting_new_owner"
    message = "The service did not take the new owner: {reason}"


class UserTokenMalformed(ApiError):
    code = "invalid_argument_user_token"
    message = "A user token has three parts, the last of them the number of its account."


class TokenAccountNotFound(ApiError):
    code = "invalid_argument_user_id"
    message = "There is no account {id}."


class SiteNotConnected(ApiError):
    code = "site_not_connected"
    message = "The site is not registered with the service."


class NothingToUnlink(ApiError):
    failure, code = Failure.NOT_FOUND, "invalid_param"
    message = "Send linked: false to end the link of your account."


class UnlinkFailed(ApiError):
    code = "unlink_user_failed"
    message = "The owner of the connection cannot leave it; send disconnect-all-users to end all links."


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
        user = work.user
        if user.id == connection_state.get_owner_id(work):
            if not call.raw.get("disconnect-all-users"):
                raise UnlinkFailed
            authorization.unlink_account(work, user.id, everybody=True)
        else:
            authorization.unlink_account(work, user.id)
    return {"code": "success"}


def _read_authorize_url(call: Call) -> Result:
    """Return the URL at the service where the caller connects the account."""
    work = call.work
    address = authorization.build_authorize_url(work, work.user, call.args.get("redirect_uri") or "")
    return Result({"authorizeUrl": address})


def _update_user_token(call: Call) -> Result:
    """Store the token of an account that the service sends."""
    work = call.work
    parts = call.args["user_token"].split(".")
    number = parse_digits(parts[-1])
    if len(parts) != 3 or not all(parts) or not number:
        raise UserTokenMalformed
    account = users.find_user(work.tx, number, work.site.roles)
    if account is None:
        raise TokenAccountNotFound(id=parts[2])
    if not connection_state.is_registered(work):
        raise SiteNotConnected
    connection_state.save_user_token(work, account.id, call.args["user_token"])
    if call.args.get("is_connection_owner"):
        stored_values.save_value(work, "master_user", account.id)
    account_details.forget_account_details(work, account.id)
    signature_errors.clear_errors(work)
    return Result({"success": True})


def _update_owner(call: Call) -> dict[str, str]:
    """Make another connected administrator the owner of the connection."""
    open, wanted = get_open(call), call.args["owner"]
    with open(True) as work:
        found = users.find_user(work.tx, wanted, work.site.roles) if 0 < wanted <= MAX_SAFE_INTEGER else None
        if found is None or not found.can("manage_options"):
            raise OwnerNotAdmin
        if connection_state.get_owner_id(work) == found.id:
            raise AlreadyConnectionOwner
        if not connection_state.is_connected(work, found.id):
            raise OwnerNotConnected
        caller = work.user.id
    try:
        connection_remote.request_object(call.work.site, open, "/switch-owner", {"new_owner": found.id}, user=caller)
    except ConnectorServiceFailed as error:
        raise OwnerRefused(reason=error.text) from error
    with open(False) as work:
        stored_values.save_value(work, "master_user", found.id)
    return {"code": "success"}
