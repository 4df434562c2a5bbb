"""Refunds on their way in: what went back, as it was; neither stock nor the order's status moves again."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

import msgspec

from vetrina.backends.id_sequences import claim_id
from vetrina.kernel import money
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import Order, OrderItem
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import REFUND_TYPE_KEY, REFUNDED_ITEM_KEY, Refund
from vetrina.transfer.target.content import choose_record_id
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import RECORD, USER
from vetrina.transfer.target.member_values import list_fields, read_amount, read_flag, read_moment, read_number
from vetrina.transfer.target.outcome import Written

from .items import IncomingItem, find_item, list_items, save_items
from .orders import save_order_fields

_WHOLE: Final = "full"


def write_refund(one: IncomingRecord) -> Written:
    """Write a refund of an order that came. Raises ReferenceMissing, RecordSkipped."""
    work = one.work
    of = one.require(RECORD, one.record.parent or one.values.get("parent_id"), "order")
    order = order_model.STORE.find(work.tx, of)
    if order is None:
        raise RecordSkipped(f"its order {of} is not here any more")
    old = refunds.STORE.find(work.tx, one.target) if one.target else None
    amount = _read_refunded(one)
    created = read_moment(one, "date_created")
    new = Refund(
        old.id if old else claim_id(work.tx, choose_record_id(one)), of, amount, one.get_text("reason"),
        one.resolve(USER, one.values.get("refunded_by"), "refunded_by"),
        read_flag(one.values.get("refunded_payment")), _is_whole(one, order, amount),
        (old.created if old else work.now) if created is None else created,
    )  # fmt: skip
    sold = {item.id: item for item in order_model.load_items_by_owner(work, (of,))[of]}
    incoming = [_name_sold(one, each, sold) for each in list_items(one)]
    before = order_model.load_items_by_owner(work, (old.id,))[old.id] if old else []
    _, changed = save_items(one, new.id, incoming, before)
    changed |= save_order_fields(one, "refund", new.id, private=True, is_new=old is None)
    if old is None:
        refunds.STORE.insert(work.tx, new)
    else:
        changed |= refunds.STORE.update(work.tx, old, new)
    if changed or old is None:
        work.note("order", of, "changed")
    return Written(new.id)


def _read_refunded(one: IncomingRecord) -> Decimal:
    """Return what went back, which some sources write as a loss."""
    return abs(read_amount(one.values.get("amount") or one.values.get("total")))


def _is_whole(one: IncomingRecord, order: Order, amount: Decimal) -> bool:
    """Return whether nothing of the order was left: as the refund says, or else by what came so far."""
    told = dict(list_fields(one.values.get("meta_data"))).get(REFUND_TYPE_KEY)
    if told is not None:
        return bool(told == _WHOLE)
    earlier = refunds.list_order_refunds(one.work, (order.id,))[order.id]
    others = sum((each.amount for each in earlier if each.id != one.target), money.ZERO)
    return order.total > 0 and others + amount == order.total


def _name_sold(one: IncomingRecord, each: IncomingItem, sold: Mapping[int, OrderItem]) -> IncomingItem:
    """Return an item of a refund that names the item of the order here."""
    of = find_item(one, read_number(dict(each.fields).get(REFUNDED_ITEM_KEY)), sold)
    if not of:
        return each
    named = {REFUNDED_ITEM_KEY: str(of)}
    fields = [(name, named.get(name, value)) for name, value in each.fields]
    item = msgspec.structs.replace(each.item, details={**each.item.details, "of": of})
    return IncomingItem(each.source, item, fields, each.cost)
