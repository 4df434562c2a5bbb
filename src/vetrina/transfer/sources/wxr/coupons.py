"""Items that are coupons, as records of a shop: extra fields become members."""

from __future__ import annotations

import re
from typing import Any, Final

from vetrina.transfer.records import Record

from .elements import ExportElement
from .product_terms import COUPONS, parse_reference
from .products import list_items, read_moment
from .records import RecordBuilder, parse_id, read_dates

_TEXTS: Final = {
    "discount_type": "discount_type", "coupon_amount": "amount", "usage_limit": "usage_limit",
    "usage_limit_per_user": "usage_limit_per_user", "limit_usage_to_x_items": "limit_usage_to_x_items",
    "usage_count": "usage_count", "minimum_amount": "minimum_amount", "maximum_amount": "maximum_amount",
}  # fmt: skip
_FLAGS: Final = ("individual_use", "free_shipping", "exclude_sale_items")
_PRODUCTS: Final = {"product_ids": "product_ids", "exclude_product_ids": "excluded_product_ids"}
_CATEGORIES: Final = {
    "product_categories": "product_categories", "exclude_product_categories": "excluded_product_categories",
}  # fmt: skip
_EXPIRES: Final = "date_expires"  # seconds since 1970
_LAST_DAY: Final = "expiry_date"  # its older form, a day
_EMAILS: Final = "customer_email"
_USED_BY: Final = "_used_by"  # once for each use
_MEMBERS: Final = frozenset({
    *_TEXTS, *_FLAGS, *_PRODUCTS, *_CATEGORIES, _EXPIRES, _LAST_DAY, _EMAILS, _USED_BY, "_edit_last", "_edit_lock",
})  # fmt: skip
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def build_coupon(records: RecordBuilder, part: ExportElement) -> Record:
    """Return the record of a coupon."""
    listed = records.list_fields(part)
    fields = dict(reversed(listed))
    values: dict[str, Any] = {
        "code": part.get("title").strip(), "description": part.get("excerpt:encoded"),
        "status": part.get("export:status").strip(),
        **read_dates(part, {"date": "date_created", "modified": "date_modified"}),
        **{member: fields[name] for name, member in _TEXTS.items() if name in fields},
        **{name: fields.get(name) == "yes" for name in _FLAGS},
        **{member: _list_ids(str(fields.get(name) or "").split(",")) for name, member in _PRODUCTS.items()},
        **{member: _list_ids(list_items(fields.get(name))) for name, member in _CATEGORIES.items()},
        "email_restrictions": [one for one in list_items(fields.get(_EMAILS)) if isinstance(one, str)],
        "used_by": [str(value) for name, value in listed if name == _USED_BY],
        "meta_data": [{"key": name, "value": value} for name, value in listed if name not in _MEMBERS],
    }  # fmt: skip
    if (moment := read_moment(fields.get(_EXPIRES))) is not None:
        values["date_expires_gmt"] = moment
    elif day := _DAY.match(str(fields.get(_LAST_DAY) or "")):
        values["date_expires"] = f"{day[0]}T00:00:00"
    return Record(COUPONS, parse_id(part.get("export:post_id")), values)


def _list_ids(values: list[Any]) -> list[int]:
    return [id for value in values if (id := parse_reference(value))]
