"""A fake of Stripe: payment intents, 3-D Secure, refunds, disputes and signed webhooks, over HTTP on this machine.

It does what Stripe's documentation says of the parts that a shop uses: the same idempotency key gets the same response
(and with another request an error), test cards behave as their names say, money moves once.
Source: Stripe's documentation, "API reference", "Testing", "Idempotent requests", "Webhook signatures".
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

SECRET_KEY = "sk_test_of_the_tests"
WEBHOOK_SECRET = "whsec_of_the_tests"
DECLINES = {
    "pm_card_visa_chargeDeclined": ("generic_decline", "Your card was declined."),
    "pm_card_visa_chargeDeclinedInsufficientFunds": ("insufficient_funds", "Your card has insufficient funds."),
}
CARDS = (
    "pm_card_visa",
    "pm_card_threeDSecure2Required",
    "pm_card_pendingRefund",
    "pm_card_refundFail",
    "pm_usBankAccount",
    *DECLINES,
)
SMALLEST, LARGEST = 50, 99_999_999
SESSIONS = "/v1/checkout/sessions"

Json = dict[str, Any]
Deliver = Callable[[bytes, dict[str, str]], Any]


class Refusal(Exception):
    def __init__(self, status: int, type: str, message: str, **more: Any) -> None:
        self.status, self.error = status, {"type": type, "message": message, **more}


class StripeService:
    """The state of Stripe, and faults for its clients.

    faults: of the next writes, one each: `500` before anything is done, `lost` when all is done and the connection
    breaks. meets: called with "before" and "charged" of each, while the client waits. deliver: receives a webhook; it
    is called for each event as it happens where `automatic` is set. now: the time that it signs with. leads_to: where
    readers are redirected, instead of a response.
    """

    def __init__(self) -> None:
        self.intents: dict[str, Json] = {}
        self.sessions: dict[str, Json] = {}
        self.refunds: dict[str, Json] = {}
        self.disputes: dict[str, Json] = {}
        self.events: list[Json] = []
        self.requests: list[tuple[str, str, dict[str, str], dict[str, str]]] = []
        self.answered: dict[str, tuple[str, int, Json]] = {}
        self.faults: list[str] = []
        self.automatic = False
        self.leads_to = ""
        self.now: Callable[[], int] = lambda: int(time.time())
        self.deliver: Deliver = lambda body, headers: None
        self.meets: Callable[[str], None] = lambda moment: None
        self._lock = threading.RLock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    # -- what tests do and ask

    def charged(self) -> list[int]:
        """Return what was paid, in units."""
        return [one["amount"] for one in self.intents.values() if one["status"] == "succeeded"]

    def given_back(self) -> list[int]:
        """Return what was refunded, in units."""
        return [one["amount"] for one in self.refunds.values() if one["status"] in ("succeeded", "pending")]

    def forget_keys(self) -> None:
        """Delete the idempotency keys, as Stripe does after a day."""
        self.answered.clear()

    def last(self, type: str) -> Json:
        """Return the last event of a type."""
        return next(event for event in reversed(self.events) if event["type"] == type)

    def send(self, event: Json, *, secret: str = WEBHOOK_SECRET, at: int | None = None) -> Any:
        """Send a signed event to the shop, and return its response."""
        body = json.dumps(event).encode()
        return self.deliver(body, {"Stripe-Signature": signature(body, secret, self.now() if at is None else at)})

    def move(self, intent: Json, status: str, message: str = "") -> None:
        """Complete a payment without the customer."""
        intent["status"], intent["next_action"] = status, None
        if status == "succeeded":
            intent["amount_received"], intent["latest_charge"] = intent["amount"], self._id("ch")
        if message:
            intent["last_payment_error"] = {"type": "card_error", "message": message}
        names = {"requires_payment_method": "payment_failed"}  # other events are named like the status
        self.happens(f"payment_intent.{names.get(status, status)}", intent)

    def refund_by_hand(self, intent: Json, amount: int) -> Json:
        """Refund as an owner does at Stripe itself."""
        refund = self._refunded(intent, amount, {})
        refund["reason"] = "requested_by_customer"
        self.happens("charge.refunded", {"id": intent["latest_charge"], "object": "charge", "amount_refunded": amount})
        self.happens("refund.created", refund)
        return refund

    def end_refund(self, refund: Json, status: str) -> None:
        refund["status"] = status
        if status == "failed":
            refund["failure_reason"] = "expired_or_canceled_card"
        self.happens("refund.failed" if status == "failed" else "refund.updated", refund)

    def dispute(self, intent: Json, amount: int | None = None) -> Json:
        made = {
            "id": self._id("dp"), "object": "dispute", "payment_intent": intent["id"],
            "charge": intent["latest_charge"], "amount": intent["amount"] if amount is None else amount,
            "currency": intent["currency"], "reason": "fraudulent", "status": "needs_response",
            "evidence_details": {"due_by": 1_900_000_000},
        }  # fmt: skip
        self.disputes[made["id"]] = made
        self.happens("charge.dispute.created", made)
        self.happens("charge.dispute.funds_withdrawn", made)
        return made

    def decide(self, dispute: Json, status: str) -> None:
        dispute["status"] = status
        self.happens("charge.dispute.closed", dispute)
        if status == "won":
            self.happens("charge.dispute.funds_reinstated", dispute)

    def happens(self, type: str, thing: Json) -> None:
        event = {
            "id": self._id("evt"), "object": "event", "type": type, "livemode": False,
            "data": {"object": json.loads(json.dumps(thing))},
        }  # fmt: skip
        self.events.append(event)
        if self.automatic:
            self.send(event)

    # -- what Stripe does

    def answer(self, method: str, path: str, sent: dict[str, str], headers: dict[str, str]) -> tuple[int, Json]:
        if headers.get("authorization") != f"Bearer {SECRET_KEY}":
            raise Refusal(401, "invalid_request_error", "Invalid API Key provided: sk_****")
        if method == "GET":
            return 200, self._read(path, sent)
        key = headers["idempotency-key"]
        asked = json.dumps([path, sorted(sent.items())])
        with self._lock:
            if key in self.answered:
                before, status, body = self.answered[key]
                if before != asked:
                    raise Refusal(400, "idempotency_error", "Keys for idempotent requests can only be used with …")
                return status, body
            try:
                if path.startswith(SESSIONS):
                    made = self._end_session(path.split("/")[-2]) if path.endswith("/expire") else self._session(sent)
                elif path.endswith("/cancel"):
                    made = self._call_off(path.split("/")[-2])
                else:
                    made = self._pay(sent) if path == "/v1/payment_intents" else self._give_back(sent)
                found = 200, json.loads(json.dumps(made))
            except Refusal as refusal:
                found = refusal.status, {"error": refusal.error}
            self.answered[key] = (asked, *found)
            return found

    def _read(self, path: str, sent: dict[str, str]) -> Json:
        id = path.rpartition("/")[2]
        if id == "search":
            wanted = re.fullmatch(r"metadata\['(\w+)'\]:'(\w+)'", sent["query"])
            assert wanted, sent
            found = [one for one in self.intents.values() if one["metadata"].get(wanted[1]) == wanted[2]]
            return {"object": "search_result", "data": found, "has_more": False, "url": path}
        if id == "refunds":
            found = [one for one in self.refunds.values() if one["payment_intent"] == sent["payment_intent"]]
            return {"object": "list", "data": found[::-1], "has_more": False, "url": path}
        if path.startswith(SESSIONS):
            assert sent == {"expand[0]": "payment_intent"}, sent
            session = self.sessions[id]
            return {**session, "payment_intent": self.intents.get(session["payment_intent"])}
        if id not in self.intents:
            raise Refusal(404, "invalid_request_error", f"No such payment_intent: {id!r}", code="resource_missing")
        return self.intents[id]

    def _session(self, sent: dict[str, str]) -> Json:
        """Open a page of Stripe's own on which a buyer pays."""
        id, price = self._id("cs_test"), "line_items[0][price_data]"
        held = {name.removeprefix("payment_intent_data"): value for name, value in sent.items()}
        session: Json = {
            "id": id, "object": "checkout.session", "url": f"{self.url}/hosted/{id}", "status": "open",
            "payment_status": "unpaid", "amount_total": int(sent[f"{price}[unit_amount]"]),
            "currency": sent[f"{price}[currency]"], "metadata": _metadata(sent), "payment_intent": None,
            "return_url": sent["success_url"], "intent_metadata": _metadata({
                name[1:].replace("]", "", 1): value for name, value in held.items() if name.startswith("[metadata]")
            }),
        }  # fmt: skip
        _check_amount(session["amount_total"], session["currency"])
        self.sessions[id] = session
        return session

    def pay_session(self, session: Json, method: str = "pm_card_visa") -> str:
        """Pay on Stripe's page, and return where it leads the buyer then; empty where they stay to try again."""
        with contextlib.suppress(Refusal):
            intent = self._pay(
                {
                    "amount": str(session["amount_total"]), "currency": session["currency"], "payment_method": method,
                    "return_url": session["return_url"],
                    **{f"metadata[{name}]": value for name, value in session["intent_metadata"].items()},
                }
            )  # fmt: skip
            paid = "paid" if intent["status"] == "succeeded" else "unpaid"
            session.update(status="complete", payment_status=paid, payment_intent=intent["id"], url=None)
            self.happens("checkout.session.completed", session)
            return str(session["return_url"])
        return ""

    def end_debit(self, session: Json, *, paid: bool) -> None:
        """Tell what became of a debit, days after the buyer was on Stripe's page."""
        self.move(self.intents[session["payment_intent"]], "succeeded" if paid else "requires_payment_method", "No.")
        session["payment_status"] = "paid" if paid else "unpaid"
        self.happens(f"checkout.session.async_payment_{'succeeded' if paid else 'failed'}", session)

    def _end_session(self, id: str) -> Json:
        session = self.sessions[id]
        if session["status"] != "open":
            said = f'Only Checkout Sessions with a status in ["open"] can be expired; it is {session["status"]}.'
            raise Refusal(400, "invalid_request_error", said)
        session.update(status="expired", url=None)
        self.happens("checkout.session.expired", session)
        return session

    def _pay(self, sent: dict[str, str]) -> Json:
        amount, method = int(sent["amount"]), sent["payment_method"]
        if method not in CARDS:
            raise Refusal(400, "invalid_request_error", f"No such PaymentMethod: {method!r}", code="resource_missing")
        _check_amount(amount, sent["currency"])
        id = self._id("pi")
        intent: Json = {
            "id": id, "object": "payment_intent", "amount": amount, "amount_received": 0,
            "currency": sent["currency"], "metadata": _metadata(sent), "client_secret": f"{id}_secret",
            "payment_method": method, "next_action": None, "last_payment_error": None, "latest_charge": None,
            "return_url": sent["return_url"], "cancellation_reason": None, "status": "requires_confirmation",
        }  # fmt: skip
        self.intents[id] = intent
        if method in DECLINES:
            code, message = DECLINES[method]
            self.move(intent, "requires_payment_method", message)
            raise Refusal(402, "card_error", message, code="card_declined", decline_code=code, payment_intent=intent)
        if method == "pm_card_threeDSecure2Required":
            intent["status"] = "requires_action"
            leads = {"url": f"{self.url}/3ds/{id}", "return_url": sent["return_url"]}
            intent["next_action"] = {"type": "redirect_to_url", "redirect_to_url": leads}
            self.happens("payment_intent.requires_action", intent)
        else:
            self.move(intent, "processing" if method == "pm_usBankAccount" else "succeeded")
        return intent

    def _call_off(self, id: str) -> Json:
        intent = self.intents[id]
        if intent["status"] in ("succeeded", "canceled", "processing"):
            said = f"You cannot cancel this PaymentIntent because it has a status of {intent['status']}."
            raise Refusal(400, "invalid_request_error", said, code="payment_intent_unexpected_state")
        self.move(intent, "canceled")
        return intent

    def _give_back(self, sent: dict[str, str]) -> Json:
        intent, amount = self.intents[sent["payment_intent"]], int(sent["amount"])
        if any(one["payment_intent"] == intent["id"] and one["status"] == "needs_response"
               for one in self.disputes.values()):  # fmt: skip
            raise Refusal(400, "invalid_request_error", "This charge was disputed.", code="charge_disputed")
        gone = [one["amount"] for one in self.refunds.values()
                if one["payment_intent"] == intent["id"] and one["status"] != "failed"]  # fmt: skip
        if amount > intent["amount_received"] - sum(gone):
            raise Refusal(400, "invalid_request_error", "Refund amount is greater than unrefunded amount on charge")
        refund = self._refunded(intent, amount, _metadata(sent))
        self.happens("refund.created", refund)
        return refund

    def _refunded(self, intent: Json, amount: int, metadata: dict[str, str]) -> Json:
        refund = {
            "id": self._id("re"), "object": "refund", "payment_intent": intent["id"], "charge": intent["latest_charge"],
            "amount": amount, "currency": intent["currency"], "metadata": metadata, "reason": None,
            "status": "pending" if intent["payment_method"] == "pm_card_pendingRefund" else "succeeded",
        }  # fmt: skip
        self.refunds[refund["id"]] = refund
        return refund

    def _id(self, kind: str) -> str:
        many = len(self.intents) + len(self.refunds) + len(self.disputes) + len(self.events)
        return f"{kind}_{hashlib.sha256(f'{kind}{many}{id(self)}'.encode()).hexdigest()[:24]}"


