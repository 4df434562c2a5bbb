"""Which rules write the collections of what a shop has sold, and of how it is set up."""

from __future__ import annotations

from vetrina.core.site_context import SiteContext
from vetrina.transfer.target.journal import (
    GATEWAY,
    ORDER_NOTE,
    RECORD,
    REPORT_CUSTOMER,
    SHIPPING_METHOD,
    SHOP_SETTING,
    USER,
    WEBHOOK,
    ZONE,
)
from vetrina.transfer.target.record_writer import RecordWriter
from vetrina.transfer.target.users import AuthorChoice

from .customers import write_customer
from .gateways import write_gateway
from .notes import write_note
from .orders import write_order
from .refunds import write_refund
from .report_customers import REPORT_CUSTOMERS, write_report_customer
from .shipping import write_locations, write_method, write_zone
from .shop_settings import write_shop_setting
from .webhooks import write_webhook


def build_order_writers(site: SiteContext, authors: AuthorChoice) -> dict[str, RecordWriter]:
    """Return the writers of orders and settings by the paths of their collections, none for a site without a shop."""
    if not has_shop(site):
        return {}
    zones, orders = "/shop/v3/shipping/zones", "/shop/v3/orders"
    return {
        "/shop/v3/settings/{group_id}": RecordWriter(SHOP_SETTING, lambda one, _: write_shop_setting(one)),
        "/shop/v3/customers": RecordWriter(USER, lambda one, _: write_customer(one, authors)),
        zones: RecordWriter(ZONE, lambda one, _: write_zone(one)),
        f"{zones}/{{id}}/locations": RecordWriter(ZONE, lambda one, _: write_locations(one)),
        f"{zones}/{{zone_id}}/methods": RecordWriter(SHIPPING_METHOD, lambda one, _: write_method(one)),
        "/shop/v3/payment_gateways": RecordWriter(GATEWAY, lambda one, _: write_gateway(one)),
        REPORT_CUSTOMERS: RecordWriter(REPORT_CUSTOMER, lambda one, _: write_report_customer(one)),
        orders: RecordWriter(RECORD, lambda one, _: write_order(one)),
        f"{orders}/{{order_id}}/refunds": RecordWriter(RECORD, lambda one, _: write_refund(one)),
        f"{orders}/{{order_id}}/notes": RecordWriter(ORDER_NOTE, lambda one, _: write_note(one)),
        "/shop/v3/webhooks": RecordWriter(WEBHOOK, lambda one, _: write_webhook(one)),
    }


def has_shop(site: SiteContext) -> bool:
    """Return whether a site has a shop."""
    return any(module.name == "shop" for module in site.modules)
