"""A cart as visitors see it, with everything that follows from what is in it.

Not here: the counting (shop/cart/totals.py), the routes (shop/storefront/cart_routes.py). Rules: the recordings of the
second deployment; facts, "Visitors' interface".
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.rest.fields import Array, Boolean, Field, Integer, Number, Object, String, Untyped
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart import totals as cart_totals
from vetrina.shop.cart.shipping import Offer
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import Counted, CountedCoupon, CountedLine
from vetrina.shop.checkout import rules as checkout
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.orders.model import BILLING, SHIPPING_ADDRESS
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import CROSS_SELL
from vetrina.shop.settings import rules as settings
from vetrina.shop.storefront import product_views
from vetrina.shop.storefront.amount_views import CURRENCY, Amounts
from vetrina.shop.storefront.line_views import GoodsView

__all__ = ["FIELDS", "LINE", "View", "address", "shown"]

_EXACT: Final = 6
_PARCEL: Final = "Shipment 1"
_GRAMS: Final = {"kg": Decimal(1000), "g": Decimal(1), "lbs": Decimal("453.592"), "oz": Decimal("28.3495")}
_SENT_TO: Final = ("address_1", "address_2", "city", "state", "postcode", "country")


def shown(work: Work, one: Cart) -> dict[str, Any]:
    """Return a cart as an answer shows it."""
    return View(work, cart_totals.count(work, one)).body()


def address(kept: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """Return an address with all its parts; a state that its country does not have is left out."""
    told = order_addresses.with_known_state(kept)
    return {name: told.get(name, "") for name in names}


class View:
    """A counted cart on its way to an answer."""

    def __init__(self, work: Work, counted: Counted) -> None:
        self.work, self.counted, self.amounts = work, counted, Amounts(work)
        self.goods = GoodsView(work, [line.goods for line in counted.lines], self.amounts, counted.place)

    def body(self) -> dict[str, Any]:
        """Return the whole cart."""
        counted = self.counted
        return {
            "items": self.lines(),
            "coupons": self.coupons(),
            "fees": [],
            "totals": self._totals(),
            "shipping_address": address(counted.cart.shipping, SHIPPING_ADDRESS),
            "billing_address": address(counted.cart.billing, BILLING),
            "needs_payment": counted.figures.total > 0,
            "needs_shipping": counted.sent,
            "payment_requirements": ["products"],
            "has_calculated_shipping": counted.sent and counted.addressed,
            "shipping_rates": self._parcels(),
            "items_count": sum(line.line.quantity for line in counted.lines),
            "items_weight": self._weight(),
            "cross_sells": self._cross_sells(),
            "errors": [{"code": fault.code, "message": fault.text} for fault in counted.faults],
            "payment_methods": [held.of.id for held in checkout.available(self.work, counted)],
            "extensions": {},
        }

    def lines(self) -> list[dict[str, Any]]:
        """Return all lines."""
        return [self.line(line) for line in self.counted.lines]

    def line(self, one: CountedLine) -> dict[str, Any]:
        """Return one line."""
        goods, item = one.goods, one.item
        counter = goods.counter
        told = self.goods.members(goods, one.line.choices)
        late = counter is not None and counter.backorders == "notify"
        return {
            "key": one.line.key,
            "id": goods.one.id,
            "type": goods.one.kind,
            "quantity": one.line.quantity,
            "quantity_limits": {
                "minimum": 1, "maximum": self.goods.most(goods), "multiple_of": 1, "editable": not goods.alone,
            },
            **told,
            "show_backorder_badge": late and counter is not None
            and (counter.stock_quantity or 0) < one.line.quantity,
            "totals": self.amounts.group(
                line_subtotal=item.subtotal, line_subtotal_tax=item.subtotal_tax, line_total=item.total,
                line_total_tax=item.total_tax,
            ),
            "extensions": {},
        }  # fmt: skip

    def coupons(self) -> list[dict[str, Any]]:
        """Return all coupons."""
        return [self.coupon(one) for one in self.counted.coupons]

    def coupon(self, one: CountedCoupon) -> dict[str, Any]:
        """Return one coupon with what it takes off."""
        # Of a coupon half a cent goes down, six decimals of its amounts being all that counts; of the cart it goes up.
        discount, tax = (
            self.amounts.minor(money.rounded(amount, _EXACT), half=money.HALF_DOWN)
            for amount in (one.discount, one.tax)
        )
        return {
            "code": one.coupon.code,
            "discount_type": one.coupon.kind,
            "totals": self.amounts.group(total_discount=discount, total_discount_tax=tax),
        }

    def _totals(self) -> dict[str, Any]:
        counted, figures, minor = self.counted, self.counted.figures, self.amounts.minor
        sent = counted.sent and counted.addressed
        return self.amounts.group(
            total_items=counted.subtotal,
            total_items_tax=counted.subtotal_tax,
            total_fees=money.ZERO,
            total_fees_tax=money.ZERO,
            total_discount=figures.discount,
            total_discount_tax=figures.discount_tax,
            total_shipping=figures.shipping if sent else None,
            total_shipping_tax=figures.shipping_tax if sent else None,
            total_price=figures.total,
            total_tax=figures.total_tax,
            tax_lines=[
                {
                    "name": one.rate.name or "Tax",
                    "price": minor(one.amount),
                    "rate": f"{money.plain(one.rate.percent)}%",
                }
                for one in counted.tax_lines
            ],
        )

    def _parcels(self) -> list[dict[str, Any]]:
        counted = self.counted
        if not counted.sent:
            return []
        sent = [line for line in counted.lines if line.sent]
        names = ", ".join(f"{goods.one.name} &times; {pieces}" for goods, pieces in counted.packed)
        return [
            {
                "package_id": 0,
                "name": _PARCEL,
                "destination": address(counted.cart.shipping, _SENT_TO),
                "items": [
                    {"key": line.line.key, "name": line.goods.one.name, "quantity": line.line.quantity} for line in sent
                ],
                "shipping_rates": [self._offer(one, names) for one in counted.offers],
            }
        ]

    def _offer(self, one: Offer, names: str) -> dict[str, Any]:
        return {
            "rate_id": one.id,
            "name": one.item.name,
            "description": "",
            "delivery_time": "",
            "price": self.amounts.minor(one.item.total),
            "taxes": self.amounts.minor(one.tax),
            "instance_id": one.method.id,
            "method_id": one.method.kind,
            "meta_data": [{"key": "Items", "value": names}],
            "selected": one is self.counted.chosen,
            **self.amounts.members,
        }

    def _weight(self) -> float:
        """Return what the goods weigh, in grams."""
        weight = money.ZERO
        for line in self.counted.lines:
            written = line.goods.one.weight or line.goods.root.weight
            if written and not line.goods.one.virtual:
                weight += (money.parsed(written) or money.ZERO) * line.line.quantity
        unit = str(settings.shop_option(self.work, "shop_weight_unit"))
        return max(0.0, float(weight * _GRAMS.get(unit, Decimal(1))))

    def _cross_sells(self) -> list[dict[str, Any]]:
        """Return products that go with those of the cart and are not in it."""
        held = {id for line in self.counted.lines for id in (line.goods.root.id, line.goods.one.id)}
        if not held:
            return []
        linked = product_model.linked(self.work, held)
        wanted = [id for of in linked.values() for id in of.get(CROSS_SELL, ()) if id not in held]
        if not wanted:
            return []
        found = cart_lines.goods_of(self.work, dict.fromkeys(wanted))
        fit = [goods.one for goods in found.values() if cart_lines.purchasable(self.work, goods)]
        return product_views.listed(self.work, fit)


_TOTALS: Final = Object("What it comes to, in the smallest unit of the currency.", CURRENCY, additional=True)
_ADDRESS: Final = {name: String() for name in SHIPPING_ADDRESS}

LINE: Final[dict[str, Field]] = {
    "key": String("Key of the line.", readonly=True),
    "id": Integer("Number of the product or variation.", readonly=True),
    "type": String("Kind of product.", readonly=True),
    "quantity": Integer("How many pieces.", readonly=True),
    "quantity_limits": Object("How many there may be.", additional=True, readonly=True),
    "name": String("Name of the product.", readonly=True),
    "short_description": String("A short text, as HTML.", readonly=True),
    "description": String("The whole text, as HTML.", readonly=True),
    "sku": String("Stock number.", readonly=True),
    "low_stock_remaining": Untyped("How many pieces are left where they are few, else null.", readonly=True),
    "backorders_allowed": Boolean("Whether more may be ordered than there is.", readonly=True),
    "show_backorder_badge": Boolean("Whether some of it comes later.", readonly=True),
    "sold_individually": Boolean("Whether only one may be in a cart.", readonly=True),
    "permalink": String("Address of the product's page.", format="uri", readonly=True),
    "images": Array("Its images.", items=Object(additional=True), readonly=True),
    "variation": Array("What was chosen.", items=Object(additional=True), readonly=True),
    "item_data": Array("What else is known of it.", items=Object(additional=True), readonly=True),
    "prices": Object("What one piece costs.", CURRENCY, additional=True, readonly=True),
    "totals": _TOTALS,
    "catalog_visibility": String("Where the product is shown.", readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}

FIELDS: Final[dict[str, Field]] = {
    "items": Array("The lines.", items=Object(properties=LINE), readonly=True),
    "coupons": Array("The coupons.", items=Object(additional=True), readonly=True),
    "fees": Array("Fees.", items=Object(additional=True), readonly=True),
    "totals": _TOTALS,
    "shipping_address": Object("Where it is sent to.", _ADDRESS, readonly=True),
    "billing_address": Object("Who pays.", {**_ADDRESS, "email": String()}, readonly=True),
    "needs_payment": Boolean("Whether anything is to be paid.", readonly=True),
    "needs_shipping": Boolean("Whether anything is to be sent.", readonly=True),
    "payment_requirements": Array("What a way of paying must be able to do.", items=String(), readonly=True),
    "has_calculated_shipping": Boolean("Whether it is known what sending costs.", readonly=True),
    "shipping_rates": Array("Parcels with the ways to send each.", items=Object(additional=True), readonly=True),
    "items_count": Integer("How many pieces there are.", readonly=True),
    "items_weight": Number("What they weigh, in grams.", readonly=True),
    "cross_sells": Array("Products that go with these.", items=Object(additional=True), readonly=True),
    "errors": Array("Why the cart cannot be bought as it is.", items=Object(additional=True), readonly=True),
    "payment_methods": Array("Ways of paying that it can be paid by.", items=String(), readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}
