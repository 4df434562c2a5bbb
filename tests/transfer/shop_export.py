"""Records of a shop in a folder of JSON, as an export leaves them, with the members that the tests are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vetrina.transfer.folder_export import write_changed
from vetrina.transfer.records import Record
from vetrina.transfer.sources.folder_layout import FORMAT, MANIFEST, encode_json, encode_record, locate_record

ZONES = "/shop/v3/shipping/zones"
ORDERS = "/shop/v3/orders"
# In the order in which a site's interface is read.
RESOURCES = (
    "/cms/v2/users", "/shop/v3/settings/{group_id}", "/shop/v3/customers", "/shop/v3/coupons", ZONES,
    ZONES + "/{id}/locations", ZONES + "/{zone_id}/methods", "/shop/v3/payment_gateways",
    "/shop-analytics/reports/customers", ORDERS, ORDERS + "/{order_id}/refunds",
    ORDERS + "/{order_id}/notes", "/shop/v3/webhooks",
)  # fmt: skip
ADDRESS = {
    "first_name": "Mara", "last_name": "Neri", "company": "", "address_1": "Via Roma 1", "address_2": "",
    "city": "Genova", "state": "GE", "postcode": "16121", "country": "IT", "phone": "010",
}  # fmt: skip
LINE = {
    "id": 7, "name": "Socks - L", "product_id": 0, "variation_id": 0, "quantity": 2, "tax_class": "",
    "subtotal": "20.00", "subtotal_tax": "4.40", "total": "18.00", "total_tax": "3.96",
    "taxes": [{"id": 1, "total": "3.96", "subtotal": "4.40"}],
    "meta_data": [{"id": 1, "key": "pa_size", "value": "l", "display_key": "Size", "display_value": "L"}],
}  # fmt: skip
TAX_LINE = {
    "id": 9, "rate_code": "IT-IVA-1", "rate_id": 1, "label": "IVA", "compound": False, "tax_total": "3.96",
    "shipping_tax_total": "1.43", "rate_percent": 22, "meta_data": [],
}  # fmt: skip
SHIPPING_LINE = {
    "id": 8, "method_title": "Post", "method_id": "flat_rate", "instance_id": "3", "total": "6.50",
    "total_tax": "1.43", "taxes": [{"id": 1, "total": "1.43", "subtotal": ""}], "tax_status": "taxable",
    "meta_data": [],
}  # fmt: skip
COUPON_LINE = {
    "id": 10, "code": "welcome10", "discount": "2", "discount_tax": "0.44", "discount_type": "percent",
    "nominal_amount": 10, "free_shipping": False,
    "meta_data": [{"id": 3, "key": "coupon_info", "value": '[161,"welcome10","percent",10]'}],
}  # fmt: skip
ORDER: dict[str, Any] = {
    "id": 5001, "parent_id": 0, "status": "completed", "currency": "EUR", "prices_include_tax": False,
    "customer_id": 0, "number": "5001", "order_key": "shop_order_abc", "discount_total": "2.00",
    "discount_tax": "0.44", "shipping_total": "6.50", "shipping_tax": "1.43", "cart_tax": "3.96", "total": "29.89",
    "total_tax": "5.39", "payment_method": "bacs", "payment_method_title": "Bank transfer",
    "transaction_id": "tx 1", "customer_ip_address": "192.0.2.1", "customer_user_agent": "Browser 1",
    "created_via": "checkout", "customer_note": "Ring twice.", "cart_hash": "c0ffee",
    "date_created": "2021-03-04T11:00:01", "date_created_gmt": "2021-03-04T10:00:01",
    "date_modified": "2021-03-06T11:00:03", "date_modified_gmt": "2021-03-06T10:00:03",
    "date_paid": "2021-03-04T12:00:02", "date_paid_gmt": "2021-03-04T11:00:02",
    "date_completed": "2021-03-06T11:00:03", "date_completed_gmt": "2021-03-06T10:00:03",
    "billing": {**ADDRESS, "email": "mara@example.net"}, "shipping": ADDRESS, "line_items": [LINE],
    "shipping_lines": [SHIPPING_LINE], "tax_lines": [TAX_LINE], "fee_lines": [], "coupon_lines": [COUPON_LINE],
    "meta_data": [{"id": 5, "key": "gift", "value": {"wrapped": True}}], "refunds": [],
}  # fmt: skip


class ShopExport:
    """A folder of records, which may be written again."""

    def __init__(self, folder: Path, *resources: str) -> None:
        self.folder = folder
        manifest = {
            "format": FORMAT, "title": "Old shop", "urls": ["https://old.example"], "resources": resources or RESOURCES,
            "types": {}, "taxonomies": {}, "languages": [], "unreadable": {},
        }  # fmt: skip
        write_changed(folder / MANIFEST, encode_json(manifest))

    def add(self, resource: str, id: int | str, values: dict[str, Any], parent: int | str = 0) -> ShopExport:
        """Write a record, over the one with the same id."""
        record = Record(resource, id, values, parent=parent)
        write_changed(self.folder / locate_record(record), encode_record(record))
        return self

    def add_order(self, **members: Any) -> ShopExport:
        """Write an order like the one above but for some members."""
        values = {**ORDER, **members}
        return self.add(ORDERS, values["id"], values)
