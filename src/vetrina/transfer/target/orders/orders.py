"""Orders on their way in: as they were, to the cent and the second, without anything that a new order would do.

No stock moves, nobody is told, nothing is counted twice. What a later change of status has to know is set as the status
says: what was taken from stock, which coupons and sales were counted. Reports follow in the same transaction, as for
every order (analytics/facts/updates.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from vetrina.backends.id_sequences import claim_id
from vetrina.content.text import sanitizing
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.kernel import money
from vetrina.kernel.keys import generate_letters
from vetrina.shop import meta_data
from vetrina.shop.coupons import uses as coupon_uses
from vetrina.shop.customers import rules as customers
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.orders import model as order_model, statuses as order_statuses
from vetrina.shop.orders.coupons import build_order_buyer
from vetrina.shop.orders.model import BILLING_FIELDS, FEE, LINE, SHIPPING, SHIPPING_FIELDS, Order, OrderItem
from vetrina.shop.orders.rules import ORDER_KEY_PREFIX
from vetrina.shop.orders.stock import LINE_STOCK_KEY
from vetrina.shop.products import model as product_model
from vetrina.shop.settings import rules as settings
from vetrina.transfer.target.content import choose_record_id
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.journal import RECORD, USER
from vetrina.transfer.target.member_values import list_fields, read_amount, read_flag, read_moment, read_text
from vetrina.transfer.target.outcome import Written

from .items import IncomingItem, list_coupons, list_items, save_items

_TEXTS: Final = {
    "order_key": "order_key", "payment_method": "payment_method", "customer_ip_address": "customer_ip",
    "customer_user_agent": "customer_agent", "created_via": "created_via", "cart_hash": "cart_hash",
}  # fmt: skip
_AMOUNTS: Final = {
    "discount_total": "discount", "discount_tax": "discount_tax", "shipping_total": "shipping",
    "shipping_tax": "shipping_tax", "cart_tax": "cart_tax", "total": "total", "total_tax": "total_tax",
}  # fmt: skip
_KEY_LETTERS: Final = 13


def write_order(one: IncomingRecord) -> Written:
    """Write an order with its items."""
    work = one.work
    old = order_model.STORE.find(work.tx, one.target) if one.target else None
    base = old or Order(
        claim_id(work.tx, choose_record_id(one)), currency=str(settings.get_shop_option(work, "shop_currency")),
        created=work.now, modified=work.now, billing=dict.fromkeys(BILLING_FIELDS, ""),
        shipping_address=dict.fromkeys(SHIPPING_FIELDS, ""),
    )  # fmt: skip
    incoming = list_items(one)
    new = msgspec.structs.replace(base, **_read_members(one, base), **_read_effects(one, base, incoming))
    before = order_model.load_items_by_owner(work, (old.id,))[old.id] if old else []
    items, changed = save_items(one, new.id, incoming, before)
    changed |= save_order_fields(one, "order", new.id, private=False, is_new=old is None)
    if old is None:
        new = order_model.insert_order(work, new)
    elif changed or new != old:
        new = order_model.rewrite_order(work, old, new)
    _save_coupon_uses(one, old, new, before, items)
    _derive_rights(one, new, items)
    _tell_differences(one, new, items)
    return Written(new.id)


def save_order_fields(one: IncomingRecord, kind: str, id: int, *, private: bool, is_new: bool) -> bool:
    """Store the extra fields of an order or a refund, and return whether one that was here has others now.

    private: whether the source shows those whose name begins with `_`.
    """
    fields = list_fields(one.values.get("meta_data"))
    if is_new:
        meta_data.insert_fields(one.work, [(kind, id, name, value) for name, value in fields])
        return False
    return meta_data.replace_fields(one.work, kind, {id: fields}, private=private)


def _read_members(one: IncomingRecord, base: Order) -> dict[str, Any]:
    """Return the fields of an order that came; what the source does not say stays."""
    work, values = one.work, one.values
    members: dict[str, Any] = {own: read_text(values[name]) for name, own in _TEXTS.items() if name in values}
    members |= {own: read_amount(values[name]) for name, own in _AMOUNTS.items() if name in values}
    if currency := read_text(values.get("currency")):
        members["currency"] = currency
    if "payment_method_title" in values:
        members["payment_method_title"] = sanitizing.sanitize_plain_text(read_text(values["payment_method_title"]))
    if "transaction_id" in values:
        members["transaction_id"] = sanitize_short_text(work.user, read_text(values["transaction_id"]))
    if "customer_note" in values:
        members["customer_note"] = sanitizing.sanitize_plain_lines(read_text(values["customer_note"]))
    if "prices_include_tax" in values:
        members["prices_include_tax"] = read_flag(values["prices_include_tax"])
    if not members.get("order_key"):
        members["order_key"] = base.order_key or ORDER_KEY_PREFIX + generate_letters(_KEY_LETTERS)
    created = read_moment(one, "date_created")
    members["created"] = base.created if created is None else created
    modified = read_moment(one, "date_modified")
    members["modified"] = members["created"] if modified is None else modified
    members |= {"paid": read_moment(one, "date_paid"), "completed": read_moment(one, "date_completed")}
    if "number" in values:
        # It stays where ids are mapped, too: it is on the invoices.
        number = sanitizing.sanitize_plain_text(read_text(values["number"])).strip()
        members["number"] = "" if number == str(base.id) else number
    members["status"] = read_text(values.get("status")) or base.status
    members["parent"] = one.resolve(RECORD, values.get("parent_id"), "parent_id")
    members["customer"] = one.resolve(USER, values.get("customer_id"), "customer_id")
    members["billing"] = _read_address(one, "billing", BILLING_FIELDS, base.billing)
    members["shipping_address"] = _read_address(one, "shipping", SHIPPING_FIELDS, base.shipping_address)
    language = one.record.language
    members["language"] = language if language in work.site.profile.languages else base.language
    return members


def _read_address(one: IncomingRecord, member: str, names: Sequence[str], before: dict[str, str]) -> dict[str, str]:
    given = one.values.get(member)
    if not isinstance(given, dict):
        return before
    for name in given.keys() - set(names):
        if given[name] not in (None, "", [], {}):
            one.notes[f"the member {name!r} of an address is not known here"] += 1
    return {name: read_text(given.get(name)) for name in names}


def _read_effects(one: IncomingRecord, base: Order, incoming: Sequence[IncomingItem]) -> dict[str, bool]:
    """Return what an order has done to stock, coupons and sales by its status.

    A status of the source's own leaves as it is what came before it: goods that left the stock were sold. Where a
    status does not say whether coupons count as used, those of the source say it in the end (coupon_uses.py).
    """
    status = read_text(one.values.get("status")) or base.status
    noted = any(LINE_STOCK_KEY in dict(each.fields) for each in incoming)
    meaning = order_statuses.STATUSES_BY_SLUG.get(status)
    if meaning is None:
        trashed = status == order_statuses.TRASH
        if not trashed:
            one.notes[f"the order status {status!r} is not known here"] += 1
        return {
            "stock_taken": noted, "coupons_counted": base.coupons_counted and not trashed,
            "sales_counted": noted and not trashed,
        }  # fmt: skip
    refunded = status == "refunded"
    return {
        "stock_taken": noted or meaning.stock == "taken",
        "coupons_counted": base.coupons_counted if meaning.coupons is None else meaning.coupons,
        "sales_counted": (refunded or noted) if meaning.sold is None else meaning.sold,
    }


def _save_coupon_uses(
    one: IncomingRecord, old: Order | None, new: Order, before: Sequence[OrderItem], items: Sequence[OrderItem]
) -> None:
    """Say which uses of coupons are those of an order, of those that are known; the others follow in the end."""
    work, by = one.work, build_order_buyer(new).name
    was = [*list_coupons(before)] if old is not None and old.coupons_counted else []
    now = [*list_coupons(items)] if new.coupons_counted else []
    if was == now and (old is None or build_order_buyer(old).name == by):
        return
    for id in was:
        coupon_uses.release_coupon_use(work, id, new.id)
    for id in now:
        coupon_uses.claim_coupon_use(work, id, new.id, by)


def _derive_rights(one: IncomingRecord, order: Order, items: Sequence[OrderItem]) -> None:
    """Give the customer what a paid order gives: downloads, and that they have paid."""
    meaning = order_statuses.STATUSES_BY_SLUG.get(order.status)
    if meaning is None:
        return
    work = one.work
    if meaning.completed and order.customer:
        customers.mark_customer_paying(work, order.customer)
    if meaning.downloads and (
        meaning.completed or settings.is_setting_on(work, "shop_downloads_grant_access_after_payment")
    ):
        sold = [item.sellable_id for item in items if item.kind == LINE and item.sellable_id]
        if not product_model.has_downloadable_products(work, sold):
            return
        at = next(moment for moment in (order.completed, order.paid, order.created) if moment is not None)
        downloads.sync_order_downloads(work, order, items, granted=True, at=at)
    elif meaning.downloads is False and one.target:
        downloads.sync_order_downloads(work, order, items, granted=False)


def _tell_differences(one: IncomingRecord, order: Order, items: Sequence[OrderItem]) -> None:
    parts = [item for item in items if item.kind in (LINE, SHIPPING, FEE)]
    unit = Decimal(1).scaleb(-settings.get_price_decimals(one.work))
    off = order.total - order.total_tax - sum((item.total for item in parts), money.ZERO)
    # Parts are rounded one by one, as `vetrina check` knows, too.
    if abs(off) > unit * (len(parts) + 2):
        one.notes["the order came to something else than its items, and still does"] += 1
