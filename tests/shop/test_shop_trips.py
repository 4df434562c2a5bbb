"""How often a write in the shop waits for a database server."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client
from recorded_trips import prepare_trips

ORDERS = "/shop/v3/orders"

pytestmark = pytest.mark.in_process("it counts what that process sends")


@pytest.fixture
def kind() -> str:
    return "postgresql"


def test_an_order_waits_for_what_it_has_to_know(monkeypatch: pytest.MonkeyPatch, manager: Client) -> None:
    product = {"name": "A lamp", "regular_price": "12.00", "status": "publish"}
    lines = [{"product_id": manager.post("/shop/v3/products", product).json["id"], "quantity": 1}]
    order: dict[str, Any] = {"billing": {"first_name": "Ada", "email": "ada@example.com"}, "line_items": lines}
    for _ in range(3):
        assert manager.post(ORDERS, order).status == 201
    trips = prepare_trips(monkeypatch)
    with trips() as log:
        assert manager.post(ORDERS, order).status == 201
    assert len(log) == 13
