"""Customers as the interface shows them.

Rules: docs/rules/customers.md, 1 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vetrina.access.users.avatars import build_avatar_url
from vetrina.core.call import Call
from vetrina.kernel import times
from vetrina.rest.serializer import Serializer, read_attributes
from vetrina.shop import meta_data
from vetrina.shop.customers.rules import CUSTOMER_ROLE, Customer
from vetrina.shop.customers.schema import CUSTOMER_FIELDS

# The address fields of customers are in another order than those of orders.
_ADDRESS_PARTS: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "postcode", "country", "state", "email",
    "phone",
)  # fmt: skip


class CustomerView:
    """The data beyond the rows that serializing customers needs."""

    def __init__(self, call: Call, found: Sequence[Customer]) -> None:
        self.zone = call.work.zone
        self.metas = meta_data.load_meta_by_owner(call.work, CUSTOMER_ROLE, [one.id for one in found])

    def format_local_time(self, moment: int) -> str:
        """Return a time in the site's time zone."""
        return times.format_iso(self.zone.to_local(moment))


def _sort_address(address: dict[str, str]) -> dict[str, str]:
    return {name: address[name] for name in _ADDRESS_PARTS if name in address}


CUSTOMER_SERIALIZER: Final = Serializer(
    CUSTOMER_FIELDS,
    {
        **read_attributes(
            "id", email="user.email", first_name="user.first_name", last_name="user.last_name", username="user.login"
        ),
        **read_attributes(is_paying_customer="paying"),
        "date_created": lambda one, view: view.format_local_time(one.user.registered),
        "date_created_gmt": lambda one, view: times.format_iso(one.user.registered),
        "date_modified": lambda one, view: view.format_local_time(one.modified),
        "date_modified_gmt": lambda one, view: times.format_iso(one.modified),
        "role": lambda one, view: next(iter(one.user.roles), ""),
        "billing": lambda one, view: _sort_address(one.billing),
        "shipping": lambda one, view: _sort_address(one.shipping),
        "avatar_url": lambda one, view: build_avatar_url(one.user.email, 96),
        "meta_data": lambda one, view: meta_data.serialize_meta(view.metas[one.id], hide_private=True),
    },
)
