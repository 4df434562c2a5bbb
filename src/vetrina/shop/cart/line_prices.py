"""Prices and taxes of the lines of a cart, and the tax rates that apply to it.

Lines that cannot be bought any more are reported and not counted. Not here: coupons, shipping and sums
(shop/cart/totals.py), the arithmetic (shop/taxes/rules.py). Rules: docs/rules/taxes.md, 3, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.cart import lines as cart_lines, shipping
from vetrina.shop.cart.lines import Sellable
from vetrina.shop.cart.store import Cart, CartLine
from vetrina.shop.orders import tax_location, totals as order_totals
from vetrina.shop.orders.model import LINE, SHIPPING, Order, OrderItem
from vetrina.shop.products import prices as product_prices
from vetrina.shop.taxes import rules as taxes
from vetrina.shop.taxes.rounding import Taxes, build_pricing_rules
from vetrina.shop.taxes.rules import EffectiveTaxRate, TaxLocation

_TAXABLE: Final = "taxable"


class PricedCartLine(msgspec.Struct, frozen=True):
    """A line with its price.

    item: as an order item, named after the product. displayed_price: what the customer sees as its price before
    discounts, with tax where prices include it.
    """

    line: CartLine
    goods: Sellable
    item: OrderItem
    displayed_price: Decimal

    @property
    def needs_shipping(self) -> bool:
        """Return whether it has to be shipped."""
        return not self.goods.one.virtual


class CartLinePricer:
    """Prices the lines of one cart.

    lines: those that are counted. faults: why something cannot be bought. taxed: whether the shop takes taxes. place:
    the location that decides on tax rates.
    """

    def __init__(self, work: UnitOfWork, cart: Cart) -> None:
        self.work, self.cart = work, cart
        self.rules = build_pricing_rules(work)
        self.faults: list[ApiError] = []
        self.taxed = order_totals.is_tax_enabled(work)
        self.place = self._find_tax_location() if self.taxed else TaxLocation("")
        self._known_rates: dict[tuple[str, str, str, TaxLocation], Sequence[EffectiveTaxRate]] = {}
        self.lines = self._price_lines()

    def _find_tax_location(self) -> TaxLocation:
        """Return the location whose tax rates apply."""
        sent = [OrderItem(0, 0, SHIPPING, code=self.cart.rate.partition(":")[0])] if self.cart.rate else []
        order = Order(0, billing=self.cart.billing, shipping_address=self.cart.shipping)
        return tax_location.get_tax_location(self.work, order, sent)

    def _price_lines(self) -> list[PricedCartLine]:
        work, found = self.work, cart_lines.load_sellables(self.work, [line.goods for line in self.cart.lines])
        pieces: dict[int, int] = {}
        out = []
        for at, line in enumerate(self.cart.lines, 1):
            goods = found.get(line.goods)
            counter = goods.stock_holder if goods is not None else None
            wanted = line.quantity
            if counter is not None:
                wanted = pieces[counter.id] = pieces.get(counter.id, 0) + line.quantity
            refused = cart_lines.find_refusal(work, goods, wanted)
            if refused is not None:
                self.faults.append(refused)
            if goods is None or isinstance(refused, cart_lines.ProductNotPurchasable):
                continue
            item = OrderItem(
                at,
                0,
                LINE,
                goods.name,
                goods.root.id,
                goods.one.id if goods.parent_product is not None else 0,
                line.quantity,
                _get_tax_class(goods),
                goods.root.tax_status,
            )
            entered = (
                product_prices.parse_price(product_prices.compute_active_price(goods.one, work.now)) or money.ZERO
            ) * line.quantity
            seen = self._compute_displayed_price(entered, item)
            own = self.compute_taxes(seen, item)
            subtotal = self.compute_net_price(seen, own)
            item = msgspec.structs.replace(
                item, subtotal=subtotal, subtotal_taxes=own, subtotal_tax=self.rules.sum_taxes(own), total=subtotal,
                taxes=own, total_tax=self.rules.sum_taxes(own),
            )  # fmt: skip
            out.append(PricedCartLine(line, goods, item, seen))
        return out

    def _compute_displayed_price(self, entered: Decimal, item: OrderItem) -> Decimal:
        """Return a price with the customer's taxes in place of the shop's, where prices include tax."""
        if not self.rules.inclusive or not self.taxed or item.tax_status != _TAXABLE:
            return entered
        own, base = (
            self.list_tax_rates(item, self.place),
            self.list_tax_rates(item, tax_location.get_shop_location(self.work)),
        )
        if own == base:
            return entered
        net = entered - sum_taxes(self._compute_exact_taxes(taxes.compute_included_taxes, entered, base))
        return net + sum_taxes(self._compute_exact_taxes(taxes.compute_added_taxes, net, own))

    def list_tax_rates(self, item: OrderItem, place: TaxLocation) -> Sequence[EffectiveTaxRate]:
        """Return the tax rates of an item at a location; none where the shop takes no taxes."""
        if not self.taxed:
            return ()
        # Everything that the choice of tax rates depends on.
        about = (item.kind, item.tax_status, item.tax_class, place)
        if about not in self._known_rates:
            self._known_rates[about] = (
                order_totals.list_item_tax_rates(self.work, item, place, ())
                if item.kind == LINE
                else shipping.list_shipping_tax_rates(
                    self.work, item, place, [(one.goods, one.item) for one in self.lines]
                )
            )
        return self._known_rates[about]

    def compute_taxes(self, seen: Decimal, item: OrderItem) -> Taxes:
        """Return the unrounded taxes of a line's displayed amount."""
        rates = self.list_tax_rates(item, self.place)
        return self._compute_exact_taxes(
            taxes.compute_included_taxes if self.rules.inclusive else taxes.compute_added_taxes, seen, rates
        )

    def compute_net_price(self, seen: Decimal, own: Taxes) -> Decimal:
        """Return a displayed amount without its taxes."""
        return seen - sum_taxes(own) if self.rules.inclusive else seen

    def _compute_exact_taxes(
        self, of: taxes.TaxFormula, amount: Decimal, rates: Sequence[EffectiveTaxRate]
    ) -> dict[int, Decimal]:
        """Return taxes to six decimals of a cent, so that half a cent stays exact."""
        places = self.rules.places
        return {id: tax.scaleb(-places) for id, tax in of(amount.scaleb(places), rates).items()}


def _get_tax_class(sellable: Sellable) -> str:
    own = sellable.one.tax_class
    return sellable.root.tax_class if own == "parent" else own


def sum_taxes(own: Taxes) -> Decimal:
    """Return the sum of the taxes of all rates."""
    return sum(own.values(), money.ZERO)
