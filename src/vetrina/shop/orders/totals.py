"""What the items of an order come to: taxes for where it goes, one tax line a rate, and the order's own figures.

The arithmetic is in shop/taxes/line_totals.py; here is which rates hold for which item. Not here: what a client wrote
(shop/orders/lines.py). Rules: facts, "Tax": by the shipping address unless the shop says otherwise, without any address
the shop's own place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.lines import rules_of, shop_place
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, Item, Order
from vetrina.shop.products import model as product_model
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import classes as tax_classes
from vetrina.shop.taxes import line_totals
from vetrina.shop.taxes import rates as tax_rates
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.taxes.rules import Rate

__all__ = ["AmountTooLarge", "counted", "place_of", "rates_for", "taxable"]

_INHERIT: Final = "inherit"
_TAXED: Final = ("taxable", "shipping")  # what goods say whose class shipping may take
_PICKUPS: Final = frozenset({"local_pickup", "legacy_local_pickup", "pickup_location"})


class AmountTooLarge(ApiError):
    """Nothing that is sold costs so much, and no column holds it."""

    code = "shop_rest_order_amount_too_large"
    message = "An amount of this order is {amount} or more; lower a quantity or a total."


def place_of(work: Work, of: Order, shipping: Iterable[Item] = ()) -> taxes.Place:
    """Return the place whose rates hold for an order; shipping: its ways of shipping, since who fetches the goods buys
    them at the shop's own place."""
    basis = settings.shop_option(work, "shop_tax_based_on")
    if basis == "base" or any(item.code in _PICKUPS for item in shipping):
        return shop_place(work)
    first, second = of.shipping_address, of.billing
    address = second if basis == "billing" or (basis == "shipping" and not first.get("country")) else first
    if not address.get("country"):
        return shop_place(work)
    return taxes.Place(
        address["country"], address.get("state", ""), address.get("postcode", ""), address.get("city", "")
    )


def taxable(work: Work) -> bool:
    """Say whether the shop takes taxes at all."""
    return settings.is_on(work, "shop_calc_taxes")


def rates_for(work: Work, item: Item, place: taxes.Place, lines: Iterable[Item]) -> tuple[Rate, ...]:
    """Return the rates that an item is taxed by; lines: the goods, whose class shipping may take."""
    if item.tax_status != "taxable":
        return ()
    every = tax_rates.at(work, place)
    if item.kind == SHIPPING:
        tax_class = _shipping_class(work, lines)
        rates = taxes.rates_at(every, place, tax_class) if tax_class is not None else ()
        return tuple(rate for rate in rates if rate.shipping)
    return taxes.rates_at(every, place, item.tax_class)


