"""Calls to the service: signed, bounded, with an error code for every failure.

A call is made outside every transaction: what it needs is read before, and its result stored after. The response may
say that the service has another URL for the site (stored by connector/identity/rules.py). Not here: which hosts may be
reached at all (backends/http_client.py). Rules: docs/rules/connector_signatures.md, 5 and
docs/rules/connector_registration.md, 4.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final
from urllib.parse import quote, urlencode

import orjson

from vetrina.backends.http_client import OutboundResponse
from vetrina.backends.http_client_urls import OutboundError
from vetrina.connector import stored_values
from vetrina.connector.connection import signing, state as connection_state
from vetrina.connector.connection.introduction import VERSION
from vetrina.connector.identity import rules as identity
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import generate_letters

OpenUnitOfWork = Callable[[bool], AbstractContextManager[UnitOfWork]]  # (read only) -> a unit of work of its own

_NONCE: Final = 10


class ConnectorServiceFailed(ApiError):
    """The service cannot be reached, or its response cannot be used; `code` says which."""

    failure = Failure.DEPENDENCY_FAILED
    code = "register_http_request_failed"
    message = "{reason}"

    def __init__(self, code: str, reason: str, status: int = 0) -> None:
        super().__init__(reason=reason or code, data={"number": status} if status else None)
        self.told = code

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.told}


def get_service_address(site: SiteContext) -> str:
    """Return the URL of the service, without a trailing slash."""
    return site.profile.connector.service_url.rstrip("/")


def send_request(
    site: SiteContext,
    open: OpenUnitOfWork,
    path: str,
    body: Any = None,
    *,
    user: int | None = None,
    method: str = "POST",
    query: dict[str, Any] | None = None,
    unreachable: str = "register_http_request_failed",
) -> OutboundResponse:
    """Return the response of the service to a call.

    user: whose token signs: 0 for the site's own, an account id; None for an unsigned call.
    unreachable: the error code where the service cannot be reached. Raises ConnectorServiceFailed.
    """
    with open(True) as work:
        call = prepare_request(work, path, body, user=user, method=method, query=query, unreachable=unreachable)
    reply = call()
    _record_answer(open, reply)
    return reply


def prepare_request(
    work: UnitOfWork, path: str, body: Any = None, *, user: int | None = None, method: str = "POST",
    query: dict[str, Any] | None = None, unreachable: str = "register_http_request_failed",
) -> Callable[[], OutboundResponse]:  # fmt: skip
    """Return a call that needs no transaction; it may raise ConnectorServiceFailed, as does this without a service."""
    site = work.site
    if connection_state.is_offline(site):
        raise ConnectorServiceFailed(
            unreachable, "No service can be asked: the site's profile sets no connector.service_url."
        )
    value = body if user is None else signing.stringify_scalars(body)
    content = b"" if body is None else body if isinstance(body, bytes) else orjson.dumps(value)
    sent = {**identity.build_address_parameters(work), **(query or {})}
    token = (
        ""
        if user is None
        else connection_state.get_user_token(work, user)
        if user
        else connection_state.get_site_token(work)
    )
    now = work.now + int(stored_values.get_value(work, "time_diff", 0))
    url = f"{get_service_address(site)}{path}?{urlencode(sent, quote_via=quote)}"
    headers = {"Accept": "application/json", **({"Content-Type": "application/json"} if content else {})}
    if user is not None:
        url = signing.sign_url(url, token, user, method, content, timestamp=now, nonce=generate_letters(_NONCE))
        headers["Authorization"] = signing.build_authorization(url, VERSION)
    config = site.profile.connector

    def call() -> OutboundResponse:
        try:
            outbound = site.outbound.with_allowed_servers(
                get_service_address(site), seconds=config.seconds, most_bytes=config.answer_bytes
            )
            return outbound.ask(method, url, body=content, headers=headers)
        except OutboundError as error:
            raise ConnectorServiceFailed(unreachable, f"The service cannot be asked: {error}") from error

    return call


def request_object(
    site: SiteContext, open: OpenUnitOfWork, path: str, body: Any = None, **words: Any
) -> dict[str, Any]:
    """Return the JSON object that the service responds with. Raises ConnectorServiceFailed."""
    return parse_reply(send_request(site, open, path, body, **words))


def parse_reply(reply: OutboundResponse) -> dict[str, Any]:
    """Return the JSON object of a response. Raises ConnectorServiceFailed with the service's own code if it refused."""
    answer = _decode_json(reply)
    if reply.status >= 500:
        raise ConnectorServiceFailed(f"wpcom_5{'?' * 2}", f"The service answered {reply.status}.", reply.status)
    if reply.status == 408:
        raise ConnectorServiceFailed("wpcom_408", "The service gave up waiting for this site.", 408)
    if isinstance(answer, dict) and answer.get("error"):
        raise ConnectorServiceFailed(
            str(answer["error"])[:100], str(answer.get("error_description", ""))[:300], reply.status
        )
    if reply.status != 200 or not isinstance(answer, dict):
        raise ConnectorServiceFailed(
            "wpcom_bad_response", f"The service answered {reply.status} and nothing that helps.", reply.status
        )
    return answer


def _decode_json(reply: OutboundResponse) -> Any:
    try:
        return orjson.loads(reply.body)
    except orjson.JSONDecodeError:
        return None


def _record_answer(open: OpenUnitOfWork, reply: OutboundResponse) -> None:
    """Store what a response says about the site's URL."""
    answer = _decode_json(reply)
    if isinstance(answer, dict) and ("idc_detected" in answer or "migrated_for_idc" in answer):
        with open(False) as work:
            identity.record_address_answer(work, answer)
