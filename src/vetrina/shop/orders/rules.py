"""Orders: create, change, trash and delete.

Not here: writing items (shop/orders/lines.py), coupons (shop/orders/coupons.py), totals (shop/orders/totals.py),
stock (shop/orders/stock.py), effects of a status (shop/orders/transitions.py), refunds (shop/refunds/rules.py). Rules:
docs/rules/orders.md, 1, 2, 3 and 4 and docs/rules/order_statuses.md, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.access.users import rules as users
from vetrina.backends.id_sequences import allocate_id
from vetrina.content.text import sanitizing
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.change_source import Told
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import generate_letters
from vetrina.shop import meta_data
from vetrina.shop.coupons.eligibility import CouponRefused
from vetrina.shop.customers import rules as customers
from vetrina.shop.meta_data import MetaField
from vetrina.shop.orders import (
    coupons as order_coupons,
    currency_notes,
    lines as order_lines,
    model as order,
    statuses as order_statuses,
    stock as order_stock,
    totals as order_totals,
    transitions,
)
from vetrina.shop.orders.coupons import TransferredCoupon
from vetrina.shop.orders.model import BILLING_FIELDS, COUPON, SHIPPING_FIELDS, TAX, Order, OrderItem
from vetrina.shop.products import costs as product_costs
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.settings import rules as settings

ORDER_KEY_PREFIX: Final = "shop_order_"
_REFUNDED: Final = "refunded"
_LAST_ACTIVE: Final = "shop_last_active"  # extra field of a customer: time of the last visit
_KEY_LETTERS: Final = 13
_RECOMPUTED_MEMBERS: Final = frozenset(
    {"billing", "shipping", "line_items", "shipping_lines", "fee_lines", "coupon_lines"}
)
_PAID, _COMPLETED = "_date_paid", "_date_completed"
_COLUMN_NAMES: Final = {
    "parent_id": "parent", "currency": "currency", "customer_note": "customer_note", "payment_method": "payment_method",
    "payment_method_title": "payment_method_title", "transaction_id": "transaction_id",
}  # fmt: skip


class InvalidOrderCustomer(ApiError):
    code = "shop_rest_invalid_customer_id"
    message = "There is no customer with the number {id}."


class OrderAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "shop_rest_already_trashed"
    message = "This order is in the trash already; send `force` as true to remove it for good."


class CreatedOrder(NamedTuple):
    """A new order. refusal: why its coupons were refused; the order is then a draft, which is kept."""

    order: Order
    refusal: CouponRefused | None = None


def create_order(
    work: UnitOfWork, given: Mapping[str, Any], *, via: str = "rest-api", draft: bool = False,
    own: Mapping[str, Any] | None = None, taken: Sequence[TransferredCoupon] | None = None,
) -> CreatedOrder:  # fmt: skip
    """Create an order.

    given: values by the interface's names, typed. via: its `created_via`. draft: leave it a draft, without effects.
    own: fields of Order that no client writes. taken: discounts that coupons of a cart took off its lines.
    Raises InvalidOrderCustomer, CouponIdReadonly, the errors of its items.
    """
    order_lines.expect_products(work, given)
    blank = Order(
        id=allocate_id(work.tx),
        currency=str(settings.get_shop_option(work, "shop_currency")),
        prices_include_tax=settings.is_setting_on(work, "shop_prices_include_tax"),
        created=work.now,
        modified=work.now,
        order_key=ORDER_KEY_PREFIX + generate_letters(_KEY_LETTERS),
        created_via=via,
        billing=dict.fromkeys(BILLING_FIELDS, ""),
        shipping_address=dict.fromkeys(SHIPPING_FIELDS, ""),
        status=order_statuses.DRAFT if draft else "pending",
        language=work.language,
    )
    new = _apply_members(work, msgspec.structs.replace(blank, **(own or {})), given)
    # Before the totals, which depend on one of them.
    new = _save_meta(work, new, given, creating=True)
    items, _ = order_lines.update_items(work, new, [], given)
    new, items = order_totals.compute_order_totals(work, new, items)
    if taken is not None:
        new, items = order_coupons.transfer_coupons(work, new, items, taken)
    refusal = None
    if given.get("coupon_lines") is not None:
        try:
            new, items = order_coupons.apply_coupons(
                work, new, items, order_coupons.parse_coupon_codes(given["coupon_lines"])
            )
        except CouponRefused as refused:
            refusal, new = refused, msgspec.structs.replace(new, status=order_statuses.DRAFT)
    _save_items(work, [], items)
    new = order.insert_order(work, new)
    if not draft:
        work.describe("order", new.id, members={"status": Told(None, new.status), "total": Told(None, new.total)})
    currency_notes.save_currency_note(work, "order", new.id, new.currency)
    if refusal is not None:
        return CreatedOrder(new, refusal)
    done = _finish_order(work, new, transitions.apply_initial_status(work, new, items), items, given, creating=True)
    return CreatedOrder(_refund_rest(work, new, done))


def update_order(
    work: UnitOfWork, old: Order, given: Mapping[str, Any], *, own: Mapping[str, Any] | None = None,
    taken: Sequence[TransferredCoupon] | None = None,
) -> Order:  # fmt: skip
    """Change an order; given, own, taken: as for `create_order`.

    Raises InvalidOrderCustomer, the errors of its items and coupons.
    """
    before = order.load_items_by_owner(work, (old.id,))[old.id]
    fields = _list_written_meta(work, old, given)
    new = _apply_members(work, msgspec.structs.replace(old, **(own or {})), given)
    new = _save_meta(work, new, given, creating=False)
    items: Sequence[OrderItem] = before
    if _RECOMPUTED_MEMBERS & given.keys():
        new, items = _update_items(work, new, before, given)
    if given.get("coupon_lines") is not None:
        new, items = _update_coupons(work, new, items, given["coupon_lines"])
    if taken is not None:
        held = items
        new, items = order_coupons.transfer_coupons(work, new, items, taken)
        _save_items(work, held, items)
    # Of an order some parts may change alone, as the quantity of a line whose total stays.
    changed = [*items] != before or fields != _list_written_meta(work, old, given)
    new = _finish_order(work, old, new, items, given, parts_changed=changed)
    if new.customer and new.customer != old.customer:
        # A customer who is assigned to an existing order counts as active now.
        meta_data.update_meta(work, "customer", new.customer, [{"key": _LAST_ACTIVE, "value": str(work.now)}])
    return _refund_rest(work, old, new)


def _refund_rest(work: UnitOfWork, old: Order, new: Order) -> Order:
    """Return an order; one that was set to refunded by hand gets a refund of the remainder."""
    if new.status == _REFUNDED and old.status != _REFUNDED:
        refunds.create_remaining_refund(work, new)
    return new


def mark_order_paid(work: UnitOfWork, old: Order, items: Sequence[OrderItem], transaction_id: str = "") -> Order:
    """Return a paid order: processing, or completed where it needs no processing; an order paid before is unchanged."""
    meaning = order_statuses.STATUSES_BY_SLUG.get(old.status)
    if meaning is None or not (meaning.payable or old.status in ("on-hold", "cancelled")):
        return old
    if transaction_id:
        old = msgspec.structs.replace(old, transaction_id=transaction_id)
    if old.customer:
        customers.mark_customer_paying(work, old.customer)
    status = transitions.compute_paid_status(work, old, items)
    paid = msgspec.structs.replace(old, paid=old.paid or work.now)
    return transitions.apply_status(work, paid, items, status, by_payment=True)


def trash_order(work: UnitOfWork, old: Order) -> Order:
    """Move an order to the trash and return it as it was. Raises OrderAlreadyTrashed."""
    if old.status == order_statuses.TRASH:
        raise OrderAlreadyTrashed
    items = order.load_items_by_owner(work, (old.id,))[old.id]
    new = transitions.release_order_counts(work, old, items)
    order.save_order(work, old, msgspec.structs.replace(new, status=order_statuses.TRASH, trashed_status=old.status))
    return old


def delete_order(work: UnitOfWork, old: Order) -> None:
    """Delete an order for good, with its refunds."""
    items = order.load_items_by_owner(work, (old.id,))[old.id]
    transitions.release_order_counts(work, old, items)
    for refund in refunds.list_order_refunds(work, (old.id,))[old.id]:
        refunds.delete_refund(work, refund)
    order.delete_order_with_items(work, old)


def _finish_order(
    work: UnitOfWork,
    old: Order,
    new: Order,
    items: Sequence[OrderItem],
    given: Mapping[str, Any],
    *,
    creating: bool = False,
    parts_changed: bool = False,
) -> Order:
    """Store an order after all effects of its status or payment. parts_changed: whether items or extra fields did."""
    if new.customer and not new.billing.get("email"):
        buyer = users.find_user(work.tx, new.customer)
        if buyer is not None:
            new = msgspec.structs.replace(new, billing={**new.billing, "email": buyer.email})
    if given.get("status"):
        new = transitions.apply_status(work, new, items, given["status"])
    if given.get("set_paid") and (creating or order_statuses.needs_payment(new.status, new.total)):
        new = mark_order_paid(work, new, items, str(given.get("transaction_id") or ""))
    return order.save_order(work, old, new, parts_changed=parts_changed)


def _apply_members(work: UnitOfWork, old: Order, given: Mapping[str, Any]) -> Order:
    members: dict[str, Any] = {own: given[name] for name, own in _COLUMN_NAMES.items() if given.get(name) is not None}
    if "payment_method_title" in members:
        members["payment_method_title"] = sanitizing.sanitize_plain_text(members["payment_method_title"])
    if "transaction_id" in members:
        members["transaction_id"] = sanitize_short_text(work.user, members["transaction_id"])
    # Visitors write it and others read it: plain text only.
    if "customer_note" in members:
        members["customer_note"] = sanitizing.sanitize_plain_lines(members["customer_note"])
    if given.get("customer_id") is not None:
        members["customer"] = _check_customer(work, int(given["customer_id"]))
    if given.get("billing"):
        members["billing"] = _merge_address(old.billing, given["billing"], BILLING_FIELDS)
    if given.get("shipping"):
        members["shipping_address"] = _merge_address(old.shipping_address, given["shipping"], SHIPPING_FIELDS)
    return msgspec.structs.replace(old, **members)


def _check_customer(work: UnitOfWork, id: int) -> int:
    if id and users.find_user(work.tx, id) is None:
        raise InvalidOrderCustomer(id=id)
    return id


def _merge_address(old: Mapping[str, str], given: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    return {name: str(given[name]) if given.get(name) is not None else old.get(name, "") for name in names}


def _update_items(
    work: UnitOfWork, of: Order, before: Sequence[OrderItem], given: Mapping[str, Any]
) -> tuple[Order, list[OrderItem]]:
    """Return an order and its items after a write of its items; the items are stored and stock is updated."""
    items, gone = order_lines.update_items(work, of, before, given)
    left = {item.id: item for item in items}
    # A negative fee is taxed by the order before the write: items present before and after, as written.
    of, items = order_totals.compute_order_totals(work, of, items, [left.get(item.id, item) for item in before])
    _save_items(work, before, items)
    if of.stock_taken:
        order_stock.update_stock_of_lines(work, before, items)
    order.delete_items(work, gone)
    return of, items


def _update_coupons(
    work: UnitOfWork, of: Order, before: Sequence[OrderItem], coupon_lines: Sequence[Any]
) -> tuple[Order, list[OrderItem]]:
    """Return an order and its items with exactly the coupons that were sent."""
    of, items = order_coupons.apply_coupons(work, of, before, order_coupons.parse_coupon_codes(coupon_lines))
    _save_items(work, before, items)
    if of.coupons_counted:
        order_coupons.update_coupon_uses(work, of, before, items)
    return of, items


def _save_items(work: UnitOfWork, before: Sequence[OrderItem], items: Sequence[OrderItem]) -> None:
    """Store the items of an order; obsolete tax and coupon lines are deleted."""
    order.save_items(work, {item.id: item for item in before}, items)
    product_costs.save_line_costs(work, before, items)
    left = {item.id for item in items}
    order.delete_items(work, [item for item in before if item.id not in left and item.kind in (TAX, COUPON)])


def _save_meta(work: UnitOfWork, of: Order, given: Mapping[str, Any], *, creating: bool) -> Order:
    """Write an order's extra fields; two private ones of a new order set its dates."""
    fields = given.get("meta_data") or []
    if creating:
        for one in fields:
            if isinstance(one, dict) and one.get("key") == _PAID and one.get("value"):
                of = msgspec.structs.replace(of, paid=_parse_moment(work, str(one["value"])))
        fields = [one for one in fields if not isinstance(one, dict) or one.get("key") not in (_PAID, _COMPLETED)]
    meta_data.update_meta(work, "order", of.id, fields)
    return of


def _list_written_meta(work: UnitOfWork, of: Order, given: Mapping[str, Any]) -> list[MetaField]:
    """Return the extra fields of an order where a write has some, else none."""
    return meta_data.list_meta(work, "order", of.id) if given.get("meta_data") else []


def _parse_moment(work: UnitOfWork, written: str) -> int | None:
    """Return the time that a text names: seconds since 1970, or a date in the site's zone."""
    if (moment := parse_digits(written)) is not None:
        return moment
    try:
        return work.zone.resolve_local(times.parse_date_time(written))[1]
    except ValueError:
        return None
