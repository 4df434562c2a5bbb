"""How a cart becomes an order that somebody pays: the order is begun as a draft, judged, and placed at once.

A try that is refused leaves the draft with what was told so far, and nothing else: no stock, no use of a coupon, no
account. Placing happens inside the one write transaction of a site, so that the last pieces are sold once.
Not here: what a cart comes to (cart_totals.py), what a status does (transitions.py). Rules: facts, "Visitors'
interface": a POST checks address, then payment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.domain.work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError

from . import (
    addresses,
    cart,
    cart_lines,
    cart_totals,
    customers,
    gateways,
    order,
    order_statuses,
    order_writing,
    settings,
    transitions,
)
from .cart import VIA, Cart
from .cart_totals import Counted
from .gateways import Held
from .order import LINE, SHIPPING, SHIPPING_ADDRESS, Item, Order

__all__ = [
    "VIA", "AccountNeeded", "CartEmpty", "CountryNotServed", "InvalidAddress", "MethodDisabled", "MethodMissing",
    "NoShipping", "NotPayable", "Told", "available", "begin", "chosen_password", "is_told", "keep", "pay", "place",
]  # fmt: skip

_IN_CASH: Final = "cod"


class CartEmpty(ApiError):
    """400 for who looks, 409 with the cart for who orders: `answer_status` says which."""

    code = "shop_rest_cart_empty"
    message = "There is nothing in the cart."


class InvalidAddress(ApiError):
    code = "shop_rest_invalid_address"
    message = "An address is not complete: {why}."


class CountryNotServed(ApiError):
    code = "shop_rest_invalid_address_country"
    message = "The shop does not sell to {country}."


class NoShipping(ApiError):
    code = "shop_rest_invalid_shipping_option"
    message = "There is no way to send this to the address."


class MethodMissing(ApiError):
    code = "shop_rest_checkout_missing_payment_method"
    message = "Send `payment_method`; the cart's `payment_methods` lists what there is."


class MethodDisabled(ApiError):
    code = "shop_rest_checkout_payment_method_disabled"
    message = "This cannot be paid by {id!r}; the cart's `payment_methods` lists what there is."


class AccountNeeded(ApiError):
    status, code = 403, "shop_rest_guest_checkout_disabled"
    message = "This shop sells to accounts only: sign in, or send `create_account` where the shop allows that."


class NotPayable(ApiError):
    code = "invalid_order_update_status"
    message = "This order does not wait for a payment."


class Told(msgspec.Struct, frozen=True):
    """What somebody says at the checkout; None says nothing."""

    billing: Mapping[str, str] | None = None
    shipping: Mapping[str, str] | None = None
    method: str | None = None
    note: str | None = None
    create_account: bool = False
    password: str = ""  # of a new account; hashed where that could be done in advance


def chosen_password(work: Work, told: Told) -> str:
    """Return the password of the account that placing an order would make, empty where it makes none with one."""
    on = settings.is_on
    wanted = told.create_account or not on(work, "shop_enable_guest_checkout")
    if work.user.id or not wanted or not on(work, "shop_enable_signup_and_login_from_checkout"):
        return ""
    return "" if on(work, "shop_registration_generate_password") else told.password


def available(work: Work, counted: Counted) -> list[Held]:
    """Return the ways of paying that a cart can be paid by."""
    return [one for one in gateways.enabled(work) if _fits(one, counted)]


def _fits(one: Held, counted: Counted) -> bool:
    if one.of.id != _IN_CASH:
        return True
    if not counted.sent:
        return one.values.get("enable_for_virtual") != "no" or not counted.lines
    wanted = one.values.get("enable_for_methods") or ()
    chosen = counted.chosen
    return not wanted or (chosen is not None and bool({chosen.id, chosen.method.kind} & set(wanted)))


# -- the draft


def begin(
    work: Work, one: Cart, told: Told, ip: str = "", agent: str = "", *, placing: bool = False
) -> tuple[Counted, Order]:
    """Return a cart, counted, and the order that it begins, after what was told; both are stored.

    placing: the cart is left to `place`, or to `keep` where that fails.
    Raises CartEmpty, and why something in the cart cannot be bought.
    """
    one = _with_addresses(one, told)
    counted = cart_totals.count(work, one)
    if not one.lines:
        raise CartEmpty
    if counted.faults:
        raise counted.faults[0]
    if told.billing and not told.shipping and not (counted.sent and is_told(one.shipping)):
        shipping = {name: one.billing.get(name, "") for name in SHIPPING_ADDRESS}
        if shipping != one.shipping:
            one = msgspec.structs.replace(one, shipping=shipping)
            counted = cart_totals.count(work, one)
    draft = _synced(work, counted, told, ip, agent)
    one = msgspec.structs.replace(one, draft=draft.id)
    if not placing:
        cart.save(work, one)
    return msgspec.structs.replace(counted, cart=one), draft


def is_told(address: Mapping[str, str]) -> bool:
    """Say whether anything of an address is known beside where the shop supposes somebody to be."""
    return any(part for name, part in address.items() if name not in ("country", "state"))


def _with_addresses(one: Cart, told: Told) -> Cart:
    members: dict[str, Any] = {}
    if told.billing:
        members["billing"] = {**one.billing, **told.billing}
    if told.shipping:
        members["shipping"] = {**one.shipping, **told.shipping}
    return msgspec.structs.replace(one, **members)


def _synced(work: Work, counted: Counted, told: Told, ip: str, agent: str) -> Order:
    """Return the draft of a cart with the cart's lines, made where there is none."""
    one = counted.cart
    old = order.by_id(work, one.draft) if one.draft else None
    if old is not None and (old.status != order_statuses.DRAFT or old.created_via != VIA):
        old = None
    held = _method(work, counted, told, old)
    mark = cart.hash_of(one)
    given: dict[str, Any] = {
        "customer_id": work.user.id, "customer_note": told.note,
        "payment_method": held.of.id if held else "", "payment_method_title": held.title if held else "",
    }  # fmt: skip
    if old is None or old.cart_hash != mark:
        before = order.items_of(work, (old.id,))[old.id] if old else []
        given.update(_parts(counted, before), billing=one.billing, shipping=one.shipping)
    own = {"cart_hash": mark, "customer_ip": ip, "customer_agent": agent}
    if old is not None:
        return order_writing.change(work, old, given, own=own)
    made = order_writing.create(work, given, via=VIA, draft=True, own=own)
    if made.refusal is not None:
        raise made.refusal
    return made.order


