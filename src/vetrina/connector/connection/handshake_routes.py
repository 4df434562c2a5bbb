"""What the service calls while a site or an account is being connected: verification and the four `remote_*` routes.

Failures of those four have a number as their code and the word in their text. Rules: facts of the connector, 3, 6, 8;
OVERRIDES, 6 and 7: a number stays the code, the status is one of the client's.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from vetrina.access.users.model import User
from vetrina.connector import permissions as connector_permissions
from vetrina.connector import responses as connector_responses
from vetrina.connector.connection import (
    authorization,
    registration,
    remote_errors,
)
from vetrina.connector.connection import (
    secrets as connection_secrets,
)
from vetrina.connector.connection import (
    state as connection_state,
)
from vetrina.connector.connection.remote import Failed, Open
from vetrina.connector.connection.secrets import SecretRefused
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Field, String
from vetrina.rest.route import CHANGE, WRITE, Route, anyone

__all__ = ["routes"]

_BARE = -10520  # the number of a failure that has none of its own


class RemoteRefused(ApiError):
    """A step that the service asked for failed; the text names the word for it."""

    code = "400"
    message = "Connector: [{word}] {reason}"

    def __init__(self, word: str, reason: str, number: int = 400) -> None:
        super().__init__(word=html.escape(word), reason=html.escape(reason))
        self.number = number
        self.answer_status = 404 if number == 404 else 400

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.number}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the handshake."""
    path = "/connector/v4"

    def remote(name: str, allow: Callable[[Call], None], work: Callable[[Call], Any], told: Field) -> Route:
        return Route(
            CHANGE, f"{path}/{name}", _told, {}, allow, slow=True, read=True, prepare=_step(work),
            errors=(RemoteRefused,), answers=told, says=work.__doc__ or "",
        )  # fmt: skip

    return (
        Route(
            WRITE,
            f"{path}/verify_xmlrpc_error",
            _verify_error,
            {"nonce": String("The nonce that the service was told.", required=True)},
            answers=connector_responses.TAKEN,
        ),
        Route(
            CHANGE,
            f"{path}/verify_registration",
            _verify,
            {},
            connector_permissions.gone_with_owner,
            errors=(SecretRefused,),
            answers=connector_responses.SECRET,
        ),
        remote("remote_authorize", anyone, _authorize, connector_responses.RESULT),
        remote("remote_provision", connector_permissions.provisioning, _provision, connector_responses.PROVISION),
        remote("remote_register", connector_permissions.registering_remotely, _register, connector_responses.CLIENT),
        remote("remote_connect", connector_permissions.fetching_user, _connect, connector_responses.TAKEN),
    )


def _told(call: Call) -> Result:
    return Result(call.prepared)


def _step(work: Callable[[Call], Any]) -> Callable[[Call], AbstractContextManager[Any]]:
    @contextmanager
    def done(call: Call) -> Iterator[Any]:
        try:
            found = work(call)
        except Failed as error:
            raise RemoteRefused(error.told, error.text, _BARE) from error
        yield found

    return done


def _open(call: Call) -> Open:
    assert call.open is not None
    return call.open


def _verify_error(call: Call) -> Result:
    """Prove to the service, by a nonce, that a failure it was told of is the site's own."""
    return Result(remote_errors.verify(call.work, call.args["nonce"]))


def _verify(call: Call) -> Result:
    """Prove to the service that the site itself asked to be registered."""
    found = connection_secrets.verified(
        call.work, connection_secrets.REGISTER, call.raw.get("secret_1"), call.raw.get("state")
    )
    if isinstance(found, SecretRefused):
        # Answered, not raised: the pair is used up, and that must be kept.
        return Result(found.body(), found.answer_status)
    return Result(found)


def _wanted(call: Call) -> User:
    """Return the account that a request names."""
    named = call.raw.get("local_user")
    if named in (None, ""):
        raise RemoteRefused("local_user_missing", "Name an account in local_user.")
    with _open(call)(True) as work:
        found = authorization.wanted_account(work, named)
    if found is None:
        raise RemoteRefused("input_error", "There is no such account.")
    return found


def _authorize(call: Call) -> dict[str, Any]:
    """Take the service's word that an account has been connected, and fetch its token."""
    frame, open, given = call.work.frame, _open(call), call.raw
    for name in ("secret", "state", "redirect_uri", "code"):
        if not given.get(name):
            raise RemoteRefused("missing_parameter", f"{name} is missing.")
    with open(True) as work:
        number = str(given["state"])
        account = authorization.wanted_account(work, int(number)) if number.isdecimal() and len(number) < 16 else None
        connected = account is not None and connection_state.is_connected(work, account.id)
    if account is None:
        raise RemoteRefused("user_unknown", "There is no such account.", 404)
    if connected:
        raise RemoteRefused("already_connected", "The account is connected already.")
    with open(False) as work:
        found = connection_secrets.verified(work, connection_secrets.AUTHORIZE, given["secret"], given["state"])
    if isinstance(found, SecretRefused):
        raise RemoteRefused(found.told, found.text)
    if given.get("error"):
        raise RemoteRefused(str(given["error"])[:100], "The account was not authorised.")
    result = authorization.authorize(frame, open, account, str(given["code"]), str(given["redirect_uri"]))
    return {"result": result}


def _provision(call: Call) -> dict[str, Any]:
    """Tell the service the secrets that connect an account."""
    open, work = _open(call), call.work
    account = work.user if connector_permissions.may(work, "connect_user") else _wanted(call)
    with open(False) as writing:
        return authorization.provision(writing, account)


def _register(call: Call) -> dict[str, Any]:
    """Register the site because the service asks for it."""
    frame, open = call.work.frame, _open(call)
    account = _wanted(call)
    nonce = call.raw.get("nonce")
    if not nonce:
        raise RemoteRefused("nonce_missing", "nonce is missing.")
    if not isinstance(nonce, str) or not authorization.nonce_is_good(frame, open, nonce):
        raise RemoteRefused("invalid_nonce", "The service does not know this nonce.")
    with open(True) as work:
        known = connection_state.is_registered(work)
    if not known or call.raw.get("force"):
        registration.register(frame, open, account, source=str(call.raw.get("from") or ""))
    with open(True) as work:
        return {"client_id": connection_state.site_id(work)}


def _connect(call: Call) -> bool:
    """Fetch the token of an account that the service names."""
    open = _open(call)
    with open(True) as work:
        if connection_state.has_owner(work):
            raise RemoteRefused("already_connected", "The connection has an owner already.")
    nonce = call.raw.get("nonce")
    account = _wanted(call)
    if not isinstance(nonce, str) or not nonce:
        raise RemoteRefused("input_error", "nonce is missing.")
    authorization.connect_by_nonce(call.work.frame, open, account, nonce)
    return True
