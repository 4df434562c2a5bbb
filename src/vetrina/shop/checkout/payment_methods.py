"""What a cart may be paid with: the gateways that are on, cash on delivery only where the shipping allows it.

Rules: docs/rules/checkout.md, 2. Not here: placing the order (shop/checkout/rules.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.cart.totals import CartTotals
from vetrina.shop.payments import gateways
from vetrina.shop.payments.gateways import ConfiguredGateway

CASH_ON_DELIVERY: Final = "cod"


def is_external_method(work: UnitOfWork, method: str | None) -> bool:
    """Return whether a payment method calls an external service, which needs the transaction closed."""
    return any(
        one.gateway.id == method and one.gateway.service is not None for one in gateways.list_enabled_gateways(work)
    )


def list_payment_methods(work: UnitOfWork, counted: CartTotals) -> list[ConfiguredGateway]:
    """Return the payment methods available for a cart."""
    return [one for one in gateways.list_enabled_gateways(work) if _is_method_available(one, counted)]


def _is_method_available(method: ConfiguredGateway, counted: CartTotals) -> bool:
    if method.gateway.id != CASH_ON_DELIVERY:
        return True
    if not counted.needs_shipping:
        return method.values.get("enable_for_virtual") != "no" or not counted.lines
    wanted = method.values.get("enable_for_methods") or ()
    chosen = counted.chosen
    return not wanted or (chosen is not None and bool({chosen.id, chosen.method.kind} & set(wanted)))
