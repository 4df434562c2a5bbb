"""Tools of the system status: what an operator can recount, delete or rebuild, and what each of them does.

A tool returns one sentence about what it did, with its counts. Not here: the work itself (shop/system/recompute.py,
shop/system/cleanup.py, shop/system/repair.py, shop/products/thumbnails.py). Rules: docs/rules/shop_settings.md, 6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.products import thumbnails
from vetrina.shop.system import cleanup, recompute, repair
from vetrina.shop.system.recompute import RecomputeResult
from vetrina.shop.system.repair import ToolFailed


class SystemStatusToolNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_system_status_tool_invalid_id"
    message = "There is no tool {id!r}."


class SystemStatusTool(NamedTuple):
    """A tool. action: the label of its button. run: executes it and returns a message; raises ToolFailed.

    run_for_id: executes it for the single note that a request names by `note_id`.
    """

    id: str
    name: str
    action: str
    description: str
    run: Callable[[UnitOfWork], str]
    run_for_id: Callable[[UnitOfWork, int], str] | None = None


def _build_recompute_action(count: Callable[[UnitOfWork], RecomputeResult], what: str) -> Callable[[UnitOfWork], str]:
    """Return the action of a tool that recomputes something; what: the plural of the items."""

    def run(work: UnitOfWork) -> str:
        found = count(work)
        return f"{found.checked_count} {what} were looked at; {found.fixed_count} were wrong and were mended."

    return run


def _build_cleanup_action(clear: Callable[[UnitOfWork], int], what: str) -> Callable[[UnitOfWork], str]:
    """Return the action of a tool that deletes something; what: the sentence after the count."""
    return lambda work: f"{clear(work)} {what}"


def _enqueue_image_jobs(work: UnitOfWork) -> str:
    count = thumbnails.enqueue_thumbnail_jobs(work)
    return f"The sizes of {count} images are made again in the background, a job for each image."


def _clear_cached_responses(work: UnitOfWork) -> str:
    return f"What was kept ready of {cleanup.clear_cached_responses(work)} kinds of things is made again."


def _build_refused_action(why: str) -> Callable[[UnitOfWork], str]:
    def run(work: UnitOfWork) -> str:
        raise ToolFailed(why)

    return run


SYSTEM_STATUS_TOOLS: Final[dict[str, SystemStatusTool]] = {
    one.id: one
    for one in (
        SystemStatusTool(
            "clear_transients",
            "Shop transients",
            "Clear transients",
            "Forgets what is kept ready of the shop, so that it is made again.",
            _clear_cached_responses,
        ),
        SystemStatusTool(
            "clear_expired_transients",
            "Expired transients",
            "Clear transients",
            "Removes what is kept for a while and whose time is over.",
            _build_cleanup_action(cleanup.delete_expired_data, "things whose time was over were removed."),
        ),
        SystemStatusTool(
            "delete_orphaned_variations",
            "Orphaned variations",
            "Delete orphaned variations",
            "Removes all variations whose product is gone.",
            _build_cleanup_action(cleanup.delete_orphaned_variations, "variations without a product were removed."),
        ),
        SystemStatusTool(
            "clear_expired_download_permissions",
            "Used-up download permissions",
            "Clean up download permissions",
            "Removes permissions to download that have ended, or that were used as often as allowed.",
            _build_cleanup_action(
                cleanup.delete_used_up_downloads, "permissions that were used up or had ended were removed."
            ),
        ),
        SystemStatusTool(
            "regenerate_product_lookup_tables",
            "Product lookup tables",
            "Regenerate",
            "Computes again what lists of products sort and filter by.",
            _build_recompute_action(recompute.recompute_products, "products"),
        ),
        SystemStatusTool(
            "repair_coupons_lookup_table",
            "Coupons lookup table",
            "Repair",
            "Counts again how often each coupon was used.",
            _build_recompute_action(recompute.recompute_coupon_uses, "coupons"),
        ),
        SystemStatusTool(
            "recount_terms",
            "Term counts",
            "Recount terms",
            "Counts again how many products have each category, tag, brand and attribute.",
            _build_recompute_action(recompute.recompute_term_counts, "terms"),
        ),
        SystemStatusTool(
            "reset_roles",
            "Capabilities",
            "Reset capabilities",
            "Lets everybody have what the program gives the roles of the shop.",
            repair.refresh_roles,
        ),
        SystemStatusTool(
            "clear_sessions",
            "Clear customer sessions",
            "Clear",
            "Forgets what visitors have put into their carts.",
            _build_cleanup_action(cleanup.delete_all_carts, "carts were forgotten."),
        ),
        SystemStatusTool(
            "clear_template_cache", "Clear template cache", "Clear", "Reads the templates again.", repair.reload_theme
        ),
        SystemStatusTool(
            "clear_system_status_theme_info_cache",
            "Clear system status theme info cache",
            "Clear",
            "Reads again what the system status says of the theme.",
            repair.reload_theme,
        ),
        SystemStatusTool(
            "install_pages",
            "Create default Shop pages",
            "Create pages",
            "Makes those pages of the shop that are missing.",
            repair.create_missing_pages,
        ),
        SystemStatusTool(
            "delete_taxes",
            "Delete Shop tax rates",
            "Delete tax rates",
            "Removes all tax rates; this cannot be undone.",
            _build_cleanup_action(cleanup.delete_all_tax_rates, "tax rates were removed."),
        ),
        SystemStatusTool(
            "regenerate_thumbnails",
            "Regenerate shop thumbnails",
            "Regenerate",
            "Makes the smaller sizes of the images of products and their groups again.",
            _enqueue_image_jobs,
        ),
        SystemStatusTool(
            "db_update_routine",
            "Update database",
            "Update database",
            "Looks whether the database has the form that this version needs.",
            repair.check_schema_version,
        ),
        SystemStatusTool(
            "recreate_order_address_fts_index",
            "Recreate the index of addresses in orders",
            "Recreate index",
            "Writes again what searches among orders look at.",
            _build_recompute_action(recompute.recompute_order_search_keys, "orders"),
        ),
        SystemStatusTool(
            "verify_db_tables",
            "Verify base database tables",
            "Verify database",
            "Looks whether all tables are there and fit together.",
            repair.check_schema_tables,
        ),
        SystemStatusTool(
            "regenerate_product_attributes_lookup_table",
            "Regenerate the attributes lookup table",
            "Regenerate",
            "Computes again what filters by attributes look at.",
            _build_recompute_action(recompute.repair_attribute_links, "links to terms of attributes"),
        ),
        SystemStatusTool(
            "clear_shop_analytics_cache",
            "Clear analytics cache",
            "Clear",
            "Counts the sums of reports again.",
            _build_cleanup_action(cleanup.delete_report_rollups, "kept sums of reports are counted again."),
        ),
        SystemStatusTool(
            "refresh_remote_inbox_notifications",
            "Refresh Remote Inbox Notifications",
            "Refresh",
            "Asks for news of the inbox; this program asks nobody outside.",
            lambda work: "0 news came: nobody outside is asked.",
        ),
        SystemStatusTool(
            "delete_inbox_notification",
            "Delete an Inbox Notification",
            "Delete",
            "Removes a note of the inbox.",
            lambda work: "0 notes were removed: name one by `note_id`.",
            lambda work, id: f"{cleanup.delete_inbox_note(work, id)} notes were removed.",
        ),
        SystemStatusTool(
            "hpos_legacy_cleanup",
            "Clean up order data of an older form",
            "Clean up",
            "Removes what is left of orders that are gone.",
            _build_cleanup_action(
                cleanup.delete_order_leftovers, "items, extra fields and uses of coupons of no order were removed."
            ),
        ),
        SystemStatusTool(
            "delete_custom_orders_table",
            "Delete the tables of orders",
            "Delete",
            "Removes the tables of orders where orders are kept elsewhere.",
            _build_refused_action("Orders are kept in these tables; they stay."),
        ),
        SystemStatusTool(
            "schedule_expired_transient_files_cleanup",
            "Clean up files whose time is over",
            "Schedule",
            "Removes receipts, signatures and carts that have ended.",
            _build_cleanup_action(cleanup.delete_expired_data, "things whose time was over were removed."),
        ),
    )
}


def get_tool(id: str) -> SystemStatusTool:
    """Return a tool. Raises SystemStatusToolNotFound."""
    found = SYSTEM_STATUS_TOOLS.get(id)
    if found is None:
        raise SystemStatusToolNotFound(id=id)
    return found


def run_tool(work: UnitOfWork, tool: SystemStatusTool, id: int = 0) -> tuple[bool, str]:
    """Run a tool and return whether it succeeded, and its message; id: id of a single item, 0 for none."""
    try:
        with work.tx.savepoint():
            return True, tool.run_for_id(work, id) if tool.run_for_id and id else tool.run(work)
    except ToolFailed as why:
        return False, str(why)
