"""The draft with which an order begins: made of a cart and the customer's input, and again when the cart changes.

Not here: totals of the cart (shop/cart/totals.py), placing the order (shop/checkout/rules.py). Rules:
docs/rules/checkout.md, 1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.cart import store as cart_store, totals as cart_totals
from vetrina.shop.cart.line_prices import PricedCartLine
from vetrina.shop.cart.store import CREATED_VIA, Cart
from vetrina.shop.cart.totals import CartTotals
from vetrina.shop.checkout import payment_methods, rules as checkout
from vetrina.shop.checkout.rules import CheckoutInput
from vetrina.shop.orders import model as order_model, rules as orders, statuses as order_statuses
from vetrina.shop.orders.coupons import TransferredCoupon
from vetrina.shop.orders.model import LINE, SHIPPING, SHIPPING_FIELDS, Order, OrderItem
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.settings import rules as settings

_BACKORDERED_KEY: Final = "Backordered"  # extra field of a line: pieces on backorder
_ITEMS_KEY: Final = "Items"  # extra field of a shipping item: what it ships
_STORED_DECIMALS: Final = 6  # decimals of stored amounts
_BINARY: Final = 10**8  # amounts below it have that many decimals as binary floats too
_HASH_LENGTH: Final = 32  # characters of the hash of a cart


class CartEmpty(ApiError):
    """There is nothing to order; where an order is placed, a conflict that shows the cart."""

    code = "shop_rest_cart_empty"
    failures = (Failure.INVALID, Failure.CONFLICT)
    message = "There is nothing in the cart."


def prepare_draft_order(
    work: UnitOfWork, cart: Cart, form: CheckoutInput, ip: str = "", agent: str = "", *, placing: bool = False
) -> tuple[CartTotals, Order]:
    """Return the totals of a cart and its draft order with the input applied; both are stored.

    placing: the cart is stored by `place_order`, or by `save_refused_cart` where that fails.
    Raises CartEmpty, and the reason why something in the cart cannot be bought.
    """
    cart = cart_store.apply_ship_to_destination(work, _merge_addresses(cart, form))
    counted = cart_totals.compute_cart_totals(work, cart)
    if not cart.lines:
        raise CartEmpty
    if counted.faults:
        raise counted.faults[0]
    if form.billing and not form.shipping and not (counted.needs_shipping and has_address_details(cart.shipping)):
        shipping = {name: cart.billing.get(name, "") for name in SHIPPING_FIELDS}
        if shipping != cart.shipping:
            cart = msgspec.structs.replace(cart, shipping=shipping)
            counted = cart_totals.compute_cart_totals(work, cart)
    draft = _sync_draft_order(work, counted, form, ip, agent)
    cart = msgspec.structs.replace(cart, draft=draft.id)
    if not placing:
        cart_store.save_cart(work, cart)
    return msgspec.structs.replace(counted, cart=cart), draft


def has_address_details(address: Mapping[str, str]) -> bool:
    """Return whether an address has more than the default location."""
    return any(part for name, part in address.items() if name not in ("country", "state"))


def _merge_addresses(cart: Cart, form: CheckoutInput) -> Cart:
    members: dict[str, Any] = {}
    if form.billing:
        members["billing"] = {**cart.billing, **form.billing}
    if form.shipping:
        members["shipping"] = {**cart.shipping, **form.shipping}
    return msgspec.structs.replace(cart, **members)


def _sync_draft_order(work: UnitOfWork, counted: CartTotals, form: CheckoutInput, ip: str, agent: str) -> Order:
    """Return the draft order of a cart with the cart's lines, created where there is none."""
    cart = counted.cart
    old = order_model.find_order(work, cart.draft) if cart.draft else None
    mark = _compute_draft_hash(counted)
    if old is not None and not _is_reusable_draft(old, mark):
        old = None
    method = _choose_payment_method(work, counted, form, old)
    buyer = work.user.id or (old.customer if old is not None and old.status != order_statuses.DRAFT else 0)
    given: dict[str, Any] = {
        "customer_id": buyer, "customer_note": form.note,
        "payment_method": method.gateway.id if method else "", "payment_method_title": method.title if method else "",
    }  # fmt: skip
    taken = None
    if old is None or old.cart_hash != mark:
        before = order_model.load_items_by_owner(work, (old.id,))[old.id] if old else []
        # The order has the cart's exact amounts, to the fraction of a cent.
        places, down = settings.get_price_decimals(work), money.HALF_DOWN
        given.update(_build_order_items(counted, before, places), billing=cart.billing, shipping=cart.shipping)
        taken = [
            TransferredCoupon(
                applied.coupon,
                money.round_amount(applied.discount, places, down),
                money.round_amount(applied.tax, places, down),
            )
            for applied in counted.coupons
        ]
    own = {"cart_hash": mark, "customer_ip": ip, "customer_agent": agent}
    if old is not None:
        return orders.update_order(work, old, given, own=own, taken=taken)
    return orders.create_order(work, given, via=CREATED_VIA, draft=True, own=own, taken=taken).order


