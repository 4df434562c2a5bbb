"""What a status does: stock, counts of sales and of coupons, dates, downloads, notes and mails.

The one place that knows; order_statuses.py is its table. Each effect is noted on the order itself, so that any
sequence of statuses leaves every count as if only the last one had been there. Rules: facts, "Status and what it does".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables_catalogue import product as product_table
from vetrina.domain.work import Work

from . import coupons, customers, downloads, meta_data, order_notes, outbox, product, settings, stock
from .order import COUPON, LINE, Item, Order
from .order_coupons import buyer_of
from .order_statuses import BY_SLUG, NAMES, Status

__all__ = [
    "LINE_STOCK", "follow_lines", "forget", "moved", "needs_processing", "recount_coupons", "settled",
    "take_back",
]  # fmt: skip

LINE_STOCK: Final = "_reduced_stock"  # the extra field of a line that says how many pieces it took

_SOLD = Statement(
    update(product_table)
    .where(product_table.c.record == bindparam("of"))
    .values(total_sales=product_table.c.total_sales + bindparam("by"))
)


def moved(work: Work, old: Order, items: Sequence[Item], status: str) -> Order:
    """Return an order after it was given a status, with everything done that follows from it.

    old: as it is stored. items: its own. The order that is returned is not stored yet, its items are.
    """
    if status == old.status:
        return old
    new = msgspec.structs.replace(old, status=status)
    told = f"Order status changed from {NAMES.get(old.status, old.status)} to {NAMES.get(status, status)}."
    order_notes.add(work, new.id, told)
    return settled(work, new, items)


def settled(work: Work, one: Order, items: Sequence[Item]) -> Order:
    """Return an order on which its status has done what it does."""
    meaning = BY_SLUG.get(one.status)
    if meaning is None:
        return one
    one = _with_stock(work, one, items, meaning)
    one = _with_sales(work, one, items, meaning)
    one = _with_coupons(work, one, items, meaning)
    one = _with_dates(work, one, items, meaning)
    if meaning.downloads is not None:
        downloads.settle(work, one, items, granted=meaning.downloads and _is_paid(work, meaning))
    if meaning.completed and one.customer:
        customers.paid(work, one.customer)
    outbox.about_order(work, one)
    return one


def forget(work: Work, one: Order, items: Sequence[Item], *, for_good: bool) -> Order:
    """Return an order that goes to the trash, or for good: coupons may be used again, and then nothing was sold.

    Stock is not put back: whether the goods ever left is for the shop to say.
    """
    if one.coupons_counted:
        _count_coupons(work, one, items, used=False)
        one = msgspec.structs.replace(one, coupons_counted=False)
    if for_good and one.sales_counted:
        _count_sales(work, items, -1)
        one = msgspec.structs.replace(one, sales_counted=False)
    return one


def needs_processing(work: Work, items: Sequence[Item]) -> bool:
    """Say whether somebody has to do something for an order: whether not all of it is virtual and downloadable."""
    lines = [item for item in items if item.kind == LINE]
    sold = product.by_ids(work, (item.goods for item in lines if item.goods))
    return any((one := sold.get(item.goods)) is not None and not (one.virtual and one.downloadable) for item in lines)


def follow_lines(work: Work, one: Order, items: Sequence[Item], gone: Sequence[Item] = ()) -> None:
    """Let stock follow the quantities of an order's lines that took some; lines that are gone give theirs back."""
    taken = _taken(work, [*items, *gone])
    if not taken:
        return
    left = {item.id for item in gone}
    for item in [*items, *gone]:
        if item.id not in taken:
            continue
        wanted = 0 if item.id in left else item.quantity
        _move(work, item, taken[item.id] - wanted)
        if item.id not in left:
            _note_taken(work, item, wanted)


def take_back(work: Work, line: int, pieces: int) -> int:
    """Note that pieces of a line came back and return how many of them it had taken from the stock."""
    held = next((one for one in meta_data.of_owner(work, "order_item", line) if one.key == LINE_STOCK), None)
    taken = int(str(held.value)) if held is not None and str(held.value).lstrip("-").isdecimal() else 0
    back = min(pieces, taken)
    if back > 0:
        value = str(taken - back)
        meta_data.change(work, "order_item", line, [{"key": LINE_STOCK, "value": value}])
    return max(back, 0)


