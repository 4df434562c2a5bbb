"""Members and arguments of coupons, as the interface has them.

Rules: docs/rules/coupons.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, String, Untyped
from vetrina.rest.resource import build_write_arguments
from vetrina.shop import list_arguments
from vetrina.shop.coupons.store import DISCOUNT_TYPES
from vetrina.shop.products.schema import META_DATA

_BOTH: Final = (VIEW, EDIT)
_STATUSES: Final = ("draft", "pending", "private", "publish")


def _build_id_list_field(help: str) -> Array:
    return Array(help, items=Integer(), context=_BOTH, long=True)


def _build_amount_field(help: str) -> Untyped:
    # A JSON number is accepted here, unlike in the prices of products.
    return Untyped(help, context=_BOTH)


COUPON_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the coupon.", context=_BOTH, readonly=True),
    "code": String("What the customer types in.", context=_BOTH),
    "amount": _build_amount_field("How much it takes off: an amount, or a percentage."),
    "status": String("Whether it can be used.", context=_BOTH, enum=_STATUSES),
    "date_created": String("When it was made, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When it was made, in GMT.", context=_BOTH, readonly=True),
    "date_modified": String("When it was last changed, in the site's time.", context=_BOTH, readonly=True),
    "date_modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, readonly=True),
    "discount_type": String("What the amount is taken off.", context=_BOTH, enum=DISCOUNT_TYPES),
    "description": String("What it is for.", context=_BOTH),
    "date_expires": String("When it ends, in the site's time.", context=_BOTH, nullable=True, null="keep"),
    "date_expires_gmt": String("When it ends, in GMT; not read.", context=_BOTH, nullable=True, null="keep"),
    "usage_count": Integer("How often it was used.", context=_BOTH, readonly=True),
    "individual_use": Boolean("Whether it may be used alone only.", context=_BOTH),
    "product_ids": _build_id_list_field("Products that it works on."),
    "excluded_product_ids": _build_id_list_field("Products that it does not work on."),
    "usage_limit": Integer("How often it may be used.", context=_BOTH, null="null", unset=(None,)),
    "usage_limit_per_user": Integer("How often one customer may use it.", context=_BOTH, null="null", unset=(None,)),
    "limit_usage_to_x_items": Integer("How many pieces it works on.", context=_BOTH, null="null", unset=(None,)),
    "free_shipping": Boolean("Whether it gives free shipping.", context=_BOTH),
    "product_categories": _build_id_list_field("Categories that it works on."),
    "excluded_product_categories": _build_id_list_field("Categories that it does not work on."),
    "exclude_sale_items": Boolean("Whether it leaves out what is on sale.", context=_BOTH),
    "minimum_amount": _build_amount_field("Least sum of the goods."),
    "maximum_amount": _build_amount_field("Greatest sum of the goods."),
    "email_restrictions": Array(
        "Addresses that may use it; `*` stands for anything.", items=String(), context=_BOTH, long=True
    ),
    "used_by": Array("Who used it.", items=String(), context=_BOTH, readonly=True),
    "meta_data": META_DATA,
}

# Member of the interface → field of Coupon, where both have the same value.
PLAIN_FIELDS: Final[Mapping[str, str]] = {
    "code": "code", "status": "status", "discount_type": "kind", "description": "description",
    "individual_use": "individual_use", "product_ids": "products", "excluded_product_ids": "excluded_products",
    "usage_limit": "usage_limit", "usage_limit_per_user": "usage_limit_per_user",
    "limit_usage_to_x_items": "most_pieces", "free_shipping": "free_shipping", "product_categories": "categories",
    "excluded_product_categories": "excluded_categories", "exclude_sale_items": "exclude_sale_items",
    "email_restrictions": "emails",
}  # fmt: skip
# A limit of 0 means none.
LIMIT_FIELDS: Final = frozenset({"usage_limit", "usage_limit_per_user", "limit_usage_to_x_items"})

_WRITES: Final = build_write_arguments(COUPON_FIELDS, default=ABSENT, null="keep")
UPDATE_ARGUMENTS: Final = _WRITES | {name: _WRITES[name].replace(null="null") for name in LIMIT_FIELDS}
CREATE_ARGUMENTS: Final = {**UPDATE_ARGUMENTS, "code": UPDATE_ARGUMENTS["code"].replace(required=True)}
LIST_ARGUMENTS: Final[dict[str, Field]] = {
    "context": list_arguments.build_context_argument(),
    **list_arguments.build_paging_arguments(),
    **list_arguments.build_date_filters(),
    "exclude": list_arguments.build_id_filter("Coupons that are left out."),
    "include": list_arguments.build_id_filter("Only these coupons."),
    "offset": Integer("Leave out so many from the start.", null="keep"),
    **list_arguments.build_sort_arguments(list_arguments.LIST_ORDERS),
    "code": String("Only the coupon with this code.", null="keep"),
    "status": String(
        "Only coupons with this status.", default="publish", enum=("any", "future", "trash", *_STATUSES), null="keep"
    ),
}
