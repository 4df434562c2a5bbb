"""Deletes data of the shop on request: expired, orphaned and cached.

Each function returns the number of deleted items. Not here: which tool does what (shop/system/tools.py), periodic
cleanup (shop/background_work.py). Rules: docs/rules/shop_settings.md, 6.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Table, and_, bindparam, delete, exists, func, or_, select, update

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import admin_note
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.orders import (
    coupon_use,
    order_download,
    order_item,
    order_receipt,
    shop_order,
    shop_refund,
)
from vetrina.backends.tables.records import record
from vetrina.backends.tables.rollups import ROLLUP_JOB, ROLLUPS
from vetrina.backends.tables.taxes_shipping import shop_nonce, tax_rate
from vetrina.content.records import deletion, model as record_model
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks import deliveries as webhook_deliveries
from vetrina.shop.cart import store as cart_store
from vetrina.shop.orders import model as order_model, statuses as order_statuses
from vetrina.shop.products import product_types as kinds

CACHED_KINDS: Final = (
    "option", "product", "product_variation", "product_attribute", "comment", "order", "coupon", "tax_rate",
    "tax_class", "shipping",
)  # fmt: skip
_NONCE_LIFETIME: Final = 3600  # seconds; a signature is valid for a quarter of an hour, this is more than twice that

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
_DELETE_CARTS = Statement(delete(shop_cart))
_DELETE_NOTE = Statement(
    update(admin_note).where(admin_note.c.id == bindparam("of"), admin_note.c.deleted == 0).values(deleted=1)
)
_DELETE_ROLLUPS: Final = [Statement(delete(table)) for table in ROLLUPS]


def _build_orphan_delete(table: Table, owner: str, *among: Table) -> Statement:
    """Return the statement that deletes the rows of a table whose owner is in none of some others."""
    column = table.c[owner]
    # Uses of coupons that are of no order came with their coupon from another site.
    return Statement(delete(table).where(column != 0, *(~exists().where(other.c.id == column) for other in among)))


def _build_orphan_fields_delete(kind: str, *among: Table) -> Statement:
    missing = (~exists().where(other.c.id == shop_meta.c.owner) for other in among)
    return Statement(delete(shop_meta).where(shop_meta.c.kind == kind, *missing))


_LEFTOVERS = (
    _build_orphan_delete(order_item, "owner", shop_order, shop_refund),
    _build_orphan_delete(coupon_use, "order", shop_order),
    _build_orphan_fields_delete("order", shop_order),
    _build_orphan_fields_delete("refund", shop_refund),
    _build_orphan_fields_delete("order_item", order_item),
)


def clear_cached_responses(work: UnitOfWork, *kinds: str) -> int:
    """Invalidate cached responses and return for how many kinds of data; kinds: only of these."""
    # Cached responses follow the change log: what is noted here is computed again when next requested.
    wanted = kinds or (*CACHED_KINDS, *work.site.taxonomies)
    for kind in wanted:
        work.note(kind, 0, "changed")
    return len(wanted)


def delete_expired_data(work: UnitOfWork) -> int:
    """Delete expired receipts, nonces, carts and webhook deliveries."""
    deleted = work.tx.run_and_count(_OLD_RECEIPTS, now=work.now) + work.tx.run_and_count(
        _OLD_NONCES, before=work.now - _NONCE_LIFETIME
    )
    before = int(work.tx.value(_CART_COUNT) or 0)
    cart_store.delete_expired_carts(work)
    return deleted + before - int(work.tx.value(_CART_COUNT) or 0) + webhook_deliveries.delete_old_deliveries(work)


def delete_orphaned_variations(work: UnitOfWork) -> int:
    """Delete variations whose product no longer exists."""
    deleted = 0
    for (id,) in work.tx.all(_ORPHANS):
        found = record_model.find_record(work.tx, int(id))
        if found is not None:
            deletion.delete_record(work, kinds.VARIATION, found)
            deleted += 1
    return deleted


def delete_used_up_downloads(work: UnitOfWork) -> int:
    """Delete download permissions that have expired or are used up."""
    ids = [int(row[0]) for row in work.tx.all(_USED_UP, now=work.now)]
    for of in sorted(set(ids)):
        work.note("order", of, "changed")
    return len(ids)


def delete_all_carts(work: UnitOfWork) -> int:
    """Delete the carts of all visitors, with the orders that they only began."""
    drafts = [int(row[0]) for row in work.tx.all(_CARTS) if row[0]]
    for draft in order_model.load_orders_by_id(work, drafts).values() if drafts else ():
        if draft.status == order_statuses.DRAFT:
            order_model.delete_order_with_items(work, draft)
    return work.tx.run_and_count(_DELETE_CARTS)


def delete_all_tax_rates(work: UnitOfWork) -> int:
    """Delete all tax rates."""
    ids = [int(row[0]) for row in work.tx.all(_RATES)]
    for id in ids:
        work.note("tax_rate", id, "removed")
    return len(ids)


def delete_report_rollups(work: UnitOfWork) -> int:
    """Delete the stored sums of days and months of the reports; they are computed again from the rows of the orders."""
    deleted, *_ = [work.tx.run_and_count(statement) for statement in _DELETE_ROLLUPS]
    job_queue.restart_running_jobs(work.tx, ROLLUP_JOB, work.now)
    clear_cached_responses(work, "order", "product")
    return deleted


def delete_inbox_note(work: UnitOfWork, id: int) -> int:
    """Delete a note from the inbox; it stays known, so that it does not come back."""
    deleted = work.tx.run_and_count(_DELETE_NOTE, of=id)
    if deleted:
        work.note("admin_note", id, "changed")
    return deleted


def delete_order_leftovers(work: UnitOfWork) -> int:
    """Delete items, meta data and coupon uses whose order no longer exists."""
    return sum(work.tx.run_and_count(statement) for statement in _LEFTOVERS)
