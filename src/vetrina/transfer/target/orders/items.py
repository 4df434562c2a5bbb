"""Items of orders and refunds on their way in: lines, shipping, fees, taxes and coupons, with their extra fields.

Every amount is as it was there; products, rates, methods and coupons are those here. What is gone there keeps its id
where ids are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import msgspec
import orjson

from vetrina.shop import meta_data
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import COUPON, FEE, LINE, SHIPPING, TAX, OrderItem
from vetrina.shop.products import costs as product_costs
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.journal import ORDER_ITEM, RECORD, SHIPPING_METHOD, TAX_RATE, JournalEntry
from vetrina.transfer.target.member_values import (
    list_fields,
    list_objects,
    read_amount,
    read_flag,
    read_number,
    read_text,
)

_ITEMS_OF_ORDERS: Final = "/shop/v3/orders/{order_id}/items"  # no collection; names items in the journal
_COUPON_INFO: Final = "coupon_info"  # extra field that says what other members say, as JSON
_COUPON_DATA: Final = "coupon_data"  # its older form, an object
_INFO_MEMBERS: Final = ("id", "code", "discount_type", "amount", "free_shipping")
_NO_AMOUNT: Final = "0"


@dataclass
class IncomingItem:
    """An item on its way. source: its id there. item: its values here, without id. cost: what its pieces cost."""

    source: int
    item: OrderItem
    fields: list[tuple[str, Any]]
    cost: Decimal | None = None


def list_items(one: IncomingRecord) -> list[IncomingItem]:
    """Return the items of an order or a refund, in the order of their ids there."""
    lists = (
        ("line_items", _read_line), ("tax_lines", _read_tax), ("shipping_lines", _read_shipping),
        ("fee_lines", _read_fee), ("coupon_lines", _read_coupon),
    )  # fmt: skip
    found = [read(one, line) for name, read in lists for line in list_objects(one.values.get(name))]
    return sorted(found, key=lambda each: each.source)


def save_items(
    one: IncomingRecord, owner: int, incoming: Sequence[IncomingItem], before: Sequence[OrderItem]
) -> tuple[list[OrderItem], bool]:
    """Store the items of an order or a refund with their extra fields; return them, and whether anything changed."""
    work = one.work
    held = {item.id: item for item in before}
    ids = [find_item(one, each.source, held) for each in incoming]
    new = [at for at, id in enumerate(ids) if not id or id in ids[:at]]
    for at, id in zip(new, _claim_ids(one, [incoming[at].source for at in new]), strict=True):
        ids[at] = id
    items = [msgspec.structs.replace(each.item, id=id, owner=owner) for id, each in zip(ids, incoming, strict=True)]
    left = {item.id for item in items}
    gone = [item for item in before if item.id not in left]
    order_model.delete_items(work, gone)
    order_model.save_items(work, held, items)
    fields = {item.id: each.fields for item, each in zip(items, incoming, strict=True)}
    if held:
        other = meta_data.replace_fields(work, "order_item", fields, private=True)
    else:
        other = False
        meta_data.insert_fields(
            work, [("order_item", id, name, value) for id, each in fields.items() for name, value in each]
        )
    costs = {item.id: each.cost for item, each in zip(items, incoming, strict=True) if each.cost is not None}
    product_costs.save_item_costs(work, costs)
    return items, bool(other or gone or new or any(item != held.get(item.id) for item in items))


def _claim_ids(one: IncomingRecord, sources: Sequence[int]) -> Sequence[int]:
    """Return the ids of new items: their own where they are kept and all are free; the journal has the others."""
    keep = one.keep_ids and 0 not in sources and len(set(sources)) == len(sources)
    claim, reserve = order_model.claim_item_ids, order_model.reserve_item_ids
    ids = claim(one.work, sources) if keep else reserve(one.work, len(sources))
    for source, id in zip(sources, ids, strict=True):
        if source and id != source:
            entry = JournalEntry(_ITEMS_OF_ORDERS, str(source), ORDER_ITEM, id, False, "", "", "", "")
            one.journal.save_entry(one.work.tx, entry)
    return ids


def find_item(one: IncomingRecord, source: int, items: Mapping[int, OrderItem]) -> int:
    """Return the id here of an item of the source, 0 where it is not among some. items: by id."""
    if not items or (one.keep_ids and source in items):
        return source if items else 0
    found = one.journal.find_target(one.work.tx, ORDER_ITEM, str(source)) if source else 0
    return found if found in items else 0


def _read_line(one: IncomingRecord, line: Mapping[str, Any]) -> IncomingItem:
    taxes, before = _read_taxes(one, line)
    item = OrderItem(
        0, 0, LINE, read_text(line.get("name")),
        product=_find_sold(one, line, "product_id"), variation=_find_sold(one, line, "variation_id"),
        quantity=read_number(line.get("quantity")), tax_class=read_text(line.get("tax_class")),
        subtotal=read_amount(line.get("subtotal")), subtotal_tax=read_amount(line.get("subtotal_tax")),
        subtotal_taxes=before, **_read_totals(line), taxes=taxes,
    )  # fmt: skip
    cost = line.get(product_costs.MEMBER)
    given = cost.get("value") if isinstance(cost, Mapping) else None
    return _read_item(line, item, cost=None if given is None else read_amount(given))


def _read_shipping(one: IncomingRecord, line: Mapping[str, Any]) -> IncomingItem:
    instance = read_text(line.get("instance_id"))
    found = one.journal.find_target(one.work.tx, SHIPPING_METHOD, instance) if read_number(instance) else 0
    kept = str(found) if found else instance if one.keep_ids else ""
    item = OrderItem(
        0, 0, SHIPPING, read_text(line.get("method_title")), code=read_text(line.get("method_id")),
        tax_status=read_text(line.get("tax_status")) or "taxable", **_read_totals(line),
        taxes=_read_taxes(one, line)[0], details={"instance_id": kept} if kept else {},
    )  # fmt: skip
    return _read_item(line, item)


def _read_fee(one: IncomingRecord, line: Mapping[str, Any]) -> IncomingItem:
    item = OrderItem(
        0, 0, FEE, read_text(line.get("name")), tax_class=read_text(line.get("tax_class")),
        tax_status=read_text(line.get("tax_status")) or "taxable", **_read_totals(line),
        taxes=_read_taxes(one, line)[0],
    )  # fmt: skip
    return _read_item(line, item)


def _read_tax(one: IncomingRecord, line: Mapping[str, Any]) -> IncomingItem:
    label = read_text(line.get("label"))
    details = {
        "label": label, "compound": read_flag(line.get("compound")),
        "percent": read_text(line.get("rate_percent")) or _NO_AMOUNT,
    }  # fmt: skip
    item = OrderItem(
        0, 0, TAX, label, total=read_amount(line.get("tax_total")),
        total_tax=read_amount(line.get("shipping_tax_total")), code=read_text(line.get("rate_code")),
        reference=_find_rate(one, line.get("rate_id")), details=details,
    )  # fmt: skip
    return _read_item(line, item)


def _read_coupon(one: IncomingRecord, line: Mapping[str, Any]) -> IncomingItem:
    fields = list_fields(line.get("meta_data"))
    info = next((_read_coupon_info(value) for name, value in fields if name in (_COUPON_INFO, _COUPON_DATA)), {})
    code = read_text(line.get("code"))
    details = {
        "kind": read_text(line.get("discount_type") or info.get("discount_type")) or "fixed_cart",
        "amount": read_text(line.get("nominal_amount", info.get("amount"))) or _NO_AMOUNT,
        "free_shipping": read_flag(line.get("free_shipping", info.get("free_shipping"))),
    }
    item = OrderItem(
        0, 0, COUPON, code, total=read_amount(line.get("discount")), total_tax=read_amount(line.get("discount_tax")),
        code=code, reference=_find_coupon(one, read_number(info.get("id")), code), details=details,
    )  # fmt: skip
    return _read_item(line, item, skipped=(_COUPON_INFO, _COUPON_DATA))


def _read_coupon_info(value: Any) -> Mapping[str, Any]:
    """Return what a coupon was when it was used, by its members' names."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return {}
    if isinstance(value, list):
        return dict(zip(_INFO_MEMBERS, value, strict=False))
    return value if isinstance(value, Mapping) else {}


