"""Stripe's own library, restricted to our HTTP client and without telemetry.

Imported late: it is large, and an extra of the package (`stripe`). Every request goes through `OutboundClient`, so that
time, bytes and networks are limited, and nothing about this server is sent. The library does not retry: callers do,
with the key of the payment. Not here: requests and their effects (shop/payments/stripe/gateway.py), reports
(shop/payments/stripe/events.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import stripe
from stripe import StripeObject

from vetrina.backends.http_client import OutboundClient
from vetrina.backends.http_client_urls import OutboundError

API_VERSION: Final = "2026-10-28.endive"  # of Stripe's API, against which the fields read here were checked
_TIMEOUT_SECONDS: Final = 30.0  # for a whole call; a bank may take its time
_MAX_RESPONSE_BYTES: Final = 1 << 20
_SENT_HEADERS: Final = frozenset({"authorization", "content-type", "idempotency-key", "stripe-version"})

_log = logging.getLogger(__name__)
# It would log requests and responses, and write an id of this machine to disk and send it to Stripe.
logging.getLogger("stripe").setLevel(logging.WARNING)
stripe.enable_telemetry = False


class StripeDeclined(Exception):
    """Stripe declined, finally. message: the reason, for the buyer. reference: of the payment, where there is one."""

    def __init__(self, message: str, reference: str = "") -> None:
        super().__init__(message)
        self.message, self.reference = message, reference


class StripeKeyRefused(Exception):
    """Stripe does not accept the secret key, or its permissions do not suffice."""


class _StripeHTTPClient(stripe.HTTPClient):
    """The library's HTTP client, on top of our own."""

    name = "vetrina"

    def __init__(self, outbound: OutboundClient) -> None:
        super().__init__()
        self._outbound = outbound

    def request(
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Any = None, *,
        _usage: list[str] | None = None,
    ) -> tuple[str, int, Mapping[str, str]]:  # fmt: skip
        sent = {name: value for name, value in (headers or {}).items() if name.lower() in _SENT_HEADERS}
        body = post_data.encode() if isinstance(post_data, str) else b""
        try:
            reply = self._outbound.ask(method.upper(), url, body=body, headers=sent)
        except OutboundError as error:
            # The constructors of Stripe's errors are untyped.
            raise stripe.APIConnectionError(str(error)) from error  # type: ignore[no-untyped-call]
        return reply.body.decode(errors="replace"), reply.status, reply.headers

    def close(self) -> None:
        """Do nothing: there is no open connection."""


def build_stripe_client(url: str, secret_key: str, outbound: OutboundClient) -> stripe.StripeClient:
    """Return a client of Stripe. url: scheme, host and port of its API, as the operator wrote them.

    Raises StripeKeyRefused where the key cannot be one.
    """
    if not (secret_key.isascii() and secret_key.isprintable()):
        raise StripeKeyRefused("it has letters that no key has")
    guarded = _StripeHTTPClient(
        outbound.with_allowed_servers(url, seconds=_TIMEOUT_SECONDS, most_bytes=_MAX_RESPONSE_BYTES)
    )
    return stripe.StripeClient(
        secret_key, stripe_version=API_VERSION, base_addresses={"api": url}, max_network_retries=0, http_client=guarded
    )


def call_stripe(call: Callable[[], StripeObject]) -> dict[str, Any]:
    """Return Stripe's reply to a call as JSON data.

    Raises StripeDeclined, StripeKeyRefused; any other exception means that the outcome is unknown.
    """
    try:
        return call().to_dict()
    except (stripe.CardError, stripe.InvalidRequestError) as error:
        raise StripeDeclined(error.user_message or "Stripe gave no reason.", _find_payment_reference(error)) from error
    except (stripe.AuthenticationError, stripe.PermissionError) as error:
        raise StripeKeyRefused(error.user_message) from error


def _find_payment_reference(error: stripe.StripeError) -> str:
    """Return the reference of a payment that was begun and declined."""
    body = error.json_body if isinstance(error.json_body, dict) else {}
    error_data = body.get("error")
    intent = error_data.get("payment_intent") if isinstance(error_data, dict) else None
    return str(intent.get("id") or "") if isinstance(intent, dict) else ""


def is_stripe_signed(body: bytes, header: str, secret: str) -> bool:
    """Return whether Stripe signed a report, compared in constant time; `t` in the header has its time."""
    try:
        # Not its `construct_event`, which uses the machine's clock; ours is passed in.
        return bool(stripe.WebhookSignature.verify_header(body, header, secret, tolerance=None))
    except (stripe.SignatureVerificationError, ValueError, TypeError):
        return False
