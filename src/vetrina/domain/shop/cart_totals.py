"""What a cart comes to: its lines, coupons, ways of shipping and taxes, counted by the same rules as an order.

Everything is worked out anew at every look, since prices, stock and rates change while a cart waits: what cannot be
bought any more is told, and counts nothing. Not here: the arithmetic (totals.py, taxes.py, discounts.py), the order
that a cart becomes (checkout.py). Rules: facts, "Visitors' interface" and "Tax".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.domain.content.taxonomy import terms
from vetrina.domain.work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError

from . import (
    cart_lines,
    coupon_rules,
    coupons,
    discounts,
    kinds,
    order_coupons,
    order_lines,
    order_totals,
    settings,
    shipping_methods,
    shipping_zones,
    taxes,
    totals,
)
from .cart import Cart, Line
from .cart_lines import Goods
from .coupon_rules import Buyer, CouponRefused
from .coupons import Coupon
from .order import LINE, SHIPPING, Item, Order
from .shipping_methods import FREE, Parcel
from .shipping_zones import Method
from .taxes import Place, Rate

__all__ = ["Counted", "CountedCoupon", "CountedLine", "Offer", "TaxLine", "buyer_of", "count", "judged"]

_TAXABLE: Final = "taxable"
_CLASS_COSTS: Final = ("class_cost_", "no_class_cost")


class CountedLine(msgspec.Struct, frozen=True):
    """A line with what it costs. item: as an order would have it; its name is the product's."""

    line: Line
    goods: Goods
    item: Item


class CountedCoupon(msgspec.Struct, frozen=True):
    """A coupon with what it takes off, without tax and in tax."""

    coupon: Coupon
    discount: Decimal
    tax: Decimal


class Offer(msgspec.Struct, frozen=True):
    """A way of shipping that is to be had. tax: what its taxes come to, in whole cents."""

    method: Method
    item: Item
    tax: Decimal

    @property
    def id(self) -> str:
        return f"{self.method.kind}:{self.method.id}"


class TaxLine(msgspec.Struct, frozen=True):
    """What one rate comes to."""

    rate: Rate
    amount: Decimal


class Counted(msgspec.Struct, frozen=True):
    """A cart with everything that is worked out of it.

    subtotal, subtotal_tax: of the goods before discounts. chosen: the way of shipping, None for none. sent: whether
    anything has to be sent. faults: why something in the cart counts nothing; a cart with faults cannot be bought.
    """

    cart: Cart
    lines: list[CountedLine]
    coupons: list[CountedCoupon]
    offers: list[Offer]
    chosen: Offer | None
    sent: bool
    figures: totals.Figures
    subtotal: Decimal
    subtotal_tax: Decimal
    tax_lines: list[TaxLine]
    faults: list[ApiError]


def buyer_of(work: Work, one: Cart) -> Buyer:
    """Return who buys what is in a cart."""
    known = (one.billing.get("email", ""), work.user.email if work.user.id else "")
    emails = tuple(dict.fromkeys(email.strip().lower() for email in known if email))
    return Buyer(work.user.id, emails)


def count(work: Work, one: Cart) -> Counted:
    """Return a cart with everything that is worked out of it."""
    return _Counter(work, one).counted()


def judged(work: Work, one: Cart, code: str) -> Coupon:
    """Return the coupon that a code names. Raises CouponRefused when it may not be used for a cart."""
    counter = _Counter(work, one)
    return counter.judged(code)