def _method(work: Work, counted: Counted, told: Told, old: Order | None) -> Held | None:
    """Return the way of paying that the draft names: that which was told, was named before, or the first."""
    found = {one.of.id: one for one in available(work, counted)}
    for id in (told.method, old.payment_method if old else None):
        if id and id in found:
            return found[id]
    return next(iter(found.values()), None)


def _parts(counted: Counted, before: Sequence[Item]) -> dict[str, Any]:
    """Return the items of an order as a client would write them; those that were there before go."""
    lines: list[dict[str, Any]] = [{"id": item.id, "quantity": 0} for item in before if item.kind == LINE]
    shipping: list[dict[str, Any]] = [
        {"id": item.id, "method_id": None} for item in before if item.kind == SHIPPING
    ]  # fmt: skip
    for line in counted.lines:
        told: dict[str, Any] = {"product_id": line.item.product, "variation_id": line.item.variation,
                                "quantity": line.item.quantity}  # fmt: skip
        if line.line.choices:
            told["meta_data"] = [{"key": key, "value": value} for key, value in line.line.choices.items()]
        lines.append(told)
    if (sent := counted.chosen) is not None:
        shipping.append(
            {"method_id": sent.method.kind, "method_title": sent.item.name, "instance_id": str(sent.method.id),
             "total": money.text(sent.item.total, 6), "tax_status": sent.item.tax_status}
        )  # fmt: skip
    codes = [{"code": one.coupon.code} for one in counted.coupons]
    return {"line_items": lines, "shipping_lines": shipping, "coupon_lines": codes}


# -- placing


def keep(work: Work, counted: Counted) -> Cart:
    """Store the cart of a try that was refused, with what was told so far."""
    return cart.save(work, counted.cart)


def place(work: Work, counted: Counted, draft: Order, told: Told) -> tuple[Order, Cart]:
    """Place the order of a cart and empty the cart.

    Raises InvalidAddress, CountryNotServed, NoShipping, MethodMissing, MethodDisabled, AccountNeeded, EmailExists.
    """
    _judge_addresses(work, counted.cart.billing, counted.cart.shipping if counted.sent else None)
    if counted.sent and counted.chosen is None:
        raise NoShipping
    held = _judged_method(told.method, available(work, counted), draft.total)
    buyer = _buyer(work, counted.cart, told)
    given: dict[str, Any] = {"customer_id": buyer}
    placed = order_writing.change(work, draft, {**given, **_payment(work, held, draft)})
    if buyer:
        known = customers.by_ids(work, (buyer,)).get(buyer)
        if known is not None:
            customers.change(work, known, {"billing": counted.cart.billing, "shipping": counted.cart.shipping})
    return placed, cart.save(work, msgspec.structs.replace(counted.cart, lines=(), coupons=(), draft=0))