def recount_coupons(work: Work, one: Order, before: Sequence[Item], after: Sequence[Item]) -> None:
    """Count the uses of an order's coupons anew, after they were replaced."""
    old, new = ({item.reference for item in items if item.kind == COUPON} for items in (before, after))
    _count_coupons(work, one, [item for item in before if item.reference not in new], used=False)
    _count_coupons(work, one, [item for item in after if item.reference not in old], used=True)


# -- the effects


def _with_stock(work: Work, one: Order, items: Sequence[Item], meaning: Status) -> Order:
    if meaning.stock == "taken" and not one.stock_taken:
        said = [_take(work, item) for item in items if item.kind == LINE and item.goods]
        if any(said):
            order_notes.add(work, one.id, "Stock was taken: " + ", ".join(text for text in said if text) + ".")
        return msgspec.structs.replace(one, stock_taken=True)
    if meaning.stock == "back" and one.stock_taken:
        taken = _taken(work, items)
        said = [_give_back(work, item, taken[item.id]) for item in items if item.id in taken]
        if any(said):
            order_notes.add(work, one.id, "Stock was put back: " + ", ".join(text for text in said if text) + ".")
        return msgspec.structs.replace(one, stock_taken=False)
    return one


def _take(work: Work, item: Item) -> str:
    if not settings.is_on(work, "shop_manage_stock"):
        return ""
    change = stock.take(work, item.goods, item.quantity)
    if change is None:
        return ""
    _note_taken(work, item, item.quantity)
    return f"{item.name} {change.before} → {change.after}"


def _give_back(work: Work, item: Item, pieces: int) -> str:
    change = stock.give(work, item.goods, pieces)
    _note_taken(work, item, None)
    return "" if change is None else f"{item.name} {change.before} → {change.after}"


def _move(work: Work, item: Item, pieces: int) -> None:
    if pieces > 0:
        stock.give(work, item.goods, pieces)
    elif pieces < 0:
        stock.take(work, item.goods, -pieces)


def _taken(work: Work, items: Sequence[Item]) -> dict[int, int]:
    """Return how many pieces lines took, by the number of the line; lines that took none are left out."""
    fields = meta_data.of_owners(work, "order_item", [item.id for item in items if item.kind == LINE])
    out: dict[int, int] = {}
    for id, metas in fields.items():
        written = next((str(meta.value) for meta in metas if meta.key == LINE_STOCK), "")
        if written.lstrip("-").isdecimal():
            out[id] = int(written)
    return out


def _note_taken(work: Work, item: Item, pieces: int | None) -> None:
    value = None if pieces is None else str(pieces)
    meta_data.change(work, "order_item", item.id, [{"key": LINE_STOCK, "value": value}])


def _with_sales(work: Work, one: Order, items: Sequence[Item], meaning: Status) -> Order:
    if meaning.sold is None or meaning.sold == one.sales_counted:
        return one
    _count_sales(work, items, 1 if meaning.sold else -1)
    return msgspec.structs.replace(one, sales_counted=meaning.sold)


def _count_sales(work: Work, items: Sequence[Item], sign: int) -> None:
    for item in items:
        if item.kind == LINE and item.product and item.quantity:
            work.tx.run(_SOLD, of=item.product, by=sign * item.quantity)
            work.note("product", item.product, "changed")


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
            coupons.count_use(work, item.reference, one.id, buyer_of(one).name)
        else:
            coupons.give_back(work, item.reference, one.id)


def _with_dates(work: Work, one: Order, items: Sequence[Item], meaning: Status) -> Order:
    if meaning.completed:
        one = msgspec.structs.replace(one, completed=work.now)
    if meaning.paid and one.paid is None and one.payment_method != "cod":
        return msgspec.structs.replace(one, paid=work.now)
    if meaning.completed and one.paid is None:
        return msgspec.structs.replace(one, paid=work.now)
    return one


def _is_paid(work: Work, meaning: Status) -> bool:
    """Say whether a status lets files be fetched: completed always, processing where the shop says so."""
    return meaning.completed or settings.is_on(work, "shop_downloads_grant_access_after_payment")
