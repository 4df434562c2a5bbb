"""What the shop throws away when it is asked to: what has ended, what belongs to nothing, what is only kept ready.

Each function returns how many things went. Not here: which tool does what (shop/system/tools.py), what goes by itself
(the sweeps of shop/background_work.py). Rules: the tools of the system status.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Table, and_, bindparam, delete, exists, func, or_, select, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import admin_note, fact_rollup, fact_rollup_stale
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.core import record
from vetrina.backends.tables.orders import (
    coupon_use,
    order_download,
    order_item,
    order_receipt,
    shop_order,
    shop_refund,
)
from vetrina.backends.tables.taxes_shipping import shop_nonce, tax_rate
from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.core.unit_of_work import Work
from vetrina.shop.cart import store as cart_store
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.products import product_types as kinds
from vetrina.shop.webhooks import deliveries as webhook_deliveries

__all__ = [
    "carts", "ended", "inbox_note", "kept_answers", "leftovers_of_orders", "orphaned_variations", "report_sums",
    "tax_rates", "used_up_downloads",
]  # fmt: skip

KEPT: Final = (
    "option", "product", "product_variation", "product_attribute", "comment", "order", "coupon", "tax_rate",
    "tax_class", "shipping",
)  # fmt: skip
_NONCE_LIFE: Final = 3600  # seconds; twice the quarter of an hour in which a signature holds, and more

_above = record.alias("above")
_ORPHANS = Statement(
    select(record.c.id)
    .where(record.c.type == kinds.VARIATION.name, ~exists().where(_above.c.id == record.c.parent))
    .order_by(record.c.id)
)
_USED_UP = Statement(
    delete(order_download)
    .where(
        or_(
            order_download.c.left == 0,
            and_(order_download.c.expires.is_not(None), order_download.c.expires < bindparam("now")),
        )
    )
    .returning(order_download.c.order)
)
_OLD_RECEIPTS = Statement(delete(order_receipt).where(order_receipt.c.expires < bindparam("now")))
_OLD_NONCES = Statement(delete(shop_nonce).where(shop_nonce.c.at < bindparam("before")))
_RATES = Statement(delete(tax_rate).returning(tax_rate.c.id))
_CARTS = Statement(select(shop_cart.c.draft))
_CART_COUNT = Statement(select(func.count()).select_from(shop_cart))
_NO_CARTS = Statement(delete(shop_cart))
_NO_NOTE = Statement(
    update(admin_note).where(admin_note.c.id == bindparam("of"), admin_note.c.deleted == 0).values(deleted=1)
)
_NO_SUMS, _NO_MARKS = Statement(delete(fact_rollup)), Statement(delete(fact_rollup_stale))


def _lost(table: Table, owner: str, *among: Table) -> Statement:
    """Return what removes the rows of a table whose owner stands in none of some others."""
    column = table.c[owner]
    return Statement(delete(table).where(*(~exists().where(other.c.id == column) for other in among)))


def _lost_fields(kind: str, *among: Table) -> Statement:
    missing = (~exists().where(other.c.id == shop_meta.c.owner) for other in among)
    return Statement(delete(shop_meta).where(shop_meta.c.kind == kind, *missing))


_LEFTOVERS = (
    _lost(order_item, "owner", shop_order, shop_refund),
    _lost(coupon_use, "order", shop_order),
    _lost_fields("order", shop_order),
    _lost_fields("refund", shop_refund),
    _lost_fields("order_item", order_item),
)


def kept_answers(work: Work, *kinds: str) -> int:
    """Let answers that were kept be made anew, and return of how many kinds of things; kinds: only of these."""
    # Kept answers follow the change log: what is noted here is made anew when it is next asked for.
    wanted = kinds or (*KEPT, *work.frame.taxonomies)
    for kind in wanted:
        work.note(kind, 0, "changed")
    return len(wanted)


def ended(work: Work) -> int:
    """Remove receipts, signatures, carts and told messages whose time is over."""
    gone = work.tx.run(_OLD_RECEIPTS, now=work.now) + work.tx.run(_OLD_NONCES, before=work.now - _NONCE_LIFE)
    before = int(work.tx.value(_CART_COUNT) or 0)
    cart_store.sweep(work)
    return gone + before - int(work.tx.value(_CART_COUNT) or 0) + webhook_deliveries.forget_old(work)


def orphaned_variations(work: Work) -> int:
    """Remove variations whose product is gone."""
    gone = 0
    for (id,) in work.tx.all(_ORPHANS):
        found = record_model.by_id(work.tx, int(id))
        if found is not None:
            records.remove(work, kinds.VARIATION, found)
            gone += 1
    return gone


def used_up_downloads(work: Work) -> int:
    """Remove permissions to download that have ended, or that were used as often as allowed."""
    gone = [int(row[0]) for row in work.tx.all(_USED_UP, now=work.now)]
    for of in sorted(set(gone)):
        work.note("order", of, "changed")
    return len(gone)


def carts(work: Work) -> int:
    """Remove what visitors have put into their carts, with the orders that they only began."""
    drafts = [int(row[0]) for row in work.tx.all(_CARTS) if row[0]]
    for begun in order_model.by_ids(work, drafts).values() if drafts else ():
        if begun.status == order_statuses.DRAFT:
            order_model.remove(work, begun)
    return work.tx.run(_NO_CARTS)


def tax_rates(work: Work) -> int:
    """Remove all rates of tax."""
    gone = [int(row[0]) for row in work.tx.all(_RATES)]
    for id in gone:
        work.note("tax_rate", id, "removed")
    return len(gone)


def report_sums(work: Work) -> int:
    """Remove the sums of days and months that reports are made from; they are made anew from the rows of the orders."""
    work.tx.run(_NO_MARKS)
    gone = work.tx.run(_NO_SUMS)
    kept_answers(work, "order", "product")
    return gone


def inbox_note(work: Work, id: int) -> int:
    """Take a note out of the inbox; it stays known, so that it does not come back."""
    gone = work.tx.run(_NO_NOTE, of=id)
    if gone:
        work.note("admin_note", id, "changed")
    return gone


def leftovers_of_orders(work: Work) -> int:
    """Remove items, extra fields and uses of coupons whose order is gone."""
    return sum(work.tx.run(statement) for statement in _LEFTOVERS)