def counted(
    work: Work, of: Order, items: Sequence[Item], before: Sequence[Item] | None = None
) -> tuple[Order, list[Item]]:
    """Return an order with its figures, and its items with their taxes and one tax line for each rate.

    before: the items before a coupon changed them, by which fees below nothing are taxed: what a fee takes off is
    agreed on before coupons are. Raises AmountTooLarge.
    """
    rules = rules_of(work, of.prices_include_tax)
    items = _within_bounds(_as_goods_are_taxed(work, items), rules)
    known: dict[int, Rate] = {}
    items = [_with_taxes(one, own, rules) for one, own in _taxes_of(work, of, items, before or items, known)]
    items = _with_tax_lines(work, of, items, known, rules)
    out = line_totals.figures(
        [line_totals.Line(one.subtotal, one.total, one.subtotal_taxes, one.taxes) for one in items if one.kind == LINE],
        [line_totals.Charge(one.total, one.taxes) for one in items if one.kind == FEE],
        [line_totals.Charge(one.total, one.taxes) for one in items if one.kind == SHIPPING],
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


def _as_goods_are_taxed(work: Work, items: Sequence[Item]) -> list[Item]:
    """Return items whose goods are taxed or not as their products are now; goods that are gone are taxed."""
    sold = product_model.known(work, [item.goods for item in items if item.kind == LINE and item.goods])
    out = []
    for item in items:
        if item.kind == LINE:
            one = sold.get(item.goods)
            status = product_model.tax_status_of(work, one) if one is not None else _TAXED[0]
            if status != item.tax_status:
                item = msgspec.structs.replace(item, tax_status=status)
        out.append(item)
    return out


def _within_bounds(items: Sequence[Item], rules: line_totals.Rules) -> list[Item]:
    """Return items whose fees below nothing take off no more than everything before them comes to."""
    before = sum((rules.item(one.total) for one in items if one.kind == LINE), money.ZERO)
    before += sum((rules.amount(one.total) for one in items if one.kind == SHIPPING), money.ZERO)
    out = []
    for one in items:
        if one.kind == FEE:
            least = -rules.amount(before)
            if one.total < least < 0:
                one = msgspec.structs.replace(one, total=least)
            before += one.total
        out.append(one)
    return out


_Own = tuple[line_totals.Taxes, line_totals.Taxes]


def _taxes_of(
    work: Work, of: Order, items: Sequence[Item], before: Sequence[Item], known: dict[int, Rate]
) -> Iterator[tuple[Item, _Own | None]]:
    """Yield items with the taxes of what they cost and of what they cost before discounts.

    before: as `counted` has it. known: takes the rates.
    """
    shipping = [one for one in items if one.kind == SHIPPING]
    lines = [one for one in items if one.kind == LINE]
    place = place_of(work, of, shipping)
    taken = taxable(work)
    for one in items:
        if one.kind not in (LINE, SHIPPING, FEE):
            yield one, None
        elif not taken:
            yield one, ({}, {})
        elif one.kind == FEE and one.total < 0:
            yield one, (_taxes_shared(work, one.total, place, before, known), {})
        else:
            rates = rates_for(work, one, place, lines)
            known.update((rate.id, rate) for rate in rates)
            own = taxes.upon(one.total, rates)
            undiscounted = taxes.upon(one.subtotal, rates) if one.kind == LINE else {}
            yield one, (own, own if _sum(undiscounted) < _sum(own) else undiscounted)


def _taxes_shared(
    work: Work, fee: Decimal, place: taxes.Place, items: Sequence[Item], known: dict[int, Rate]
) -> dict[int, Decimal]:
    """Return the taxes that a fee below nothing takes off: those of everything it is taken off of, in proportion."""
    classes = list(dict.fromkeys(one.tax_class for one in items if one.kind == LINE and one.tax_status in _TAXED))
    costs: dict[str | None, Decimal] = dict.fromkeys(classes, money.ZERO)
    costs[None] = money.ZERO  # what is not taxed
    of_shipping = str(settings.shop_option(work, "shop_shipping_tax_class"))
    for one in _by_kind(items, LINE, FEE, SHIPPING):
        if one.total < 0:
            continue
        tax_class: str | None = of_shipping if one.kind == SHIPPING else one.tax_class
        if tax_class == _INHERIT:
            tax_class = classes[0] if classes else None
        if one.tax_status != "taxable":
            tax_class = None
        costs[tax_class] = costs.get(tax_class, money.ZERO) + one.total
    whole = sum(costs.values(), money.ZERO)
    out: dict[int, Decimal] = {}
    for tax_class, cost in costs.items():
        if tax_class is None or not cost:
            continue
        rates = taxes.rates_at(tax_rates.at(work, place), place, tax_class)
        known.update((rate.id, rate) for rate in rates)
        for rate, tax in taxes.upon(fee * cost / whole, rates).items():
            out[rate] = out.get(rate, money.ZERO) + tax
    return out


def _with_taxes(item: Item, own: _Own | None, rules: line_totals.Rules) -> Item:
    if own is None:
        return item
    taxed, before = (dict(each) for each in own)
    return msgspec.structs.replace(
        item, taxes=taxed, total_tax=rules.sum(taxed), subtotal_taxes=before, subtotal_tax=rules.sum(before)
    )


def _with_tax_lines(
    work: Work, of: Order, items: Sequence[Item], known: Mapping[int, Rate], rules: line_totals.Rules
) -> list[Item]:
    """Return items with a tax line for every rate that something is taxed by; those of other rates go."""
    sums: dict[int, list[Decimal]] = {}
    for item in _by_kind(items, LINE, FEE, SHIPPING):
        for rate, tax in rules.each(item.taxes).items():
            sums.setdefault(rate, [money.ZERO, money.ZERO])[item.kind == SHIPPING] += tax
    out = [item for item in items if item.kind not in (TAX, COUPON)]
    held = {item.reference: item for item in reversed(items) if item.kind == TAX}
    kept = [item.reference for item in items if item.kind == TAX and item.reference in sums]
    for rate in dict.fromkeys([*kept, *sums]):
        blank = held.get(rate) or Item(order_model.next_item(work), of.id, TAX)
        tax, shipping = sums[rate]
        out.append(msgspec.structs.replace(_tax_line(blank, known[rate]), total=tax, total_tax=shipping))
    return out + [item for item in items if item.kind == COUPON]


def _tax_line(line: Item, rate: Rate) -> Item:
    """Return a tax line that says what its rate is now."""
    details = {"label": rate.name or "Tax", "compound": rate.compound, "percent": str(rate.percent)}
    return msgspec.structs.replace(line, code=taxes.rate_code(rate), reference=rate.id, details=details)


def _by_kind(items: Iterable[Item], *wanted: str) -> list[Item]:
    """Return items in the order of some kinds, and in their own within each."""
    held = list(items)
    return [item for kind in wanted for item in held if item.kind == kind]


def _sum(amounts: line_totals.Taxes) -> Decimal:
    return sum(amounts.values(), money.ZERO)


def _shipping_class(work: Work, lines: Iterable[Item]) -> str | None:
    """Return the class that shipping is taxed in: the shop's choice, or that of the goods, the standard one first.

    None where shipping follows the goods and none of them is taxed.
    """
    chosen = settings.shop_option(work, "shop_shipping_tax_class")
    if chosen != _INHERIT:
        return str(chosen)
    found = {item.tax_class for item in lines if item.tax_status in _TAXED}
    if "" in found:
        return ""
    return next((one.slug for one in tax_classes.listed(work) if one.slug in found), None)
