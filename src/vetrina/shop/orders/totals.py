"""Taxes and totals of an order: one tax line a rate, and the order's own figures.

The arithmetic is in shop/taxes/rounding.py; this chooses the rates of each item. Not here: which place it is taxed
for (shop/orders/tax_location.py), a client's values (shop/orders/lines.py). Rules:
docs/rules/order_totals.md, 1, 8 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, Order, OrderItem
from vetrina.shop.orders.tax_location import get_tax_location
from vetrina.shop.products import model as product_model
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes import classes as tax_classes, rate_store as tax_rates, rules as taxes
from vetrina.shop.taxes.rounding import PricingRules, Taxes, build_pricing_rules
from vetrina.shop.taxes.rules import EffectiveTaxRate

_EXEMPTION: Final = "is_vat_exempt"  # extra field of an order
_EXEMPT: Final = "yes"
_INHERIT: Final = "inherit"
_NO_TAXES: Final[Taxes] = {}
_TAXED_STATUSES: Final = ("taxable", "shipping")  # tax statuses of products whose class shipping may take


class OrderAmountTooLarge(ApiError):
    """An amount beyond any price, too large for its column."""

    code = "shop_rest_order_amount_too_large"
    message = "An amount of this order is {amount} or more; lower a quantity or a total."


class LineAmounts(msgspec.Struct, frozen=True):
    """A product line: amounts before and after discounts without tax, and the taxes of both, unrounded."""

    subtotal: Decimal
    total: Decimal
    subtotal_taxes: Taxes
    taxes: Taxes


class ChargeAmounts(msgspec.Struct, frozen=True):
    """A fee or a shipping item: its amount without tax, which may be negative, and its taxes."""

    total: Decimal
    taxes: Taxes


class ComputedTotals(msgspec.Struct, frozen=True):
    """Totals of an order. taxes, shipping_taxes: by rate id, of lines and fees, and of shipping."""

    discount: Decimal
    discount_tax: Decimal
    shipping: Decimal
    shipping_tax: Decimal
    cart_tax: Decimal
    total: Decimal
    total_tax: Decimal
    taxes: Taxes
    shipping_taxes: Taxes


def is_tax_enabled(work: UnitOfWork) -> bool:
    """Return whether taxes are enabled."""
    return settings.is_setting_on(work, "shop_calc_taxes")


def is_order_taxed(work: UnitOfWork, order: Order) -> bool:
    """Return whether taxes are enabled and the order's own extra field does not exempt it."""
    if not is_tax_enabled(work):
        return False
    values = {field.key: field.value for field in meta_data.list_meta(work, "order", order.id)}
    return bool(values.get(_EXEMPTION) != _EXEMPT)


def list_item_tax_rates(
    work: UnitOfWork, item: OrderItem, place: taxes.TaxLocation, lines: Iterable[OrderItem]
) -> tuple[EffectiveTaxRate, ...]:
    """Return the tax rates of an item; lines: the products, whose class shipping may take."""
    if item.tax_status != "taxable":
        return ()
    every = tax_rates.list_tax_rates_at(work, place)
    if item.kind == SHIPPING:
        tax_class = _find_shipping_tax_class(work, lines)
        return taxes.select_shipping_rates(every, place, tax_class) if tax_class is not None else ()
    return taxes.select_effective_rates(every, place, item.tax_class)


def compute_order_totals(
    work: UnitOfWork, order: Order, items: Sequence[OrderItem], before: Sequence[OrderItem] | None = None
) -> tuple[Order, list[OrderItem]]:
    """Return an order with its totals, and its items with their taxes and one tax line for each rate.

    before: the items before a coupon changed them, by which negative fees are taxed: a fee's deduction is agreed on
    before coupons are applied. Raises OrderAmountTooLarge.
    """
    rules = build_pricing_rules(work, order.prices_include_tax)
    items = _limit_negative_fees(_update_tax_statuses(work, items), rules)
    known: dict[int, EffectiveTaxRate] = {}
    items = [
        _set_taxes(one, own, rules) for one, own in _iterate_item_taxes(work, order, items, before or items, known)
    ]
    items = _build_tax_lines(work, order, items, known, rules)
    out = compute_totals(
        [LineAmounts(one.subtotal, one.total, one.subtotal_taxes, one.taxes) for one in items if one.kind == LINE],
        [ChargeAmounts(one.total, one.taxes) for one in items if one.kind == FEE],
        [ChargeAmounts(one.total, one.taxes) for one in items if one.kind == SHIPPING],
        rules,
    )
    amounts = (out.total, *(amount for one in items for amount in (one.subtotal, one.total, one.total_tax)))
    if any(abs(amount) >= money.MAX_AMOUNT for amount in amounts):
        raise OrderAmountTooLarge(amount=f"{money.MAX_AMOUNT:f}")
    figured = msgspec.structs.replace(
        order, discount=out.discount, discount_tax=out.discount_tax, shipping=out.shipping,
        shipping_tax=out.shipping_tax, cart_tax=out.cart_tax, total=out.total, total_tax=out.total_tax,
    )  # fmt: skip
    return figured, list(items)


