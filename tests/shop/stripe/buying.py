"""An order that is paid by Stripe, and what stands at Stripe of it."""

from __future__ import annotations

import json
import urllib.request
from typing import Any
from urllib.error import HTTPError

from conftest import Answer, Client, Stand
from shop.store import Visitor, billing, sold
from stripe_service import SECRET_KEY, WEBHOOK_SECRET, StripeService
from vetrina.system import job_runner

GATEWAY = "/shop/v3/payment_gateways/stripe"
DAY = 86_400
SET = {"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET}


class Bought:
    """An order of one cup, paid with one of Stripe's test cards."""

    def __init__(self, site: Stand, manager: Client, card: str = "pm_card_visa", price: str = "10") -> None:
        self.manager, self.visitor = manager, Visitor(site)
        self.visitor.add(sold(manager, "Cup", price))
        self.answer = self.pay(card)
        self.id = self.answer.json.get("order_id")

    def pay(self, card: str) -> Answer:
        data = [{"key": "stripe_payment_method", "value": card}] if card else []
        return self.visitor.pay("stripe", payment_data=data)

    def pay_another_sum(self) -> Answer:
        """Pay the order after the shop has added a dollar to it."""
        fee = {"name": "Parcel", "total": "1.00"}
        assert self.manager.put(f"/shop/v3/orders/{self.id}", {"fee_lines": [fee]}).json["total"] == "11.00"
        paying = {
            "key": self.order()["order_key"], "billing_email": "mara@example.org", "billing_address": billing(),
            "payment_method": "stripe", "payment_data": [{"key": "payment_method", "value": "pm_card_visa"}],
        }  # fmt: skip
        return self.visitor.post(f"/checkout/{self.id}", paying)

    @property
    def result(self) -> dict[str, Any]:
        return dict(self.answer.json["payment_result"])

    def details(self) -> dict[str, str]:
        return {one["key"]: one["value"] for one in self.result["payment_details"]}

    def order(self) -> dict[str, Any]:
        return dict(self.manager.get(f"/shop/v3/orders/{self.id}").json)

    def status(self) -> str:
        return str(self.order()["status"])

    def notes(self) -> str:
        return "\n".join(note["note"] for note in self.manager.get(f"/shop/v3/orders/{self.id}/notes").json)

    def items(self) -> int:
        return int(self.visitor.get("/cart").json["items_count"])

    def refund(self, amount: str, **more: Any) -> Answer:
        return self.manager.post(f"/shop/v3/orders/{self.id}/refunds", {"amount": amount, **more})

    def refunds(self) -> list[tuple[str, str]]:
        found = self.manager.get(f"/shop/v3/orders/{self.id}/refunds").json
        return [(one["amount"], one["reason"]) for one in reversed(found)]


def work_off(site: Stand) -> None:
    """Run the jobs that are due, with the outbound client of this site."""
    job_runner.build_consumer(site.site.context, site.site.database).run_due_jobs()


def intent_of(stripe: StripeService) -> dict[str, Any]:
    return list(stripe.intents.values())[-1]


def session_of(stripe: StripeService) -> dict[str, Any]:
    return list(stripe.sessions.values())[-1]


def bank(bought: Bought, result: str) -> str:
    """Act on the bank's page as a customer does, and return the URL that it leads back to."""
    leads = bought.result["redirect_url"]
    assert json.loads(urllib.request.urlopen(leads).read()) == {"page": "Is it you who pays?"}

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *told: Any) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(f"{leads}?result={result}")
    except HTTPError as error:
        error.close()
        return str(error.headers["Location"])
    raise AssertionError("the bank leads nowhere")