def signature(body: bytes, secret: str, at: int) -> str:
    """Return the value of `Stripe-Signature`; at: seconds since 1970."""
    made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={made}"


def _check_amount(amount: int, currency: str) -> None:
    if not SMALLEST <= amount <= LARGEST and currency == "usd":
        word = "at least $0.50 usd" if amount < SMALLEST else "no more than $999,999.99"
        raise Refusal(400, "invalid_request_error", f"Amount must be {word}", code="amount_too_small")


def _metadata(sent: dict[str, str]) -> dict[str, str]:
    return {name[9:-1]: value for name, value in sent.items() if name.startswith("metadata[")}


def _handler(service: StripeService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path.startswith("/hosted/"):
                self._take_payment(service.sessions[parts.path.removeprefix("/hosted/")], parse_qs(parts.query))
            elif parts.path.startswith("/3ds/"):
                self._authenticate(parts.path.removeprefix("/3ds/"), parse_qs(parts.query))
            else:
                self._answer("GET", parts.path, dict(parse_qsl(parts.query)))

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
            service.meets("before")
            fault = service.faults.pop(0) if service.faults else ""
            if fault == "500":
                self._write(500, {"error": {"type": "api_error", "message": "An error on our side."}})
            else:
                self._answer("POST", self.path, sent, lost=fault == "lost")

        def _answer(self, method: str, path: str, sent: dict[str, str], lost: bool = False) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.requests.append((method, path, sent, headers))
            try:
                status, body = service.answer(method, path, sent, headers)
            except Refusal as refusal:
                status, body = refusal.status, {"error": refusal.error}
            if method == "GET" and service.leads_to:
                self.send_response(307)
                self.send_header("Location", service.leads_to + path)
                self.end_headers()
                return
            if method == "POST":
                service.meets("charged")
            if lost:
                self.close_connection = True
                return
            self._write(status, body)

        def _take_payment(self, session: Json, query: dict[str, list[str]]) -> None:
            """Stripe's page: `?pay` is its button."""
            if "pay" in query:
                self.send_response(303)
                self.send_header("Location", service.pay_session(session))
                self.end_headers()
            else:
                page = b'<!doctype html><title>Stripe</title><h1>Pay by card</h1><p><a href="?pay=1">Pay</a></p>'
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

        def _authenticate(self, id: str, query: dict[str, list[str]]) -> None:
            """The page of a bank: `?result=complete` or `fail` says what its customer does."""
            intent, result = service.intents[id], query.get("result", [""])[0]
            if result:
                said = "We are unable to authenticate your payment method."
                done = result == "complete"
                service.move(intent, "succeeded" if done else "requires_payment_method", "" if done else said)
                self.send_response(303)
                self.send_header("Location", f"{intent['return_url']}&payment_intent={id}&redirect_status={result}")
                self.end_headers()
            else:
                self._write(200, {"page": "Is it you who pays?"})

        def _write(self, status: int, body: Json) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(text)))):
                self.send_header(name, value)
            self.send_header("Request-Id", "req_of_the_tests")
            with contextlib.suppress(OSError):  # some of its clients are killed
                self.end_headers()
                self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
