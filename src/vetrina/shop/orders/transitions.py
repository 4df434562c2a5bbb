"""What a status does: stock, counts of sales and of coupons, dates, downloads, notes and mails.

The one place that knows; shop/orders/statuses.py is its table. Each effect is noted on the order itself, so that any
sequence of statuses leaves every count as if only the last one had been there. Rules: facts, "Status and what it does".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel.integers import whole
from vetrina.shop import meta_data
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.customers import rules as customers
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.mail import outbox, stock_mails
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders.coupons import buyer_of
from vetrina.shop.orders.model import COUPON, LINE, Item, Order
from vetrina.shop.orders.statuses import BY_SLUG, NAMES, Status
from vetrina.shop.products import model as product_model
from vetrina.shop.products import stock as product_stock
from vetrina.shop.settings import rules as settings

__all__ = [
    "LINE_STOCK", "begun", "follow_lines", "forget", "moved", "needs_processing", "paid_status", "recount_coupons",
    "take_back",
]  # fmt: skip

_PAID: Final = "Payment complete."
_CASH: Final = "cod"  # the way of paying for which the money comes with the goods
LINE_STOCK: Final = "_reduced_stock"  # the extra field of a line that says how many pieces it took

_PUT_BACK: Final = "_restock_refunded_items"  # that which says how many of them came back by refunds


def begun(work: Work, one: Order, items: Sequence[Item]) -> Order:
    """Return a new order that waits for its payment: its coupons count as used, nothing else follows yet."""
    meaning = BY_SLUG.get(one.status)
    return one if meaning is None else _with_coupons(work, one, items, meaning)


def moved(work: Work, old: Order, items: Sequence[Item], status: str, *, by_payment: bool = False) -> Order:
    """Return an order after it was given a status, with everything done that follows from it.

    old: as it is stored. items: its own. by_payment: whether it was paid, rather than moved by somebody. The order
    that is returned is not stored yet, its items are.
    """
    if status == old.status:
        return old
    new = msgspec.structs.replace(old, status=status)
    meaning = BY_SLUG.get(status)
    said = f"Order status changed from {NAMES.get(old.status, old.status)} to {NAMES.get(status, status)}."
    if meaning is None:
        order_notes.add_each(work, new.id, [said])
        return new
    new, moves, noted = _with_stock(work, new, items, meaning)
    # A payment is noted before what follows from it, a change by hand after it.
    order_notes.add_each(work, new.id, [_PAID, *moves] if by_payment else [*moves, said])
    return _settled(work, new, items, meaning, old.status, noted)


def _settled(
    work: Work, one: Order, items: Sequence[Item], meaning: Status, before: str, noted: Iterable[int]
) -> Order:
    """Return an order on which its status has done what it does, but for the stock.

    before: the status that it had. noted: products whose change is in the log already.
    """
    was = BY_SLUG.get(before)
    if meaning.sold or (was is not None and was.sold):
        # Goods that were only promised, and are now called off, were not sold in between.
        one = _with_sales(work, one, items, meaning, noted)
    one = _with_coupons(work, one, items, meaning)
    one = _with_dates(work, one, items, meaning)
    if meaning.downloads is not None:
        downloads.settle(work, one, items, granted=meaning.downloads and _is_paid(work, meaning))
    if meaning.completed and one.customer:
        customers.paid(work, one.customer)
    outbox.about_order(work, one, before)
    return one


def forget(work: Work, one: Order, items: Sequence[Item]) -> Order:
    """Return an order that goes to the trash, or for good: coupons may be used again, and nothing was sold.

    Stock is not put back: whether the goods ever left is for the shop to say.
    """
    if one.coupons_counted:
        _count_coupons(work, one, items, used=False)
        one = msgspec.structs.replace(one, coupons_counted=False)
    if one.sales_counted:
        _count_sales(work, {id: -many for id, many in _pieces(items).items()})
        one = msgspec.structs.replace(one, sales_counted=False)
    return one


def needs_processing(work: Work, items: Sequence[Item]) -> bool:
    """Say whether somebody has to do something for an order: whether not all of it is virtual and downloadable."""
    lines = [item for item in items if item.kind == LINE]
    sold = product_model.known(work, (item.goods for item in lines))
    return any((one := sold.get(item.goods)) is not None and not (one.virtual and one.downloadable) for item in lines)


def paid_status(work: Work, one: Order, items: Sequence[Item]) -> str:
    """Return the status that an order has once it is paid; what is paid when it is handed over is then done."""
    if one.payment_method == _CASH:
        return "completed"
    return "processing" if needs_processing(work, items) else "completed"


def follow_lines(work: Work, before: Sequence[Item], after: Sequence[Item]) -> None:
    """Let stock follow the lines of an order that took some: other quantities, other goods, lines that went."""
    if not product_stock.is_kept(work):
        return
    taken = _taken(work, before)
    left = {item.id: item for item in after if item.kind == LINE}
    noted: dict[int, int | None] = {}
    for item in before:
        if item.id not in taken:
            continue
        new = left.get(item.id)
        if new is not None and new.goods == item.goods:
            # What a refund put back is not taken again: only the change of the quantity counts.
            back = min(item.quantity - new.quantity, taken[item.id])
            if back:
                _move(work, item, back)
                noted[item.id] = taken[item.id] - back
            continue
        product_stock.give(work, item.goods, taken[item.id])
        if new is not None:
            noted[item.id] = new.quantity if product_stock.take(work, new.goods, new.quantity) is not None else None
    known = {item.id for item in before}
    for id, new in left.items():
        if id not in known and new.goods and product_stock.take(work, new.goods, new.quantity) is not None:
            noted[id] = new.quantity
    meta_data.write_each(work, "order_item", LINE_STOCK, {id: _text(pieces) for id, pieces in noted.items()})


def take_back(work: Work, line: int, pieces: int) -> int:
    """Note that pieces of a line came back and return how many of them it had taken from the stock."""
    if not product_stock.is_kept(work):
        return 0
    fields = meta_data.of_owner(work, "order_item", line)
    held = next((one for one in fields if one.key == LINE_STOCK), None)
    taken = (whole(str(held.value)) if held is not None else None) or 0
    back = min(pieces, taken)
    if back > 0:
        value = str(taken - back)
        before = next((one for one in fields if one.key == _PUT_BACK), None)
        restored = back + ((whole(str(before.value)) if before is not None else None) or 0)
        told = [{"key": LINE_STOCK, "value": value}, {"key": _PUT_BACK, "value": str(restored)}]
        meta_data.change(work, "order_item", line, told)
    return max(back, 0)


def recount_coupons(work: Work, one: Order, before: Sequence[Item], after: Sequence[Item]) -> None:
    """Count the uses of an order's coupons anew, after they were replaced."""
    old, new = ({item.reference for item in items if item.kind == COUPON} for items in (before, after))
    _count_coupons(work, one, [item for item in before if item.reference not in new], used=False)
    _count_coupons(work, one, [item for item in after if item.reference not in old], used=True)


