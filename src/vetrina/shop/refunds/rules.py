"""Refunds: amounts or lines paid back to a customer, with restocked pieces.

Not here: the payment itself (shop/refunds/gateway_refunds.py). Rules: docs/rules/refunds.md, 1, 2 and 3,
docs/rules/order_statuses.md, 6 and docs/rules/shop_requests.md, 8: never more than was paid, and a fully refunded order
gets the status refunded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec
from sqlalchemy import select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import FLAG, MONEY, Store
from vetrina.backends.tables.orders import shop_refund as table
from vetrina.core.change_source import Told
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop import meta_data
from vetrina.shop.mail import outbox
from vetrina.shop.orders import (
    currency_notes,
    model as order,
    notes as order_notes,
    stock as order_stock,
    transitions,
)
from vetrina.shop.orders.model import FEE, LINE, SHIPPING, TAX, Order, OrderItem
from vetrina.shop.payments import attempts
from vetrina.shop.products import costs as product_costs, stock as product_stock
from vetrina.shop.settings import rules as settings
from vetrina.shop.taxes.rounding import build_pricing_rules

REFUNDED_ITEM_KEY: Final = "_refunded_item_id"
REFUND_TYPE_KEY: Final = "_refund_type"
_MIN_DECIMALS: Final = 2  # decimals of a refund even where the shop shows fewer


class RefundNotFound(ApiError):
    """The order has no refund with the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_shop_order_refund_invalid_id"
    message = "The order has no refund with the number {id}."


class InvalidRefund(ApiError):
    """The amount is negative."""

    code = "shop_rest_invalid_order_refund"
    message = "The amount of a refund may not be below zero."


class CannotRefund(ApiError):
    """The amount exceeds the remainder of the order, or the gateway cannot refund."""

    code = "shop_rest_cannot_create_order_refund"
    message = "{why}"


class Refund(msgspec.Struct, frozen=True):
    """One refund. whole: nothing of the order was left after it. refunded_payment: a gateway paid the money back."""

    id: int
    order: int
    amount: Decimal
    reason: str
    refunded_by: int
    refunded_payment: bool
    whole: bool
    created: int


STORE: Final = Store(table, Refund, {"amount": MONEY, "refunded_payment": FLAG, "whole": FLAG})
_REFUNDS_BY_ORDER = Statement(select(*STORE.columns).where(InList(table.c.order, "orders")).order_by(table.c.id.desc()))


def list_order_refunds(work: UnitOfWork, orders: Iterable[int]) -> dict[int, list[Refund]]:
    """Return the refunds of some orders by order id, newest first, in one query."""
    work.uses("order")
    refunds: dict[int, list[Refund]] = {id: [] for id in orders}
    if refunds:
        for refund in STORE.of_rows(work.tx.all(_REFUNDS_BY_ORDER, orders=encode_list(refunds))):
            refunds[refund.order].append(refund)
    return refunds


def expect_order_refunds(work: UnitOfWork, orders: Iterable[int]) -> None:
    """Have what `list_order_refunds` reads read with what is asked of the database next."""
    work.tx.expect(_REFUNDS_BY_ORDER, orders=encode_list(dict.fromkeys(orders)))


def get_refund(work: UnitOfWork, id: int) -> Refund:
    """Return a refund. Raises RefundNotFound."""
    found = find_refund(work, id)
    if found is None:
        raise RefundNotFound(id=id)
    return found


def find_refund(work: UnitOfWork, id: int) -> Refund | None:
    """Return the refund with an id."""
    work.uses("order")
    return STORE.find(work.tx, id)


def sum_refunds(refunds: Iterable[Refund]) -> Decimal:
    """Return the sum of refunds."""
    return sum((refund.amount for refund in refunds), money.ZERO)


