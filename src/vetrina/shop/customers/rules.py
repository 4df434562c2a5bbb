"""Customers: accounts with addresses, and whether they ever paid.

Not here: accounts themselves (access/users/rules.py), lists (access/users/listing.py), downloads
(shop/downloads/rules.py). Rules: docs/rules/customers.md, 1, 2 and 4: the name follows from the address; the orders of
a deleted customer become guest orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, select

from vetrina.access.passwords import reset as password_reset
from vetrina.access.passwords.reset import LinkOccasion
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.orders import shop_customer as table
from vetrina.content.records import deleted_accounts
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import generate_password
from vetrina.shop import meta_data
from vetrina.shop.customers import erasure
from vetrina.shop.customers.usernames import choose_username
from vetrina.shop.mail import outbox
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS

CUSTOMER_ROLE: Final = "customer"
_NAG: Final = "default_password_nag"


class CustomerNotFound(ApiError):
    """No account has the id."""

    failure, code = Failure.NOT_FOUND, "shop_user_invalid_id"
    message = "There is no customer with the number {id}."


class InvalidCustomerEmail(ApiError):
    code = "customer_invalid_email"
    message = "{email!r} is no mail address."


class CustomerEmailExists(ApiError):
    code = "registration-error-email-exists"
    message = "An account with the address {email!r} exists."


class CustomerEmailTaken(ApiError):
    code = "shop_rest_customer_invalid_email"
    message = "Another account has the address {email!r}."


class InvalidCustomerReassign(ApiError):
    """Records cannot be reassigned to the deleted account or to an unknown one."""

    code = "shop_rest_customer_invalid_reassign"
    message = "There is no other account with the number {id} that could get the records."


class CannotChangeUsername(ApiError):
    code = "shop_rest_customer_invalid_argument"
    message = "A user name cannot be changed."


class Customer(msgspec.Struct, frozen=True):
    """An account as the shop sees it. modified: seconds since 1970. paying: whether an order of it was completed."""

    user: User
    billing: dict[str, str]
    shipping: dict[str, str]
    paying: bool
    modified: int

    @property
    def id(self) -> int:
        return self.user.id


_OF = Statement(
    select(table.c.account, table.c.billing, table.c.shipping, table.c.paying, table.c.modified).where(
        InList(table.c.account, "ids")
    )
)
_CHANGES: Final[dict[str, Any]] = {name: bindparam(name) for name in ("billing", "shipping", "paying", "modified")}
_PUT = Statement(
    build_upsert(table, keys=("account",), values={"account": bindparam("account"), **_CHANGES}, changes=_CHANGES)
)


def load_customers(work: UnitOfWork, users: Iterable[User]) -> list[Customer]:
    """Return accounts as customers, in their order, in one query."""
    work.uses("user")
    accounts = list(users)
    rows = {row[0]: row for row in work.tx.all(_OF, ids=encode_list(user.id for user in accounts))} if accounts else {}
    return [_row_to_customer(user, rows.get(user.id)) for user in accounts]


def load_customers_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Customer]:
    """Return customers by id; unknown ones are left out."""
    found = [user for id in dict.fromkeys(ids) if (user := users.find_user(work.tx, id)) is not None]
    return {one.id: one for one in load_customers(work, found)}


def get_customer(work: UnitOfWork, id: int) -> Customer:
    """Return a customer. Raises CustomerNotFound."""
    user = users.find_user(work.tx, id, work.site.roles) if id > 0 else None
    if user is None:
        raise CustomerNotFound(id=id)
    return load_customers(work, [user])[0]


def create_customer(work: UnitOfWork, given: Mapping[str, Any]) -> Customer:
    """Create an account for a customer.

    given: email, username, password, first_name, last_name, billing, shipping, meta_data; password_later: the account
    has no password until its owner sets one by mail. Raises InvalidCustomerEmail, CustomerEmailExists,
    CustomerUsernameExists.
    """
    email = str(given.get("email") or "").strip()
    if not is_email_address(email):
        raise InvalidCustomerEmail(email=email)
    if users.find_user_by_login(work.tx, email) is not None:
        raise CustomerEmailExists(email=email)
    login = choose_username(work, str(given.get("username") or ""), email, given)
    password: str = given.get("password") or ""
    user = users.create_user(
        work, login, email, first_name=given.get("first_name") or "", last_name=given.get("last_name") or "",
        roles=(CUSTOMER_ROLE,), password=password or ("" if given.get("password_later") else generate_password()),
    )  # fmt: skip
    later = not password and bool(given.get("password_later"))
    if not password:
        meta_data.insert_meta(work, CUSTOMER_ROLE, user.id, _NAG, "1")
    blank = Customer(user, dict.fromkeys(BILLING_FIELDS, ""), dict.fromkeys(SHIPPING_FIELDS, ""), False, work.now)
    created = _save_members(work, blank, given)
    if later:
        password_reset.enqueue_reset_link(work, email, LinkOccasion.NEW_ACCOUNT)
    else:
        outbox.enqueue_account_mail(work, user.id, email)
    return created


def update_customer(work: UnitOfWork, old: Customer, given: Mapping[str, Any]) -> Customer:
    """Change a customer. Raises CannotChangeUsername, InvalidCustomerEmail, CustomerEmailTaken."""
    if given.get("username") and given["username"] != old.user.login:
        raise CannotChangeUsername
    email = str(given.get("email") or "").strip()
    if email and not is_email_address(email):
        raise InvalidCustomerEmail(email=email)
    names: users.UserMembers = {}
    if given.get("first_name") is not None:
        names["first_name"] = given["first_name"]
    if given.get("last_name") is not None:
        names["last_name"] = given["last_name"]
    if given.get("password"):
        names["password"] = given["password"]
    try:
        user = users.update_user(work, old.user, email, **names)
    except users.ChangedEmailTaken:
        raise CustomerEmailTaken(email=email) from None
    return _save_members(work, msgspec.structs.replace(old, user=user), given)


def delete_customer(work: UnitOfWork, old: Customer, reassign: int = 0) -> None:
    """Delete a customer's account; its orders become guest orders.

    reassign: the account that gets its records, 0 for none. Raises InvalidCustomerReassign.
    """
    if reassign and (reassign == old.id or users.find_user(work.tx, reassign) is None):
        raise InvalidCustomerReassign(id=reassign)
    erasure.release_account_orders(work, old.id)
    if reassign:
        deleted_accounts.reassign_records(work, old.id, reassign)
    else:
        deleted_accounts.trash_records_of_author(work, old.id)
    meta_data.delete_meta_of_owners(work, CUSTOMER_ROLE, old.id)
    users.delete_user(work, old.user)


def mark_customer_paying(work: UnitOfWork, id: int) -> None:
    """Mark a customer as having a completed order."""
    found = load_customers_by_id(work, (id,)).get(id)
    if found is not None and not found.paying:
        store_customer(work, msgspec.structs.replace(found, paying=True))


def _row_to_customer(user: User, row: Any) -> Customer:
    billing, shipping = dict.fromkeys(BILLING_FIELDS, ""), dict.fromkeys(SHIPPING_FIELDS, "")
    if row is None:
        return Customer(user, billing, shipping, False, user.registered)
    return Customer(
        user, {**billing, **orjson.loads(row[1])}, {**shipping, **orjson.loads(row[2])}, bool(row[3]), row[4]
    )


def _save_members(work: UnitOfWork, one: Customer, given: Mapping[str, Any]) -> Customer:
    billing, shipping = given.get("billing") or {}, given.get("shipping") or {}
    new = msgspec.structs.replace(
        one,
        billing={name: str(billing.get(name, kept) or "") for name, kept in one.billing.items()},
        shipping={name: str(shipping.get(name, kept) or "") for name, kept in one.shipping.items()},
        modified=work.now,
    )
    meta_data.update_meta(work, CUSTOMER_ROLE, new.id, given.get("meta_data"))
    store_customer(work, new)
    return new


def store_customer(work: UnitOfWork, one: Customer) -> None:
    """Store what the shop knows of an account."""
    billing, shipping = (orjson.dumps(address).decode() for address in (one.billing, one.shipping))
    work.tx.run(_PUT, account=one.id, billing=billing, shipping=shipping, paying=one.paying, modified=one.modified)
    work.note("user", one.id, "changed")