# -- the effects


def _with_stock(
    work: Work, one: Order, items: Sequence[Item], meaning: Status
) -> tuple[Order, list[str], frozenset[int]]:
    """Return an order, what is said about stock on it, and the products whose change is in the log already."""
    if meaning.stock == "taken" and not one.stock_taken:
        moves = [(item, product_stock.take(work, item.goods, item.quantity)) for item in items if item.kind == LINE]
        taken = {item.id: str(item.quantity) for item, change in moves if change is not None}
        meta_data.write_each(work, "order_item", LINE_STOCK, taken)
        stock_mails.tell(work, one.id, [change for _, change in moves if change is not None])
        one, word = msgspec.structs.replace(one, stock_taken=True), "Stock levels reduced"
    elif meaning.stock == "back" and one.stock_taken and product_stock.is_kept(work):
        back = _taken(work, items)
        moves = [(item, product_stock.give(work, item.goods, back[item.id])) for item in items if item.id in back]
        meta_data.write_each(work, "order_item", LINE_STOCK, dict.fromkeys(back))
        one, word = msgspec.structs.replace(one, stock_taken=False), "Stock levels increased"
    else:
        return one, [], frozenset()
    said = [f"{item.name} ({change.before}&rarr;{change.after})" for item, change in moves if change is not None]
    noted = frozenset(change.counted.id for _, change in moves if change is not None)
    return one, [f"{word}: {', '.join(said)}"] if said else [], noted


