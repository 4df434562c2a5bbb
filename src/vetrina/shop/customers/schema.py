"""Members and arguments of customers, and the members of their downloads, as the interface has them.

Rules: docs/rules/customers.md, 1, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.resource import build_write_arguments
from vetrina.rest.response_fields import build_text_fields
from vetrina.shop import list_arguments
from vetrina.shop.customers.rules import CUSTOMER_ROLE
from vetrina.shop.orders.schema import ORDER_FIELDS
from vetrina.shop.products.schema import META_DATA

_BOTH: Final = (VIEW, EDIT)
CUSTOMER_ORDERS: Final = {"id": "id", "include": "include", "name": "name", "registered_date": "registered_date"}
DOWNLOADS: Final = Array(
    items=Object(
        properties={
            **build_text_fields("download_id", "download_url"),
            "product_id": Integer(),
            **build_text_fields("product_name", "download_name"),
            "order_id": Integer(),
            "order_key": String(),
            "downloads_remaining": String("A number, or `unlimited`."),
            "access_expires": String("A moment, or `never`."),
            "access_expires_gmt": String("A moment, or `never`.", optional=True),
            "file": Object(properties=build_text_fields("name", "file")),
        }
    )
)


def _get_address_field(name: str) -> Object:
    field = ORDER_FIELDS[name]
    assert isinstance(field, Object)
    return field


CUSTOMER_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the account.", context=_BOTH, readonly=True),
    "date_created": String("When the account was made, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When the account was made, in GMT.", context=_BOTH, readonly=True),
    "date_modified": String("When it was last changed, in the site's time.", context=_BOTH, readonly=True),
    "date_modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, readonly=True),
    "email": String("Mail address.", context=_BOTH),
    "first_name": String("First name.", context=_BOTH),
    "last_name": String("Last name.", context=_BOTH),
    "role": String("Role of the account.", context=_BOTH, readonly=True),
    "username": String("Name to sign in with.", context=_BOTH),
    "password": String("Password.", context=(EDIT,), written=True),
    "billing": _get_address_field("billing"),
    "shipping": _get_address_field("shipping"),
    "is_paying_customer": Boolean("Whether an order of the customer was completed.", context=_BOTH, readonly=True),
    "avatar_url": String("Address of a picture.", context=_BOTH, readonly=True),
    "meta_data": META_DATA,
}

UPDATE_ARGUMENTS: Final = build_write_arguments(CUSTOMER_FIELDS, default=ABSENT, null="keep")
CREATE_ARGUMENTS: Final = {**UPDATE_ARGUMENTS, "email": UPDATE_ARGUMENTS["email"].replace(required=True)}
DELETE_ARGUMENTS: Final = {"reassign": Integer("The account that gets the customer's records.", default=0, null="keep")}


def build_list_arguments(roles: Iterable[str]) -> dict[str, Field]:
    """Return the arguments of the list. roles: those of the site."""
    return {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        "exclude": list_arguments.build_id_filter("Customers that are left out."),
        "include": list_arguments.build_id_filter("Only these customers."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(tuple(CUSTOMER_ORDERS), "name", "asc"),
        "email": String("Only the customer with this address.", format="email", null="keep"),
        "role": String("Only accounts of this role.", default=CUSTOMER_ROLE, enum=("all", *roles), null="keep"),
    }