def _read_item(
    line: Mapping[str, Any], item: OrderItem, *, skipped: Sequence[str] = (), cost: Decimal | None = None
) -> IncomingItem:
    fields = [field for field in list_fields(line.get("meta_data")) if field[0] not in skipped]
    return IncomingItem(read_number(line.get("id")), item, fields, cost)


def _read_totals(line: Mapping[str, Any]) -> dict[str, Any]:
    return {"total": read_amount(line.get("total")), "total_tax": read_amount(line.get("total_tax"))}


def _read_taxes(one: IncomingRecord, line: Mapping[str, Any]) -> tuple[dict[int, Decimal], dict[int, Decimal]]:
    """Return the taxes of a line by the rates here, after and before discounts."""
    after, before = {}, {}
    for tax in list_objects(line.get("taxes")):
        rate = _find_rate(one, tax.get("id"))
        after[rate] = read_amount(tax.get("total"))
        if tax.get("subtotal") not in (None, ""):
            before[rate] = read_amount(tax["subtotal"])
    return after, before


def _find_rate(one: IncomingRecord, id: Any) -> int:
    """Return the id here of a tax rate; one that is gone there is no other one here."""
    there = read_number(id)
    return one.resolve(TAX_RATE, there, "tax rate") or (there if one.keep_ids else -abs(there))


def _find_sold(one: IncomingRecord, line: Mapping[str, Any], member: str) -> int:
    """Return the id here of the product or variation of a line; one that is gone there keeps its own."""
    there = read_number(line.get(member))
    return one.resolve(RECORD, there, member) or (there if one.keep_ids else 0)


def _find_coupon(one: IncomingRecord, there: int, code: str) -> int:
    """Return the id here of a coupon that was used: that of its record, or else that of its code."""
    found = one.journal.find_target(one.work.tx, RECORD, str(there)) if there else 0
    if not found and (same := coupon_store.find_coupon_by_code(one.work, code)) is not None:
        found = same.id
    return found or (there if one.keep_ids else 0)


def list_coupons(items: Sequence[OrderItem]) -> Iterator[int]:
    """Give the ids of the coupons that an order used, each once."""
    yield from dict.fromkeys(item.reference for item in items if item.kind == COUPON and item.reference)
