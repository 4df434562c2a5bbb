"""Orders: make, change, trash and remove.

Not here: what is written about items (shop/orders/lines.py), coupons (shop/orders/coupons.py), totals
(shop/orders/totals.py), what a status does (shop/orders/transitions.py), refunds (shop/refunds/rules.py). Rules: facts,
"Orders".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.access.users import rules as users
from vetrina.backends.id_sequences import next_number
from vetrina.content.text import sanitizing
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import whole
from vetrina.kernel.keys import random_letters
from vetrina.shop import meta_data
from vetrina.shop.coupons.rules import CouponRefused
from vetrina.shop.customers import rules as customers
from vetrina.shop.orders import (
    coupons as order_coupons,
)
from vetrina.shop.orders import (
    currency_notes,
    transitions,
)
from vetrina.shop.orders import (
    lines as order_lines,
)
from vetrina.shop.orders import (
    model as order,
)
from vetrina.shop.orders import (
    statuses as order_statuses,
)
from vetrina.shop.orders import (
    totals as order_totals,
)
from vetrina.shop.orders.coupons import Taken
from vetrina.shop.orders.model import BILLING, COUPON, SHIPPING_ADDRESS, TAX, Item, Order
from vetrina.shop.products import costs as product_costs
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.settings import rules as settings

__all__ = ["AlreadyTrashed", "InvalidCustomer", "Made", "change", "create", "pay", "remove", "trash"]

KEY: Final = "shop_order_"
_REFUNDED: Final = "refunded"
_LAST_ACTIVE: Final = "shop_last_active"  # the extra field of a customer that says when they were last seen
_KEY_LETTERS: Final = 13
_COUNTED: Final = frozenset({"billing", "shipping", "line_items", "shipping_lines", "fee_lines", "coupon_lines"})
_PAID, _COMPLETED = "_date_paid", "_date_completed"
_PLAIN: Final = {
    "parent_id": "parent", "currency": "currency", "customer_note": "customer_note", "payment_method": "payment_method",
    "payment_method_title": "payment_method_title", "transaction_id": "transaction_id",
}  # fmt: skip


class InvalidCustomer(ApiError):
    code = "shop_rest_invalid_customer_id"
    message = "There is no customer with the number {id}."


class AlreadyTrashed(ApiError):
    status, code = 410, "shop_rest_already_trashed"
    message = "This order is in the trash already; send `force` as true to remove it for good."


class Made(NamedTuple):
    """A new order, and why its coupons were refused: then it is only a draft, which stays."""

    order: Order
    refusal: CouponRefused | None = None


def create(
    work: Work, given: Mapping[str, Any], *, via: str = "rest-api", draft: bool = False,
    own: Mapping[str, Any] | None = None, taken: Sequence[Taken] | None = None,
) -> Made:  # fmt: skip
    """Make an order.

    given: members by the interface's names, typed. via: what made it. draft: it is only begun, and nothing follows.
    own: members by the names of Order, which no client gives. taken: what coupons of a cart took off its lines.
    Raises InvalidCustomer, CouponIdReadonly, the errors of its items.
    """
    blank = Order(
        id=next_number(work.tx), currency=str(settings.shop_option(work, "shop_currency")),
        prices_include_tax=settings.is_on(work, "shop_prices_include_tax"), created=work.now, modified=work.now,
        order_key=KEY + random_letters(_KEY_LETTERS), created_via=via, billing=dict.fromkeys(BILLING, ""),
        shipping_address=dict.fromkeys(SHIPPING_ADDRESS, ""), status=order_statuses.DRAFT if draft else "pending",
        language=work.language,
    )  # fmt: skip
    new = _with_members(work, msgspec.structs.replace(blank, **(own or {})), given)
    items, _ = order_lines.written(work, new, [], given)
    new, items = order_totals.counted(work, new, items)
    if taken is not None:
        new, items = order_coupons.carried_over(work, new, items, taken)
    refusal = None
    if given.get("coupon_lines") is not None:
        try:
            new, items = order_coupons.applied(work, new, items, order_coupons.codes_of(given["coupon_lines"]))
        except CouponRefused as refused:
            refusal, new = refused, msgspec.structs.replace(new, status=order_statuses.DRAFT)
    _store_items(work, [], items)
    new = order.insert_new(work, _with_meta(work, new, given, creating=True))
    currency_notes.put(work, "order", new.id, new.currency)
    if refusal is not None:
        return Made(new, refusal)
    done = _finished(work, new, transitions.begun(work, new, items), items, given, creating=True)
    return Made(_with_refund(work, new, done))


def change(
    work: Work, old: Order, given: Mapping[str, Any], *, own: Mapping[str, Any] | None = None,
    taken: Sequence[Taken] | None = None,
) -> Order:  # fmt: skip
    """Change an order; given, own, taken: as `create` has them.

    Raises InvalidCustomer, the errors of its items and coupons.
    """
    before = order.items_of(work, (old.id,))[old.id]
    new = _with_members(work, msgspec.structs.replace(old, **(own or {})), given)
    items: Sequence[Item] = before
    if _COUNTED & given.keys():
        new, items = _with_items(work, new, before, given)
    if given.get("coupon_lines") is not None:
        new, items = _with_coupons(work, new, items, given["coupon_lines"])
    if taken is not None:
        held = items
        new, items = order_coupons.carried_over(work, new, items, taken)
        _store_items(work, held, items)
    new = _with_meta(work, new, given, creating=False)
    new = _finished(work, old, new, items, given)
    if new.customer and new.customer != old.customer:
        # Whoever is put on an order that is there already has been seen.
        meta_data.change(work, "customer", new.customer, [{"key": _LAST_ACTIVE, "value": str(work.now)}])
    return _with_refund(work, old, new)


def _with_refund(work: Work, old: Order, new: Order) -> Order:
    """Return an order; one that became refunded by hand gets the refund of what is left."""
    if new.status == _REFUNDED and old.status != _REFUNDED:
        refunds.refund_rest(work, new)
    return new


def pay(work: Work, old: Order, items: Sequence[Item], transaction_id: str = "") -> Order:
    """Return an order that was paid: processing, or completed where nothing is left to be done; paid ones stay."""
    meaning = order_statuses.BY_SLUG.get(old.status)
    if meaning is None or not (meaning.payable or old.status in ("on-hold", "cancelled")):
        return old
    if transaction_id:
        old = msgspec.structs.replace(old, transaction_id=transaction_id)
    if old.customer:
        customers.paid(work, old.customer)
    status = transitions.paid_status(work, old, items)
    paid = msgspec.structs.replace(old, paid=old.paid or work.now)
    return transitions.moved(work, paid, items, status, by_payment=True)


def trash(work: Work, old: Order) -> Order:
    """Put an order into the trash and return it as it was. Raises AlreadyTrashed."""
    if old.status == order_statuses.TRASH:
        raise AlreadyTrashed
    items = order.items_of(work, (old.id,))[old.id]
    new = transitions.forget(work, old, items)
    order.store(work, old, msgspec.structs.replace(new, status=order_statuses.TRASH, trashed_status=old.status))
    return old


def remove(work: Work, old: Order) -> None:
    """Remove an order for good, with its refunds."""
    items = order.items_of(work, (old.id,))[old.id]
    transitions.forget(work, old, items)
    for refund in refunds.of_orders(work, (old.id,))[old.id]:
        refunds.remove(work, refund)
    order.remove(work, old)


def _finished(
    work: Work, old: Order, new: Order, items: Sequence[Item], given: Mapping[str, Any], *, creating: bool = False
) -> Order:
    """Store an order after everything that its status, or a payment, brings with it."""
    if new.customer and not new.billing.get("email"):
        buyer = users.by_id(work.tx, new.customer)
        if buyer is not None:
            new = msgspec.structs.replace(new, billing={**new.billing, "email": buyer.email})
    if given.get("status"):
        new = transitions.moved(work, new, items, given["status"])
    if given.get("set_paid") and (creating or order_statuses.needs_payment(new.status, new.total)):
        new = pay(work, new, items, str(given.get("transaction_id") or ""))
    return order.store(work, old, new)


def _with_members(work: Work, old: Order, given: Mapping[str, Any]) -> Order:
    members: dict[str, Any] = {own: given[name] for name, own in _PLAIN.items() if given.get(name) is not None}
    if "payment_method_title" in members:
        members["payment_method_title"] = sanitizing.plain(members["payment_method_title"])
    if "transaction_id" in members:
        members["transaction_id"] = allowed_text(work.user, members["transaction_id"])
    # A visitor wrote it: whoever reads it gets words.
    if "customer_note" in members:
        members["customer_note"] = sanitizing.plain_lines(members["customer_note"])
    if given.get("customer_id") is not None:
        members["customer"] = _customer(work, int(given["customer_id"]))
    if given.get("billing"):
        members["billing"] = _address(old.billing, given["billing"], BILLING)
    if given.get("shipping"):
        members["shipping_address"] = _address(old.shipping_address, given["shipping"], SHIPPING_ADDRESS)
    return msgspec.structs.replace(old, **members)


def _customer(work: Work, id: int) -> int:
    if id and users.by_id(work.tx, id) is None:
        raise InvalidCustomer(id=id)
    return id


def _address(old: Mapping[str, str], given: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    return {name: str(given[name]) if given.get(name) is not None else old.get(name, "") for name in names}


def _with_items(work: Work, of: Order, before: Sequence[Item], given: Mapping[str, Any]) -> tuple[Order, list[Item]]:
    """Return an order and its items after what was written about them; the items are stored, and stock follows them."""
    items, gone = order_lines.written(work, of, before, given)
    left = {item.id: item for item in items}
    # A fee below nothing is taxed by what the order had: what is written about that, but nothing new or gone.
    of, items = order_totals.counted(work, of, items, [left.get(item.id, item) for item in before])
    _store_items(work, before, items)
    if of.stock_taken:
        transitions.follow_lines(work, before, items)
    order.remove_items(work, gone)
    return of, items


def _with_coupons(work: Work, of: Order, before: Sequence[Item], told: Sequence[Any]) -> tuple[Order, list[Item]]:
    """Return an order and its items with the coupons that were sent and no others."""
    of, items = order_coupons.applied(work, of, before, order_coupons.codes_of(told))
    _store_items(work, before, items)
    if of.coupons_counted:
        transitions.recount_coupons(work, of, before, items)
    return of, items


def _store_items(work: Work, before: Sequence[Item], items: Sequence[Item]) -> None:
    """Store the items of an order; taxes and coupons that it has no more go."""
    order.put_items(work, {item.id: item for item in before}, items)
    product_costs.keep_lines(work, before, items)
    left = {item.id for item in items}
    order.remove_items(work, [item for item in before if item.id not in left and item.kind in (TAX, COUPON)])


def _with_meta(work: Work, of: Order, given: Mapping[str, Any], *, creating: bool) -> Order:
    """Write an order's extra fields; two private ones of a new order are its dates."""
    told = given.get("meta_data") or []
    if creating:
        for one in told:
            if isinstance(one, dict) and one.get("key") == _PAID and one.get("value"):
                of = msgspec.structs.replace(of, paid=_moment(work, str(one["value"])))
        told = [one for one in told if not isinstance(one, dict) or one.get("key") not in (_PAID, _COMPLETED)]
    meta_data.change(work, "order", of.id, told)
    return of


def _moment(work: Work, written: str) -> int | None:
    """Return the moment that a text names: seconds since 1970, or a date in the site's zone."""
    if (moment := whole(written)) is not None:
        return moment
    try:
        return work.zone.settle(times.parse(written))[1]
    except ValueError:
        return None
