"""Refunds: money that goes back to a customer, by amount or by lines, and pieces that come back with it.

Not here: the payment itself (a gateway's). Rules: facts, "Refunds": never more than was paid, and when nothing of the
order is left it becomes refunded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.orders import shop_refund as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.mail import outbox
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
    notes as order_notes,
)
from vetrina.shop.orders.model import FEE, LINE, SHIPPING, TAX, Item, Order
from vetrina.shop.payments import attempts
from vetrina.shop.products import costs as product_costs
from vetrina.shop.products import stock as product_stock
from vetrina.shop.settings import rules as settings

__all__ = [
    "CannotRefund", "InvalidRefund", "Refund", "RefundUnknown", "by_id", "create", "existing", "judged_amount",
    "of_orders", "of_row", "refund_rest", "remove", "taken_back",
]  # fmt: skip

REFUNDED_ITEM: Final = "_refunded_item_id"
KIND: Final = "_refund_type"
_CENTS: Final = 2  # decimals that a refund keeps even where the shop shows fewer


class RefundUnknown(ApiError):
    """The order has no refund with the number."""

    status, code = 404, "shop_rest_shop_order_refund_invalid_id"
    message = "The order has no refund with the number {id}."


class InvalidRefund(ApiError):
    """An amount below nothing."""

    code = "shop_rest_invalid_order_refund"
    message = "The amount of a refund may not be below zero."


class CannotRefund(ApiError):
    """More than is left of the order, or by a gateway that cannot."""

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


_COLUMNS = tuple(table.c)
_OF = Statement(select(*_COLUMNS).where(Among(table.c.order, "orders")).order_by(table.c.id.desc()))
_ONE = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))


def of_row(row: Row) -> Refund:
    """Return the refund of a row."""
    id, of, amount, reason, by, payment, whole, created = row
    return Refund(id, of, money.loaded(amount), reason, by, bool(payment), bool(whole), created)


def of_orders(work: Work, orders: Iterable[int]) -> dict[int, list[Refund]]:
    """Return the refunds of some orders by their numbers, the newest first; asks once."""
    work.uses("order")
    found: dict[int, list[Refund]] = {id: [] for id in orders}
    if found:
        for row in work.tx.all(_OF, orders=listed(found)):
            refund = of_row(row)
            found[refund.order].append(refund)
    return found


def existing(work: Work, id: int) -> Refund:
    """Return a refund. Raises RefundUnknown."""
    found = by_id(work, id)
    if found is None:
        raise RefundUnknown(id=id)
    return found


def by_id(work: Work, id: int) -> Refund | None:
    """Return a refund."""
    work.uses("order")
    row = work.tx.first(_ONE, id=id)
    return of_row(row) if row else None


def taken_back(found: Iterable[Refund]) -> Decimal:
    """Return the sum of refunds."""
    return sum((refund.amount for refund in found), money.ZERO)


def create(
    work: Work, of: Order, given: Mapping[str, Any], *, by: int | None = None, paid_back: bool = False
) -> Refund:
    """Make a refund of an order.

    given: amount (text), reason, line_items (each with `id`, `quantity`, `refund_total`, `refund_tax`), api_refund,
    api_restock, meta_data. Without an amount it is the sum of the lines. by: the account that asked for it, where that
    is not the caller. paid_back: whether a gateway has given the money back. Raises InvalidRefund, CannotRefund.
    """
    before = order.items_of(work, (of.id,))[of.id]
    lines = [told for told in given.get("line_items") or () if isinstance(told, Mapping)]
    earlier = of_orders(work, (of.id,))[of.id]
    left = of.total - taken_back(earlier)
    amount = _judged(work, of, given, lines, left)
    if given.get("api_refund", True) and amount:
        raise CannotRefund(why="The payment of this order cannot be given back from here; send `api_refund` as false.")
    parts = _parts(before, lines)
    whole = amount == left and not _leaves_gifts(work, before, earlier, parts)
    made = _made(
        work, of, amount, str(given.get("reason") or ""), whole=whole, by=work.user.id if by is None else by,
        paid_back=paid_back,
    )  # fmt: skip
    items = _items(work, of, made, parts, before)
    order.put_items(work, {}, items)
    product_costs.keep_refund(work, before, items)
    for item in items:
        if item.kind != TAX:
            meta_data.put(work, "order_item", item.id, REFUNDED_ITEM, str(item.details["of"]))
    meta_data.change(work, "refund", made.id, given.get("meta_data"))
    if given.get("api_restock", True):
        _put_back(work, of, items)
    if made.whole and of.status != "refunded":
        order.store(work, of, transitions.moved(work, of, before, "refunded"))
    outbox.about_refund(work, of, made.id, whole=made.whole)
    return made


def judged_amount(work: Work, of: Order, given: Mapping[str, Any]) -> Decimal:
    """Return what a refund would give back. Raises InvalidRefund, CannotRefund."""
    lines = [told for told in given.get("line_items") or () if isinstance(told, Mapping)]
    return _judged(work, of, given, lines, of.total - taken_back(of_orders(work, (of.id,))[of.id]))


def _judged(
    work: Work, of: Order, given: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], left: Decimal
) -> Decimal:
    """Return the amount of a refund; left: what was not given back yet. Raises InvalidRefund, CannotRefund."""
    amount, places = _amount(given, lines), settings.decimals(work)
    # What gateways are giving back at this moment is not there for others.
    left -= attempts.reserved(work, of.id)
    if amount is not None and amount != left:
        # Parts of a cent would add up to more than was paid.
        amount = money.rounded(amount, max(places, _CENTS))
    if amount is not None and amount < 0:
        raise InvalidRefund
    if left < 0:
        raise CannotRefund(why="More was refunded, or is being refunded, than the order costs now.")
    if amount is None or amount > left:
        raise CannotRefund(why=f"A refund is an amount of at most {money.text(left, places)}, which is left.")
    return amount


def refund_rest(work: Work, of: Order) -> Refund | None:
    """Make the refund of what is left of an order that became refunded by hand; None where nothing is."""
    left = of.total - taken_back(of_orders(work, (of.id,))[of.id]) - attempts.reserved(work, of.id)
    if left <= 0:
        return None
    order_notes.add(work, of.id, "The order counts as refunded; the money itself goes back through the gateway.")
    made = _made(work, of, left, "Order fully refunded.", whole=True, by=work.user.id)
    outbox.about_refund(work, of, made.id, whole=True)
    return made


def remove(work: Work, one: Refund) -> None:
    """Remove a refund with its items; stock and the order's status stay."""
    order.remove_items(work, order.items_of(work, (one.id,))[one.id])
    meta_data.remove_of(work, "refund", one.id)
    work.tx.run(_REMOVE, id=one.id)
    work.note("order", one.order, "changed")


