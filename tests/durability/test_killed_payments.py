"""A process killed during a call to a gateway: the money moves once, and the order is updated."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import ACCOUNTS, Client, SetClock, Stand
from gateway_package import Bank, installed, write_package
from killed_request import send_killed
from shop.store import Visitor, billing, sold
from vetrina import modules
from vetrina.settings import Settings, load_profile
from vetrina.shop.payments import gateways
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system import job_runner
from vetrina.system.bootstrap import InitialAccount

SECRET = "secret of the tests"
PASSWORD = "shop_manager pass word"


@dataclass
class Shop:
    """A shop that is paid by the gateway of the guide."""

    folder: Path
    bank: Bank
    clock: SetClock
    site: Stand
    manager: Client
    visitor: Visitor

    def killed(self, at: str, path: str, body: dict[str, Any], account: tuple[str, ...] = ()) -> None:
        """Send a request from a process that is killed at a given point of the call to the gateway."""
        headers = {} if account else self.visitor.headers
        send_killed(
            self.bank, at, self.folder, Settings(secret=SECRET), path, body, account=account, headers=headers
        )  # fmt: skip

    def work_off(self) -> None:
        self.clock.forward(600)  # several times stay within the hour that an order may wait for its money
        job_runner.build_consumer(self.site.site.context, self.site.site.database).run_due_jobs()

    def order(self) -> dict[str, Any]:
        [one] = self.manager.get("/shop/v3/orders?status=any").json
        return dict(one)


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("payments")
    manager = InitialAccount("shop_manager", "shop_manager", "shop@example.org", PASSWORD)
    create_stand_in_site(load_profile("second"), [*ACCOUNTS, manager], folder, Settings(secret=SECRET)).close()
    return folder


@pytest.fixture
def shop(founded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    bank, clock = Bank(), SetClock()
    shutil.copy(founded / "site.sqlite", tmp_path / "site.sqlite")
    monkeypatch.setenv("TALLERO_API", bank.url)
    with installed(tmp_path):
        yield from _opened(tmp_path, bank, clock)
    bank.close()


def _opened(folder: Path, bank: Bank, clock: SetClock) -> Iterator[Shop]:
    site = Stand(Site(load_profile("second"), Settings(secret=SECRET), folder, clock=clock))
    manager = Client(site.site, "shop_manager", PASSWORD)
    told = {"enabled": True, "settings": {"secret_key": "sk_1", "report_secret": "rs_1"}}
    assert manager.put("/shop/v3/payment_gateways/tallero", told).status == 200
    visitor = Visitor(site)
    visitor.add(sold(manager, "Cup", "10"))
    yield Shop(folder, bank, clock, site, manager, visitor)
    site.site.close()


PAYING = {"billing_address": billing(), "payment_method": "tallero"}


@pytest.mark.parametrize("at", ["before", "charged"])
@pytest.mark.parametrize("heals", ["job", "retry"])
def test_a_checkout_that_is_killed_pays_once(shop: Shop, at: str, heals: str) -> None:
    shop.killed(at, "/shop/store/v1/checkout", PAYING)
    assert shop.order()["status"] == "pending"
    assert shop.visitor.get("/cart").json["items_count"] == 1
    if heals == "retry":
        answer = shop.visitor.post("/checkout", PAYING)
        assert (answer.status, answer.json["payment_result"]["payment_status"]) == (200, "success"), answer.json
    shop.work_off()
    shop.work_off()
    assert shop.bank.amounts("payments") == ["10.00"]
    order = shop.order()
    assert (order["status"], order["transaction_id"]) == ("processing", "payments-0")
    assert shop.visitor.get("/cart").json["items_count"] == 0


@pytest.mark.parametrize("at", ["before", "charged"])
@pytest.mark.parametrize("heals", ["job", "retry"])
def test_a_refund_that_is_killed_gives_back_once(shop: Shop, at: str, heals: str) -> None:
    assert shop.visitor.post("/checkout", PAYING).json["status"] == "processing"
    path, body = f"/shop/v3/orders/{shop.order()['id']}/refunds", {"amount": "4.00", "reason": "A crack"}
    shop.killed(at, path, body, ("shop_manager", PASSWORD))
    assert shop.manager.get(path).json == []
    # An amount that is being refunded is not available to others.
    assert shop.manager.post(path, {"amount": "7.00", "api_refund": False}).status == 400
    if heals == "retry":
        assert shop.manager.post(path, body).status == 201
    shop.work_off()
    shop.work_off()
    assert shop.bank.amounts("refunds") == ["4.00"]
    [made] = shop.manager.get(path).json
    assert (made["amount"], made["reason"], made["refunded_payment"]) == ("4.00", "A crack", True)
    assert made["refunded_by"] != 0


def test_a_gateway_that_does_not_answer_is_asked_again(shop: Shop) -> None:
    shop.bank.is_down = True
    answer = shop.visitor.post("/checkout", PAYING)
    assert (answer.status, answer.json["payment_result"]["payment_status"]) == (200, "pending")
    assert shop.visitor.get("/cart").json["items_count"] == 1
    shop.bank.is_down = False
    shop.work_off()
    assert shop.bank.amounts("payments") == ["10.00"]
    assert shop.order()["status"] == "processing"
    assert shop.visitor.get("/cart").json["items_count"] == 0


def test_a_report_that_comes_before_the_answer_counts_when_its_number_is_known(shop: Shop) -> None:
    told = {"event": "evt_1", "state": "succeeded", "id": "payments-0", "amount": "10.00", "currency": "USD"}
    body = json.dumps(told).encode()
    signature = hmac.new(b"rs_1", body, hashlib.sha256).hexdigest()
    headers = {"Content-Type": "application/json", "X-Tallero-Signature": signature}
    path, received = "/shop/v3/payment_gateways/tallero/webhook", []

    def report(moment: str) -> None:
        if moment == "charged":
            received.append(shop.site.client().post(path, body=body, headers=headers).json)

    shop.bank.state, shop.bank.meets = "open", report
    answer = shop.visitor.post("/checkout", PAYING)
    assert received == [{"received": True}]
    assert (answer.json["status"], answer.json["payment_result"]["payment_status"]) == ("processing", "success")


def test_a_gateway_that_was_uninstalled_loses_no_money(shop: Shop) -> None:
    shop.bank.is_down = True
    assert shop.visitor.post("/checkout", PAYING).json["payment_result"]["payment_status"] == "pending"
    (shop.folder / "vetrina_tallero-1.0.dist-info" / "entry_points.txt").unlink()
    gateways.load_packaged_gateways.cache_clear()
    modules.declare_routes.cache_clear()
    shop.bank.is_down = False
    shop.work_off()
    assert shop.order()["status"] == "pending"
    # A call that fails now is repeated when possible.
    write_package(shop.folder)
    gateways.load_packaged_gateways.cache_clear()
    modules.declare_routes.cache_clear()
    for _ in range(3):
        shop.work_off()
    assert shop.bank.amounts("payments") == ["10.00"]
    assert shop.order()["status"] == "processing"


def test_a_button_that_is_pressed_twice_pays_once(shop: Shop) -> None:
    answers: list[Any] = []

    def meets(moment: str) -> None:
        if moment == "before" and not answers:
            answers.append(None)
            answers[0] = shop.visitor.post("/checkout", PAYING)

    shop.bank.meets = meets
    answers.append(shop.visitor.post("/checkout", PAYING))
    assert [answer.json["payment_result"]["payment_status"] for answer in answers] == ["success", "success"]
    assert shop.bank.amounts("payments") == ["10.00"]
    assert shop.order()["status"] == "processing"
    assert shop.visitor.get("/cart").json["items_count"] == 0
