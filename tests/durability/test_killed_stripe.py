"""A process killed during a call to Stripe: the card is charged once, and refunded once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import ACCOUNTS, Client, SetClock, Stand
from killed_request import send_killed
from shop.store import Visitor, billing, sold
from stripe_service import SECRET_KEY, WEBHOOK_SECRET, StripeService
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system import job_runner
from vetrina.system.bootstrap import InitialAccount

pytest.importorskip("stripe", reason="the extra `stripe` is not installed")

SETTINGS = Settings(secret="secret of the tests")
ACCOUNT = ("shop_manager", "shop_manager pass word")
CHECKOUT = "/shop/store/v1/checkout"
PAYING = {
    "billing_address": billing(), "payment_method": "stripe",
    "payment_data": [{"key": "stripe_payment_method", "value": "pm_card_visa"}],
}  # fmt: skip


@dataclass
class Shop:
    """A shop that takes cards by Stripe."""

    folder: Path
    stripe: StripeService
    sets: dict[str, Any]
    clock: SetClock
    site: Stand
    manager: Client
    visitor: Visitor

    def send_killed(self, at: str, path: str, body: dict[str, Any], account: tuple[str, ...] = ()) -> None:
        headers = {} if account else self.visitor.headers
        send_killed(
            self.stripe, at, self.folder, SETTINGS, path, body, sets=self.sets, account=account, headers=headers
        )  # fmt: skip

    def work_off(self, seconds: int) -> None:
        self.clock.forward(seconds)
        job_runner.build_consumer(self.site.site.context, self.site.site.database).run_due_jobs()

    def order(self) -> dict[str, Any]:
        [one] = self.manager.get("/shop/v3/orders?status=any").json
        return dict(one)


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stripe")
    manager = InitialAccount("shop_manager", ACCOUNT[0], "shop@example.org", ACCOUNT[1])
    create_stand_in_site(load_profile("second"), [*ACCOUNTS, manager], folder, SETTINGS).close()
    return folder


@pytest.fixture
def shop(founded: Path, tmp_path: Path) -> Iterator[Shop]:
    stripe, clock = StripeService(), SetClock()
    stripe.now = clock.now
    shutil.copy(founded / "site.sqlite", tmp_path / "site.sqlite")
    sets = {"shop_services.stripe": True, "shop_services.stripe_url": stripe.url}
    site = Stand(Site(load_profile("second", sets), SETTINGS, tmp_path, clock=clock))
    manager = Client(site.site, *ACCOUNT)
    told = {"enabled": True, "settings": {"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET}}
    assert manager.put("/shop/v3/payment_gateways/stripe", told).status == 200
    assert manager.put("/shop/v3/settings/products/shop_hold_stock_minutes", {"value": ""}).status == 200
    visitor = Visitor(site)
    visitor.add(sold(manager, "Cup", "10"))
    yield Shop(tmp_path, stripe, sets, clock, site, manager, visitor)
    site.site.close()
    stripe.close()


@pytest.mark.parametrize(
    "at, heals",
    [("before", "job"), ("charged", "job"), ("before", "retry"), ("charged", "retry"), ("charged", "report")],
)
def test_a_checkout_that_is_killed_charges_the_card_once(shop: Shop, at: str, heals: str) -> None:
    shop.send_killed(at, CHECKOUT, PAYING)
    assert shop.order()["status"] == "pending"
    if heals == "retry":
        answer = shop.visitor.post("/checkout", PAYING)
        assert (answer.status, answer.json["payment_result"]["payment_status"]) == (200, "success"), answer.json
    if heals == "report":
        shop.stripe.deliver = lambda body, headers: shop.site.client().post(
            "/shop/v3/payment_gateways/stripe/webhook", body=body,
            headers={"Content-Type": "application/json", **headers},
        )  # fmt: skip
        for event in shop.stripe.events:
            assert shop.stripe.send(event).status == 200
        assert shop.order()["status"] == "processing"
    shop.work_off(3600)
    shop.work_off(3600)
    assert shop.stripe.charged() == [1000]
    [intent] = shop.stripe.intents.values()
    order = shop.order()
    assert (order["status"], order["transaction_id"]) == ("processing", intent["id"])
    assert shop.visitor.get("/cart").json["items_count"] == 0


def test_a_checkout_that_is_killed_is_not_charged_again_days_later(shop: Shop) -> None:
    shop.send_killed("charged", CHECKOUT, PAYING)
    shop.stripe.forget_keys()
    shop.work_off(3 * 86_400)
    assert shop.stripe.charged() == [1000]
    assert shop.order()["status"] == "processing"


@pytest.mark.parametrize("at", ["before", "charged"])
@pytest.mark.parametrize("wait", [3600, 3 * 86_400])
def test_a_refund_that_is_killed_gives_back_once(shop: Shop, at: str, wait: int) -> None:
    assert shop.visitor.post("/checkout", PAYING).json["status"] == "processing"
    path, body = f"/shop/v3/orders/{shop.order()['id']}/refunds", {"amount": "4.00", "reason": "A crack"}
    shop.send_killed(at, path, body, ACCOUNT)
    assert shop.manager.get(path).json == []
    if wait > 86_400:
        shop.stripe.forget_keys()
    shop.work_off(wait)
    shop.work_off(3600)
    assert shop.stripe.given_back() == [400]
    [made] = shop.manager.get(path).json
    assert (made["amount"], made["reason"], made["refunded_payment"]) == ("4.00", "A crack", True)
