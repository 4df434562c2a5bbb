"""The checkout: placing the order of a cart, paying an order of the shop.

A refused attempt leaves the draft with the customer's input and nothing else: no stock, no coupon use, no account.
Placing runs inside the site's one write transaction, so that the last piece is sold once. Not here: the draft
(shop/checkout/draft_orders.py), effects of a status (shop/orders/transitions.py). Rules: docs/rules/checkout.md, 2, 3,
4 and 5: a POST checks the address, then the payment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.cart import store as cart_store
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import CartTotals
from vetrina.shop.checkout import payment_methods, requirements
from vetrina.shop.customers import addresses as customer_addresses, rules as customers
from vetrina.shop.orders import model as order_model, rules as orders, statuses as order_statuses, transitions
from vetrina.shop.orders.model import SHIPPING_FIELDS, Order
from vetrina.shop.payments import gateways, order_payments as payments
from vetrina.shop.payments.attempts import PaymentAttempt
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.settings import rules as settings

UNPAID_STATUSES: Final = ("pending", "failed")


class InvalidCheckoutAddress(ApiError):
    code = "shop_rest_invalid_address"
    message = "An address is not complete: {why}."


class CountryNotServed(ApiError):
    code = "shop_rest_invalid_address_country"
    message = "The shop does not sell to {country}."


class NoShippingAvailable(ApiError):
    code = "shop_rest_invalid_shipping_option"
    message = "There is no way to send this to the address."


class PaymentMethodMissing(ApiError):
    code = "shop_rest_checkout_missing_payment_method"
    message = "Send `payment_method`; the cart's `payment_methods` lists what there is."


class PaymentMethodDisabled(ApiError):
    code = "shop_rest_checkout_payment_method_disabled"
    message = "This cannot be paid by {id!r}; the cart's `payment_methods` lists what there is."


class AccountRequired(ApiError):
    failure, code = Failure.FORBIDDEN, "shop_rest_guest_checkout_disabled"
    message = "This shop sells to accounts only: sign in, or send `create_account` where the shop allows that."


class OrderNotPayable(ApiError):
    code = "invalid_order_update_status"
    message = "This order does not wait for a payment."


class CheckoutInput(msgspec.Struct, frozen=True):
    """A customer's input at the checkout; None means not sent."""

    billing: Mapping[str, str] | None = None
    shipping: Mapping[str, str] | None = None
    method: str | None = None
    note: str | None = None
    data: Mapping[str, Any] = {}  # for the payment method, which alone interprets it
    create_account: bool = False
    password: str = ""  # of a new account; already hashed where that was possible in advance


def get_new_account_password(work: UnitOfWork, form: CheckoutInput) -> str:
    """Return the password of the account that placing an order would create; empty where none is created with one."""
    on = settings.is_setting_on
    wanted = form.create_account or not on(work, "shop_enable_guest_checkout")
    if work.user.id or not wanted or not on(work, "shop_enable_signup_and_login_from_checkout"):
        return ""
    return "" if on(work, "shop_registration_generate_password") else form.password


def save_refused_cart(work: UnitOfWork, counted: CartTotals) -> Cart:
    """Store the cart of a refused attempt, with the customer's input so far."""
    return cart_store.save_cart(work, counted.cart)


def place_order(
    work: UnitOfWork, counted: CartTotals, draft: Order, form: CheckoutInput
) -> tuple[Order, Cart, tuple[PaymentAttempt, bool] | None]:
    """Place the order of a cart and empty the cart; a gateway's order keeps the cart until it is paid.

    Returns the order, the cart, and the payment attempt to run after the transaction, if any, with whether it is new.
    Raises InvalidCheckoutAddress, CountryNotServed, NoShippingAvailable, PaymentMethodMissing, PaymentMethodDisabled,
    AccountRequired, CustomerEmailExists.
    """
    _check_addresses(work, counted.cart.billing, counted.cart.shipping if counted.needs_shipping else None)
    if counted.needs_shipping and counted.chosen is None:
        raise NoShippingAvailable
    method = _require_payment_method(form.method, payment_methods.list_payment_methods(work, counted), draft.total)
    attempt = payments.begin_payment(work, draft, method, form.data, counted.cart.key)
    if attempt is not None and not attempt[1]:
        return draft, cart_store.save_cart(work, counted.cart), attempt
    buyer = (
        draft.customer
        if draft.status in UNPAID_STATUSES and draft.customer
        else _resolve_buyer(work, counted.cart, form)
    )
    given: dict[str, Any] = {"customer_id": buyer}
    placed = orders.update_order(work, draft, {**given, **_build_payment_members(work, method, draft)})
    if buyer:
        known = customers.load_customers_by_id(work, (buyer,)).get(buyer)
        if known is not None:
            customers.update_customer(work, known, {"billing": counted.cart.billing, "shipping": counted.cart.shipping})
    if attempt is not None:
        return placed, cart_store.save_cart(work, counted.cart), attempt
    return (
        placed,
        cart_store.save_cart(work, msgspec.structs.replace(counted.cart, lines=(), coupons=(), draft=0)),
        None,
    )