def compute_totals(
    lines: Iterable[LineAmounts], fees: Iterable[ChargeAmounts], shipping: Iterable[ChargeAmounts], rules: PricingRules
) -> ComputedTotals:
    """Return the totals of an order."""
    lines, fees, shipping = tuple(lines), tuple(fees), tuple(shipping)
    before = sum((rules.round_line(line.subtotal) for line in lines), money.ZERO)
    goods = sum((rules.round_line(line.total) for line in lines), money.ZERO)
    extra = sum((fee.total for fee in fees), money.ZERO)
    sent = sum((rules.round_amount(one.total) for one in shipping), money.ZERO)
    taxes = _sum_taxes_by_rate(
        [*(rules.round_taxes(line.taxes) for line in lines), *(rules.round_taxes(fee.taxes) for fee in fees)]
    )
    shipping_taxes = _sum_taxes_by_rate([rules.round_taxes(one.taxes) for one in shipping])
    cart_tax, shipping_tax = sum(taxes.values(), money.ZERO), sum(shipping_taxes.values(), money.ZERO)
    # The tax of discounts is computed from exact taxes, however they are rounded by line.
    saved = sum((_sum_taxes(line.subtotal_taxes) - _sum_taxes(line.taxes) for line in lines), money.ZERO)
    return ComputedTotals(
        discount=rules.round_amount(before - goods),
        discount_tax=rules.round_tax(saved),
        shipping=sent,
        shipping_tax=shipping_tax,
        cart_tax=cart_tax,
        total=rules.round_amount(goods + extra + sent + cart_tax + shipping_tax),
        total_tax=rules.round_amount(cart_tax + shipping_tax),
        taxes=taxes,
        shipping_taxes=shipping_taxes,
    )


def _sum_taxes_by_rate(taxes: Iterable[Taxes]) -> Taxes:
    out: dict[int, Decimal] = {}
    for one in taxes:
        for id, tax in one.items():
            out[id] = out.get(id, money.ZERO) + tax
    return out or _NO_TAXES


def _update_tax_statuses(work: UnitOfWork, items: Sequence[OrderItem]) -> list[OrderItem]:
    """Return items with the current tax status of their products; items of deleted products are taxable."""
    sold = product_model.load_cached_products(
        work, [item.sellable_id for item in items if item.kind == LINE and item.sellable_id]
    )
    out = []
    for item in items:
        if item.kind == LINE:
            one = sold.get(item.sellable_id)
            status = product_model.resolve_tax_status(work, one) if one is not None else _TAXED_STATUSES[0]
            if status != item.tax_status:
                item = msgspec.structs.replace(item, tax_status=status)
        out.append(item)
    return out


def _limit_negative_fees(items: Sequence[OrderItem], rules: PricingRules) -> list[OrderItem]:
    """Return items with negative fees limited to the sum of everything before them."""
    before = sum((rules.round_line(one.total) for one in items if one.kind == LINE), money.ZERO)
    before += sum((rules.round_amount(one.total) for one in items if one.kind == SHIPPING), money.ZERO)
    out = []
    for one in items:
        if one.kind == FEE:
            least = -rules.round_amount(before)
            if one.total < least < 0:
                one = msgspec.structs.replace(one, total=least)
            before += one.total
        out.append(one)
    return out


_ItemTaxes = tuple[Taxes, Taxes]


def _iterate_item_taxes(
    work: UnitOfWork,
    order: Order,
    items: Sequence[OrderItem],
    before: Sequence[OrderItem],
    known: dict[int, EffectiveTaxRate],
) -> Iterator[tuple[OrderItem, _ItemTaxes | None]]:
    """Yield items with the taxes of their total and subtotal.

    before: as for `compute_order_totals`. known: filled with the rates.
    """
    shipping = [one for one in items if one.kind == SHIPPING]
    lines = [one for one in items if one.kind == LINE]
    place = get_tax_location(work, order, shipping)
    taken = is_order_taxed(work, order)
    for one in items:
        if one.kind not in (LINE, SHIPPING, FEE):
            yield one, None
        elif not taken:
            yield one, ({}, {})
        elif one.kind == FEE and one.total < 0:
            yield one, (_share_taxes(work, one.total, place, before, known), {})
        else:
            rates = list_item_tax_rates(work, one, place, lines)
            known.update((rate.id, rate) for rate in rates)
            own = taxes.compute_added_taxes(one.total, rates)
            undiscounted = taxes.compute_added_taxes(one.subtotal, rates) if one.kind == LINE else {}
            yield one, (own, own if _sum_taxes(undiscounted) < _sum_taxes(own) else undiscounted)