def pay(work: Work, one: Order, told: Told) -> Order:
    """Let a visitor pay an order of the shop. Raises NotPayable, InvalidAddress, MethodMissing, NotEnough …"""
    meaning = order_statuses.BY_SLUG.get(one.status)
    if meaning is None or not meaning.payable or one.total <= 0:
        raise NotPayable
    billing = {**one.billing, **(told.billing or {})}
    shipping = {**one.shipping_address, **(told.shipping or {})}
    _judge_addresses(work, billing, shipping if told.shipping else None)
    held = _judged_method(told.method, gateways.enabled(work), one.total)
    if not one.stock_taken:
        _judge_stock(work, order.items_of(work, (one.id,))[one.id])
    given = {"billing": billing, "shipping": shipping, "customer_note": told.note or None}
    return order_writing.change(work, one, {**given, **_payment(work, held, one)})


def _judge_addresses(work: Work, billing: Mapping[str, str], shipping: Mapping[str, str] | None) -> None:
    faults: dict[str, list[str]] = {}
    for name, address in (("billing", billing), ("shipping", shipping)):
        if address is not None and (lacking := addresses.missing(address)):
            faults[name] = lacking
    if faults:
        raise InvalidAddress(why="; ".join(text for one in faults.values() for text in one), data={"errors": faults})
    for address, group in ((billing, "allowed"), (shipping, "ship_to")):
        if address is not None and not _serves(work, address.get("country", ""), group):
            raise CountryNotServed(country=address.get("country", ""))


def _serves(work: Work, country: str, group: str) -> bool:
    """Say whether the shop sells or sends to a country; group: allowed, ship_to."""
    if group == "ship_to":
        wanted = settings.shop_option(work, "shop_ship_to_countries")
        if wanted == "specific":
            return country in (settings.shop_option(work, "shop_specific_ship_to_countries") or ())
        return wanted == "all" or _serves(work, country, "allowed")
    match settings.shop_option(work, "shop_allowed_countries"):
        case "specific":
            return country in (settings.shop_option(work, "shop_specific_allowed_countries") or ())
        case "all_except":
            return country not in (settings.shop_option(work, "shop_all_except_countries") or ())
        case _:
            return True


def _judged_method(told: str | None, ways: Sequence[Held], total: Any) -> Held | None:
    """Return the way of paying that was told; None where there is nothing to pay."""
    if total <= 0:
        return None
    if not told:
        raise MethodMissing
    found = next((one for one in ways if one.of.id == told), None)
    if found is None:
        raise MethodDisabled(id=told)
    return found


def _payment(work: Work, held: Held | None, one: Order) -> dict[str, Any]:
    """Return what an order becomes that somebody pays; nothing waits where nothing is to be paid."""
    if held is None:
        items = order.items_of(work, (one.id,))[one.id]
        status = "processing" if transitions.needs_processing(work, items) else "completed"
        return {"status": status, "payment_method": "", "payment_method_title": ""}
    return {"status": held.of.status, "payment_method": held.of.id, "payment_method_title": held.title}


def _buyer(work: Work, one: Cart, told: Told) -> int:
    """Return the number of the account that an order belongs to, made where that is asked for; 0 for a guest's."""
    if work.user.id:
        return work.user.id
    guests = settings.is_on(work, "shop_enable_guest_checkout")
    if guests and not told.create_account:
        return 0
    if not settings.is_on(work, "shop_enable_signup_and_login_from_checkout"):
        if guests:
            return 0
        raise AccountNeeded
    chosen = chosen_password(work, told)
    made = customers.create(
        work,
        {
            "email": one.billing.get("email", ""), "first_name": one.billing.get("first_name", ""),
            "last_name": one.billing.get("last_name", ""), "names_make_login": True, "password": chosen,
            "password_later": not chosen, "billing": one.billing, "shipping": one.shipping,
        },
    )  # fmt: skip
    return made.id


def _judge_stock(work: Work, items: Sequence[Item]) -> None:
    """Raise what is sold out of an order whose goods were not taken yet."""
    if not settings.is_on(work, "shop_manage_stock"):
        return
    found = cart_lines.goods_of(work, [item.goods for item in items if item.kind == LINE and item.goods])
    wanted: dict[int, int] = {}
    for item in items:
        goods = found.get(item.goods) if item.kind == LINE else None
        if goods is None:
            continue
        counter = goods.counter
        if counter is None:
            continue
        wanted[counter.id] = wanted.get(counter.id, 0) + item.quantity
        if counter.backorders == "no" and wanted[counter.id] > (counter.stock_quantity or 0):
            raise cart_lines.NotEnough(left=max(counter.stock_quantity or 0, 0), name=goods.name)
