"""Customers: accounts with addresses, and whether they ever paid.

Not here: accounts themselves (access/users/rules.py), lists (access/users/listing.py), downloads
(shop/downloads/rules.py). Rules: facts, "Customers": the name follows from the address, a customer who goes leaves
orders behind as a guest's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, select

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.access.users.text_rules import good_login
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed, upsert
from vetrina.backends.tables.orders import shop_customer as table
from vetrina.content.records import rules as records
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import readable_password
from vetrina.kernel.tags import without_tags
from vetrina.shop import meta_data
from vetrina.shop.customers import erasure
from vetrina.shop.mail import outbox
from vetrina.shop.orders.model import BILLING, SHIPPING_ADDRESS

__all__ = [
    "ROLE", "Customer", "CustomerUnknown", "EmailExists", "EmailOfAnother", "InvalidEmail", "InvalidReassign",
    "UsernameExists", "UsernameFixed", "by_ids", "change", "create", "existing", "of_users", "paid", "remove",
]  # fmt: skip

ROLE: Final = "customer"
_NAG: Final = "default_password_nag"


class CustomerUnknown(ApiError):
    """No account has the number."""

    status, code = 404, "shop_user_invalid_id"
    message = "There is no customer with the number {id}."


class InvalidEmail(ApiError):
    code = "customer_invalid_email"
    message = "{email!r} is no mail address."


class EmailExists(ApiError):
    code = "registration-error-email-exists"
    message = "An account with the address {email!r} exists."


class UsernameExists(ApiError):
    code = "registration-error-username-exists"
    message = "The user name {login!r} is taken."


class EmailOfAnother(ApiError):
    code = "shop_rest_customer_invalid_email"
    message = "Another account has the address {email!r}."


class InvalidReassign(ApiError):
    """Records cannot go to whoever is removed, or to nobody."""

    code = "shop_rest_customer_invalid_reassign"
    message = "There is no other account with the number {id} that could get the records."


class UsernameFixed(ApiError):
    code = "shop_rest_customer_invalid_argument"
    message = "A user name cannot be changed."


class Customer(msgspec.Struct, frozen=True):
    """An account as the shop knows it. modified: seconds since 1970. paying: whether an order of it was completed."""

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
        Among(table.c.account, "ids")
    )
)
_CHANGES: Final[dict[str, Any]] = {name: bindparam(name) for name in ("billing", "shipping", "paying", "modified")}
_PUT = Statement(
    upsert(table, keys=("account",), values={"account": bindparam("account"), **_CHANGES}, changes=_CHANGES)
)


def of_users(work: Work, found: Iterable[User]) -> list[Customer]:
    """Return accounts as customers, in their order; asks once."""
    work.uses("user")
    accounts = list(found)
    rows = {row[0]: row for row in work.tx.all(_OF, ids=listed(user.id for user in accounts))} if accounts else {}
    return [_customer(user, rows.get(user.id)) for user in accounts]


def by_ids(work: Work, ids: Iterable[int]) -> dict[int, Customer]:
    """Return the customers with some numbers, by number; unknown ones are left out."""
    found = [user for id in dict.fromkeys(ids) if (user := users.by_id(work.tx, id)) is not None]
    return {one.id: one for one in of_users(work, found)}


def existing(work: Work, id: int) -> Customer:
    """Return a customer. Raises CustomerUnknown."""
    user = users.by_id(work.tx, id, users.has_shop(work.frame)) if id > 0 else None
    if user is None:
        raise CustomerUnknown(id=id)
    return of_users(work, [user])[0]


def create(work: Work, given: Mapping[str, Any]) -> Customer:
    """Make an account for a customer.

    given: email, username, password, first_name, last_name, billing, shipping, meta_data; password_later: it has none
    until its owner chooses one by mail.
    Raises InvalidEmail, EmailExists, UsernameExists.
    """
    email = str(given.get("email") or "").strip()
    if not _is_address(email):
        raise InvalidEmail(email=email)
    if users.by_login_or_email(work.tx, email) is not None:
        raise EmailExists(email=email)
    login = _login(work, str(given.get("username") or ""), email, given)
    password: str = given.get("password") or ""
    user = users.create(
        work, login, email, first_name=given.get("first_name") or "", last_name=given.get("last_name") or "",
        roles=(ROLE,), password=password or ("" if given.get("password_later") else readable_password()),
    )  # fmt: skip
    if not password:
        meta_data.put(work, ROLE, user.id, _NAG, "1")
    blank = Customer(user, dict.fromkeys(BILLING, ""), dict.fromkeys(SHIPPING_ADDRESS, ""), False, work.now)
    made = _written(work, blank, given)
    outbox.about_account(work, user.id, email)
    return made


def change(work: Work, old: Customer, given: Mapping[str, Any]) -> Customer:
    """Change a customer. Raises UsernameFixed, InvalidEmail, EmailOfAnother."""
    if given.get("username") and given["username"] != old.user.login:
        raise UsernameFixed
    email = str(given.get("email") or "").strip()
    if email and not _is_address(email):
        raise InvalidEmail(email=email)
    names: users.Members = {}
    if given.get("first_name") is not None:
        names["first_name"] = given["first_name"]
    if given.get("last_name") is not None:
        names["last_name"] = given["last_name"]
    if given.get("password"):
        names["password"] = given["password"]
    try:
        user = users.change(work, old.user, email, **names)
    except users.AddressTaken:
        raise EmailOfAnother(email=email) from None
    return _written(work, msgspec.structs.replace(old, user=user), given)


def remove(work: Work, old: Customer, reassign: int = 0) -> None:
    """Remove a customer's account; orders become a guest's.

    reassign: the account that gets its records, 0 for none. Raises InvalidReassign.
    """
    if reassign and (reassign == old.id or users.by_id(work.tx, reassign) is None):
        raise InvalidReassign(id=reassign)
    erasure.release(work, old.id)
    if reassign:
        records.reassign(work, old.id, reassign)
    else:
        records.trash_of(work, old.id)
    meta_data.remove_of(work, ROLE, old.id)
    users.remove(work, old.user)


def paid(work: Work, id: int) -> None:
    """Note that an order of a customer was completed."""
    found = by_ids(work, (id,)).get(id)
    if found is not None and not found.paying:
        _put(work, msgspec.structs.replace(found, paying=True))


def _customer(user: User, row: Any) -> Customer:
    billing, shipping = dict.fromkeys(BILLING, ""), dict.fromkeys(SHIPPING_ADDRESS, "")
    if row is None:
        return Customer(user, billing, shipping, False, user.registered)
    return Customer(
        user, {**billing, **orjson.loads(row[1])}, {**shipping, **orjson.loads(row[2])}, bool(row[3]), row[4]
    )


def _written(work: Work, one: Customer, given: Mapping[str, Any]) -> Customer:
    billing, shipping = given.get("billing") or {}, given.get("shipping") or {}
    new = msgspec.structs.replace(
        one,
        billing={name: str(billing.get(name, kept) or "") for name, kept in one.billing.items()},
        shipping={name: str(shipping.get(name, kept) or "") for name, kept in one.shipping.items()},
        modified=work.now,
    )
    meta_data.change(work, ROLE, new.id, given.get("meta_data"))
    _put(work, new)
    return new


def _put(work: Work, one: Customer) -> None:
    billing, shipping = (orjson.dumps(address).decode() for address in (one.billing, one.shipping))
    work.tx.run(_PUT, account=one.id, billing=billing, shipping=shipping, paying=one.paying, modified=one.modified)
    work.note("user", one.id, "changed")


def _login(work: Work, wanted: str, email: str, given: Mapping[str, Any]) -> str:
    """Return the user name of a new customer: the given one, else one that follows from names or the address."""
    if wanted:
        login = _clean(wanted)
        if login and users.by_login_or_email(work.tx, login) is not None:
            raise UsernameExists(login=login)
        if login:
            return login
    parts = [_clean(str(given.get(name) or "")).lower() for name in ("first_name", "last_name")]
    stem = ".".join(part for part in parts if part) if given.get("names_make_login") else ""
    stem = stem or _clean(email.partition("@")[0]).lower() or ROLE
    number, login = 0, stem
    while users.by_login_or_email(work.tx, login) is not None:
        number += 1
        login = f"{stem}{number}"
    return login


def _clean(login: str) -> str:
    kept = " ".join("".join(sign for sign in without_tags(login) if sign == " " or good_login(sign)).split())
    return kept if good_login(kept) else ""


def _is_address(email: str) -> bool:
    from vetrina.rest.coercion import string_fault

    return string_fault(email, "email", (), "email", "", None, None) is None
