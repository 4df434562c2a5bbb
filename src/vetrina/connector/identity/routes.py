"""The identity crisis: its three ways out, and the secret that proves which database an address reaches.

Rules: facts of the connector, 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vetrina.connector import permissions as connector_permissions
from vetrina.connector import responses as connector_responses
from vetrina.connector.connection import registration
from vetrina.connector.connection import state as connection_state
from vetrina.connector.connection.remote import Failed
from vetrina.connector.identity import rules as identity
from vetrina.core.unit_of_work import Frame, Work
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import String
from vetrina.rest.route import CHANGE, READ, Route

__all__ = ["routes"]


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the identity crisis."""
    path = "/connector/v4/identity-crisis"
    return (
        Route(
            CHANGE,
            f"{path}/confirm-safe-mode",
            _confirm,
            {},
            connector_permissions.deciding,
            errors=(identity.AlreadyConfirmed,),
            answers=connector_responses.CODE,
        ),
        Route(
            CHANGE, f"{path}/migrate", _migrate, {}, connector_permissions.deciding, answers=connector_responses.CODE
        ),
        Route(
            CHANGE,
            f"{path}/start-fresh",
            _started,
            {"redirect_uri": String("Where the browser goes after the authorisation.")},
            connector_permissions.deciding,
            slow=True,
            read=True,
            prepare=_start,
            errors=(Failed,),
            answers=connector_responses.ADDRESS,
        ),
        Route(
            READ,
            f"{path}/idc-url-validation",
            _validation,
            {},
            connector_permissions.validating,
            read=False,
            answers=connector_responses.VALIDATION,
        ),
        Route(
            READ,
            f"{path}/url-secret",
            _secret,
            {},
            connector_permissions.validating,
            errors=(identity.NoUrlSecret,),
            answers=connector_responses.KEPT,
        ),
        Route(
            CHANGE,
            f"{path}/compare-url-secret",
            _compare,
            {"secret": String("The secret that the other address told.", required=True)},
            connector_permissions.comparing,
            answers=connector_responses.MATCH,
        ),
    )


def _confirm(call: Call) -> Result:
    """Stay in safe mode: this copy of the site leaves the connection to the other."""
    identity.confirm(call.work)
    return Result({"code": "success"})


def _migrate(call: Call) -> Result:
    """Move the connection to the site's present address."""
    identity.migrate(call.work)
    return Result({"code": "success"})


@contextmanager
def _start(call: Call) -> Iterator[str]:
    assert call.open is not None
    redirect = call.args.get("redirect_uri") or ""
    yield registration.start_fresh(call.work.frame, call.open, call.work.user, redirect)


def _started(call: Call) -> Result:
    """Register this copy of the site as one of its own."""
    return Result(call.prepared)


def _validation(call: Call) -> Result:
    """Tell the site's addresses and a fresh secret, by which the service sees whether they are one site."""
    work: Work = call.work
    home = connection_state.home(work)
    if connection_state.is_offline(work.frame):
        return Result({"home": home, "siteurl": home, "offline_mode": "1"})
    identity.note_requester(work)
    told: dict[str, Any] = {"home": home, "siteurl": home, "url_secret": identity.new_secret(work)}
    if found := identity.requesters(work):
        told["ip_requester"] = found
    return Result(told)


def _secret(call: Call) -> Result:
    """Tell the secret that stands for the site's address."""
    return Result({"code": "success", "data": identity.secret(call.work)})


def _compare(call: Call) -> Result:
    """Compare a secret with the one that stands for the site's address."""
    return Result({"code": "success", "match": identity.compare(call.work, call.args["secret"])})
