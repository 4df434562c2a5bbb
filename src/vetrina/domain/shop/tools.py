"""Tools of the system status: what an operator can have counted, forgotten or made anew, and what each of them does.

A tool returns one sentence about what it did. What other rooms keep is theirs: they add to TOOLS.
Rules: facts, "Taxes, settings, shipping, gateways, data" (system status); the recording of the system status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import and_, bindparam, delete, exists, func, or_, select, update

from vetrina.backends import schema
from vetrina.backends.database import Statement
from vetrina.backends.tables import record, term
from vetrina.backends.tables_cart import shop_cart
from vetrina.backends.tables_catalogue import product as product_table
from vetrina.backends.tables_orders import coupon, coupon_use, order_download, order_receipt, shop_order
from vetrina.backends.tables_shop import shop_nonce, tax_rate
from vetrina.domain import integrity
from vetrina.domain.content import record as stored
from vetrina.domain.content import records
from vetrina.domain.content.taxonomy import terms
from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from . import founding, kinds, order, prices, product, reviews, stock, webhook_deliveries

__all__ = ["TOOLS", "Tool", "ToolUnknown", "existing", "run"]


class ToolUnknown(ApiError):
    status, code = 404, "shop_rest_system_status_tool_invalid_id"
    message = "There is no tool {id!r}."


class Cannot(Exception):
    """The tool has nothing to do here; the message says why."""


class Tool(NamedTuple):
    """A tool. action: what its button says. run: does it and says what was done; raises Cannot."""

    id: str
    name: str
    action: str
    description: str
    run: Callable[[Work], str]


_above = record.alias("above")
_ORPHANS = Statement(
    select(record.c.id)
    .where(record.c.type == kinds.VARIATION.name, ~exists().where(_above.c.id == record.c.parent))
    .order_by(record.c.id)
)
_USED_UP = Statement(
    delete(order_download).where(
        or_(
            order_download.c.left == 0,
            and_(order_download.c.expires.is_not(None), order_download.c.expires < bindparam("now")),
        )
    )
)
_OLD_RECEIPTS = Statement(delete(order_receipt).where(order_receipt.c.expires < bindparam("now")))
_OLD_NONCES = Statement(delete(shop_nonce).where(shop_nonce.c.at < bindparam("before")))
_PRODUCTS = Statement(select(product_table.c.record).order_by(product_table.c.record))
_PARTED = Statement(
    select(product_table.c.record)
    .where(or_(product_table.c.kind == "variable", product_table.c.kind == "grouped"))
    .order_by(product_table.c.record)
)
_COUPONS = Statement(
    update(coupon).values(
        usage_count=select(func.count())
        .select_from(coupon_use)
        .where(coupon_use.c.coupon == coupon.c.id)
        .scalar_subquery()
    )
)
_TERMS = Statement(select(term.c.id).order_by(term.c.id))
_RATES = Statement(select(func.count()).select_from(tax_rate))
_NO_RATES = Statement(delete(tax_rate))
_NO_CARTS = Statement(delete(shop_cart))
_ORDERS = Statement(select(shop_order.c.id).order_by(shop_order.c.id))
_SEARCHED = Statement(update(shop_order).where(shop_order.c.id == bindparam("of")).values(search_key=bindparam("key")))
_NONCE_LIFE: Final = 3600  # seconds; twice the quarter of an hour in which a signature holds, and more
_CHUNK: Final = 200


def _forget_answers(work: Work) -> str:
    # Kept answers follow the change log: what is noted here is made anew when it is next asked for.
    for kind in ("option", "product", "order", "coupon", "tax_rate", "shipping"):
        work.note(kind, 0, "changed")
    return "What was kept ready is made anew."


def _forget_old(work: Work) -> str:
    gone = work.tx.run(_OLD_RECEIPTS, now=work.now) + work.tx.run(_OLD_NONCES, before=work.now - _NONCE_LIFE)
    webhook_deliveries.sweep(work)
    return f"{gone} things whose time was over are gone."


def _remove_orphans(work: Work) -> str:
    gone = [int(row[0]) for row in work.tx.all(_ORPHANS)]
    for id in gone:
        found = stored.by_id(work.tx, id)
        if found is not None:
            records.remove(work, kinds.VARIATION, found)
    return f"{len(gone)} variations without a product were removed."


def _remove_used_up(work: Work) -> str:
    gone = work.tx.run(_USED_UP, now=work.now)
    work.note("order", 0, "changed")
    return f"{gone} permissions that were used up or had ended were removed."


def _settle_products(work: Work) -> str:
    ids = [int(row[0]) for row in work.tx.all(_PRODUCTS)]
    for start in range(0, len(ids), _CHUNK):
        for one in product.by_ids(work, ids[start : start + _CHUNK]).values():
            if not one.is_variation:
                reviews.recount(work, one.id)
    for (id,) in work.tx.all(_PARTED):
        found = product.by_id(work, int(id))
        if found is not None:
            stock.sync_parent(work, prices.sync(work, found))
    work.note(kinds.PRODUCT.name, 0, "changed")
    return f"Prices, stock and ratings of {len(ids)} products were worked out anew."


def _recount_coupons(work: Work) -> str:
    count = work.tx.run(_COUPONS)
    work.note("coupon", 0, "changed")
    return f"The uses of {count} coupons were counted anew."


def _recount_terms(work: Work) -> str:
    ids = [int(row[0]) for row in work.tx.all(_TERMS)]
    for start in range(0, len(ids), _CHUNK):
        terms.recount(work, ids[start : start + _CHUNK])
    for taxonomy in work.frame.taxonomies:
        work.note(taxonomy, 0, "changed")
    return f"The records of {len(ids)} terms were counted anew."


def _reset_roles(work: Work) -> str:
    work.note("user", 0, "changed")
    return "Roles have the capabilities that the program gives them."


def _forget_carts(work: Work) -> str:
    gone = work.tx.run(_NO_CARTS)
    return f"{gone} carts were forgotten."


def _forget_theme(work: Work) -> str:
    work.note("theme", 0, "changed")
    return "What was known of the theme is read anew."


def _make_pages(work: Work) -> str:
    made = founding.missing_pages(work)
    return f"{len(made)} pages were made." if made else "All pages are there."


def _delete_rates(work: Work) -> str:
    count = int(work.tx.value(_RATES) or 0)
    work.tx.run(_NO_RATES)
    work.note("tax_rate", 0, "removed")
    return f"{count} tax rates were removed."


def _sizes_anew(work: Work) -> str:
    work.note("attachment", 0, "changed")
    return "Sizes of images are made when they are uploaded; what is shown of them is read anew."


def _verify(work: Work) -> str:
    missing = sorted(set(schema.METADATA.tables) - schema.table_names(work.tx))
    if missing:
        raise Cannot(f"Tables are missing: {', '.join(missing)}. Put a backup back.")
    wrong = [line for rule in integrity.QUICK for line in rule.broken(work)]
    if wrong:
        raise Cannot(f"{len(wrong)} rows do not fit together; `vetrina check` names them.")
    return "All tables are there, and their rows fit together."


def _update_database(work: Work) -> str:
    return f"The database stands at {schema.HEAD}, which is what this program needs."


def _search_orders(work: Work) -> str:
    ids = [int(row[0]) for row in work.tx.all(_ORDERS)]
    for id in ids:
        found = order.by_id(work, id)
        if found is not None:
            work.tx.run(_SEARCHED, of=id, key=order.search_key(found))
    work.note("order", 0, "changed")
    return f"What searches look at was written anew for {len(ids)} orders."


def _forget_reports(work: Work) -> str:
    work.note("order", 0, "changed")
    return "Reports are counted anew when they are next asked for."


def _nothing(why: str) -> Callable[[Work], str]:
    return lambda work: why


def _refused(why: str) -> Callable[[Work], str]:
    def run(work: Work) -> str:
        raise Cannot(why)

    return run


TOOLS: Final[dict[str, Tool]] = {
    one.id: one
    for one in (
        Tool("clear_transients", "Shop transients", "Clear transients",
             "Forgets what is kept ready of the shop, so that it is made anew.", _forget_answers),
        Tool("clear_expired_transients", "Expired transients", "Clear transients",
             "Removes what is kept for a while and whose time is over.", _forget_old),
        Tool("delete_orphaned_variations", "Orphaned variations", "Delete orphaned variations",
             "Removes all variations whose product is gone.", _remove_orphans),
        Tool("clear_expired_download_permissions", "Used-up download permissions", "Clean up download permissions",
             "Removes permissions to download that have ended, or that were used as often as allowed.",
             _remove_used_up),
        Tool("regenerate_product_lookup_tables", "Product lookup tables", "Regenerate",
             "Works out anew what lists of products sort and filter by.", _settle_products),
        Tool("repair_coupons_lookup_table", "Coupons lookup table", "Repair",
             "Counts anew how often each coupon was used.", _recount_coupons),
        Tool("recount_terms", "Term counts", "Recount terms",
             "Counts anew how many products have each category, tag, brand and attribute.", _recount_terms),
        Tool("reset_roles", "Capabilities", "Reset capabilities",
             "Gives the roles of the shop their first capabilities.", _reset_roles),
        Tool("clear_sessions", "Clear customer sessions", "Clear",
             "Forgets what visitors have put into their carts.", _forget_carts),
        Tool("clear_template_cache", "Clear template cache", "Clear",
             "Reads the templates anew.", _forget_theme),
        Tool("clear_system_status_theme_info_cache", "Clear system status theme info cache", "Clear",
             "Reads anew what the system status says of the theme.", _forget_theme),
        Tool("install_pages", "Create default Shop pages", "Create pages",
             "Makes those pages of the shop that are missing.", _make_pages),
        Tool("delete_taxes", "Delete Shop tax rates", "Delete tax rates",
             "Removes all tax rates; this cannot be undone.", _delete_rates),
        Tool("regenerate_thumbnails", "Regenerate shop thumbnails", "Regenerate",
             "Looks anew at the sizes of the products' images.", _sizes_anew),
        Tool("db_update_routine", "Update database", "Update database",
             "Brings the database to the form that this version needs.", _update_database),
        Tool("recreate_order_address_fts_index", "Recreate the index of addresses in orders", "Recreate index",
             "Writes anew what searches among orders look at.", _search_orders),
        Tool("verify_db_tables", "Verify base database tables", "Verify database",
             "Looks whether all tables are there and fit together.", _verify),
        Tool("regenerate_product_attributes_lookup_table", "Regenerate the attributes lookup table", "Regenerate",
             "Works out anew what filters by attributes look at.", _settle_products),
        Tool("clear_shop_analytics_cache", "Clear analytics cache", "Clear",
             "Counts reports anew.", _forget_reports),
        Tool("refresh_remote_inbox_notifications", "Refresh Remote Inbox Notifications", "Refresh",
             "Asks for news of the inbox.", _nothing("Nobody outside is asked for news.")),
        Tool("delete_inbox_notification", "Delete an Inbox Notification", "Delete",
             "Removes a note of the inbox.", _nothing("No note of the inbox was named.")),
        Tool("hpos_legacy_cleanup", "Clean up order data of an older form", "Clean up",
             "Removes copies of orders in an older form.", _nothing("There are no orders in an older form.")),
        Tool("delete_custom_orders_table", "Delete the tables of orders", "Delete",
             "Removes the tables of orders where orders are kept elsewhere.",
             _refused("Orders are kept in these tables; they stay.")),
        Tool("schedule_expired_transient_files_cleanup", "Clean up files whose time is over", "Schedule",
             "Removes receipts and other pages that have ended.", _forget_old),
    )
}  # fmt: skip


def existing(id: str) -> Tool:
    """Return a tool. Raises ToolUnknown."""
    found = TOOLS.get(id)
    if found is None:
        raise ToolUnknown(id=id)
    return found


def run(work: Work, tool: Tool) -> tuple[bool, str]:
    """Run a tool and return whether it did its work, and what it says of it."""
    try:
        with work.tx.part():
            return True, tool.run(work)
    except Cannot as why:
        return False, str(why)
