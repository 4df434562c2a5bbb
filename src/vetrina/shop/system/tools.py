"""Tools of the system status: what an operator can have counted, forgotten or made anew, and what each of them does.

A tool returns one sentence about what it did, with its counts. Not here: the work itself (shop/system/recompute.py,
shop/system/cleanup.py, shop/system/repair.py, shop/products/thumbnails.py). Rules: facts, "Taxes, settings, shipping,
gateways, data" (system status); the recording of the system status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.products import thumbnails
from vetrina.shop.system import cleanup, recompute, repair
from vetrina.shop.system.recompute import Counted
from vetrina.shop.system.repair import Cannot

__all__ = ["TOOLS", "Tool", "ToolUnknown", "existing", "run"]


class ToolUnknown(ApiError):
    status, code = 404, "shop_rest_system_status_tool_invalid_id"
    message = "There is no tool {id!r}."


class Tool(NamedTuple):
    """A tool. action: what its button says. run: does it and says what was done; raises Cannot.

    named: what it does instead with the one thing that a request names by `note_id`.
    """

    id: str
    name: str
    action: str
    description: str
    run: Callable[[Work], str]
    named: Callable[[Work, int], str] | None = None


def _counted(count: Callable[[Work], Counted], what: str) -> Callable[[Work], str]:
    """Return a tool that works something out anew; what: what there is many of."""

    def run(work: Work) -> str:
        found = count(work)
        return f"{found.seen} {what} were looked at; {found.mended} were wrong and were mended."

    return run


def _gone(clear: Callable[[Work], int], what: str) -> Callable[[Work], str]:
    """Return a tool that throws something away; what: the sentence after the number."""
    return lambda work: f"{clear(work)} {what}"


def _remake_images(work: Work) -> str:
    count = thumbnails.note_all(work)
    return f"The sizes of {count} images are made anew in the background, a job for each image."


def _forget_answers(work: Work) -> str:
    return f"What was kept ready of {cleanup.kept_answers(work)} kinds of things is made anew."


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
             "Removes what is kept for a while and whose time is over.",
             _gone(cleanup.ended, "things whose time was over were removed.")),
        Tool("delete_orphaned_variations", "Orphaned variations", "Delete orphaned variations",
             "Removes all variations whose product is gone.",
             _gone(cleanup.orphaned_variations, "variations without a product were removed.")),
        Tool("clear_expired_download_permissions", "Used-up download permissions", "Clean up download permissions",
             "Removes permissions to download that have ended, or that were used as often as allowed.",
             _gone(cleanup.used_up_downloads, "permissions that were used up or had ended were removed.")),
        Tool("regenerate_product_lookup_tables", "Product lookup tables", "Regenerate",
             "Works out anew what lists of products sort and filter by.", _counted(recompute.products, "products")),
        Tool("repair_coupons_lookup_table", "Coupons lookup table", "Repair",
             "Counts anew how often each coupon was used.", _counted(recompute.coupon_uses, "coupons")),
        Tool("recount_terms", "Term counts", "Recount terms",
             "Counts anew how many products have each category, tag, brand and attribute.",
             _counted(recompute.term_counts, "terms")),
        Tool("reset_roles", "Capabilities", "Reset capabilities",
             "Lets everybody have what the program gives the roles of the shop.", repair.settle_roles),
        Tool("clear_sessions", "Clear customer sessions", "Clear",
             "Forgets what visitors have put into their carts.", _gone(cleanup.carts, "carts were forgotten.")),
        Tool("clear_template_cache", "Clear template cache", "Clear",
             "Reads the templates anew.", repair.read_theme),
        Tool("clear_system_status_theme_info_cache", "Clear system status theme info cache", "Clear",
             "Reads anew what the system status says of the theme.", repair.read_theme),
        Tool("install_pages", "Create default Shop pages", "Create pages",
             "Makes those pages of the shop that are missing.", repair.make_pages),
        Tool("delete_taxes", "Delete Shop tax rates", "Delete tax rates",
             "Removes all tax rates; this cannot be undone.", _gone(cleanup.tax_rates, "tax rates were removed.")),
        Tool("regenerate_thumbnails", "Regenerate shop thumbnails", "Regenerate",
             "Makes the smaller sizes of the images of products and their groups anew.", _remake_images),
        Tool("db_update_routine", "Update database", "Update database",
             "Looks whether the database has the form that this version needs.", repair.check_version),
        Tool("recreate_order_address_fts_index", "Recreate the index of addresses in orders", "Recreate index",
             "Writes anew what searches among orders look at.", _counted(recompute.order_searches, "orders")),
        Tool("verify_db_tables", "Verify base database tables", "Verify database",
             "Looks whether all tables are there and fit together.", repair.check_tables),
        Tool("regenerate_product_attributes_lookup_table", "Regenerate the attributes lookup table", "Regenerate",
             "Works out anew what filters by attributes look at.",
             _counted(recompute.attribute_links, "links to terms of attributes")),
        Tool("clear_shop_analytics_cache", "Clear analytics cache", "Clear",
             "Counts the sums of reports anew.", _gone(cleanup.report_sums, "kept sums of reports are counted anew.")),
        Tool("refresh_remote_inbox_notifications", "Refresh Remote Inbox Notifications", "Refresh",
             "Asks for news of the inbox; this program asks nobody outside.",
             lambda work: "0 news came: nobody outside is asked."),
        Tool("delete_inbox_notification", "Delete an Inbox Notification", "Delete",
             "Removes a note of the inbox.", lambda work: "0 notes were removed: name one by `note_id`.",
             lambda work, id: f"{cleanup.inbox_note(work, id)} notes were removed."),
        Tool("hpos_legacy_cleanup", "Clean up order data of an older form", "Clean up",
             "Removes what is left of orders that are gone.",
             _gone(cleanup.leftovers_of_orders, "items, extra fields and uses of coupons of no order were removed.")),
        Tool("delete_custom_orders_table", "Delete the tables of orders", "Delete",
             "Removes the tables of orders where orders are kept elsewhere.",
             _refused("Orders are kept in these tables; they stay.")),
        Tool("schedule_expired_transient_files_cleanup", "Clean up files whose time is over", "Schedule",
             "Removes receipts, signatures and carts that have ended.",
             _gone(cleanup.ended, "things whose time was over were removed.")),
    )
}  # fmt: skip


def existing(id: str) -> Tool:
    """Return a tool. Raises ToolUnknown."""
    found = TOOLS.get(id)
    if found is None:
        raise ToolUnknown(id=id)
    return found


def run(work: Work, tool: Tool, named: int = 0) -> tuple[bool, str]:
    """Run a tool and return whether it did its work, and what it says of it; named: of one thing only, 0 for none."""
    try:
        with work.tx.part():
            return True, tool.named(work, named) if tool.named and named else tool.run(work)
    except Cannot as why:
        return False, str(why)
