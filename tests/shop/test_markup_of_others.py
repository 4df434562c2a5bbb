"""Markup by shop managers and visitors, as other visitors and clients read it: none of it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Client, Stand
from markup_judge import dangers

from .store import HOME, STORE, Visitor, billing, payable, sold

SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
HIDDEN = [
    '<img src=x title="[playlist x" class=\']\' alt=" onerror=alert(1) ">',
    '<img src=x alt="\nhttp://x.y/a.mp3\n onerror=alert(1) ">',
    "[embed]jav&#x09;ascript:alert(1)[/embed]",
    "[caption width=100 caption=\"<b title='\" ]<code>' onclick=alert(1) </code><i>x</i>[/caption]",
]


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a response with its path."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from texts(item, f"{path}.{name}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from texts(item, f"{path}[{at}]")
    elif isinstance(value, str):
        yield path, value


def faults(value: Any) -> list[tuple[str, str]]:
    found = [(path, text) for path, text in texts(value) if dangers(text)]
    return found + [(path, text) for path, text in texts(value) if text.lower().startswith("javascript:")]


def product(text: str) -> dict[str, Any]:
    return {
        "name": f"P {text}", "description": text, "short_description": text, "regular_price": "5",
        "purchase_note": text, "button_text": text, "external_url": "javascript:alert(1)", "slug": text,
        "weight": text, "dimensions": {"length": text}, "tax_class": text, "shipping_class": text,
        "attributes": [{"name": f"A {text}", "options": [f"o {text}", text], "visible": True}],
        "downloads": [{"name": text, "file": "http://x/a.pdf"}],
    }  # fmt: skip


@pytest.mark.parametrize("text", [SCRIPT, *HIDDEN])
def test_what_a_manager_writes_of_goods_runs_nowhere(site: Stand, manager: Client, text: str) -> None:
    term = manager.post("/shop/v3/products/categories", {"name": f"C {text}", "description": text, "slug": text})
    tag = manager.post("/shop/v3/products/tags", {"name": f"T {text}", "description": text})
    manager.post("/shop/v3/products/attributes", {"name": f"A {text}"[:28]})
    for kind in ("simple", "external"):
        given = product(text) | {
            "type": kind,
            "sku": f"{kind} {text}",
            "categories": [{"id": term.json["id"]}],
            "tags": [{"id": tag.json["id"]}],
        }
        made = manager.post("/shop/v3/products", given)
        while made.status == 400 and isinstance(made.json["data"].get("params"), dict):
            given = {name: value for name, value in given.items() if name not in made.json["data"]["params"]}
            made = manager.post("/shop/v3/products", given)
        assert made.status == 201, made.json
    anyone = site.client()
    for path in ("", "/categories", "/tags", "/attributes"):
        assert faults(anyone.get(f"{STORE}/products{path}").json) == []
        assert faults(manager.get(f"/shop/v3/products{path}", query={"context": "view"}).json) == []
    id = anyone.get(f"{STORE}/products", query={"type": "simple"}).json[0]["id"]
    assert faults(Visitor(site).add(id).json) == []


def test_what_a_manager_sets_runs_in_no_cart(site: Stand, manager: Client) -> None:
    zone = manager.post("/shop/v3/shipping/zones", {"name": SCRIPT}).json["id"]
    path = f"/shop/v3/shipping/zones/{zone}/methods"
    method = manager.post(path, {"method_id": "flat_rate"}).json["instance_id"]
    assert manager.put(f"{path}/{method}", {"settings": {"title": SCRIPT, "cost": "5"}}).status == 200
    manager.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": "US", "type": "country"}])
    manager.post("/shop/v3/taxes", {"country": "US", "rate": "10", "name": SCRIPT, "class": SCRIPT})
    manager.post("/shop/v3/taxes", {"country": "US", "rate": "10", "name": SCRIPT})
    manager.post("/shop/v3/taxes/classes", {"name": SCRIPT})
    manager.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    payable(manager)
    gateway = {"title": SCRIPT, "description": SCRIPT, "settings": {"title": SCRIPT, "instructions": SCRIPT}}
    manager.put("/shop/v3/payment_gateways/cheque", gateway)
    manager.post("/shop/v3/coupons", {"code": "c", "amount": "1", "description": SCRIPT})
    manager.post("/shop/v3/coupons", {"code": SCRIPT, "amount": "1"})
    visitor = Visitor(site)
    product = sold(manager)
    assert visitor.add(product).status == 201
    visitor.post("/cart/apply-coupon", {"code": "c"})
    visitor.post("/cart/update-customer", {"billing_address": billing(), "shipping_address": HOME})
    cart = visitor.get("/cart").json
    assert cart["shipping_rates"], cart
    assert cart["totals"]["tax_lines"]
    assert faults(cart) == []
    paid = visitor.pay(customer_note=f"ring twice\n{SCRIPT} 1 < 2")
    assert paid.status == 200, paid.json
    assert paid.json["customer_note"] == "ring twice\n 1 &lt; 2"
    order = f"/shop/v3/orders/{paid.json['order_id']}"
    lines = {
        "fee_lines": [{"name": SCRIPT, "total": "1"}], "shipping_lines": [{"method_title": SCRIPT, "method_id": "x"}],
        "line_items": [{"name": SCRIPT, "product_id": product, "quantity": 1}], "customer_note": SCRIPT,
        "payment_method_title": SCRIPT, "transaction_id": SCRIPT,
    }  # fmt: skip
    assert manager.put(order, lines).status == 200
    manager.post(f"{order}/notes", {"note": SCRIPT, "customer_note": True})
    key = manager.get(order).json["order_key"]
    query = {"key": key, "billing_email": "mara@example.org"}
    seen = site.client().get(f"{STORE}/order/{paid.json['order_id']}", query=query)
    assert seen.status == 200, seen.json
    assert faults(seen.json) == []
    assert faults(manager.get(order).json) == []
    assert faults(manager.get(f"{order}/notes").json) == []
    for path in (
        "coupons",
        "taxes",
        "taxes/classes",
        "shipping/zones",
        "payment_gateways",
        f"shipping/zones/{zone}/methods",
    ):
        assert faults(manager.get(f"/shop/v3/{path}").json) == [], path