def _share_taxes(
    work: UnitOfWork,
    fee: Decimal,
    place: taxes.TaxLocation,
    items: Sequence[OrderItem],
    known: dict[int, EffectiveTaxRate],
) -> dict[int, Decimal]:
    """Return the taxes of a negative fee: those of everything it is deducted from, in proportion."""
    classes = list(
        dict.fromkeys(one.tax_class for one in items if one.kind == LINE and one.tax_status in _TAXED_STATUSES)
    )
    costs: dict[str | None, Decimal] = dict.fromkeys(classes, money.ZERO)
    costs[None] = money.ZERO  # untaxed
    of_shipping = str(settings.get_shop_option(work, "shop_shipping_tax_class"))
    for one in _filter_by_kind(items, LINE, FEE, SHIPPING):
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
        rates = taxes.select_effective_rates(tax_rates.list_tax_rates_at(work, place), place, tax_class)
        known.update((rate.id, rate) for rate in rates)
        for rate, tax in taxes.compute_added_taxes(fee * cost / whole, rates).items():
            out[rate] = out.get(rate, money.ZERO) + tax
    return out


def _set_taxes(item: OrderItem, own: _ItemTaxes | None, rules: PricingRules) -> OrderItem:
    if own is None:
        return item
    taxed, before = (dict(each) for each in own)
    return msgspec.structs.replace(
        item, taxes=taxed, total_tax=rules.sum_taxes(taxed), subtotal_taxes=before, subtotal_tax=rules.sum_taxes(before)
    )


def _build_tax_lines(
    work: UnitOfWork,
    order: Order,
    items: Sequence[OrderItem],
    known: Mapping[int, EffectiveTaxRate],
    rules: PricingRules,
) -> list[OrderItem]:
    """Return items with a tax line for every rate in use; tax lines of other rates are dropped."""
    sums: dict[int, list[Decimal]] = {}
    for item in _filter_by_kind(items, LINE, FEE, SHIPPING):
        for rate, tax in rules.round_taxes(item.taxes).items():
            sums.setdefault(rate, [money.ZERO, money.ZERO])[item.kind == SHIPPING] += tax
    out = [item for item in items if item.kind not in (TAX, COUPON)]
    held = {item.reference: item for item in reversed(items) if item.kind == TAX}
    known_rates = [item.reference for item in items if item.kind == TAX and item.reference in sums]
    for rate in dict.fromkeys([*known_rates, *sums]):
        blank = held.get(rate) or OrderItem(order_model.reserve_item_id(work), order.id, TAX)
        tax, shipping = sums[rate]
        out.append(msgspec.structs.replace(_fill_tax_line(blank, known[rate]), total=tax, total_tax=shipping))
    return out + [item for item in items if item.kind == COUPON]


def _fill_tax_line(line: OrderItem, rate: EffectiveTaxRate) -> OrderItem:
    """Return a tax line with the current data of its rate."""
    details = {"label": rate.name or "Tax", "compound": rate.compound, "percent": str(rate.percent)}
    return msgspec.structs.replace(line, code=taxes.format_rate_code(rate), reference=rate.id, details=details)


def _filter_by_kind(items: Iterable[OrderItem], *wanted: str) -> list[OrderItem]:
    """Return items sorted by kind in the given order, keeping their order within each."""
    held = list(items)
    return [item for kind in wanted for item in held if item.kind == kind]


def _sum_taxes(amounts: Taxes) -> Decimal:
    return sum(amounts.values(), money.ZERO)


def _find_shipping_tax_class(work: UnitOfWork, lines: Iterable[OrderItem]) -> str | None:
    """Return the tax class of shipping: the shop's choice, or that of the products, the standard one first.

    None where shipping follows the products and none of them is taxed.
    """
    chosen = settings.get_shop_option(work, "shop_shipping_tax_class")
    if chosen != _INHERIT:
        return str(chosen)
    found = {item.tax_class for item in lines if item.tax_status in _TAXED_STATUSES}
    if "" in found:
        return ""
    return next((one.slug for one in tax_classes.list_tax_classes(work) if one.slug in found), None)
