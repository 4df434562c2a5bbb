"""What a cart comes to: its lines, coupons, ways of shipping and taxes.

Everything is worked out anew at every look, since prices, stock and rates change while a cart waits: what cannot be
bought any more is told, and counts nothing. Not here: the arithmetic (shop/taxes/line_totals.py, shop/taxes/rules.py,
shop/coupons/discounts.py), the order that a cart becomes (shop/checkout/rules.py). Rules: facts, "Visitors' interface"
and "Tax".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart import shipping
from vetrina.shop.cart.lines import Goods
from vetrina.shop.cart.shipping import Offer, Packed, Spent
from vetrina.shop.cart.store import Cart, Line
from vetrina.shop.coupons import discounts
from vetrina.shop.coupons import rules as coupon_rules
from vetrina.shop.coupons import store as coupons
from vetrina.shop.coupons.rules import Buyer, CouponError, CouponRefused
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.orders import coupons as order_coupons
from vetrina.shop.orders import lines as order_lines
from vetrina.shop.orders import totals as order_totals
from vetrina.shop.orders.model import LINE, SHIPPING, Item, Order
from vetrina.shop.products import prices as product_prices
from vetrina.shop.settings import rules as settings
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.taxes import line_totals
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.taxes.rules import Place, Rate

__all__ = ["Counted", "CountedCoupon", "CountedLine", "TaxLine", "buyer_of", "count", "judged"]

_TAXABLE: Final = "taxable"
_ORDER_OF_KINDS: Final = (discounts.FIXED_PRODUCT, discounts.PERCENT, discounts.FIXED_CART)


class CountedLine(msgspec.Struct, frozen=True):
    """A line with what it costs. item: as an order would have it; its name is the product's. seen: what the customer
    sees as its price before discounts, with tax where prices include it."""

    line: Line
    goods: Goods
    item: Item
    seen: Decimal

    @property
    def sent(self) -> bool:
        """Say whether it has to be sent."""
        return not self.goods.one.virtual


class CountedCoupon(msgspec.Struct, frozen=True):
    """A coupon with what it takes off, without tax and in tax, unrounded."""

    coupon: Coupon
    discount: Decimal
    tax: Decimal


class TaxLine(msgspec.Struct, frozen=True):
    """What the rates of one code come to; rate: the last of them."""

    rate: Rate
    amount: Decimal


class Counted(msgspec.Struct, frozen=True):
    """A cart with everything that is worked out of it.

    subtotal, subtotal_tax: of the goods before discounts. chosen: the way of shipping, None for none. sent: whether
    anything has to be sent. addressed: whether enough of the address is known to tell what that costs. place: whose tax
    rates hold. faults: why something in the cart counts nothing; a cart with faults cannot be bought.
    """

    cart: Cart
    lines: list[CountedLine]
    coupons: list[CountedCoupon]
    offers: list[Offer]
    chosen: Offer | None
    sent: bool
    addressed: bool
    figures: line_totals.Figures
    subtotal: Decimal
    subtotal_tax: Decimal
    tax_lines: list[TaxLine]
    faults: list[ApiError]
    place: Place

    @property
    def packed(self) -> list[tuple[Goods, int]]:
        """Return what is sent, each with how many pieces."""
        return [(line.goods, line.line.quantity) for line in self.lines if line.sent]


def buyer_of(work: Work, one: Cart) -> Buyer:
    """Return who buys what is in a cart. Earlier uses by an address count at the checkout alone (shop/cart/coupons.py)."""
    known = (one.billing.get("email", ""), work.user.email if work.user.id else "")
    return Buyer(work.user.id, addresses=tuple(dict.fromkeys(email.strip().lower() for email in known if email)))


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
        self.place = self._place() if self.taxed else Place("")
        self._known_rates: dict[tuple[str, str, str, Place], Sequence[Rate]] = {}
        self.lines = self._lines()
        self.items = [line.item for line in self.lines]
        self.rates = {item.id: self._rates(item, self.place) for item in self.items}
        self._goods: list[discounts.Goods] | None = None
        self._grouped = False  # whether a coupon asks for categories

    def _place(self) -> Place:
        """Return the place whose rates hold."""
        sent = [Item(0, 0, SHIPPING, code=self.cart.rate.partition(":")[0])] if self.cart.rate else []
        of = Order(0, billing=self.cart.billing, shipping_address=self.cart.shipping)
        return order_totals.place_of(self.work, of, sent)

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
            item = Item(
                at, 0, LINE, goods.name, goods.root.id, goods.one.id if goods.above is not None else 0, line.quantity,
                _tax_class(goods), goods.root.tax_status,
            )  # fmt: skip
            entered = (product_prices.amount(product_prices.active(goods.one, work.now)) or money.ZERO) * line.quantity
            seen = self._seen(entered, item)
            own = self._taxes(seen, item)
            subtotal = self._net(seen, own)
            item = msgspec.structs.replace(
                item, subtotal=subtotal, subtotal_taxes=own, subtotal_tax=self.rules.sum(own), total=subtotal,
                taxes=own, total_tax=self.rules.sum(own),
            )  # fmt: skip
            out.append(CountedLine(line, goods, item, seen))
        return out

    def _seen(self, entered: Decimal, item: Item) -> Decimal:
        """Return a price with the customer's taxes in it in place of the shop's own, where prices include tax."""
        if not self.rules.inclusive or not self.taxed or item.tax_status != _TAXABLE:
            return entered
        own, base = self._rates(item, self.place), self._rates(item, order_lines.shop_place(self.work))
        if own == base:
            return entered
        net = entered - _total(self._exact(taxes.within, entered, base))
        return net + _total(self._exact(taxes.upon, net, own))

    def _rates(self, item: Item, place: Place) -> Sequence[Rate]:
        if not self.taxed:
            return ()
        # All that the choice of rates asks of an item.
        about = (item.kind, item.tax_status, item.tax_class, place)
        if about not in self._known_rates:
            self._known_rates[about] = (
                order_totals.rates_for(self.work, item, place, ())
                if item.kind == LINE
                else shipping.rates_for(self.work, item, place, [(one.goods, one.item) for one in self.lines])
            )
        return self._known_rates[about]

    def _taxes(self, seen: Decimal, item: Item) -> line_totals.Taxes:
        """Return the taxes of what the customer sees of a line, unrounded."""
        rates = self._rates(item, self.place)
        return self._exact(taxes.within if self.rules.inclusive else taxes.upon, seen, rates)

    def _net(self, seen: Decimal, own: line_totals.Taxes) -> Decimal:
        return seen - _total(own) if self.rules.inclusive else seen

    def _exact(self, of: taxes.Formula, amount: Decimal, rates: Sequence[Rate]) -> dict[int, Decimal]:
        """Return taxes to six decimals of a cent, so that half a cent stays one."""
        places = self.rules.places
        return {id: tax.scaleb(-places) for id, tax in of(amount.scaleb(places), rates).items()}

    # -- coupons

    @property
    def goods(self) -> list[discounts.Goods]:
        if self._goods is None:
            known = {one.id: one for line in self.lines for one in (line.goods.one, line.goods.root)}
            found = order_coupons.goods_of(
                self.work, [line.item for line in self.lines], self.rules, known, grouped=self._grouped
            )
            # What the customer sees is known here to the part of a cent; an order puts its rounded taxes on again.
            self._goods = [
                msgspec.structs.replace(one, cents=line.seen.scaleb(self.rules.places))
                for one, line in zip(found, self.lines, strict=True)
            ]
        return self._goods

    def judged(self, code: str) -> Coupon:
        found = coupons.by_code(self.work, code)
        if found is not None and (found.categories or found.excluded_categories) and not self._grouped:
            self._grouped, self._goods = True, None
        return coupon_rules.judge(
            self.work, found, code, self.goods, self._shown_subtotal(), buyer_of(self.work, self.cart)
        )

    def _shown_subtotal(self) -> Decimal:
        """Return what the goods cost before discounts, as carts show it: with tax or without."""
        items = [line.item for line in self.lines]
        subtotal = self._sum(one.subtotal for one in items)
        if self.taxed and self._shows_tax():
            subtotal += sum((one.subtotal_tax for one in items), money.ZERO)
        return subtotal

    def _shows_tax(self) -> bool:
        return bool(settings.shop_option(self.work, "shop_tax_display_cart") == "incl")

    def _discounted(self) -> list[CountedCoupon]:
        """Take the coupons off the items, and return what each takes, in the order in which they were put on."""
        chosen = []
        for code in self.cart.coupons:
            try:
                chosen.append(self.judged(code))
            except CouponRefused as refused:
                # Told once: the cart goes on without it.
                self.faults.append(CouponError(why=f"The coupon “{code}” was taken off the cart. {refused.text}"))
        self.cart = msgspec.structs.replace(self.cart, coupons=tuple(one.code for one in chosen))
        if not chosen:
            return []
        places = self.rules.places
        in_turn = sorted(chosen, key=_turn)
        off = discounts.taken_off(
            self.goods, (one.counted() for one in in_turn), places, sequentially=self.rules.sequential
        )
        whole: dict[int, Decimal] = {}
        for shares in off.values():
            for key, cents in shares.items():
                whole[key] = whole.get(key, money.ZERO) + cents.scaleb(-places)
        by_id = {line.item.id: line for line in self.lines}
        self.items = [
            self._reduced(by_id[item.id], whole[item.id]) if item.id in whole else item for item in self.items
        ]
        return [self._share(one, off[one.code], by_id) for one in chosen]

    def _reduced(self, line: CountedLine, off: Decimal) -> Item:
        """Return the item of a line that costs so much less."""
        seen = line.seen - off
        own = self._taxes(seen, line.item)
        return msgspec.structs.replace(line.item, total=self._net(seen, own), taxes=own, total_tax=self.rules.sum(own))

    def _share(self, one: Coupon, shares: Mapping[int, Decimal], lines: Mapping[int, CountedLine]) -> CountedCoupon:
        discount = sum(shares.values(), money.ZERO).scaleb(-self.rules.places)
        tax = sum(
            (_total(self._taxes(cents.scaleb(-self.rules.places), lines[key].item)) for key, cents in shares.items()),
            money.ZERO,
        )
        return CountedCoupon(one, discount - tax if self.rules.inclusive else discount, tax)

    # -- shipping

    def _offers(self, applied: Sequence[CountedCoupon]) -> list[Offer]:
        packed = [
            Packed(line.goods, item.quantity, item.total)
            for line, item in zip(self.lines, self.items, strict=True)
            if line.sent
        ]
        return shipping.list_offers(
            self.work, self.cart, packed, self._spent(applied), lambda item: self._rates(item, self.place)
        )

    def _spent(self, applied: Sequence[CountedCoupon]) -> Spent:
        """Return what free shipping asks of the cart: what the customer sees as the price of all goods."""
        before = self._shown_subtotal()
        discount = sum((one.discount for one in applied), money.ZERO)
        if self.taxed and self._shows_tax():
            discount += sum((one.tax for one in applied), money.ZERO)
        amount = self.rules.amount
        return Spent(amount(before), amount(before - discount), any(one.coupon.free_shipping for one in applied))

    # -- all together

    def counted(self) -> Counted:
        applied = self._discounted()
        sent = any(line.sent for line in self.lines) and shipping.ships(self.work)
        # Where nothing is ever sent nobody has to choose how.
        sent = sent and shipping_zones.has_methods(self.work)
        addressed = shipping.is_addressed(self.work, self.cart.shipping)
        offers = self._offers(applied) if sent and addressed else []
        chosen = shipping.choose(self.cart, offers, free=any(one.coupon.free_shipping for one in applied))
        figures = self._figures(applied, chosen)
        before = [self.rules.each(item.subtotal_taxes) for item in self.items]
        cart = self.cart
        if offers:
            rate = chosen.id if chosen is not None else ""
            cart = msgspec.structs.replace(cart, rate=rate, offered=tuple(one.id for one in offers))
        return Counted(
            cart,
            [msgspec.structs.replace(line, item=item) for line, item in zip(self.lines, self.items, strict=True)],
            applied, offers, chosen, sent, addressed, figures,
            self._sum(item.subtotal for item in self.items),
            sum((_total(one) for one in before), money.ZERO),
            self._tax_lines(figures, chosen), self.faults, self.place,
        )  # fmt: skip

    def _figures(self, applied: Sequence[CountedCoupon], chosen: Offer | None) -> line_totals.Figures:
        rules = self.rules
        goods = self._sum(item.total for item in self.items)
        own: dict[int, Decimal] = {}
        for item in self.items:
            for id, tax in rules.each(item.taxes).items():
                own[id] = own.get(id, money.ZERO) + tax
        sent = chosen.item.total if chosen else money.ZERO
        # The tax of shipping is put upon its price, so half a cent goes up even where prices include tax.
        sent_taxes = {
            id: tax if rules.at_subtotal else rules.amount(tax)
            for id, tax in (chosen.item.taxes if chosen else {}).items()
        }
        cart_tax, sent_tax = _total(own), rules.amount(_total(sent_taxes))
        whole = rules.amount(goods + sent + cart_tax + _total(sent_taxes))
        return line_totals.Figures(
            discount=sum((one.discount for one in applied), money.ZERO),
            discount_tax=sum((one.tax for one in applied), money.ZERO),
            shipping=sent, shipping_tax=sent_tax, cart_tax=cart_tax, total=max(money.ZERO, whole),
            total_tax=cart_tax + sent_tax, taxes=own, shipping_taxes=sent_taxes,
        )  # fmt: skip

    def _sum(self, amounts: Iterable[Decimal]) -> Decimal:
        return sum((one if self.rules.at_subtotal else self.rules.amount(one) for one in amounts), money.ZERO)

    def _tax_lines(self, figures: line_totals.Figures, chosen: Offer | None) -> list[TaxLine]:
        """Return what is paid in taxes by the codes of the rates, those of shipping first; none where a shop shows one
        sum of all."""
        if settings.shop_option(self.work, "shop_tax_total_display") != "itemized":
            return []
        known = {rate.id: rate for rates in self.rates.values() for rate in rates}
        if chosen is not None:
            known.update({rate.id: rate for rate in self._rates(chosen.item, self.place)})
        out: dict[str, TaxLine] = {}
        for id in (*figures.shipping_taxes, *(id for id in figures.taxes if id not in figures.shipping_taxes)):
            amount = self.rules.tax(figures.taxes.get(id, money.ZERO))
            amount += self.rules.amount(figures.shipping_taxes.get(id, money.ZERO))
            code = taxes.rate_code(known[id])
            out[code] = TaxLine(known[id], amount + (out[code].amount if code in out else money.ZERO))
        return [line for line in out.values() if line.amount]


def _tax_class(goods: Goods) -> str:
    own = goods.one.tax_class
    return goods.root.tax_class if own == "parent" else own


def _total(own: line_totals.Taxes) -> Decimal:
    return sum(own.values(), money.ZERO)


def _turn(one: Coupon) -> tuple[int, int, Decimal, int]:
    """Return a key by which coupons take their turn: amounts off goods, percentages, amounts off the whole; among
    these those for fewer pieces, then the smaller ones, then the newer ones first."""
    return (_ORDER_OF_KINDS.index(one.kind), one.most_pieces or 0, one.amount, -one.id)
