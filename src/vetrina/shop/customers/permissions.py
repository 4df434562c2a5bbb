"""Whose account a shop manager may change or delete: customers', and no account with more rights than their own.

Rules: docs/rules/customers.md, 4 and docs/rules/shop_requests.md, 3.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.users import rights as user_rights
from vetrina.core.call import Call
from vetrina.rest.fields import ABSENT
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.rules import Customer
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, require_shop_capability

_REMOVABLE: Final = frozenset((customers.CUSTOMER_ROLE, "subscriber"))  # roles without staff rights


def require_customer_edit_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`); accounts that are more than customers need the rights over them."""
    require_shop_capability(call.work.user, CannotEditShopItem)
    id = call.args.get("id")
    found = customers.load_customers_by_id(call.work, (id,)).get(id) if isinstance(id, int) else None
    if found is None or set(found.user.roles) == {customers.CUSTOMER_ROLE}:
        return
    if not user_rights.may_edit_user(call.work.user, found.user):
        raise CannotEditShopItem(bool(call.work.user))
    # Staff accounts are edited by the users' routes; their credentials are out of the shop's scope.
    if call.args.get("password") is not None or call.args.get("email") not in (ABSENT, None, found.user.email):
        raise CannotEditShopItem(bool(call.work.user))


def require_customer_delete_permission(call: Call) -> None:
    """Those who run the shop and remove accounts (`manage_shop`, `delete_users`), of buyers and readers alone."""
    require_shop_capability(call.work.user, CannotDeleteShopItem)
    require_shop_capability(call.work.user, CannotDeleteShopItem, "delete_users")
    id = call.args.get("id")
    found = customers.load_customers_by_id(call.work, (id,)).get(id) if isinstance(id, int) else None
    if found is not None and not is_removable_customer(found):
        raise CannotDeleteShopItem(bool(call.work.user))


def is_removable_customer(one: Customer) -> bool:
    """Return whether the shop may delete an account: one with any other role is staff."""
    return set(one.user.roles) <= _REMOVABLE
