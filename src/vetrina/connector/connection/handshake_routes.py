"""Routes that the service calls while a site or an account is being connected: verification, and four `remote_*` ones.

Errors of those four have a number as their code and the word in their message. Rules:
docs/rules/connector_registration.md, 5 and 9; docs/rules/connector.md, 7 (the code stays a number, the status is a
client error).
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from vetrina.connector import permissions as connector_permissions, responses as connector_responses
from vetrina.connector.connection import (
    authorization,
    registration,
    secrets as connection_secrets,
    signature_errors,
    state as connection_state,
)
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.connector.connection.secrets import SecretRefused
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import Field, String
from vetrina.rest.route import CHANGE, WRITE, Route, allow_anyone

_BARE = -10520  # the code of an error without its own number


class HandshakeStepRefused(ApiError):
    """A step that the service requested failed; the message contains the code word."""

    code = "400"
    codes = ("400", "404", str(_BARE))
    failures = (Failure.INVALID, Failure.NOT_FOUND)
    message = "Connector: [{word}] {reason}"

    def __init__(self, word: str, reason: str, failure: Failure = Failure.INVALID, code: int | None = None) -> None:
        super().__init__(word=html.escape(word), reason=html.escape(reason))
        self.number = code or failure
        self.failure = failure

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.number}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the handshake."""
    path = "/connector/v4"

    def remote(name: str, allow: Callable[[Call], None], work: Callable[[Call], Any], told: Field) -> Route:
        return Route(
            CHANGE, f"{path}/{name}", _return_prepared, {}, allow, slow=True, read=True,
            prepare=_build_handshake_step(work), errors=(HandshakeStepRefused,), answers=told,
            summary=work.__doc__ or "",
        )  # fmt: skip

    return (
        Route(
            WRITE, f"{path}/verify_xmlrpc_error", _verify_error,
            {"nonce": String("The nonce that the service was told.", required=True)}, answers=connector_responses.IS_SO,
        ),
        Route(
            CHANGE, f"{path}/verify_registration", _verify_registration, {}, connector_permissions.require_no_owner,
            errors=(SecretRefused,), answers=connector_responses.SECRET,
        ),
        remote("remote_authorize", allow_anyone, _authorize_account, connector_responses.RESULT),
        remote(
            "remote_provision",
            connector_permissions.require_provision_permission,
            _provision_account,
            connector_responses.PROVISION,
        ),
        remote(
            "remote_register",
            connector_permissions.require_remote_register_permission,
            _register_site,
            connector_responses.CLIENT,
        ),
        remote(
            "remote_connect",
            connector_permissions.require_remote_connect_permission,
            _connect_account,
            connector_responses.IS_SO,
        ),
    )  # fmt: skip


def _return_prepared(call: Call) -> Result:
    return Result(call.prepared)


def _build_handshake_step(work: Callable[[Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    @contextmanager
    def done(call: Call) -> Iterator[Any]:
        try:
            found = work(call)
        except ConnectorServiceFailed as error:
            raise HandshakeStepRefused(error.told, error.text, code=_BARE) from error
        yield found

    return done


def _get_open(call: Call) -> OpenUnitOfWork:
    assert call.open is not None
    return call.open


def _verify_error(call: Call) -> Result:
    """Confirm to the service, by a nonce, that this site reported an error."""
    return Result(signature_errors.verify_error(call.work, call.args["nonce"]))


def _verify_registration(call: Call) -> Result:
    """Confirm to the service that this site requested its registration."""
    found = connection_secrets.verify_secret_pair(
        call.work, connection_secrets.REGISTER, call.raw.get("secret_1"), call.raw.get("state")
    )
    if isinstance(found, SecretRefused):
        # Returned, not raised: the pair is used up, and that must be committed.
        return build_error_result(found)
    return Result(found)


def _get_named_account(call: Call) -> User:
    """Return the account named in a request."""
    named = call.raw.get("local_user")
    if named in (None, ""):
        raise HandshakeStepRefused("local_user_missing", "Name an account in local_user.")
    with _get_open(call)(True) as work:
        found = authorization.find_account(work, named)
    if found is None:
        raise HandshakeStepRefused("input_error", "There is no such account.")
    return found


def _authorize_account(call: Call) -> dict[str, Any]:
    """Accept from the service that an account has been connected, and fetch its token."""
    site, open, given = call.work.site, _get_open(call), call.raw
    for name in ("secret", "state", "redirect_uri", "code"):
        if not given.get(name):
            raise HandshakeStepRefused("missing_parameter", f"{name} is missing.")
    with open(True) as work:
        number = str(given["state"])
        account = authorization.find_account(work, int(number)) if number.isdecimal() and len(number) < 16 else None
        connected = account is not None and connection_state.is_connected(work, account.id)
    if account is None:
        raise HandshakeStepRefused("user_unknown", "There is no such account.", Failure.NOT_FOUND)
    if connected:
        raise HandshakeStepRefused("already_connected", "The account is connected already.")
    with open(False) as work:
        found = connection_secrets.verify_secret_pair(
            work, connection_secrets.AUTHORIZE, given["secret"], given["state"]
        )
    if isinstance(found, SecretRefused):
        raise HandshakeStepRefused(found.told, found.text)
    if given.get("error"):
        raise HandshakeStepRefused(str(given["error"])[:100], "The account was not authorised.")
    result = authorization.authorize_account(site, open, account, str(given["code"]), str(given["redirect_uri"]))
    return {"result": result}


def _provision_account(call: Call) -> dict[str, Any]:
    """Return the secrets with which the service connects an account."""
    open, work = _get_open(call), call.work
    account = work.user if connector_permissions.may_use_connection(work, "connect_user") else _get_named_account(call)
    with open(False) as writing:
        return authorization.build_provision_data(writing, account)


def _register_site(call: Call) -> dict[str, Any]:
    """Register the site at the request of the service."""
    site, open = call.work.site, _get_open(call)
    account = _get_named_account(call)
    nonce = call.raw.get("nonce")
    if not nonce:
        raise HandshakeStepRefused("nonce_missing", "nonce is missing.")
    if not isinstance(nonce, str) or not authorization.is_valid_nonce(site, open, nonce):
        raise HandshakeStepRefused("invalid_nonce", "The service does not know this nonce.")
    with open(True) as work:
        known = connection_state.is_registered(work)
    if not known or call.raw.get("force"):
        registration.register_site(site, open, account, source=str(call.raw.get("from") or ""))
    with open(True) as work:
        return {"client_id": connection_state.find_site_id(work)}


def _connect_account(call: Call) -> bool:
    """Fetch the token of an account named by the service."""
    open = _get_open(call)
    with open(True) as work:
        if connection_state.has_owner(work):
            raise HandshakeStepRefused("already_connected", "The connection has an owner already.")
    nonce = call.raw.get("nonce")
    account = _get_named_account(call)
    if not isinstance(nonce, str) or not nonce:
        raise HandshakeStepRefused("input_error", "nonce is missing.")
    authorization.connect_by_nonce(call.work.site, open, account, nonce)
    return True