def create_refund(
    work: UnitOfWork, of: Order, given: Mapping[str, Any], *, by: int | None = None, paid_back: bool = False
) -> Refund:
    """Create a refund of an order.

    given: amount (text), reason, line_items (each with `id`, `quantity`, `refund_total`, `refund_tax`), api_refund,
    api_restock, meta_data. Without an amount it is the sum of the lines. by: the account that requested it, where that
    is not the caller. paid_back: whether a gateway has paid the money back. Raises InvalidRefund, CannotRefund.
    """
    before = order.load_items_by_owner(work, (of.id,))[of.id]
    lines = [line for line in given.get("line_items") or () if isinstance(line, Mapping)]
    earlier = list_order_refunds(work, (of.id,))[of.id]
    left = of.total - sum_refunds(earlier)
    amount = _validate_refund_amount(work, of, given, lines, left)
    if given.get("api_refund", True) and amount:
        raise CannotRefund(why="The payment of this order cannot be given back from here; send `api_refund` as false.")
    parts = _list_refunded_items(before, lines)
    whole = amount == left and not _has_unreturned_free_items(work, before, earlier, parts)
    made = _insert_refund(
        work, of, amount, str(given.get("reason") or ""), whole=whole, by=work.user.id if by is None else by,
        paid_back=paid_back,
    )  # fmt: skip
    items = _build_refund_items(work, of, made, parts, before)
    order.save_items(work, {}, items)
    product_costs.save_refund_costs(work, before, items)
    for item in items:
        if item.kind != TAX:
            meta_data.insert_meta(work, "order_item", item.id, REFUNDED_ITEM_KEY, str(item.details["of"]))
    meta_data.update_meta(work, "refund", made.id, given.get("meta_data"))
    if given.get("api_restock", True):
        _restock_items(work, of, items)
    if made.whole and of.status != "refunded":
        order.save_order(work, of, transitions.apply_status(work, of, before, "refunded"))
    outbox.enqueue_refund_mail(work, of, made.id, whole=made.whole)
    return made


def compute_refund_amount(work: UnitOfWork, of: Order, given: Mapping[str, Any]) -> Decimal:
    """Return the amount of a refund. Raises InvalidRefund, CannotRefund."""
    lines = [line for line in given.get("line_items") or () if isinstance(line, Mapping)]
    return _validate_refund_amount(
        work, of, given, lines, of.total - sum_refunds(list_order_refunds(work, (of.id,))[of.id])
    )


def _validate_refund_amount(
    work: UnitOfWork, of: Order, given: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], left: Decimal
) -> Decimal:
    """Return the amount of a refund; left: what is not refunded yet. Raises InvalidRefund, CannotRefund."""
    amount, places = _compute_requested_amount(given, lines), settings.get_price_decimals(work)
    # Amounts that gateways are refunding at present are reserved.
    left -= attempts.sum_pending_refunds(work, of.id)
    if amount is not None and amount != left:
        # Fractions of a cent would add up to more than was paid.
        amount = money.round_amount(amount, max(places, _MIN_DECIMALS))
    if amount is not None and amount < 0:
        raise InvalidRefund
    if left < 0:
        raise CannotRefund(why="More was refunded, or is being refunded, than the order costs now.")
    if amount is None or amount > left:
        raise CannotRefund(why=f"A refund is an amount of at most {money.format_amount(left, places)}, which is left.")
    return amount


def create_remaining_refund(work: UnitOfWork, of: Order) -> Refund | None:
    """Create the refund of the remainder of an order that was set to refunded by hand; None where nothing is left."""
    left = of.total - sum_refunds(list_order_refunds(work, (of.id,))[of.id]) - attempts.sum_pending_refunds(work, of.id)
    if left <= 0:
        return None
    order_notes.create_order_note(
        work, of.id, "The order counts as refunded; the money itself goes back through the gateway."
    )
    made = _insert_refund(work, of, left, "Order fully refunded.", whole=True, by=work.user.id)
    outbox.enqueue_refund_mail(work, of, made.id, whole=True)
    return made


def delete_refund(work: UnitOfWork, refund: Refund) -> None:
    """Delete a refund with its items; stock and the order's status stay."""
    order.delete_items(work, order.load_items_by_owner(work, (refund.id,))[refund.id])
    meta_data.delete_meta_of_owners(work, "refund", refund.id)
    STORE.delete(work.tx, refund.id)
    work.note("order", refund.order, "changed")
    work.describe("order", refund.order, members={"refund": Told(refund.amount, None)})


def _has_unreturned_free_items(
    work: UnitOfWork,
    before: Sequence[OrderItem],
    earlier: Sequence[Refund],
    parts: Sequence[tuple[OrderItem, Mapping[str, Any]]],
) -> bool:
    """Return whether pieces of an order with free items stay with the customer when `parts` are returned.

    A refund without lines is about money alone, not about pieces.
    """
    goods = [item for item in before if item.kind == LINE]
    if not parts or all(item.total for item in goods):
        return False
    returned = order.load_items_by_owner(work, [one.id for one in earlier])
    left = sum(item.quantity for item in goods)
    left += sum(item.quantity for some in returned.values() for item in some if item.kind == LINE)
    return abs(left) > sum(int(_parse_number(line.get("quantity"))) for _, line in parts)