def _leaves_gifts(
    work: Work, before: Sequence[Item], earlier: Sequence[Refund], parts: Sequence[tuple[Item, Mapping[str, Any]]]
) -> bool:
    """Say whether pieces of an order that gives something away stay with the customer when `parts` go back.

    Who names no lines gives the money back, and says nothing of pieces.
    """
    goods = [item for item in before if item.kind == LINE]
    if not parts or all(item.total for item in goods):
        return False
    returned = order.items_of(work, [one.id for one in earlier])
    left = sum(item.quantity for item in goods)
    left += sum(item.quantity for some in returned.values() for item in some if item.kind == LINE)
    return abs(left) > sum(int(_number(told.get("quantity"))) for _, told in parts)


def _amount(given: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> Decimal | None:
    """Return what is to be paid back; None where it is no amount."""
    if given.get("amount") not in (None, ""):
        return money.parsed(str(given["amount"]))
    out = money.ZERO
    for told in lines:
        out += _number(told.get("refund_total")) + sum(_taxes(told).values(), money.ZERO)
    return out


def _made(
    work: Work, of: Order, amount: Decimal, reason: str, *, whole: bool, by: int, paid_back: bool = False
) -> Refund:
    made = Refund(next_number(work.tx), of.id, amount, reason, by, paid_back, whole, work.now)
    work.tx.run(_INSERT, **{**msgspec.structs.asdict(made), "amount": money.stored(amount)})
    meta_data.put(work, "refund", made.id, KIND, "full" if whole else "partial")
    currency_notes.put(work, "refund", made.id, of.currency)
    work.note("order", of.id, "changed")
    return made


def _parts(before: Sequence[Item], lines: Sequence[Mapping[str, Any]]) -> list[tuple[Item, Mapping[str, Any]]]:
    """Return the items of an order of which something goes back, in the order's own order, with what was sent."""
    told = {int(_number(one.get("id"))): one for one in lines}
    return [
        (item, told[item.id])
        for kind in (LINE, FEE, SHIPPING)
        for item in before
        if item.kind == kind and item.id in told and _says_something(told[item.id])
    ]


def _says_something(told: Mapping[str, Any]) -> bool:
    return bool(_number(told.get("refund_total")) or _number(told.get("quantity")) or any(_taxes(told).values()))


def _items(
    work: Work, of: Order, made: Refund, parts: Sequence[tuple[Item, Mapping[str, Any]]], before: Sequence[Item]
) -> list[Item]:
    """Return the items of a refund: negative copies of the order's, and a tax line for each rate."""
    rules = order_lines.rules_of(work, of.prices_include_tax)
    out = []
    for item, told in parts:
        total, quantity = _number(told.get("refund_total")), int(_number(told.get("quantity")))
        taxes = {rate: rules.tax(tax) for rate, tax in _taxes(told).items() if tax}
        tax = -sum(taxes.values(), money.ZERO)
        own = {rate: -amount for rate, amount in taxes.items()}
        is_line = item.kind == LINE
        out.append(
            msgspec.structs.replace(
                item, id=order.next_item(work), owner=made.id, quantity=-quantity if is_line else 0, total=-total,
                total_tax=tax, taxes=own, subtotal=-total if is_line else money.ZERO,
                subtotal_tax=tax if is_line else money.ZERO, subtotal_taxes=own if is_line else {},
                details={**item.details, "of": item.id},
            )
        )  # fmt: skip
    return [*out, *_tax_items(work, made, out, before)]


def _tax_items(work: Work, made: Refund, items: Sequence[Item], before: Sequence[Item]) -> list[Item]:
    known = {item.reference: item for item in before if item.kind == TAX}
    sums: dict[int, list[Decimal]] = {}
    for item in items:
        for rate, tax in item.taxes.items():
            sums.setdefault(rate, [money.ZERO, money.ZERO])[item.kind == SHIPPING] += tax
    return [
        msgspec.structs.replace(known[rate], id=order.next_item(work), owner=made.id, total=tax, total_tax=shipping)
        for rate, (tax, shipping) in sums.items()
        if rate in known
    ]


def _put_back(work: Work, of: Order, items: Sequence[Item]) -> None:
    """Put pieces that came back into stock, no more than their line took."""
    for item in items:
        if item.kind != LINE or not item.quantity or not item.goods:
            continue
        pieces = transitions.take_back(work, int(item.details["of"]), -item.quantity)
        if pieces:
            change = product_stock.give(work, item.goods, pieces)
            if change is not None:
                order_notes.add(work, of.id, f"Stock was put back: {item.name} {change.before} → {change.after}.")


def _taxes(told: Mapping[str, Any]) -> dict[int, Decimal]:
    out: dict[int, Decimal] = {}
    for one in told.get("refund_tax") or ():
        if isinstance(one, Mapping) and one.get("id"):
            out[int(_number(one["id"]))] = _number(one.get("refund_total"))
    return out


def _number(value: Any) -> Decimal:
    return (money.parsed(str(value)) if value not in (None, "") else None) or money.ZERO
