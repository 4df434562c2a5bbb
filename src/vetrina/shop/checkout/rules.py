"""How a cart becomes an order that somebody pays: the order is begun as a draft, judged, and placed at once.

A try that is refused leaves the draft with what was told so far, and nothing else: no stock, no use of a coupon, no
account. Placing happens inside the one write transaction of a site, so that the last pieces are sold once. Not here:
what a cart comes to (shop/cart/totals.py), what a status does (shop/orders/transitions.py). Rules: facts, "Visitors'
interface": a POST checks address, then payment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.cart import store as cart_store
from vetrina.shop.cart import totals as cart_totals
from vetrina.shop.cart.store import VIA, Cart
from vetrina.shop.cart.totals import Counted, CountedLine
from vetrina.shop.checkout import requirements
from vetrina.shop.customers import rules as customers
from vetrina.shop.orders import (
    addresses as order_addresses,
)
from vetrina.shop.orders import (
    model as order_model,
)
from vetrina.shop.orders import (
    rules as orders,
)
from vetrina.shop.orders import (
    statuses as order_statuses,
)
from vetrina.shop.orders import (
    transitions,
)
from vetrina.shop.orders.coupons import Taken
from vetrina.shop.orders.model import LINE, SHIPPING, SHIPPING_ADDRESS, Item, Order
from vetrina.shop.payments import gateways
from vetrina.shop.payments import rules as payments
from vetrina.shop.payments.attempts import Attempt
from vetrina.shop.payments.gateways import Held
from vetrina.shop.settings import rules as settings

__all__ = [
    "VIA", "AccountNeeded", "CartEmpty", "CountryNotServed", "InvalidAddress", "MethodDisabled", "MethodMissing",
    "NoShipping", "NotPayable", "Told", "available", "begin", "chosen_password", "is_asked_outside",
    "is_told", "keep", "pay", "place",
]  # fmt: skip

_IN_CASH: Final = "cod"
_UNPAID: Final = ("pending", "failed")
_LATER: Final = "Backordered"  # extra field of a line: pieces that come later
_PACKED: Final = "Items"  # extra field of a way of shipping: what is sent by it
_KEPT: Final = 6  # decimals of what an order keeps
_BINARY: Final = 10**8  # amounts below it have so many decimals in binary, too
_MARK: Final = 32  # signs of the mark of a cart


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
    data: Mapping[str, Any] = {}  # for the way of paying, which alone knows what it means
    create_account: bool = False
    password: str = ""  # of a new account; hashed where that could be done in advance


def chosen_password(work: Work, told: Told) -> str:
    """Return the password of the account that placing an order would make, empty where it makes none with one."""
    on = settings.is_on
    wanted = told.create_account or not on(work, "shop_enable_guest_checkout")
    if work.user.id or not wanted or not on(work, "shop_enable_signup_and_login_from_checkout"):
        return ""
    return "" if on(work, "shop_registration_generate_password") else told.password


def is_asked_outside(work: Work, method: str | None) -> bool:
    """Say whether a way of paying asks somebody outside, for which no transaction may be open."""
    return any(one.of.id == method and one.of.service is not None for one in gateways.enabled(work))


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
    one = cart_store.with_destination(work, _with_addresses(one, told))
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
        cart_store.save(work, one)
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
    old = order_model.by_id(work, one.draft) if one.draft else None
    mark = _mark(counted)
    if old is not None and not _is_begun(old, mark):
        old = None
    held = _method(work, counted, told, old)
    buyer = work.user.id or (old.customer if old is not None and old.status != order_statuses.DRAFT else 0)
    given: dict[str, Any] = {
        "customer_id": buyer, "customer_note": told.note,
        "payment_method": held.of.id if held else "", "payment_method_title": held.title if held else "",
    }  # fmt: skip
    taken = None
    if old is None or old.cart_hash != mark:
        before = order_model.items_of(work, (old.id,))[old.id] if old else []
        # An order costs what its cart said, to the part of a cent.
        places, down = settings.decimals(work), money.HALF_DOWN
        given.update(_parts(counted, before, places), billing=one.billing, shipping=one.shipping)
        taken = [
            Taken(kept.coupon, money.rounded(kept.discount, places, down), money.rounded(kept.tax, places, down))
            for kept in counted.coupons
        ]
    own = {"cart_hash": mark, "customer_ip": ip, "customer_agent": agent}
    if old is not None:
        return orders.change(work, old, given, own=own, taken=taken)
    return orders.create(work, given, via=VIA, draft=True, own=own, taken=taken).order


def _is_begun(old: Order, mark: str) -> bool:
    """Say whether the order that a cart named is still what it becomes; one that waits for money is while it fits."""
    if old.created_via != VIA:
        return False
    return old.status == order_statuses.DRAFT or (old.status in _UNPAID and old.cart_hash == mark)


def _mark(counted: Counted) -> str:
    """Return what changes whenever the order of a cart would: its goods and addresses, and what they come to."""
    told = [
        cart_store.hash_of(counted.cart), *((line.item.subtotal, line.item.total) for line in counted.lines),
        *((one.coupon.id, one.discount, one.tax) for one in counted.coupons),
        counted.chosen and (counted.chosen.id, counted.chosen.item.total), counted.figures.total,
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:_MARK]


def _method(work: Work, counted: Counted, told: Told, old: Order | None) -> Held | None:
    """Return the way of paying that the draft names: that which was told, was named before, or the first."""
    found = {one.of.id: one for one in available(work, counted)}
    for id in (told.method, old.payment_method if old else None):
        if id and id in found:
            return found[id]
    return next(iter(found.values()), None)


def _parts(counted: Counted, before: Sequence[Item], places: int) -> dict[str, Any]:
    """Return the items of an order as a client would write them; those that were there before go.

    places: decimals of the currency.
    """
    lines: list[dict[str, Any]] = [{"id": item.id, "quantity": 0} for item in before if item.kind == LINE]
    shipping: list[dict[str, Any]] = [
        {"id": item.id, "method_id": None} for item in before if item.kind == SHIPPING
    ]  # fmt: skip
    for line in counted.lines:
        told: dict[str, Any] = {
            "product_id": line.item.product, "variation_id": line.item.variation, "quantity": line.item.quantity,
            "subtotal": _exact(line.item.subtotal, places), "total": _exact(line.item.total, places),
        }  # fmt: skip
        notes = [*line.line.choices.items(), *((_LATER, str(late)) for late in (_pieces_later(line),) if late)]
        if notes:
            told["meta_data"] = [{"key": key, "value": value} for key, value in notes]
        lines.append(told)
    if (sent := counted.chosen) is not None:
        names = ", ".join(f"{goods.one.name} &times; {pieces}" for goods, pieces in counted.packed)
        shipping.append(
            {"method_id": sent.method.kind, "method_title": sent.item.name, "instance_id": str(sent.method.id),
             "total": _exact(sent.item.total, places), "tax_status": sent.item.tax_status,
             "meta_data": [{"key": _PACKED, "value": names}]}
        )  # fmt: skip
    return {"line_items": lines, "shipping_lines": shipping}


def _exact(amount: Decimal, places: int) -> str:
    """Return an amount as an order keeps it, with six decimals; a half goes where its binary fraction is nearer to.

    A cart counts cents with their parts, which other implementations count in binary and make amounts of only then:
    6.0000015 is 6.000001 there, 29.9850075 is 29.985008. places: decimals of the currency.
    """
    is_half = amount.scaleb(_KEPT + 1) % 10 in (5, -5)
    if not is_half or abs(amount) >= _BINARY:
        return money.text(amount, _KEPT)
    return f"{float(amount.scaleb(places)) / 10**places:.{_KEPT}f}"


def _pieces_later(line: CountedLine) -> int:
    """Return how many pieces of a line are not there yet, where the shop says so."""
    counter = line.goods.counter
    if counter is None or counter.backorders != "notify":
        return 0
    return min(line.item.quantity, max(0, line.item.quantity - max(0, counter.stock_quantity or 0)))


# -- placing


def keep(work: Work, counted: Counted) -> Cart:
    """Store the cart of a try that was refused, with what was told so far."""
    return cart_store.save(work, counted.cart)


def place(work: Work, counted: Counted, draft: Order, told: Told) -> tuple[Order, Cart, tuple[Attempt, bool] | None]:
    """Place the order of a cart and empty the cart; one that a gateway is to be paid by keeps it until that is done.

    With the attempt, if any, that is to be carried out when the transaction is over, and whether it is a new one.
    Raises InvalidAddress, CountryNotServed, NoShipping, MethodMissing, MethodDisabled, AccountNeeded, EmailExists.
    """
    _judge_addresses(work, counted.cart.billing, counted.cart.shipping if counted.sent else None)
    if counted.sent and counted.chosen is None:
        raise NoShipping
    held = _judged_method(told.method, available(work, counted), draft.total)
    attempt = _attempt(work, held, draft, told, counted.cart.key)
    if attempt is not None and not attempt[1]:
        return draft, cart_store.save(work, counted.cart), attempt
    buyer = draft.customer if draft.status in _UNPAID and draft.customer else _buyer(work, counted.cart, told)
    given: dict[str, Any] = {"customer_id": buyer}
    placed = orders.change(work, draft, {**given, **_payment(work, held, draft)})
    if buyer:
        known = customers.by_ids(work, (buyer,)).get(buyer)
        if known is not None:
            customers.change(work, known, {"billing": counted.cart.billing, "shipping": counted.cart.shipping})
    if attempt is not None:
        return placed, cart_store.save(work, counted.cart), attempt
    return placed, cart_store.save(work, msgspec.structs.replace(counted.cart, lines=(), coupons=(), draft=0)), None


def _attempt(work: Work, held: Held | None, one: Order, told: Told, cart_key: str = "") -> tuple[Attempt, bool] | None:
    """Return the attempt by which an order is paid and whether it is new; None where no gateway is asked."""
    if held is None or held.of.service is None or one.total <= 0:
        return None
    return payments.begin(work, one, held, told.data, cart_key)


def pay(work: Work, one: Order, told: Told) -> tuple[Order, tuple[Attempt, bool] | None]:
    """Let a visitor pay an order of the shop. Raises NotPayable, InvalidAddress, MethodMissing, NotEnough …

    With the attempt, if any, that is to be carried out when the transaction is over, and whether it is a new one.
    """
    meaning = order_statuses.BY_SLUG.get(one.status)
    if meaning is None or not meaning.payable or one.total <= 0:
        raise NotPayable
    billing = {**one.billing, **(told.billing or {})}
    shipping = {**one.shipping_address, **(told.shipping or {})}
    if settings.shop_option(work, "shop_ship_to_destination") == "billing_only":
        shipping = {name: billing.get(name, "") for name in SHIPPING_ADDRESS}
    _judge_addresses(work, billing, shipping if told.shipping else None)
    held = _judged_method(told.method, gateways.enabled(work), one.total)
    if not one.stock_taken:
        requirements.require_stock(work, order_model.items_of(work, (one.id,))[one.id])
    attempt = _attempt(work, held, one, told)
    if attempt is not None and not attempt[1]:
        return one, attempt
    given = {"billing": billing, "shipping": shipping, "customer_note": told.note or None}
    return orders.change(work, one, {**given, **_payment(work, held, one)}), attempt


def _judge_addresses(work: Work, billing: Mapping[str, str], shipping: Mapping[str, str] | None) -> None:
    faults: dict[str, list[str]] = {}
    for name, address in (("billing", billing), ("shipping", shipping)):
        if address is not None and (lacking := order_addresses.missing(address)):
            faults[name] = lacking
    if faults:
        raise InvalidAddress(why="; ".join(text for one in faults.values() for text in one), data={"errors": faults})
    for address, group in ((billing, "allowed"), (shipping, "ship_to")):
        if address is not None and not requirements.is_served(work, address.get("country", ""), group):
            raise CountryNotServed(country=address.get("country", ""))


def _judged_method(told: str | None, ways: Sequence[Held], total: Any) -> Held | None:
    """Return the way of paying that was told; where there is nothing to pay, None is one too."""
    found = next((one for one in ways if one.of.id == told), None)
    if found is None and total > 0:
        raise MethodDisabled(id=told) if told else MethodMissing
    return found


def _payment(work: Work, held: Held | None, one: Order) -> dict[str, Any]:
    """Return what an order becomes that somebody pays; nothing waits where nothing is to be paid."""
    if held is None or one.total <= 0:
        items = order_model.items_of(work, (one.id,))[one.id]
        # What would be paid when it is fetched is settled at once where it costs nothing.
        settled = held is not None and held.of.id == _IN_CASH
        status = "completed" if settled or not transitions.needs_processing(work, items) else "processing"
        named = {"payment_method": held.of.id, "payment_method_title": held.title} if held is not None else {}
        return {"status": status, "payment_method": "", "payment_method_title": "", **named}
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