def _is_reusable_draft(old: Order, mark: str) -> bool:
    """Return whether the order of a cart can still be its draft; one that awaits payment can while its hash matches."""
    if old.created_via != CREATED_VIA:
        return False
    return old.status == order_statuses.DRAFT or (old.status in checkout.UNPAID_STATUSES and old.cart_hash == mark)


def _compute_draft_hash(counted: CartTotals) -> str:
    """Return a hash that changes with the order of a cart: its lines, addresses and totals."""
    parts = [
        cart_store.compute_cart_hash(counted.cart), *((line.item.subtotal, line.item.total) for line in counted.lines),
        *((one.coupon.id, one.discount, one.tax) for one in counted.coupons),
        counted.chosen and (counted.chosen.id, counted.chosen.item.total), counted.figures.total,
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:_HASH_LENGTH]


def _choose_payment_method(
    work: UnitOfWork, counted: CartTotals, form: CheckoutInput, old: Order | None
) -> ConfiguredGateway | None:
    """Return the payment method of the draft: the one sent, else the one of the order before, else the first."""
    methods = {one.gateway.id: one for one in payment_methods.list_payment_methods(work, counted)}
    for id in (form.method, old.payment_method if old else None):
        if id and id in methods:
            return methods[id]
    return next(iter(methods.values()), None)


def _build_order_items(counted: CartTotals, before: Sequence[OrderItem], places: int) -> dict[str, Any]:
    """Return the items of an order as a client would write them; the earlier ones are removed.

    places: decimals of the currency.
    """
    lines: list[dict[str, Any]] = [{"id": item.id, "quantity": 0} for item in before if item.kind == LINE]
    shipping: list[dict[str, Any]] = [
        {"id": item.id, "method_id": None} for item in before if item.kind == SHIPPING
    ]  # fmt: skip
    for line in counted.lines:
        line_data: dict[str, Any] = {
            "product_id": line.item.product,
            "variation_id": line.item.variation,
            "quantity": line.item.quantity,
            "subtotal": _format_exact_amount(line.item.subtotal, places),
            "total": _format_exact_amount(line.item.total, places),
        }
        notes = [
            *line.line.choices.items(),
            *((_BACKORDERED_KEY, str(late)) for late in (_count_backordered_pieces(line),) if late),
        ]
        if notes:
            line_data["meta_data"] = [{"key": key, "value": value} for key, value in notes]
        lines.append(line_data)
    if (sent := counted.chosen) is not None:
        names = ", ".join(f"{goods.one.name} &times; {pieces}" for goods, pieces in counted.shipped_lines)
        shipping.append(
            {"method_id": sent.method.kind, "method_title": sent.item.name, "instance_id": str(sent.method.id),
             "total": _format_exact_amount(sent.item.total, places), "tax_status": sent.item.tax_status,
             "meta_data": [{"key": _ITEMS_KEY, "value": names}]}
        )  # fmt: skip
    return {"line_items": lines, "shipping_lines": shipping}


def _format_exact_amount(amount: Decimal, places: int) -> str:
    """Return an amount with the six decimals that an order stores; a half is rounded to its nearer binary fraction.

    A cart counts fractions of cents, which other implementations hold as binary floats and convert to amounts only
    then: 6.0000015 becomes 6.000001 there, 29.9850075 becomes 29.985008. places: decimals of the currency.
    """
    is_half = amount.scaleb(_STORED_DECIMALS + 1) % 10 in (5, -5)
    if not is_half or abs(amount) >= _BINARY:
        return money.format_amount(amount, _STORED_DECIMALS)
    return f"{float(amount.scaleb(places)) / 10**places:.{_STORED_DECIMALS}f}"


def _count_backordered_pieces(line: PricedCartLine) -> int:
    """Return how many pieces of a line are on backorder, where the shop shows that."""
    counter = line.goods.stock_holder
    if counter is None or counter.backorders != "notify":
        return 0
    return min(line.item.quantity, max(0, line.item.quantity - max(0, counter.stock_quantity or 0)))
