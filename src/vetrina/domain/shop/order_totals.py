"""What the items of an order come to: taxes for where it goes, one tax line a rate, and the order's own figures.

The arithmetic is in totals.py; here is which rates hold for which item. Not here: what a client wrote (order_lines.py).
Rules: facts, "Tax": by the shipping address unless the shop says otherwise, without any address the shop's own place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.domain.work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError

from . import order, settings, tax_classes, tax_rates, taxes, totals
from .order import COUPON, FEE, LINE, SHIPPING, TAX, Item, Order
from .order_lines import rules_of, shop_place
from .taxes import Rate

__all__ = ["AmountTooLarge", "counted", "place_of", "rates_for", "taxable"]

_INHERIT: Final = "inherit"


class AmountTooLarge(ApiError):
    """Nothing that is sold costs so much, and no column holds it."""

    code = "shop_rest_order_amount_too_large"
    message = "An amount of this order is {amount} or more; lower a quantity or a total."


def place_of(work: Work, of: Order) -> taxes.Place:
    """Return the place whose rates hold for an order."""
    basis = settings.shop_option(work, "shop_tax_based_on")
    if basis == "base":
        return shop_place(work)
    first, second = of.shipping_address, of.billing
    address = second if basis == "billing" or not first.get("country") else first
    if not address.get("country"):
        return shop_place(work)
    return taxes.Place(
        address["country"], address.get("state", ""), address.get("postcode", ""), address.get("city", "")
    )


def taxable(work: Work) -> bool:
    """Say whether the shop takes taxes at all."""
    return settings.is_on(work, "shop_calc_taxes")


def rates_for(work: Work, item: Item, place: taxes.Place, lines: Iterable[Item]) -> tuple[Rate, ...]:
    """Return the rates that an item is taxed by."""
    if item.tax_status != "taxable" and item.kind != SHIPPING:
        return ()
    every = tax_rates.at(work, place)
    if item.kind == SHIPPING:
        rates = taxes.rates_at(every, place, _shipping_class(work, lines))
        return tuple(rate for rate in rates if rate.shipping) if item.tax_status == "taxable" else ()
    return taxes.rates_at(every, place, item.tax_class)


def counted(work: Work, of: Order, items: Sequence[Item]) -> tuple[Order, list[Item]]:
    """Return an order with its figures, and its items with their taxes and one tax line for each rate.

    Raises AmountTooLarge.
    """
    rules = rules_of(work, of.prices_include_tax)
    lines = [item for item in items if item.kind == LINE]
    if taxable(work):
        place = place_of(work, of)
        rates = {item.id: rates_for(work, item, place, lines) for item in items if item.kind in (LINE, SHIPPING, FEE)}
        items = [_taxed(item, rates.get(item.id, ()), rules) for item in items]
        known = {rate.id: rate for found in rates.values() for rate in found}
        items = _with_tax_lines(work, of, items, known, rules)
    out = totals.figures(
        [totals.Line(one.subtotal, one.total, one.subtotal_taxes, one.taxes) for one in items if one.kind == LINE],
        [totals.Charge(one.total, one.taxes) for one in items if one.kind == FEE],
        [totals.Charge(one.total, one.taxes) for one in items if one.kind == SHIPPING],
        rules,
    )
    amounts = (out.total, *(amount for one in items for amount in (one.subtotal, one.total, one.total_tax)))
    if any(abs(amount) >= money.LARGEST for amount in amounts):
        raise AmountTooLarge(amount=f"{money.LARGEST:f}")
    figured = msgspec.structs.replace(
        of, discount=out.discount, discount_tax=out.discount_tax, shipping=out.shipping, shipping_tax=out.shipping_tax,
        cart_tax=out.cart_tax, total=out.total, total_tax=out.total_tax,
    )  # fmt: skip
    return figured, list(items)


def _taxed(item: Item, rates: Sequence[Rate], rules: totals.Rules) -> Item:
    if item.kind not in (LINE, SHIPPING, FEE):
        return item
    own = taxes.upon(item.total, rates)
    before = taxes.upon(item.subtotal, rates) if item.kind == LINE else {}
    return msgspec.structs.replace(
        item, taxes=own, total_tax=rules.sum(own), subtotal_taxes=before, subtotal_tax=rules.sum(before)
    )


def _with_tax_lines(
    work: Work, of: Order, items: Sequence[Item], known: dict[int, Rate], rules: totals.Rules
) -> list[Item]:
    """Return items with a tax line for every rate that something is taxed by; those of other rates go."""
    sums: dict[int, list[Decimal]] = {}
    for item in items:
        for rate, tax in rules.each(item.taxes).items() if item.kind in (LINE, SHIPPING, FEE) else ():
            sums.setdefault(rate, [money.ZERO, money.ZERO])[item.kind == SHIPPING] += tax
    old = {item.reference: item for item in items if item.kind == TAX}
    out = [item for item in items if item.kind not in (TAX, COUPON)]
    for rate, (tax, shipping) in sums.items():
        line = old.get(rate) or _new_tax_line(work, of, known[rate])
        out.append(msgspec.structs.replace(line, total=tax, total_tax=shipping))
    return out + [item for item in items if item.kind == COUPON]


def _new_tax_line(work: Work, of: Order, rate: Rate) -> Item:
    details = {"label": rate.name or "Tax", "compound": rate.compound, "percent": str(rate.percent)}
    return Item(order.next_item(work), of.id, TAX, code=taxes.rate_code(rate), reference=rate.id, details=details)


def _shipping_class(work: Work, lines: Iterable[Item]) -> str:
    """Return the class that shipping is taxed in: the shop's choice, or that of the goods, the standard one first."""
    chosen = settings.shop_option(work, "shop_shipping_tax_class")
    if chosen != _INHERIT:
        return str(chosen)
    found = {item.tax_class for item in lines if item.tax_status != "none"}
    if not found or "" in found:
        return ""
    return next((one.slug for one in tax_classes.listed(work) if one.slug in found), "")