def _move(work: Work, item: Item, pieces: int) -> None:
    if pieces > 0:
        product_stock.give(work, item.goods, pieces)
    elif pieces < 0:
        product_stock.take(work, item.goods, -pieces)


def _taken(work: Work, items: Sequence[Item]) -> dict[int, int]:
    """Return how many pieces lines took, by the number of the line; lines that took none are left out."""
    fields = meta_data.of_owners(work, "order_item", [item.id for item in items if item.kind == LINE])
    out: dict[int, int] = {}
    for id, metas in fields.items():
        written = next((str(meta.value) for meta in metas if meta.key == LINE_STOCK), "")
        sign = -1 if written.startswith("-") else 1
        if (pieces := whole(written.removeprefix("-"))) is not None:
            out[id] = sign * pieces
    return out


def _text(pieces: int | None) -> str | None:
    return None if pieces is None else str(pieces)


def _with_sales(work: Work, one: Order, items: Sequence[Item], meaning: Status, noted: Iterable[int]) -> Order:
    if meaning.sold is None or meaning.sold == one.sales_counted:
        return one
    sign = 1 if meaning.sold else -1
    _count_sales(work, {id: sign * many for id, many in _pieces(items).items()}, noted)
    return msgspec.structs.replace(one, sales_counted=meaning.sold)


def _pieces(items: Iterable[Item]) -> dict[int, int]:
    """Return how many pieces of each product some items hold."""
    out: dict[int, int] = {}
    for item in items:
        if item.kind == LINE and item.product and item.quantity:
            out[item.product] = out.get(item.product, 0) + item.quantity
    return out


def _count_sales(work: Work, pieces: dict[int, int], noted: Iterable[int] = ()) -> None:
    """Count pieces as sold; noted: products whose change is in the log already."""
    product_model.sold(work, pieces)
    for id in sorted({id for id, many in pieces.items() if many} - set(noted)):
        work.note("product", id, "changed")


def _with_coupons(work: Work, one: Order, items: Sequence[Item], meaning: Status) -> Order:
    if meaning.coupons is None or meaning.coupons == one.coupons_counted:
        return one
    _count_coupons(work, one, items, used=meaning.coupons)
    return msgspec.structs.replace(one, coupons_counted=meaning.coupons)


def _count_coupons(work: Work, one: Order, items: Sequence[Item], *, used: bool) -> None:
    for item in items:
        if item.kind != COUPON or not item.reference:
            continue
        if used:
            coupon_store.count_use(work, item.reference, one.id, buyer_of(one).name)
        else:
            coupon_store.give_back(work, item.reference, one.id)


def _with_dates(work: Work, one: Order, items: Sequence[Item], meaning: Status) -> Order:
    if meaning.completed:
        one = msgspec.structs.replace(one, completed=work.now)
    if one.paid is None and (meaning.completed or one.status == paid_status(work, one, items)):
        return msgspec.structs.replace(one, paid=work.now)
    return one


def _is_paid(work: Work, meaning: Status) -> bool:
    """Say whether a status lets files be fetched: completed always, processing where the shop says so."""
    return meaning.completed or settings.is_on(work, "shop_downloads_grant_access_after_payment")