class _Counter:
    """The steps of counting one cart."""

    def __init__(self, work: Work, one: Cart) -> None:
        self.work, self.cart = work, one
        self.rules = order_lines.rules_of(work)
        self.faults: list[ApiError] = []
        self.taxed = order_totals.taxable(work)
        self.place = order_totals.place_of(
            work, Order(0, billing=one.billing, shipping_address=one.shipping)
        ) if self.taxed else Place("")  # fmt: skip
        self.lines = self._lines()
        self.items = [line.item for line in self.lines]
        self._known_rates: dict[tuple[str, str, str], Sequence[Rate]] = {}
        self.rates = {item.id: self._rates(item) for item in self.items}
        self._goods: list[discounts.Goods] | None = None
        self._grouped = False  # whether a coupon asks for categories

    # -- goods

    def _lines(self) -> list[CountedLine]:
        work, found = self.work, cart_lines.goods_of(self.work, [line.goods for line in self.cart.lines])
        pieces: dict[int, int] = {}
        out = []
        for at, line in enumerate(self.cart.lines, 1):
            goods = found.get(line.goods)
            counter = goods.counter if goods is not None else None
            wanted = line.quantity
            if counter is not None:
                wanted = pieces[counter.id] = pieces.get(counter.id, 0) + line.quantity
            refused = cart_lines.refusal(work, goods, wanted)
            if refused is not None:
                self.faults.append(refused)
            if goods is None or isinstance(refused, cart_lines.NotPurchasable):
                continue
            price = order_lines.line_price(work, goods.one, line.quantity)
            item = Item(
                at, 0, LINE, goods.name, goods.root.id, goods.one.id if goods.above is not None else 0, line.quantity,
                _tax_class(goods), goods.one.tax_status, subtotal=price, total=price,
            )  # fmt: skip
            out.append(CountedLine(line, goods, item))
        return out

    def _rates(self, item: Item) -> Sequence[Rate]:
        if not self.taxed:
            return ()
        # All that the choice of rates asks of an item.
        about = (item.kind, item.tax_status, item.tax_class)
        if about not in self._known_rates:
            self._known_rates[about] = order_totals.rates_for(self.work, item, self.place, self.items)
        return self._known_rates[about]

    # -- coupons

    @property
    def goods(self) -> list[discounts.Goods]:
        if self._goods is None:
            known = {one.id: one for line in self.lines for one in (line.goods.one, line.goods.root)}
            self._goods = order_coupons.goods_of(
                self.work, [line.item for line in self.lines], self.rates, self.rules, known, grouped=self._grouped
            )
        return self._goods

    def judged(self, code: str) -> Coupon:
        found = coupons.by_code(self.work, code)
        if found is not None and (found.categories or found.excluded_categories) and not self._grouped:
            self._grouped, self._goods = True, None
        subtotal = Decimal(sum(one.cents for one in self.goods)).scaleb(-self.rules.places)
        return coupon_rules.judge(self.work, found, code, self.goods, subtotal, buyer_of(self.work, self.cart))

    def _discounted(self) -> list[CountedCoupon]:
        chosen = []
        for code in self.cart.coupons:
            try:
                chosen.append(self.judged(code))
            except CouponRefused as refused:
                self.faults.append(refused)
        if not chosen:
            return []
        shares = order_coupons.shares_of(chosen, self.goods, self.rates, self.rules)
        for taken in shares.values():
            self.items = [
                msgspec.structs.replace(item, total=item.total - taken[item.id][0]) if item.id in taken else item
                for item in self.items
            ]
        return [
            CountedCoupon(
                one, sum((net for net, _ in shares[one.code].values()), money.ZERO),
                sum((tax for _, tax in shares[one.code].values()), money.ZERO),
            )
            for one in chosen
        ]  # fmt: skip

    # -- shipping

    def _offers(self, free: bool) -> list[Offer]:
        """Return the ways of shipping that are to be had; free: whether a coupon gives free shipping."""
        place = Place(*(self.cart.shipping.get(name, "") for name in ("country", "state", "postcode", "city")))
        if not place.country:
            place = order_lines.shop_place(self.work)
        zone = shipping_zones.zone_at(self.work, place)
        methods = [(one, one.values) for one in shipping_zones.methods_of(self.work, zone.id) if one.enabled]
        parcel = self._parcel([values for _, values in methods], free)
        out = []
        for method, values in methods:
            if method.kind == FREE and not shipping_methods.is_free_for(values, parcel):
                continue
            cost = self.rules.amount(shipping_methods.cost_of(method.kind, values, parcel))
            status = str(values.get("tax_status") or _TAXABLE)
            item = Item(
                0, 0, SHIPPING, str(values.get("title") or method.of.title), tax_status=status, total=cost,
                code=method.kind,
            )  # fmt: skip
            own = taxes.upon(cost, self._rates(item)) if self.taxed else {}
            out.append(Offer(method, msgspec.structs.replace(item, taxes=own), self.rules.sum(own)))
        return out

    def _parcel(self, set_of: Sequence[Mapping[str, object]], free: bool) -> Parcel:
        """Return what is sent; set_of: what is set of each way of sending it."""
        sent = [(line, item) for line, item in zip(self.lines, self.items, strict=True) if not line.goods.one.virtual]
        classes: Mapping[int, int] = {}
        if any(cost and name.startswith(_CLASS_COSTS) for values in set_of for name, cost in values.items()):
            classes = self._classes([line.goods for line, _ in sent])
        by_class: dict[int, tuple[int, Decimal]] = {}
        for line, item in sent:
            id = classes.get(line.goods.one.id, 0)
            pieces, cost = by_class.get(id, (0, money.ZERO))
            by_class[id] = (pieces + item.quantity, cost + item.total)
        return Parcel(
            sum(item.quantity for _, item in sent), sum((item.total for _, item in sent), money.ZERO),
            sum((item.subtotal for _, item in sent), money.ZERO), by_class, free,
        )  # fmt: skip

    def _classes(self, sent: Sequence[Goods]) -> dict[int, int]:
        """Return the shipping class of each thing by its number: its own, or its product's."""
        name = kinds.SHIPPING_CLASS.name
        self.work.uses(name)
        ids = {id for goods in sent for id in (goods.one.id, goods.root.id)}
        held = {
            id: next((term.id for term in found if term.taxonomy == name), 0)
            for id, found in terms.of_records(self.work.tx, sorted(ids)).items()
        }
        return {goods.one.id: held.get(goods.one.id) or held.get(goods.root.id, 0) for goods in sent}

    # -- all together

    def counted(self) -> Counted:
        applied = self._discounted()
        taxed = [self._with_taxes(item) for item in self.items]
        sent = any(not line.goods.one.virtual for line in self.lines) and _ships(self.work)
        offers = self._offers(any(one.coupon.free_shipping for one in applied)) if sent else []
        # Where nothing is ever sent nobody has to choose how.
        sent = sent and (bool(offers) or shipping_zones.has_methods(self.work))
        chosen = next((one for one in offers if one.id == self.cart.rate), offers[0] if offers else None)
        figures = totals.figures(
            [totals.Line(one.subtotal, one.total, one.subtotal_taxes, one.taxes) for one in taxed],
            (),
            [totals.Charge(chosen.item.total, chosen.item.taxes)] if chosen else (),
            self.rules,
        )
        known = {rate.id: rate for rates in self.rates.values() for rate in rates}
        if chosen is not None and self.taxed:
            known.update({rate.id: rate for rate in self._rates(chosen.item)})
        tax_lines = [
            TaxLine(rate, tax)
            for id, rate in known.items()
            if (tax := figures.taxes.get(id, money.ZERO) + figures.shipping_taxes.get(id, money.ZERO))
        ]
        return Counted(
            self.cart,
            [msgspec.structs.replace(line, item=item) for line, item in zip(self.lines, taxed, strict=True)],
            applied, offers, chosen, sent, figures,
            sum((self.rules.amount(one.subtotal) for one in taxed), money.ZERO),
            sum((one.subtotal_tax for one in taxed), money.ZERO),
            tax_lines, self.faults,
        )  # fmt: skip

    def _with_taxes(self, item: Item) -> Item:
        rates = self.rates[item.id]
        if not rates:
            return item
        before, own = taxes.upon(item.subtotal, rates), taxes.upon(item.total, rates)
        return msgspec.structs.replace(
            item, taxes=own, total_tax=self.rules.sum(own), subtotal_taxes=before, subtotal_tax=self.rules.sum(before)
        )


def _tax_class(goods: Goods) -> str:
    own = goods.one.tax_class
    return goods.root.tax_class if own == "parent" else own


def _ships(work: Work) -> bool:
    """Say whether the shop sends things at all."""
    return bool(settings.shop_option(work, "shop_ship_to_countries") != "disabled")