def pay_order(work: UnitOfWork, order: Order, form: CheckoutInput) -> tuple[Order, tuple[PaymentAttempt, bool] | None]:
    """Pay an order that the shop created. Raises OrderNotPayable, InvalidCheckoutAddress, PaymentMethodMissing …

    Returns the payment attempt to run after the transaction, if any, with whether it is new.
    """
    meaning = order_statuses.STATUSES_BY_SLUG.get(order.status)
    if meaning is None or not meaning.payable or order.total <= 0:
        raise OrderNotPayable
    billing = {**order.billing, **(form.billing or {})}
    shipping = {**order.shipping_address, **(form.shipping or {})}
    if settings.get_shop_option(work, "shop_ship_to_destination") == "billing_only":
        shipping = {name: billing.get(name, "") for name in SHIPPING_FIELDS}
    _check_addresses(work, billing, shipping if form.shipping else None)
    method = _require_payment_method(form.method, gateways.list_enabled_gateways(work), order.total)
    if not order.stock_taken:
        requirements.require_stock(work, order_model.load_items_by_owner(work, (order.id,))[order.id])
    attempt = payments.begin_payment(work, order, method, form.data)
    if attempt is not None and not attempt[1]:
        return order, attempt
    given = {"billing": billing, "shipping": shipping, "customer_note": form.note or None}
    return orders.update_order(work, order, {**given, **_build_payment_members(work, method, order)}), attempt


def _check_addresses(work: UnitOfWork, billing: Mapping[str, str], shipping: Mapping[str, str] | None) -> None:
    faults: dict[str, list[str]] = {}
    for name, address in (("billing", billing), ("shipping", shipping)):
        if address is not None and (lacking := customer_addresses.list_missing_fields(address)):
            faults[name] = lacking
    if faults:
        raise InvalidCheckoutAddress(
            why="; ".join(text for one in faults.values() for text in one), data={"errors": faults}
        )
    for address, group in ((billing, "allowed"), (shipping, "ship_to")):
        if address is not None and not requirements.is_country_served(work, address.get("country", ""), group):
            raise CountryNotServed(country=address.get("country", ""))


def _require_payment_method(
    method: str | None, ways: Sequence[ConfiguredGateway], total: Any
) -> ConfiguredGateway | None:
    """Return the chosen payment method; None where there is nothing to pay."""
    found = next((one for one in ways if one.gateway.id == method), None)
    if found is None and total > 0:
        raise PaymentMethodDisabled(id=method) if method else PaymentMethodMissing
    return found


def _build_payment_members(work: UnitOfWork, method: ConfiguredGateway | None, order: Order) -> dict[str, Any]:
    """Return the members of an order that is being paid; its status is final where nothing is to be paid."""
    if method is None or order.total <= 0:
        items = order_model.load_items_by_owner(work, (order.id,))[order.id]
        # Cash on delivery is complete at once where the order costs nothing.
        settled = method is not None and method.gateway.id == payment_methods.CASH_ON_DELIVERY
        status = "completed" if settled or not transitions.is_processing_needed(work, items) else "processing"
        named = (
            {"payment_method": method.gateway.id, "payment_method_title": method.title} if method is not None else {}
        )
        return {"status": status, "payment_method": "", "payment_method_title": "", **named}
    return {
        "status": method.gateway.status,
        "payment_method": method.gateway.id,
        "payment_method_title": method.title,
    }


def _resolve_buyer(work: UnitOfWork, cart: Cart, form: CheckoutInput) -> int:
    """Return the account id of an order, with the account created where requested; 0 for a guest."""
    if work.user.id:
        return work.user.id
    guests = settings.is_setting_on(work, "shop_enable_guest_checkout")
    if guests and not form.create_account:
        return 0
    if not settings.is_setting_on(work, "shop_enable_signup_and_login_from_checkout"):
        if guests:
            return 0
        raise AccountRequired
    chosen = get_new_account_password(work, form)
    account = customers.create_customer(
        work,
        {
            "email": cart.billing.get("email", ""), "first_name": cart.billing.get("first_name", ""),
            "last_name": cart.billing.get("last_name", ""), "names_make_login": True, "password": chosen,
            "password_later": not chosen, "billing": cart.billing, "shipping": cart.shipping,
        },
    )  # fmt: skip
    return account.id
