"""Connected accounts: their tokens, which of them owns the connection, and how one leaves it.

Not here: how an account authorizes the service (connector/connection/authorization.py), its details at the service
(connector/connection/account_details.py). Rules: docs/rules/connector_registration.md, 10.
"""

from __future__ import annotations

from vetrina.access.users import rules as users
from vetrina.connector import stored_values
from vetrina.connector.connection import (
    account_details,
    remote as connection_remote,
    signature_errors,
    state as connection_state,
)
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.integers import MAX_SAFE_INTEGER, parse_digits


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


def save_account_token(open: OpenUnitOfWork, account: User, token: str) -> str:
    """Store the token of an account; the first account with one owns the connection."""
    with open(False) as work:
        first = not connection_state.has_owner(work)
        connection_state.save_user_token(work, account.id, token)
        account_details.forget_account_details(work, account.id)
        if first:
            stored_values.save_value(work, "master_user", account.id)
        signature_errors.clear_errors(work)
    return "authorized" if first else "linked"


def unlink_account(work: UnitOfWork, account: int, everybody: bool = False) -> None:
    """Delete the token of an account; everybody: those of all accounts, and the owner."""
    for one in connection_state.load_user_tokens(work) if everybody else (account,):
        connection_state.save_user_token(work, one, "")
        account_details.forget_account_details(work, one)
    if everybody:
        stored_values.delete_values(work, "master_user")
    signature_errors.clear_errors(work)


def unlink_own_account(work: UnitOfWork, everybody: bool) -> None:
    """End the connection of the caller's account; everybody: of all accounts, where the owner leaves.

    Raises UnlinkFailed where the owner leaves alone.
    """
    user = work.user
    is_owner = user.id == connection_state.get_owner_id(work)
    if is_owner and not everybody:
        raise UnlinkFailed
    unlink_account(work, user.id, everybody=is_owner)


def replace_user_token(work: UnitOfWork, token: str, as_owner: bool) -> None:
    """Store the token of the account that it names, which may become the owner.

    Raises UserTokenMalformed, TokenAccountNotFound, SiteNotConnected.
    """
    parts = token.split(".")
    number = parse_digits(parts[-1])
    if len(parts) != 3 or not all(parts) or not number:
        raise UserTokenMalformed
    account = users.find_user(work.tx, number, work.site.roles)
    if account is None:
        raise TokenAccountNotFound(id=parts[2])
    if not connection_state.is_registered(work):
        raise SiteNotConnected
    connection_state.save_user_token(work, account.id, token)
    if as_owner:
        stored_values.save_value(work, "master_user", account.id)
    account_details.forget_account_details(work, account.id)
    signature_errors.clear_errors(work)


def change_owner(site: SiteContext, open: OpenUnitOfWork, wanted: int) -> None:
    """Make another connected administrator the owner, and tell the service.

    Raises OwnerNotAdmin, AlreadyConnectionOwner, OwnerNotConnected, OwnerRefused.
    """
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
        connection_remote.request_object(site, open, "/switch-owner", {"new_owner": found.id}, user=caller)
    except ConnectorServiceFailed as error:
        raise OwnerRefused(reason=error.text) from error
    with open(False) as work:
        stored_values.save_value(work, "master_user", found.id)
