"""Stripe's own library, made to ask by our client and to tell nobody else anything.

Loaded late: it is large, and an extra of the package (`stripe`). Every request goes through `Outbound`, so that time,
bytes and networks are bounded, and nothing of this server goes along. The library retries nothing: who asks again
decides that, by the key of the payment. Not here: what is asked and what follows (shop/payments/stripe/gateway.py),
what Stripe reports (shop/payments/stripe/events.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import stripe
from stripe import StripeObject

from vetrina.backends.http_client import Outbound, OutboundError

__all__ = ["API_VERSION", "Declined", "KeyRefused", "ask", "client", "is_signed"]

API_VERSION: Final = "2026-10-28.endive"  # of the interface that the fields which we read were checked against
_SECONDS: Final = 30.0  # for a whole call; a bank may take its time
_ANSWER_BYTES: Final = 1 << 20
_SENT: Final = frozenset({"authorization", "content-type", "idempotency-key", "stripe-version"})

_log = logging.getLogger(__name__)
# It would write what it sends and gets into the log, and a number of this machine to its own disk and to Stripe.
logging.getLogger("stripe").setLevel(logging.WARNING)
stripe.enable_telemetry = False


class Declined(Exception):
    """Stripe says no, for good. message: why, for the buyer. reference: of the payment, where there is one."""

    def __init__(self, message: str, reference: str = "") -> None:
        super().__init__(message)
        self.message, self.reference = message, reference


class KeyRefused(Exception):
    """Stripe does not know the secret key, or it may not do this."""


class _Guarded(stripe.HTTPClient):
    """The library's way to the network, by our own client."""

    name = "vetrina"

    def __init__(self, outbound: Outbound) -> None:
        super().__init__()
        self._outbound = outbound

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None,
        post_data: Any = None,
        *,
        _usage: list[str] | None = None,
    ) -> tuple[str, int, Mapping[str, str]]:
        sent = {name: value for name, value in (headers or {}).items() if name.lower() in _SENT}
        body = post_data.encode() if isinstance(post_data, str) else b""
        try:
            reply = self._outbound.ask(method.upper(), url, body=body, headers=sent)
        except OutboundError as error:
            # Stripe leaves the constructors of its errors without types.
            raise stripe.APIConnectionError(str(error)) from error  # type: ignore[no-untyped-call]
        return reply.body.decode(errors="replace"), reply.status, reply.headers

    def close(self) -> None:
        """Do nothing: no connection is kept."""


def client(url: str, secret_key: str, outbound: Outbound) -> stripe.StripeClient:
    """Return a client of Stripe. url: scheme, host and port of its interface, as the operator wrote them.

    Raises KeyRefused where the key cannot be one.
    """
    if not (secret_key.isascii() and secret_key.isprintable()):
        raise KeyRefused("it has letters that no key has")
    guarded = _Guarded(outbound.allowing(url, seconds=_SECONDS, most_bytes=_ANSWER_BYTES))
    return stripe.StripeClient(
        secret_key, stripe_version=API_VERSION, base_addresses={"api": url}, max_network_retries=0, http_client=guarded
    )


def ask(call: Callable[[], StripeObject]) -> dict[str, Any]:
    """Return what Stripe answers to a call, as JSON has it.

    Raises Declined, KeyRefused; any other exception says that nobody knows what happened.
    """
    try:
        return call().to_dict()
    except (stripe.CardError, stripe.InvalidRequestError) as error:
        raise Declined(error.user_message or "Stripe gave no reason.", _reference(error)) from error
    except (stripe.AuthenticationError, stripe.PermissionError) as error:
        raise KeyRefused(error.user_message) from error


def _reference(error: stripe.StripeError) -> str:
    """Return the number of the payment that was begun and refused."""
    body = error.json_body if isinstance(error.json_body, dict) else {}
    told = body.get("error")
    intent = told.get("payment_intent") if isinstance(told, dict) else None
    return str(intent.get("id") or "") if isinstance(intent, dict) else ""


def is_signed(body: bytes, header: str, secret: str) -> bool:
    """Say whether Stripe signed a report; in constant time. How old it is may be asked of `t` in the header."""
    try:
        # Not its `construct_event`: that judges the time by the machine's clock, ours is handed in.
        return bool(stripe.WebhookSignature.verify_header(body, header, secret, tolerance=None))
    except (stripe.SignatureVerificationError, ValueError, TypeError):
        return False
