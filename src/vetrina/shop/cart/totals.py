"""Totals of a cart: its lines, coupons, shipping rates and taxes.

Everything is computed on each read, since prices, stock and rates change while a cart waits. Not here: prices and taxes
of the lines (shop/cart/line_prices.py), the arithmetic (shop/taxes/rules.py, shop/coupons/discounts.py), the
order of the cart (shop/checkout/draft_orders.py). Rules: docs/rules/cart.md, 2 and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.cart import shipping
from vetrina.shop.cart.line_prices import CartLinePricer, PricedCartLine, sum_taxes
from vetrina.shop.cart.lines import Sellable
from vetrina.shop.cart.shipping import FreeShippingSpend, PackageItem, ShippingRate
from vetrina.shop.cart.store import Cart
from vetrina.shop.coupons import discounts, eligibility as coupon_eligibility, store as coupons
from vetrina.shop.coupons.eligibility import CartCouponRefused, CouponBuyer, CouponRefused
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.orders import coupons as order_coupons
from vetrina.shop.orders.model import OrderItem
from vetrina.shop.orders.totals import ComputedTotals
from vetrina.shop.settings import rules as settings
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.taxes.rules import EffectiveTaxRate, TaxLocation

_DISCOUNT_ORDER: Final = (discounts.FIXED_PRODUCT, discounts.PERCENT, discounts.FIXED_CART)


class AppliedCoupon(msgspec.Struct, frozen=True):
    """A coupon with its discount, net and tax, unrounded."""

    coupon: Coupon
    discount: Decimal
    tax: Decimal


class CartTaxLine(msgspec.Struct, frozen=True):
    """The tax of all rates with the same code; rate: the last of them."""

    rate: EffectiveTaxRate
    amount: Decimal


class CartTotals(msgspec.Struct, frozen=True):
    """A cart with everything that is computed from it.

    subtotal, subtotal_tax: of the products before discounts. offers: the available shipping rates. chosen: the shipping
    rate, None for none. needs_shipping: whether anything has to be shipped. has_address: whether the address is
    complete enough to compute shipping costs. place: the location that decides on tax rates. faults: why something in
    the cart is not counted; a cart with faults cannot be bought.
    """

    cart: Cart
    lines: list[PricedCartLine]
    coupons: list[AppliedCoupon]
    offers: list[ShippingRate]
    chosen: ShippingRate | None
    needs_shipping: bool
    has_address: bool
    figures: ComputedTotals
    subtotal: Decimal
    subtotal_tax: Decimal
    tax_lines: list[CartTaxLine]
    faults: list[ApiError]
    place: TaxLocation

    @property
    def shipped_lines(self) -> list[tuple[Sellable, int]]:
        """Return the products to ship, each with its quantity."""
        return [(line.goods, line.line.quantity) for line in self.lines if line.needs_shipping]


def build_buyer(work: UnitOfWork, cart: Cart) -> CouponBuyer:
    """Return the buyer of a cart. Earlier uses by mail address count at the checkout alone (shop/cart/coupons.py)."""
    known = (cart.billing.get("email", ""), work.user.email if work.user.id else "")
    return CouponBuyer(work.user.id, addresses=tuple(dict.fromkeys(email.strip().lower() for email in known if email)))


def compute_cart_totals(work: UnitOfWork, cart: Cart) -> CartTotals:
    """Compute the totals of a cart."""
    return _CartTotalsCalculator(work, cart).compute()


def get_usable_coupon(work: UnitOfWork, cart: Cart, code: str) -> Coupon:
    """Return the coupon with a code. Raises CouponRefused when it may not be used for the cart."""
    counter = _CartTotalsCalculator(work, cart)
    return counter.get_usable_coupon(code)


class _CartTotalsCalculator:
    """Computes the totals of one cart, step by step."""

    def __init__(self, work: UnitOfWork, cart: Cart) -> None:
        self.work, self.cart = work, cart
        self.pricer = CartLinePricer(work, cart)
        self.rules, self.taxed, self.place = self.pricer.rules, self.pricer.taxed, self.pricer.place
        self.lines, self.faults = self.pricer.lines, self.pricer.faults
        self.items = [line.item for line in self.lines]
        self.rates = {item.id: self.pricer.list_tax_rates(item, self.place) for item in self.items}
        self._goods: list[discounts.DiscountLine] | None = None
        self._grouped = False  # whether a coupon is limited to categories

    # -- coupons

    @property
    def goods(self) -> list[discounts.DiscountLine]:
        if self._goods is None:
            known = {one.id: one for line in self.lines for one in (line.goods.one, line.goods.root)}
            found = order_coupons.build_discount_lines(
                self.work, [line.item for line in self.lines], self.rules, known, grouped=self._grouped
            )
            # The displayed price is exact to a fraction of a cent here; an order would add its rounded taxes again.
            self._goods = [
                msgspec.structs.replace(one, cents=line.displayed_price.scaleb(self.rules.places))
                for one, line in zip(found, self.lines, strict=True)
            ]
        return self._goods

    def get_usable_coupon(self, code: str) -> Coupon:
        found = coupons.find_coupon_by_code(self.work, code)
        if found is not None and (found.categories or found.excluded_categories) and not self._grouped:
            self._grouped, self._goods = True, None
        return coupon_eligibility.validate_coupon(
            self.work, found, code, self.goods, self._compute_displayed_subtotal(), build_buyer(self.work, self.cart)
        )

    def _compute_displayed_subtotal(self) -> Decimal:
        """Return the sum of the lines before discounts as carts show it, with or without tax."""
        items = [line.item for line in self.lines]
        subtotal = self._sum_amounts(one.subtotal for one in items)
        if self.taxed and self._is_tax_displayed():
            subtotal += sum((one.subtotal_tax for one in items), money.ZERO)
        return subtotal

    def _is_tax_displayed(self) -> bool:
        return bool(settings.get_shop_option(self.work, "shop_tax_display_cart") == "incl")

    def _apply_coupons(self) -> list[AppliedCoupon]:
        """Apply the coupons to the items, and return the discount of each in the order in which they were applied."""
        chosen = []
        for code in self.cart.coupons:
            try:
                chosen.append(self.get_usable_coupon(code))
            except CouponRefused as refused:
                # Reported once: the cart goes on without it.
                self.faults.append(CartCouponRefused(why=f"The coupon “{code}” was taken off the cart. {refused.text}"))
        self.cart = msgspec.structs.replace(self.cart, coupons=tuple(one.code for one in chosen))
        if not chosen:
            return []
        places = self.rules.places
        in_turn = sorted(chosen, key=_build_coupon_sort_key)
        off = discounts.compute_discounts(
            self.goods, (one.to_discount() for one in in_turn), places, sequentially=self.rules.sequential
        )
        whole: dict[int, Decimal] = {}
        for shares in off.values():
            for key, cents in shares.items():
                whole[key] = whole.get(key, money.ZERO) + cents.scaleb(-places)
        by_id = {line.item.id: line for line in self.lines}
        self.items = [
            self._discount_item(by_id[item.id], whole[item.id]) if item.id in whole else item for item in self.items
        ]
        return [self._build_applied_coupon(one, off[one.code], by_id) for one in chosen]

    def _discount_item(self, line: PricedCartLine, off: Decimal) -> OrderItem:
        """Return the item of a line after a discount."""
        seen = line.displayed_price - off
        own = self.pricer.compute_taxes(seen, line.item)
        return msgspec.structs.replace(
            line.item, total=self.pricer.compute_net_price(seen, own), taxes=own, total_tax=self.rules.sum_taxes(own)
        )

    def _build_applied_coupon(
        self, coupon: Coupon, shares: Mapping[int, Decimal], lines: Mapping[int, PricedCartLine]
    ) -> AppliedCoupon:
        discount = sum(shares.values(), money.ZERO).scaleb(-self.rules.places)
        tax = sum(
            (
                sum_taxes(self.pricer.compute_taxes(cents.scaleb(-self.rules.places), lines[key].item))
                for key, cents in shares.items()
            ),
            money.ZERO,
        )
        return AppliedCoupon(coupon, discount - tax if self.rules.inclusive else discount, tax)

    # -- shipping

    def _list_shipping_rates(self, applied: Sequence[AppliedCoupon]) -> list[ShippingRate]:
        packed = [
            PackageItem(line.goods, item.quantity, item.total)
            for line, item in zip(self.lines, self.items, strict=True)
            if line.needs_shipping
        ]
        return shipping.list_shipping_rates(
            self.work,
            self.cart,
            packed,
            self._compute_spend(applied),
            lambda item: self.pricer.list_tax_rates(item, self.place),
        )

    def _compute_spend(self, applied: Sequence[AppliedCoupon]) -> FreeShippingSpend:
        """Return the spend that free shipping is checked against: the displayed price of all products."""
        before = self._compute_displayed_subtotal()
        discount = sum((one.discount for one in applied), money.ZERO)
        if self.taxed and self._is_tax_displayed():
            discount += sum((one.tax for one in applied), money.ZERO)
        amount = self.rules.round_amount
        return FreeShippingSpend(
            amount(before), amount(before - discount), any(one.coupon.free_shipping for one in applied)
        )

    # -- totals

    def compute(self) -> CartTotals:
        applied = self._apply_coupons()
        sent = any(line.needs_shipping for line in self.lines) and shipping.is_shipping_enabled(self.work)
        # No choice is needed where the shop has no shipping methods.
        sent = sent and shipping_zones.has_shipping_methods(self.work)
        addressed = shipping.has_shipping_address(self.work, self.cart.shipping)
        offers = self._list_shipping_rates(applied) if sent and addressed else []
        chosen = shipping.choose_shipping_rate(self.cart, offers, free=any(one.coupon.free_shipping for one in applied))
        figures = self._compute_figures(applied, chosen)
        before = [self.rules.round_taxes(item.subtotal_taxes) for item in self.items]
        cart = self.cart
        if offers:
            rate = chosen.id if chosen is not None else ""
            cart = msgspec.structs.replace(cart, rate=rate, offered=tuple(one.id for one in offers))
        return CartTotals(
            cart,
            [msgspec.structs.replace(line, item=item) for line, item in zip(self.lines, self.items, strict=True)],
            applied, offers, chosen, sent, addressed, figures,
            self._sum_amounts(item.subtotal for item in self.items),
            sum((sum_taxes(one) for one in before), money.ZERO),
            self._list_tax_lines(figures, chosen), self.faults, self.place,
        )  # fmt: skip

    def _compute_figures(self, applied: Sequence[AppliedCoupon], chosen: ShippingRate | None) -> ComputedTotals:
        rules = self.rules
        goods = self._sum_amounts(item.total for item in self.items)
        own: dict[int, Decimal] = {}
        for item in self.items:
            for id, tax in rules.round_taxes(item.taxes).items():
                own[id] = own.get(id, money.ZERO) + tax
        sent = chosen.item.total if chosen else money.ZERO
        # Shipping tax is added to its price, so half a cent is rounded up even where prices include tax.
        sent_taxes = {
            id: tax if rules.at_subtotal else rules.round_amount(tax)
            for id, tax in (chosen.item.taxes if chosen else {}).items()
        }
        cart_tax, sent_tax = sum_taxes(own), rules.round_amount(sum_taxes(sent_taxes))
        whole = rules.round_amount(goods + sent + cart_tax + sum_taxes(sent_taxes))
        return ComputedTotals(
            discount=sum((one.discount for one in applied), money.ZERO),
            discount_tax=sum((one.tax for one in applied), money.ZERO),
            shipping=sent, shipping_tax=sent_tax, cart_tax=cart_tax, total=max(money.ZERO, whole),
            total_tax=cart_tax + sent_tax, taxes=own, shipping_taxes=sent_taxes,
        )  # fmt: skip

    def _sum_amounts(self, amounts: Iterable[Decimal]) -> Decimal:
        return sum((one if self.rules.at_subtotal else self.rules.round_amount(one) for one in amounts), money.ZERO)

    def _list_tax_lines(self, figures: ComputedTotals, chosen: ShippingRate | None) -> list[CartTaxLine]:
        """Return the taxes by rate code, those of shipping first; empty where a shop shows taxes as a single total."""
        if settings.get_shop_option(self.work, "shop_tax_total_display") != "itemized":
            return []
        known = {rate.id: rate for rates in self.rates.values() for rate in rates}
        if chosen is not None:
            known.update({rate.id: rate for rate in self.pricer.list_tax_rates(chosen.item, self.place)})
        out: dict[str, CartTaxLine] = {}
        for id in (*figures.shipping_taxes, *(id for id in figures.taxes if id not in figures.shipping_taxes)):
            amount = self.rules.round_tax(figures.taxes.get(id, money.ZERO))
            amount += self.rules.round_amount(figures.shipping_taxes.get(id, money.ZERO))
            code = taxes.format_rate_code(known[id])
            out[code] = CartTaxLine(known[id], amount + (out[code].amount if code in out else money.ZERO))
        return [line for line in out.values() if line.amount]


def _build_coupon_sort_key(coupon: Coupon) -> tuple[int, int, Decimal, int]:
    """Return the sort key by which coupons are applied.

    Fixed product discounts come first, then percentages, then fixed cart discounts; within each those for fewer pieces,
    then the smaller amounts, then the newer ones.
    """
    return (_DISCOUNT_ORDER.index(coupon.kind), coupon.most_pieces or 0, coupon.amount, -coupon.id)
