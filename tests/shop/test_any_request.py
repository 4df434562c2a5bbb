"""Any request to a route of orders, products and the like is answered without a server error."""

from __future__ import annotations

import random
from typing import Any

import pytest

from conftest import Client, Stand

V3 = "/shop/v3"
HUGE = 2**63 - 1
ODD: list[Any] = [
    None, "", 0, -1, HUGE, 1.5, 1e300, True, "abc", "-3.5", "NaN", "Infinity", "1e400", "0000-00-00T00:00:00",
    "2020-13-45T99:00:00", [], [None], [[]], {}, [{}], [{"id": "x"}], [{"id": HUGE, "quantity": HUGE}],
    [{"id": 1, "total": "NaN"}], [{"id": 1, "refund_total": "1e400"}], [{"product_id": 1, "quantity": 1e300}],
    [{"key": None, "value": {}}], [{"key": [1], "value": 1}], [{"code": None}], [{"code": ["c"]}], "\x00", "é" * 300,
    ["IT", None, 5], {"country": 5}, {"email": []}, [{"name": ["a"], "total": {}}], [{"method_id": [], "total": "1"}],
    [{"attribute": "x", "term": None}], {"cost": {}}, "completed", "trash", "any",
]  # fmt: skip


@pytest.fixture
def places(manager: Client) -> list[tuple[str, str]]:
    """Methods and URLs of existing resources."""

    def made(path: str, **given: Any) -> str:
        answer = manager.post(V3 + path, given)
        assert answer.status in (200, 201), answer.json
        return f"{V3}{path}/{answer.json['id']}"

    product = made("/products", name="Lamp", regular_price="3", manage_stock=True, stock_quantity=4)
    choices = [{"name": "Size", "options": ["a", "b"], "variation": True}]
    above = made("/products", name="Coat", type="variable", attributes=choices)
    part = made(above.removeprefix(V3) + "/variations", regular_price="3")
    line = {"product_id": int(product.rpartition("/")[2]), "quantity": 2}
    order = made("/orders", status="processing", line_items=[line])
    changed = [product, above, part, order, made("/coupons", code="c"), made("/taxes", rate="3")]
    changed += [made("/customers", email="ada@example.com"), made("/shipping/zones", name="Zone")]
    changed += [made("/webhooks", topic="order.created", delivery_url="https://example.com/")]
    lists = [f"{V3}/{name}" for name in ("orders", "products", "coupons", "customers", "taxes", "webhooks")]
    return [
        *(("PUT", path) for path in changed),
        *(("POST", f"{path}/batch") for path in lists),
        *(("POST", path) for path in lists),
        *(("GET", path) for path in [*lists, f"{above}/variations", f"{V3}/reports/sales", f"{V3}/refunds"]),
        ("POST", f"{order}/refunds"), ("POST", f"{order}/notes"), ("POST", f"{order}/receipt"),
        ("POST", f"{order}/actions/send_email"), ("PUT", f"{V3}/settings/general/shop_currency"),
        ("PUT", f"{V3}/payment_gateways/bacs"), ("PUT", f"{changed[7]}/locations"), ("POST", f"{changed[7]}/methods"),
        ("GET", f"{V3}/customers/{HUGE}"), ("GET", f"{V3}/orders/{HUGE}"), ("DELETE", f"{V3}/taxes/{HUGE}"),
    ]  # fmt: skip


@pytest.mark.every_database
def test_no_request_breaks_the_shop(site: Stand, manager: Client, places: list[tuple[str, str]]) -> None:
    chance, broken = random.Random(7), []
    for number in range(700):
        method, path = places[number % len(places)]
        found = site.site.table.find(path, method)
        assert found is not None, path
        names = sorted(found[0].by_method[method].args)
        body = {name: chance.choice(ODD) for name in chance.sample(names, min(len(names), chance.randint(1, 2)))}
        if method == "GET":
            query = {name: value for name, value in body.items() if value != "\x00"}
            answer = manager.get(path, query=query)
        else:
            answer = manager.ask(method, path, json=body)
        if answer.status >= 500 and answer.status != 501:
            broken.append((method, path, body, answer.status))
    assert broken == []
