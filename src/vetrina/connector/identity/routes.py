"""Routes of an identity crisis: three ways to resolve it, and the secret that proves which database a URL reaches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vetrina.connector import permissions as connector_permissions, responses as connector_responses
from vetrina.connector.connection.remote import ConnectorServiceFailed
from vetrina.connector.identity import fresh_start, rules as identity
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import String
from vetrina.rest.route import CHANGE, READ, Route


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the identity crisis."""
    path = "/connector/v4/identity-crisis"
    return (
        Route(
            CHANGE, f"{path}/confirm-safe-mode", _confirm_safe_mode, {},
            connector_permissions.require_crisis_decision_permission, errors=(identity.SafeModeAlreadyConfirmed,),
            answers=connector_responses.CODE,
        ),
        Route(
            CHANGE, f"{path}/migrate", _migrate_connection, {},
            connector_permissions.require_crisis_decision_permission, answers=connector_responses.CODE,
        ),
        Route(
            CHANGE, f"{path}/start-fresh", _start_fresh,
            {"redirect_uri": String("Where the browser goes after the authorisation.")},
            connector_permissions.require_crisis_decision_permission, slow=True, read=True,
            prepare=_prepare_fresh_start, errors=(ConnectorServiceFailed,), answers=connector_responses.ADDRESS,
        ),
        Route(
            READ, f"{path}/idc-url-validation", _read_validation, {},
            connector_permissions.require_crisis_validation_permission, read=False,
            answers=connector_responses.VALIDATION,
        ),
        Route(
            READ, f"{path}/url-secret", _read_url_secret, {},
            connector_permissions.require_crisis_validation_permission, errors=(identity.UrlSecretNotFound,),
            answers=connector_responses.URL_SECRET,
        ),
        Route(
            CHANGE, f"{path}/compare-url-secret", _compare_url_secret,
            {"secret": String("The secret that the other address told.", required=True)},
            connector_permissions.require_unregistered, answers=connector_responses.SECRET_MATCH,
        ),
    )  # fmt: skip


def _confirm_safe_mode(call: Call) -> Result:
    """Stay in safe mode: this copy of the site leaves the connection to the other."""
    identity.confirm_safe_mode(call.work)
    return Result({"code": "success"})


def _migrate_connection(call: Call) -> Result:
    """Move the connection to the site's present URL."""
    identity.migrate_connection(call.work)
    return Result({"code": "success"})


@contextmanager
def _prepare_fresh_start(call: Call) -> Iterator[str]:
    assert call.open is not None
    redirect = call.args.get("redirect_uri") or ""
    yield fresh_start.start_fresh_connection(call.work.site, call.open, call.work.user, redirect)


def _start_fresh(call: Call) -> Result:
    """Register this copy of the site as a new one."""
    return Result(call.prepared)


def _read_validation(call: Call) -> Result:
    """Return the site's URLs and a new secret, by which the service sees whether they are one site."""
    return Result(identity.build_url_validation(call.work))


def _read_url_secret(call: Call) -> Result:
    """Return the secret that stands for the site's URL."""
    return Result({"code": "success", "data": identity.get_url_secret(call.work)})


def _compare_url_secret(call: Call) -> Result:
    """Compare a secret with the one that stands for the site's URL."""
    return Result({"code": "success", "match": identity.matches_url_secret(call.work, call.args["secret"])})