def _compute_requested_amount(given: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> Decimal | None:
    """Return the requested amount; None where it is invalid."""
    if given.get("amount") not in (None, ""):
        return money.parse_amount(str(given["amount"]))
    out = money.ZERO
    for line in lines:
        out += _parse_number(line.get("refund_total")) + sum(_parse_refund_taxes(line).values(), money.ZERO)
    return out


def _insert_refund(
    work: UnitOfWork, of: Order, amount: Decimal, reason: str, *, whole: bool, by: int, paid_back: bool = False
) -> Refund:
    made = Refund(allocate_id(work.tx), of.id, amount, reason, by, paid_back, whole, work.now)
    STORE.insert(work.tx, made)
    meta_data.insert_meta(work, "refund", made.id, REFUND_TYPE_KEY, "full" if whole else "partial")
    currency_notes.save_currency_note(work, "refund", made.id, of.currency)
    work.note("order", of.id, "changed")
    work.describe("order", of.id, members={"refund": Told(None, amount)})
    return made


def _list_refunded_items(
    before: Sequence[OrderItem], lines: Sequence[Mapping[str, Any]]
) -> list[tuple[OrderItem, Mapping[str, Any]]]:
    """Return the refunded items of an order, in the order's own order, with the request's values."""
    lines_by_item = {int(_parse_number(one.get("id"))): one for one in lines}
    return [
        (item, lines_by_item[item.id])
        for kind in (LINE, FEE, SHIPPING)
        for item in before
        if item.kind == kind and item.id in lines_by_item and _has_refund_content(lines_by_item[item.id])
    ]


def _has_refund_content(line: Mapping[str, Any]) -> bool:
    return bool(
        _parse_number(line.get("refund_total"))
        or _parse_number(line.get("quantity"))
        or any(_parse_refund_taxes(line).values())
    )


def _build_refund_items(
    work: UnitOfWork,
    of: Order,
    made: Refund,
    parts: Sequence[tuple[OrderItem, Mapping[str, Any]]],
    before: Sequence[OrderItem],
) -> list[OrderItem]:
    """Return the items of a refund: negative copies of the order's, and a tax line for each rate."""
    rules = build_pricing_rules(work, of.prices_include_tax)
    out = []
    for item, line in parts:
        total, quantity = _parse_number(line.get("refund_total")), int(_parse_number(line.get("quantity")))
        taxes = {rate: rules.round_tax(tax) for rate, tax in _parse_refund_taxes(line).items() if tax}
        tax = -sum(taxes.values(), money.ZERO)
        own = {rate: -amount for rate, amount in taxes.items()}
        is_line = item.kind == LINE
        out.append(
            msgspec.structs.replace(
                item, id=order.reserve_item_id(work), owner=made.id, quantity=-quantity if is_line else 0, total=-total,
                total_tax=tax, taxes=own, subtotal=-total if is_line else money.ZERO,
                subtotal_tax=tax if is_line else money.ZERO, subtotal_taxes=own if is_line else {},
                details={**item.details, "of": item.id},
            )
        )  # fmt: skip
    return [*out, *_build_refund_tax_items(work, made, out, before)]


def _build_refund_tax_items(
    work: UnitOfWork, made: Refund, items: Sequence[OrderItem], before: Sequence[OrderItem]
) -> list[OrderItem]:
    known = {item.reference: item for item in before if item.kind == TAX}
    sums: dict[int, list[Decimal]] = {}
    for item in items:
        for rate, tax in item.taxes.items():
            sums.setdefault(rate, [money.ZERO, money.ZERO])[item.kind == SHIPPING] += tax
    return [
        msgspec.structs.replace(
            known[rate], id=order.reserve_item_id(work), owner=made.id, total=tax, total_tax=shipping
        )
        for rate, (tax, shipping) in sums.items()
        if rate in known
    ]


def _restock_items(work: UnitOfWork, of: Order, items: Sequence[OrderItem]) -> None:
    """Restock returned pieces, no more than their line took."""
    for item in items:
        if item.kind != LINE or not item.quantity or not item.sellable_id:
            continue
        pieces = order_stock.record_returned_pieces(work, int(item.details["of"]), -item.quantity)
        if pieces:
            change = product_stock.increase_stock(work, item.sellable_id, pieces)
            if change is not None:
                order_notes.create_order_note(
                    work, of.id, f"Stock was put back: {item.name} {change.before} → {change.after}."
                )


def _parse_refund_taxes(line: Mapping[str, Any]) -> dict[int, Decimal]:
    out: dict[int, Decimal] = {}
    for one in line.get("refund_tax") or ():
        if isinstance(one, Mapping) and one.get("id"):
            out[int(_parse_number(one["id"]))] = _parse_number(one.get("refund_total"))
    return out


def _parse_number(value: Any) -> Decimal:
    return (money.parse_amount(str(value)) if value not in (None, "") else None) or money.ZERO
