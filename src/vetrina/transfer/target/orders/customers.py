"""Customers on their way in: what the shop knows of accounts that have come, and of those that come with it.

Who reads a shop's interface by its keys alone sees no accounts; their customers bring them then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from vetrina.shop import meta_data
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.rules import CUSTOMER_ROLE, Customer
from vetrina.transfer.records import Record
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.member_values import list_fields, read_flag, read_moment, read_text
from vetrina.transfer.target.outcome import Written
from vetrina.transfer.target.users import AuthorChoice, write_user

_USERS: Final = "/cms/v2/users"


def write_customer(one: IncomingRecord, choice: AuthorChoice) -> Written:
    """Write what the shop knows of an account. Raises RecordSkipped, LoginTooLong."""
    account = _find_account(one) or write_user(_build_account(one), choice)
    found = customers.load_customers_by_id(one.work, (account.target,)).get(account.target)
    stands_in = bool(choice.find_login(read_text(one.values.get("username"))))
    if found is None or stands_in or (account.adopted and _has_addresses(found)):
        return account
    modified = read_moment(one, "date_modified")
    new = msgspec.structs.replace(
        found, billing=_read_address(one, "billing", found.billing),
        shipping=_read_address(one, "shipping", found.shipping),
        paying=found.paying or read_flag(one.values.get("is_paying_customer")),
        modified=found.modified if modified is None else modified,
    )  # fmt: skip
    fields = list_fields(one.values.get("meta_data"))
    changed = meta_data.replace_fields(one.work, CUSTOMER_ROLE, {new.id: fields}, private=False)
    if changed or new != found:
        customers.store_customer(one.work, new)
    return account


def _find_account(one: IncomingRecord) -> Written | None:
    """Return the account that came as a user, None where none has."""
    id = str(one.record.id)
    entry = one.journal.load_entries(one.work.tx, _USERS, [id]).get(id)
    return Written(entry.target, entry.adopted) if entry is not None and entry.target else None


def _build_account(one: IncomingRecord) -> IncomingRecord:
    """Return the record of a user that a customer is."""
    values: dict[str, Any] = {
        name: one.values[name] for name in ("username", "email", "first_name", "last_name") if name in one.values
    }
    role = read_text(one.values.get("role"))
    values |= {"roles": [role] if role else [CUSTOMER_ROLE]}
    values |= {"registered_date": one.values.get("date_created_gmt") or one.values.get("date_created")}
    return replace(one, record=Record(_USERS, one.record.id, values, one.record.language))


def _has_addresses(customer: Customer) -> bool:
    return any((*customer.billing.values(), *customer.shipping.values()))


def _read_address(one: IncomingRecord, member: str, before: dict[str, str]) -> dict[str, str]:
    given = one.values.get(member)
    return {name: read_text(given.get(name)) for name in before} if isinstance(given, Mapping) else before
