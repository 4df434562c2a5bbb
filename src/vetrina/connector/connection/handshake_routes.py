"""Routes that the service calls while a site or an account is being connected: verification, and four `remote_*` ones.

Rules: docs/rules/connector_registration.md, 5 and 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from vetrina.connector import permissions as connector_permissions, responses as connector_responses
from vetrina.connector.connection import (
    authorization,
    registration,
    secrets as connection_secrets,
    signature_errors,
)
from vetrina.connector.connection.handshake_errors import BARE, HandshakeStepRefused
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.connector.connection.secrets import SecretRefused
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import Field, String
from vetrina.rest.route import CHANGE, WRITE, Route, allow_anyone


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
            raise HandshakeStepRefused(error.told, error.text, code=BARE) from error
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


def _authorize_account(call: Call) -> dict[str, Any]:
    """Accept from the service that an account has been connected, and fetch its token."""
    result = authorization.accept_authorization(call.work.site, _get_open(call), call.raw)
    return {"result": result}


def _provision_account(call: Call) -> dict[str, Any]:
    """Return the secrets with which the service connects an account."""
    open, work = _get_open(call), call.work
    account = (
        work.user
        if connector_permissions.may_use_connection(work, "connect_user")
        else authorization.get_named_account(open, call.raw.get("local_user"))
    )
    with open(False) as writing:
        return authorization.build_provision_data(writing, account)


def _register_site(call: Call) -> dict[str, Any]:
    """Register the site at the request of the service."""
    open, given = _get_open(call), call.raw
    account = authorization.get_named_account(open, given.get("local_user"))
    site_id = registration.register_as_requested(
        call.work.site, open, account, given.get("nonce"), again=bool(given.get("force")),
        source=str(given.get("from") or ""),
    )  # fmt: skip
    return {"client_id": site_id}


def _connect_account(call: Call) -> bool:
    """Fetch the token of an account named by the service."""
    authorization.connect_named_account(
        call.work.site, _get_open(call), call.raw.get("local_user"), call.raw.get("nonce")
    )
    return True
